"""True graphs of real data: their arcs, the columns of their data sets, and the versions of Sachs et al."""

from pathlib import Path

import numpy as np
import pytest

from cutpoint.data.download import fetch
from cutpoint.data.registry import load_registry, parse
from cutpoint.networks.network import network, read_network

ROOT = Path(__file__).parents[2]
REGISTRY = load_registry(ROOT / "config" / "datasets.yaml")
TRUTHS = {path.stem: read_network(path) for path in sorted((ROOT / "data" / "truths").glob("*.bif"))}


def arcs(graph):
    return {(graph.variables[i], graph.variables[j]) for i, j in np.argwhere(graph.dag)}


@pytest.mark.parametrize("name", TRUTHS)
def test_the_table_of_truths_is_true(name):
    lines = (ROOT / "data" / "truths" / "README.md").read_text().splitlines()
    row = next(line for line in lines if line.startswith(f"| `{name}.bif`"))
    assert f"| {len(TRUTHS[name].variables)} | {len(arcs(TRUTHS[name]))} |" in row


def test_versions_of_sachs_differ_as_they_are_said_to():
    old, new = arcs(network("sachs")), arcs(TRUTHS["sachs_20"])
    assert (len(old), len(new), len(old & new)) == (17, 20, 16)
    assert old - new == {("Plcg", "PIP3")}
    assert new - old == {("PIP3", "Plcg"), ("PIP3", "Akt"), ("PIP2", "PKC"), ("Plcg", "PKC")}
    assert set(TRUTHS["sachs_20"].variables) == set(REGISTRY["sachs"].columns)


def test_a_copy_of_the_light_tunnel_has_the_columns_of_its_truth(tmp_path):
    """As the file of the experiment has them, sensor parameters and counters too."""
    truth, entry = TRUTHS["light_tunnel"], REGISTRY["chamber"]
    header = [*entry.dropped[:4], *reversed(truth.variables), *entry.dropped[4:]]
    rows = np.random.default_rng(0).integers(0, 9, (30, len(header)))
    copy = tmp_path / "uniform_reference.csv"
    copy.write_text("\n".join(",".join(map(str, row)) for row in [header, *rows]))
    table = parse(entry, fetch(entry, user_file=copy).files)
    assert sorted(table.variables) == sorted(truth.variables)
    assert not table.discrete.any()
    assert len(table.variables) == 20


def test_the_columns_to_drop_from_the_file_of_the_experiment_are_those_that_the_data_set_drops():
    text = (ROOT / "data" / "truths" / "README.md").read_text()
    assert text.split("drop=[")[1].split("]")[0].split(",") == REGISTRY["chamber"].dropped
