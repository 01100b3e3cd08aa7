"""`cutpoint networks`: the list, files from a mirror, and what it says when there are none."""

import gzip
import hashlib
from pathlib import Path

import pytest

from cutpoint.cli import main
from cutpoint.commands import networks
from cutpoint.data.registry import load_networks
from cutpoint.networks.network import network, network_names, read_network, write_network
from cutpoint.networks.shipped import network_folder

REGISTRY = Path(__file__).parents[2] / "data" / "networks" / "fetched.yaml"


@pytest.fixture
def asia(tmp_path, monkeypatch):
    """A registry with one network, and the mirror that has it packed."""
    mirror = tmp_path / "mirror"
    mirror.mkdir()
    write_network(network("asia"), tmp_path / "asia.bif")
    packed = gzip.compress((tmp_path / "asia.bif").read_bytes())
    (mirror / "asia.bif.gz").write_bytes(packed)
    entry = {"title": "Asia", "variables": 8, "arcs": 8, "licence": "none", "files": [{
        "name": "asia.bif.gz", "sha256": hashlib.sha256(packed).hexdigest(), "urls": ["https://127.0.0.1:9/asia.bif.gz"]
    }]}  # fmt: skip
    registry = {"asia": networks.NetworkEntry.model_validate({"name": "asia", **entry})}
    monkeypatch.setattr(networks, "load_networks", lambda path: registry)
    monkeypatch.chdir(tmp_path)
    return registry, mirror


def test_the_list_names_twenty_networks_of_5_to_200_variables(capsys):
    assert main(["networks"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "alarm: shipped, discrete, 37 variables, 46 arcs"
    assert "ecoli70: shipped, Gaussian, 46 variables, 70 arcs" in lines
    assert "water: to be fetched, 32 variables, 66 arcs" in lines
    sizes = [int(line.split(" variables")[0].split()[-1]) for line in lines]
    assert sum(5 <= size <= 200 for size in sizes) == 20


def test_a_network_of_a_mirror_is_written_as_a_file_that_can_be_read(asia, capsys):
    assert main(["networks", "asia", "--mirror", "mirror", "--to", "nets"]) == 0
    assert capsys.readouterr().out == "asia: nets/asia.bif, 8 variables, 8 arcs\n"
    assert (read_network("nets/asia.bif").dag == network("asia").dag).all()


def test_what_cannot_be_had_is_unavailable_with_its_reason(asia, tmp_path, capsys):
    (tmp_path / "empty").mkdir()
    assert main(["networks", "asia", "--mirror", "empty"]) == 1
    assert capsys.readouterr().out == "asia: unavailable: asia.bif.gz: not in mirror empty\n"
    assert not (tmp_path / "networks").exists()


def test_another_network_than_the_registry_says_is_refused(asia, monkeypatch, capsys):
    registry, _ = asia
    other = registry["asia"].model_copy(update={"arcs": 9})
    monkeypatch.setattr(networks, "load_networks", lambda path: {"asia": other})
    assert main(["networks", "asia", "--mirror", "mirror"]) == 1
    said = "cutpoint: networks/asia.bif: has 8 variables and 8 arcs where 8 and 9 are expected\n"
    assert capsys.readouterr().err == said


def test_the_registry_is_sound():
    entries = load_networks(network_folder() / "fetched.yaml")
    assert REGISTRY.exists()
    assert not set(entries) & set(network_names())
    for name, entry in entries.items():
        (file,) = entry.files
        assert file.name == f"{name}.bif.gz"
        assert [address.url.split("/")[2] for address in file.urls] == ["raw.githubusercontent.com"]
