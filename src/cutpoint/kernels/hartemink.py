"""Hartemink's merging of levels by visits to records, while levels are many and small.

The levels of a variable are ranges of its sorted records, named 0, 1, ... in order. The loss of a pair of
adjacent levels a, a' of i is what merging them takes from N times the total mutual information,

    (n - 1) phi(N_a, N_a') - sum over j, b of phi(N_ab, N_a'b),

with phi(x, y) = f(x + y) - f(x) - f(y) and f(m) = m ln m, whose terms vanish where a count is 0. A merge in j
changes a loss of i only where records of both merged levels lie in adjacent levels of i, and never raises it.

Losses are integers (`entropy_table`), so that sums do not depend on their order and ties are ties. `levels[r, i]`
names the level of a record and `ends[r, i]` the next one: two records are compared in all variables at once.
"""

import numpy as np

from cutpoint.kernels.compiled import jit

NEVER = 2**62  # loss of what is no pair
SHIFT, LEFT, RIGHT = 32, 2**32 - 1, 2**32  # two counts in one integer
BLOCK = 64  # losses under one entry of `low`, their minimum
SCREEN = 12  # compare rows of records while that takes fewer comparisons than this times the records


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
def first_lowest(loss, low, tolerance):
    """Return the first position whose loss is within the tolerance of the lowest."""
    bound = low.min() + tolerance
    k = 0
    while low[k] > bound:
        k += 1
    k *= BLOCK
    while loss[k] > bound:
        k += 1
    return k


@jit
def refresh(loss, low, position):
    """Find the lowest loss of the block of a position again."""
    k = position // BLOCK
    low[k] = loss[k * BLOCK : (k + 1) * BLOCK].min()


@jit
def count(names, one, counts, touched, size):
    """Add one to the count of each name; list the names that had none."""
    for a in names:
        touched[size] = a
        size += counts[a] == 0
        counts[a] += one
    return size


@jit
def lower(f, nexts, loss, low, counts, touched):
    """Lower the losses of a variable for a merge of two counted levels of another; add up their counts."""
    for a in touched:
        b = nexts[a]
        if counts[b] > 0:
            x, v = counts[a] & LEFT, counts[a] >> SHIFT
            y, w = counts[b] & LEFT, counts[b] >> SHIFT
            # On paper never above 0; rounding must not make `low` a wrong bound.
            loss[a] += min(0, phi(f, x, v) + phi(f, y, w) - phi(f, x + y, v + w))
            low[a // BLOCK] = min(low[a // BLOCK], loss[a])
    for a in touched:
        counts[a] = (counts[a] & LEFT) + (counts[a] >> SHIFT)


@jit
def shared(step, names, counts):
    """Return the sum of phi over the levels of a variable, of these names against the counted ones."""
    total = np.int64(0)
    for a in names:
        z, h = counts[a] & LEFT, counts[a] >> SHIFT
        total += step[z + h] - step[h]  # no branch: 0 where nothing was counted
        counts[a] += RIGHT
    for a in names:
        counts[a] &= LEFT
    return total


@jit
def visit(f, step, names, cuts, nexts, loss, low, counts, touched):
    """Lower the losses of one variable; return what the merged level shares with those before and after it.

    names: levels in this variable of the records before, left, right and after; cuts: where these four end.
    """
    size = count(names[cuts[0] : cuts[1]], 1, counts, touched, 0)
    size = count(names[cuts[1] : cuts[2]], RIGHT, counts, touched, size)
    lower(f, nexts, loss, low, counts, touched[:size])
    below = shared(step, names[: cuts[0]], counts)
    above = shared(step, names[cuts[2] : cuts[3]], counts)
    for a in touched[:size]:
        counts[a] = 0
    return below, above


@jit
def mark_equal(hit, levels, left, right):
    """Mark the variables in which a record of each side lie in one level."""
    for r in left:
        for s in right:
            for i in range(hit.size):
                hit[i] |= levels[r, i] == levels[s, i]


@jit
def mark_adjacent(hit, levels, ends, left, right):
    """Mark the variables in which a record of each side lie in adjacent levels."""
    for r in left:
        for s in right:
            for i in range(hit.size):
                hit[i] |= (levels[r, i] == ends[s, i]) | (ends[r, i] == levels[s, i])


@jit
def screen(hit, levels, ends, records, cuts):
    """Mark the variables that a merge can concern; return False where that costs more than it saves."""
    left, right = records[cuts[0] : cuts[1]], records[cuts[1] : cuts[2]]
    outer = records.size - left.size - right.size
    if 2 * left.size * right.size + outer * (left.size + right.size) > SCREEN * records.size:
        return False
    hit[:] = 0
    mark_adjacent(hit, levels, ends, left, right)
    mark_equal(hit, levels, records[cuts[0] : cuts[2]], records[: cuts[0]])
    mark_equal(hit, levels, records[cuts[0] : cuts[2]], records[cuts[2] :])
    return True


@jit
def copy_names(levels, i, records, names):
    """Copy the names of the levels of i in which these records lie."""
    for k in range(records.size):
        names[k] = levels[records[k], i]


@jit
def merge(f, step, order, levels, ends, first, nexts, loss, low, j, b, work):
    """Merge the level b of variable j with the next one and bring all losses up to date."""
    n, N = order.shape
    hit, names, counts, touched = work
    middle = nexts[j, b]
    end = nexts[j, middle]
    start = np.int64(levels[order[j, first[j, b] - 1], j]) if b > 0 else b
    stop = nexts[j, end] if first[j, end] < N else end
    offset = first[j, start]
    records = order[j, offset : first[j, stop]]
    cuts = (first[j, b] - offset, first[j, middle] - offset, first[j, end] - offset, records.size)
    screened = screen(hit, levels, ends, records, cuts)
    if not screened:
        hit[:] = 1
        for k in range(records.size):  # all variables of a record lie in a row
            for i in range(n):
                names[i, k] = levels[records[k], i]
    loss[j, start] = (n - 1) * phi(f, cuts[0], cuts[2] - cuts[0])
    loss[j, b] = (n - 1) * phi(f, cuts[2] - cuts[0], cuts[3] - cuts[2]) if end < stop else NEVER
    loss[j, middle] = NEVER
    for i in range(n):
        if i != j and hit[i]:
            if screened:
                copy_names(levels, i, records, names[i])
            below, above = visit(f, step, names[i], cuts, nexts[i], loss[i], low[i], counts, touched)
            loss[j, start] -= below
            loss[j, b] -= above
    for r in records[cuts[0] : cuts[2]]:
        levels[r, j] = b
        ends[r, j] = end
    nexts[j, b] = end
    for position in (start, b, middle):
        refresh(loss[j], low[j], position)


@jit
def pair_losses(f, order, levels, first, sizes, loss):
    """Fill the losses of all pairs of adjacent levels, named 0, 1, ... without gaps."""
    n, N = order.shape
    step = np.append(f[1:] - f[:-1], 0)
    counts = np.zeros(sizes.max() + 1, np.int64)
    names, touched = np.empty((2, N), levels.dtype)
    hit = np.empty(levels.shape[1], levels.dtype)
    for j in range(n):
        for b in range(sizes[j] - 1):
            records = order[j, first[j, b] : first[j, b + 2]]
            cut = first[j, b + 1] - first[j, b]
            screened = cut * (records.size - cut) <= SCREEN * records.size
            if screened:
                hit[:] = 0
                mark_equal(hit, levels, records[:cut], records[cut:])
            loss[j, b] = (n - 1) * phi(f, cut, records.size - cut)
            for i in range(n):
                if i != j and (hit[i] or not screened):
                    copy_names(levels, i, records, names)
                    size = count(names[:cut], 1, counts, touched, 0)
                    loss[j, b] -= shared(step, names[cut : records.size], counts)
                    for a in touched[:size]:
                        counts[a] = 0


@jit
def merge_records(f, order, levels, ends, first, sizes, targets, loss, tolerance, limit):
    """Merge levels round after round while their number exceeds the limit.

    A round takes the variables that have the most levels of those above their target, each once.

    f: entropy_table; order: integers [n, N], the records of each variable in sorted order; levels, ends: integers
    [N, >= n], further columns are padding; first: int64 [n, most levels + 1], where in order the levels start, N
    beyond the last; sizes: int64 [n], numbers of levels; targets: int64 [n], numbers to stop at; loss: int64 [n,
    multiple of BLOCK], NEVER where there is no pair. Levels, ends, sizes and loss are changed.
    """
    n, N = order.shape
    step = np.append(f[1:] - f[:-1], 0)
    nexts = np.empty(first.shape, np.int64)
    for b in range(first.shape[1]):
        nexts[:, b] = b + 1
    low = np.empty((n, loss.shape[1] // BLOCK), np.int64)
    for j in range(n):
        for k in range(low.shape[1]):
            refresh(loss[j], low[j], k * BLOCK)
    counts = np.zeros(first.shape[1] + 1, np.int64)
    touched = np.empty(first.shape[1] + 1, levels.dtype)
    names = np.empty((n, N), levels.dtype)
    hit = np.empty(levels.shape[1], levels.dtype)
    work = hit, names, counts, touched
    while sizes.sum() > limit and (sizes > targets).any():
        most = sizes[sizes > targets].max()
        for j in range(n):
            if sizes[j] > targets[j] and sizes[j] == most:
                b = first_lowest(loss[j], low[j], tolerance)
                merge(f, step, order, levels, ends, first, nexts, loss, low, j, b, work)
                sizes[j] -= 1


@jit
def rename(order, levels, ends, first, sizes, loss):
    """Name the remaining levels 0, 1, ... again; return their first places and losses."""
    n, N = order.shape
    places = np.full((n, sizes.max() + 1), N)
    losses = np.full((n, (sizes.max() + BLOCK - 1) // BLOCK * BLOCK), NEVER)
    for j in range(n):
        k = 0
        place = 0
        while place < N:
            r = order[j, place]
            places[j, k] = place
            losses[j, k] = loss[j, levels[r, j]]
            stop = first[j, ends[r, j]]
            for s in order[j, place:stop]:
                levels[s, j] = k
                ends[s, j] = k + 1
            place = stop
            k += 1
    return places, losses
