"""Values to codes: how thresholds discretize (Fu 2005, II.2)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def encode(values: np.ndarray, thresholds: Sequence[np.ndarray]) -> np.ndarray:
    """Return the codes of values under one threshold list per column.

    A value x has code k when t_k <= x < t_(k+1).

    Args:
        values: float64 [N, n].
        thresholds: n sorted float64 arrays; an empty one makes a single level.

    Returns:
        int32 [N, n], columns contiguous.
    """
    codes = np.empty(values.shape, np.int32, order="F")
    for i, cuts in enumerate(thresholds):
        codes[:, i] = np.searchsorted(cuts, values[:, i], side="right")
    return codes


def cardinalities(thresholds: Sequence[np.ndarray]) -> np.ndarray:
    """Return the number of levels of each variable, int64 [n]."""
    return np.array([len(cuts) + 1 for cuts in thresholds], np.int64)


def discrete_thresholds(column: np.ndarray) -> np.ndarray:
    """Return the thresholds, float64 [r - 1], that leave a column of codes 0..r-1, float64 [N], as it is."""
    return np.arange(int(column.max())) + 0.5
