"""Paired differences and signed ranks: twins, the null and coverage."""

from itertools import product

import numpy as np
import pytest
from demsar import AUC, within
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from cutpoint.bench.statistics.pairs import mean_difference, paired, signed_rank, signed_rank_pairs, wilson

SEEDS = st.integers(0, 100_000)


def flipped(values):
    """The p value of the signed-rank test over all ways to sign the differences."""
    ranks = stats.rankdata(np.abs(values))
    seen = (ranks * np.sign(values)).sum()
    sums = np.array([(ranks * np.abs(np.sign(values)) * signs).sum() for signs in product([-1, 1], repeat=len(values))])
    return np.mean(np.abs(sums) >= abs(seen) - 1e-9)


@given(st.lists(st.integers(-4, 4), min_size=1, max_size=9))
def test_signed_ranks_over_all_signs(values):
    values = np.array(values, float)
    assert signed_rank(values) == pytest.approx(flipped(values))
    assert signed_rank(-values) == pytest.approx(signed_rank(values))
    (_, p), _ = signed_rank_pairs(np.stack([values, np.zeros(len(values))])[:, :, None])
    assert p == pytest.approx(signed_rank(values))


@pytest.mark.parametrize("size", [7, 30, 50, 51, 80])
def test_signed_ranks_without_ties_are_those_of_scipy(rng, size):
    values = rng.normal(0.3, 1, size)
    method = "exact" if size <= 50 else "asymptotic"
    assert signed_rank(values) == pytest.approx(stats.wilcoxon(values, method=method).pvalue)


def test_signed_ranks_of_the_textbook():
    """Demsar (2006), Table 2: sums of ranks 93 and 12, z = -2.54; T = 12 is below 21, the 5 % point of 14."""
    values = AUC[:, 1] - AUC[:, 0]
    test = stats.wilcoxon(np.round(values, 3), zero_method="zsplit", method="asymptotic")
    assert test.statistic == 12
    assert (12 - 14 * 15 / 4) / np.sqrt(14 * 15 * 29 / 24) == pytest.approx(-2.54, abs=0.005)
    assert signed_rank(values) == signed_rank(np.round(values, 3))
    assert signed_rank(values) == pytest.approx(flipped(np.round(values, 3)))


def test_false_positives_of_signed_ranks():
    rng, trials = np.random.default_rng(8), 2000
    # the largest exact level of at most 5 % with 12 blocks is 4.2 %
    assert within(sum(signed_rank(v) <= 0.05 for v in rng.standard_t(3, (trials, 12))), trials, 0.0425)
    assert within(sum(signed_rank(v) <= 0.05 for v in rng.standard_t(3, (trials, 60))), trials, 0.05)


def cubes(seed, cells=4, replicates=5):
    rng = np.random.default_rng(seed)
    first, second = rng.integers(0, 8, (2, cells, replicates)).astype(float)
    first[0, 0] = second[1, 1] = np.nan
    return first, second


@given(SEEDS)
def test_differences_are_antisymmetric(seed):
    first, second = cubes(seed)
    there, back = paired(first, second), paired(second, first)
    value, low, high = there.difference
    np.testing.assert_allclose(back.difference, [-value, -high, -low], atol=1e-6)
    assert (there.wins, there.ties, there.losses) == (back.losses, back.ties, back.wins)
    turned = paired(-first, -second, lower_is_better=False)
    assert (turned.wins, turned.losses) == (there.wins, there.losses)
    shifted = paired(3 * first + 7, 3 * second + 7)
    np.testing.assert_allclose(shifted.difference, 3 * np.array(there.difference), atol=1e-12)


@given(SEEDS)
def test_differences_by_a_loop(seed):
    first, second = cubes(seed)
    result = paired(first, second)
    both = [[(a, b) for a, b in zip(first[c], second[c], strict=True) if np.isfinite(a + b)] for c in range(4)]
    differences = [a - b for cell in both for a, b in cell]
    assert result.difference[0] == pytest.approx(np.mean([np.mean([a - b for a, b in cell]) for cell in both]))
    signs = [sum(d < 0 for d in differences), differences.count(0), sum(d > 0 for d in differences)]
    assert [result.wins, result.ties, result.losses] == signs


def test_differences_of_nothing_and_of_one_replicate():
    one = paired(np.array([[1.0], [2], [4]]), np.zeros((3, 1)))
    assert one.difference[0] == pytest.approx(7 / 3)
    assert np.isnan(one.difference[1:]).all()
    none = paired(np.full((3, 1), np.nan), np.zeros((3, 1)))
    assert np.isnan(none.difference).all()
    assert none.wins == 0


@pytest.mark.parametrize(("cells", "replicates", "least"), [(12, 5, 0.93), (6, 2, 0.93), (1, 40, 0.92)])
def test_intervals_of_differences_cover(cells, replicates, least):
    """Cells of their own differences and noise; the true mean over these cells is 0."""
    rng, trials, hits = np.random.default_rng(cells), 600, 0
    for _ in range(trials):
        offsets = rng.normal(0, 3, (cells, 1))
        values = offsets - offsets.mean() + rng.normal(size=(cells, replicates)) * np.linspace(0.5, 2, cells)[:, None]
        _, low, high = mean_difference(values)
        hits += low <= 0 <= high
    assert least <= hits / trials <= 0.995


def test_what_rounding_tells_apart_is_a_tie():
    first = np.array([[0.1 + 0.2, 0.7, 1e9 + 0.3]])
    pair = paired(first, np.array([[0.3, 0.1 * 7, 1e9 + 0.1 + 0.2]]))
    assert (pair.wins, pair.ties, pair.losses) == (0, 3, 0)


def test_the_interval_of_a_share():
    for wins, count in ((0, 5), (3, 12), (60, 60)):
        twin = stats.binomtest(wins, count).proportion_ci(method="wilson")
        np.testing.assert_allclose(wilson(wins, count)[1:], twin, atol=1e-12)
    assert np.isnan(wilson(0, 0)).all()
    for share in (0.05, 0.3, 0.5, 0.9):
        covered = [k for k in range(61) if wilson(k, 60)[1] <= share <= wilson(k, 60)[2]]
        assert 0.92 <= stats.binom.pmf(covered, 60, share).sum() <= 0.98
