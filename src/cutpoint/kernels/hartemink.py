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
def pair_loss(f, order, levels, j, begin, middle, end, room):
    """Return the loss of two adjacent levels of j, its records begin .. middle - 1 and middle .. end - 1."""
    loss, (left, right, _) = (len(order) - 1) * phi(f, middle - begin, end - middle), room
    for i in range(len(order)):
        if i == j:
            continue
        for p in range(begin, middle):
            left[levels[i, order[j, p]]] += 1
        for p in range(middle, end):
            a = levels[i, order[j, p]]
            loss -= f[left[a] + right[a] + 1] - f[left[a] + right[a]] - f[right[a] + 1] + f[right[a]]
            right[a] += 1
        for p in range(begin, end):
            a = levels[i, order[j, p]]
            left[a] = right[a] = 0
    return loss


@jit
def lower_losses(f, order, levels, j, begin, middle, end, before, after, loss, low, room):
    """Lower the losses of the other variables for a merge of two levels of j; see `pair_loss` and `merge`."""
    left, right, done = room
    for i in range(len(order)):
        if i == j:
            continue
        for p in range(begin, middle):
            left[levels[i, order[j, p]]] += 1
        for p in range(middle, end):
            right[levels[i, order[j, p]]] += 1
        for p in range(begin, middle):
            a = np.int64(levels[i, order[j, p]])
            for b in (before[i, a], a):
                c = after[i, max(b, 0)]
                if b >= 0 and done[b] == 0 and right[b] + right[c] > 0:
                    done[b] = 1
                    both = left[b] + left[c], right[b] + right[c]
                    loss[i, b] += phi(f, left[b], right[b]) + phi(f, left[c], right[c]) - phi(f, *both)
                    low[i, b // BLOCK] = min(low[i, b // BLOCK], loss[i, b])
        for p in range(begin, end):
            a = np.int64(levels[i, order[j, p]])
            left[a] = right[a] = done[a] = done[max(before[i, a], 0)] = 0


@jit
def put(loss, low, j, b, value):
    """Change a loss, and the lowest one of its block."""
    loss[j, b], k = value, b // BLOCK
    low[j, k] = loss[j, k * BLOCK : (k + 1) * BLOCK].min()


@jit
def renew(f, order, levels, first, j, b, after, loss, low, room):
    """Take the loss of a level of j and the next one anew."""
    middle, value = after[j, b], NEVER
    if first[j, middle] < order.shape[1]:
        value = pair_loss(f, order, levels, j, first[j, b], first[j, middle], first[j, after[j, middle]], room)
    put(loss, low, j, b, value)


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

    f: `entropy_table`; order: integers [n, N], the records of each variable in sorted order; levels: integers [n, N];
    first: int64 [n, most levels + 1], where in order the levels begin, N beyond the last; sizes, targets: int64 [n],
    how many levels there are and shall be.
    """
    n, most = len(order), sizes.max()
    before, after = np.empty((2, n, most + 1), np.int64)  # the names of the neighbours of each level
    loss, low = np.full((n, most + BLOCK), NEVER), np.full((n, most // BLOCK + 1), NEVER)
    room = np.zeros((3, most + 1), np.int64)
    for j in range(n):
        for b in range(most + 1):
            before[j, b], after[j, b] = b - 1, min(b + 1, most)
        for b in range(sizes[j]):
            renew(f, order, levels, first, j, b, after, loss, low, room)
    while most > 0:
        most = 0
        for j in range(n):
            most = max(most, sizes[j] if sizes[j] > targets[j] else 0)
        for j in range(n):
            if sizes[j] <= targets[j] or sizes[j] < most:
                continue
            b = first_lowest(loss, low, j, tolerance)
            middle, end = after[j, b], after[j, after[j, b]]
            begins = first[j, b], first[j, middle], first[j, end]
            lower_losses(f, order, levels, j, *begins, before, after, loss, low, room)
            for p in range(begins[1], begins[2]):
                levels[j, order[j, p]] = b
            after[j, b], before[j, end] = end, b
            put(loss, low, j, middle, NEVER)
            renew(f, order, levels, first, j, b, after, loss, low, room)
            if before[j, b] >= 0:
                renew(f, order, levels, first, j, before[j, b], after, loss, low, room)
            sizes[j] -= 1
