"""Top-down thresholds of one variable: what each removal loses, from the counts of the levels alone.

The columns are those of ``kernels.blankets`` with m ln m for g: the information of a list of levels is

    sum over columns  sign * sum over levels and cells g(count),    g(0) = 0.

A level keeps its counts as a list of the cells that occur in it, in the places of its own records, so that there is
always room for the list of two merged neighbours and cells that do not occur cost nothing. Merging two levels is
one pass over their lists. Sums drift by about 1e-10, so losses are compared with a tolerance and the lowest
threshold wins.
"""

import numpy as np

from cutpoint.kernels.compiled import jit

TIE = 1e-7


@jit
def count_levels(cells, sizes, count, bounds, runs, counts, used):
    """Fill runs and counts [C, N]: from a level's first record on its cells and their counts; used [C, L]: how many.

    cells: uint32 [C, N], in the order of the records; undefined where sizes[c], the number of cells, is 1.
    bounds: int64 [L + 1], record positions 0 .. N; a level may be empty.
    """
    place = np.full(sizes[:count].max() if count else 1, -1, np.int64)
    for c in range(count):
        for k in range(bounds.size - 1):
            first, last = bounds[k], bounds[k + 1]
            n = 0
            if sizes[c] == 1:
                if last > first:
                    runs[c, first], counts[c, first], n = 0, last - first, 1
            else:
                for p in range(first, last):
                    cell = cells[c, p]
                    if place[cell] < 0:
                        place[cell] = first + n
                        runs[c, first + n], counts[c, first + n] = cell, 0
                        n += 1
                    counts[c, place[cell]] += 1
                for p in range(first, first + n):
                    place[runs[c, p]] = -1
            used[c, k] = n


@jit
def information(signs, bounds, counts, used, g):
    """Return the sum over columns and levels; g: float64 [N + 1], m ln m."""
    total = 0.0
    for c in range(used.shape[0]):
        for k in range(used.shape[1]):
            for p in range(bounds[k], bounds[k] + used[c, k]):
                total += signs[c] * g[counts[c, p]]
    return total


@jit
def loss_of_merging(signs, bounds, runs, counts, used, g, k, following, place):
    """Return what the information loses when level k takes in the one that follows; place: scratch of -1."""
    loss = 0.0
    for c in range(used.shape[0]):
        mine, theirs = bounds[k], bounds[following]
        for p in range(mine, mine + used[c, k]):
            place[runs[c, p]] = p
        part = 0.0
        for p in range(theirs, theirs + used[c, following]):
            at = place[runs[c, p]]
            if at >= 0:
                part += g[counts[c, p]] + g[counts[c, at]] - g[counts[c, p] + counts[c, at]]
        for p in range(mine, mine + used[c, k]):
            place[runs[c, p]] = -1
        loss += signs[c] * part
    return loss


@jit
def merge(bounds, runs, counts, used, k, following, place):
    """Put the counts of the following level into those of level k."""
    for c in range(used.shape[0]):
        mine, theirs = bounds[k], bounds[following]
        end = mine + used[c, k]
        for p in range(mine, end):
            place[runs[c, p]] = p
        for p in range(theirs, theirs + used[c, following]):
            at = place[runs[c, p]]
            if at >= 0:
                counts[c, at] += counts[c, p]
            else:
                # never past p: level k has at most as many cells as records
                runs[c, end], counts[c, end] = runs[c, p], counts[c, p]
                end += 1
        for p in range(mine, end):
            place[runs[c, p]] = -1
        used[c, k] = end - mine


@jit
def single_losses(signs, bounds, runs, counts, used, g, place):
    """Return what removing each threshold alone loses, float64 [L - 1]."""
    losses = np.empty(bounds.size - 2)
    for k in range(losses.size):
        losses[k] = loss_of_merging(signs, bounds, runs, counts, used, g, k, k + 1, place)
    return losses


@jit
def removal_path(signs, bounds, runs, counts, used, g, place):
    """Remove the threshold that loses least until none is left; the counts are used up.

    Returns the thresholds in the order of their removal, int64 [L - 1], threshold k standing above level k, and
    what each removal loses, float64 [L - 1].
    """
    count = bounds.size - 2
    losses = single_losses(signs, bounds, runs, counts, used, g, place)
    above, below = np.arange(1, count + 2), np.arange(-1, count)
    removed, lost = np.empty(count, np.int64), np.empty(count)
    for step in range(count):
        k = 0
        while losses[k] == np.inf:
            k += 1
        for other in range(k + 1, count):
            if losses[other] < losses[k] - TIE:
                k = other
        following = above[k]
        # threshold `following - 1` goes: the one above the last of the levels merged into k
        removed[step], lost[step] = following - 1, losses[k]
        merge(bounds, runs, counts, used, k, following, place)
        above[k] = above[following]
        if above[k] <= count:
            below[above[k]] = k
            losses[k] = loss_of_merging(signs, bounds, runs, counts, used, g, k, above[k], place)
        else:
            losses[k] = np.inf
        if following < count:
            losses[following] = np.inf
        if below[k] >= 0:
            losses[below[k]] = loss_of_merging(signs, bounds, runs, counts, used, g, below[k], k, place)
    return removed, lost
