"""Thresholds between the components of a Gaussian mixture; Ruichu's method, each variable alone."""

from __future__ import annotations

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.discretization.binning import check, midpoints
from cutpoint.discretization.encoding import frozen_thresholds
from cutpoint.discretization.mixtures import Column, Mixture, Sample, choose
from cutpoint.options import AtLeast1


def ruichu(
    values: np.ndarray, frozen: np.ndarray, *, min_levels: AtLeast1 = 2, max_levels: AtLeast1 = 8
) -> list[np.ndarray]:
    """Cut each variable between the components of its own Gaussian mixture (Ruichu in Mabrouk 2015, 4).

    The number of components is that of the best BIC with 3 K - 1 parameters; the thresholds are those of MGCD.

    Args:
        values: float64 [N, n], finite.
        frozen: bool [n], columns of codes that stay as they are.
        min_levels, max_levels: limits of the number of components. A level that would hold no record is left out,
            so that fewer may come out where values repeat; a constant column keeps one level.

    Returns:
        One sorted array of thresholds per variable.

    Raises:
        InputError: for limits that are none, or values that are not finite.
    """
    check_levels(values, min_levels, max_levels)
    policy = []
    for x, keep in zip(values.T, frozen, strict=True):
        if keep:
            policy.append(frozen_thresholds(x))
            continue
        column = Column(x)
        policy.append(thresholds(column, choose(Sample(column), min_levels=min_levels, max_levels=max_levels)))
    return policy


def check_levels(values: np.ndarray, min_levels: int, max_levels: int) -> None:
    """Raise an InputError when the limits do not hold 1 <= min <= max or a value is not finite."""
    if not 1 <= min_levels <= max_levels:
        raise InputError(f"min_levels {min_levels}, max_levels {max_levels}: 1 <= min_levels <= max_levels must hold")
    check(values, max_levels)


def cut_points(means: np.ndarray, deviations: np.ndarray) -> np.ndarray:
    """Return the cut points that lose the least mass of neighbouring Gaussians (Mabrouk 2015, Proposition 2).

    The loss u(t) of a cut is the mass of the lower Gaussian above t and of the upper one below. On the stretch
    between the means the log of the ratio of the densities rises, so that u' changes its sign there once, at the
    root of Eq. 7, which is its least value; or never, and then the least value is at an end. (The print has the
    end with the highest loss, a slip of the sign.)

    Args:
        means: float64 [K], sorted.
        deviations: float64 [K], positive.

    Returns:
        float64 [K - 1], not decreasing; the k-th lies in [means[k], means[k + 1]].
    """
    distance = np.diff(means)
    unit = np.maximum(np.maximum(deviations[:-1], deviations[1:]), distance)
    d, lower, upper = distance / unit, deviations[:-1] / unit, deviations[1:] / unit
    log_ratio = np.log(deviations[1:] / deviations[:-1])
    # ln of upper to lower density at means[k] + y, times 2 (lower upper)^2: a y^2 + 2 b y + c.
    a = (upper - lower) * (upper + lower)
    b = d * lower**2
    c = -((d * lower) ** 2) - 2.0 * (lower * upper) ** 2 * log_ratio
    slope = b + np.sqrt(np.maximum(b * b - a * c, 0.0))
    y = np.divide(-c, slope, out=np.zeros_like(c), where=slope > 0)
    starts_above = -(d**2) >= 2.0 * upper**2 * log_ratio
    ends_below = d**2 <= 2.0 * lower**2 * log_ratio
    y = np.select([starts_above, ends_below], [0.0, d], y)
    return np.clip(means[:-1] + y * unit, means[:-1], means[1:])


def thresholds(column: Column, mixture: Mixture) -> np.ndarray:
    """Return the cut points of a mixture in the column's units, without those that make a level without records.

    Args:
        column: the variable.
        mixture: in units of `Column.x`.

    Returns:
        float64, strictly increasing. At least one where the mixture has two components: if none divides the
        records, the change of value nearest to the first one.
    """
    cuts = column.centre + column.scale * cut_points(mixture.means, mixture.deviations)
    places, first = np.unique(np.searchsorted(column.sorted, cuts), return_index=True)
    kept = cuts[first[(places > 0) & (places < column.sorted.size)]]
    if kept.size or not cuts.size:
        return kept
    changes = np.flatnonzero(np.diff(column.sorted) > 0) + 1
    middles = midpoints(column.sorted[changes - 1], column.sorted[changes])
    return middles[[np.argmin(np.abs(middles - cuts[0]))]]
