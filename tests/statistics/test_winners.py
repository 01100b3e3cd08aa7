"""Winners and ties: any order of the methods, exact ties, and how often a winner is the wrong one."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from cutpoint.bench.statistics.estimates import jackknife
from cutpoint.bench.statistics.winners import winners


def test_a_winner_and_ties(rng):
    values = rng.normal(scale=0.1, size=(4, 6, 5)) + np.array([0, 0, 5, 9])[:, None, None]
    np.testing.assert_array_equal(winners(jackknife(values).mean(1)), [True, True, False, False])
    np.testing.assert_array_equal(winners(jackknife(values[1:]).mean(1)), [True, False, False])
    np.testing.assert_array_equal(winners(jackknife(values).mean(1), lower_is_better=False), [False] * 3 + [True])


def test_exact_ties_and_missing_methods(rng):
    one, noise = rng.normal(size=(2, 1, 6, 5))
    nothing = np.full((1, 6, 5), np.nan)
    values = jackknife(np.concatenate([one + 1 + 0.1 * noise, one, nothing, one])).mean(1)
    np.testing.assert_array_equal(winners(values), [False, True, False, True])
    assert winners(jackknife(one).mean(1)).all()


def test_few_replicates_that_agree_by_chance_name_no_winner():
    apart = np.arange(3.0)[:, None, None]
    assert winners(jackknife(apart * np.ones((3, 4, 1))).mean(1)).all()
    assert winners(jackknife(apart * np.ones((3, 4, 5))).mean(1)).all()
    np.testing.assert_array_equal(winners(jackknife(apart * np.ones((3, 4, 9))).mean(1)), [True, False, False])


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 100_000), st.permutations(range(5)))
def test_the_order_of_methods_does_not_matter(seed, order):
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 4, (5, 3, 3)).astype(float) + 2 * rng.integers(0, 3, 5)[:, None, None]
    values[rng.random(values.shape) < 0.05] = np.nan
    best_set = winners(jackknife(values).mean(1))
    np.testing.assert_array_equal(winners(jackknife(values[list(order)]).mean(1)), best_set[list(order)])
    best = np.nanargmin(jackknife(values).mean(1).rows[0])
    assert best_set[best]


def test_winners_are_wrong_in_at_most_5_percent(rng):
    """600 studies: a standard error of 0.009."""
    trials, lost, named = 600, 0, 0
    for _ in range(trials):
        best_set = winners(
            jackknife(rng.normal(size=(6, 8, 5)) + np.array([0, 0, 0.02, 0, 0, 0.5])[:, None, None]).mean(1)
        )
        lost += not best_set[0]
        named += best_set.sum() == 1
    assert lost / trials < 0.05 + 0.027
    assert named / trials < 0.05 + 0.027
