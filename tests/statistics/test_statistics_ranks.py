"""Friedman's test, what follows it: the textbook, twins, and the null."""

import numpy as np
import pytest
from demsar import AUC, within
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from cutpoint.bench.statistics.ranks import (
    average_ranks,
    cliques,
    critical_difference,
    friedman,
    holm,
    holm_pairs,
    iman_davenport,
    spearman,
)

SEEDS = st.integers(0, 100_000)


def test_the_textbook():
    test = friedman(AUC, lower_is_better=False)
    np.testing.assert_allclose(test.ranks, [3.143, 2.000, 2.893, 1.964], atol=5e-4)
    assert test.difference == pytest.approx(1.25, abs=0.01)
    plain = 12 * 14 / (4 * 5) * ((test.ranks**2).sum() - 4 * 5**2 / 4)  # without the correction for ties
    assert plain == pytest.approx(9.28, abs=0.005)
    assert iman_davenport(plain, 4, 14)[0] == pytest.approx(3.69, abs=0.005)
    assert test.statistic == pytest.approx(stats.friedmanchisquare(*AUC.T).statistic)
    assert test.statistic > plain


def rank_pvalues(ranks, blocks):
    """Demsar (2006), 3.2.2: z = (R_i - R_j) / sqrt(K (K + 1) / (6 B)), two-sided."""
    error = np.sqrt(len(ranks) * (len(ranks) + 1) / (6 * blocks))
    pvalues = 2 * stats.norm.sf(np.abs(ranks[:, None] - ranks) / error)
    np.fill_diagonal(pvalues, np.nan)
    return pvalues


def test_holm_of_the_textbook():
    """Demsar (2006), 3.2.2: z of C4.5 against the others, p = 0.016, 0.019 and 0.607; Holm rejects the first two."""
    result = friedman(AUC, lower_is_better=False)
    pvalues = rank_pvalues(result.ranks, result.blocks)[0]
    np.testing.assert_allclose(pvalues, [np.nan, 0.019, 0.607, 0.016], atol=2e-3)
    np.testing.assert_allclose(holm(pvalues), [np.nan, 0.047, 0.607, 0.047], atol=2e-3)


def test_cliques_of_the_textbook():
    """Nemenyi's test finds nothing at 5 %; at 10 % C4.5 is worse than the two with m (Demsar 2006, 3.2.4)."""
    ranks = friedman(AUC, lower_is_better=False).ranks
    assert [sorted(group.tolist()) for group in cliques(ranks, critical_difference(4, 14))] == [[0, 1, 2, 3]]
    groups = cliques(ranks, critical_difference(4, 14, alpha=0.10))
    assert [group.tolist() for group in groups] == [[3, 1, 2], [2, 0]]


@given(arrays(float, st.integers(1, 8), elements=st.floats(0, 10).map(lambda x: round(x, 1))), st.floats(0, 4))
def test_methods_share_a_clique_exactly_when_they_are_near(ranks, difference):
    groups = cliques(ranks, difference)
    for i in range(len(ranks)):
        for j in range(len(ranks)):
            together = any(i in g and j in g for g in groups)
            lower, upper = sorted([ranks[i], ranks[j]])
            assert together == (upper <= lower + difference)
    sets = [set(g.tolist()) for g in groups]
    assert not any(a < b for a in sets for b in sets)


def step_down(pvalues):
    """Holm: the i-th smallest p value times those from it on, never below the one before."""
    adjusted, last = {}, 0.0
    for place, k in enumerate(sorted(range(len(pvalues)), key=pvalues.__getitem__)):
        last = adjusted[k] = max(last, min(1.0, (len(pvalues) - place) * pvalues[k]))
    return [adjusted[k] for k in range(len(pvalues))]


@given(SEEDS, st.integers(2, 6))
def test_holm_steps_down_and_takes_each_pair_once(seed, methods):
    rng = np.random.default_rng(seed)
    pvalues = np.full((methods, methods), np.nan)
    upper = np.triu_indices(methods, 1)
    pvalues[upper] = pvalues.T[upper] = np.round(rng.random(len(upper[0])) ** 3, 2)
    adjusted = holm_pairs(pvalues)
    np.testing.assert_allclose(adjusted[upper], step_down(pvalues[upper].tolist()), atol=1e-12)
    np.testing.assert_array_equal(adjusted, adjusted.T)
    for row in pvalues:  # its own column is NaN
        finite = np.isfinite(row)
        np.testing.assert_allclose(holm(row)[finite], step_down(row[finite].tolist()), atol=1e-12)
        assert np.isnan(holm(row)[~finite]).all()


def test_iman_davenport_is_the_analysis_of_variance_of_ranks(rng):
    values = rng.integers(0, 4, (9, 5)).astype(float)
    test = friedman(values)
    ranks = average_ranks(values)
    between = 9 * ((ranks.mean(0) - 3) ** 2).sum() / 4
    rest = ((ranks - ranks.mean(0) - ranks.mean(1, keepdims=True) + 3) ** 2).sum() / (4 * 8)
    assert test.f_statistic == pytest.approx(between / rest)
    assert test.f_pvalue == pytest.approx(stats.f.sf(between / rest, 4, 32))
    alike = friedman(np.tile(np.arange(4.0), (6, 1)))
    assert (alike.f_statistic, alike.f_pvalue) == (np.inf, 0)


def test_spearman_is_that_of_scipy_with_ties_and_without(rng):
    for a, b in rng.integers(0, 4, (2, 12)).astype(float), rng.standard_normal((2, 5)):
        assert spearman(a, b)[0] == pytest.approx(stats.spearmanr(a, b).statistic)


@given(SEEDS)
def test_ranks_do_not_change_under_monotone_maps(seed):
    values = np.random.default_rng(seed).integers(0, 6, (6, 4)).astype(float)
    scaled = np.exp(values / 3) * np.arange(1, 7)[:, None] + 5  # another map for each block
    a, b, turned = friedman(values), friedman(scaled), friedman(-values, lower_is_better=False)
    np.testing.assert_array_equal(a.ranks, b.ranks)
    np.testing.assert_array_equal(a.ranks, turned.ranks)
    np.testing.assert_allclose(a.statistic, b.statistic)
    order = np.random.default_rng(seed).permutation(4)
    np.testing.assert_allclose(friedman(values[:, order]).ranks, a.ranks[order])


def test_false_positives_of_rank_tests_are_as_rare_as_they_say():
    """1500 tables of six equal methods on twelve blocks: the share with any difference found."""
    rng, trials, methods = np.random.default_rng(6), 1500, 6
    f, nemenyi, control, pairs, chosen = 0, 0, 0, 0, 0
    for values in rng.exponential(size=(trials, 12, methods)) + rng.normal(size=(trials, 12, 1)):
        test = friedman(values)
        f += test.f_pvalue < 0.05
        nemenyi += np.ptp(test.ranks) > test.difference
        pvalues = rank_pvalues(test.ranks, test.blocks)
        best = int(test.ranks.argmin())
        control += np.nanmin(holm(pvalues[0])) < 0.05
        pairs += np.nanmin(holm_pairs(pvalues)[best]) < 0.05
        chosen += np.nanmin(holm(pvalues[best])) < 0.05
    assert within(f, trials, 0.05)
    for count in (nemenyi, control, pairs):
        assert 0.01 * trials < count <= stats.binom.ppf(0.9999, trials, 0.05)
    # why the best is tested over all pairs: against a method chosen by the same data Holm's 5 % are more
    assert chosen > stats.binom.ppf(0.9999, trials, 0.05)
