from collections import Counter

import numpy as np
import pyagrum as gum
import pytest
from references import enumerate_dags
from scipy.sparse.csgraph import connected_components
from scipy.stats import chisquare

from cutpoint.graphs.dags import is_dag
from cutpoint.networks import random_networks
from cutpoint.networks.network import read_network, sample, write_network
from cutpoint.networks.random_networks import random_network

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
    for network in request.getfixturevalue(family):
        counts = network.counts()
        assert nodes[0] <= counts["variables"] <= nodes[1]
        assert arcs[0] <= counts["edges"] <= arcs[1]
        assert 1 <= counts["max_in_degree"] <= max_parents
        assert domains[0] <= counts["domain_min"] <= counts["domain_max"] <= domains[1]
        assert is_dag(network.dag)
        assert is_connected(network.dag)
        for i, table in enumerate(network.tables):
            sizes = [len(network.states[k]) for k in (*network.parents[i], i)]
            assert table.shape == tuple(sizes)
            np.testing.assert_allclose(table.sum(axis=-1), 1, atol=1e-12)


def test_nodes_arcs_and_domains_are_spread_over_their_ranges(small, default):
    assert {len(network.variables) for network in small} == set(range(4, 10))
    nodes = np.array([len(network.variables) for network in default])
    density = np.array([network.dag.sum() for network in default]) / nodes
    assert nodes.min() <= 12
    assert nodes.max() >= 28
    assert (np.abs(density - 1.535) <= 0.335 + 0.5 / nodes).all()
    assert density.mean() == pytest.approx(1.535, abs=4 * 0.67 / np.sqrt(12 * 60))
    sizes = np.concatenate([network.cardinalities for network in default])
    assert chisquare(np.bincount(sizes, minlength=6)[2:]).pvalue > 1e-3
    rows = np.concatenate([t.reshape(-1) for network in default for t in network.tables if t.shape[-1] == 2])
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
    for network in drawn(options, range(8)):
        assert network.dag.sum() == m
        assert network.dag.sum(axis=0).max() <= max_parents
        assert is_dag(network.dag)
        assert is_connected(network.dag)


def test_names(monkeypatch):
    monkeypatch.setattr(random_networks, "_MOVES", 0)
    network = random_network(1, name="third")
    assert network.name == "third"
    assert network.variables[:2] == ("X01", "X02")
    again = random_network(np.random.default_rng(1))  # the same for a seed
    assert all(map(np.array_equal, again.tables, network.tables))
    assert all(states == tuple(f"s{k}" for k in range(len(states))) for states in network.states)
    wide = random_network(1, nodes=(100, 100), density=(1, 1), arcs=(1, 200))
    assert (wide.variables[0], wide.variables[-1]) == ("X001", "X100")


def test_files_read_back_exactly_and_by_pyagrum(tmp_path):
    for seed in range(2):
        before = random_network(seed, nodes=(10, 12), arcs=(12, 16), name="random")
        path = tmp_path / f"{seed}.bif"
        write_network(before, path)
        after = read_network(path)
        again = random_network(np.random.default_rng(seed), nodes=(10, 12), arcs=(12, 16))  # the same for a seed
        assert (after.name, after.variables, after.states) == (before.name, before.variables, before.states)
        assert after.parents == before.parents
        peer = gum.loadBN(str(path))
        for i, variable in enumerate(before.variables):
            np.testing.assert_array_equal(after.tables[i], before.tables[i])
            np.testing.assert_array_equal(again.tables[i], before.tables[i])
            cpt = peer.cpt(variable)
            axes = [cpt.names.index(before.variables[k]) for k in (*before.parents[i], i)]
            np.testing.assert_allclose(before.tables[i], cpt.toarray().T.transpose(axes), atol=1e-6)
        assert sample(after, 50, 1).shape == (50, len(before.variables))
