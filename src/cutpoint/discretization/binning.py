"""Levels of equal width and of equal frequency, each variable by itself.

All discretizers of `cutpoint.method.registry` take

    values: float64 [N, n], finite;
    discrete: bool [n], columns of codes that stay as they are;

and options, whose annotated bounds `cutpoint.base.checking.check_options` checks. They return one sorted float64 array
of thresholds per variable, and raise an InputError for a value that is not finite.
"""

from collections.abc import Callable, Sequence

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.base.scaling import midpoints
from cutpoint.discretization.encoding import discrete_thresholds
from cutpoint.options import AtLeast1

MOST_BINS = 65_535  # levels of equal width; inner ones may be empty, so that the records are no limit
ROUNDING = 1e-9  # of the width of an interval


def equal_width(values: np.ndarray, discrete: np.ndarray, *, bins: AtLeast1 = 3) -> list[np.ndarray]:
    """Cut the range of each variable into intervals of equal width (Fu 2005, III.1.1).

    Inner levels may hold no record; a constant column keeps one level.
    """
    if bins > MOST_BINS:
        raise InputError(f"bins is {bins}: give at most {MOST_BINS} levels of equal width")
    return per_column(values, discrete, lambda column: width_cuts(column, bins))


def equal_frequency(values: np.ndarray, discrete: np.ndarray, *, bins: AtLeast1 = 3) -> list[np.ndarray]:
    """Cut each variable into levels of equally many records (Fu 2005, III.1.1).

    The cut j of k comes after rank round(j N / k), half to even; inside a run of equal values it moves to the nearest
    change of value, the lower one of two that are equally near. Cuts that coincide are merged, so that there are fewer
    levels where values repeat and none is empty.
    """
    # as many levels as records have all cuts already
    most = min(bins, len(values))
    return per_column(values, discrete, lambda column: _frequency_cuts(column, most))


def check(values: np.ndarray) -> None:
    """Raise an InputError when a value, float64 [N, n], is not finite."""
    bad = np.flatnonzero(~np.isfinite(values).all(axis=0))
    if bad.size:
        raise InputError(f"column {bad[0]} holds NaN or infinite values: remove or impute those records")


def per_column(values: np.ndarray, discrete: np.ndarray, cuts: Callable[[np.ndarray], np.ndarray]) -> list[np.ndarray]:
    """Check values, and return the cuts of each column; discrete ones keep their codes.

    cuts: from a column, float64 [N], to its sorted thresholds.
    """
    check(values)
    return [discrete_thresholds(x) if keep else cuts(x) for x, keep in zip(values.T, discrete, strict=True)]


def width_cuts(column: np.ndarray, bins: int) -> np.ndarray:
    """Return the inner edges of equal intervals of the range of a column, float64 [N].

    An edge that rounding alone parts from a value is this value, which is then above it in any unit.
    """
    low, high = column.min(), column.max()
    edges = np.linspace(low, high, bins + 1)
    if high > low:
        places = (column - low) / (high - low) * bins
        near = np.rint(places).astype(np.int64)
        at = np.abs(places - near) <= ROUNDING
        edges[near[at]] = column[at]
    cuts = np.unique(edges[1:-1])
    # A range of a few adjacent floats has no room for all edges.
    return cuts[(cuts > low) & (cuts <= high)]


def _frequency_cuts(column: np.ndarray, bins: int) -> np.ndarray:
    """Return the midpoints at the changes of value nearest to the quantile ranks."""
    ordered = np.sort(column)
    changes = np.flatnonzero(np.diff(ordered) > 0) + 1
    if not changes.size:
        return np.empty(0)
    ranks = np.rint(np.arange(1, bins) * column.size / bins).astype(np.int64)
    after = np.minimum(np.searchsorted(changes, ranks), changes.size - 1)
    before = np.maximum(after - 1, 0)
    lower = np.abs(ranks - changes[before]) <= np.abs(changes[after] - ranks)
    places = np.unique(changes[np.where(lower, before, after)])
    return midpoints(ordered[places - 1], ordered[places])


def halved(lists: Sequence[np.ndarray], values: np.ndarray, dag: np.ndarray) -> tuple[list[np.ndarray], list[int]]:
    """Return thresholds with one for each column of values, float64 [N, n], that has an edge and none; and which.

    It parts the records as evenly as their ties allow: of a line through normal values no other single threshold
    leaves as much.
    """
    cuts, added = [*lists], []
    for i in np.flatnonzero(dag.any(0) | dag.any(1)).tolist():
        if not len(cuts[i]) and len(best := most_even(values[:, i])):
            cuts[i] = best
            added.append(i)
    return cuts, added


def most_even(values: np.ndarray) -> np.ndarray:
    """Return the threshold that parts values, float64 [N], most evenly, of two such ones that in the wider gap."""
    distinct, counts = np.unique(values, return_counts=True)
    if len(distinct) < 2:
        return np.empty(0)
    below = np.cumsum(counts)[:-1]
    smaller = np.minimum(below, len(values) - below)
    even = np.flatnonzero(smaller == smaller.max())
    k = even[np.diff(distinct)[even].argmax()]
    return midpoints(distinct[k : k + 1], distinct[k + 1 : k + 2])
