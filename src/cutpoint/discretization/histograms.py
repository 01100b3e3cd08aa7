"""Histograms: equal widths by a rule for their number, Bayesian blocks, MDL histograms, and k-means of one variable."""

import math
from collections.abc import Callable
from itertools import accumulate

import numpy as np
from scipy.special import gammaln, xlogy

from cutpoint.base.scaling import midpoints, near_one
from cutpoint.discretization.binning import per_column, width_cuts
from cutpoint.learners.complexity import log_complexities
from cutpoint.options import AtLeast1, Probability

TIE = 1e-9  # of log posteriors and of description lengths, nats


def sturges(values: np.ndarray, discrete: np.ndarray, *, max_levels: AtLeast1 = 60) -> list[np.ndarray]:
    """Cut each variable into about log2(N) + 1 levels of equal width (Sturges 1926).

    Thresholds are the inner edges of `numpy.histogram_bin_edges`; with more than `max_levels` levels they are wider.
    """
    return _by_width(values, discrete, lambda x: np.ptp(x) / (math.log2(x.size) + 1), max_levels)


def scott(values: np.ndarray, discrete: np.ndarray, *, max_levels: AtLeast1 = 60) -> list[np.ndarray]:
    """Cut each variable into levels of width (24 sqrt(pi) / N)^(1/3) standard deviations (Scott 1979).

    `max_levels` is as of `sturges`.
    """
    return _by_width(values, discrete, lambda x: (24 * math.sqrt(math.pi) / x.size) ** (1 / 3) * x.std(), max_levels)


def freedman_diaconis(values: np.ndarray, discrete: np.ndarray, *, max_levels: AtLeast1 = 60) -> list[np.ndarray]:
    """Cut each variable into levels of width 2 N^(-1/3) interquartile ranges (Freedman and Diaconis 1981).

    Where half of the records or more are equal that range may be 0 and there is one level, as in NumPy. `max_levels` is
    as of `sturges`.
    """
    return _by_width(
        values, discrete, lambda x: 2 * np.subtract(*np.percentile(x, [75, 25])) * x.size ** (-1 / 3), max_levels
    )


def _by_width(
    values: np.ndarray, discrete: np.ndarray, width: Callable[[np.ndarray], float], max_levels: int
) -> list[np.ndarray]:
    """Return the inner edges of as many equal intervals of each column as the width that a rule gives asks for."""

    def cuts(column: np.ndarray) -> np.ndarray:
        scaled = near_one(column)
        size = width(scaled)
        levels = math.ceil(min(np.ptp(scaled) / size, max_levels)) if size > 0 else 1
        return width_cuts(column, max(levels, 1))

    return per_column(values, discrete, cuts)


def bayesian_blocks(values: np.ndarray, discrete: np.ndarray, *, p0: Probability = 0.05) -> list[np.ndarray]:
    """Cut each variable into blocks of constant density (Scargle et al. 2013, "events").

    A threshold may stand halfway between neighbouring values. The blocks are those with the largest sum of
    N_k ln(N_k / width_k) - (4 - ln(73.53 p0 m^(-0.478))), m the number of distinct values (Eqs. 19 and 21);
    p0 is the probability of a threshold where the density is constant.
    """
    return per_column(values, discrete, lambda column: _block_cuts(column, p0))


def _block_cuts(column: np.ndarray, p0: float) -> np.ndarray:
    distinct, counts = np.unique(column, return_counts=True)
    if distinct.size == 1:
        return np.empty(0)
    middles = midpoints(distinct[:-1], distinct[1:])
    edges = near_one(np.concatenate([distinct[:1], middles, distinct[-1:]]))
    penalty = 4 - math.log(73.53 * p0 * distinct.size**-0.478)
    return middles[_block_starts(edges, np.concatenate([[0], np.cumsum(counts)]), penalty) - 1]


def _block_starts(edges: np.ndarray, before: np.ndarray, penalty: float) -> np.ndarray:
    """Return where the second block, the third one, ... start among the distinct values, int64 [k].

    A start that is worse than a threshold at the present end stays so at all later ends, for no division lowers the
    likelihood, and is not looked at again (Killick et al. 2012). edges: float64 [m + 1], of the cells around each
    distinct value; before: int64 [m + 1], the records below each edge; penalty: of a block.
    """
    last = len(edges) - 1
    best, chosen = np.zeros(last + 1), np.zeros(last + 1, np.int64)
    starts = np.zeros(0, np.int64)
    for end in range(1, last + 1):
        starts = np.append(starts, end - 1)
        records = before[end] - before[starts]
        widths = np.maximum(edges[end] - edges[starts], np.finfo(float).tiny)
        totals = best[starts] + records * (np.log(records) - np.log(widths))
        highest = totals.max()
        best[end], chosen[end] = highest - penalty, starts[np.argmax(totals >= highest - TIE)]
        starts = starts[totals > best[end] - TIE]
    block_starts, end = [], int(chosen[last])
    while end > 0:
        block_starts.append(end)
        end = int(chosen[end])
    return np.array(block_starts[::-1], np.int64)


def mdl_histogram(
    values: np.ndarray, discrete: np.ndarray, *, accuracy_share: AtLeast1 = 200, max_levels: AtLeast1 = 20
) -> list[np.ndarray]:
    """Cut each variable into the histogram of any widths with the least stochastic complexity.

    Its description has minus the log likelihood of K levels, ln R(N, K) (see `cutpoint.learners.complexity`) and the
    logarithm of the number of choices among candidate thresholds (Kontkanen and Myllymaki 2007, "MDL histogram density
    estimation"). They stand e / 2 below or above a value: e, which the paper leaves to the user, is the range divided
    by `accuracy_share`, or the smallest distance between two values where that is greater. Levels may be empty.
    """
    return per_column(values, discrete, lambda column: _histogram_cuts(column, accuracy_share, max_levels))


def _histogram_cuts(column: np.ndarray, share: int, max_levels: int) -> np.ndarray:
    distinct = np.unique(column)
    if distinct.size == 1:
        return np.empty(0)
    halves = 0.5 * distinct  # whose differences do not overflow
    share = int(min(share, (halves[-1] - halves[0]) / np.diff(halves).min() + 1e-6))
    edges, places = candidate_edges(column, share)
    below = np.searchsorted(np.sort(column), edges)
    starts = best_starts(
        np.concatenate([[0], places, [share + 1]]), np.concatenate([[0], below, [column.size]]), max_levels
    )
    return edges[starts - 1]


def candidate_edges(column: np.ndarray, share: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the thresholds that may stand in a column, float64 [E], and the cells of width e below them, int64 [E].

    The first cell has the minimum in its middle; a threshold may stand at either side of a cell that holds a record.
    """
    low, high = column.min(), column.max()
    shares = (np.arange(1, share + 1) - 0.5) / share
    edges = (1 - shares) * low + shares * high
    # A range of a few adjacent floats has no room for all edges.
    places = np.flatnonzero((np.diff(edges, prepend=low) > 0) & (edges <= high)) + 1
    edges = edges[places - 1]
    held = np.bincount(np.searchsorted(edges, column, side="right"), minlength=len(edges) + 1) > 0
    allowed = held[:-1] | held[1:]
    return edges[allowed], places[allowed]


def best_starts(places: np.ndarray, below: np.ndarray, max_levels: int) -> np.ndarray:
    """Return where the second level, the third one, ... of the shortest description start, int64 [k].

    places: int64 [E + 2], where levels may start or end, in units of e; below: int64 [E + 2], the records below them.
    """
    candidates = len(places) - 2
    levels = np.arange(1, min(max_levels, candidates + 1) + 1)
    lengths, chosen = best_fits(places, below, len(levels))
    choices = gammaln(candidates + 1) - gammaln(levels) - gammaln(candidates - levels + 2)
    total = lengths + log_complexities(int(below[-1]), len(levels)) + choices
    thresholds = int(np.argmax(total <= total.min() + TIE))
    ends = accumulate(chosen[:thresholds][::-1], lambda end, starts: starts[end], initial=candidates + 1)
    return np.array([*ends][:0:-1], np.int64)


def best_fits(places: np.ndarray, below: np.ndarray, levels: int) -> tuple[np.ndarray, list[np.ndarray]]:
    """Return minus the highest log likelihood of 1, 2, ... levels, float64 [levels], and the starts of their ends.

    chosen[k][end], int64 [E + 2], is where the last of k + 2 levels up to a place starts.
    """
    counts = (below - below[:, None]).clip(0)
    costs = -xlogy(counts, counts / np.maximum(places - places[:, None], 1) / below[-1])
    costs[np.tril_indices(len(places))] = np.inf
    best, chosen, lengths = costs[0], [], []
    for _ in range(levels):
        lengths.append(best[-1])
        totals = best[:, None] + costs
        chosen.append(totals.argmin(axis=0))
        best = totals.min(axis=0)
    return np.array(lengths), chosen


def kmeans(values: np.ndarray, discrete: np.ndarray, *, bins: AtLeast1 = 3) -> list[np.ndarray]:
    """Cut each variable into the levels with the least sum of squared distances to their means.

    In one dimension clusters are intervals, so that the best of all partitions follows from a dynamic programme over
    the sorted values (Fisher 1958; Wang and Song 2011); there are no more of them than distinct values.
    """
    return per_column(values, discrete, lambda column: kmeans_cuts(column, bins))


def kmeans_cuts(column: np.ndarray, bins: int) -> np.ndarray:
    """Return the thresholds, float64 [k - 1], between the best k = `bins` clusters of a column, float64 [N]."""
    distinct, counts = np.unique(column, return_counts=True)
    starts = _cluster_starts(distinct, counts, min(bins, distinct.size))
    return midpoints(distinct[starts - 1], distinct[starts])


def _cluster_starts(distinct: np.ndarray, counts: np.ndarray, clusters: int) -> np.ndarray:
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
    ends = accumulate(chosen[::-1], lambda end, starts: starts[end], initial=distinct.size)
    return np.array([*ends][:0:-1], np.int64)


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
