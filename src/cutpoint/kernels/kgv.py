"""Loops of the KGV score: low-rank Gaussian kernels of one column, determinants of small blocks."""

import math

import numpy as np

from cutpoint.kernels.compiled import jit

TAYLOR = tuple([1.0 / math.factorial(k) for k in range(11, -1, -1)])  # of the exponential function


@jit
def _kernel_row(x, centre, rate, row, bits, power):
    """Fill row[i] = exp(-rate (x[i] - centre)^2); `power` is `bits` seen as float64.

    Plain exp calls take most of the time of the whole score. This one is a Taylor polynomial on
    |r| <= ln(2)/2 times a power of two made from its bits, which compilers turn into vector
    instructions; the error is about 1e-15 of the value. Below exp(-700) it stays there.
    """
    for i in range(x.size):
        d = x[i] - centre
        t = max(-rate * d * d, -700.0) * 1.4426950408889634
        power_of_two = np.floor(t + 0.5)
        r = (t - power_of_two) * 0.6931471805599453
        bits[i] = (np.int64(power_of_two) + 1023) << 52
        e = r / 479001600.0 + TAYLOR[0]
        for k in range(1, len(TAYLOR)):
            e = e * r + TAYLOR[k]
        row[i] = e
    for i in range(x.size):
        row[i] *= power[i]


@jit
def _subtract(rows, rank, pivot):
    """Take from rows[rank] what the rows before it explain, four at a time to spare memory traffic."""
    row = rows[rank]
    first = 0
    while first + 4 <= rank:
        a, b, c, d = rows[first], rows[first + 1], rows[first + 2], rows[first + 3]
        wa, wb, wc, wd = a[pivot], b[pivot], c[pivot], d[pivot]
        for i in range(row.size):
            row[i] -= wa * a[i] + wb * b[i] + wc * c[i] + wd * d[i]
        first += 4
    for j in range(first, rank):
        other, weight = rows[j], rows[j, pivot]
        for i in range(row.size):
            row[i] -= weight * other[i]


@jit
def incomplete_cholesky(x, rate, tolerance, capacity):
    """Return rows G with G'G close to the Gaussian Gram matrix of x, largest residual first, and their pivots.

    Stops when the trace of the residual is at most tolerance * N, or at `capacity` rows.
    """
    n = x.size
    rows = np.empty((capacity, n))
    bits = np.empty(n, np.int64)
    power = bits.view(np.float64)
    residual = np.ones(n)
    pivots = np.empty(capacity, np.int64)
    rank, pivot, left = 0, 0, float(n)
    while rank < capacity and left > tolerance * n:
        row, pivots[rank] = rows[rank], pivot
        _kernel_row(x, x[pivot], rate, row, bits, power)
        _subtract(rows, rank, pivot)
        scale = 1 / np.sqrt(residual[pivot])
        for i in range(n):
            row[i] *= scale
            residual[i] -= row[i] * row[i]
        left = 0.0
        pivot = 0
        for i in range(n):
            left += residual[i]
            if residual[i] > residual[pivot]:
                pivot = i
        rank += 1
    return rows[:rank], pivots[:rank]


@jit
def _log_pivots(matrix, size, first, floor):
    """Return the sum of the logarithms of the Cholesky pivots from `first` on, and the least pivot.

    Uses up the lower half of the first rows of the matrix, `size` of them.
    """
    total, product, least = 0.0, 1.0, 1.0
    for a in range(size):
        pivot = max(matrix[a, a], floor)
        least = min(least, pivot)
        if a >= first:
            product *= pivot
            if product < 1e-200:  # one logarithm for many pivots, none of which is above 1 or below the floor
                total, product = total + np.log(product), 1.0
        inverse = 1 / pivot
        for b in range(a + 1, size):
            weight = matrix[b, a] * inverse
            for c in range(a + 1, b + 1):
                matrix[b, c] -= weight * matrix[c, a]
    return total + np.log(product), least


@jit
def _positions(starts, variables):
    """Return the rows of R that belong to the variables, in the order given."""
    size = 0
    for v in variables:
        size += starts[v + 1] - starts[v]
    where = np.empty(size, np.int64)
    at = 0
    for v in variables:
        for p in range(starts[v], starts[v + 1]):
            where[at] = p
            at += 1
    return where


@jit
def _block(correlation, where):
    """Return R[where, where], lower half."""
    block = np.empty((where.size, where.size))
    for a in range(where.size):
        for b in range(a + 1):
            block[a, b] = correlation[where[a], where[b]]
    return block


@jit
def log_determinant(correlation, starts, child, parents, floor):
    """Return ln |R_(child, parents)| - ln |R_parents|, pivots no smaller than `floor`."""
    parents_at = _positions(starts, parents)
    where = np.concatenate((parents_at, np.arange(starts[child], starts[child + 1])))
    block = _block(correlation, where)
    return _log_pivots(block, where.size, parents_at.size, floor)[0]


@jit
def toggled_determinants(correlation, child, parents, floor):
    """Return ln |R_pa| and ln |R_(child, pa)| - ln |R_pa| with each x toggled in the sorted parents, float64 [2, n].

    Every variable has one row of R. Those of the parents as they are stand in the column of the child. Each family is
    taken afresh in its sorted order, so that a family has the same two numbers however a search comes to it.
    """
    n = len(correlation)
    determinants = np.empty((2, n))
    member = np.zeros(n, np.bool_)
    member[parents] = True
    for x in range(n):
        if x != child:
            member[x] = not member[x]
        where = np.append(np.flatnonzero(member), child)
        size, block = where.size, _block(correlation, where)
        determinants[1, x] = _log_pivots(block.copy(), size, size - 1, floor)[0]
        whole = _log_pivots(block, size, 0, floor)[0]
        determinants[0, x] = whole - determinants[1, x]
        if x != child:
            member[x] = not member[x]
    return determinants


@jit
def _explained(correlation, conditioning, floor, size):
    """Return the first rows of W, [size, g], with W W' = R_:g R_gg^-1 R_g:, by elimination, and the least pivot."""
    least = 1.0
    rows = np.empty((conditioning.size, size))
    for a in range(conditioning.size):
        row = rows[a]
        for p in range(size):
            row[p] = correlation[conditioning[a], p]
        _subtract(rows, a, conditioning[a])
        pivot = max(row[conditioning[a]], floor)
        least = min(least, pivot)
        scale = 1 / np.sqrt(pivot)
        for p in range(size):
            row[p] *= scale
    return np.ascontiguousarray(rows.T), least


@jit
def _changes(explained, given, starts, child, n, floor):
    """Return what the child given its parents takes from ln |R_x given the parents|, and the least pivots, float64 [n].

    explained: of `_explained` by parents, in the first `given` columns, and child. Of the first n variables x; 0 for
    the child.
    """
    change, least, most = np.zeros(n), np.ones(n), np.diff(starts).max()
    before, after = np.empty((most, most)), np.empty((most, most))
    for x in range(n):
        begin, size = starts[x], starts[x + 1] - starts[x]
        if x == child:
            continue
        for a in range(size):
            for b in range(a + 1):
                left = 1.0 if a == b else 0.0
                for k in range(given):
                    left -= explained[begin + a, k] * explained[begin + b, k]
                before[a, b] = left
                for k in range(given, explained.shape[1]):
                    left -= explained[begin + a, k] * explained[begin + b, k]
                after[a, b] = left
        change[x], least[x] = _log_pivots(after, size, 0, floor)
        if given > 0:
            now, lower = _log_pivots(before, size, 0, floor)
            change[x], least[x] = change[x] - now, min(least[x], lower)
    return change, least


@jit
def toggled(correlation, starts, child, parents, floor, n):
    """Return, for each of the first n variables toggled in the sorted parents, the change of `log_determinant`.

    It is 0 for the child. An addition costs two small blocks of the new parent, which changes the child's determinant
    by as much as the child changes its own.
    Where a pivot comes near the floor, its value depends on the order of the variables, and a search could go in
    circles: there, and for removals, the whole family is taken in its sorted order.
    """
    where = np.concatenate((_positions(starts, parents), np.arange(starts[child], starts[child + 1])))
    explained, safe = _explained(correlation, where, floor, max(starts[n], starts[child + 1]))
    given = where.size - (starts[child + 1] - starts[child])
    change, least = _changes(explained, given, starts, child, n, floor)
    least[parents] = 0.0
    member = np.zeros(starts.size - 1, np.bool_)
    member[parents] = True
    now = log_determinant(correlation, starts, child, parents, floor)
    for x in range(n):
        if min(least[x], safe) < 100 * floor and x != child and starts[x] < starts[x + 1]:
            member[x] = not member[x]
            change[x] = log_determinant(correlation, starts, child, np.flatnonzero(member), floor) - now
            member[x] = not member[x]
    return change
