"""The conditional Gaussian score against regressions in each configuration."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutpoint.learners.conditional_gaussian import conditional_gaussian
from cutpoint.learners.greedy import hill_climbing

DISCRETE = np.array([False, True, False, True, False])


def data(seed, records=120):
    rng = np.random.default_rng(seed)
    values = rng.standard_normal((records, 5))
    values[:, 1] = rng.permutation(np.arange(records) % 3)
    values[:, 3] = np.where(rng.random(records) < 0.7, values[:, 1] > 0, rng.random(records) < 0.5)
    values[:, 2] += values[:, 0] * values[:, 1]
    values[:, 4] = 100 * ((1 + values[:, 3]) * values[:, 4] + values[:, 2]) + 5000
    return values


def slow_family(values, child, parents):
    """Return LL - p ln(N) / 2 by a regression, or a table of shares, for each configuration of the discrete parents."""
    coded, others = ([p for p in parents if DISCRETE[p] == kind] for kind in (True, False))
    if DISCRETE[child] and others:
        return -math.inf
    total, levels = 0.0, [sorted(set(values[:, p])) for p in coded]
    for configuration in product(*levels):
        rows = values[(values[:, coded] == configuration).all(1)]
        total -= (len(set(values[:, child])) - 1 if DISCRETE[child] else len(others) + 2) / 2 * math.log(len(values))
        if DISCRETE[child]:
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
    values = data(seed % 7, 40 + seed % 80)
    score, parents = conditional_gaussian(values, DISCRETE), sorted(parents - {child})
    expected = slow_family(values, child, parents)
    assert score.family(child, parents) == pytest.approx(expected, rel=1e-9)
    if math.isfinite(expected):
        gains = score.gains(child, parents)
        assert gains[child] == -math.inf
        for v in {*range(5)} - {child}:
            toggled = sorted({*parents} ^ {v})
            assert gains[v] == pytest.approx(slow_family(values, child, toggled) - expected, rel=1e-7, abs=1e-7)


def test_parents_that_are_nearly_equal_leave_what_a_regression_leaves():
    values, rng = data(4, 300), np.random.default_rng(4)
    values[:, 2] = values[:, 0] + 3e-5 * rng.standard_normal(300)
    for parents in ([0, 2], [0, 2, 3]):
        expected = slow_family(values, 4, parents)
        assert conditional_gaussian(values, DISCRETE).family(4, parents) == pytest.approx(expected, abs=1e-4)
    values[:, 4] = values[:, 0] + 1e-3 * values[:, 4] / values[:, 4].std()
    expected = slow_family(values, 4, [0, 2])
    assert conditional_gaussian(values, DISCRETE).family(4, [0, 2]) == pytest.approx(expected, abs=1e-4)


def test_a_search_gives_no_discrete_variable_a_continuous_parent():
    values = data(1, 600)
    learned = hill_climbing(conditional_gaussian(values, DISCRETE))
    assert not learned.dag[np.ix_(~DISCRETE, DISCRETE)].any()
    assert (learned.dag | learned.dag.T)[[0, 1, 2, 3], [2, 2, 4, 4]].all()


def test_what_cannot_be_estimated_is_not_a_family_and_constant_columns_gain_nothing():
    values = data(3, 60)
    values[:, 1] = np.arange(60) < 2
    score = conditional_gaussian(values, DISCRETE)
    assert math.isfinite(score.family(0, [3]))
    assert score.family(0, [1, 2]) == score.family(1, [0]) == -math.inf
    values[:, 0] = 4.0
    score = conditional_gaussian(values, DISCRETE)
    assert (score.gains(0, [])[1:] < 0).all()
    assert (score.gains(2, [])[[0]] < 0).all()
    assert math.isfinite(conditional_gaussian(values[:1], DISCRETE).family(2, []))
