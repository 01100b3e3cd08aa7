"""K-means by dynamic programming against all partitions, and against Lloyd's iterations."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from cutpoint.discretization.kmeans import kmeans

columns = st.one_of(
    arrays(np.float64, st.integers(1, 9), elements=st.floats(-1e3, 1e3, width=32)),
    arrays(np.float64, st.integers(1, 30), elements=st.integers(0, 6).map(float)),
)


def cuts(x, k):
    return kmeans(x[:, None], np.array([False]), bins=k)[0]


def squares(x, thresholds):
    """Return the sum of squared distances to the means of the levels."""
    levels = np.searchsorted(thresholds, x, side="right")
    return sum(((x[levels == k] - x[levels == k].mean()) ** 2).sum() for k in set(levels.tolist()))


@given(x=columns, k=st.integers(1, 5))
def test_no_other_partition_is_better(x, k):
    thresholds = cuts(x, k)
    distinct = np.unique(x)
    assert len(thresholds) == min(k, distinct.size) - 1
    middles = (distinct[1:] + distinct[:-1]) / 2
    best = min(squares(x, np.array(some)) for some in combinations(middles, len(thresholds)))
    assert squares(x, thresholds) == pytest.approx(best, rel=1e-9, abs=1e-9 * (1 + np.abs(x).max()) ** 2)


def test_a_large_column_far_from_0_keeps_its_digits():
    rng = np.random.default_rng(1)
    x = np.concatenate([rng.normal(m, 0.1, 2000) for m in (0.0, 1.0, 3.0)]) + 1e6
    assert (np.abs(cuts(x, 3) - 1e6 - [0.5, 2.0]) < 0.3).all()
