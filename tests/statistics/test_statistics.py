"""Means and ranks by hand."""

import numpy as np
import pytest

from cutpoint.bench.statistics.estimates import mean
from cutpoint.bench.statistics.ranks import critical_difference, friedman, spearman


def test_the_mean_of_what_is_there():
    values = np.array([[0.5, 3.0, np.nan], [np.nan] * 3])
    np.testing.assert_allclose(mean(values, 1), [1.75, np.nan])
    assert mean(values, (0, 1)) == 1.75


def test_friedman_leaves_out_what_is_missing():
    values = np.arange(20.0).reshape(4, 5)
    values[:2, 1] = np.nan
    values[3, 0] = np.nan
    test = friedman(values)
    assert test.kept.tolist() == [0, 2, 3, 4]
    assert test.blocks == 3
    assert friedman(np.empty((0, 5))) is None
    assert friedman(values[:, :2]) is None


def test_critical_difference_of_the_textbook():
    """Demsar (2006), Table 5: 2.343 for three classifiers, 2.569 for four; his example has 14 data sets, CD 1.25."""
    assert critical_difference(3, 6) == pytest.approx(2.343 * np.sqrt(12 / 36), abs=1e-3)
    assert critical_difference(4, 14) == pytest.approx(1.25, abs=0.01)


def test_spearman_of_few_or_constant_is_undefined():
    assert np.isnan(spearman(np.ones(2), np.ones(2))[0])
    assert np.isnan(spearman(np.ones(5), np.arange(5.0))[0])
    rho, count = spearman(np.array([1, 2, 3, np.nan]), np.array([3, 2, 1, 0.0]))
    assert (rho, count) == (pytest.approx(-1), 3)
