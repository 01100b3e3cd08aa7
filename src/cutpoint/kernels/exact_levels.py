"""Thresholds of one variable: the best list of every length, by dynamic programming.

With the number of levels fixed, the score of a threshold list is a sum over its levels,

    value(start, end) = sum over columns  sign * sum over cells g(count)  +  own(records)  +  Monti's width term,

so that best[j, end] = max over start of best[j - 1, start] + value(start, end) is exact (cf. Fu 2005, III.2,
where the lists are learned greedily). The columns come from ``kernels.blankets``. BDeu's hyperparameters depend
on the number of levels, so that there is one *table* of g for each number; Friedman's information needs only one.

Records between two neighbouring candidate thresholds make a *block*. Moving the end by one block changes, in each
column, only what the earlier blocks with the same cells contribute to value(start, end). These contributions are
kept by block, and their running sum gives the value of every start. With K cells to a column a pair of start
and end so costs 1 / K look-ups per column, one addition, and one comparison per number of levels.

All values are integers, multiples of 1 / scale: sums come out the same in any order, and the maximum of integers,
unlike that of floats, is found several at a time.
"""

import math

import numpy as np

from cutpoint.kernels.compiled import jit

TINY = 2.2250738585072014e-308
LOWEST = -(2**62)
TILE = 32


@jit
def list_entries(cells, size, places, blocks, before, counts, listed, origins, firsts):
    """List the pairs of a block and a cell of one column that occur.

    cells: uint32 [N] in sorted order; places: uint32 [M + 1], where each block begins. Filled for each pair, in
    the order of cells and then blocks: blocks, before and counts, the records of the cell in earlier blocks and
    in this one. Filled for each pair, in the order of blocks: listed, its number in that order, and origins, the
    number of the cell's first pair. firsts [M + 1] says where each block's pairs begin.
    """
    last, starts = np.full(size, -1, np.int64), np.zeros(size + 1, np.uint32)
    for b in range(places.size - 1):
        for p in range(places[b], places[b + 1]):
            if last[cells[p]] != b:
                last[cells[p]] = b
                starts[cells[p] + 1] += np.uint32(1)
    for c in range(size):
        starts[c + 1] += starts[c]
    used, seen, t = starts.copy(), np.zeros(size, np.uint32), 0
    last[:] = -1
    for b in range(places.size - 1):
        firsts[b] = t
        for p in range(places[b], places[b + 1]):
            c = cells[p]
            if last[c] != b:
                last[c] = b
                i = used[c]
                blocks[i], before[i], counts[i] = b, seen[c], 0
                listed[t], origins[t] = i, starts[c]
                used[c] += np.uint32(1)
                t += 1
            counts[used[c] - 1] += np.uint32(1)
            seen[c] += np.uint32(1)
    firsts[-1] = t


@jit
def all_entries(cells, sizes, places):
    """Return blocks, before, counts, listed and origins of all columns, uint32 [5, C, N], and firsts [C, M + 1]."""
    entries, firsts = np.empty((5, *cells.shape), np.uint32), np.empty((cells.shape[0], places.size), np.int64)
    blocks, before, counts, listed, origins = entries
    for c in range(cells.shape[0]):
        list_entries(cells[c], sizes[c], places, blocks[c], before[c], counts[c], listed[c], origins[c], firsts[c])
    return entries, firsts


@jit
def add_block(entries, firsts, end, sums, parts):
    """Move the end of all levels behind one more block; sums: int64 [C, W], of one table.

    No slices and no signed indices: they would cost more than the sums.
    """
    blocks, before, counts, listed, origins = entries
    one = np.uint64(1)
    for c in range(np.uint64(len(firsts))):
        for t in range(np.uint64(firsts[c, end - 1]), np.uint64(firsts[c, end])):
            last = np.uint64(listed[c, t])
            low = np.uint64(before[c, last])
            high = low + np.uint64(counts[c, last])
            gain = sums[c, high] - sums[c, low]
            for h in range(np.uint64(origins[c, t]), last):
                earlier = np.uint64(before[c, h + one])
                following = sums[c, high - earlier] - sums[c, low - earlier]
                parts[blocks[c, h]] += gain - following
                gain = following
            parts[blocks[c, last]] += gain


@jit
def width_terms(places, edges, end, scale, terms):
    """Fill terms[start] with Monti's -N_k ln(width) of the levels that end before block ``end``."""
    for s in range(end):
        width = max(edges[end] - edges[s], TINY)
        terms[s] = math.floor(-scale * (places[end] - places[s]) * math.log(width))


@jit
def add_up(parts, own, places, terms, end, values):
    """Fill values[start] for the levels that end before block ``end``."""
    total, stop = parts[:end].sum(), np.uint64(places[end])
    for s in range(np.uint64(end)):
        values[s] = total + own[stop - np.uint64(places[s])] + terms[s]
        total -= parts[s]


@jit
def largest_sum(one, two):
    """Return the largest of one[i] + two[i]."""
    best = np.int64(LOWEST)
    for i in range(one.size):
        best = max(best, one[i] + two[i])
    return best


@jit
def fill_best(places, edges, scale, entries, firsts, sums, own, depths, best):
    """Fill best[g, j, end]: the best value of j + 1 levels before block ``end``, under table g.

    depths[g]: levels of the longest list of a table; that list is only needed at the last end.
    """
    last = places.size - 1
    parts, values = np.zeros((own.shape[0], last), np.int64), np.empty(last, np.int64)
    terms = np.zeros((TILE, last), np.int64)
    # Ends in tiles: the logarithms of the widths serve all tables, and what a table needs stays in the cache.
    for tile in range(1, last + 1, TILE):
        beyond = min(tile + TILE, last + 1)
        if edges.size:
            for end in range(tile, beyond):
                width_terms(places, edges, end, scale, terms[end - tile])
        for g in range(own.shape[0]):
            for end in range(tile, beyond):
                add_block(entries, firsts, end, sums[g], parts[g])
                add_up(parts[g], own[g], places, terms[end - tile], end, values)
                best[g, 0, end] = values[0]
                for j in range(1, min(depths[g] - (end < last), end)):
                    best[g, j, end] = largest_sum(best[g, j - 1, j:end], values[j:end])


@jit
def count_anew(end, places, edges, scale, cells, widest, sums, own, values):
    """Fill values[start] for the levels that end before block ``end``, from the records."""
    counts = np.zeros((cells.shape[0], widest), np.int64)
    total = np.int64(0)
    if edges.size:
        width_terms(places, edges, end, scale, values)
    else:
        values[:end] = 0
    for s in range(end - 1, -1, -1):
        for c in range(cells.shape[0]):
            for p in range(places[s], places[s + 1]):
                m = counts[c, cells[c, p]]
                total += sums[c, m + 1] - sums[c, m]
                counts[c, cells[c, p]] = m + 1
        values[s] += total + own[places[end] - places[s]]


@jit
def trace(best, levels, places, edges, scale, tie, cells, widest, sums, own, starts):
    """Fill starts with the first blocks of the second level, the third one, ... of the best list.

    best: [j, end] of its table. Of lists equally good, that with the lowest last threshold is taken, and so on.
    """
    values = np.empty(places.size - 1, np.int64)
    end = places.size - 1
    for j in range(levels - 1, 0, -1):
        count_anew(end, places, edges, scale, cells, widest, sums, own, values)
        start = j
        while start < end - 1 and best[j - 1, start] + values[start] < best[j, end] - tie:
            start += 1
        starts[j - 1] = end = start


@jit
def best_levels(places, edges, cells, sizes, sums, own, scale, tie, levels):
    """Find the best threshold list for each of some numbers of levels, int64 [L], increasing, from 1 up to at most M.

    places: uint32 [M + 1], increasing from 0 to N: a threshold may stand before the records places[1:-1]. edges:
    float64 [M + 1], minimum, thresholds and maximum for Monti's widths; empty for other scores. cells: uint32 [C, N],
    the columns in sorted order; sizes: int64 [C], their cells. Times the scale, by which the sum of all values is below
    2 ** 61: sums, int64 [G, C, W], sign * g(0), sign * g(1), ... of each table and column; own, int64 [G, N + 1], what
    a level's number of records adds; tie, the difference up to which values are equal. G is L, a table for each number,
    or 1 for all.

    Gives int64 [L, levels[-1] - 1]: for each number of levels r the r - 1 blocks that begin after a threshold, then
    zeros.
    """
    tables, widest = own.shape[0], max(sizes.max(), 1) if sizes.size else 1
    entries, firsts = all_entries(cells, sizes, places)
    best = np.empty((tables, levels[-1], places.size), np.int64)
    fill_best(places, edges, scale, entries, firsts, sums, own, levels[-tables:], best)
    starts = np.zeros((levels.size, levels[-1] - 1), np.int64)
    for k in range(levels.size):
        g = min(k, tables - 1)
        trace(best[g], levels[k], places, edges, scale, tie, cells, widest, sums[g], own[g], starts[k])
    return starts


@jit
def best_list(places, cells, sizes, sums, own, scale, tie, costs):
    """Find the list that is worth most less what 1, 2, ... levels cost, float64, of any of these lengths.

    The other arguments are those of `best_levels` with one table and without widths, but for the tie, which is not
    scaled; of lengths nearer than it the shortest is taken. Gives the blocks that begin after a threshold, int64, and
    what the list is worth.
    """
    entries, firsts = all_entries(cells, sizes, places)
    best, edges = np.empty((1, costs.size, places.size), np.int64), np.empty(0)
    fill_best(places, edges, scale, entries, firsts, sums, own, np.full(1, costs.size), best)
    worth = best[0, :, -1] / scale - costs
    chosen = 0
    while worth[chosen] < worth.max() - tie:
        chosen += 1
    starts = np.zeros(chosen, np.int64)
    trace(best[0], chosen + 1, places, edges, scale, int(tie * scale), cells, sizes.max(), sums[0], own[0], starts)
    return starts, worth[chosen]


@jit
def best_partition(places, cells, sizes, sums, own, before, after, tie):
    """Find the best threshold list of any length where the value of a level does not depend on their number.

    The value of a level from block ``start`` up to block ``end`` is that of `best_levels` with one table, and
    before[start] + after[end], int64 [M] and [M + 1]; the other arguments are those of `best_levels`, sums int64 [C, W]
    and own [N + 1]. Gives the blocks that begin after a threshold, int64, increasing. Of lists equally good, that with
    the lowest last threshold is taken, and so on.
    """
    last = places.size - 1
    entries, firsts = all_entries(cells, sizes, places)
    parts, values = np.zeros(last, np.int64), np.empty(last, np.int64)
    best, chosen, begun = np.zeros(last + 1, np.int64), np.zeros(last + 1, np.int64), before.copy()
    for end in range(1, last + 1):
        add_block(entries, firsts, end, sums, parts)
        add_up(parts, own, places, begun, end, values)
        highest, start = values[:end].max(), 0
        while values[start] < highest - tie:
            start += 1
        chosen[end], best[end] = start, highest + after[end]
        if end < last:
            begun[end] += best[end]
    starts, count, end = np.empty(last, np.int64), 0, last
    while chosen[end] > 0:
        end = chosen[end]
        starts[count] = end
        count += 1
    return starts[:count][::-1].copy()
