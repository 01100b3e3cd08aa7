"""Columns in other units: near 1, so that their squares neither overflow nor underflow, and standardised; ranks."""

import numpy as np


def near_one(values: np.ndarray) -> np.ndarray:
    """Return finite columns, [N, n] or [N], times a power of two; the largest magnitude is in [0.5, 1), or 0."""
    return np.ldexp(values, -exponents(values))


def exponents(values: np.ndarray) -> np.ndarray:
    """Return e of the power of two 2^e that `near_one` divides each column by, int32 [n] or []; 0 for zeros."""
    return np.frexp(np.maximum(values.max(axis=0), -values.min(axis=0)))[1]


def standardised(column: np.ndarray) -> np.ndarray:
    """Return a column with mean 0 and deviation 1, float64 [N]; zeros for a constant one."""
    centred = near_one(column)
    centred -= centred.mean()
    return centred / (centred.std() or 1.0)


def midpoints(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return thresholds t with left < t <= right, halfway where the floats have room; all float64 [m]."""
    middle = 0.5 * left + 0.5 * right
    return np.where((left < middle) & (middle <= right), middle, right)


def mean_ranks(column: np.ndarray) -> np.ndarray:
    """Return ranks from 1, those of equal values their mean; both float64 [N], finite. SciPy's cost a long import."""
    _, places, counts = np.unique(column, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - (counts - 1) / 2)[places]
