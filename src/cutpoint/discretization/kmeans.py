"""K-means of one variable: the clusters of least variance, by dynamic programming and not from random starts."""

import numpy as np

from cutpoint.base.scaling import midpoints, near_one
from cutpoint.discretization.binning import per_column
from cutpoint.options import AtLeast1


def kmeans(values: np.ndarray, discrete: np.ndarray, *, bins: AtLeast1 = 3) -> list[np.ndarray]:
    """Cut each variable into the levels with the least sum of squared distances to their means.

    In one dimension clusters are intervals, so that the best of all partitions follows from a dynamic programme over
    the sorted values (Fisher 1958; Wang and Song 2011); there are no more of them than distinct values.
    """
    return per_column(values, discrete, lambda column: kmeans_cuts(column, bins))


def kmeans_cuts(column: np.ndarray, bins: int) -> np.ndarray:
    """Return the thresholds, float64 [k - 1], between the best k = `bins` clusters of a column, float64 [N]."""
    distinct, counts = np.unique(column, return_counts=True)
    starts = _best_starts(distinct, counts, min(bins, distinct.size))
    return midpoints(distinct[starts - 1], distinct[starts])


def _best_starts(distinct: np.ndarray, counts: np.ndarray, clusters: int) -> np.ndarray:
    """Return where the second cluster, the third one, ... start among sorted values, int64 [clusters - 1]."""
    scaled = near_one(distinct)
    centred = scaled - (counts @ scaled) / counts.sum()
    weights = np.concatenate([[0.0], np.cumsum(counts)])
    sums = np.concatenate([[0.0], np.cumsum(counts * centred)])

    def gain(start: np.ndarray, end: np.ndarray) -> np.ndarray:
        """Return the part of the squares between start and end that their mean explains."""
        return (sums[end] - sums[start]) ** 2 / np.maximum(weights[end] - weights[start], 1.0)

    places = np.arange(distinct.size + 1)
    best, chosen = gain(np.zeros_like(places), places), []
    for _ in range(clusters - 1):
        best, starts = _best_split(best, gain)
        chosen.append(starts)
    ends = [distinct.size]
    for starts in reversed(chosen):
        ends.append(starts[ends[-1]])
    return np.array(ends[:0:-1], np.int64)


def _best_split(best: np.ndarray, gain) -> tuple[np.ndarray, np.ndarray]:
    """Return the largest best[start] + gain(start, end) over the starts up to each end, and the first such start.

    That start does not fall as the end rises, so that the ends are halved: those in the middle first, all of one depth
    together, each between the starts of its neighbours. best: float64 [m + 1].
    """
    last = best.size - 1
    total, chosen = np.zeros(last + 1), np.zeros(last + 1, np.int64)
    step = 1 << last.bit_length()
    while step > 1:
        half = step // 2
        ends = np.arange(half, last + 1, step)
        low = chosen[ends - half]
        beyond = ends + half
        high = np.where(beyond <= last, np.minimum(chosen[np.minimum(beyond, last)], ends), ends)
        sizes = high - low + 1
        first = np.cumsum(sizes) - sizes
        starts = np.arange(sizes.sum()) + np.repeat(low - first, sizes)
        sums = best[starts] + gain(starts, np.repeat(ends, sizes))
        total[ends] = np.maximum.reduceat(sums, first)
        equal = np.flatnonzero(sums == np.repeat(total[ends], sizes))
        chosen[ends] = starts[equal[np.searchsorted(equal, first)]]
        step = half
    return total, chosen
