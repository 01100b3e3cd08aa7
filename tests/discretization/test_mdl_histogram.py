"""Histograms by MDL, blocks and rules of thumb, and the density ladder, against all others and other packages."""

import math
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from references import log_complexity
from scipy.signal import find_peaks
from scipy.special import gammaln, logsumexp, ndtri, xlogy
from scipy.stats import gaussian_kde

from cutpoint.discretization.binning import equal_width
from cutpoint.discretization.density_ladder import density, density_ladder, level_sizes, merged, mode_cuts
from cutpoint.discretization.histograms import (
    bayesian_blocks,
    best_fits,
    candidate_edges,
    freedman_diaconis,
    kmeans,
    mdl_histogram,
    scott,
    sturges,
)
from cutpoint.learners.complexity import complexity_table, log_complexities


@pytest.mark.parametrize("records", [1, 2, 5, 9])
def test_the_complexity_is_its_definition(records):
    expected = [log_complexity(records, k) for k in range(1, 6)]
    np.testing.assert_allclose(log_complexities(records, 5), expected, rtol=1e-10, atol=1e-12)


def test_a_table_of_complexities_has_those_of_every_number_of_records():
    for levels in (200, 1, 2, 3, 17, 70):
        table = complexity_table(1200, levels)
        assert table[0] == 0.0
        for records in (1, 2, 10, 999, 1000, 1001, 1200):
            assert table[records] == pytest.approx(log_complexities(records, levels)[-1], abs=1e-9)
    heads = np.arange(2001)
    summed = gammaln(2001) - gammaln(heads + 1) - gammaln(2001 - heads) - xlogy(2000, 2000)
    summed = logsumexp(summed + xlogy(heads, heads) + xlogy(2000 - heads, 2000 - heads))
    assert complexity_table(2000, 2)[2000] == pytest.approx(summed, abs=1e-6)
    complexities = log_complexities(100_000, 20)
    assert (np.diff(complexities) > 0).all()
    asymptote = 2 * math.log(100_000 / (2 * math.pi)) + 2.5 * math.log(math.pi) - math.lgamma(2.5)
    assert complexities[4] == pytest.approx(asymptote, abs=0.02)


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


NONE = np.array([False])


def mixture(seed, records=600):
    rng = np.random.default_rng(seed)
    means = np.cumsum(3 + 4 * rng.random(int(rng.integers(1, 4))))
    return rng.choice(means, records) + rng.standard_normal(records)


def bandwidth(x):
    return 0.9 * min(x.std(), np.subtract(*np.percentile(x, [75, 25])) / 1.349) * x.size**-0.2


@given(seed=st.integers(0, 2**32))
def test_the_density_is_a_gaussian_kernel_density(seed):
    x = mixture(seed)
    places, heights = density(x)
    expected = gaussian_kde(x, bandwidth(x) / x.std(ddof=1))(places)
    np.testing.assert_allclose(heights / heights.max(), expected / expected.max(), atol=0.01)


@given(seed=st.integers(0, 2**32))
def test_thresholds_are_halfway_between_the_extremes_of_the_density(seed):
    x = mixture(seed)
    places = np.linspace(x.min() - 1, x.max() + 1, 4000)
    heights = gaussian_kde(x, bandwidth(x) / x.std(ddof=1))(places)
    peaks = find_peaks(heights, prominence=0.01 * heights.max())[0]
    lows = [places[a:b][np.argmin(heights[a:b])] for a, b in pairwise(peaks)]
    extremes = sorted([x.min(), *places[peaks], *lows, x.max()])
    expected = [(a + b) / 2 for a, b in pairwise(extremes)]
    thresholds = mode_cuts(x)
    step = (x.max() - x.min() + 8 * bandwidth(x)) / 1024
    assert len(thresholds) % 2 == 0
    if len(thresholds) == len(expected):  # a maximum may be just as prominent as it must be
        assert np.abs(thresholds - expected).max() < 3 * step
    assert abs(len(thresholds) - len(expected)) <= 2


@pytest.mark.parametrize(
    ("sizes", "least", "left"),
    [
        ([50, 1, 49], 5, [50, 50]),  # to the smaller neighbour
        ([1, 60, 39], 5, [61, 39]),  # the first has one neighbour alone
        ([60, 39, 1], 5, [60, 40]),
        ([2, 1, 2, 95], 5, [5, 95]),
        ([3, 3], 10, [6]),
        ([10, 0, 10], 0, [10, 10]),  # no level is empty
    ],
)
def test_small_levels_join_their_smaller_neighbour(sizes, least, left):
    column = np.repeat(np.arange(len(sizes)), sizes).astype(float)
    assert level_sizes(column, merged(column, np.arange(1, len(sizes)) - 0.5, least)).tolist() == left


def test_two_modes_are_parted_and_every_level_has_its_share():
    rng = np.random.default_rng(1)
    x = np.concatenate([rng.normal(0, 1, 500), rng.normal(8, 1, 500)])
    (cuts,) = density_ladder(x[:, None], NONE)
    assert len(cuts) == 4
    assert cuts[0] < 0 < cuts[1] < 4 < cuts[2] < 8 < cuts[3]
    assert level_sizes(x, cuts).min() >= 10


def test_where_the_density_has_one_level_k_means_follows_and_then_equal_widths():
    normal = ndtri((np.arange(1000) + 0.5) / 1000)
    heavy, heavier = np.sinh(1.2 * normal), np.sinh(2 * normal)
    for x in (heavy, heavier):
        assert not merged(x, mode_cuts(x), 10).size
    assert np.array_equal(density_ladder(heavy[:, None], NONE)[0], kmeans(heavy[:, None], NONE)[0])
    assert level_sizes(heavier, kmeans(heavier[:, None], NONE)[0]).min() < 10
    low, high = np.percentile(heavier, [1, 99])
    np.testing.assert_allclose(
        density_ladder(heavier[:, None], NONE)[0], [low + (high - low) / 3, low + (high - low) / 1.5]
    )
    rare = np.repeat([0.0, 1.0], [995, 5])[:, None]
    assert np.array_equal(density_ladder(rare, NONE)[0], equal_width(rare, NONE)[0])


def test_evenly_spaced_values_have_one_mode():
    for count in (100, 500, 1000, 3000):
        assert len(mode_cuts(np.arange(float(count)))) == 2


columns = st.one_of(
    arrays(np.float64, st.integers(1, 9), elements=st.floats(-1e3, 1e3, width=32)),
    arrays(np.float64, st.integers(1, 30), elements=st.integers(0, 6).map(float)),
)


def cuts(x, k):
    return kmeans(x[:, None], np.array([False]), bins=k)[0]


def squares(x, thresholds):
    """Return the sum of squared distances to the means of the levels."""
    levels = np.searchsorted(thresholds, x, side="right")
    return sum(((x[levels == k] - x[levels == k].mean()) ** 2).sum() for k in set(levels.tolist()))


@given(x=columns, k=st.integers(1, 5))
def test_no_other_partition_is_better(x, k):
    thresholds = cuts(x, k)
    distinct = np.unique(x)
    assert len(thresholds) == min(k, distinct.size) - 1
    middles = (distinct[1:] + distinct[:-1]) / 2
    best = min(squares(x, np.array(some)) for some in combinations(middles, len(thresholds)))
    assert squares(x, thresholds) == pytest.approx(best, rel=1e-9, abs=1e-9 * (1 + np.abs(x).max()) ** 2)


def test_a_large_column_far_from_0_keeps_its_digits():
    rng = np.random.default_rng(1)
    x = np.concatenate([rng.normal(m, 0.1, 2000) for m in (0.0, 1.0, 3.0)]) + 1e6
    assert (np.abs(cuts(x, 3) - 1e6 - [0.5, 2.0]) < 0.3).all()


BLOCKED = st.one_of(
    arrays(np.float64, st.integers(2, 9), elements=st.floats(0, 1, width=16).map(lambda x: x**6)),
    arrays(np.float64, st.integers(2, 40), elements=st.integers(0, 6).map(lambda x: float(x**3))),
)


def blocks(x, **options):
    return bayesian_blocks(x[:, None], np.array([False]), **options)[0]


def posterior(x, thresholds, p0):
    edges = [x.min(), *thresholds, x.max()]
    total = 0.0
    for k, (low, high) in enumerate(pairwise(edges)):
        records = sum(low <= value < high for value in x) + (k == len(thresholds)) * sum(x == high)
        total += records * math.log(records / (high - low)) - (4 - math.log(73.53 * p0 * len({*x}) ** -0.478))
    return total


@given(x=BLOCKED, p0=st.sampled_from([0.05, 0.9, 1e-6]))
def test_no_other_blocks_are_better(x, p0):
    best = blocks(x, p0=p0)
    distinct = np.unique(x)
    if distinct.size == 1:
        assert not best.size
        return
    middles = (distinct[1:] + distinct[:-1]) / 2
    every = (some for k in range(len(middles) + 1) for some in combinations(middles, k))
    assert posterior(x, best, p0) == pytest.approx(max(posterior(x, some, p0) for some in every), abs=1e-6)


@pytest.mark.parametrize("p0", [0.05, 0.5])
def test_blocks_are_those_of_astropy(p0):
    stats = pytest.importorskip("astropy.stats")
    rng = np.random.default_rng(3)
    for x in (rng.standard_normal(800), rng.exponential(size=800), np.round(rng.standard_normal(800), 1)):
        assert np.allclose(blocks(x, p0=p0), stats.bayesian_blocks(x, p0=p0)[1:-1], rtol=1e-12)


RULES = {"sturges": sturges, "scott": scott, "fd": freedman_diaconis}


def drawn(seed, records):
    rng = np.random.default_rng(seed)
    normal = rng.standard_normal(records)
    return [normal, np.exp(normal), np.round(normal), np.where(normal > 0.5, normal, 0.0), 1e9 + normal]


@pytest.mark.parametrize("rule", RULES)
@given(seed=st.integers(0, 2**32), records=st.integers(2, 300))
def test_edges_are_those_of_numpy(rule, seed, records):
    for x in drawn(seed, records):
        edges = np.histogram_bin_edges(x, rule)[1:-1] if np.ptp(x) else np.empty(0)
        if len(edges) < 60:
            np.testing.assert_allclose(RULES[rule](x[:, None], np.array([False]))[0], edges, rtol=1e-12)


@pytest.mark.parametrize("rule", RULES)
def test_there_are_at_most_max_levels_of_equal_width(rule):
    x = np.append(np.linspace(0, 1, 400), 1e9)
    (cuts,) = RULES[rule](x[:, None], np.array([False]), max_levels=5)
    if rule != "sturges":
        assert len(np.histogram_bin_edges(x[:-1], rule)) > 6
    np.testing.assert_allclose(cuts, [2e8, 4e8, 6e8, 8e8])
