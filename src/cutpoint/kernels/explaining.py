"""Levels of one variable that make the code of another one short, given what else is known of each record.

Records stand in *blocks* between neighbouring candidate thresholds, in *cells*, the configurations of what else is
known, and have a level of the target. With a number of levels fixed, what a list is worth is the sum over its levels of

    sum over cells  [sum over levels of the target  add(n_ck)  -  take(n_c)],    add(0) = take(0) = 0.
"""

import numpy as np

from cutpoint.kernels.compiled import jit

TIE = 1e-7


@jit
def entries_of_blocks(blocks, several, joint, levels, size):
    """List what occurs in each block: begins, int64 [M + 1], numbers of joint, their cells and how many records."""
    begins = np.zeros(several + 2, np.int64)
    for b in blocks:
        begins[b + 2] += 1
    begins = np.cumsum(begins)
    ordered = np.empty(blocks.size, np.int64)
    for p in range(blocks.size):
        ordered[begins[blocks[p] + 1]] = joint[p]
        begins[blocks[p] + 1] += 1
    numbers, counts = np.empty(blocks.size, np.int64), np.zeros(blocks.size, np.int64)
    place, used, first = np.full(size, -1, np.int64), 0, 0
    for b in range(several):
        last, begins[b] = begins[b + 1], used
        for number in ordered[first:last]:
            if place[number] < begins[b]:
                place[number], numbers[used] = used, number
                used += 1
            counts[place[number]] += 1
        first = last
    begins[several] = used
    return begins[: several + 1], numbers[:used], numbers[:used] // levels, counts[:used]


@jit
def fill_values(end, entries, joint, within, add, take, values):
    """Fill values[start], what a level from block start up to block end is worth.

    joint: int64 [C K] and within: int64 [C], room for counts.
    """
    begins, numbers, cells_of, counts = entries
    joint[:], within[:] = 0, 0
    total = 0.0
    for start in range(end - 1, -1, -1):
        for i in range(begins[start], begins[start + 1]):
            n, cell = counts[i], cells_of[i]
            m, records = joint[numbers[i]], within[cell]
            total += add[m + n] - add[m] - take[records + n] + take[records]
            joint[numbers[i]], within[cell] = m + n, records + n
        values[start] = total


@jit
def best_lists(blocks, several, target, levels, rest, cells, add, take, most):
    """Find the list of each number of levels that is worth most.

    Args:
        blocks: int64 [N], from 0 to several - 1; target, rest: int64 [N], from 0 to levels - 1 and to cells - 1.
        add, take: float64 [N + 1].
        most: levels, at most several.

    Returns:
        What the lists of 1, 2, ... levels are worth, float64 [most], and the blocks that begin after a threshold,
        int64 [most, most - 1], of which that of k levels has k - 1. Of lists nearer than 1e-7 that with the lowest last
        threshold is taken, and so on.
    """
    entries = entries_of_blocks(blocks, several, rest * levels + target, levels, cells * levels)
    joint, within = np.zeros(cells * levels, np.int64), np.zeros(cells, np.int64)
    best = np.full((most, several + 1), -np.inf)
    last = np.zeros((most, several + 1), np.int64)
    values = np.empty(several)
    for end in range(1, several + 1):
        fill_values(end, entries, joint, within, add, take, values)
        best[0, end] = values[0]
        for j in range(1, min(most, end)):
            best[j, end] = (best[j - 1, j:end] + values[j:end]).max()
            start = j
            while best[j - 1, start] + values[start] < best[j, end] - TIE:
                start += 1
            last[j, end] = start
    starts = np.zeros((most, most - 1), np.int64)
    for k in range(most):
        end = several
        for j in range(k, 0, -1):
            end = last[j, end]
            starts[k, j - 1] = end
    return best[:, several].copy(), starts
