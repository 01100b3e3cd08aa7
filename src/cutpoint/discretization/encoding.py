"""Values to codes: how thresholds discretize (Fu 2005, II.2)."""

from collections.abc import Sequence

import numpy as np

COMPARED = 32  # thresholds with each of which a column is compared; more are searched


def encode(values: np.ndarray, thresholds: Sequence[np.ndarray]) -> np.ndarray:
    """Return the codes of values, float64 [N, n], under one sorted list of thresholds per column.

    A value x has code k when t_k <= x < t_(k+1). Codes are int32 [N, n], columns contiguous.
    """
    codes = np.empty(values.shape, np.int32, order="F")
    for i, cuts in enumerate(thresholds):
        codes[:, i] = encode_column(values[:, i], cuts)
    return codes


def encode_column(column: np.ndarray, cuts: np.ndarray) -> np.ndarray:
    """Return the codes of one column of finite values, float64 [N], under its thresholds: integers [N]."""
    if len(cuts) > COMPARED:
        return np.searchsorted(cuts, column, side="right")
    codes = np.zeros(column.shape, np.uint8)
    for cut in cuts:  # as vector instructions; a search for each value takes far longer
        codes += (column >= cut).view(np.uint8)
    return codes


def cardinalities(thresholds: Sequence[np.ndarray]) -> np.ndarray:
    """Return the number of levels of each variable that thresholds define, int64 [n]; see `cutpoint.Thresholds`."""
    return np.array([len(cuts) + 1 for cuts in thresholds], np.int64)


def discrete_thresholds(column: np.ndarray) -> np.ndarray:
    """Return the thresholds, float64 [r - 1], that leave a column of codes 0..r-1, float64 [N], as it is."""
    return np.arange(int(column.max())) + 0.5
