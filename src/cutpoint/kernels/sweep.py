"""Thresholds of one variable: all candidates of a sorted column in one pass.

The columns come from ``kernels.blankets``, with room for places; the score of a list with r levels is

    sum over columns  sign * sum over levels and cells g(count)  +  own(levels)  -  penalty(r).

Moving one record from the right of a threshold to its left changes a column by g(m + 1) - g(m) on the left
and likewise on the right, where the counts m follow from the record's rank in its cell. So the differences of all
records of a cell within a level are two runs through a table of g, and stand in a row when the records are ordered by
cell. Each record collects its difference from all columns, and their running sum within a level is the gain of every
threshold there. A split changes one level only.

Positions: the records are sorted by value; position p is the threshold between records p - 1 and p. Sums
drift by about 1e-10, so candidates are compared with a tolerance and the lowest threshold wins.
"""

import math

import numpy as np

from cutpoint.kernels.compiled import jit

FRIEDMAN, MONTI, STECK = 0, 1, 2
LOG_GAMMA = -1.0
TIE = 1e-7
STALE = -2.0
TINY = 2.2250738585072014e-308
GRID = 128  # records, at least, between the places where cells are counted beforehand


@jit
def increment(key, m, ess):
    """Return g(m + 1) - g(m) of a key (see ``kernels.blankets``)."""
    if key > 0.0:
        return math.log(ess / key + m)
    if m == 0:
        return 0.0
    if key == LOG_GAMMA:
        return math.log(m)
    return (m + 1) * math.log(m + 1) - m * math.log(m)


@jit
def table(keys, slots, values, key, need, ess):
    """Return where g(m) of a key stands for m = 0 .. need, at least, computed once while there is room.

    keys [K]; slots int64 [3, K + 1], where each key's values start, their room and how many there are, and in the last
    column the keys and values in use; values [M], M > need. When either is full, all begins anew.
    """
    slot = 0
    while slot < slots[0, -1] and keys[slot] != key:
        slot += 1
    there = slot < slots[0, -1]
    if not there or slots[1, slot] <= need:
        room = min(max(need + 1, 2 * slots[1, slot] if there else 0), values.size)
        if slot == keys.size or slots[1, -1] + room > values.size:
            slot, there, room, slots[1, -1] = 0, False, need + 1, 0
        start = slots[1, -1]
        if there:
            copy(values[slots[0, slot] : slots[0, slot] + slots[2, slot]], values[start:])
        else:
            keys[slot], slots[2, slot], values[start], slots[0, -1] = key, 1, 0.0, slot + 1
        slots[0, slot], slots[1, slot], slots[1, -1] = start, room, start + room
    start = slots[0, slot]
    for m in range(slots[2, slot], need + 1):
        values[start + m] = values[start + m - 1] + increment(key, m - 1, ess)
    slots[2, slot] = max(slots[2, slot], need + 1)
    return start


@jit
def table_of(columns, c, levels, ess, tables, marks, first, last):
    """Return where g of a column stands for the counts in levels first .. last - 1; `levels` enter BDeu's alphas."""
    _, _, firsts, _, keys, _ = columns
    names, slots, values = tables
    key = keys[c] * levels if keys[c] > 0.0 else keys[c]
    most = np.int64(0)
    for k in range(first, last):
        for cell in range(firsts[c], firsts[c + 1]):
            most = max(most, np.int64(marks[k + 1, cell] - marks[k, cell]))
    return table(names, slots, values, key, most, ess)


@jit
def copy(source, target):
    """Copy numbers: an assignment of slices would take as long to compile as a whole kernel."""
    for k in range(source.size):
        target[k] = source[k]


@jit
def count_on_grid(columns, records):
    """Return the counts of all cells before the records 0, step, 2 step, ..., int32 [records // step + 1, cells].

    The step is GRID, or the number of cells where there are more: these are never more numbers than the columns have.
    The places are filled: where each record stands when they are ordered by cell, and by value within a cell.
    """
    cells, places, firsts, _, _, _ = columns
    step = max(GRID, firsts[-1])
    before = np.zeros((records // step + 1, firsts[-1]), np.int32)
    for c in range(len(firsts) - 1):
        first, size = firsts[c], firsts[c + 1] - firsts[c]
        if size == 1:
            for k in range(len(before)):
                before[k, first] = k * step
            for p in range(np.uint64(records)):
                places[c, p] = p
            continue
        free = np.zeros(size, np.int32)
        for k in range(len(before)):
            copy(free, before[k, first : first + size])
            for p in range(np.uint64(k * step), np.uint64(min((k + 1) * step, records))):
                cell = cells[c, p]
                places[c, p] = free[cell]
                free[cell] += 1
        total = np.int32(0)
        for cell in range(size):
            free[cell], total = total, total + free[cell]
        for p in range(np.uint64(records)):  # counted from the start of the cell until now
            places[c, p] += free[cells[c, p]]
    return before


@jit
def mark(columns, before, counts, stop):
    """Fill the counts of all cells before a record, int32 [cells], given those `before` of `count_on_grid`."""
    cells, _, firsts, _, _, _ = columns
    step = max(GRID, firsts[-1])
    copy(before[stop // step], counts)
    for c in range(len(firsts) - 1):
        own, mine = counts[firsts[c] : firsts[c + 1]], cells[c, stop // step * step : stop]
        if own.size == 1:
            own[0] = stop
            continue
        for p in range(mine.size):
            own[mine[p]] += 1


@jit
def log_width(low, high):
    """Return ln(high - low); adjacent floats may leave a width of 0."""
    return math.log(max(high - low, TINY))


@jit
def midpoint(left, right):
    """Return the threshold t between two values, left < t <= right."""
    middle = 0.5 * left + 0.5 * right
    return middle if left < middle else right


@jit
def penalty(rule, levels, distinct, slope, records):
    """Return the part of Friedman's DL_local that the number of levels decides (Fu 2005, III.2.1).

    ``slope``: parameters that one more level adds. A constant of the list is left out; 0 for other rules.
    """
    if rule != FRIEDMAN:
        return 0.0
    length = math.log(levels) + 0.5 * math.log(records) * slope * levels
    if 1 < levels < distinct:
        share = (levels - 1) / (distinct - 1)
        length -= (distinct - 1) * (share * math.log(share) + (1 - share) * math.log(1 - share))
    return length


@jit
def evaluate(rule, columns, ess, tables, nominal, levels, bounds, edges, marks, distinct, slope, parts):
    """Fill parts[f] with the value of each family under one list of levels.

    bounds, edges [levels + 1]: record positions 0 .. N and limits of the levels; marks [levels + 1, cells]: counts
    before each bound; nominal: as many levels enter BDeu's alphas and Friedman's penalty. The last part is what depends
    on the levels alone: Friedman's penalty, Monti's widths, Steck's ln Gamma.
    """
    _, _, firsts, signs, keys, families = columns
    parts[:], values = 0.0, tables[2]
    for c in range(signs.size):
        at = table_of(columns, c, nominal, ess, tables, marks, 0, levels)
        total = 0.0
        for k in range(levels):
            if keys[c] == LOG_GAMMA and bounds[k] == bounds[k + 1]:
                # Gamma(0): Steck's score forbids empty levels.
                total = np.inf
            for cell in range(firsts[c], firsts[c + 1]):
                total += values[at + marks[k + 1, cell] - marks[k, cell]]
        parts[families[c]] += signs[c] * total
    parts[-1] -= penalty(rule, nominal, distinct, slope, bounds[levels])
    if rule == MONTI and edges[levels] > edges[0]:
        for k in range(levels):
            if bounds[k + 1] > bounds[k]:
                parts[-1] -= (bounds[k + 1] - bounds[k]) * log_width(edges[k], edges[k + 1])


@jit
def score_list(rule, columns, before, ess, tables, bounds, edges, distinct, slope, parts):
    """Count the levels of a list and `evaluate` them."""
    marks = np.zeros((bounds.size, columns[2][-1]), np.int32)
    for k in range(1, bounds.size):
        mark(columns, before, marks[k], bounds[k])
    levels = bounds.size - 1
    evaluate(rule, columns, ess, tables, levels, levels, bounds, edges, marks, distinct, slope, parts)


@jit
def scan_level(columns, ess, tables, level, levels, marks, first, last, by_cell, differences):
    """Fill the differences of the records first .. last - 1 of a level; `levels` and one more enter BDeu's alphas.

    What moving the records of one cell from right to left adds, one after the other, stands in a row of `by_cell`, for
    two columns at a time: to read and write the differences takes as long as to add to them. It is one function: one
    for each cell or column would spend more time on being passed arrays than on few records.
    """
    _, places, firsts, signs, _, _ = columns
    one, values = np.uint64(1), tables[2]
    for p in range(np.uint64(first), np.uint64(last)):  # unsigned: no index counts from the end
        differences[p] = 0.0
    for c in range(firsts.size - 1):
        at = np.uint64(table_of(columns, c, levels + 1, ess, tables, marks, level, level + 1))
        sign, start, side = signs[c], np.uint64(0), c & 1
        for cell in range(firsts[c], firsts[c + 1]):
            begin = start + np.uint64(marks[level, cell])
            n = np.uint64(marks[level + 1, cell] - marks[level, cell])
            for r in range(n):
                low, high = at + r, at + n - r
                change = (values[low + one] - values[low]) - (values[high] - values[high - one])
                by_cell[side, begin + r] = sign * change
            start += np.uint64(marks[levels, cell])
        if side == 1:
            for p in range(np.uint64(first), np.uint64(last)):
                differences[p] += by_cell[0, np.uint32(places[c - 1, p])] + by_cell[1, np.uint32(places[c, p])]
        elif c == firsts.size - 2:
            for p in range(np.uint64(first), np.uint64(last)):
                differences[p] += by_cell[0, np.uint32(places[c, p])]


@jit
def best_of(rule, x, differences, first, last, low, high):
    """Return position and gain of the best threshold inside one level; position -1 when there is none.

    x, differences: of all records; first, last: the level's; low, high: its limits.
    """
    undivided = (last - first) * log_width(low, high) if rule == MONTI else 0.0
    where, best, change = -1, -np.inf, 0.0
    for p in range(first + 1, last):
        change += differences[p - 1]
        if x[p - 1] < x[p]:
            gain = change
            if rule == MONTI:  # whose term of the widths changes too
                cut = midpoint(x[p - 1], x[p])
                gain += undivided - (p - first) * log_width(low, cut) - (last - p) * log_width(cut, high)
            if gain > best + TIE:
                where, best = p, gain
    return where, best


@jit
def scan_levels(rule, columns, ess, tables, x, levels, bounds, edges, marks, best_splits, scratch):
    """Bring best_splits[:, k] = (best position, its gain) up to date.

    Friedman's gains do not change when another level is split (Fu 2005, III.2.1); the others' do, as a falls with the
    number of levels.
    """
    by_cell, differences = scratch
    for level in range(levels):
        if rule == FRIEDMAN and best_splits[0, level] != STALE:
            continue
        first, last = bounds[level], bounds[level + 1]
        scan_level(columns, ess, tables, level, levels, marks, first, last, by_cell, differences)
        where, gain = best_of(rule, x, differences, first, last, edges[level], edges[level + 1])
        best_splits[0, level], best_splits[1, level] = where, gain


@jit
def count_values(x, first, last):
    """Return how many distinct values some sorted records have."""
    count = np.int64(1)
    for p in range(first + 1, last):
        count += x[p - 1] < x[p]
    return count


@jit
def greedy(
    rule, columns, before, ess, tables, x, distinct, slope, most, rise, parts, bounds, edges, marks, scratch
):  # fmt: skip
    """Add the best threshold while the score rises; return how many levels and candidates scored, and the marks.

    parts: those of a single level, with which bounds, edges [most + 1] and marks begin. The last and failing round
    counts too, and so do candidates that a bound rules out.
    """
    best_splits, distinct_in = np.full((2, most + 1), STALE), np.empty(most + 1, np.int64)
    distinct_in[0] = distinct
    # np.int64: a literal would have every callee compiled once more.
    levels, calls, score = np.int64(1), np.int64(0), parts.sum()
    while levels < min(most, distinct):
        for k in range(levels):
            calls += distinct_in[k] - 1 if best_splits[0, k] == STALE or rule != FRIEDMAN else 0
        evaluate(rule, columns, ess, tables, levels + 1, levels, bounds, edges, marks, distinct, slope, parts)
        base = parts.sum()
        scan_levels(rule, columns, ess, tables, x, levels, bounds, edges, marks, best_splits, scratch)
        level, gain = np.int64(-1), -np.inf
        for k in range(levels):
            if best_splits[0, k] >= 0.0 and best_splits[1, k] > gain + TIE:
                level, gain = np.int64(k), best_splits[1, k]
        if not base + gain > score + rise:
            break
        score = base + gain
        where = int(best_splits[0, level])
        if levels + 2 > len(marks):
            marks = np.concatenate((marks, np.zeros_like(marks)))
        for k in range(levels, level, -1):
            bounds[k + 1], edges[k + 1], distinct_in[k] = bounds[k], edges[k], distinct_in[k - 1]
            copy(marks[k], marks[k + 1])
            for row in range(2):
                best_splits[row, k] = best_splits[row, k - 1]
        bounds[level + 1], edges[level + 1] = where, midpoint(x[where - 1], x[where])
        mark(columns, before, marks[level + 1], where)
        distinct_in[level] = count_values(x, bounds[level], where)
        distinct_in[level + 1] -= distinct_in[level]
        best_splits[0, level] = best_splits[0, level + 1] = STALE
        levels += 1
    return levels, calls, marks


@jit
def learn_thresholds(
    rule, columns, slope, x, distinct, ess, most, rise, old_bounds, old_edges, tables, scratch, new, old
):  # fmt: skip
    """Learn the thresholds of one variable greedily, from none (LearnVariableDP); score the old list as well.

    columns, slope: from ``kernels.blankets``; x: float64 [N], the sorted values; distinct: how many they are; most: cap
    of the levels; rise: what a level must add to the score, -inf for anything; old_bounds, old_edges: record positions
    0 .. N and limits of the old levels; tables: see ``table``; scratch: float64 [2, N] and [N]. new, old [F + 1] are
    filled with the families' values and the term of the levels alone, up to a constant.

    Returns the positions of the thresholds and the number of candidates scored.
    """
    before = count_on_grid(columns, x.size)
    score_list(rule, columns, before, ess, tables, old_bounds, old_edges, distinct, slope, old)
    bounds, edges = np.zeros(most + 1, np.int64), np.zeros(most + 1)
    bounds[1], edges[0], edges[1] = x.size, old_edges[0], old_edges[-1]
    marks = np.zeros((8, columns[2][-1]), np.int32)
    mark(columns, before, marks[1], x.size)
    one = np.int64(1)
    evaluate(rule, columns, ess, tables, one, one, bounds, edges, marks, distinct, slope, new)
    levels, calls, marks = greedy(
        rule, columns, before, ess, tables, x, distinct, slope, most, rise, new, bounds, edges, marks, scratch
    )  # fmt: skip
    evaluate(rule, columns, ess, tables, levels, levels, bounds, edges, marks, distinct, slope, new)
    return bounds[1:levels].copy(), calls
