"""Information of variables and their parents, against sums by hand, and random networks of a given strength."""

import numpy as np
import pytest

from cutpoint.graphs.dags import is_dag
from cutpoint.networks.network import network, sample
from cutpoint.networks.random_networks import random_network
from cutpoint.networks.strength import MOST, frequencies, information, sharpened, variance_shares


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
