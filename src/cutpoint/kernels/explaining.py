"""Levels of one variable that make the code of another one short, given what else is known of each record.

Records stand in *blocks* between neighbouring candidate thresholds, in *cells*, the configurations of what else is
known, and have a level of the target. With a number of levels fixed, what a list is worth is the sum over its levels of

    sum over cells  [sum over levels of the target  add(n_ck)  +  row(n_c)],    add(0) = row(0) = 0.

Records are int32 arrays, 64-bit floats tables of what so many records add.
"""

import numpy as np

from cutpoint.kernels.compiled import jit

TIE = 1e-7


@jit
def refine(cells, several, codes, levels):
    """Divide each of several cells, int32 [N], by levels, int32 [N]; return the cells that occur and their number."""
    label, fine, count = np.full(several * levels, -1, np.int32), np.empty_like(cells), 0
    for p in range(cells.size):
        cell = cells[p] * levels + codes[p]
        if label[cell] < 0:
            label[cell] = count
            count += 1
        fine[p] = label[cell]
    return fine, count


@jit
def sums(cells, several, codes, levels, add, row, column):
    """Return what a table of cells and levels adds: `add` of each count, `row` of each cell, `column` of each level."""
    counts = np.zeros(several * levels, np.int32)
    for p in range(cells.size):
        counts[cells[p] * levels + codes[p]] += 1
    total, below = 0.0, np.zeros(levels, np.int32)
    for cell in range(several):
        within = 0
        for level in range(levels):
            count = counts[cell * levels + level]
            within += count
            below[level] += count
            total += add[count]
        total += row[within]
    for level in range(levels):
        total += column[below[level]]
    return total


@jit
def occurrences(begins, numbers, counts, size):
    """Add up the counts of equal numbers below `size` of a block; return where blocks begin, numbers and counts.

    All are unsigned: no index counts from the end, here and in `add_between`.
    """
    firsts, kept, places = np.zeros_like(begins), np.empty_like(numbers), np.zeros(size, np.uint32)
    totals, used, one = np.empty_like(counts), np.uint64(0), np.uint64(1)
    for b in range(np.uint64(begins.size - 1)):
        for p in range(np.uint64(begins[b]), np.uint64(begins[b + one])):
            number = numbers[p]
            place = np.uint64(places[number])  # one more than where it stands
            if place <= firsts[b]:
                kept[used], totals[used] = number, 0
                used += one
                places[number] = place = used
            totals[place - one] += counts[p]
        firsts[b + one] = used
    return firsts, kept[:used], totals[:used]


@jit
def add_between(firsts, numbers, counts, size, g, values):
    """Add to values[start, end] the sum over all numbers of g of how many records the blocks start..end - 1 have.

    From one end to the next only numbers of the block between them change, and over the starts their terms change
    only after blocks that have them: `steps` is the difference from one start to the next.
    """
    one, lists = np.uint64(1), np.zeros(size + 1, np.uint32)
    for number in numbers:
        lists[number + one] += np.uint32(1)
    for number in range(np.uint64(size)):
        lists[number + one] += lists[number]
    filled, before = lists[:-1].copy(), np.zeros(size, np.uint32)
    starts, standing = np.empty(numbers.size, np.uint32), np.empty(numbers.size, np.uint32)
    steps = np.zeros(firsts.size)
    for b in range(np.uint64(firsts.size - 1)):
        for q in range(np.uint64(firsts[b]), np.uint64(firsts[b + one])):
            number = numbers[q]
            old, last = np.uint64(before[number]), np.uint64(filled[number])
            new = old + np.uint64(counts[q])
            rise = g[new] - g[old]
            steps[0] += rise
            for i in range(np.uint64(lists[number]), last):
                stands = np.uint64(standing[i])
                risen = g[new - stands] - g[old - stands]
                steps[starts[i]] += risen - rise
                rise = risen
            steps[b + one] -= rise
            starts[last], standing[last] = b + one, new
            before[number], filled[number] = new, last + one
        total = 0.0
        for start in range(b + one):
            total += steps[start]
            values[start, b + one] += total


@jit
def longest(values, worth, longer):
    """Fill longer [M + 1]: the highest worth of a start before each end and of what lies between."""
    longer[:] = -np.inf
    for start in range(worth.size - 1):
        for end in range(start + 1, worth.size):
            longer[end] = max(longer[end], worth[start] + values[start, end])


@jit
def best_list(firsts, order, target, levels, rest, cells, add, row, costs):
    """Find the list of levels that is worth most for what its number of levels costs.

    firsts: int32 [M + 1], where blocks begin in the order of the values, int32 [N]; target, rest: int32 [N], from 0 to
    levels - 1 and to cells - 1; add, row: float64 [N + 1]; costs: float64, of lists of 1, 2, ... levels. Gives the
    blocks that begin after a threshold and the worth. Of lists that are nearer than 1e-7 the shortest is taken, and of
    these that with the lowest last threshold.
    """
    several = firsts.size - 1
    joint, values = np.empty(order.size, np.uint32), np.zeros((several + 1, several + 1))
    for p in range(order.size):
        joint[p] = rest[order[p]] * levels + target[order[p]]
    ones = np.ones(order.size, np.uint32)
    begins, numbers, counts = occurrences(firsts.astype(np.uint32), joint, ones, cells * levels)
    add_between(begins, numbers, counts, cells * levels, add, values)
    begins, numbers, counts = occurrences(begins, numbers // np.uint32(levels), counts, cells)
    add_between(begins, numbers, counts, cells, row, values)
    # no list is worth more than the best one of any number of levels
    reach = np.zeros(several + 1)
    for end in range(1, several + 1):
        reach[end] = -np.inf
    for start in range(several):
        for end in range(start + 1, several + 1):
            reach[end] = max(reach[end], reach[start] + values[start, end])
    least = costs.copy()
    for k in range(costs.size - 1, 0, -1):
        least[k - 1] = min(least[k - 1], least[k])
    best = np.full((costs.size + 1, several + 1), -np.inf)
    best[0, 0], worth, used = 0.0, np.full(costs.size, -np.inf), 0
    while used < costs.size and reach[several] - least[used] > worth.max():
        longest(values, best[used], best[used + 1])
        worth[used] = best[used + 1, several] - costs[used]
        used += 1
    chosen = 0
    while worth[chosen] < worth.max() - TIE:
        chosen += 1
    thresholds, end = np.empty(chosen, np.int64), several
    for k in range(chosen, 0, -1):
        start = k
        while best[k, start] + values[start, end] < best[k + 1, end] - TIE:
            start += 1
        thresholds[k - 1] = end = start
    return thresholds, worth[chosen]
