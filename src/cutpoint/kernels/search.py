"""Moves between directed acyclic graphs and which of them are legal."""

import numpy as np

from cutpoint.kernels.compiled import jit

ADD, DELETE, REVERSE, NONE = 0, 1, 2, -1


@jit
def extend(reach, x, y):
    """Renew, in place, which variables each one reaches when an arc x -> y joins; see `reachability`."""
    by = reach.T
    for k in range(len(by)):
        if by[k, y]:
            for c in range(len(by)):  # an assignment of slices would take as long to compile as all the rest
                by[k, c] |= by[x, c]


@jit
def reachability(dag):
    """Return which variables each one reaches by directed paths, itself included.

    dag: bool [n, n], acyclic. Gives bool [n, n] with contiguous columns, in which `best_move` looks for moves.
    """
    n = len(dag)
    reach = np.zeros((n, n), np.bool_).T
    for i in range(n):
        reach[i, i] = True
    for x in range(n):
        for y in range(n):
            if dag[x, y]:
                extend(reach, x, y)
    return reach


@jit
def _has_detour(dag, reach, x, y):
    """Tell whether x reaches y other than by the arc x -> y."""
    for c in range(dag.shape[0]):
        if dag[x, c] and c != y and reach[c, y]:
            return True
    return False


@jit
def best_move(dag, gains, reach, max_parents, forbidden, tie):
    """Return (kind, x, y, gain) of the best legal move; of gains nearer than `tie` the first wins.

    gains: float64 [n, n], gains[y, x] for toggling x in the parents of y, and reach: contiguous columns;
    forbidden: bool [3, n, n], moves that a tabu list excludes.
    """
    n = dag.shape[0]
    indegree = np.zeros(n, np.int64)
    for i in range(n):
        for j in range(n):
            indegree[j] += dag[i, j]
    kind, source, target, best = NONE, -1, -1, -np.inf
    for x in range(n):
        for y in range(n):
            if x == y:
                continue
            if dag[x, y]:
                gain = gains[y, x]
                if gain > best + tie and not forbidden[DELETE, x, y]:
                    kind, source, target, best = DELETE, x, y, gain
                gain += gains[x, y]
                if (
                    gain > best + tie
                    and indegree[x] < max_parents
                    and not forbidden[REVERSE, x, y]
                    and not _has_detour(dag, reach, x, y)
                ):
                    kind, source, target, best = REVERSE, x, y, gain
            elif (
                gains[y, x] > best + tie and indegree[y] < max_parents and not reach[y, x] and not forbidden[ADD, x, y]
            ):
                kind, source, target, best = ADD, x, y, gains[y, x]
    return kind, source, target, best
