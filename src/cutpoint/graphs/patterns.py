"""Equivalence classes of DAGs: completed patterns, Meek's rules, consistent extensions."""

from collections.abc import Iterator

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.graphs.dags import as_graph, skeleton, topological_order


def cpdag(dag: np.ndarray) -> np.ndarray:
    """Return the completed partially directed graph of a DAG's equivalence class, both bool [n, n].

    An arc stays directed when every DAG of the class has it (Chickering 1995, Label-Edges). There the first edge
    considered at a node, the one from its last parent in topological order, decides all others that enter the node. A
    cycle is an InputError.

    Examples:
        >>> cp.cpdag(np.array([[0, 1], [0, 0]], bool)).tolist()
        [[False, True], [True, False]]
        >>> dag, equivalent = cp.consistent_extension(learned.cpdag)
        >>> cp.is_dag(dag), equivalent
        (True, True)
    """
    dag = np.asarray(dag, bool)
    order = topological_order(dag)
    dag = dag[np.ix_(order, order)]  # the last parent has the highest bit
    graph, parents = skeleton(dag), rows_as_bits(dag.T)
    compelled = [0] * len(dag)
    for y in range(len(dag)):
        if not parents[y]:
            continue
        x = parents[y].bit_length() - 1
        settled = not (compelled[x] & ~parents[y] or parents[y] & ~(1 << x | parents[x]))
        compelled[y] = compelled[x] if settled else parents[y]
        graph[y, [*ones(compelled[y])]] = False
    place = np.argsort(order)
    return graph[np.ix_(place, place)]


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


def interventional_pattern(pattern: np.ndarray, dag: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """Return the pattern of the graphs of a class that interventions do not tell from a DAG, all bool [n, n].

    An edge has the direction of the DAG where one of its ends was set without the other; Meek's rules carry on from
    there (Hauser and Bühlmann 2012). targets: bool [k, n], the variables that were set together in each record.
    """
    sets = np.unique(targets, axis=0).astype(np.float32)
    apart = sets.T @ (1 - sets) > 0
    return meek(pattern & ~((apart | apart.T) & dag.T))


def _rules_1_and_2(graph: np.ndarray) -> np.ndarray:
    """Return the arcs i -> j oriented for i - j by k -> i with k, j not adjacent, or by i -> k -> j."""
    # float32 products count paths exactly and, unlike those of booleans, run in BLAS
    directed = (graph & ~graph.T).astype(np.float32)
    distant = (~(graph | graph.T)).astype(np.float32)
    return graph & graph.T & ((directed.T @ distant > 0) | (directed @ directed > 0))


def _rules_3_and_4(graph: np.ndarray) -> np.ndarray:
    """Return the arcs i -> j oriented for i - j by i - k -> j and i - l -> j with k, l not adjacent (rule 3).

    Or by i - k -> l -> j with k, j not adjacent and i, l adjacent (rule 4, needed only after background knowledge).
    """
    undirected, directed, adjacent = graph & graph.T, graph & ~graph.T, graph | graph.T
    oriented = np.zeros_like(graph)
    paths = undirected.astype(np.float32) @ directed  # two steps from i to j, by the last one of which all rules end
    reached = undirected & ((paths > 1) | (paths @ directed > 0))
    for i, j in np.argwhere(reached):
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
    no member of the pattern's class. Both are bool [n, n], and `pdag` may have directed cycles, but no loop, which is
    an InputError; the second result says whether the DAG is a consistent extension.
    """
    pdag = as_graph(pdag)
    if pdag.diagonal().any():
        raise InputError(f"graph: an arc from {int(pdag.diagonal().argmax())} to itself")
    arcs, edges, adjacent = map(rows_as_bits, (pdag & ~pdag.T, pdag & pdag.T, skeleton(pdag)))
    dag = np.zeros_like(pdag)
    exact, left = True, list(range(len(pdag)))
    while left:
        cost, node = _first_last(left, arcs, edges, adjacent)
        exact &= cost == (0, 0)
        left.remove(node)
        others = ~(1 << node)
        for i in ones(adjacent[node]):
            dag[i, node] = True
            arcs[i] &= others
            edges[i] &= others
            adjacent[i] &= others
    return dag, exact


def _first_last(left: list[int], arcs: list[int], edges: list[int], adjacent: list[int]) -> tuple[tuple[int, int], int]:
    """Return the least cost of a node that is last, arcs that leave it and new colliders in it, and the node."""

    def colliders(node: int) -> int:
        return sum((adjacent[node] & ~(adjacent[i] | 1 << i)).bit_count() for i in ones(edges[node]))

    for node in left:
        if not arcs[node] and not colliders(node):
            return (0, 0), node
    return min(((arcs[node].bit_count(), colliders(node)), node) for node in left)


def rows_as_bits(graph: np.ndarray) -> list[int]:
    """Return each row of a graph as an integer whose bit j is column j."""
    packed = np.packbits(graph, axis=1, bitorder="little")
    data, width = packed.tobytes(), max(packed.shape[1], 1)
    return [int.from_bytes(data[i : i + width], "little") for i in range(0, len(data), width)]


def ones(bits: int) -> Iterator[int]:
    """Yield where the ones of an integer are, from the lowest bit on."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest
