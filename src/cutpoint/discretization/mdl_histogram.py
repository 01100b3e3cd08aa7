"""MDL histograms: levels of any widths with the shortest description (Kontkanen and Myllymaki 2007)."""

import numpy as np
from scipy.special import gammaln, xlogy

from cutpoint.discretization.binning import per_column
from cutpoint.learners.complexity import log_complexities
from cutpoint.options import AtLeast1

TIE = 1e-9  # of description lengths in nats


def mdl_histogram(
    values: np.ndarray, discrete: np.ndarray, *, accuracy_share: AtLeast1 = 200, max_levels: AtLeast1 = 20
) -> list[np.ndarray]:
    """Cut each variable into the histogram of any widths with the least stochastic complexity.

    Values are known to an accuracy e: a threshold may stand e / 2 below or above a value, and the description of K
    levels is -sum over k of N_k ln(e N_k / (width_k N)) + ln R(N, K) + ln C(E, K - 1), E the number of candidate
    thresholds (Kontkanen and Myllymaki 2007, "MDL histogram density estimation"; R is that of
    `cutpoint.learners.complexity`). The best histogram of each K follows from a dynamic programme. Levels may be empty.
    The paper leaves e to the user; it is the range of the column divided by `accuracy_share`, or the smallest distance
    between two of its values where that is greater.
    """
    return per_column(values, discrete, lambda column: _cuts(column, accuracy_share, max_levels))


def _cuts(column: np.ndarray, share: int, max_levels: int) -> np.ndarray:
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
    ends = [candidates + 1]
    for k in reversed(range(np.argmax(total <= total.min() + TIE))):
        ends.append(chosen[k][ends[-1]])
    return np.array(ends[:0:-1], np.int64)


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
