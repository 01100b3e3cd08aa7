"""Intervals by leaving out one replicate: twins, textbook cases, invariants and coverage."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from replicated import HARD, LEVELS, USUAL, bootstrap_coverage, coverage, ratio_coverage
from scipy import stats

from cutpoint.bench.statistics.estimates import Statistic, above_zero, combine, jackknife

SEEDS = st.integers(0, 100_000)
many = settings(max_examples=40, deadline=None)


def with_gaps(rng, shape, share=0.2):
    values = rng.gamma(5, size=shape)
    values[rng.random(shape) < share] = np.nan
    return values


@many
@given(counts=st.lists(st.lists(st.integers(0, 3), min_size=4, max_size=4), min_size=2, max_size=6))
def test_means_of_counts_above_zero_keep_their_order(counts):
    means = np.array(counts).mean(1)
    positive = above_zero(means, 4)
    assert (positive > 0).all()
    assert (np.sign(positive[:, None] - positive) == np.sign(means[:, None] - means)).all()
    assert (positive[means > 0] == means[means > 0]).all()
    assert (positive[means == 0] == 0.125).all()


@many
@given(SEEDS)
def test_means_over_cells_by_a_loop(seed):
    """Satterthwaite's interval, with cells of one, two and more values."""
    rng = np.random.default_rng(seed)
    values = with_gaps(rng, (1, 4, 4))
    cells = [cell[np.isfinite(cell)] for cell in values[0]]
    cells = [cell for cell in cells if len(cell)]
    estimate = jackknife(values).mean(1).estimate()[0]
    if min(len(cell) for cell in cells) < 2:
        assert np.isnan([estimate.low, estimate.high]).all()
        return
    parts = np.array([cell.var(ddof=1) / len(cell) / len(cells) ** 2 for cell in cells])
    freedom = parts.sum() ** 2 / sum(v**2 / (len(cell) - 1) for v, cell in zip(parts, cells, strict=True))
    reach = stats.t.ppf(0.975, freedom) * np.sqrt(parts.sum())
    middle = np.mean([cell.mean() for cell in cells])
    np.testing.assert_allclose([estimate.value, estimate.low, estimate.high], [middle, middle - reach, middle + reach])


@many
@given(SEEDS)
def test_any_function_by_a_loop(seed):
    """The largest of three ratios of means, computed anew without each replicate of each cell."""
    values = np.random.default_rng(seed).gamma(5, size=(4, 2, 3))

    def largest(mask):
        means = [[row[kept].mean() for row, kept in zip(method, mask, strict=True)] for method in values]
        ratios = [[m / b for m, b in zip(method, means[0], strict=True)] for method in means[1:]]
        return np.log(np.mean(np.max(ratios, axis=0)))

    everything = np.ones((2, 3), bool)
    variances = []
    for c in range(2):
        moved = []
        for r in range(3):
            without = everything.copy()
            without[c, r] = False
            moved.append(largest(without) - largest(everything))
        variances.append(2 / 3 * np.square(moved).sum())
    cells = jackknife(values)
    estimate = (cells[1:] / cells[0]).map(lambda rows: rows.max(1)).mean(0).estimate(log=True)
    error = np.sqrt(np.sum(variances))
    reach = stats.t.ppf(0.975, np.sum(variances) ** 2 / np.sum(np.square(variances) / 2)) * error
    np.testing.assert_allclose(estimate.error, error)
    np.testing.assert_allclose(np.log([estimate.low, estimate.high]), largest(everything) + np.array([-1, 1]) * reach)


def test_cells_of_one_block_hold_the_same_replicates(rng):
    """Two noises of the same records: their mean varies as the mean of each replicate does."""
    values = rng.normal(size=(1, 2, 5))
    estimate = jackknife(values, blocks=[("child", 500)] * 2).mean(1).estimate()
    means = values[0].mean(0)
    low, high = stats.t.interval(0.95, 4, means.mean(), stats.sem(means))
    np.testing.assert_allclose([estimate.low[0], estimate.high[0]], [low, high])


def test_grids_are_joined_by_blocks_and_replicates(rng):
    shared = rng.normal(scale=10, size=(1, 2, 5))
    low_noise = jackknife(shared, blocks=np.array(["child", "alarm"]))
    high_noise = jackknife(
        shared[:, ::-1, [3, 1, 0, 2, 4]] + 1, blocks=np.array(["alarm", "child"]), replicates=(3, 1, 0, 2, 4)
    )
    difference = (high_noise.mean(1) - low_noise.mean(1)).estimate()
    np.testing.assert_allclose(difference.value, 1)
    np.testing.assert_allclose(difference.error, 0, atol=1e-12)
    apart = (jackknife(shared + 1, blocks=np.array(["x", "y"])).mean(1) - low_noise.mean(1)).estimate()
    np.testing.assert_allclose(apart.error, np.sqrt(2) * low_noise.mean(1).estimate().error)


def test_a_unit_that_plays_no_part_changes_nothing(rng):
    values = rng.normal(size=(2, 3, 4))
    alone, beside = jackknife(values[:, :1])[:, 0].estimate(), jackknife(values)[:, 0].estimate()
    np.testing.assert_allclose([alone.low, alone.high], [beside.low, beside.high])
    values[:, 1, 1:] = np.nan  # a single replicate in another cell
    np.testing.assert_allclose(jackknife(values)[:, 0].estimate().low, alone.low)
    assert np.isnan(jackknife(values).mean(1).estimate().low).all()


def test_without_spread_there_is_a_value_and_no_interval():
    estimate = jackknife(np.array([[[3.0, 3, 3], [1.1, 1.1, 1.1]], [[3.0, np.nan, np.nan], [np.nan] * 3]])).estimate()
    np.testing.assert_allclose(estimate.value, [[3, 1.1], [3, np.nan]])
    np.testing.assert_array_equal(estimate.error, [[0, 0], [np.nan, np.nan]])
    assert np.isnan(estimate.low).all()
    np.testing.assert_array_equal(estimate.tail(3.0), [[0.5, 1 / 8], [np.nan, np.nan]])
    np.testing.assert_array_equal(estimate.tail(1.0), [[7 / 8, 7 / 8], [np.nan, np.nan]])
    np.testing.assert_array_equal(jackknife(np.zeros((1, 3))).estimate().tail(0.1), [0])
    nothing = jackknife(np.full((2, 3, 4), np.nan)).estimate()
    assert np.isnan([nothing.value, nothing.error]).all()


def test_an_infinite_number_is_none():
    cells = jackknife(np.array([[[0.0, 0, 0]], [[1.0, 2, 3]]]))
    estimate = (cells[1] / cells[0]).estimate()
    assert np.isnan([estimate.value, estimate.low]).all()
    rare = jackknife(np.array([[0.0, 0, 0, 5]])).estimate(log=True)  # 0 without the last: no logarithm
    assert np.isnan(rare.low).all()


@many
@given(SEEDS)
def test_invariants(seed):
    rng = np.random.default_rng(seed)
    values = with_gaps(rng, (2, 3, 4), 0.1)
    first = jackknife(values).estimate()
    order = rng.permutation(4)
    np.testing.assert_allclose(jackknife(values[..., order]).estimate().low, first.low)
    moved = jackknife(7 - 3 * values).estimate()
    np.testing.assert_allclose([moved.low, moved.high], [7 - 3 * first.high, 7 - 3 * first.low])
    ratio, turned = jackknife(values).estimate(log=True), jackknife(values).map(np.reciprocal).estimate(log=True)
    np.testing.assert_allclose([1 / turned.high, 1 / turned.low], [ratio.low, ratio.high])
    wide = first.interval(0.995)
    finite = np.isfinite(first.low)
    assert (wide[0][finite] < first.low[finite]).all()
    np.testing.assert_allclose(first.tail(first.low)[finite], 0.975)
    np.testing.assert_allclose(first.tail(first.high)[finite], 0.025)
    np.testing.assert_allclose(ratio.tail(ratio.high)[np.isfinite(ratio.low)], 0.025)


def test_numbers_broadcast_from_the_last_axis(rng):
    cells = jackknife(rng.gamma(5, size=(3, 2, 4)))
    ratio = cells / cells[0]
    assert isinstance(ratio, Statistic)
    np.testing.assert_allclose(ratio.rows[:, 1], cells.rows[:, 1] / cells.rows[:, 0])
    columns = combine(lambda *rows: np.stack(rows, -1), ratio[:, 0], ratio.mean(1)).estimate()
    np.testing.assert_allclose(columns.error[:, 0], ratio[:, 0].estimate().error)
    np.testing.assert_allclose(columns.error[:, 1], ratio.mean(1).estimate().error)


LEAST = {2: 0.90, 5: 0.93}


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("replicates", LEAST)
def test_coverage_of_all_kinds(level, replicates):
    """The table of docs/statistics.md; 20,000 studies, a standard error of 0.002."""
    for kind in USUAL:
        share, _ = coverage(kind, level, replicates, 20_000, np.random.default_rng(replicates))
        assert share >= LEAST[replicates], kind
    assert ratio_coverage(level, replicates, 20_000, np.random.default_rng(replicates))[0] >= LEAST[replicates]


def test_coverage_where_a_few_values_cannot_tell():
    for kind, replicates, level in product(HARD, LEAST, LEVELS):
        covered = coverage(kind, level, replicates, 20_000, np.random.default_rng(replicates))[0]
        assert covered > 0.87, (kind, level, replicates)
        assert covered > bootstrap_coverage(kind, level, replicates, 4000, np.random.default_rng(replicates))[0]
