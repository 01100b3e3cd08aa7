"""Sets of variables of one size, and what the records of each contribute to scores.

Sets of a size stand in colexicographic order, members from the highest to the lowest, so that the row of a
set is the sum of C(member, place) (Knuth, TAOCP 7.2.1.3) and neighbouring sets share their first members.
"""

import math

import numpy as np

from cutpoint.kernels.compiled import jit

BY_LGAMMA, BY_LOGARITHM = 0, 1


def subsets(n: int, size: int) -> np.ndarray:
    """Return all sets of a size, int16 [C(n, size), size]."""
    sets = np.empty((1, 0), np.int16)
    for fewer in range(size):  # lower members
        highest = np.arange(fewer, n, dtype=np.int16)
        counts = [math.comb(member, fewer) for member in range(fewer, n)]
        lower = np.concatenate([sets[:count] for count in counts])
        sets = np.column_stack([np.repeat(highest, counts), lower])
    return sets


@jit
def supersets(sets, n, binomial):
    """Return the row of each set with one more variable, int32 [sets, n]; -1 where it is a member."""
    count, size = sets.shape
    rows = np.empty((count, n), np.int32)
    for s in range(count):
        high = 0  # of the members above x, one place further
        low = 0
        for p in range(size):
            low += binomial[sets[s, p], size - p]
        p = 0
        for x in range(n - 1, -1, -1):
            if p < size and sets[s, p] == x:
                rows[s, x] = -1
                low -= binomial[x, size - p]
                high += binomial[x, size - p + 1]
                p += 1
            else:
                rows[s, x] = high + binomial[x, size - p + 1] + low
    return rows


@jit
def best_below(sets, best, binomial):
    """Return for every set and variable the highest `best` of the sets with one member less.

    sets: int16 [sets, size], size > 0; best: float64 [sets of size - 1, n]. Gives float64 [sets, n],
    infinite for members.
    """
    count, size = sets.shape
    n = best.shape[1]
    highest = np.full((count, n), -np.inf)
    for s in range(count):
        row = 0
        for p in range(1, size):
            row += binomial[sets[s, p], size - p]
        for p in range(size):
            for x in range(n):
                highest[s, x] = max(highest[s, x], best[row, x])
            if p + 1 < size:
                row += binomial[sets[s, p], size - 1 - p] - binomial[sets[s, p + 1], size - 1 - p]
        for p in range(size):
            highest[s, sets[s, p]] = np.inf
    return highest


@jit
def cell_terms(kind, alphas, length):
    """Return what a cell of 0, 1, .. records adds to a score, float64 [alphas, length].

    BY_LGAMMA: ln Gamma(alpha + count) - ln Gamma(alpha); BY_LOGARITHM: count ln(count).
    """
    table = np.zeros((alphas.size, length))
    for a in range(alphas.size):
        for count in range(1, length):
            table[a, count] = _term(kind, alphas[a], count)
    return table


@jit
def _term(kind, alpha, count):
    if kind == BY_LOGARITHM:
        return count * math.log(count)
    return math.lgamma(alpha + count) - math.lgamma(alpha)


@jit
def _refine(index, column, r, label, out):
    """Split the configurations of `index` by a column, into `out`, and return how many there are."""
    label[:] = -1
    count = 0
    for record in range(index.size):
        cell = index[record] * r + column[record]
        if label[cell] < 0:
            label[cell] = count
            count += 1
        out[record] = label[cell]
    return count


@jit
def count_sets(codes, cardinalities, sets, needed, kind, alphas, table, row):
    """Return the sums over the cells of each set, and how many cells have records.

    codes: int32 [N, n], columns contiguous; sets: int16 [sets, size]; needed: bool [sets], the others get 0; kind,
    alphas, table: of `cell_terms`; row: int64 [sets, columns], the rows of the table that are summed for a set. Gives
    float64 [sets, columns], int64 [sets].
    """
    rows = codes.shape[0]
    size, columns = sets.shape[1], row.shape[1]
    length = table.shape[1]
    terms = np.zeros((len(sets), columns))
    observed = np.zeros(len(sets), np.int64)
    r_max = cardinalities.max() if cardinalities.size else 1
    label = np.empty(rows * r_max + r_max, np.int32)
    counts = np.empty(rows * r_max + r_max, np.int64)
    # index[d]: the configurations of the first d members; the last member is counted only
    index = np.zeros((max(size, 1), rows), np.int32)
    numbers = np.ones(max(size, 1), np.int64)
    held = np.full(max(size, 1), -1, np.int64)
    for s in range(len(sets)):
        if not needed[s]:
            continue
        if size == 0:
            counts[0] = rows
            cells = 1
        else:
            depth = 0
            while depth < size - 1 and held[depth] == sets[s, depth]:
                depth += 1
            for d in range(depth, size - 1):
                held[d] = sets[s, d]
                r = cardinalities[held[d]]
                numbers[d + 1] = _refine(index[d], codes[:, held[d]], r, label[: numbers[d] * r], index[d + 1])
            column, last, r = codes[:, sets[s, size - 1]], index[size - 1], cardinalities[sets[s, size - 1]]
            cells = numbers[size - 1] * r
            counts[:cells] = 0
            for record in range(rows):
                counts[last[record] * r + column[record]] += 1
        for cell in range(cells):
            observed[s] += counts[cell] > 0
        for column in range(columns):
            total = 0.0
            for cell in range(cells):
                count = counts[cell]
                if count < length:
                    total += table[row[s, column], count]
                else:
                    total += _term(kind, alphas[row[s, column]], count)
            terms[s, column] = total
    return terms, observed


@jit
def tie_groups(children, scores, epsilon):
    """Return the group of each score, those that are nearer than epsilon to the first of their group.

    children: int64, grouped; scores: float64, falling within each child. Gives int64, rising.
    """
    group = np.zeros(children.size, np.int64)
    start = 0
    for i in range(1, children.size):
        group[i] = group[i - 1]
        if children[i] != children[start] or scores[i] < scores[start] - epsilon:
            group[i] += 1
            start = i
    return group
