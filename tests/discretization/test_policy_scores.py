import math

import numpy as np
import policy_twins as twin
import pytest

from cutpoint.base.errors import InputError
from cutpoint.discretization.objectives import policy_score

NAMES = ["friedman", "monti", "monti_total", "steck"]


def slow(name, values, thresholds, dag, ess, discrete):
    if name == "friedman":
        return twin.description_length(values, thresholds, dag, discrete)
    return getattr(twin, name)(values, thresholds, dag, ess, discrete)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("ess", [1.0, 3.5])
@pytest.mark.parametrize("seed", range(4))
def test_agrees_with_the_formulas(name, ess, seed):
    rng = np.random.default_rng(seed)
    values, thresholds, dag, discrete = twin.random_case(rng, rows=int(rng.integers(5, 60)), ties=seed % 2 == 0)
    fast = policy_score(values, thresholds, dag, name, ess=ess, discrete=discrete)
    lists = [t.tolist() for t in thresholds]
    assert fast == pytest.approx(slow(name, values.tolist(), lists, dag, ess, discrete), rel=1e-10, abs=1e-8)


@pytest.mark.parametrize("name", NAMES)
def test_many_parents(name):
    rng = np.random.default_rng(3)
    values = rng.standard_normal((40, 10))
    thresholds = [np.quantile(x, np.arange(1, 8) / 8) for x in values.T]
    dag = np.zeros((10, 10), bool)
    dag[:9, 9] = True  # 8 ** 9 configurations
    discrete = np.zeros(10, bool)
    lists = [t.tolist() for t in thresholds]
    expected = slow(name, values.tolist(), lists, dag, 1.0, discrete)
    assert policy_score(values, thresholds, dag, name) == pytest.approx(expected, rel=1e-10)


def mass_of_one_more_record(name):
    """Return the integral of what one more record adds to a score, over its value and state of a level."""
    values = np.array([[0.0, 4.0], [1.0, 12.0], [0.3, 0.0], [0.5, 8.0]])  # the range is held
    thresholds, dag = [np.array([0.4, 0.7]), np.array([5.0])], np.array([[False, True], [False, False]])
    before, points, mass = policy_score(values, thresholds, dag, name), np.linspace(0.0005, 0.9995, 1000), 0.0
    for value, width in ((0.0, 5.0), (12.0, 7.0)):
        after = [policy_score(np.vstack([values, [x, value]]), thresholds, dag, name) for x in points]
        mass += width * np.exp(np.array(after) - before).mean()
    return mass


def test_of_the_two_totals_of_monti_only_one_is_a_density():
    assert mass_of_one_more_record("monti_total") == pytest.approx(1, abs=1e-3)
    assert mass_of_one_more_record("monti") < 0.9


def test_one_level_everywhere():
    values = np.column_stack([np.random.default_rng(0).standard_normal((20, 2)), np.ones(20)])
    none, dag = [np.empty(0)] * 3, np.triu(np.ones((3, 3), bool), 1)
    assert policy_score(values, none, dag, "friedman") == pytest.approx(6 * math.log(3))
    assert policy_score(values, none, dag, "steck") == pytest.approx(-3 * math.lgamma(20))
    spread = np.ptp(values[:, :2], axis=0)  # a constant column has no density
    assert policy_score(values, none, dag, "monti") == pytest.approx(-20 * np.log(spread).sum())


def test_an_empty_level_is_worst_for_steck():
    values = np.random.default_rng(0).standard_normal((20, 2))
    thresholds = [np.array([0.0, 100.0]), np.empty(0)]
    dag = np.zeros((2, 2), bool)
    assert policy_score(values, thresholds, dag, "steck") == -math.inf
    assert math.isfinite(policy_score(values, thresholds, dag, "monti"))


def test_an_unknown_name_is_refused():
    with pytest.raises(InputError, match="friedman, monti, monti_total, steck"):
        policy_score(np.ones((3, 1)), [np.empty(0)], np.zeros((1, 1), bool), "stecks")
