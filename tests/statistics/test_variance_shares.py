"""Shares of sums of squares against least squares on dummy variables, and what must hold of any design."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutpoint.bench.statistics.variance_shares import REST, variance_shares

NAMES = ("a", "b", "c", "d")


def columns_of(shape, members):
    """Return a dummy variable for each combination of the levels of some factors, [cells, combinations]."""
    cells = np.indices(shape).reshape(len(shape), -1)
    levels = np.ravel_multi_index(cells[list(members)], [shape[axis] for axis in members])
    return np.eye(levels.max() + 1)[levels]


def residual(y, parts):
    """Return the residual sum of squares of a least-squares fit on the columns of all parts."""
    x = np.column_stack([np.ones(len(y)), *parts])
    return float(((y - x @ np.linalg.lstsq(x, y, rcond=None)[0]) ** 2).sum())


@pytest.mark.parametrize("shape", [(2, 3), (3, 2, 4), (2, 3, 2, 2)])
def test_shares_are_what_least_squares_explains_beyond_all_other_effects(shape, rng):
    values = rng.normal(size=shape) + np.arange(shape[0]).reshape(-1, *[1] * (len(shape) - 1))
    y, axes = values.ravel(), range(len(shape))
    sets = [*combinations(axes, 1), *combinations(axes, 2)]
    found = variance_shares(values, NAMES[: len(shape)])
    total = residual(y, [])
    for members in sets:
        # a pair contains the columns of its factors: a factor is compared with the other factors alone
        below = [each for each in sets if len(each) == 1 or len(members) == 2]
        others = [columns_of(shape, each) for each in below if each != members]
        explained = residual(y, others) - residual(y, [*others, columns_of(shape, members)])
        assert found[tuple(NAMES[axis] for axis in members)] == pytest.approx(explained / total, abs=1e-9)
    everything = [columns_of(shape, members) for members in sets]
    assert found[REST] == pytest.approx(residual(y, everything) / total, abs=1e-9)


@given(seed=st.integers(0, 1000), scale=st.floats(0.1, 100), shift=st.floats(-100, 100))
def test_shares_sum_to_one_and_do_not_depend_on_units_or_on_the_order_of_levels(seed, scale, shift):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(3, 2, 4))
    found = variance_shares(values, NAMES[:3])
    assert sum(found.values()) == pytest.approx(1)
    assert min(found.values()) >= 0
    other = variance_shares(scale * values[rng.permutation(3)][:, :, rng.permutation(4)] + shift, NAMES[:3])
    assert other == pytest.approx(found, abs=1e-9)


def test_one_factor_takes_all_where_nothing_else_varies():
    found = variance_shares(np.broadcast_to(np.arange(3.0)[:, None, None], (3, 2, 2)), NAMES[:3])
    assert found["a",] == pytest.approx(1)
    assert np.isnan(variance_shares(np.ones((2, 2)), NAMES[:2])["a",])
