"""Floats near their limits: columns scaled to near 1, so that their squares neither overflow nor underflow; middles."""

import numpy as np


def near_one(values: np.ndarray) -> np.ndarray:
    """Return finite columns, [N, n] or [N], times a power of two: the largest absolute value is in [0.5, 1), or 0.

    A power of two changes no digit of the mantissa: standardised values have the same bits with and without it.
    """
    return np.ldexp(values, -exponents(values))


def exponents(values: np.ndarray) -> np.ndarray:
    """Return e of the power of two 2^e that `near_one` divides each column by, int32 [n] or []; 0 for zeros."""
    return np.frexp(np.maximum(values.max(axis=0), -values.min(axis=0)))[1]


def midpoints(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return thresholds t with left < t <= right, halfway where the floats have room; all float64 [m]."""
    middle = 0.5 * left + 0.5 * right
    return np.where((left < middle) & (middle <= right), middle, right)
