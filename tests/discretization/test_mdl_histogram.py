"""MDL histograms against all histograms, and against the lengths of another package where it is installed."""

import math
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references import log_complexity
from scipy.special import gammaln, logsumexp, xlogy

from cutpoint.discretization.mdl_histogram import best_fits, candidate_edges, mdl_histogram
from cutpoint.learners.complexity import _ladder, complexity_table, log_complexities


@pytest.mark.parametrize("records", [1, 2, 5, 9])
def test_the_complexity_is_its_definition(records):
    expected = [log_complexity(records, k) for k in range(1, 6)]
    np.testing.assert_allclose(log_complexities(records, 5), expected, rtol=1e-10, atol=1e-12)


def test_a_table_of_complexities_has_those_of_every_number_of_records():
    for levels in (1, 2, 3, 7):
        table = complexity_table(1200, levels)
        assert table[0] == 0.0
        for records in (1, 2, 10, 999, 1000, 1001, 1200):
            assert table[records] == pytest.approx(log_complexities(records, levels)[-1], abs=1e-9)
    heads = np.arange(2001)
    summed = gammaln(2001) - gammaln(heads + 1) - gammaln(2001 - heads) - xlogy(2000, 2000)
    summed = logsumexp(summed + xlogy(heads, heads) + xlogy(2000 - heads, 2000 - heads))
    assert complexity_table(2000, 2)[2000] == pytest.approx(summed, abs=1e-6)


def test_the_complexity_of_many_records_is_finite_and_near_its_asymptote():
    complexities = log_complexities(100_000, 20)
    assert (np.diff(complexities) > 0).all()
    k = 5
    asymptote = (k - 1) / 2 * math.log(100_000 / (2 * math.pi)) + k / 2 * math.log(math.pi) - math.lgamma(k / 2)
    assert complexities[k - 1] == pytest.approx(asymptote, abs=0.02)


def length(x, thresholds, candidates, share):
    """Return the description of a histogram, in nats, from the formula."""
    n, accuracy = len(x), (max(x) - min(x)) / share
    edges = [min(x) - accuracy / 2, *thresholds, max(x) + accuracy / 2]
    total = log_complexity(n, len(thresholds) + 1) + math.log(math.comb(candidates, len(thresholds)))
    for low, high in pairwise(edges):
        records = sum(low <= value < high for value in x)
        total -= records * math.log(accuracy * records / ((high - low) * n)) if records else 0.0
    return total


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32), share=st.integers(1, 8))
def test_no_other_histogram_is_shorter(seed, share):
    rng = np.random.default_rng(seed)
    x = rng.choice([rng.random(12), rng.integers(0, 4, 12) / 2.0, rng.random(12) ** 8])
    if not np.ptp(x):
        return
    gap = np.diff(np.unique(x)).min()
    (thresholds,) = mdl_histogram(x[:, None], np.array([False]), accuracy_share=share, max_levels=4)
    share = min(share, int(np.ptp(x) / gap + 1e-6))
    candidates, _ = candidate_edges(x, share)
    accuracy = np.ptp(x) / share
    cells = {int(np.floor((value - x.min()) / accuracy + 0.5)) for value in x}
    expected = sorted({j for cell in cells for j in (cell, cell + 1)} - {0, share + 1})
    np.testing.assert_allclose(
        candidates, x.min() + (np.array(expected, float) - 0.5) * accuracy, rtol=1e-9, atol=1e-12
    )
    every = [some for k in range(4) for some in combinations(candidates, k)]
    best = min(length(x, some, len(candidates), share) for some in every)
    assert length(x, thresholds, len(candidates), share) == pytest.approx(best, abs=1e-9)


def test_rounded_values_have_the_accuracy_of_their_rounding():
    x = np.random.default_rng(0).integers(0, 4, (1000, 1)).astype(float)
    assert not mdl_histogram(x, np.array([False]))[0].size
    x[:300] = 1
    assert mdl_histogram(x, np.array([False]))[0].tolist() == [0.5, 1.5]


def test_lengths_are_those_of_the_package_mdl_density_histogram():
    """Its lengths have ln((E - k + 5) / k) where the paper has ln((E - k + 1) / k), k the thresholds.

    Its thresholds are traced back from the wrong row of its table, one fewer than the shortest length has.
    """
    package = pytest.importorskip("mdl_density_hist")
    rng = np.random.default_rng(1)
    x = np.rint(8 * np.concatenate([rng.normal(0, 1, 300), rng.normal(6, 0.5, 200)])) / 8
    theirs = np.asarray(package.mdl_optimal_histogram(x, epsilon=1 / 8, K_max=6)[1])
    share = round(8 * np.ptp(x))
    edges, places = candidate_edges(x, share)
    below = np.concatenate([[0], np.searchsorted(np.sort(x), edges), [x.size]])
    lengths, _ = best_fits(np.concatenate([[0], places, [share + 1]]), below, len(theirs))
    choices = np.concatenate([[0.0], np.cumsum([math.log((len(edges) - k + 5) / k) for k in range(1, len(theirs))])])
    np.testing.assert_allclose(lengths + log_complexities(x.size, len(theirs)) + choices, theirs, atol=0.02)


def test_a_complexity_does_not_depend_on_those_asked_for_before():
    numbers = (300, 17, 2, 1, 161, 48, 300)
    tables = {levels: complexity_table(900, levels).copy() for levels in numbers}
    for levels in {*numbers}:
        complexity_table.cache_clear()
        _ladder.cache_clear()
        assert np.array_equal(complexity_table(900, levels), tables[levels])
    kept = complexity_table(11_000, 70)  # fewer levels are kept there
    assert kept[1234] == pytest.approx(log_complexities(1234, 70)[-1], abs=1e-9)
