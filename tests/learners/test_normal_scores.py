"""Scores of ranks against least squares and against the degenerate Gaussian score; the best of several kinds."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm, rankdata

from cutpoint.learners.best_kind import BestKind, Kept
from cutpoint.learners.gaussian import gaussian_bic
from cutpoint.learners.normal_scores import copula, degenerate_gaussian, polynomial

DISCRETE = np.array([False, True, False, False])
FAMILIES = {"child": st.integers(0, 3), "chosen": st.sets(st.integers(0, 3), max_size=3), "seed": st.integers(0, 999)}


def data(seed, records=80):
    rng = np.random.default_rng(seed)
    values = rng.standard_normal((records, 4))
    values[:, 1] = rng.permutation(np.arange(records) % 3)
    values[:, 2] += values[:, 0] ** 2
    values[:, 3] = np.round(values[:, 3] + (values[:, 1] == 1), 1)
    return values


def scored(values):
    """Return the normal scores of the continuous columns beside the codes of the discrete one."""
    scores = norm.ppf((rankdata(values, axis=0) - 0.5) / len(values))
    return np.where(DISCRETE, values, scores)


@given(**FAMILIES)
def test_a_copula_is_the_degenerate_gaussian_of_normal_scores(child, chosen, seed):
    values, parents = data(seed), sorted(chosen - {child})
    expected = degenerate_gaussian(scored(values), DISCRETE).family(child, parents)
    assert copula(values, DISCRETE).family(child, parents) == pytest.approx(expected, abs=1e-6)


def columns(scores, variable, degree):
    if DISCRETE[variable]:
        return (scores[:, [variable]] == [1, 2]).astype(float)
    return scores[:, [variable]] ** np.arange(1, degree + 1)


def residual(targets, regressors):
    """Return the logarithm of the determinant of the sums of squares that least squares leaves."""
    design = np.column_stack([np.ones(len(targets)), *regressors])
    left = targets - design @ np.linalg.lstsq(design, targets, rcond=None)[0]
    return np.linalg.slogdet(left.T @ left)[1]


@given(**FAMILIES, degree=st.integers(1, 4))
def test_polynomials_are_least_squares(child, chosen, seed, degree):
    values, parents = data(seed), sorted(chosen - {child})
    scores = scored(values)
    regressors = [columns(scores, p, degree) for p in parents]
    targets = columns(scores, child, 1)
    slopes = targets.shape[1] * sum(each.shape[1] for each in regressors)
    gain = len(values) / 2 * (residual(targets, []) - residual(targets, regressors))
    expected = gain - slopes * math.log(len(values)) / 2
    assert polynomial(values, DISCRETE, degree=degree).family(child, parents) == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("score", [copula, polynomial])
@given(**FAMILIES)
def test_gains_are_differences_and_no_increasing_transformation_changes_them(score, child, chosen, seed):
    values, parents = data(seed), sorted(chosen - {child})
    scores = score(values, DISCRETE)
    gains = scores.gains(child, np.array(parents, np.int64))
    for p in set(range(4)) - {child}:
        difference = scores.family(child, sorted({*parents} ^ {p})) - scores.family(child, parents)
        assert gains[p] == pytest.approx(difference, abs=1e-6)
    assert gains[child] == -np.inf
    stretched = np.column_stack([np.exp(values[:, 0]), values[:, 1], values[:, 2] ** 3, np.arctan(values[:, 3])])
    assert score(stretched, DISCRETE).gains(child, parents) == pytest.approx(gains, abs=1e-6)
    order = np.random.default_rng(seed).permutation(4)
    at = np.argsort(order)
    other = scores.reordered(order)
    assert other.gains(at[child], at[parents])[at] == pytest.approx(gains, abs=1e-6)
    assert other.content(at[child]) == scores.content(child)


@given(**FAMILIES, most=st.integers(0, 4))
def test_the_best_kind_is_the_highest_score_of_each_family(child, chosen, seed, most):
    values, parents = data(seed), tuple(sorted(chosen - {child}))
    scores = [gaussian_bic(values, DISCRETE), polynomial(values, DISCRETE)]
    best = BestKind({"lines": Kept(scores[0]), "polynomials": Kept(scores[1], most)})

    def highest(parents):
        kinds = scores if len(parents) <= most else scores[:1]
        return max(score.family(child, parents) - score.family(child, ()) for score in kinds)

    assert best.family(child, parents) == pytest.approx(highest(parents), abs=1e-9)
    gains = best.gains(child, np.array(parents, np.int64))
    for p in set(range(4)) - {child}:
        assert gains[p] == pytest.approx(highest(sorted({*parents} ^ {p})) - highest(parents), abs=1e-6)
    line = scores[0].family(child, parents) - scores[0].family(child, ())
    lines = line >= highest(parents) - best.rounding
    assert best.kind_of(child, parents) == ("lines" if lines else "polynomials")
    assert best.gains(child, parents) is not best.gains(child, parents)
