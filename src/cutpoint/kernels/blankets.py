"""What a variable sees of its Markov blanket: one cell number per record and family.

The score of the levels of one variable, all others held, is a sum over *columns*,

    sign * sum over levels and cells g(count),    g(0) = 0,

where a column assigns each record to a cell, a configuration of other variables without the variable's own
level. The variable's family makes one column (the parents), a child's family two (the other parents with the
child; the other parents alone). Cells that do not occur cost nothing, so that count tables stay small.

The function g of a column is named by its key: 0 is m ln m; -1 is ln Gamma(m); d > 0 is
ln Gamma(a + m) - ln Gamma(a) with a = ess / (d * levels of the variable), as BDeu has it.
"""

import numpy as np

from cutpoint.kernels.compiled import jit

FRIEDMAN, MONTI, STECK = 0, 1, 2
X_LOG_X, LOG_GAMMA = 0.0, -1.0
FEW = 512
TABLE = 1 << 22  # most pairs of a cell and a level that are numbered at once


@jit
def compact(cells, size):
    """Renumber the cells that occur as 0, 1, ...; return how many there are."""
    number = np.full(size, -1, np.int64)
    count = 0
    for p in range(cells.size):
        c = cells[p]
        if number[c] < 0:
            number[c] = count
            count += 1
        cells[p] = number[c]
    return count


@jit
def refine(source, size, codes, levels, order, target):
    """Split each cell of source by one more variable, in sorted order; return the number of cells."""
    if size * levels > TABLE:  # by one digit of the codes after the other
        divisor, base = 1, max(TABLE // size, 2)
        for p in range(order.size):
            target[p] = source[p]
        while divisor < levels:
            for p in range(order.size):
                target[p] = target[p] * base + codes[np.uint32(order[p])] // divisor % base
            size, divisor = compact(target, size * base), divisor * base
            base = max(TABLE // size, 2)
        return size
    if size == 1:
        for p in range(order.size):
            target[p] = codes[np.uint32(order[p])]
    else:
        for p in range(order.size):
            target[p] = source[p] * levels + codes[np.uint32(order[p])]
    size *= levels
    return size if size <= FEW else compact(target, size)


@jit
def add_column(c, size, sign, key, family, firsts, signs, keys, families):
    """Describe column c, whose cells are in place; return the next column."""
    firsts[c + 1], signs[c], keys[c], families[c] = firsts[c] + size, sign, key, family
    return c + 1


@jit
def blanket_columns(rule, codes, levels, order, offsets, members, cells, firsts, signs, keys, families):
    """Fill the columns of one variable; return how many there are and the parameters one more level adds.

    codes: int32 [n, N]; levels: int64 [n]; order: int32 [N], the records sorted by the variable's value.
    members[offsets[f] : offsets[f + 1]]: for f = 0 the parents; for a child its other parents, then itself.
    Filled: cells, uint32 [2 F, N], undefined where there is a single cell; firsts [2 F + 1], the first cell of each
    column when all cells are numbered; signs, keys, families [2 F]. Steck's term of the levels alone has F for its
    family. Nominal configurations are floats: they may exceed any integer.
    """
    column = (firsts, signs, keys, families)
    firsts[0] = 0
    slope = 0.0
    c = 0
    for f in range(offsets.size - 1):
        first, last = offsets[f], offsets[f + 1]
        size, nominal = np.int64(1), 1.0
        for v in members[first : last - (1 if f > 0 else 0)]:
            size = refine(cells[c], size, codes[v], levels[v], order, cells[c])
            nominal *= levels[v]
        key = X_LOG_X if rule == FRIEDMAN else nominal
        if f > 0:
            v = members[last - 1]
            slope += nominal * (levels[v] - 1)
            finer = refine(cells[c], size, codes[v], levels[v], order, cells[c + 1])
            c = add_column(c, size, -1.0, key, f, *column)
            c = add_column(c, finer, 1.0, key * levels[v], f, *column)
            continue
        slope += nominal
        # Mutual information with no parents is 0: both columns would cancel.
        if rule != FRIEDMAN or last > first:
            c = add_column(c, size, 1.0, key, 0, *column)
        if rule == FRIEDMAN and last > first:
            c = add_column(c, 1, -1.0, key, 0, *column)
    if rule == STECK:
        c = add_column(c, 1, -1.0, LOG_GAMMA, offsets.size - 1, *column)
    return c, slope
