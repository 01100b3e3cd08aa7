"""Loops of the KGV score: low-rank Gaussian kernels of one column, determinants of small blocks."""

import numpy as np

from cutpoint.kernels.compiled import jit

LEAST_LEFT = 0.1  # degrees of freedom; with less the penalty is above any gain that the floor of pivots lets pass


@jit
def _subtract(rows, rank, pivot):
    """Take from rows[rank] what the rows before it explain."""
    row = rows[rank]
    for j in range(rank):
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
    residual = np.ones(n)
    pivots = np.empty(capacity, np.int64)
    rank, pivot, left = 0, 0, float(n)
    while rank < capacity and left > tolerance * n:
        row, pivots[rank] = rows[rank], pivot
        for i in range(n):
            row[i] = np.exp(-rate * (x[i] - x[pivot]) ** 2)
        _subtract(rows, rank, pivot)
        scale = 1 / np.sqrt(residual[pivot])
        for i in range(n):
            row[i] *= scale
            residual[i] -= row[i] * row[i]
        rank, pivot, left = rank + 1, int(np.argmax(residual)), residual.sum()
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
    where, at = np.empty(starts[-1], np.int64), 0
    for v in variables:
        for p in range(starts[v], starts[v + 1]):
            where[at] = p
            at += 1
    return where[:at]


@jit
def _block(correlation, where):
    """Return R[where, where]."""
    block = np.empty((where.size, where.size))
    for a in range(where.size):
        for b in range(a + 1):
            block[a, b] = block[b, a] = correlation[where[a], where[b]]
    return block


@jit
def log_determinant(correlation, starts, child, parents, floor):
    """Return ln |R_(child, parents)| - ln |R_parents|, pivots no smaller than `floor`."""
    where = _positions(starts, np.append(parents, child))
    own = starts[child + 1] - starts[child]
    return _log_pivots(_block(correlation, where), where.size, where.size - own, floor)[0]


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
    where = _positions(starts, np.append(parents, child))
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


@jit
def toggle_gains(correlation, starts, child, parents, floor, n, price):
    """Return what toggling each of the first n variables in the sorted parents gains, float64 [n], 0 for the child.

    price: as of `best_parents`.
    """
    records, corrected, parameter, arc = price
    gains = toggled(correlation, starts, child, parents, floor, n)
    own, before, sign = starts[child + 1] - starts[child], 0, np.ones(n)
    for p in parents:
        before, sign[p] = before + starts[p + 1] - starts[p], -1.0
    cost = parameters(own, before, records, corrected)
    for x in range(n):
        change = parameters(own, before + sign[x] * (starts[x + 1] - starts[x]), records, corrected) - cost
        gains[x] = -0.5 * records * gains[x] - parameter * change - arc * sign[x]
    return gains


@jit
def parameters(own, of_parents, records, corrected):
    """Return what parents with so many features in all cost a variable, in parameters; see `KGV.corrected`."""
    return own * of_parents * (records / max(records - of_parents - own - 2, LEAST_LEFT) if corrected else 1.0)


@jit
def best_parents(correlation, starts, child, can, required, most, floor, price, least):
    """Return which parents growing, then shrinking, finds for a child, bool [n], and what they gain on the required.

    can, required: bool [n], the variables that may be parents and those that must; most: parents; price: the records,
    whether the penalty is that of few records, and what a parameter and an arc cost; a step gains more than `least`.
    """
    member, total, grows = required.copy(), 0.0, required.sum() < most
    while True:
        gains = toggle_gains(correlation, starts, child, np.flatnonzero(member), floor, member.size, price)
        best = -1
        for x in range(gains.size):
            free = can[x] and not member[x] if grows else member[x] and not required[x]
            if free and gains[x] > (least if best < 0 else gains[best] + least):
                best = x
        if best >= 0:
            member[best], total = grows, total + gains[best]
            grows = grows and member.sum() < most
        elif grows:
            grows = False
        else:
            return member, total


@jit
def _near(graph, child):
    """Return the candidates of a child, R of them and it behind them, where the rows of each begin, which must be."""
    correlation, starts, begin, candidates, required = graph
    rows = slice(begin[child], begin[child + 1])
    near = np.append(candidates[rows], child)
    own = np.zeros(near.size + 1, np.int64)
    own[1:] = np.cumsum(starts[near + 1] - starts[near])
    return candidates[rows], _block(correlation, _positions(starts, near)), own, np.append(required[rows], False)


@jit
def _found(graph, place, child, one, when, limits):
    """Return the parents of a child from its candidates before it, bool [k + 1], and their gain; `one` is so `when`."""
    members, block, own, must = _near(graph, child)
    can = np.zeros(must.size, np.bool_)
    for k in range(members.size):
        can[k] = when if members[k] == one else place[members[k]] < place[child]
    return best_parents(block, own, members.size, can, must, *limits)


@jit
def graph_of_order(graph, order, limits):
    """Return which candidates are parents under an order, bool [k], and what they gain each variable, float64 [n].

    graph: of `walk_among`.
    """
    chosen, gains, place = np.zeros(graph[3].size, np.bool_), np.empty(order.size), np.argsort(order)
    for v in range(order.size):
        found, gains[v] = _found(graph, place, v, -1, False, limits)
        chosen[graph[2][v] : graph[2][v + 1]] = found[:-1]
    return chosen, gains


@jit
def _as_child(graph, place, v, near, limits):
    """Return what the parents of a variable gain it behind the first s of those near it, float64 [k + 1]; least s."""
    members, block, own, must = _near(graph, v)
    can, low = np.zeros(must.size, np.bool_), 0
    gains = np.empty(near.size + 1)
    gains[0] = best_parents(block, own, members.size, can, must, *limits)[1]
    for s in range(near.size):
        gains[s + 1] = gains[s]
        for k in range(members.size):
            if members[k] == near[s]:
                can[k], low = True, s + 1 if must[k] else low
                gains[s + 1] = best_parents(block, own, members.size, can, must, *limits)[1]
    return gains, low


@jit
def _put(order, place, v, there):
    """Move a variable to another place, in place."""
    here = place[v]
    step = 1 if there > here else -1
    while here != there:
        order[here] = order[here + step]
        place[order[here]] = here
        here += step
    order[there], place[v] = v, there


@jit
def walk_among(graph, used, order, gains, waits, limits):
    """Move variables to their best places in an order, in place, while any waits; return the moves.

    Only the families of a variable and of those that have it as a candidate depend on its place, and only on which of
    these stand before it.

    graph: correlations and starts as of `toggled`; begin, candidates and required: int64 [n + 1], int64 [k], bool [k],
    the candidate parents of variable v in rows begin[v] .. begin[v + 1] - 1, and which of them are parents in any case.
    used: int64 [n + 1], int64 [k], int64 [k], the variables that have v as a candidate in rows of their own, and where
    they have it. order: int64 [n]; gains: float64 [n], of the parents of each; waits: bool [n]; limits: the last
    arguments of `best_parents`.
    """
    begin, candidates, required = graph[2:]
    n, moves, v, idle, least = order.size, 0, 0, 0, limits[3]
    place = np.argsort(order)
    while idle < n:
        idle, v = idle + 1, (v + 1) % n
        if not waits[v]:
            continue
        waits[v] = False
        rows = slice(used[0][v], used[0][v + 1])
        users = used[1][rows]
        near = order[np.unique(place[np.append(candidates[begin[v] : begin[v + 1]], users)])]
        totals, low = _as_child(graph, place, v, near, limits)
        own, high, at = totals.copy(), near.size, np.sum(place[near] < place[v])
        of_users = np.empty((2, users.size))  # without and with the variable before them
        last = np.empty(users.size, np.int64)  # how many of those near may stand before it for each to stand behind it
        for k in range(users.size):
            user, after = users[k], place[v] < place[users[k]]
            of_users[int(after), k] = gains[user]
            of_users[int(not after), k] = _found(graph, place, user, v, not after, limits)[1]
            last[k] = np.sum(place[near] < place[user])
            high = min(high, last[k]) if required[used[2][rows][k]] else high
            totals[: last[k] + 1] += of_users[1, k]
            totals[last[k] + 1 :] += of_users[0, k]
        to = at
        for s in range(low, high + 1):
            to = s if totals[s] > totals[to] + least else to
        if to == at:
            continue
        gains[v] = own[to]
        for k in range(users.size):
            gains[users[k]] = of_users[int(to <= last[k]), k]
            for other in candidates[begin[users[k]] : begin[users[k] + 1]]:
                waits[other] = True
        for other in near:
            waits[other] = True
        _put(order, place, v, place[near[to - 1]] if to > at else place[near[to]])
        moves, idle = moves + 1, 0
    return moves
