"""Thresholds of one variable: all candidates of a sorted column in one pass.

The columns come from ``kernels.blankets``; the score of a threshold list with r levels is

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
RUN = 64  # candidates under one bound of Monti's widths


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
def table(key, need, ess, tables):
    """Return g(m) of a key for m = 0 .. need, at least, computed once while there is room.

    tables: keys [K]; slots int64 [3, K + 1], where each key's values start, their room and how many there are, and
    in the last column the keys and values in use; values [M], M > need. When either is full, all begins anew.
    """
    keys, slots, values = tables
    slot = 0
    while slot < slots[0, -1] and keys[slot] != key:
        slot += 1
    known = slot < slots[0, -1]
    if not known or slots[1, slot] <= need:
        room = min(max(need + 1, 2 * slots[1, slot] if known else 0), values.size)
        if slot == keys.size or slots[1, -1] + room > values.size:
            slot, known, room, slots[1, -1] = 0, False, need + 1, 0
        start = slots[1, -1]
        if known:
            values[start : start + slots[2, slot]] = values[slots[0, slot] : slots[0, slot] + slots[2, slot]]
        else:
            keys[slot], slots[2, slot], values[start], slots[0, -1] = key, 1, 0.0, slot + 1
        slots[0, slot], slots[1, slot], slots[1, -1] = start, room, start + room
    own = values[slots[0, slot] : slots[0, slot] + slots[1, slot]]
    for m in range(slots[2, slot], need + 1):
        own[m] = own[m - 1] + increment(key, m - 1, ess)
    slots[2, slot] = max(slots[2, slot], need + 1)
    return own


@jit
def column_table(columns, c, marks, nominal, ess, tables):
    """Return the table of a column for the levels between marks, where ``nominal`` levels enter BDeu's alphas."""
    _, _, firsts, _, keys, _ = columns
    need = np.int64(0)
    for k in range(1, len(marks)):
        for cell in range(firsts[c], firsts[c + 1]):
            need = max(need, np.int64(marks[k, cell] - marks[k - 1, cell]))
    return table(keys[c] * nominal if keys[c] > 0.0 else keys[c], need, ess, tables)


@jit
def mark(columns, marks, k, start, stop):
    """Fill marks[k], the counts of all cells before a bound, given marks[k - 1] and the records between the two."""
    cells, _, firsts, _, _, _ = columns
    marks[k] = marks[k - 1]
    for c in range(len(firsts) - 1):
        counts, mine = marks[k, firsts[c] : firsts[c + 1]], cells[c, start:stop]
        if counts.size == 1:
            counts[0] = stop
            continue
        for p in range(mine.size):
            counts[mine[p]] += 1


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
def evaluate(rule, columns, ess, tables, bounds, edges, marks, distinct, slope, parts):
    """Fill parts[f] with the value of each family under one list of levels.

    bounds, edges [levels + 1]: record positions 0 .. N and limits of the levels; marks [levels + 1, cells]: counts
    before each bound. The last part is what depends on the levels alone: Friedman's penalty, Monti's widths, Steck's
    ln Gamma.
    """
    _, _, firsts, signs, keys, families = columns
    parts[:] = 0.0
    levels = bounds.size - 1
    for c in range(signs.size):
        values = column_table(columns, c, marks, levels, ess, tables)
        total = 0.0
        for k in range(levels):
            if keys[c] == LOG_GAMMA and bounds[k] == bounds[k + 1]:
                # Gamma(0): Steck's score forbids empty levels.
                total = np.inf
            for cell in range(firsts[c], firsts[c + 1]):
                total += values[marks[k + 1, cell] - marks[k, cell]]
        parts[families[c]] += signs[c] * total
    parts[-1] -= penalty(rule, levels, distinct, slope, bounds[-1])
    if rule == MONTI and edges[-1] > edges[0]:
        for k in range(levels):
            if bounds[k + 1] > bounds[k]:
                parts[-1] -= (bounds[k + 1] - bounds[k]) * log_width(edges[k], edges[k + 1])


@jit
def score_list(rule, columns, ess, tables, bounds, edges, distinct, slope, parts):
    """Count the levels of a list and `evaluate` them."""
    marks = np.zeros((bounds.size, columns[2][-1]), np.int32)
    for k in range(1, bounds.size):
        mark(columns, marks, k, bounds[k - 1], bounds[k])
    evaluate(rule, columns, ess, tables, bounds, edges, marks, distinct, slope, parts)


@jit
def fill_cell(values, sign, run):
    """Fill what moving the records of one cell from right to left adds, one after the other."""
    # Unsigned: no index counts from the end, and the loop becomes vector instructions.
    n, one = np.uint64(run.size), np.uint64(1)
    for r in range(n):
        run[r] = sign * ((values[r + one] - values[r]) - (values[n - r] - values[n - r - one]))


@jit
def scan_column(columns, c, values, bounds, marks, levels, scanned, by_cell, differences, base):
    """Add one column to the differences and to the value of each level that is scanned."""
    _, places, firsts, signs, _, _ = columns
    for k in range(levels):
        if not scanned[k]:
            continue
        start = np.int64(0)
        for cell in range(firsts[c], firsts[c + 1]):
            low, high = marks[k, cell], marks[k + 1, cell]
            base[k] += signs[c] * values[high - low]
            fill_cell(values, signs[c], by_cell[start + low : start + high])
            start += marks[levels, cell]
        first, last = bounds[k], bounds[k + 1]
        mine, own = differences[first:last], places[c, first:last]
        if firsts[c + 1] - firsts[c] == 1:
            mine += by_cell[first:last]
        else:
            for p in range(mine.size):
                mine[p] += by_cell[own[p]]


@jit
def best_of(rule, x, differences, first, last, low, high):
    """Return position and gain of the best threshold inside one level; position -1 when there is none.

    x, differences: of all records; first, last: the level's; low, high: its limits. Monti's term of the widths needs
    two logarithms for a candidate. They lie between those of the first and the last value of a run of candidates, so
    that they are computed only where this bound exceeds the best gain so far.
    """
    where, best, change = -1, -np.inf, 0.0
    near, far, undivided = 0.0, 0.0, 0.0
    if rule == MONTI:
        undivided = (last - first) * log_width(low, high)
    for start in range(first + 1, last, RUN):
        stop = min(start + RUN, last)
        if rule == MONTI:
            near, far = log_width(low, x[start - 1]), log_width(x[stop - 1], high)
        for p in range(start, stop):
            change += differences[p - 1]
            gain = change + undivided - (p - first) * near - (last - p) * far
            if gain > best + TIE and x[p - 1] < x[p]:
                if rule == MONTI:
                    cut = midpoint(x[p - 1], x[p])
                    gain = change + undivided - (p - first) * log_width(low, cut) - (last - p) * log_width(cut, high)
                if gain > best + TIE:
                    where, best = p, gain
    return where, best


@jit
def scan_levels(rule, columns, ess, tables, x, levels, bounds, edges, marks, best_splits, scratch):
    """Bring best_splits[:, k] = (best position, its gain, value) up to date; return which levels were scanned.

    Friedman's gains do not change when another level is split (Fu 2005, III.2.1); the others' do, through the
    hyperparameters.
    """
    by_cell, differences = scratch
    scanned = np.empty(levels, np.bool_)
    for k in range(levels):
        scanned[k] = best_splits[0, k] == STALE or rule != FRIEDMAN
        if scanned[k]:
            differences[bounds[k] : bounds[k + 1]] = 0.0
            best_splits[2, k] = 0.0
            if rule == MONTI:
                best_splits[2, k] = -(bounds[k + 1] - bounds[k]) * log_width(edges[k], edges[k + 1])
    for c in range(len(columns[2]) - 1):
        values = column_table(columns, c, marks[: levels + 1], levels + 1, ess, tables)
        scan_column(columns, c, values, bounds, marks, levels, scanned, by_cell, differences, best_splits[2])
    for k in range(levels):
        if scanned[k]:
            best_splits[0, k], best_splits[1, k] = best_of(
                rule, x, differences, bounds[k], bounds[k + 1], edges[k], edges[k + 1]
            )  # fmt: skip
    return scanned


@jit
def count_values(x, first, last):
    """Return how many distinct values some sorted records have."""
    count = np.int64(1)
    for p in range(first + 1, last):
        count += x[p - 1] < x[p]
    return count


@jit
def greedy(
    rule, columns, ess, tables, x, distinct, slope, most, rise, score, bounds, edges, marks, scratch
):  # fmt: skip
    """Add the best threshold while the score rises; return how many levels and candidates scored, and the marks.

    score: that of a single level, with which bounds, edges [most + 1] and marks begin. The last and failing round
    counts too.
    """
    best_splits, values = np.full((3, most + 1), STALE), np.empty(most + 1, np.int64)
    values[0] = distinct
    # np.int64: a literal would have every callee compiled once more.
    levels, calls = np.int64(1), np.int64(0)
    while levels < min(most, distinct):
        scanned = scan_levels(rule, columns, ess, tables, x, levels, bounds, edges, marks, best_splits, scratch)
        level, gain, base = np.int64(-1), -np.inf, 0.0
        for k in range(levels):
            calls += values[k] - 1 if scanned[k] else 0
            base += best_splits[2, k]
            if best_splits[0, k] >= 0.0 and best_splits[1, k] > gain + TIE:
                level, gain = np.int64(k), best_splits[1, k]
        fresh = base + gain - penalty(rule, levels + 1, distinct, slope, x.size)
        if not fresh > score + rise:
            break
        where = int(best_splits[0, level])
        if levels + 2 > len(marks):
            marks = np.concatenate((marks, np.zeros_like(marks)))
        for k in range(levels, level, -1):
            bounds[k + 1], edges[k + 1], marks[k + 1], values[k] = bounds[k], edges[k], marks[k], values[k - 1]
            for row in range(3):
                best_splits[row, k] = best_splits[row, k - 1]
        bounds[level + 1], edges[level + 1] = where, midpoint(x[where - 1], x[where])
        mark(columns, marks, level + 1, bounds[level], where)
        values[level] = count_values(x, bounds[level], where)
        values[level + 1] -= values[level]
        best_splits[0, level] = best_splits[0, level + 1] = STALE
        levels += 1
        score = fresh
    return levels, calls, marks


@jit
def learn_thresholds(
    rule, columns, slope, x, distinct, ess, most, rise, old_bounds, old_edges, tables, scratch, new, old
):  # fmt: skip
    """Learn the thresholds of one variable greedily, from none (LearnVariableDP); score the old list as well.

    columns, slope: from ``kernels.blankets``; x: float64 [N], the sorted values; distinct: how many they are; most: cap
    of the levels; rise: what a level must add to the score, -inf for anything; old_bounds, old_edges: record positions
    0 .. N and limits of the old levels; tables: see ``table``; scratch: two float64 [N]. new, old [F + 1] are filled
    with the families' values and the term of the levels alone, up to a constant.

    Returns the positions of the thresholds and the number of candidates scored.
    """
    score_list(rule, columns, ess, tables, old_bounds, old_edges, distinct, slope, old)
    bounds, edges = np.zeros(most + 1, np.int64), np.zeros(most + 1)
    bounds[1], edges[0], edges[1] = x.size, old_edges[0], old_edges[-1]
    marks = np.zeros((8, columns[2][-1]), np.int32)
    mark(columns, marks, 1, 0, x.size)
    evaluate(rule, columns, ess, tables, bounds[:2], edges[:2], marks[:2], distinct, slope, new)
    levels, calls, marks = greedy(
        rule, columns, ess, tables, x, distinct, slope, most, rise, new.sum(), bounds, edges, marks, scratch
    )  # fmt: skip
    bounds, edges, marks = bounds[: levels + 1], edges[: levels + 1], marks[: levels + 1]
    evaluate(rule, columns, ess, tables, bounds, edges, marks, distinct, slope, new)
    return bounds[1:-1].copy(), calls
