"""Top-down thresholds of one variable: what each removal loses, from the counts of the levels alone.

The columns are those of ``kernels.blankets`` with m ln m for g: the information of a list of levels is

    sum over levels and cells  sign * g(count),    g(0) = 0,

with the cells of all columns numbered, each with the sign of its column. A level keeps the cells that occur in it and
their counts from ``begins[level]`` on, ``used[level]`` of them: those of two merged neighbours always have room there,
and merging takes one pass over their cells. Sums drift by about 1e-10, so losses are compared with a tolerance and the
lowest threshold wins.
"""

import numpy as np

from cutpoint.kernels.compiled import jit

TIE = 1e-7


@jit
def merge(signs, g, begins, cells, counts, used, k, following, place, stays):
    """Return what the information loses when level k takes in the one that follows, as it does unless all `stays`.

    place: int64 [cells], -1 for each.
    """
    loss, begin, end = 0.0, begins[k], begins[k] + used[k]
    for p in range(begin, end):
        place[cells[p]] = p
    for p in range(begins[following], begins[following] + used[following]):
        cell, count, at = cells[p], counts[p], place[cells[p]]
        if at >= 0:
            loss += signs[cell] * (g[count] + g[counts[at]] - g[count + counts[at]])
        if stays:
            continue
        if at >= 0:
            counts[at] += count
        else:
            # never past p: what is before has no more cells than room
            cells[end], counts[end] = cell, count
            end += 1
    for p in range(begin, end):
        place[cells[p]] = -1
    used[k] = end - begin
    return loss


@jit
def single_losses(signs, g, begins, cells, counts, used):
    """Return what removing each threshold alone loses, float64 [L - 1].

    signs: float64, of each cell; g: float64 [N + 1], m ln m; begins, used: int64 [L]; cells, counts: int64, of all
    levels.
    """
    losses, place = np.empty(begins.size - 1), np.full(signs.size, -1, np.int64)
    for k in range(losses.size):
        losses[k] = merge(signs, g, begins, cells, counts, used, k, k + 1, place, True)
    return losses


@jit
def removal_path(signs, g, begins, cells, counts, used):
    """Remove the threshold that loses least until none is left; the counts are used up.

    The arguments are those of `single_losses`. Returns the thresholds in the order of their removal, int64 [L - 1],
    threshold k standing above level k, and what each removal loses, float64 [L - 1].
    """
    losses, place = single_losses(signs, g, begins, cells, counts, used), np.full(signs.size, -1, np.int64)
    count = losses.size
    above, below = np.arange(1, count + 2), np.arange(-1, count)
    removed, lost = np.empty(count, np.int64), np.empty(count)
    for step in range(count):
        k, least = 0, losses.min()
        while losses[k] > least + TIE:
            k += 1
        following = above[k]
        # threshold `following - 1` goes: the one above the last of the levels merged into k
        removed[step], lost[step] = following - 1, losses[k]
        merge(signs, g, begins, cells, counts, used, k, following, place, False)
        above[k] = above[following]
        if above[k] <= count:
            below[above[k]] = k
            losses[k] = merge(signs, g, begins, cells, counts, used, k, above[k], place, True)
        else:
            losses[k] = np.inf
        if following < count:
            losses[following] = np.inf
        if below[k] >= 0:
            losses[below[k]] = merge(signs, g, begins, cells, counts, used, below[k], k, place, True)
    return removed, lost
