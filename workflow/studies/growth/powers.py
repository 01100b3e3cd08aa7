"""Power laws: how a cost grows with a size."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Power(NamedTuple):
    """The law ``scale * (size / reference) ** exponent``, float64 [...] each; NaN with fewer than two points.

    The deviation is the largest relative one of a point from the law, such as 0.1; 0 of two points.
    """

    exponent: np.ndarray
    scale: np.ndarray
    deviation: np.ndarray


def power_law(sizes: np.ndarray, values: np.ndarray, reference: float) -> Power:
    """Fit a power law to values [..., K] at sizes [K] by least squares of the logarithms.

    What is not finite or not above 0 is no point.
    """
    there = np.isfinite(values) & (np.asarray(values) > 0)
    x = np.broadcast_to(np.log(np.asarray(sizes, float) / reference), there.shape)
    y = np.log(np.where(there, values, 1.0))
    count = there.sum(-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        mx, my = ((np.where(there, each, 0.0)).sum(-1) / count for each in (x, y))
        dx = np.where(there, x - mx[..., None], 0.0)
        exponent = np.where(count > 1, (dx * y).sum(-1) / (dx * dx).sum(-1), np.nan)
    intercept = my - exponent * mx
    rest = np.where(there, y - intercept[..., None] - exponent[..., None] * x, 0.0)
    deviation = np.expm1(np.abs(rest).max(-1, initial=0.0))
    return Power(exponent, np.exp(intercept), np.where(np.isfinite(exponent), deviation, np.nan))
