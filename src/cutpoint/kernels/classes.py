"""Steps between classes of graphs, all bool [n, n]: `cutpoint.graphs.patterns` for a search that takes many."""

import numpy as np

from cutpoint.kernels.compiled import jit


@jit
def cpdag(dag):
    """Return the pattern of a graph's class."""
    n, graph, parents = len(dag), dag | dag.T, dag.T.copy()
    compelled, reached = np.zeros((n, n), np.bool_), 0
    place, waiting = np.empty(n, np.int64), np.zeros(n, np.int64)
    for x in range(n):
        for y in range(n):
            waiting[y] += dag[x, y]
    while reached < n:
        for y in range(n):
            if waiting[y] != 0:
                continue
            waiting[y], place[y], last = -1, reached, -1
            reached += 1
            for x in range(n):
                waiting[x] -= dag[y, x]
                if parents[y, x] and (last < 0 or place[x] > place[last]):
                    last = x
            settled = last >= 0
            for x in range(n):
                lost, new = compelled[last, x] and not parents[y, x], parents[y, x] and not parents[last, x]
                settled = settled and not lost and (not new or x == last)
            for x in range(n):
                compelled[y, x] = compelled[last, x] if settled else parents[y, x]
                graph[y, x] = graph[y, x] and not compelled[y, x]
    return graph


@jit
def _can_be_last(node, pdag, left):
    """Tell whether no arc leads from a node to others that are left, and all edges may enter it without a collider."""
    for i in range(len(pdag)):
        if left[i] and pdag[node, i]:
            if not pdag[i, node]:
                return False
            for k in range(len(pdag)):
                if left[k] and k != i and (pdag[node, k] or pdag[k, node]) and not (pdag[i, k] or pdag[k, i]):
                    return False
    return True


@jit
def extension(pdag):
    """Return the consistent extension of a pattern, as far as it goes, and whether there is one."""
    n, dag = len(pdag), np.zeros(pdag.shape, np.bool_)
    left, waits = np.ones(n, np.bool_), np.zeros(n, np.bool_)  # for a neighbour to go
    for _ in range(n):
        node = 0
        while node < n and (waits[node] or not _can_be_last(node, pdag, left)):
            waits[node] = True
            node += 1
        if node == n:
            return dag, False
        left[node], waits[node] = False, True
        for i in range(n):
            dag[i, node] = left[i] and (pdag[i, node] or pdag[node, i])
            waits[i] = waits[i] and not dag[i, node]
    return dag, True
