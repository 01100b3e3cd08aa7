"""Scores of continuous and mixed data against formulas, sums over records, other packages and what they promise."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import multigammaln

from cutpoint.base.errors import InputError
from cutpoint.learners.conditional_gaussian import conditional_gaussian
from cutpoint.learners.greedy import hill_climbing
from cutpoint.learners.normal_scores import bge, degenerate_gaussian, gaussian_bic
from cutpoint.learners.order import exact

FAMILIES = [(0, ()), (1, (0,)), (2, (0, 1)), (3, (0, 1, 2)), (0, (3,)), (4, (0, 1, 2, 3))]


def chain(seed, records=200, n=5):
    rng = np.random.default_rng(seed)
    values = rng.standard_normal((records, n)) * rng.uniform(0.1, 30, n) + rng.uniform(-50, 50, n)
    for j in range(1, n):
        values[:, j] += rng.uniform(-2, 2) * values[:, j - 1]
    values[:, n - 1] = np.floor(values[:, n - 1] / values[:, n - 1].std())
    return values, np.arange(n) == n - 1


def regression_bic(values, child, parents):
    """Return LL - p ln(N) / 2 of a least-squares fit."""
    records = len(values)
    design = np.column_stack([np.ones(records), values[:, list(parents)]])
    fit = np.linalg.lstsq(design, values[:, child], rcond=None)[0]
    variance = np.mean((values[:, child] - design @ fit) ** 2)
    likelihood = -records / 2 * (math.log(2 * math.pi * variance) + 1)
    return likelihood - (len(parents) + 2) * math.log(records) / 2


@pytest.mark.parametrize("seed", range(3))
def test_families_equal_regressions(seed):
    values, discrete = chain(seed)
    score = gaussian_bic(values, discrete)
    for child, parents in FAMILIES:
        expected = regression_bic(values, child, parents)
        assert score.family(child, parents) == pytest.approx(expected, rel=1e-8)


def test_duplicates_constants_and_single_records_stay_finite():
    assert np.isfinite(gaussian_bic(np.ones((1, 2)), np.zeros(2, bool)).family(0, (1,)))
    values, discrete = chain(4)
    values = np.column_stack([values, values[:, 0], 2 * values[:, 0] - values[:, 1], np.full(len(values), 7.0)])
    discrete = np.append(discrete, [False] * 3)
    score = gaussian_bic(values, discrete)
    for child in range(8):
        for parents in [(), (0,), (0, 5), (0, 1, 6), (5, 6, 7), tuple(set(range(8)) - {child})]:
            if child not in parents:
                assert np.isfinite(score.family(child, parents))
                assert np.isfinite(np.delete(score.gains(child, parents), child)).all()
    assert score.gains(7, ())[:7] == pytest.approx(0)
    assert score.gains(0, ())[7] == pytest.approx(0)
    assert score.gains(0, (5,)).max() <= score.epsilon  # a second copy explains nothing
    learned = hill_climbing(score)
    assert not learned.dag[7].any()
    assert not learned.dag[:, 7].any()
    assert exact(score).score >= learned.score - 8 * score.epsilon


DISCRETE = np.array([False, True, True, False])


def data(seed, records=60):
    rng = np.random.default_rng(seed)
    values = rng.standard_normal((records, 4))
    values[:, 1] = rng.permutation(np.arange(records) % 3)
    values[:, 2] = rng.permutation(np.arange(records) % 2)
    values[:, 3] += values[:, 0] + (values[:, 1] == 1)
    return values


def log_likelihood(columns):
    """Return the maximised log-likelihood of a Gaussian, whose covariance is that of the columns, [N, d]."""
    n, d = columns.shape
    if d == 0:
        return 0.0
    covariance = np.cov(columns.T, bias=True).reshape(d, d)
    return -n / 2 * (np.linalg.slogdet(covariance)[1] + d * math.log(2 * math.pi) + d)


def embedded(values, variables):
    """Return columns of variables, the first level of a discrete one left out."""
    parts = [
        np.column_stack([values[:, i] == code for code in np.unique(values[:, i])[1:]])
        if DISCRETE[i]
        else values[:, [i]]
        for i in variables
    ]
    return np.column_stack([np.empty((len(values), 0)), *parts]).astype(float)


@given(seed=st.integers(0, 2**32), child=st.integers(0, 3), chosen=st.sets(st.integers(0, 3), max_size=3))
def test_a_family_is_the_difference_of_two_gaussian_bic_scores(seed, child, chosen):
    values, parents = data(seed), sorted(chosen - {child})
    family, alone, given_ = (embedded(values, some) for some in ([child, *parents], [child], parents))
    gain = log_likelihood(family) - log_likelihood(given_) - log_likelihood(alone)
    expected = gain - alone.shape[1] * given_.shape[1] * math.log(len(values)) / 2
    assert degenerate_gaussian(values, DISCRETE).family(child, parents) == pytest.approx(expected, abs=1e-6)


def test_constant_columns_gain_nothing():
    values = data(2)
    values[:, [0, 1]] = 1.0
    assert degenerate_gaussian(values, DISCRETE).gains(3, [])[:2].tolist() == [0.0, 0.0]


NONE = np.zeros(4, bool)


def of_bge(seed, records=30):
    rng = np.random.default_rng(seed)
    return rng.standard_normal((records, 4)).cumsum(axis=1) * [1.0, 3.0, 0.2, 1.0] + [0.0, 5.0, -1.0, 100.0]


def log_evidence(values, some, mean_size=1.0, degrees=3.0):
    """Return the log marginal likelihood of some columns under the normal-Wishart prior of all of them."""
    records, d = len(values), len(some)
    if d == 0:
        return 0.0
    size = degrees - 1 + d  # of the Wishart distribution of a subset
    t = mean_size * (degrees - 2) / (mean_size + 1)
    centred = values[:, some] - values[:, some].mean(axis=0)
    whole = t * np.eye(d) + sum(np.outer(row, row) for row in centred)
    return (
        -records * d / 2 * math.log(math.pi)
        + d / 2 * math.log(mean_size / (records + mean_size))
        + multigammaln((records + size) / 2, d)
        - multigammaln(size / 2, d)
        + size * d / 2 * math.log(t)
        - (records + size) / 2 * np.linalg.slogdet(whole)[1]
    )


@given(seed=st.integers(0, 2**32), child=st.integers(0, 3), chosen=st.sets(st.integers(0, 3), max_size=3))
def test_a_family_is_a_ratio_of_marginal_likelihoods(seed, child, chosen):
    values, parents = of_bge(seed), sorted(chosen - {child})
    options = {"mean_size": 2.0, "degrees": 4.5}
    score = bge(values, NONE, **options)
    expected = log_evidence(values, [*parents, child], **options) - log_evidence(values, parents, **options)
    assert score.family(child, parents) == pytest.approx(expected, abs=1e-7)


def test_constant_and_equal_columns_have_finite_scores():
    values = of_bge(1)
    values[:, 1], values[:, 2] = 4.0, values[:, 0]
    score = bge(values, NONE)
    assert np.isfinite(score.gains(0, [])[1:]).all()
    assert score.gains(0, [])[1] < 0 < score.gains(0, [])[2]


def test_copies_in_a_small_unit_are_told_apart_from_rounding():
    values = of_bge(1, 300)
    values[:, 1], values[:, 2] = values[:, 0], -values[:, 0]
    learned = hill_climbing(bge(1e8 * values, NONE), max_steps=50)
    assert np.isfinite(learned.score)
    assert (learned.dag | learned.dag.T)[:3, :3].sum() == 4  # a tree: a second copy tells nothing more


def test_wrong_options_are_refused():
    with pytest.raises(InputError, match="above 2"):
        bge(of_bge(0), NONE, degrees=2.0)


STATES = np.array([False, True, False, True, False])


def mixed_data(seed, records=120):
    rng = np.random.default_rng(seed)
    values = rng.standard_normal((records, 5))
    values[:, 1] = rng.permutation(np.arange(records) % 3)
    values[:, 3] = np.where(rng.random(records) < 0.7, values[:, 1] > 0, rng.random(records) < 0.5)
    values[:, 2] += values[:, 0] * values[:, 1]
    values[:, 4] = 100 * ((1 + values[:, 3]) * values[:, 4] + values[:, 2]) + 5000
    return values


def slow_family(values, child, parents):
    """Return LL - p ln(N) / 2 by a regression, or a table of shares, for each configuration of the discrete parents."""
    coded, others = ([p for p in parents if STATES[p] == kind] for kind in (True, False))
    if STATES[child] and others:
        return -math.inf
    total, levels = 0.0, [sorted(set(values[:, p])) for p in coded]
    for configuration in product(*levels):
        rows = values[(values[:, coded] == configuration).all(1)]
        total -= (len(set(values[:, child])) - 1 if STATES[child] else len(others) + 2) / 2 * math.log(len(values))
        if STATES[child]:
            for level in set(rows[:, child]):
                share = (rows[:, child] == level).mean()
                total += share * len(rows) * math.log(share)
        elif len(rows):
            design = np.column_stack([np.ones(len(rows)), rows[:, others]])
            if len(rows) <= design.shape[1]:
                return -math.inf
            rest = rows[:, child] - design @ np.linalg.lstsq(design, rows[:, child], rcond=None)[0]
            variance = rest @ rest / (len(rows) - design.shape[1])
            total -= (len(rows) * math.log(2 * math.pi * variance) + rest @ rest / variance) / 2
    return total


@given(seed=st.integers(0, 2**32), child=st.integers(0, 4), parents=st.sets(st.integers(0, 4)))
def test_a_family_is_its_slow_twin_and_gains_are_differences(seed, child, parents):
    values = mixed_data(seed % 7, 40 + seed % 80)
    score, parents = conditional_gaussian(values, STATES), sorted(parents - {child})
    expected = slow_family(values, child, parents)
    assert score.family(child, parents) == pytest.approx(expected, rel=1e-9)
    if math.isfinite(expected):
        gains = score.gains(child, parents)
        assert gains[child] == -math.inf
        for v in {*range(5)} - {child}:
            toggled = sorted({*parents} ^ {v})
            assert gains[v] == pytest.approx(slow_family(values, child, toggled) - expected, rel=1e-7, abs=1e-7)


def test_parents_that_are_nearly_equal_leave_what_a_regression_leaves():
    values, rng = mixed_data(4, 300), np.random.default_rng(4)
    values[:, 2] = values[:, 0] + 3e-5 * rng.standard_normal(300)
    for parents in ([0, 2], [0, 2, 3]):
        expected = slow_family(values, 4, parents)
        assert conditional_gaussian(values, STATES).family(4, parents) == pytest.approx(expected, abs=1e-4)
    values[:, 4] = values[:, 0] + 1e-3 * values[:, 4] / values[:, 4].std()
    expected = slow_family(values, 4, [0, 2])
    assert conditional_gaussian(values, STATES).family(4, [0, 2]) == pytest.approx(expected, abs=1e-4)


def test_a_search_gives_no_discrete_variable_a_continuous_parent():
    values = mixed_data(1, 600)
    learned = hill_climbing(conditional_gaussian(values, STATES))
    assert not learned.dag[np.ix_(~STATES, STATES)].any()
    assert (learned.dag | learned.dag.T)[[0, 1, 2, 3], [2, 2, 4, 4]].all()


def test_what_cannot_be_estimated_is_not_a_family_and_constant_columns_gain_nothing():
    values = mixed_data(3, 60)
    values[:, 1] = np.arange(60) < 2
    score = conditional_gaussian(values, STATES)
    assert math.isfinite(score.family(0, [3]))
    assert score.family(0, [1, 2]) == score.family(1, [0]) == -math.inf
    values[:, 0] = 4.0
    score = conditional_gaussian(values, STATES)
    assert (score.gains(0, [])[1:] < 0).all()
    assert (score.gains(2, [])[[0]] < 0).all()
    assert math.isfinite(conditional_gaussian(values[:1], STATES).family(2, []))
