"""Intervals by leaving out one replicate, and verdicts on them: twins, by hand, invariants and coverage."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from replicated import HARD, LEVELS, SIZES, USUAL, bootstrap_coverage, coverage, ratio_coverage
from scipy import stats
from statsmodels.stats.proportion import proportion_confint, proportions_ztest

from cutpoint.bench.statistics.comparisons import Share
from cutpoint.bench.statistics.estimates import Estimate, Statistic, above_zero, combine, jackknife
from cutpoint.bench.statistics.verdicts import (
    CONTRADICTED,
    DIRECTION,
    INCONCLUSIVE,
    NO_DATA,
    NOT_COMPARABLE,
    PREVIEW,
    REPRODUCED,
    SUPPORTED,
    PValues,
    Statement,
    above,
    all_of,
    any_of,
    at_least,
    below,
    decide_all,
    exact,
    judge,
    lowest,
)

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


MARGIN = 1.025


def ratio(value, error=0.01, freedom=20.0):
    """A ratio with its error on the logarithmic scale."""
    return Estimate(*map(np.asarray, (value, error, freedom, 5)), log=True)


def state(text, *, replicates=5, **tests):
    return Statement(text, replicates=replicates, numbers={}, **tests)


def test_p_values_are_those_of_student():
    test = below(ratio(0.98), MARGIN)
    assert test.supported == pytest.approx(stats.t.cdf(np.log(0.98 / MARGIN) / 0.01, 20))
    assert test.contradicted == pytest.approx(stats.t.sf(np.log(0.98 / MARGIN) / 0.01, 20))
    turned = above(ratio(1 / 0.98), 1 / MARGIN)
    np.testing.assert_allclose([turned.supported, turned.contradicted], [test.supported, test.contradicted])


@pytest.mark.parametrize(
    ("value", "strict", "tie"),
    [
        (0.95, SUPPORTED, SUPPORTED),
        (1.0, INCONCLUSIVE, SUPPORTED),  # a tie is not below, and no contradiction
        (1.015, INCONCLUSIVE, INCONCLUSIVE),
        (1.04, INCONCLUSIVE, INCONCLUSIVE),
        (1.06, CONTRADICTED, CONTRADICTED),
    ],
)
def test_below_and_at_most(value, strict, tie):
    test = below(ratio(value), MARGIN)
    assert decide_all([PValues(below(ratio(value), 1).supported, test.contradicted)]) == [strict]
    assert decide_all([test]) == [tie]


def test_without_chance_and_without_spread():
    assert decide_all([exact(True), exact(False)]) == [SUPPORTED, CONTRADICTED]
    same = Estimate(*map(np.asarray, (0.0, 0.0, np.nan, 5)))
    assert decide_all([below(same, 0), below(same, 0.1), above(same, 0.1)]) == [INCONCLUSIVE, SUPPORTED, CONTRADICTED]
    for fewest, verdict in [(5, INCONCLUSIVE), (6, SUPPORTED)]:  # 2 / 2^5 is above 5 %
        assert decide_all([below(Estimate(*map(np.asarray, (1.0, 0.0, np.nan, fewest))), 2)]) == [verdict]


def pvalues(*pairs):
    return [PValues(np.asarray(h), np.asarray(c)) for h, c in pairs]


def test_what_is_said_of_several():
    tests = pvalues((0.01, 0.9), (0.02, 0.8), (0.6, 0.3))
    assert (all_of(*tests).supported, all_of(*tests).contradicted) == (0.6, pytest.approx(0.9))
    assert (any_of(*tests).supported, any_of(*tests).contradicted) == (pytest.approx(0.03), 0.9)
    assert (at_least(2, *tests).supported, at_least(2, *tests).contradicted) == (pytest.approx(0.04), 1)
    array = PValues(np.array([0.01, 0.02, 0.6]), np.array([0.9, 0.8, 0.3]))
    assert all_of(array) == all_of(*tests)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=6), st.data())
def test_the_contrary_of_several(values, data):
    """At least k of K hold where not K - k + 1 or more are false."""
    count = data.draw(st.integers(1, len(values)))
    tests = pvalues(*((p, 1 - p) for p in values))
    turned = pvalues(*((1 - p, p) for p in values))
    there, back = at_least(count, *tests), at_least(len(values) - count + 1, *turned)
    assert (there.supported, there.contradicted) == (back.contradicted, back.supported)


def test_of_what_is_missing_nothing_is_known():
    missing, none = PValues(np.asarray(np.nan), np.asarray(np.nan)), PValues(np.empty(0), np.empty(0))
    bad, good = pvalues((0.99, 0.001), (0.001, 0.99))
    tests = [all_of(good, missing), all_of(bad, missing), all_of(missing, missing), all_of(none)]
    assert decide_all(tests) == [INCONCLUSIVE, CONTRADICTED, NO_DATA, NO_DATA]


def test_verdicts_are_adjusted_within_the_claim():
    alone = pvalues((0.99, 0.01))
    assert decide_all(alone) == [CONTRADICTED]
    assert decide_all(alone + pvalues(*[(0.5, 0.5)] * 2)) == [INCONCLUSIVE] * 3
    sure = pvalues(*[(0.0001, 0.99)] * 9)
    assert decide_all(alone + sure) == [CONTRADICTED, *[SUPPORTED] * 9]  # Holm: the others are decided already
    assert decide_all([]) == []


GOOD, BAD, NONE = pvalues((0.0001, 0.99), (0.99, 0.0001), (np.nan, np.nan))
UNSURE = pvalues((0.3, 0.3))[0]


@pytest.mark.parametrize(
    ("tests", "grade"),
    [
        ([GOOD, GOOD], REPRODUCED),
        ([GOOD, BAD], "1 of 2"),
        ([GOOD, UNSURE, NONE], "1 of 3"),
        ([BAD, UNSURE], CONTRADICTED),
        ([UNSURE, UNSURE], INCONCLUSIVE),
        ([UNSURE, NONE], INCONCLUSIVE),
        ([NONE, NONE], NO_DATA),
        ([], NO_DATA),
    ],
)
def test_grades(tests, grade):
    assert judge([state("it", test=test) for test in tests]).grade == grade
    assert judge([state("it", test=test) for test in tests], comparable=False).grade == NOT_COMPARABLE


def test_the_direction_of_what_says_by_how_much():
    sized = state("mgcd is 1.4 times ruichu", test=BAD, direction=GOOD)
    assert judge([sized, state("mgcd is best", test=GOOD)]).grade == DIRECTION
    assert judge([state("mgcd is 1.4 times ruichu", test=BAD, direction=BAD)]).grade == CONTRADICTED
    assert judge([state("mgcd is 1.4 times ruichu", test=GOOD, direction=GOOD)]).grade == REPRODUCED


def test_below_three_replicates_nothing_is_concluded():
    early = judge([state("a", test=GOOD, replicates=2), state("b", test=BAD, replicates=5)])
    assert (early.grade, early.verdicts) == (PREVIEW, (PREVIEW, CONTRADICTED))
    assert judge([state("a", test=exact(True), replicates=None)]).grade == REPRODUCED
    assert judge([state("a", test=NONE, replicates=0)]).grade == NO_DATA
    assert judge([state("a", test=NONE, replicates=1)]).grade == PREVIEW  # there is a number, without an error
    assert judge([Statement("a", NONE, {"shd": np.nan}, 2)]).grade == NO_DATA


def test_the_summary_names_what_does_not_hold():
    judgement = judge([state("a", test=GOOD), state("b", test=UNSURE), state("c", test=BAD), state("d", test=UNSURE)])
    assert judgement.summary == "1 of 4 supported; inconclusive: b, d; contradicted: c"


def test_shares_of_samples():
    """All of ten samples are not certainty: Wilson's interval, and the score test that it inverts."""
    all_ten = Share(10, 10)
    assert all_ten.interval() == pytest.approx(proportion_confint(10, 10, method="wilson"))
    tests = [above(all_ten, share) for share in (0.5, 0.7, 0.9)]
    assert decide_all(tests) == [SUPPORTED, INCONCLUSIVE, INCONCLUSIVE]
    expected = proportions_ztest(7, 20, 0.5, alternative="smaller", prop_var=0.5)[1]
    assert Share(7, 20).tail(0.5) == pytest.approx(expected)
    assert Share(7, 20).tail(Share(7, 20).interval()[0]) == pytest.approx(0.975)
    tests = [above(all_ten, 1), above(Share(9, 10), 1), below(Share(0, 10), 0)]
    assert decide_all(tests) == [INCONCLUSIVE, CONTRADICTED, INCONCLUSIVE]
    assert decide_all([above(Share(0, 0), 0.5)]) == [NO_DATA]


def study(rng, methods=14, replicates=5):
    """Counts of equal methods [methods, cells, replicates] that share what is special in a data set."""
    cells = len(SIZES)
    common = rng.normal(0, 0.1, (cells, replicates))
    own = rng.normal(0, 0.1, (methods, cells, replicates))
    return rng.poisson(SIZES[:, None] * np.exp(common + own)).astype(float)


def rates(rng, trials, replicates):
    """Return the shares of studies of equal methods in which claims are called false, without any margin.

    Three claims: 15 pairs in order; "two of nine have the lowest"; each of 14 has the lowest.
    """
    upper = np.array(np.triu_indices(14, 1)).T
    called = np.zeros(3)
    for _ in range(trials):
        logs = jackknife(study(rng, replicates=replicates)).map(np.log).mean(1)
        pairs = (logs[:, None] - logs[None]).estimate()
        chosen = upper[rng.choice(len(upper), 15, replace=False)]
        claims = [
            [below(pairs[i, j], 0) for i, j in chosen],
            [all_of(below(pairs[:2, 2:9], 0))],
            [lowest(pairs, [i], [j for j in range(14) if j != i]) for i in range(14)],
        ]
        called += [CONTRADICTED in decide_all(tests) for tests in claims]
    return called / trials


@pytest.mark.parametrize("replicates", [3, 5])
def test_false_contradictions(replicates):
    """The table of docs/statistics.md: 1000 studies, a standard error of at most 0.007."""
    assert (rates(np.random.default_rng(replicates), 1000, replicates) <= 0.05).all()
