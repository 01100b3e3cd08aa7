"""Random networks: within their bounds, equally often, of a given strength, and read back."""

from collections import Counter

import numpy as np
import pyagrum as gum
import pytest
from references import enumerate_dags
from scipy.sparse.csgraph import connected_components
from scipy.stats import chisquare

from cutpoint.graphs.dags import is_dag
from cutpoint.networks import random_networks
from cutpoint.networks.network import network, read_network, sample, write_network
from cutpoint.networks.random_networks import random_network
from cutpoint.networks.strength import MOST, frequencies, information, sharpened, variance_shares

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
