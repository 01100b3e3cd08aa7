"""What confidences are worth: reliability in bins and calibration error.

Features are counted by confidence: `pairs` of them have one, and `true` of these are true.
"""

from __future__ import annotations

import numpy as np

BINS = 10  # and one more for what no resample has
ROUNDING = 1e-6


def bin_of(confidence: np.ndarray) -> np.ndarray:
    """Return the bin of each confidence: 0 for 0, k for what is above (k - 1) / 10 and at most k / 10."""
    return np.ceil(np.asarray(confidence) * BINS - ROUNDING).astype(int)


def bin_sums(confidence: np.ndarray, pairs: np.ndarray, true: np.ndarray) -> np.ndarray:
    """Return the sums of features, their confidences and true ones by bin, float64 [BINS + 1, 3].

    Args:
        confidence: float64 [K].
        pairs, true: numbers [K].
    """
    sums = np.zeros((BINS + 1, 3))
    np.add.at(sums, bin_of(confidence), np.column_stack([pairs, pairs * confidence, true]))
    return sums


def calibration_error(sums: np.ndarray) -> np.ndarray:
    """Return the expected calibration error: the mean over features of the gap of their bin.

    The gap of a bin is the distance from its mean confidence to its share of true features (Naeini et al. 2015).

    Args:
        sums: float64 [..., BINS + 1, 3], see `bin_sums`.

    Returns:
        float64 [...], NaN without features.
    """
    gaps = np.abs(sums[..., 1] - sums[..., 2]).sum(-1)
    return ratio(gaps, sums[..., 0].sum(-1))


def ratio(part: np.ndarray | float, whole: np.ndarray | float) -> np.ndarray:
    """Return part / whole, NaN where whole is 0."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(np.asarray(whole) == 0, np.nan, np.divide(part, whole))
