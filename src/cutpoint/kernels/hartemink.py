"""Hartemink's merging of levels, by visits to the records of the levels that are merged.

The levels of a variable are ranges of its sorted records, named 0, 1, ... in order. The loss of a pair of
adjacent levels a, a' of i is what merging them takes from N times the total mutual information,

    (n - 1) phi(N_a, N_a') - sum over j, b of phi(N_ab, N_a'b),

with phi(x, y) = f(x + y) - f(x) - f(y) and f(m) = m ln m, whose terms vanish where a count is 0. A merge in j
changes a loss of i only where records of both merged levels lie in adjacent levels of i, and never raises it.

Losses are integers (`entropy_table`), so that sums do not depend on their order and ties are ties. `levels[r, i]`
names the level of a record and `ends[r, i]` the next one.
"""

import numpy as np

from cutpoint.kernels.compiled import jit

NEVER = 2**62  # loss of what is no pair
BLOCK = 64  # losses under one entry of `low`, their minimum


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
def count_left(sizes, targets):
    """Return the number of levels of all variables, and the most of those above their target, or 0."""
    total = most = 0
    for j in range(sizes.size):
        total += sizes[j]
        if sizes[j] > targets[j]:
            most = max(most, sizes[j])
    return total, most


@jit
def phi(f, x, y):
    """Return f(x + y) - f(x) - f(y)."""
    return f[x + y] - f[x] - f[y]


@jit
def first_lowest(loss, low, j, tolerance):
    """Return the first level of variable j whose loss is within the tolerance of the lowest."""
    bound = NEVER
    for k in range(low.shape[1]):
        bound = min(bound, low[j, k])
    bound += tolerance
    k = 0
    while low[j, k] > bound:
        k += 1
    k *= BLOCK
    while loss[j, k] > bound:
        k += 1
    return k


@jit
def refresh(loss, low, j, first, last):
    """Find the lowest loss of the blocks of some levels of variable j again."""
    for k in range(first // BLOCK, last // BLOCK + 1):
        lowest = NEVER
        for a in range(k * BLOCK, (k + 1) * BLOCK):
            lowest = min(lowest, loss[j, a])
        low[j, k] = lowest


@jit
def visit(f, step, rows, cuts, j, nexts, loss, low, marks, events, more):
    """Lower the losses of the other variables for a merge in j, and tell what its losses lack.

    rows [2, records, variables]: levels and the next ones of the records before, left, right and after, which end at
    `cuts`; marks [levels, 4]: counts of left and right, the level below plus 1 where left has records there, and what
    is done, all 0 and left so; events: to be written on; more: set to what the records before share more with left and
    right than with left alone, and those after than with right alone.

    The loss of a pair falls only where left has a record in one of its levels and right one in the other. It is one
    function: helpers would be called for each variable, and passing them arrays costs more than their work.
    """
    more[:] = 0
    for i in range(nexts.shape[0]):
        if i == j:
            continue
        for k in range(cuts[0], cuts[1]):
            a = rows[0, k, i]
            marks[a, 0] += 1
            marks[rows[1, k, i], 2] = a + 1
        held = 0
        for k in range(cuts[1], cuts[2]):
            a = rows[0, k, i]
            marks[a, 1] += 1
            events[held] = a
            held += marks[rows[1, k, i], 0] != 0
            events[held] = marks[a, 2] - 1
            held += marks[a, 2] != 0
        for k in range(held):
            a = np.int64(events[k])
            if marks[a, 3] != 0:
                continue
            marks[a, 3] = 1
            b = np.int64(nexts[i, a])
            x, v = np.int64(marks[a, 0]), np.int64(marks[a, 1])
            y, w = np.int64(marks[b, 0]), np.int64(marks[b, 1])
            # On paper never above 0; rounding must not make `low` a wrong bound.
            loss[i, a] += min(0, phi(f, x, v) + phi(f, y, w) - phi(f, x + y, v + w))
            low[i, a // BLOCK] = min(low[i, a // BLOCK], loss[i, a])
        for k in range(held):
            marks[events[k], 3] = 0
        for side in range(2):
            held = 0
            for k in range(cuts[2] if side else 0, cuts[3] if side else cuts[0]):
                a = rows[0, k, i]
                events[held] = a
                held += marks[a, 1 - side] != 0
            for k in range(held):
                a = events[k]
                x = np.int64(marks[a, side]) + np.int64(marks[a, 3])
                more[side] += step[x + np.int64(marks[a, 1 - side])] - step[x]
                marks[a, 3] += 1
            for k in range(held):
                marks[events[k], 3] = 0
        for k in range(cuts[0], cuts[2]):
            marks[rows[0, k, i], 0] = 0
            marks[rows[0, k, i], 1] = 0
            marks[rows[1, k, i], 2] = 0


@jit
def merge_round(
    f, step, order, levels, ends, first, nexts, sizes, targets, most, loss, low, tolerance, rows, marks, events, more
):
    """Merge a pair of each variable that has the most levels of those above their target, see `count_left`.

    It is one function: one for each merge would spend a fifth of the time on being passed arrays.
    """
    n, N = order.shape
    for j in range(n):
        if sizes[j] <= targets[j] or sizes[j] < most:
            continue
        b = first_lowest(loss, low, j, tolerance)
        middle = np.int64(nexts[j, b])
        end = np.int64(nexts[j, middle])
        start = np.int64(levels[order[j, first[j, b] - 1], j]) if b > 0 else np.int64(b)
        stop = np.int64(nexts[j, end]) if first[j, end] < N else end
        offset = first[j, start]
        cuts = first[j, b] - offset, first[j, middle] - offset, first[j, end] - offset, first[j, stop] - offset
        for k in range(cuts[3]):
            r = order[j, offset + k]
            for i in range(n):
                rows[0, k, i] = levels[r, i]
                rows[1, k, i] = ends[r, i]
        visit(f, step, rows, cuts, j, nexts, loss, low, marks, events, more)
        before, left, right, after = cuts[0], cuts[1] - cuts[0], cuts[2] - cuts[1], cuts[3] - cuts[2]
        if before > 0:
            loss[j, start] += (n - 1) * (phi(f, before, left + right) - phi(f, before, left)) - more[0]
        loss[j, b] = NEVER
        if after > 0:
            loss[j, b] = loss[j, middle] + (n - 1) * (phi(f, left + right, after) - phi(f, right, after)) - more[1]
        loss[j, middle] = NEVER
        for k in range(cuts[0], cuts[2]):
            r = order[j, offset + k]
            levels[r, j] = b
            ends[r, j] = end
        nexts[j, b] = end
        refresh(loss, low, j, start, middle)
        sizes[j] -= 1


@jit
def pair_losses(f, step, order, levels, first, sizes, loss):
    """Fill the losses of all pairs of adjacent levels, named 0, 1, ... without gaps."""
    n, N = order.shape
    left, seen = np.zeros((2, first.shape[1]), levels.dtype)
    touched, events = np.empty((2, N + 1), levels.dtype)
    for j in range(n):
        for b in range(sizes[j] - 1):
            loss[j, b] = (n - 1) * phi(f, first[j, b + 1] - first[j, b], first[j, b + 2] - first[j, b + 1])
            for i in range(n):
                if i == j or sizes[i] == N:  # no two records in a level
                    continue
                size = 0
                for p in range(first[j, b], first[j, b + 1]):
                    a = levels[order[j, p], i]
                    touched[size] = a
                    size += left[a] == 0
                    left[a] += 1
                held = 0
                for p in range(first[j, b + 1], first[j, b + 2]):
                    a = levels[order[j, p], i]
                    events[held] = a
                    held += left[a] != 0
                for k in range(held):
                    a = events[k]
                    x = np.int64(seen[a])
                    loss[j, b] -= step[x + np.int64(left[a])] - step[x]
                    seen[a] += 1
                for k in range(held):
                    seen[events[k]] = 0
                for k in range(size):
                    left[touched[k]] = 0


@jit
def merge_records(f, step, order, levels, ends, first, sizes, targets, loss, tolerance, limit):
    """Merge levels round after round while their number exceeds the limit.

    f: entropy_table; step: f(m + 1) - f(m), and a 0; order: integers [n, N], the records of each variable in sorted
    order; levels, ends: integers [N, n]; first: int64 [n, most levels + 1], where in
    order the levels start, N beyond the last; sizes: int64 [n], numbers of levels; targets: int64 [n], numbers to stop
    at; loss: int64 [n, multiple of BLOCK], NEVER where there is no pair. Levels, ends, sizes and loss are changed.
    """
    n, N = order.shape
    nexts = np.empty(first.shape, levels.dtype)
    for b in range(first.shape[1]):
        nexts[:, b] = b + 1
    low = np.empty((n, loss.shape[1] // BLOCK), np.int64)
    for j in range(n):
        refresh(loss, low, j, 0, loss.shape[1] - 1)
    rows = np.empty((2, *levels.shape), levels.dtype)
    marks, events = np.zeros((first.shape[1], 4), levels.dtype), np.empty(2 * N + 1, levels.dtype)
    more = np.empty(2, np.int64)
    total, most = count_left(sizes, targets)
    while total > limit and most > 0:
        merge_round(
            f,
            step,
            order,
            levels,
            ends,
            first,
            nexts,
            sizes,
            targets,
            most,
            loss,
            low,
            tolerance,
            rows,
            marks,
            events,
            more,
        )
        total, most = count_left(sizes, targets)


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
