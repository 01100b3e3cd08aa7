"""Filled cells keep the columns and what is between them, where dropping records or filling in means do not."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutpoint.base.errors import InputError
from cutpoint.data.imputation import impute

NONE = np.zeros(2, bool)


def rng(seed=0):
    return np.random.default_rng(seed)


@given(st.integers(0, 10_000), st.integers(1, 5), st.floats(0, 0.6))
def test_cells_that_are_there_stay_and_others_get_values_of_their_column(seed, n, share):
    draw = rng(seed)
    values = np.round(draw.normal(size=(40, n)), 1)
    discrete = draw.random(n) < 0.4
    values[:, discrete] = draw.integers(3, size=(40, discrete.sum()))
    holes = draw.random(values.shape) < share
    holes[0] = False
    gapped = np.where(holes, np.nan, values)
    filled = impute(gapped, discrete, rng(seed))
    np.testing.assert_array_equal(filled[~holes], values[~holes])
    for i in range(n):
        assert {*filled[:, i]} <= {*values[~holes[:, i], i]}
    np.testing.assert_array_equal(filled, impute(gapped, discrete, rng(seed)))
    assert np.isnan(gapped).sum() == holes.sum()  # the input is left alone


def test_correlations_come_back_where_the_mean_would_weaken_them():
    draw = rng(1)
    x = draw.normal(size=4000)
    y = 0.8 * x + 0.6 * draw.normal(size=4000)
    values = np.column_stack([x, y])
    values[draw.random(4000) < 0.4, 1] = np.nan
    filled = impute(values, NONE, rng())
    means = np.where(np.isnan(values), np.nanmean(values, axis=0), values)
    assert np.corrcoef(filled.T)[0, 1] == pytest.approx(0.8, abs=0.03)  # 0.8 +- 3 sd of a correlation of 2400 records
    assert np.corrcoef(means.T)[0, 1] < 0.7
    assert filled[:, 1].std() == pytest.approx(1, abs=0.05)


def test_a_mean_comes_back_where_large_values_are_missing_at_random():
    draw = rng(2)
    x = draw.normal(size=4000)
    y = x + draw.normal(size=4000)
    values = np.column_stack([x, y])
    values[(x > 0) & (draw.random(4000) < 0.6), 1] = np.nan
    assert np.nanmean(values[:, 1]) < -0.25
    assert impute(values, NONE, rng())[:, 1].mean() == pytest.approx(0, abs=0.1)


def test_a_relation_that_is_not_monotone_comes_back():
    draw = rng(3)
    x = draw.normal(size=3000)
    y = x**2 + 0.3 * draw.normal(size=3000)
    values = np.column_stack([x, y])
    values[draw.random(3000) < 0.3, 1] = np.nan
    filled = impute(values, NONE, rng())
    assert np.corrcoef(filled[:, 0] ** 2, filled[:, 1])[0, 1] > 0.95


def test_states_come_back_as_often_as_they_are_with_each_state_of_another_column():
    draw = rng(4)
    x = draw.integers(3, size=6000)
    y = np.where(draw.random(6000) < 0.7, (x + 1) % 3, draw.integers(3, size=6000))
    values = np.column_stack([x, y]).astype(float)
    values[draw.random(6000) < 0.4, 1] = np.nan
    filled = impute(values, np.ones(2, bool), rng())
    for state in range(3):
        share = (filled[x == state, 1] == (state + 1) % 3).mean()
        assert share == pytest.approx(0.8, abs=0.04)


def test_a_column_without_a_value_is_one_line():
    values = np.array([[1.0, np.nan], [2.0, np.nan]])
    with pytest.raises(InputError, match="column 1: no cell is left"):
        impute(values, NONE, rng())
