import csv
import hashlib
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pyagrum as gum
import pytest
from references import enumerate_dags
from scipy.sparse.csgraph import connected_components
from scipy.stats import chisquare

from cutpoint.base.errors import InputError
from cutpoint.bench.simulation.noise import variance_shares
from cutpoint.graphs.dags import is_dag
from cutpoint.networks import random_networks
from cutpoint.networks.network import network, network_names, read_all, read_network, sample, write_network
from cutpoint.networks.random_networks import MOST, frequencies, information, random_network, sharpened

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
    assert repr(child) == "<Network child: 20 variables, 25 arcs, 230 parameters>"
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


SMALL = {"nodes": (4, 9), "density": (1.0, 1.6), "arcs": (4, 12), "max_parents": 3, "domains": (2, 4)}


def is_connected(dag):
    return connected_components(dag, directed=True, connection="weak")[0] == 1


def drawn(options, seeds):
    return [random_network(seed, **options) for seed in seeds]


@pytest.fixture(scope="module")
def small():
    return drawn(SMALL, range(60))


@pytest.fixture(scope="module")
def default():
    return drawn({}, range(60))


@pytest.mark.parametrize(
    ("family", "nodes", "arcs", "max_parents", "domains"),
    [
        ("small", (4, 9), (4, 12), 3, (2, 4)),
        pytest.param("default", (10, 30), (12, 56), 6, (2, 5), marks=pytest.mark.slow),
    ],
)
def test_every_network_is_within_its_bounds_and_connected(family, nodes, arcs, max_parents, domains, request):
    for net in request.getfixturevalue(family):
        counts = net.counts()
        assert nodes[0] <= counts["variables"] <= nodes[1]
        assert arcs[0] <= counts["edges"] <= arcs[1]
        assert 1 <= counts["max_in_degree"] <= max_parents
        assert domains[0] <= counts["domain_min"] <= counts["domain_max"] <= domains[1]
        assert is_dag(net.dag)
        assert is_connected(net.dag)
        for i, table in enumerate(net.tables):
            sizes = [len(net.states[k]) for k in (*net.parents[i], i)]
            assert table.shape == tuple(sizes)
            np.testing.assert_allclose(table.sum(axis=-1), 1, atol=1e-12)


def test_nodes_arcs_and_domains_are_spread_over_their_ranges(small, default):
    assert {len(net.variables) for net in small} == set(range(4, 10))
    nodes = np.array([len(net.variables) for net in default])
    density = np.array([net.dag.sum() for net in default]) / nodes
    assert nodes.min() <= 12
    assert nodes.max() >= 28
    assert (np.abs(density - 1.535) <= 0.335 + 0.5 / nodes).all()
    assert density.mean() == pytest.approx(1.535, abs=4 * 0.67 / np.sqrt(12 * 60))
    sizes = np.concatenate([net.cardinalities for net in default])
    assert chisquare(np.bincount(sizes, minlength=6)[2:]).pvalue > 1e-3
    rows = np.concatenate([t.reshape(-1) for net in default for t in net.tables if t.shape[-1] == 2])
    # a probability of two under Dirichlet(1, 1) is uniform
    assert np.quantile(rows, [0.1, 0.5, 0.9]) == pytest.approx([0.1, 0.5, 0.9], abs=0.03)


@pytest.mark.parametrize(
    ("n", "m", "max_parents"),
    [
        (3, 2, 2),
        (4, 3, 1),
        *(pytest.param(*k, marks=pytest.mark.slow) for k in [(3, 3, 2), (4, 6, 3), (4, 4, 2), (5, 10, 4)]),
    ],
)
def test_all_graphs_of_the_size_come_up_equally_often(n, m, max_parents):
    allowed = [
        dag.tobytes()
        for dag in enumerate_dags(n)
        if dag.sum() == m and dag.sum(axis=0).max() <= max_parents and is_connected(dag)
    ]
    options = {"nodes": (n, n), "density": (1, 1), "arcs": (m, m), "max_parents": max_parents, "domains": (2, 2)}
    rng = np.random.default_rng(2004)
    counts = Counter(random_network(rng, **options).dag.tobytes() for _ in range(20 * len(allowed)))
    assert counts.keys() == set(allowed)
    assert chisquare([counts[key] for key in allowed]).pvalue > 1e-3


@pytest.mark.parametrize(("n", "m", "max_parents"), [(2, 1, 1), (8, 7, 1), (8, 13, 2), (8, 28, 7), (8, 11, 3)])
def test_the_chain_starts_within_the_bounds(n, m, max_parents, monkeypatch):
    monkeypatch.setattr(random_networks, "_MOVES", 0)
    options = {"nodes": (n, n), "density": (1, 1), "arcs": (m, m), "max_parents": max_parents}
    for net in drawn(options, range(8)):
        assert net.dag.sum() == m
        assert net.dag.sum(axis=0).max() <= max_parents
        assert is_dag(net.dag)
        assert is_connected(net.dag)


def test_names(monkeypatch):
    monkeypatch.setattr(random_networks, "_MOVES", 0)
    net = random_network(1, name="third")
    assert net.name == "third"
    assert net.variables[:2] == ("X01", "X02")
    again = random_network(np.random.default_rng(1))  # the same for a seed
    assert all(map(np.array_equal, again.tables, net.tables))
    assert all(states == tuple(f"s{k}" for k in range(len(states))) for states in net.states)
    wide = random_network(1, nodes=(100, 100), density=(1, 1), arcs=(1, 200))
    assert (wide.variables[0], wide.variables[-1]) == ("X001", "X100")


def test_files_read_back_exactly_and_by_pyagrum(tmp_path):
    for seed in range(2):
        before = random_network(seed, nodes=(10, 12), arcs=(12, 16), name="random")
        path = tmp_path / f"{seed}.bif"
        write_network(before, path)
        after = read_network(path)
        assert (after.name, after.variables, after.states) == (before.name, before.variables, before.states)
        assert after.parents == before.parents
        peer = gum.loadBN(str(path))
        for i, variable in enumerate(before.variables):
            np.testing.assert_array_equal(after.tables[i], before.tables[i])
            cpt = peer.cpt(variable)
            axes = [cpt.names.index(before.variables[k]) for k in (*before.parents[i], i)]
            np.testing.assert_allclose(before.tables[i], cpt.toarray().T.transpose(axes), atol=1e-6)
        assert sample(after, 50, 1).shape == (50, len(before.variables))


def slow_information(joint):
    """Return the mutual information of the rows and the columns of a table of probabilities, nats."""
    rows, columns = joint.sum(1, keepdims=True), joint.sum(0, keepdims=True)
    cells = [(p, q) for p, q in zip(joint.ravel(), (rows * columns).ravel(), strict=True) if p > 0]
    return sum(p * np.log(p / q) for p, q in cells)


def test_information_is_that_of_the_joint_distribution():
    asia = network("asia")
    codes = sample(asia, 3000, 1)
    nats = information(asia, codes)
    for i, parents in enumerate(asia.parents):
        table = np.asarray(asia.tables[i])
        weights = frequencies(codes[:, list(parents)], table.shape[:-1])
        assert weights.sum() == pytest.approx(1)
        expected = slow_information(weights[:, None] * table.reshape(-1, table.shape[-1]))
        assert nats[i] == pytest.approx(expected, abs=1e-12)
        assert parents or nats[i] == pytest.approx(0, abs=1e-12)


def test_a_sharpened_table_tells_what_it_is_asked_to(rng):
    table, weights = rng.dirichlet(np.ones(3), (2, 2)), rng.dirichlet(np.ones(4))
    for nats in (0.01, 0.1, 0.3):
        rows = sharpened(table, weights, nats).reshape(4, 3)
        assert slow_information(weights[:, None] * rows) == pytest.approx(nats, rel=1e-3)
        assert rows.sum(1) == pytest.approx(1)
    assert (sharpened(table, weights, 5.0) < 1).all()  # beyond reach: no row becomes certain


@pytest.mark.parametrize("scale_free", [False, True])
def test_random_networks_have_the_strength_that_they_are_asked_for(scale_free):
    for strength in (0.05, 0.2):
        options = {"nodes": (16, 16), "density": (1.5, 1.5), "domains": (2, 4), "max_parents": 4}
        net = random_network(3, **options, scale_free=scale_free, strength=strength)
        nats = information(net, sample(net, 5000, 1)).sum() / net.dag.sum()
        assert nats == pytest.approx(strength, rel=0.25)
        assert net.dag.sum() == 24
        assert is_dag(net.dag)
        assert max(map(len, net.parents)) <= 4
        again = random_network(3, **options, scale_free=scale_free, strength=strength)
        np.testing.assert_array_equal(net.dag, again.dag)


def test_scale_free_graphs_have_hubs():
    def most(scale_free):
        options = {"nodes": (60, 60), "density": (1.2, 1.2), "arcs": (1, 100), "scale_free": scale_free}
        return np.mean([random_network(seed, **options).dag.sum(1).max() for seed in range(10)])

    assert most(True) > 1.5 * most(False)


def test_shares_of_variance_are_those_of_normal_variables(rng):
    nats = np.array([0.0, 0.1, 1.0, 9.0])
    shares = variance_shares(nats)
    assert -np.log(1 - shares[:3]) / 2 == pytest.approx(nats[:3])
    assert shares[3] == MOST
