"""Steck's method with a fixed number of levels (Steck and Jaakkola 2007, Figure 6)."""

import numpy as np
import pytest
from best_lists import best_thresholds

from cutpoint.discretization.binning import equal_frequency
from cutpoint.discretization.exact import steck_exact
from cutpoint.discretization.objectives import policy_score
from cutpoint.learners.greedy import hill_climbing
from cutpoint.learners.scores import bdeu

DISCRETE = np.array([False, False, False, True, False])


def search(codes, levels):
    return hill_climbing(bdeu(codes, levels, ess=5.0))


def values_of(seed, rows=120):
    rng = np.random.default_rng(seed)
    values = rng.standard_normal((rows, 5)).cumsum(axis=1)
    values[:, 3] = values[:, 2] > 0
    values[:, 4] = np.clip(np.round(values[:, 4]), -1, 1)  # three distinct values
    return np.asfortranarray(values)


def learn(values, levels, **options):
    initial = equal_frequency(values, DISCRETE, bins=levels)
    return steck_exact(values, DISCRETE, initial=initial, search=search, ess=5.0, levels=levels, **options)


@pytest.mark.parametrize("levels", [1, 2, 5])
@pytest.mark.parametrize("seed", range(2))
def test_every_variable_has_as_many_levels_and_its_best_thresholds(seed, levels):
    values = values_of(seed)
    fit = learn(values, levels)
    counts = [len(cuts) + 1 for cuts in fit.thresholds]
    assert counts == [levels, levels, levels, 2, min(levels, 3)]
    assert fit.dag.any() == (levels > 1)
    assert fit.score == pytest.approx(
        policy_score(values, fit.thresholds, fit.dag, "steck", ess=5.0, discrete=DISCRETE)
    )
    start = equal_frequency(values, DISCRETE, bins=levels)
    assert fit.score >= policy_score(values, start, fit.dag, "steck", ess=5.0, discrete=DISCRETE) - 1e-9
    # more freedom, no lower score under the same graph
    free = [
        best_thresholds(values, fit.dag, fit.thresholds, i, "steck", max_levels=levels, ess=5.0, discrete=DISCRETE)
        for i in (0, 1, 2)
    ]
    assert all(max(score for _, score in lists) >= fit.score - 1e-6 for lists in free)
