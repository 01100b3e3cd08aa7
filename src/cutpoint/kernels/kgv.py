"""Loops of the KGV score: low-rank Gaussian kernels of one column, determinants of small blocks."""

import numpy as np

from cutpoint.kernels.compiled import jit


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
        k = np.floor(t + 0.5)
        r = (t - k) * 0.6931471805599453
        bits[i] = (np.int64(k) + 1023) << 52
        e = r / 479001600.0 + 1 / 39916800.0
        e = e * r + 1 / 3628800.0
        e = e * r + 1 / 362880.0
        e = e * r + 1 / 40320.0
        e = e * r + 1 / 5040.0
        e = e * r + 1 / 720.0
        e = e * r + 1 / 120.0
        e = e * r + 1 / 24.0
        e = e * r + 1 / 6.0
        e = e * r + 0.5
        e = e * r + 1.0
        row[i] = e * r + 1.0
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
def _log_pivots(matrix, first, floor):
    """Return the sum of the logarithms of the Cholesky pivots from `first` on, and the least pivot.

    Uses up the lower half of the matrix.
    """
    total, least = 0.0, 1.0
    for a in range(len(matrix)):
        for b in range(a):
            sum_ = matrix[a, b]
            for k in range(b):
                sum_ -= matrix[a, k] * matrix[b, k]
            matrix[a, b] = sum_ / matrix[b, b]
        pivot = matrix[a, a]
        for k in range(a):
            pivot -= matrix[a, k] * matrix[a, k]
        pivot = max(pivot, floor)
        least = min(least, pivot)
        matrix[a, a] = np.sqrt(pivot)
        if a >= first:
            total += np.log(pivot)
    return total, least


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
def _conditional_block(correlation, explained, where):
    """Return R[where, where] less what `explained` (one row a position) accounts for, lower half."""
    size = where.size
    block = np.empty((size, size))
    for a in range(size):
        for b in range(a + 1):
            total = correlation[where[a], where[b]]
            for k in range(explained.shape[1]):
                total -= explained[where[a], k] * explained[where[b], k]
            block[a, b] = total
    return block


@jit
def log_determinant(correlation, starts, child, parents, floor):
    """Return ln |R_(child, parents)| - ln |R_parents|, pivots no smaller than `floor`."""
    parents_at = _positions(starts, parents)
    where = np.concatenate((parents_at, np.arange(starts[child], starts[child + 1])))
    block = _conditional_block(correlation, np.empty((len(correlation), 0)), where)
    return _log_pivots(block, parents_at.size, floor)[0]


@jit
def toggled_determinants(correlation, child, parents, floor):
    """Return ln |R_pa| and ln |R_(child, pa)| - ln |R_pa| with each x toggled in the sorted parents, float64 [2, n].

    Every variable has one row of R. Those of the parents as they are stand in the column of the child. Each family is
    taken afresh in its sorted order, so that a family has the same two numbers however a search comes to it.
    """
    n = len(correlation)
    none, determinants = np.empty((n, 0)), np.empty((2, n))
    member = np.zeros(n, np.bool_)
    member[parents] = True
    for x in range(n):
        if x != child:
            member[x] = not member[x]
        where = np.append(np.flatnonzero(member), child)
        whole = _log_pivots(_conditional_block(correlation, none, where), 0, floor)[0]
        determinants[1, x] = _log_pivots(_conditional_block(correlation, none, where), where.size - 1, floor)[0]
        determinants[0, x] = whole - determinants[1, x]
        if x != child:
            member[x] = not member[x]
    return determinants


@jit
def _explained(correlation, conditioning, floor):
    """Return W [D, g] with W W' = R_:g R_gg^-1 R_g:, by Cholesky elimination, and the least pivot."""
    least = 1.0
    rows = np.empty((conditioning.size, len(correlation)))
    for a in range(conditioning.size):
        row = rows[a]
        for p in range(row.size):
            row[p] = correlation[conditioning[a], p]
        for b in range(a):
            weight = rows[b, conditioning[a]]
            for p in range(row.size):
                row[p] -= weight * rows[b, p]
        pivot = max(row[conditioning[a]], floor)
        least = min(least, pivot)
        scale = 1 / np.sqrt(pivot)
        for p in range(row.size):
            row[p] *= scale
    return np.ascontiguousarray(rows.T), least


@jit
def toggled(correlation, starts, child, parents, floor):
    """Return, for each x toggled in the sorted parents, the change of `log_determinant`; 0 for the child.

    An addition costs one small block given the parents. Where a pivot comes near the floor, its value
    depends on the order of the variables, and a search could go in circles: there, and for removals,
    the whole family is taken in its sorted order.
    """
    n = starts.size - 1
    change = np.zeros(n)
    member = np.zeros(n, np.bool_)
    member[parents] = True
    explained, safe = _explained(correlation, _positions(starts, parents), floor)
    own = np.arange(starts[child], starts[child + 1])
    now = log_determinant(correlation, starts, child, parents, floor)
    for x in range(n):
        if x == child or starts[x] == starts[x + 1]:
            continue
        least = 0.0
        if not member[x]:
            where = np.concatenate((np.arange(starts[x], starts[x + 1]), own))
            block = _conditional_block(correlation, explained, where)
            then, least = _log_pivots(block, starts[x + 1] - starts[x], floor)
        if min(least, safe) < 100 * floor:
            member[x] = not member[x]
            then = log_determinant(correlation, starts, child, np.flatnonzero(member), floor)
            member[x] = not member[x]
        change[x] = then - now
    return change
