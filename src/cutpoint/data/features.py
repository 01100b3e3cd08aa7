"""What can be measured of data before anything is learned, and tells how they may have come about."""

import numpy as np
from scipy.special import ndtri

FEATURES = ("discrete_share", "tied_share", "skewness", "normality", "curvature")


def features_of(values: np.ndarray, discrete: np.ndarray) -> dict[str, float | None]:
    """Return the features of values, float64 [N, n], by name, in the order of `FEATURES`; None without such columns.

    ``discrete_share``: columns of codes, bool [n], over all. Of continuous columns the means over columns of
    ``tied_share``, records whose value another record has; ``skewness``, its absolute value; ``normality``, the squared
    correlation of the sorted values with normal scores (Shapiro and Francia 1972), 1 for normal data; and over pairs of
    columns ``curvature``, the squared correlation of one with the square of the other, both standardised, less 1 / N,
    which it is for independent ones.
    """
    continuous = values[:, ~discrete]
    continuous = continuous[:, np.ptp(continuous, axis=0) > 0] if len(continuous) else continuous
    features: dict[str, float | None] = dict.fromkeys(FEATURES)
    features["discrete_share"] = float(discrete.mean()) if discrete.size else None
    if len(values) < 3 or not continuous.shape[1]:
        return features
    scaled = (continuous - continuous.mean(0)) / continuous.std(0)
    features["tied_share"] = float(np.mean([_tied(column) for column in continuous.T]))
    features["skewness"] = float(np.abs((scaled**3).mean(0)).mean())
    features["normality"] = float(_normality(scaled).mean())
    if scaled.shape[1] > 1:
        features["curvature"] = _curvature(scaled)
    return features


def _tied(column: np.ndarray) -> float:
    """Return the share of records whose value another record has."""
    counts = np.unique(column, return_counts=True)[1]
    return float(counts[counts > 1].sum() / len(column))


def _normality(scaled: np.ndarray) -> np.ndarray:
    """Return the squared correlation of each sorted column with normal scores, float64 [n]."""
    records = len(scaled)
    scores = ndtri((np.arange(1, records + 1) - 0.375) / (records + 0.25))
    return (scores @ np.sort(scaled, axis=0)) ** 2 / (records * (scores @ scores))


def _curvature(scaled: np.ndarray) -> float:
    """Return the mean over ordered pairs of the squared correlation of one column with the square of another."""
    records, n = scaled.shape
    squares = scaled**2 - 1.0
    spread = squares.std(0)
    with np.errstate(invalid="ignore", divide="ignore"):
        correlations = scaled.T @ squares / (records * spread)
    pairs = (correlations**2)[~np.eye(n, dtype=bool)]
    return float(np.nanmean(pairs)) - 1 / records if np.isfinite(pairs).any() else 0.0
