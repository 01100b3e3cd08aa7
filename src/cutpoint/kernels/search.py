"""Moves between directed acyclic graphs and which of them are legal."""

import numpy as np

from cutpoint.kernels.compiled import jit

ADD, DELETE, REVERSE, NONE = 0, 1, 2, -1


@jit
def extend(reach, x, y):
    """Renew, in place, which variables each one reaches when an arc x -> y joins; see `find_ancestors`."""
    by = reach.T
    for k in range(len(by)):
        if by[k, y] and not by[k, x]:  # what x reaches, its ancestors reach
            for c in range(len(by)):  # an assignment of slices would take as long to compile as all the rest
                by[k, c] |= by[x, c]


@jit
def find_ancestors(reach, dag, variables):
    """Fill, in place, which ones reach some variables by directed paths, themselves included.

    reach: bool [n, n], [x, y] whether x reaches y, with contiguous columns; dag: bool [n, n], acyclic; variables: int64
    [k], each after its parents, or these have the right columns.
    """
    by = reach.T
    for y in variables:
        for c in range(len(by)):
            by[y, c] = c == y
        for x in range(len(by)):
            if dag[x, y]:
                for c in range(len(by)):
                    by[y, c] |= by[x, c]


@jit
def _has_detour(dag, reach, x, y):
    """Tell whether x reaches y other than by the arc x -> y."""
    for c in range(dag.shape[0]):
        if dag[x, c] and c != y and reach[c, y]:
            return True
    return False


@jit
def _is_legal(kind, x, y, dag, reach, counts, max_parents, forbidden):
    """Tell whether a move may be made; counts: int64 [n], the number of parents of each variable."""
    if forbidden[kind, x, y]:
        return False
    if kind == DELETE:
        return True
    if counts[x if kind == REVERSE else y] >= max_parents:
        return False
    return not (_has_detour(dag, reach, x, y) if kind == REVERSE else reach[y, x])


@jit
def best_move(dag, gains, reach, counts, max_parents, forbidden, bounds, tie):
    """Return (kind, x, y, gain) of the best legal move; of gains nearer than `tie` the first wins.

    gains: float64 [n, n], gains[y, x] for toggling x in the parents of y, and reach: contiguous columns; counts:
    int64 [n], the number of parents of each; forbidden: bool [3, n, n], moves that are excluded; bounds: float64 [n],
    which no legal move of an arc from a variable gains more than. Those that are not below the best gain are renewed,
    so that few rows are looked at where a move has changed little.
    """
    kind, source, target, best = NONE, -1, -1, -np.inf
    for x in range(len(dag)):
        if bounds[x] <= best + tie:
            continue
        bounds[x] = -np.inf
        for y in range(len(dag)):
            if gains[y, x] <= bounds[x] and not dag[x, y]:
                continue
            for move in range(DELETE, REVERSE + 1) if dag[x, y] else range(ADD, ADD + 1):
                gain = gains[y, x] + (gains[x, y] if move == REVERSE else 0.0)
                if gain > bounds[x] and _is_legal(move, x, y, dag, reach, counts, max_parents, forbidden):
                    bounds[x] = gain
                    if gain > best + tie:
                        kind, source, target, best = move, x, y, gain
    return kind, source, target, best
