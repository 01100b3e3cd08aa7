"""Equivalence classes of DAGs: completed patterns, Meek's rules, consistent extensions."""

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.graphs.dags import as_graph, skeleton, topological_order


def cpdag(dag: np.ndarray) -> np.ndarray:
    """Return the completed partially directed graph of a DAG's equivalence class, both bool [n, n].

    An arc stays directed when every DAG of the class has it (Chickering 1995, Label-Edges). There the first edge
    considered at a node, the one from its last parent in topological order, decides all others that enter the node. A
    cycle is an InputError.
    """
    dag = np.asarray(dag, bool)
    order = topological_order(dag).tolist()
    rank = {node: position for position, node in enumerate(order)}
    parents = [set(np.flatnonzero(column).tolist()) for column in dag.T]
    compelled: list[set[int]] = [set() for _ in order]
    graph = skeleton(dag)
    for y in order:
        if not parents[y]:
            continue
        x = max(parents[y], key=rank.__getitem__)
        settled = compelled[x] <= parents[y] and parents[y] - {x} <= parents[x]
        compelled[y] = compelled[x] if settled else parents[y]
        graph[y, list(compelled[y])] = False
    return graph


def meek(pdag: np.ndarray) -> np.ndarray:
    """Return a partially directed graph closed under Meek's rules 1 to 4 (Meek 1995), both bool [n, n].

    Only undirected edges change, each at most once; where two rules ask for both directions at the same time, as they
    can in a pattern without consistent extension, the arc from the lower index wins.
    """
    graph = np.array(pdag, bool)
    while True:
        oriented = _rules_1_and_2(graph)
        if not oriented.any():
            oriented = _rules_3_and_4(graph)
        oriented &= ~np.tril(oriented.T)
        if not oriented.any():
            return graph
        graph &= ~oriented.T


def _rules_1_and_2(graph: np.ndarray) -> np.ndarray:
    """Return the arcs i -> j oriented for i - j by k -> i with k, j not adjacent, or by i -> k -> j."""
    # float32 products count paths exactly and, unlike those of booleans, run in BLAS
    directed = (graph & ~graph.T).astype(np.float32)
    distant = (~(graph | graph.T)).astype(np.float32)
    return graph & graph.T & ((directed.T @ distant > 0) | (directed @ directed > 0))


def _rules_3_and_4(graph: np.ndarray) -> np.ndarray:
    """Return the arcs i -> j oriented for i - j by two more paths from i to j.

    Rule 3: i - k -> j and i - l -> j with k, l not adjacent. Rule 4: i - k -> l -> j with k, j not
    adjacent and i, l adjacent (needed only after background knowledge).
    """
    undirected, directed, adjacent = graph & graph.T, graph & ~graph.T, graph | graph.T
    oriented = np.zeros_like(graph)
    for i, j in np.argwhere(undirected):
        middle = np.flatnonzero(undirected[i] & directed[:, j])
        colliding = adjacent[np.ix_(middle, middle)].sum() < middle.size * (middle.size - 1)
        before = np.flatnonzero(undirected[i] & ~adjacent[j])
        after = np.flatnonzero(adjacent[i] & directed[:, j])
        oriented[i, j] = colliding or directed[np.ix_(before, after)].any()
    return oriented


def consistent_extension(pdag: np.ndarray) -> tuple[np.ndarray, bool]:
    """Return a DAG with the arcs, skeleton and colliders of a partially directed graph (Dor, Tarsi 1992).

    Nodes that can be last are removed one after the other. Where none is left, the node that turns the fewest arcs
    around, and then makes the fewest new colliders, is taken instead: the result is a DAG with the same skeleton, but
    no member of the pattern's class. Both are bool [n, n], and the pattern may have directed cycles; the second result
    says whether the DAG is a consistent extension.
    """
    pdag = as_graph(pdag)
    if pdag.diagonal().any():
        raise InputError(f"graph: an arc from {int(pdag.diagonal().argmax())} to itself")
    arcs = [set(np.flatnonzero(row).tolist()) for row in pdag & ~pdag.T]
    edges = [set(np.flatnonzero(row).tolist()) for row in pdag & pdag.T]
    adjacent = [set(np.flatnonzero(row).tolist()) for row in skeleton(pdag)]
    dag = np.zeros_like(pdag)
    exact, left = True, list(range(len(pdag)))
    while left:
        cost, node = _first_last(left, arcs, edges, adjacent)
        exact &= cost == (0, 0)
        dag[list(adjacent[node]), node] = True
        left.remove(node)
        for i in adjacent[node]:
            for neighbours in (arcs[i], edges[i], adjacent[i]):
                neighbours.discard(node)
    return dag, exact


def _first_last(
    left: list[int], arcs: list[set[int]], edges: list[set[int]], adjacent: list[set[int]]
) -> tuple[tuple[int, int], int]:
    """Return the least cost of a node that is the last one, and the first node that has it."""
    costs = []
    for node in left:
        costs.append((_cost_of_last(node, arcs, edges, adjacent), node))
        if costs[-1][0] == (0, 0):
            return costs[-1]
    return min(costs)


def _cost_of_last(node: int, arcs: list[set[int]], edges: list[set[int]], adjacent: list[set[int]]) -> tuple[int, int]:
    """Count the arcs that leave a node and the colliders that its undirected edges would make in it."""
    colliders = sum(len(adjacent[node] - adjacent[i]) - 1 for i in edges[node])
    return len(arcs[node]), colliders
