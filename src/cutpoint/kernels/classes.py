"""Steps between classes of graphs, all bool [n, n]: `cutpoint.graphs.patterns` for a search that takes many."""

import numpy as np

from cutpoint.kernels.compiled import jit


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
    """Return the consistent extension of a pattern, whether there is one, and its nodes from the last one on."""
    n, dag, order = len(pdag), np.zeros(pdag.shape, np.bool_), np.empty(len(pdag), np.int64)
    left, waits = np.ones(n, np.bool_), np.zeros(n, np.bool_)  # for a neighbour to go
    for reached in range(n):
        node = 0
        while node < n and (waits[node] or not _can_be_last(node, pdag, left)):
            waits[node] = True
            node += 1
        if node == n:
            return dag, False, order
        order[reached], left[node], waits[node] = node, False, True
        for i in range(n):
            dag[i, node] = left[i] and (pdag[i, node] or pdag[node, i])
            waits[i] = waits[i] and not dag[i, node]
    return dag, True, order


@jit
def cpdag(dag):
    """Return the pattern of a graph's class."""
    n, graph, parents, compelled = len(dag), dag | dag.T, dag.T.copy(), np.zeros(dag.shape, np.bool_)
    order = extension(dag)[2]
    for k in range(n - 1, -1, -1):
        y, last = order[k], k + 1
        while last < n and not parents[y, order[last]]:
            last += 1
        if last == n:
            continue
        x, settled = order[last], True
        for p in range(n):
            lost, new = compelled[x, p] and not parents[y, p], parents[y, p] and not parents[x, p]
            settled = settled and not lost and (not new or p == x)
        for p in range(n):
            compelled[y, p] = compelled[x, p] if settled else parents[y, p]
            graph[y, p] = graph[y, p] and not compelled[y, p]
    return graph
