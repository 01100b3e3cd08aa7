"""Tests of numbers in claims: Student's by their twins, and how often equal methods are contradicted."""

import numpy as np
import pytest
from scipy import stats

from cutpoint.bench.artefacts.claims import numbers_text
from cutpoint.bench.artefacts.table import number
from cutpoint.bench.engine import declaration as form
from cutpoint.bench.engine.declaration import declared, split, study_names
from cutpoint.bench.engine.inequalities import Margin, below, best, certain, in_more_than, ordered, unknown, within
from cutpoint.bench.engine.numbers import numbers
from cutpoint.bench.engine.samples import means
from cutpoint.bench.engine.tables import COSTS
from cutpoint.bench.statistics.estimates import jackknife
from cutpoint.bench.statistics.verdicts import (
    CONTRADICTED,
    INCONCLUSIVE,
    NO_DATA,
    PREVIEW,
    REPRODUCED,
    SUPPORTED,
    decide_all,
    judge,
)

EXACT = Margin()
MADE = {("fu2005", "F12"), ("mabrouk2015", "M3")}  # by functions, from run time


def of(values, replicates=5):
    """Numbers of methods a, b, ... from their mean over the cells of values [M, C, R]."""
    return numbers(jackknife(values).mean(1), [chr(ord("a") + i) for i in range(len(values))], replicates)


def test_the_test_of_two_methods_is_the_paired_t_test(rng):
    values = rng.normal(10, 1, (2, 1, 6))
    a, b = of(values)[["a"]], of(values)[["b"]]
    for margin, factor, more in [(EXACT, 1, 0), (Margin(share=0.025), 1.025, 0), (Margin(constant=0.5), 1, 0.5)]:
        away = stats.ttest_rel(values[0, 0], factor * values[1, 0] + more)
        equal = stats.ttest_rel(values[0, 0], values[1, 0])
        strict, tie = below(a, b, margin), below(a, b, margin, tie=True)
        lower, higher = (stats.t.cdf(sign * away.statistic, 5) for sign in (1, -1))
        assert strict.supported[0] == pytest.approx(stats.t.cdf(equal.statistic, 5))
        assert tie.supported[0] == pytest.approx(lower)
        assert (strict.contradicted[0], tie.contradicted[0]) == pytest.approx((higher, higher))


def test_numbers_of_a_claim_have_their_intervals_of_students_t(rng):
    values = rng.normal(10, 1, (2, 1, 6))
    statement = ordered("a < b", of(values), ["a"], ["b"], "<")
    for name, row in zip("ab", values[:, 0], strict=True):
        low, high = stats.t.interval(0.95, 5, row.mean(), row.std(ddof=1) / np.sqrt(6))
        assert statement.intervals[name] == pytest.approx((low, high))
        assert f"{name} = {number(row.mean())} [{number(low)}, {number(high)}]" in numbers_text(
            statement.numbers, statement.intervals, {}
        )
    alone = ordered("a < b", of(values[:, :, :1], 1), ["a"], ["b"], "<")
    assert "[" not in numbers_text(alone.numbers, alone.intervals, {})


def test_numbers_that_are_zero_have_a_difference_all_the_same(rng):
    values = np.stack([np.zeros((3, 8)), rng.poisson(9, (3, 8)).astype(float)])
    numbers = of(values)
    assert decide_all([ordered("a < b", numbers, ["a"], ["b"], "<").test]) == [SUPPORTED]
    assert decide_all([ordered("b < a", numbers, ["b"], ["a"], "<").test]) == [CONTRADICTED]


def test_the_best_is_contradicted_by_one_rival_alone(rng):
    values = np.array([10.0, 12, 10.1, 12.1])[:, None, None] * np.exp(rng.normal(0, 0.002, (4, 6, 5)))
    for names, verdict in [("a", SUPPORTED), ("c", SUPPORTED), ("bc", SUPPORTED), ("bd", CONTRADICTED)]:
        statement = best("x", of(values), list(names), list("abcd"))
        assert decide_all([statement.test]) == [verdict]
        assert set(statement.numbers) == set("abcd")
    assert decide_all([best("x", of(values), ["c"], list("abcd"), EXACT).test]) == [CONTRADICTED]


def test_a_method_without_a_result_decides_nothing(rng):
    values = np.exp(rng.normal(0, 0.01, (3, 4, 5)))
    values[1] = np.nan
    statements = [
        ordered("a < b", of(values), ["a"], ["b"], "<"),
        best("a of all", of(values), ["a"], ["a", "b"]),
        within("b", of(values), ["b"], 0, 2),
        ordered("a < gone", of(values), ["a"], ["gone"], "<"),
        unknown("nothing was run"),
    ]
    assert decide_all([each.test for each in statements]) == [NO_DATA] * 5
    assert judge(statements).grade == "no data"


def test_means_over_samples_leave_a_sample_out_of_all(rng):
    values = rng.normal(size=(9, 2, 3))
    cells = means(values)
    np.testing.assert_allclose(cells.rows[0], values.mean(0))
    estimate = (cells[0, 1] - cells[1, 2]).estimate()
    twin = stats.ttest_rel(values[:, 0, 1], values[:, 1, 2]).confidence_interval()
    assert (float(estimate.low), float(estimate.high)) == pytest.approx((twin.low, twin.high))


def test_counted_samples_and_what_has_no_chance():
    sure, few = np.ones(40, bool), np.ones(2, bool)
    assert judge([in_more_than("x", sure)]).grade == REPRODUCED
    assert judge([in_more_than("x", few)]).grade == PREVIEW
    assert judge([in_more_than("x", sure[:0])]).grade == NO_DATA
    assert judge([in_more_than("x", np.arange(40) < 21)]).grade == INCONCLUSIVE
    assert judge([certain("x", True, {"y": 1}), certain("x", False, {})]).grade == "1 of 2"


def test_published_claims_are_not_comparable_just_where_they_rest_on_costs():
    """Run time and counted calls are of the authors' programs; what is expected of our own is judged."""
    for study in study_names():
        about = declared(study)
        for name, row in about.claims.items():
            columns = {split(form.NEED.fullmatch(need)["number"])[0] for need in row.needs.values()}
            rests = any(about.measures[each].metric in COSTS for each in columns) or (study, name) in MADE
            assert row.implementation == (rests and not about.ours), (study, name)
