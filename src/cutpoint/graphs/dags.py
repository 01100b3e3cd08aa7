"""Directed acyclic graphs as boolean adjacency matrices: order, neighbours, counts."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from cutpoint.base.errors import InputError


def is_dag(graph: np.ndarray) -> bool:
    """Return whether a graph, bool [n, n], is a DAG; what is not square is an InputError. See `cutpoint.cpdag`."""
    return len(_peel(graph)) == len(graph)


def check_acyclic(graph: np.ndarray, source: str, variables: Sequence[str] | None = None) -> None:
    """Check that a graph, bool [n, n], is a DAG; the message begins with the source and has the names, else numbers."""
    if is_dag(graph):
        return
    names = list(map(str, range(len(graph)))) if variables is None else variables
    fault = f"{source}: a DAG is expected, and the graph has"
    if len(undirected := np.argwhere(np.triu(graph & graph.T, 1))):
        raise InputError(f"{fault} an undirected edge: {' -- '.join(names[i] for i in undirected[0])}")
    cycle = [names[i] for i in find_cycle(graph)]
    raise InputError(f"{fault} a cycle: {' -> '.join([*cycle, cycle[0]])}")


def topological_order(dag: np.ndarray) -> np.ndarray:
    """Return the nodes of a DAG, bool [n, n], parents before children, by generation, then by index, int64 [n]."""
    order = _peel(dag)
    if len(order) < len(dag):
        cycle = find_cycle(dag)
        raise InputError("the graph has a cycle: " + " -> ".join(map(str, [*cycle, cycle[0]])))
    return np.array(order, np.int64)


def find_cycle(graph: np.ndarray) -> list[int]:
    """Return the nodes of one directed cycle in the order of its arcs, or an empty list."""
    left = np.ones(len(graph), bool)
    left[_peel(graph)] = False
    walk = np.flatnonzero(left)[:1].tolist()
    # what peeling leaves has a parent that it leaves too, so that walking back meets itself
    while walk and walk[-1] not in walk[:-1]:
        walk.append(int(np.flatnonzero(graph[:, walk[-1]] & left)[0]))
    return walk[: walk.index(walk[-1]) : -1] if walk else []


def as_graph(graph: Any) -> np.ndarray:
    """Return a graph as an array, bool [n, n]; raise InputError for anything else."""
    array = np.asarray(graph)
    if array.ndim != 2 or array.shape[0] != array.shape[1] or array.dtype.kind not in "biuf":
        shape = f"not shape {array.shape}" if array.ndim else f"not {type(graph).__name__}"
        raise InputError(f"graph: an array bool [n, n] is expected, {shape}")
    return array.astype(bool)


def _peel(graph: np.ndarray) -> list[int]:
    """Remove nodes without parents generation by generation; nodes on or behind a cycle stay."""
    graph = as_graph(graph)
    waiting = graph.sum(axis=0)
    order: list[int] = []
    while (ready := np.flatnonzero(waiting == 0)).size:
        order.extend(ready.tolist())
        waiting[ready] = -1
        waiting -= graph[ready].sum(axis=0)
    return order


def markov_blanket(dag: np.ndarray, i: int) -> np.ndarray:
    """Return the sorted parents, children and children's other parents of node i, int64 [k]; `dag` is bool [n, n].

    Examples:
        >>> [network.variables[i] for i in cp.markov_blanket(network.dag, 1)]  # of "tub"
        ['asia', 'lung', 'either']
    """
    inside = dag[:, i] | dag[i] | dag[:, dag[i]].any(axis=1)
    inside[i] = False
    return np.flatnonzero(inside)


def with_ancestors(dag: np.ndarray, variables: Sequence[int]) -> np.ndarray:
    """Return some variables and their ancestors, bool [n]."""
    inside = np.zeros(len(dag), bool)
    inside[[*variables]] = True
    while (grown := inside | dag[:, inside].any(1)).sum() > inside.sum():
        inside = grown
    return inside


def skeleton(graph: np.ndarray) -> np.ndarray:
    """Return the symmetric adjacency of directed or partially directed graphs, bool [..., n, n]."""
    graph = np.asarray(graph, bool)
    return graph | np.swapaxes(graph, -1, -2)


def edges_of(graph: np.ndarray, variables: Sequence[str]) -> list[tuple[str, str, bool]]:
    """Return the edges of a graph, bool [n, n], as source, target and whether they are directed."""
    both = graph & graph.T
    places = np.argwhere(graph & ~np.tril(both))
    return [(variables[i], variables[j], not both[i, j]) for i, j in places.tolist()]


def numbered(n: int) -> list[str]:
    """Return the names of the columns of an array: x0, x1, ..."""
    return [f"x{i}" for i in range(n)]
