"""Best moves of one variable within an order, by grow-shrink trees.

The trees of all variables are one set of arrays. A node stands for a child with a set of parents; its branches are the
rows start[node] .. start[node] + count[node] - 1 of `added` and `to`: the variables whose addition gains, the best
first, and the node with that variable too, -1 where it was not made yet. `values` are the scores after shrinking.
"""

import numpy as np

from cutpoint.kernels.compiled import jit


@jit
def _descend(node, start, count, added, to, place, end, joined):
    """Return the node where growing ends and the branch that is missing, -1 for none.

    Parents come from the variables whose place is before `end`, and `joined`, -1 for none.
    """
    row = start[node]
    while row < start[node] + count[node]:
        if place[added[row]] < end or added[row] == joined:
            if to[row] < 0:
                return node, row
            node = to[row]
            row = start[node]
        else:
            row += 1
    return node, -1


@jit
def end_nodes(roots, start, count, added, to, order):
    """Return for an order, int64 [n], where growing ends, int64 [n] by variable, and the branch that it lacks."""
    n = order.size
    nodes, missing, place = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64)
    for p in range(n):
        place[order[p]] = p
    for v in range(n):
        nodes[v], missing[v] = _descend(roots[v], start, count, added, to, place, place[v], -1)
    return nodes, missing


@jit
def move_scores(roots, start, count, added, to, values, others, variable):
    """Return the score of the order with a variable at each place, float64 [n], and the branches that are missing.

    others: int64 [n - 1], the order of the other variables; missing: int64 [3 n - 2], -1 for none. Where any is
    missing, the scores mean nothing.
    """
    n = others.size + 1
    place = np.full(n, n)
    for p in range(n - 1):
        place[others[p]] = p
    totals, missing = np.zeros(n), np.full(3 * n - 2, -1)
    for p in range(n):
        node, missing[p] = _descend(roots[variable], start, count, added, to, place, p, -1)
        totals[p] = values[node]
    without = 0.0
    for p in range(n - 1):
        node, missing[n + p] = _descend(roots[others[p]], start, count, added, to, place, p, -1)
        without += values[node]
        totals[p + 1] += without
    after = 0.0
    for p in range(n - 2, -1, -1):
        node, missing[2 * n - 1 + p] = _descend(roots[others[p]], start, count, added, to, place, p, variable)
        after += values[node]
        totals[p] += after
    return totals, missing


@jit
def walk(roots, start, count, added, to, values, required, least, order, state):
    """Move variables to their best places, in place, until no move gains more than `least` or a branch is missing.

    required: bool [n, n], arcs that no order puts the other way; order: int64 [n]; state: int64 [3], the variable that
    is next, how many were looked at since a move, and the moves. Gives the branches that are missing, -1 for none.
    """
    n = order.size
    missing = np.full(1, -1)
    while state[1] < n:
        variable = state[0]
        at, others = int(np.argmax(order == variable)), order[order != variable]
        scores, missing = move_scores(roots, start, count, added, to, values, others, variable)
        if missing.max() >= 0:
            return missing
        low, high = 0, n - 1
        for p in range(n - 1):
            if required[others[p], variable]:
                low = p + 1
            if required[variable, others[p]]:
                high = min(high, p)
        best = at
        for p in range(low, high + 1):
            best = p if scores[p] > scores[best] + least else best
        state[1] += 1
        if best != at:
            for p in range(n):
                order[p] = others[p] if p < best else variable if p == best else others[p - 1]
            state[1], state[2] = 1, state[2] + 1
        state[0] = (variable + 1) % n
    return missing
