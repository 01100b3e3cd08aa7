"""PC with correlations of ranks, normal scores and behind mixed columns, against closed forms and SciPy."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import multivariate_normal, norm, rankdata, spearmanr

from cutpoint.learners.best_kind import BestKind, Kept
from cutpoint.learners.constraint import (
    Ordered,
    _below,
    copula_correlations,
    effective_records,
    pc_copula,
    pc_fisherz,
    pc_rank,
    polychoric,
    positive,
    rank_correlations,
)
from cutpoint.learners.normal_scores import copula, degenerate_gaussian, gaussian_bic, polynomial

CUTS = np.array([-0.8, 0.3, 1.1])


@pytest.mark.parametrize("rho", [-0.95, -0.4, 0.0, 0.6, 0.98])
def test_the_bivariate_normal_distribution_is_that_of_scipy(rho):
    shares = _below(CUTS, CUTS[:2], rho)
    slow = [[multivariate_normal.cdf([h, k], cov=[[1, rho], [rho, 1]]) for k in CUTS[:2]] for h in CUTS]
    np.testing.assert_allclose(shares[1:-1, 1:-1], slow, atol=1e-6)
    assert shares[-1, -1] == 1
    np.testing.assert_allclose(shares[-1, 1:-1], norm.cdf(CUTS[:2]))
    np.testing.assert_allclose(shares[1:-1, -1], norm.cdf(CUTS))


@given(both=st.integers(1, 99))
def test_of_two_halves_the_polychoric_correlation_is_a_sine(both):
    one = np.repeat([0.0, 1.0], 200)
    other = np.concatenate([np.arange(200) >= 2 * both, np.arange(200) < 2 * both]).astype(float)
    expected = math.sin(2 * math.pi * (both / 200 - 0.25))
    assert polychoric(Ordered.of(one), Ordered.of(other)) == pytest.approx(expected, abs=2e-3)


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_no_other_correlation_makes_the_table_more_likely(seed):
    rng = np.random.default_rng(seed)
    one = rng.integers(0, 3, 150).astype(float)
    other = np.where(rng.random(150) < 0.5, one, rng.integers(0, 4, 150))

    def likelihood(rho):
        total = 0.0
        edges = [
            np.concatenate([[-9], norm.ppf(np.cumsum(np.bincount(x.astype(int)))[:-1] / 150), [9]])
            for x in (one, other)
        ]
        for a in range(int(one.max()) + 1):
            for b in range(int(other.max()) + 1):
                cell = sum(
                    sign * multivariate_normal.cdf([h, k], cov=[[1, rho], [rho, 1]])
                    for sign, h, k in (
                        (1, edges[0][a + 1], edges[1][b + 1]), (-1, edges[0][a], edges[1][b + 1]),
                        (-1, edges[0][a + 1], edges[1][b]), (1, edges[0][a], edges[1][b]),
                    )
                )  # fmt: skip
                total += ((one == a) & (other == b)).sum() * math.log(max(cell, 1e-12))
        return total

    fit = polychoric(Ordered.of(one), Ordered.of(other))
    best = likelihood(fit)
    assert all(likelihood(rho) <= best + 1e-3 for rho in (fit - 0.05, fit + 0.05, 0.0, 0.5))


def normal_data(records=20000):
    """Return four correlated normal columns and their correlations."""
    matrix = np.array([[1, 0.6, 0.4, -0.5], [0.6, 1, 0.3, -0.2], [0.4, 0.3, 1, 0.1], [-0.5, -0.2, 0.1, 1]])
    return np.random.default_rng(0).multivariate_normal(np.zeros(4), matrix, records), matrix


def test_levels_and_transformations_leave_the_correlations_of_the_normal_values_behind():
    values, matrix = normal_data()
    seen = np.column_stack([
        np.exp(values[:, 0]), np.searchsorted(CUTS, values[:, 1]), values[:, 2] > 0.5, values[:, 3] ** 3,
    ]).astype(float)  # fmt: skip
    discrete = np.array([False, True, True, False])
    np.testing.assert_allclose(copula_correlations(seen, discrete), matrix, atol=0.03)
    again = copula_correlations(np.where(discrete, 3 * seen + 1, np.cbrt(seen)), discrete)
    np.testing.assert_allclose(again, copula_correlations(seen, discrete), rtol=1e-9)


def test_records_are_worth_what_the_variance_of_correlations_says():
    rng, records = np.random.default_rng(1), 400
    halves = np.repeat([0.0, 1.0], records // 2)
    assert Ordered.of(halves).information() == pytest.approx(2 / math.pi)
    discrete = np.array([True, True, False])
    values = np.column_stack([halves, rng.permutation(halves), rng.standard_normal(records)])
    e = 2 / math.pi
    assert effective_records(values, discrete) == round(records * (e * e + 2 * e) / 3)
    columns = (np.column_stack([rng.permutation(halves), rng.standard_normal(records)]) for _ in range(400))
    drawn = [copula_correlations(values, discrete[1:])[0, 1] for values in columns]
    assert np.var(drawn) == pytest.approx(1 / (e * records), rel=0.25)


def test_on_continuous_columns_it_is_rank_pc():
    values, _ = normal_data(300)
    none = np.zeros(4, bool)
    np.testing.assert_allclose(copula_correlations(values, none), rank_correlations(values), rtol=1e-12)
    learned, other = pc_copula(values, none), pc_rank(values, none)
    assert np.array_equal(learned.cpdag, other.cpdag)
    assert learned.score_calls == other.score_calls


def test_a_matrix_becomes_positive_definite_and_one_that_is_so_stays():
    matrix = np.array([[1, 0.9, -0.9], [0.9, 1, 0.9], [-0.9, 0.9, 1]])
    near = positive(matrix)
    assert np.linalg.eigvalsh(near)[0] > 0
    np.testing.assert_array_equal(np.diag(near), 1)
    assert (np.sign(near) == np.sign(matrix)).all()
    assert np.abs(near - matrix).max() < 0.5
    np.testing.assert_array_equal(positive(np.eye(3)), np.eye(3))


def test_independent_levels_have_edges_as_often_as_alpha_says():
    rng, discrete = np.random.default_rng(2), np.ones(2, bool)
    edges = [pc_copula(rng.integers(0, 2, (300, 2)).astype(float), discrete).cpdag.any() for _ in range(400)]
    assert 0.02 < np.mean(edges) < 0.09


def test_constant_columns_correlate_with_none():
    values = np.column_stack([np.ones(50), np.arange(50.0), np.arange(50) % 2, np.zeros(50)])
    discrete = np.array([True, False, True, False])
    matrix = copula_correlations(values, discrete)
    assert matrix[0, 1] == matrix[0, 2] == matrix[2, 3] == matrix[1, 3] == 0
    assert not pc_copula(values, discrete).cpdag[0].any()


NONE = np.zeros(4, bool)


def chain(seed, records=400):
    """Return values of a Gaussian chain with a collider at its end, float64 [records, 4]."""
    rng = np.random.default_rng(seed)
    values = rng.standard_normal((records, 4))
    values[:, 1] += values[:, 0]
    values[:, 3] += values[:, 1] + values[:, 2]
    return values


@given(seed=st.integers(0, 2**32), digits=st.sampled_from([0, 1, 9]))
def test_correlations_are_twice_the_sine_of_spearmans(seed, digits):
    values = np.round(chain(seed, 30), digits)
    expected = 2 * np.sin(np.pi / 6 * spearmanr(values).statistic)
    np.testing.assert_allclose(rank_correlations(values), expected, atol=1e-9)


def test_a_bent_chain_with_a_collider_is_found_where_plain_correlations_are_not_enough():
    values = np.exp(2 * chain(2, 2000))
    truth = np.zeros((4, 4), bool)
    truth[0, 1] = truth[1, 0] = truth[1, 3] = truth[2, 3] = True
    assert np.array_equal(pc_rank(values, NONE, alpha=0.01).cpdag, truth)
    assert not np.array_equal(pc_fisherz(values, NONE, alpha=0.01).cpdag, truth)


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
