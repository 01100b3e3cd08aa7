"""Paired differences, effect sizes, signed ranks and numbers of replicates: twins, the null and coverage."""

from itertools import product

import numpy as np
import pytest
from demsar import AUC, within
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from cutpoint.bench.statistics.pairs import cohen_dz, mean_difference, paired, signed_rank, signed_rank_pairs, wilson
from cutpoint.bench.statistics.planning import needed, power

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
    found = stats.wilcoxon(np.round(values, 3), zero_method="zsplit", method="asymptotic")
    assert found.statistic == 12
    assert (12 - 14 * 15 / 4) / np.sqrt(14 * 15 * 29 / 24) == pytest.approx(-2.54, abs=0.005)
    assert signed_rank(values) == signed_rank(np.round(values, 3))
    assert signed_rank(values) == pytest.approx(flipped(np.round(values, 3)))


@pytest.mark.slow
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
    for name in ("difference", "effect"):
        value, low, high = getattr(there, name)
        np.testing.assert_allclose(getattr(back, name), [-value, -high, -low], atol=1e-6)
    value, low, high = there.better
    np.testing.assert_allclose(back.better, [1 - value, 1 - high, 1 - low], atol=1e-12)
    assert (there.wins, there.ties, there.losses) == (back.losses, back.ties, back.wins)
    turned = paired(-first, -second, lower_is_better=False)
    assert (turned.wins, turned.losses, turned.better) == (there.wins, there.losses, there.better)
    shifted = paired(3 * first + 7, 3 * second + 7)
    np.testing.assert_allclose(shifted.difference, 3 * np.array(there.difference), atol=1e-12)
    np.testing.assert_allclose(shifted.effect, there.effect, atol=1e-6)


@given(SEEDS)
def test_differences_by_a_loop(seed):
    first, second = cubes(seed)
    found = paired(first, second)
    both = [[(a, b) for a, b in zip(first[c], second[c], strict=True) if np.isfinite(a + b)] for c in range(4)]
    flat = [a - b for cell in both for a, b in cell]
    means = [np.mean([a - b for a, b in cell]) for cell in both]
    assert found.difference[0] == pytest.approx(np.mean(means))
    assert found.effect[0] == pytest.approx(np.mean(flat) / np.std(flat, ddof=1))
    assert found.wins == sum(d < 0 for d in flat)
    assert found.better[0] == pytest.approx(np.mean([0.5 * (d == 0) + (d < 0) for d in flat]))
    squares = sum((a - b - m) ** 2 for cell, m in zip(both, means, strict=True) for a, b in cell)
    assert found.within == pytest.approx(np.sqrt(squares / (len(flat) - 4)))
    assert found.between == pytest.approx(np.std(means, ddof=1))


def test_differences_of_nothing_and_of_one_replicate():
    one = paired(np.array([[1.0], [2], [4]]), np.zeros((3, 1)))
    assert one.difference[0] == pytest.approx(7 / 3)
    assert np.isnan(one.difference[1:]).all()
    assert np.isnan(one.within)
    none = paired(np.full((3, 1), np.nan), np.zeros((3, 1)))
    assert np.isnan([*none.difference, *none.effect, *none.better]).all()
    assert (none.cells, none.wins) == (0, 0)


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


@pytest.mark.slow
def test_the_interval_of_an_effect_size_covers():
    rng, trials, true = np.random.default_rng(3), 500, 0.6
    found = [cohen_dz(v) for v in rng.normal(true, 1, (trials, 15))]
    assert within(sum(low <= true <= high for _, low, high in found), trials, 0.95)


def test_an_effect_size_by_its_definition():
    effect, low, high = cohen_dz(np.array([1.0, 2.0, 4.0, 5.0]))
    assert effect == pytest.approx(3 / np.sqrt(10 / 3))
    for bound, share in ((low, 0.025), (high, 0.975)):
        assert stats.nct.sf(2 * effect, 3, 2 * bound) == pytest.approx(share, abs=1e-6)
    for shift in (1, 0.1, -1e6 / 3):
        assert np.isnan(cohen_dz(np.full(4, shift))).all()
    assert np.isfinite(cohen_dz(1000 + np.arange(5.0))).all()


def test_what_rounding_tells_apart_is_a_tie():
    first = np.array([[0.1 + 0.2, 0.7, 1e9 + 0.3]])
    found = paired(first, np.array([[0.3, 0.1 * 7, 1e9 + 0.1 + 0.2]]))
    assert (found.wins, found.ties, found.losses) == (0, 3, 0)


def test_the_interval_of_a_share():
    for wins, count in ((0, 5), (3, 12), (60, 60)):
        twin = stats.binomtest(wins, count).proportion_ci(method="wilson")
        np.testing.assert_allclose(wilson(wins, count)[1:], twin, atol=1e-12)
    assert np.isnan(wilson(0, 0)).all()
    for share in (0.05, 0.3, 0.5, 0.9):
        covered = [k for k in range(61) if wilson(k, 60)[1] <= share <= wilson(k, 60)[2]]
        assert 0.92 <= stats.binom.pmf(covered, 60, share).sum() <= 0.98


@pytest.mark.slow  # statsmodels imports a lot
@pytest.mark.parametrize("effect", [0.05, 0.2, 0.5, 0.8, 1.5, 3.0, 10.0])
def test_replicates_are_those_of_statsmodels(effect):
    from statsmodels.stats.power import TTestPower

    wanted = TTestPower().solve_power(effect, power=0.8, alpha=0.05) if effect < 4 else 2
    assert abs(needed(effect, 1.0) - wanted) <= 1
    assert needed(-3 * effect, 3.0) == needed(effect, 1.0)
    assert power(effect, 9, 8) == pytest.approx(TTestPower().power(effect, 9, 0.05), abs=1e-6)


def test_so_many_replicates_find_the_difference():
    rng, trials, cells, difference = np.random.default_rng(4), 2000, 5, 0.5
    n = needed(difference, 1.0, cells=cells)
    values = difference + rng.normal(size=(trials, cells, n))
    error = np.sqrt(values.var(2, ddof=1).mean(1) / (cells * n))
    limit = stats.t.ppf(0.975, cells * (n - 1))
    found = (np.abs(values.mean((1, 2)) / error) > limit).sum()
    assert within(found, trials, power(difference, cells * n, cells * (n - 1)))
    assert power(difference, cells * n, cells * (n - 1)) >= 0.8
    assert power(difference, cells * (n - 1), cells * (n - 2)) < 0.8


def test_no_number_of_replicates_finds_nothing():
    assert needed(0.0, 1.0) == np.inf
    assert needed(1e-4, 1.0) == np.inf
    assert needed(1.0, 0.0) == 2
    assert np.isnan(needed(1.0, np.nan))
    assert needed(24.4, 1.1e-15, cells=12) == needed(-24.4, 1e-13) == 2  # a deviation that is rounding is none
