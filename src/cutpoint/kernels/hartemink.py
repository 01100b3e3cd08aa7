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
def visit(f, order, levels, cuts, j, after, loss, low, room, names, rows):
    """Lower the losses of the other variables for a merge of two levels of j.

    cuts: where in the order of j the level before the two, each of them, and the one after begin, and where that ends;
    room: int32 [levels, 4], zeros, and left so; names: int64 [levels], rows: integers [n, N], to be written on. Returns
    the sums of phi over the levels of the others, of the level before with both, and of both with the level after.
    """
    below = above = 0
    begin, one, two, three, end = cuts[0], cuts[1] - cuts[0], cuts[2] - cuts[0], cuts[3] - cuts[0], cuts[4] - cuts[0]
    for p in range(end):
        record = order[j, begin + p]
        for i in range(len(rows)):
            rows[i, p] = levels[record, i]
    for i in range(len(rows)):
        if i == j:
            continue
        k = 0  # levels of i that have records of the two
        for p in range(one, three):
            a = rows[i, p]
            names[k] = a
            k += room[a, 1] + room[a, 2] == 0
            room[a, 1 + (p >= two)] += 1
        for p in range(one):
            a = rows[i, p]
            room[a, 0] += room[a, 1] + room[a, 2] > 0
        for p in range(three, end):
            a = rows[i, p]
            room[a, 3] += room[a, 1] + room[a, 2] > 0
        for q in range(k):
            a = names[q]
            c = after[i, a]
            x, y, v, w = room[a, 1], room[c, 1], room[a, 2], room[c, 2]
            below += phi(f, room[a, 0], x + v)
            above += phi(f, x + v, room[a, 3])
            if y + w > 0:
                loss[i, a] += phi(f, x, v) + phi(f, y, w) - phi(f, x + y, v + w)
                low[i, a // BLOCK] = min(low[i, a // BLOCK], loss[i, a])
        for q in range(k):
            a = names[q]
            room[a, 0] = room[a, 1] = room[a, 2] = room[a, 3] = 0
    return below, above


@jit
def put(loss, low, j, b, value):
    """Change a loss, and the lowest one of its block."""
    loss[j, b], k = value, b // BLOCK
    low[j, k] = loss[j, k * BLOCK : (k + 1) * BLOCK].min()


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
    before, after = np.empty((2, n, most + 1), levels.dtype)  # the names of the neighbours of each level
    loss, low = np.full((n, most + BLOCK), NEVER), np.full((n, most // BLOCK + 1), NEVER)
    names, rows = np.empty(most + 1, np.int64), np.empty((n, size), levels.dtype)
    room = np.zeros((most + 1, 4), np.int32)
    for j in range(n):
        for b in range(most + 1):
            before[j, b], after[j, b] = max(b - 1, 0), min(b + 1, most)
    for j in range(n):
        for b in range(sizes[j] - 1):
            begin, middle, end = first[j, b], first[j, b + 1], first[j, b + 2]
            cuts, above = (begin, begin, middle, middle, end), 0
            if sizes.min() < size:  # else no two records have a level in common
                above = visit(f, order, levels, cuts, j, after, loss, low, room, names, rows)[1]
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
            last = first[j, after[j, end]] if first[j, end] < size else size
            cuts = (first[j, lower], first[j, b], first[j, middle], first[j, end], last)
            below, above = visit(f, order, levels, cuts, j, after, loss, low, room, names, rows)
            for record in order[j, cuts[2] : cuts[3]]:
                levels[record, j] = b
            after[j, b], before[j, end] = end, b
            both = cuts[3] - cuts[1]
            put(loss, low, j, middle, NEVER)
            put(loss, low, j, b, (n - 1) * phi(f, both, last - cuts[3]) - above if last > cuts[3] else NEVER)
            if b > 0:
                put(loss, low, j, lower, (n - 1) * phi(f, cuts[1] - cuts[0], both) - below)
            sizes[j] -= 1
