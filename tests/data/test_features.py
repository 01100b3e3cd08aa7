"""Features of data against their formulas, and what leaves them as they are."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from cutpoint.data.features import FEATURES, features_of


def slow(values, discrete):
    columns = [values[:, i] for i in np.flatnonzero(~discrete)]
    tied = [np.mean([np.count_nonzero(column == x) > 1 for x in column]) for column in columns]
    scores = stats.norm.ppf((np.arange(1, len(values) + 1) - 3 / 8) / (len(values) + 1 / 4))
    normal = [np.corrcoef(np.sort(column), scores)[0, 1] ** 2 for column in columns]
    bent = [
        np.corrcoef(x, (y - y.mean()) ** 2)[0, 1] ** 2
        for i, x in enumerate(columns)
        for j, y in enumerate(columns)
        if i != j
    ]
    return {
        "discrete_share": discrete.mean(),
        "tied_share": np.mean(tied),
        "skewness": np.mean([abs(stats.skew(column)) for column in columns]),
        "normality": np.mean(normal),
        "curvature": np.mean(bent) - 1 / len(values),
    }


@given(seed=st.integers(0, 1000), digits=st.integers(0, 3))
def test_features_are_their_formulas_in_any_unit_and_order(seed, digits):
    rng = np.random.default_rng(seed)
    values = np.round(rng.gamma(2, size=(60, 4)), digits)
    values[:, 3] = rng.integers(0, 3, 60)
    discrete = np.array([False, False, False, True])
    found = features_of(values, discrete)
    assert tuple(found) == FEATURES
    assert found == pytest.approx(slow(values, discrete))
    order = rng.permutation(4)
    moved = (values * [2, 3, 5, 1] + [1, -7, 0, 0])[rng.permutation(60)][:, order]
    assert features_of(moved, discrete[order]) == pytest.approx(found)


def test_what_data_do_not_have_is_none():
    codes = features_of(np.zeros((10, 2)), np.ones(2, bool))
    assert codes["discrete_share"] == 1
    assert {codes[name] for name in FEATURES[1:]} == {None}
    assert features_of(np.random.default_rng(0).normal(size=(10, 1)), np.zeros(1, bool))["curvature"] is None
    assert features_of(np.ones((10, 2)), np.zeros(2, bool))["normality"] is None
