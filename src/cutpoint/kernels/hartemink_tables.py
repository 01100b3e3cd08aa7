"""Hartemink's merging of levels by tables of counts, when levels are few and large.

One symmetric table holds the counts of all pairs of levels of all variables; its diagonal holds the counts of the
levels. A merge adds one row, and the same column, to another. Losses are those of `hartemink`, also their scale.
"""

import numpy as np

from cutpoint.kernels.compiled import jit


@jit
def phi(f, x, y):
    """Return f(x + y) - f(x) - f(y)."""
    return f[x + y] - f[x] - f[y]


@jit
def count_tables(codes, names, dtype):
    """Return the counts of all pairs of codes, dtype [names, names].

    codes: integers [n, N], no code in two variables.
    """
    n, N = codes.shape
    table = np.zeros((names, names), dtype)
    for i in range(n):
        for j in range(i):
            for r in range(N):
                table[codes[i, r], codes[j, r]] += 1
                table[codes[j, r], codes[i, r]] += 1
        for r in range(N):
            table[codes[i, r], codes[i, r]] += 1
    return table


@jit
def pair_loss(f, table, live, sizes, j, k):
    """Return the loss of merging the levels k and k + 1 of variable j."""
    n = sizes.size
    left, right = table[live[j, k]], table[live[j, k + 1]]
    loss = (n - 1) * phi(f, left[live[j, k]], right[live[j, k + 1]])
    for i in range(n):
        if i != j:
            for t in range(sizes[i]):
                w = live[i, t]
                loss -= phi(f, left[w], right[w])
    return loss


@jit
def merge_rows(f, table, live, sizes, loss, j, k):
    """Merge the levels k and k + 1 of variable j and bring all losses up to date."""
    kept, gone = live[j, k], live[j, k + 1]
    left, right = table[kept], table[gone]
    for i in range(sizes.size):
        if i == j:
            continue
        x, v = left[live[i, 0]], right[live[i, 0]]
        for t in range(sizes[i] - 1):
            b = live[i, t + 1]
            y, w = left[b], right[b]
            loss[i, t] += phi(f, x, v) + phi(f, y, w) - phi(f, x + y, v + w)
            x, v = y, w
        for t in range(sizes[i]):
            w = live[i, t]
            left[w] += right[w]
            table[w, kept] = left[w]
    left[kept] += right[gone]
    sizes[j] -= 1
    for t in range(k + 1, sizes[j]):
        live[j, t] = live[j, t + 1]
        loss[j, t - 1] = loss[j, t]
    for t in range(max(k - 1, 0), min(k + 1, sizes[j] - 1)):
        loss[j, t] = pair_loss(f, table, live, sizes, j, t)


@jit
def merge_tables(f, table, live, sizes, targets, loss, tolerance):
    """Merge levels round after round, as `hartemink.merge_records`, until each variable has its target.

    f: m ln m for m = 0..N, int64; table: count_tables; live: int64 [n, most levels], codes of the levels in order;
    sizes: int64 [n], numbers of levels; targets: int64 [n], numbers to stop at; loss: int64 [n, >= most levels].
    Table, live, sizes and loss are changed.
    """
    while (sizes > targets).any():
        most = sizes[sizes > targets].max()
        for j in range(sizes.size):
            if sizes[j] > targets[j] and sizes[j] == most:
                own = loss[j, : sizes[j] - 1]
                k = np.argmax(own <= own.min() + tolerance)
                merge_rows(f, table, live, sizes, loss, j, k)
