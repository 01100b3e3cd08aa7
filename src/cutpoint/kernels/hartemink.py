"""Hartemink's merging of levels, by visits to the records of the levels that are merged.

The levels of a variable are ranges of its sorted records, named 0, 1, ... in order; the name of the upper one of two
that are merged goes. The loss of a pair of adjacent levels a, a' of i is what merging them takes from N times the total
mutual information,

    (n - 1) phi(N_a, N_a') - sum over j, b of phi(N_ab, N_a'b),

with phi(x, y) = f(x + y) - f(x) - f(y) and f(m) = m ln m, whose terms vanish where a count is 0. A merge in j
changes a loss of i only where records of both merged levels lie in adjacent levels of i, and never raises it.

Losses are integers (`entropy_table`), so that sums do not depend on their order and ties are ties.
"""

import numpy as np

from cutpoint.kernels.compiled import jit

NEVER = 2**62  # loss of what is no pair
BLOCK = 64  # losses, whose lowest is kept


@jit
def entropy_table(size, scale):
    """Return scale * m ln m for m = 0..size as integers, int64 [size + 1].

    Only the logarithms of primes are rounded: f(4) is 4 f(2), so that losses equal on paper are equal here.
    """
    logs = np.zeros(size + 1, np.int64)
    for prime in range(2, size + 1):
        if logs[prime] == 0:
            log = np.int64(np.rint(np.log(prime) * scale))
            power = prime
            while power <= size:
                for m in range(power, size + 1, power):
                    logs[m] += log
                power *= prime
    return np.arange(size + 1) * logs


@jit
def phi(f, x, y):
    """Return f(x + y) - f(x) - f(y)."""
    return f[x + y] - f[x] - f[y]


@jit
def visit(f, rows, cuts, j, before, after, loss, low, room):
    """Lower the losses of the other variables for a merge of two levels of j.

    rows: the levels of the records of the level before the two, of both, and of the one after, which begin at `cuts`;
    room: int32 [levels, 6], zeros, and left so. Returns the sums of phi over the levels of the others, of the level
    before with both, and of both with the level after.
    """
    below = above = 0
    for i in range(rows.shape[1]):
        if i == j:
            continue
        for part in range(4):
            for p in range(cuts[part], cuts[part + 1]):
                room[rows[p, i], part] += 1
        for p in range(cuts[1], cuts[3]):
            a = np.int64(rows[p, i])
            if room[a, 4] == 0:
                room[a, 4] = 1
                below += phi(f, room[a, 0], room[a, 1] + room[a, 2])
                above += phi(f, room[a, 1] + room[a, 2], room[a, 3])
            for b in (before[i, a], a) if p < cuts[2] else (-1, -1):
                c = after[i, max(b, 0)]
                x, y, v, w = room[b, 1], room[c, 1], room[b, 2], room[c, 2]
                if b >= 0 and v + w > 0 and room[b, 5] == 0:
                    room[b, 5] = 1
                    loss[i, b] += phi(f, x, v) + phi(f, y, w) - phi(f, x + y, v + w)
                    low[i, b // BLOCK] = min(low[i, b // BLOCK], loss[i, b])
        for p in range(len(rows)):
            a = np.int64(rows[p, i])
            room[max(before[i, a], 0), 5] = 0
            for part in range(6):
                room[a, part] = 0
    return below, above


@jit
def put(loss, low, j, b, value):
    """Change a loss, and the lowest one of its block."""
    loss[j, b], k = value, b // BLOCK
    low[j, k] = loss[j, k * BLOCK : (k + 1) * BLOCK].min()


@jit
def read(order, levels, j, begin, end, rows):
    """Copy the levels of some records in the order of j, as they are read more than once."""
    for p in range(begin, end):
        record = order[j, p]
        for i in range(rows.shape[1]):
            rows[p - begin, i] = levels[record, i]
    return rows[: end - begin]


@jit
def first_lowest(loss, low, j, tolerance):
    """Return the first level of j whose loss is within the tolerance of the lowest."""
    k, bound = 0, low[j].min() + tolerance
    while low[j, k] > bound:
        k += 1
    b = k * BLOCK
    while loss[j, b] > bound:
        b += 1
    return b


@jit
def merge(f, order, levels, first, sizes, targets, tolerance):
    """Merge a pair of levels, in place, of each variable that has the most of those above their target, until none is.

    f: `entropy_table`; order: integers [n, N], the records of each variable in sorted order; levels: integers [N, n];
    first: int64 [n, most levels + 1], where in order the levels begin, N beyond the last; sizes, targets: int64 [n],
    how many levels there are and shall be.
    """
    n, most, size = len(order), sizes.max(), order.shape[1]
    before, after = np.empty((2, n, most + 1), np.int64)  # the names of the neighbours of each level
    loss, low = np.full((n, most + BLOCK), NEVER), np.full((n, most // BLOCK + 1), NEVER)
    rows, room = np.empty_like(levels), np.zeros((most + 1, 6), np.int32)
    for j in range(n):
        for b in range(most + 1):
            before[j, b], after[j, b] = b - 1, min(b + 1, most)
    for j in range(n):
        for b in range(sizes[j] - 1):
            begin, middle, end = first[j, b], first[j, b + 1], first[j, b + 2]
            cuts = (0, 0, middle - begin, middle - begin, end - begin)
            above = visit(f, read(order, levels, j, begin, end, rows), cuts, j, before, after, loss, low, room)[1]
            put(loss, low, j, b, (n - 1) * phi(f, middle - begin, end - middle) - above)
    while most > 0:
        most = 0
        for j in range(n):
            most = max(most, sizes[j] if sizes[j] > targets[j] else 0)
        for j in range(n):
            if sizes[j] <= targets[j] or sizes[j] < most:
                continue
            b = first_lowest(loss, low, j, tolerance)
            lower, middle, end = before[j, b], after[j, b], after[j, after[j, b]]
            begin = first[j, b] if lower < 0 else first[j, lower]
            last = first[j, after[j, end]] if first[j, end] < size else size
            cuts = (0, first[j, b] - begin, first[j, middle] - begin, first[j, end] - begin, last - begin)
            seen = read(order, levels, j, begin, last, rows)
            below, above = visit(f, seen, cuts, j, before, after, loss, low, room)
            for p in range(first[j, middle], first[j, end]):
                levels[order[j, p], j] = b
            after[j, b], before[j, end] = end, b
            both = cuts[3] - cuts[1]
            put(loss, low, j, middle, NEVER)
            put(loss, low, j, b, (n - 1) * phi(f, both, last - first[j, end]) - above if cuts[4] > cuts[3] else NEVER)
            if lower >= 0:
                put(loss, low, j, lower, (n - 1) * phi(f, cuts[1], both) - below)
            sizes[j] -= 1
