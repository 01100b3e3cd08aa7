"""Gaussian networks: equations of the file, and samples against covariances."""

from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from cutpoint.base.errors import InputError
from cutpoint.bench.simulation.noise import Origin, make_continuous
from cutpoint.networks.linear_gaussian import LinearGaussian, two_levels
from cutpoint.networks.network import equations_of, network, read_network

CHAIN = LinearGaussian(
    np.array([1.0, 0.0, -2.0]), np.array([4.0, 1.0, 0.25]), np.array([[0, 3, 0], [0, 0, -0.5], [0, 0, 0.0]])
)


def test_equations_are_those_of_the_file():
    small = read_network(Path(__file__).parents[1] / "golden" / "errors" / "gaussian.bif")
    assert small.equations.intercepts.tolist() == [1, 0.5]
    assert small.equations.variances.tolist() == [2, 1]
    assert small.equations.weights.tolist() == [[0, -3], [0, 0]]
    assert small.parameters == 5


def test_samples_have_the_means_and_covariances_of_a_chain_worked_out_by_hand():
    values = CHAIN.sample(400_000, np.random.default_rng(0))
    np.testing.assert_allclose(values.mean(0), [1, 3, -3.5], atol=0.05)
    expected = [[4, 12, -6], [12, 37, -18.5], [-6, -18.5, 9.5]]
    np.testing.assert_allclose(CHAIN.covariances(), expected)
    np.testing.assert_allclose(np.cov(values.T), expected, rtol=0.02)
    assert values.flags.f_contiguous


def test_two_levels_of_a_chain():
    tables = two_levels(CHAIN, [(), (0,), (1,)])
    assert tables[0].tolist() == [0.5, 0.5]
    high = stats.norm.cdf(3 * 2 * np.sqrt(2 / np.pi))
    np.testing.assert_allclose(tables[1], [[high, 1 - high], [1 - high, high]])
    assert tables[2][1, 1] < 0.5 < tables[2][0, 1]
    assert all(np.allclose(table.sum(-1), 1) for table in network("magic_irri").tables)


def test_data_of_own_equations_stand_in_the_columns_of_the_codes():
    ecoli = network("ecoli70")
    names = sorted(ecoli.variables)
    origin = Origin(1, "s", "ecoli70", 50, 0, "noise")
    continuous = make_continuous(np.zeros((50, 46), int), dict.fromkeys(names, 2), {"kind": "own_sem"}, origin, ecoli)
    assert (continuous.thresholds, continuous.discrete) == (None, [])
    own = ecoli.equations.of(ecoli.places(names))
    means = np.linalg.solve(np.eye(46) - own.weights.T, own.intercepts)
    assert (np.abs(continuous.values.mean(0) - means) < 5 * np.sqrt(np.diag(own.covariances()) / 50)).all()
    assert np.ptp(means) > 1


def test_a_discrete_network_has_no_equations():
    with pytest.raises(
        InputError, match="network 'asia' has no equations of its own; own_sem is for Gaussian networks"
    ):
        equations_of(network("asia"))
