"""PC with rank correlations against SciPy's Spearman, and what a transformation must not change."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import spearmanr

from cutpoint.learners.constraint import pc_fisherz
from cutpoint.learners.copula_pc import pc_rank, rank_correlations

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


def test_they_estimate_the_correlations_of_a_gaussian_copula():
    values = chain(0, 50_000)
    expected = np.corrcoef(values.T)
    np.testing.assert_allclose(rank_correlations(np.exp(values)), expected, atol=0.015)


@given(seed=st.integers(0, 2**32))
def test_increasing_transformations_change_nothing(seed):
    values = chain(seed, 100)
    bent = np.column_stack([np.exp(values[:, 0]), values[:, 1] ** 3, values[:, 2], np.arctan(values[:, 3])])
    assert np.array_equal(pc_rank(values, NONE).cpdag, pc_rank(bent, NONE).cpdag)


def test_a_bent_chain_with_a_collider_is_found_where_plain_correlations_are_not_enough():
    values = np.exp(2 * chain(2, 2000))
    truth = np.zeros((4, 4), bool)
    truth[0, 1] = truth[1, 0] = truth[1, 3] = truth[2, 3] = True
    assert np.array_equal(pc_rank(values, NONE, alpha=0.01).cpdag, truth)
    assert not np.array_equal(pc_fisherz(values, NONE, alpha=0.01).cpdag, truth)


def test_constant_columns_have_no_arc():
    values = chain(3, 200)
    values[:, 1] = 2.0
    assert not pc_rank(values, NONE).cpdag[1].any()
