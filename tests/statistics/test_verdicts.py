"""Verdicts on inequalities and grades of claims: by hand, invariants, and how often equal methods are contradicted."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from replicated import SIZES
from scipy import stats
from statsmodels.stats.proportion import proportion_confint, proportions_ztest

from cutpoint.bench.statistics.comparisons import Share
from cutpoint.bench.statistics.estimates import Estimate, jackknife
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
    missing = PValues(np.asarray(np.nan), np.asarray(np.nan))
    bad, good = pvalues((0.99, 0.001), (0.001, 0.99))
    tests = [all_of(good, missing), all_of(bad, missing), all_of(missing, missing)]
    assert decide_all(tests) == [INCONCLUSIVE, CONTRADICTED, NO_DATA]


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
