"""The 25 graphs on three nodes that the thesis numbers, and their Markov classes.

The drawings of Table 2.2 are lost, but for graph 8. What the scores printed in Tables 2.3 and 3.1 tell fixes the
Markov class of every other graph up to the names of the nodes: the classes are numbered as printed there, the graphs
within a class as we please.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import numpy as np

from cutpoint.graphs.patterns import cpdag

NODES = ("1", "2", "3")
TRUE_GRAPH = 8
Arc = tuple[str, str]


def arcs(text: str) -> list[Arc]:
    """Return the arcs of "1>2 3>2"."""
    return [(arc[0], arc[2]) for arc in text.split()]


_SPARSE = (
    "", "1>2", "2>1", "1>3", "3>1", "2>3", "3>2",
    "1>2 1>3", "2>1 1>3", "3>1 1>2", "2>1 2>3", "1>2 2>3", "3>2 2>1", "1>3 2>3",
    "3>1 3>2", "1>3 3>2", "2>3 3>1", "2>1 3>1", "1>2 3>2",
)  # fmt: skip
# Graphs 1 to 25; 20 to 25 are the complete ones.
GRAPHS: tuple[list[Arc], ...] = (*map(arcs, _SPARSE), *([(a, b), (a, c), (b, c)] for a, b, c in permutations(NODES)))


def adjacency(pairs: Sequence[Arc], nodes: Sequence[str] = NODES) -> np.ndarray:
    """Return the adjacency matrix of arcs between named nodes, bool [n, n]."""
    dag = np.zeros((len(nodes),) * 2, bool)
    for start, end in pairs:
        dag[nodes.index(start), nodes.index(end)] = True
    return dag


def _markov_classes() -> list[tuple[int, ...]]:
    """Return the numbers of the graphs by Markov class, computed from their completed patterns."""
    classes: dict[bytes, list[int]] = {}
    for number, pairs in enumerate(GRAPHS, 1):
        classes.setdefault(cpdag(adjacency(pairs)).tobytes(), []).append(number)
    return [tuple(members) for members in classes.values()]


CLASSES = _markov_classes()


def class_of(graph: int) -> tuple[int, ...]:
    """Return the numbers of the graphs that are Markov equivalent to one, itself among them."""
    return next(members for members in CLASSES if graph in members)


def parameters(graph: int, *, values: int = 6, full: bool = False) -> int:
    """Return the number of parameters of a graph whose nodes all have as many values, r - 1 or r per configuration."""
    degrees = adjacency(GRAPHS[graph - 1]).sum(0)
    return int((values**degrees).sum()) * (values - (not full))
