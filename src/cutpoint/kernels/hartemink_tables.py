"""Hartemink's merging of levels by tables of counts, when levels are few and large.

A table holds the counts of all pairs of levels of two variables, once: a level of variable j has a row, and in it a
column for each level of the variables 0 .. j - 1. A merge adds two rows, and in the rows of the variables after j two
columns. Losses are those of `hartemink`, also their scale.
"""

import numpy as np

from cutpoint.kernels.compiled import jit


@jit
def phi(f, x, y):
    """Return f(x + y) - f(x) - f(y)."""
    return f[x + y] - f[x] - f[y]


@jit
def count_tables(codes, starts, table):
    """Count all pairs of codes of two variables.

    codes: integers [n, N], no code in two variables; starts: int64 [names], where the row of each code starts; table:
    integers [cells], zeros that are filled.
    """
    n, N = codes.shape
    for j in range(n):
        for i in range(j):
            for r in range(N):
                table[starts[codes[j, r]] + codes[i, r]] += 1


@jit
def counts_with(table, starts, live, sizes, j, names, i, counts):
    """Fill counts [names, levels of i] with those of named levels of j and each level of another variable i."""
    for k in range(names.size):
        for t in range(sizes[i]):
            row, column = (names[k], live[i, t]) if i < j else (live[i, t], names[k])
            counts[k, t] = table[starts[row] + column]


@jit
def lower(f, left, right, loss):
    """Lower the losses of a variable for a merge of two levels of another, which it shares these records with."""
    x, v = left[0], right[0]
    whole = phi(f, x, v)
    for t in range(left.size - 1):
        y, w = left[t + 1], right[t + 1]
        next_ = phi(f, y, w)
        loss[t] += whole + next_ - phi(f, x + y, v + w)
        x, v, whole = y, w, next_


@jit
def merge_levels(f, table, starts, totals, live, sizes, loss, j, k, counts):
    """Merge the levels k and k + 1 of variable j and bring all losses up to date."""
    n = sizes.size
    first, last = max(k - 1, 0), min(k + 3, sizes[j])
    names = live[j, first:last].copy()
    left, right = k - first, k + 1 - first
    totals[names[left]] += totals[names[right]]
    before, after = np.int64(0), np.int64(0)  # what the levels beside share with the merged one
    for i in range(n):
        if i == j:
            continue
        counts_with(table, starts, live, sizes, j, names, i, counts)
        lower(f, counts[left, : sizes[i]], counts[right, : sizes[i]], loss[i])
        for t in range(sizes[i]):
            both = counts[left, t] + counts[right, t]
            row, column = (names[left], live[i, t]) if i < j else (live[i, t], names[left])
            table[starts[row] + column] = both
            if left > 0:
                before += phi(f, counts[0, t], both)
            if right + 1 < names.size:
                after += phi(f, both, counts[right + 1, t])
    sizes[j] -= 1
    for t in range(k + 1, sizes[j]):
        live[j, t] = live[j, t + 1]
        loss[j, t - 1] = loss[j, t]
    if left > 0:
        loss[j, k - 1] = (n - 1) * phi(f, totals[names[0]], totals[names[left]]) - before
    if right + 1 < names.size:
        loss[j, k] = (n - 1) * phi(f, totals[names[left]], totals[names[right + 1]]) - after


@jit
def merge_tables(f, table, starts, totals, live, sizes, targets, loss, tolerance):
    """Merge levels round after round, as `hartemink.merge_records`, until each variable has its target.

    f: m ln m for m = 0..N, int64; table, starts: see `count_tables`; totals: int64 [names], counts of the levels; live:
    int64 [n, most levels], names of the levels in order; sizes: int64 [n], numbers of levels; targets: int64 [n],
    numbers to stop at; loss: int64 [n, >= most levels]. Table, totals, live, sizes and loss are changed.
    """
    counts = np.empty((4, sizes.max()), np.int64)
    while (sizes > targets).any():
        most = sizes[sizes > targets].max()
        for j in range(sizes.size):
            if sizes[j] > targets[j] and sizes[j] == most:
                own = loss[j, : sizes[j] - 1]
                k = np.argmax(own <= own.min() + tolerance)
                merge_levels(f, table, starts, totals, live, sizes, loss, j, k, counts)
