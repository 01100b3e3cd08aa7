import csv
import hashlib
import re
from pathlib import Path

import numpy as np
import pyagrum as gum
import pytest

from cutpoint.base.errors import InputError
from cutpoint.networks.network import network, network_names, read_all, read_network, sample, write_network

ROOT = Path(__file__).parents[2]
DATA = ROOT / "data"
PRINTED = ROOT / "workflow" / "studies" / "fu2005" / "printed"
GAUSSIAN = ["arth150", "ecoli70", "magic_irri", "magic_niab"]
DISCRETE = ["alarm", "asia", "cancer", "child", "earthquake", "hailfinder", "hepar2", "insurance", "sachs", "survey"]
DISCRETE += ["win95pts"]
NAMES = sorted(DISCRETE + GAUSSIAN)


def published(table):
    with (PRINTED / f"table_{table}.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def plain(match):
    """Rename states to what pyAgrum reads, in text and without our parser."""
    states = (re.sub(r"\W", lambda c: f"_{ord(c[0])}", state.strip()) for state in match[2].split(","))
    return match[1] + ", ".join(f"s{state}" for state in states) + match[3]


@pytest.fixture(scope="module")
def peers(tmp_path_factory):
    """The networks as pyAgrum reads them."""
    loaded = {}
    for name in DISCRETE:
        text = (DATA / "networks" / f"{name}.bif").read_text()
        text = re.sub(r"(type discrete \[ \d+ \] \{)(.*)(\})", plain, text)
        text = re.sub(r"(?m)^(  \()(.*?)(\))", plain, text)
        path = tmp_path_factory.mktemp("bif") / f"{name}.bif"
        path.write_text(text)
        loaded[name] = gum.loadBN(str(path))
    return loaded


def test_the_shipped_networks_are_listed():
    assert network_names() == NAMES
    with pytest.raises(InputError, match="unknown network 'alarms'; did you mean 'alarm'"):
        network("alarms")


def test_a_wheel_brings_its_own_networks(tmp_path, monkeypatch):
    inside = tmp_path / "data" / "networks"
    inside.mkdir(parents=True)
    write_network(network("asia"), inside / "asia.bif")
    monkeypatch.setattr("cutpoint.base.user_code.ROOT", tmp_path)
    assert network_names() == ["asia"]
    assert network("asia").name == "asia"


@pytest.mark.parametrize("row", published("V-1_networks"), ids=lambda row: row["network"])
def test_table_v_1(row):
    assert network(row.pop("network")).counts() == {key: int(value) for key, value in row.items()}


def test_table_v_2():
    child = network("child")
    x17 = child.variables.index("CardiacMixing")
    assert x17 == 16
    assert [child.variables[i] for i in child.parents[x17]] == ["Disease"]
    rows = [[float(row[f"parent{k}"]) for k in range(1, 7)] for row in published("V-2_child_X17")]
    np.testing.assert_array_equal(child.tables[x17].T, rows)


@pytest.mark.parametrize("name", NAMES)
def test_provenance_table_is_true(name):
    lines = (DATA / "networks" / "README.md").read_text().splitlines()
    row = next(line for line in lines if f"`{name}.bif`" in line)
    path, shipped = DATA / "networks" / f"{name}.bif", network(name)
    assert f"`{hashlib.sha256(path.read_bytes()).hexdigest()}`" in row
    counts = (shipped.counts()["variables"], shipped.counts()["edges"], shipped.parameters)
    assert f"| {counts[0]} | {counts[1]} | {counts[2]} |" in row


@pytest.mark.parametrize("name", DISCRETE)
def test_tables_equal_those_that_pyagrum_reads(name, peers):
    ours, peer = network(name), peers[name]
    assert set(ours.variables) == set(peer.names())
    assert ours.name == name
    for i, variable in enumerate(ours.variables):
        cpt = peer.cpt(variable)
        axes = [cpt.names.index(ours.variables[k]) for k in (*ours.parents[i], i)]
        assert len(axes) == cpt.nbrDim()
        # toarray has the axes of names in reverse
        np.testing.assert_allclose(ours.tables[i], cpt.toarray().T.transpose(axes), atol=1e-6)
        np.testing.assert_allclose(ours.tables[i].sum(axis=-1), 1, atol=1e-12)
        assert not ours.tables[i].flags.writeable


@pytest.mark.parametrize("name", ["child", "insurance", "alarm"])
def test_sampled_families_follow_their_tables(name):
    ours, n = network(name), 40_000
    codes = sample(ours, n, 3)
    for i, table in enumerate(ours.tables):
        joint = np.zeros(table.shape)
        np.add.at(joint, tuple(codes[:, k] for k in (*ours.parents[i], i)), 1)
        expected = joint.sum(axis=-1, keepdims=True) * table
        # Bernstein's bound, which also holds for cells expected less than once
        assert (np.abs(joint - expected) <= 6 * np.sqrt(expected * (1 - table)) + 12).all()
        assert (joint[table == 0] == 0).all()


def test_samples_are_codes_in_network_order_and_the_same_for_a_seed():
    alarm = network("alarm")
    codes = sample(alarm, 500, 1)
    assert codes.shape == (500, 37)
    assert codes.dtype == np.int32
    assert codes.flags.f_contiguous
    assert (codes >= 0).all()
    assert (codes.max(axis=0) < alarm.cardinalities).all()
    np.testing.assert_array_equal(codes, sample(alarm, 500, np.random.default_rng(1)))
    np.testing.assert_array_equal(codes, sample(alarm, 500, np.random.SeedSequence(1)))
    assert (codes != sample(alarm, 500, 2)).any()
    assert sample(alarm, 0, 1).shape == (0, 37)


@pytest.mark.parametrize("name", NAMES)
def test_writing_and_reading_changes_nothing(name, tmp_path):
    before = network(name)
    write_network(before, tmp_path / "copy.bif")
    after = read_network(tmp_path / "copy.bif")
    assert after.name == name
    assert (after.variables, after.states, after.parents) == (before.variables, before.states, before.parents)
    for old, new in zip(before.tables, after.tables, strict=True):
        np.testing.assert_array_equal(old, new)
    assert (after.equations is None) == (name in DISCRETE)
    if before.equations:
        for key in ("intercepts", "variances", "weights"):
            np.testing.assert_array_equal(getattr(after.equations, key), getattr(before.equations, key))


def test_files_and_folders_of_networks_are_read_by_their_names(tmp_path):
    (tmp_path / "block0").mkdir()
    for name, place in {"asia": "mine.bif", "cancer": "block0/f-1.bif", "sachs": "block0/f-10.bif"}.items():
        write_network(network(name), tmp_path / place)
    (tmp_path / "block0" / "notes.txt").write_text("no network")
    (tmp_path / "none").mkdir()
    networks = read_all([tmp_path / "mine.bif", str(tmp_path / "block0"), tmp_path / "none"])
    assert [*networks] == ["mine", "f-1", "f-10"]
    assert [len(one.variables) for one in networks.values()] == [8, 5, 11]
    assert read_all([]) == {}
    with pytest.raises(InputError, match=r"f-2\.bif: no such file"):
        read_all([tmp_path / "block0" / "f-2.bif"])


@pytest.mark.parametrize(
    "text",
    [
        "a,b,c\n0,1,0\n0,0,1\n0,0,0\n",
        '"","a","b","c"\n"a",0,1,0\n"b",0,0,1\n"c",0,0,0\n',
        "a,b\nb,c\n",
        "from,to\na,b\nb, c",
    ],
)
def test_graphs_of_csv_files_are_networks(tmp_path, text):
    (tmp_path / "truth.csv").write_text(text)
    read = read_network(tmp_path / "truth.csv")
    assert (read.name, read.variables, read.parents) == ("truth", ("a", "b", "c"), ((), (0,), (1,)))
    for wrong, line in ((f"{text}x,y,z\n", "neither a square matrix"), ("a,b\nb,a\n", "the arcs make a cycle")):
        (tmp_path / "truth.csv").write_text(wrong)
        with pytest.raises(InputError, match=line):
            read_network(tmp_path / "truth.csv")
