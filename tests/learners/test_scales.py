"""Lines behind ordered scales, and regressions with noise of any shape, against brute force."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal, norm

from cutpoint.learners.noise import AnyNoise, ChangingVariance, log_density, tied
from cutpoint.learners.normal_scores import copula
from cutpoint.learners.scales import lines_behind, scales

NO_STATES = np.zeros(2, bool)


def two_scales(correlation, cuts, records=20_000, seed=0):
    drawn = np.random.default_rng(seed).multivariate_normal([0, 0], [[1, correlation], [correlation, 1]], records)
    return np.column_stack([np.searchsorted(c, x) for c, x in zip(cuts, drawn.T, strict=True)]).astype(float)


def likelihood(values, correlation):
    """Return the log likelihood of a table of two scales, by areas of the normal distribution."""
    table = np.histogram2d(*values.T, bins=[np.arange(np.ptp(x) + 2) - 0.5 for x in values.T])[0]
    edges = [
        norm.ppf(np.concatenate([[1e-9], np.cumsum(t)[:-1] / t.sum(), [1 - 1e-9]]))
        for t in (table.sum(1), table.sum(0))
    ]
    joint = multivariate_normal([0, 0], [[1, correlation], [correlation, 1]])
    below = np.array([[joint.cdf([x, y]) for y in edges[1]] for x in edges[0]])
    return (table * np.log(np.maximum(np.diff(np.diff(below, axis=0), axis=1), 1e-12))).sum()


@pytest.mark.parametrize("correlation", [-0.7, 0.2, 0.8])
def test_the_correlation_behind_two_scales_is_the_likeliest(correlation):
    values = two_scales(correlation, ([-1.0, 0.0, 1.0], [-0.2, 0.6, 1.1, 1.5]))
    behind = lines_behind(values, NO_STATES)
    found = behind.correlation[0, 1] * np.sign(copula(values, NO_STATES).correlation[0, 1] * correlation)
    assert abs(found - correlation) < 0.02
    assert likelihood(values, found) > likelihood(values, found + 0.05)
    assert likelihood(values, found) > likelihood(values, found - 0.05)
    assert behind.records < 20_000


def test_columns_without_steps_are_lines_as_before():
    values = np.random.default_rng(1).standard_normal((100, 2))
    assert not scales(values, NO_STATES).any()
    assert np.array_equal(lines_behind(values, NO_STATES).correlation, copula(values, NO_STATES).correlation)


def test_densities_are_those_of_a_kernel_estimate_without_the_record_itself():
    x = np.random.default_rng(2).standard_normal(400)
    width = 1.06 * min(x.std(), np.subtract(*np.quantile(x, [0.75, 0.25])) / 1.349) * 400**-0.2
    kernel = norm.pdf((x[:, None] - x) / width) / width
    np.fill_diagonal(kernel, 0)
    assert abs(log_density(x) - np.log(kernel.sum(1) / 399).sum()) < 8


def test_noise_tells_what_lines_cannot_see():
    rng = np.random.default_rng(3)
    a = rng.exponential(size=2000)
    values, pairs = np.column_stack([a, a + rng.exponential(size=2000)]), ~np.eye(2, dtype=bool)
    skewed = AnyNoise(values, NO_STATES, pairs)
    assert skewed.family(1, (0,)) > skewed.family(0, (1,)) + 50
    a = rng.standard_normal(2000)
    values = np.column_stack([a, rng.standard_normal(2000) * np.exp(0.8 * a)])
    varying = ChangingVariance(values, NO_STATES, pairs)
    assert varying.family(1, (0,)) > copula(values, NO_STATES).family(1, (0,)) + 200
    assert np.array_equal(varying.gains(1, ()), [varying.family(1, (0,)), -np.inf])


def test_what_has_equal_values_has_no_density():
    rng = np.random.default_rng(4)
    values = np.column_stack([rng.standard_normal(500), rng.poisson(1, 500), np.maximum(rng.standard_normal(500), 0)])
    assert tied(values).tolist() == [False, True, True]
    assert AnyNoise(values, np.zeros(3, bool), ~np.eye(3, dtype=bool)).most_parents.tolist() == [8, 0, 0]
    assert ChangingVariance(values, np.zeros(3, bool), ~np.eye(3, dtype=bool)).most_parents.tolist() == [5, 0, 0]
