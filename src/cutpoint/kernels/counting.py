"""Contingency counts of families and the scores made of them.

A family is a child with its parents. Every level of every variable is kept as a set of records, one bit a record, so
that a cell of a contingency table is the number of ones in an intersection. That reads 64 records a word and beats
counting record by record as long as the table has few cells. With more cells the records are counted in the table one
after the other. Where it would have more cells than there are records, these are sorted by the parents and looked at
one after the other, some configurations at a time, so that tables stay small: each record adds what its cell rises by.
All ways count the same. Tables go by parent configuration, child level and, where one more parent is looked at, its
level.
"""

import math
from typing import Any

import numpy as np

from cutpoint.kernels.compiled import deferred, jit

BDEU, K2, PENALISED, FNML = 0, 1, 2, 3  # kinds of score; the meaning of `options` for each is in `_score`

WORD_COST = 0.15  # cost of one word of an intersection against one record counted; measured, only speed depends on it
KEPT_WORD_COST = 1.5  # cost of a word of an intersection that is kept
_TABLE = 1 << 13  # cells of a table of records that are sorted by configuration; it stays in the cache
# Words of an intersection that are counted for all variables in turn: the sets of a family then stay in the cache.
_BLOCK = 1024
# Most levels of a variable that is kept as sets of records: with more, counting records is always faster.
MOST_SETS = int(64 / WORD_COST)
# Beyond this number of configurations the penalty or prior of one cannot be told from that of more.
_MOST_CONFIGURATIONS = 1e200


@deferred
def ones() -> Any:
    """Return what counts the ones of a word: an instruction, which exists in compiled code only."""
    from numba import config, types
    from numba.extending import intrinsic

    def instruction(typing_context, word):
        def codegen(context, builder, signature, args):
            return builder.ctpop(args[0])

        return types.uint64(types.uint64), codegen

    return (lambda word: int(word).bit_count()) if config.DISABLE_JIT else intrinsic(instruction)  # type: ignore[attr-defined]


@jit
def level_sets(codes, cardinalities):
    """Return the records of every level as bits, of the variables with at most MOST_SETS levels.

    codes: uint16 [N, n]; cardinalities: int64 [n]. Gives uint64 [levels, ceil(N / 64)] and the first row of each
    variable, int64 [n + 1].
    """
    rows, n = codes.shape
    first = np.zeros(n + 1, np.int64)
    for i in range(n):
        first[i + 1] = first[i] + (cardinalities[i] if cardinalities[i] <= MOST_SETS else 0)
    bits = np.zeros((first[n], (rows + 63) // 64), np.uint64)
    for i in range(n):
        if first[i + 1] > first[i]:
            for r in range(rows):
                bits[first[i] + codes[r, i], r >> 6] |= np.uint64(1) << np.uint64(r & 63)
    return bits, first


@jit
def _place(alphas, table, alpha):
    """Return the row of a term table that belongs to a prior, a new one where it is free, or -1."""
    for place in range(alphas.size):
        if alphas[place] == alpha:
            return place
        if np.isnan(alphas[place]):
            alphas[place], table[place, 1:] = alpha, np.nan
            return place
    return -1


@jit
def _term(kind, alpha, origin, count):
    """Return what a cell or a row of `count` records adds to a score.

    BDEU and K2: ln Gamma(alpha + count) - ln Gamma(alpha), origin being the latter; PENALISED, FNML: count ln(count).
    What is known of counts below the size of an array, NaN where nothing is, is read and kept where the term is needed:
    handing an array to a function costs more than the term, and so does a branch that tells empty cells from others.
    """
    return count * math.log(count) if kind >= PENALISED else math.lgamma(alpha + count) - origin


@jit
def _prior(kind, alpha, alphas, table):
    """Return what `_term` needs of a prior: alpha, ln Gamma(alpha) and the terms known of it."""
    alpha = 1.0 if kind == PENALISED else alpha
    place = _place(alphas, table, alpha)
    return alpha, math.lgamma(alpha), table[place] if place >= 0 else table[0, :0]


@jit
def _priors(kind, options, q, r, alphas, table):
    """Return the priors of a cell and of a parent configuration, of r cells, of q configurations.

    FNML: the terms of a configuration are filled in beforehand, count ln(count) + ln R(count, r) under the name 1 + r,
    for every number of records.
    """
    cell = options[0] / (q * r) if kind == BDEU else 1.0
    row = 1.0 + r if kind == FNML else cell * r
    return _prior(kind, cell, alphas, table), _prior(kind, row, alphas, table)


@jit
def _sum_table(kind, priors, counts, begin, end, r, s):
    """Return what the cells begin..end - 1 of a table add to a score; r, s: levels of child and further parent."""
    (cell, ln_cell, cell_terms), (row, ln_row, row_terms) = priors
    total, size = 0.0, np.uint64(r * s)
    for configuration in range(np.uint64(begin), np.uint64(end), size):  # unsigned: none counts from the end
        for first in range(configuration, configuration + np.uint64(s)):
            records = np.uint64(0)
            for at in range(first, first + size, np.uint64(s)):
                count = np.uint64(counts[at])
                records += count
                term = cell_terms[count] if count < cell_terms.size else np.nan
                if term != term:
                    term = _term(kind, cell, ln_cell, count) if count > 0 else 0.0
                    if count < cell_terms.size:
                        cell_terms[count] = term
                total += term
            term = row_terms[records] if records < row_terms.size else np.nan
            if term != term:
                term = _term(kind, row, ln_row, records) if records > 0 else 0.0
                if records < row_terms.size:
                    row_terms[records] = term
            total -= term
    return total


@jit
def _score(kind, options, total, r, q, parents):
    """Return the score of a family from what its cells and rows add up to.

    q: nominal number of configurations; parents: how many there are.

    BDEU: options[0] is the equivalent sample size. K2, FNML: none. PENALISED: the log-likelihood times options[0],
    minus options[1] per free parameter, options[2] per parent and one, options[3] * ln r; options[4] counts the
    parameters of a root, options[5] counts r and not r - 1 per configuration. The last option of all kinds is what the
    prior of structures takes per parent.
    """
    prior = options[len(options) - 1] * parents
    if kind != PENALISED:
        return total - prior
    free = 0.0 if parents == 0 and options[4] == 0 else q * (r - 1 + options[5])
    return options[0] * total - options[1] * free - options[2] * (1 + parents) - options[3] * math.log(r) - prior


@jit
def _cell_sets(bits, first, cardinalities, child, parents, rows):
    """Return the records of each observed (configuration, child level), configuration by configuration.

    Gives uint64 [cells, words], without a row where counting record by record is faster.
    """
    words = bits.shape[1]
    most = int(rows / (words * WORD_COST))
    sets = np.full((1, words), ~np.uint64(0))
    if rows & 63:
        sets[0, words - 1] = (np.uint64(1) << np.uint64(rows & 63)) - np.uint64(1)
    count = 1
    for variable in np.append(parents, child):
        r = first[variable + 1] - first[variable]
        split = np.empty((min(count * r, most), words), np.uint64)
        kept = 0
        for j in range(count):
            if r == 0 or kept + r > len(split):
                return np.empty((0, words), np.uint64)
            for level in range(r):
                some = np.uint64(0)
                for w in range(words):
                    split[kept, w] = sets[j, w] & bits[first[variable] + level, w]
                    some |= split[kept, w]
                if some or variable == child:  # the child's empty cells keep their place
                    kept += 1
        sets = split[:kept]
        count = kept
    return sets


@jit
def _count_ones(sets):
    """Return the number of records of each set, int32."""
    counts = np.zeros(len(sets), np.int32)
    for cell in range(np.uint64(len(sets))):
        total = np.uint64(0)
        for w in range(np.uint64(sets.shape[1])):
            total += ones(sets[cell, w])
        counts[cell] = total
    return counts


@jit
def _count_sets(cells, bits, row, levels, begin, end, counts, at):
    """Count cells by all but the last level of a further parent, in words begin..end - 1; add to `counts` from `at` on.

    row: the first of the further parent's levels in `bits`. No slices: to take one costs as much as to count hundreds
    of records.
    """
    for j in range(np.uint64(len(cells))):
        for level in range(np.uint64(levels - 1)):
            total = np.uint64(0)
            for w in range(np.uint64(begin), np.uint64(end)):  # unsigned: none counts from the end
                total += ones(cells[j, w] & bits[np.uint64(row) + level, w])
            counts[np.uint64(at) + j * np.uint64(levels) + level] += total


@jit
def _fill_last(totals, levels, counts):
    """Give the last level of a further parent the records of a cell that the others lack."""
    for j in range(totals.size):
        left = totals[j]
        for level in range(levels - 1):
            left -= counts[j * levels + level]
        counts[j * levels + levels - 1] = left


@jit
def _cells_of(codes, cardinalities, child, parents):
    """Return the number of the cell of each record, by configuration and child level, uint32 [N]."""
    cells = np.zeros(codes.shape[0], np.uint32)
    for variable in np.append(parents, child):
        levels, column = np.uint32(cardinalities[variable]), codes[:, variable]
        for record in range(np.uint64(column.size)):
            cells[record] = cells[record] * levels + column[record]
    return cells


@jit
def _count_records(cells, column, s, counts):
    """Count all records by cell and level of a further parent, uint16 [N] of s levels; fill `counts`, int32."""
    counts[:] = 0
    s = np.uint64(s)
    for record in range(np.uint64(column.size)):  # unsigned: no index counts from the end
        counts[cells[record] * s + np.uint64(column[record])] += 1


@jit
def _sort_records(codes, cardinalities, child, parents, rows, most):
    """Return the records by configuration, without those that are alone in one, and how many these are.

    rows: how many records, the first ones; most: levels of a further parent. Gives int32 [N'] the records, the number
    of each one's cell and of its configuration, and int32 the ends of blocks, in each of which numbers begin at 0, so
    that a table of a block stays small; most configurations of a block, most records of a configuration, and how many
    records are alone.
    """
    r = cardinalities[child]
    order, other = np.empty(rows, np.int32), np.empty(rows, np.int32)
    for record in range(rows):
        order[record] = record
    for p in parents[::-1]:
        column = codes[:, p]
        begin = np.zeros(cardinalities[p] + 1, np.int64)
        for record in range(rows):
            begin[column[record] + 1] += 1
        for level in range(cardinalities[p]):
            begin[level + 1] += begin[level]
        for record in order:
            other[begin[column[record]]] = record
            begin[column[record]] += 1
        order, other = other, order
    cells, configurations, ends = np.empty(rows, np.int32), np.empty(rows, np.int32), np.empty(rows, np.int32)
    first = kept = blocks = number = 0
    widest = longest = 1
    for place in range(1, rows + 1):
        last = place == rows
        for p in parents:
            last = last or codes[order[place], p] != codes[order[place - 1], p]
            if last:
                break
        if last and place - first > 1:
            if number > 0 and (number + 1) * r * most > _TABLE:
                ends[blocks], number = kept, 0
                blocks += 1
            for record in order[first:place]:
                order[kept], configurations[kept], cells[kept] = record, number, number * r + codes[record, child]
                kept += 1
            number, longest = number + 1, max(longest, place - first)
            widest = max(widest, number)
        first = place if last else first
    ends[blocks] = kept
    return order[:kept], cells[:kept], configurations[:kept], ends[: blocks + 1], widest, longest, rows - kept


@jit
def _rises(kind, prior, most):
    """Return what one more record adds to the term of a cell or a row, by how many there were, float64 [most]."""
    alpha, ln_alpha, terms = prior
    rises, before = np.empty(most), 0.0
    for count in range(1, most + 1):
        term = terms[count] if count < terms.size else np.nan
        if term != term:
            term = _term(kind, alpha, ln_alpha, count)
            if count < terms.size:
                terms[count] = term
        rises[count - 1], before = term - before, term
    return rises


@jit
def _sum_records(rises, records, column, s, counts, in_row):
    """Return what the cells of (configuration, further parent, child) add, record by record.

    rises: of `_rises` for cells and for rows; records: of `_sort_records`; column: uint16 [N], the further parent;
    counts, in_row: int32, room for the cells and rows of a block.
    """
    order, cells, configurations, ends, _, _, alone = records
    of_cells, of_rows = rises
    total, begin, s = alone * (of_cells[0] - of_rows[0]), np.uint64(0), np.uint64(s)
    for end in ends:
        counts[:], in_row[:] = 0, 0
        for place in range(begin, np.uint64(end)):  # unsigned: no index counts from the end
            level = np.uint64(column[np.uint64(order[place])])
            at, row = np.uint64(cells[place]) * s + level, np.uint64(configurations[place]) * s + level
            total += of_cells[np.uint64(counts[at])] - of_rows[np.uint64(in_row[row])]
            counts[at] += 1
            in_row[row] += 1
        begin = np.uint64(end)
    return total


@jit
def _configurations(cardinalities, parents):
    q = 1.0
    for p in parents:
        q = min(q * cardinalities[p], _MOST_CONFIGURATIONS)
    return q


@jit
def _alone(rows):
    """Return the codes of a further parent with one level, of the type of a column of others."""
    return np.zeros((1, rows), np.uint16).T[:, 0]


@jit
def score_family(codes, bits, first, cardinalities, child, parents, kind, options, alphas, table):
    """Return the score of one family.

    codes: uint16 [N, n], columns contiguous; bits, first: of `level_sets`; parents: int64 [p]; alphas, table: float64
    [S] and [S, L], priors and their terms, of `_place` and `_term`, at first NaN and 0.
    """
    rows, r = codes.shape[0], cardinalities[child]
    q = _configurations(cardinalities, parents)
    priors = _priors(kind, options, q, r, alphas, table)
    by_table = q * r <= rows < q * r * bits.shape[1] * KEPT_WORD_COST
    sets = bits[:0] if by_table else _cell_sets(bits, first, cardinalities, child, parents, rows)
    if len(sets) > 0 or q * r <= rows:
        counts = _count_ones(sets)
        if len(sets) == 0:
            counts = np.empty(int(q) * r, np.int32)
            _count_records(_cells_of(codes, cardinalities, child, parents), _alone(rows), 1, counts)
        total = _sum_table(kind, priors, counts, 0, counts.size, r, 1)
    else:
        records = _sort_records(codes, cardinalities, child, parents, rows, 1)
        rises = _rises(kind, priors[0], records[5]), _rises(kind, priors[1], records[5])
        tables = np.empty(records[4] * r, np.int32), np.empty(records[4], np.int32)
        total = _sum_records(rises, records, _alone(rows), 1, *tables)
    return _score(kind, options, total, r, q, len(parents))


@jit
def toggle_gains(codes, bits, first, cardinalities, child, parents, kind, options, alphas, table, wanted):
    """Return the gain of adding each variable to the parents, or of taking it out.

    The arguments are those of `score_family`, and which variables are wanted, bool [n]. Gives float64 [n], -inf for
    the child and for those that are not wanted.
    """
    rows, n = codes.shape
    words, r = bits.shape[1], cardinalities[child]
    q = _configurations(cardinalities, parents)
    base = score_family(codes, bits, first, cardinalities, child, parents, kind, options, alphas, table)
    gains = np.full(n, -np.inf)
    added = wanted.copy()
    added[child] = False
    for p in parents:
        added[p] = False
        if wanted[p]:
            others = parents[parents != p]
            score = score_family(codes, bits, first, cardinalities, child, others, kind, options, alphas, table)
            gains[p] = score - base
    most = cardinalities.max()
    sets = _cell_sets(bits, first, cardinalities, child, parents, rows)
    # where the table of each variable begins that is counted by sets, all in one array
    begin = np.zeros(n + 1, np.int64)
    for x in range(n):
        size = len(sets) * cardinalities[x] if added[x] else 0
        begin[x + 1] = begin[x] + (size if size * words * WORD_COST < rows else 0)
    counts = np.zeros(begin[n], np.int32)
    for word in range(0, words, _BLOCK):
        for x in range(n):
            if begin[x + 1] > begin[x]:
                end = min(word + _BLOCK, words)
                _count_sets(sets, bits, first[x], cardinalities[x], word, end, counts, begin[x])
    totals = _count_ones(sets)
    cells, one_table = np.empty(0, np.uint32), np.empty(0, np.int32)
    in_order, s = q * most * r > rows, 0
    records = _sort_records(codes, cardinalities, child, parents, rows if in_order else 1, most)
    counts_of_many, in_row = np.empty(records[4] * r * most, np.int32), np.empty(records[4] * most, np.int32)
    priors = _priors(kind, options, q, r, alphas, table)
    rises = np.empty(0), np.empty(0)
    for x in np.argsort(cardinalities):  # as priors are made anew for other levels
        if not added[x]:
            continue
        if cardinalities[x] != s:
            s = cardinalities[x]
            q_x = min(q * s, _MOST_CONFIGURATIONS)
            priors = _priors(kind, options, q_x, r, alphas, table)
            if in_order:
                rises = _rises(kind, priors[0], records[5]), _rises(kind, priors[1], records[5])
        if begin[x + 1] > begin[x]:
            _fill_last(totals, s, counts[begin[x] : begin[x + 1]])
            total = _sum_table(kind, priors, counts, begin[x], begin[x + 1], r, s)
        elif q_x * r <= rows:
            if cells.size == 0:
                cells, one_table = _cells_of(codes, cardinalities, child, parents), np.empty(rows, np.int32)
            size = int(q_x) * r
            _count_records(cells, codes[:, x], s, one_table[:size])
            total = _sum_table(kind, priors, one_table, 0, size, r, s)
        else:
            size = records[4] * s
            total = _sum_records(rises, records, codes[:, x], s, counts_of_many[: size * r], in_row[:size])
        gains[x] = _score(kind, options, total, r, q_x, len(parents) + 1) - base
    return gains


@jit
def mean_gains(codes, bits, first, cardinalities, child, parents, kind, options, alphas, table, wanted):
    """Return the mean of `toggle_gains` over draws of the codes, uint16 [draws, n, N], and of their `level_sets`."""
    total = np.zeros(wanted.size)
    for k in range(len(codes)):
        data = codes[k].T, bits[k], first, cardinalities
        total += toggle_gains(*data, child, parents, kind, options, alphas, table, wanted)
    return total / len(codes)
