"""The graphs that the thesis numbers and draws, and the data that it simulates.

The drawings of Table 2.2 are lost, but for graph 8. What the scores printed in Tables 2.3 and 3.1 tell fixes the
Markov class of every other graph up to the names of the nodes: the classes are numbered as printed there, the graphs
within a class as we please.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, permutations

import numpy as np

from cutpoint.graphs.patterns import cpdag
from cutpoint.networks.network import Network

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
GRAPHS: tuple[list[Arc], ...] = (
    *map(arcs, _SPARSE),
    *([(a, b), (a, c), (b, c)] for a, b, c in permutations(NODES)),
)
# The classes as the text of 2.4 lists them
TEXT_CLASSES = (
    (1,), (2, 3), (4, 5), (6, 7), (8, 9, 10), (11, 12, 13), (14,), (15,), (16, 17, 18), (19,), tuple(range(20, 26)),
)  # fmt: skip


def adjacency(pairs: Sequence[Arc], nodes: Sequence[str] = NODES) -> np.ndarray:
    """Return the adjacency matrix of arcs between named nodes, bool [n, n]."""
    dag = np.zeros((len(nodes),) * 2, bool)
    for start, end in pairs:
        dag[nodes.index(start), nodes.index(end)] = True
    return dag


def cpdag_of(pairs: Sequence[Arc]) -> np.ndarray:
    """Return the completed pattern of arcs between the three nodes, bool [3, 3]."""
    return cpdag(adjacency(pairs))


def classes() -> list[tuple[int, ...]]:
    """Return the numbers of the graphs by Markov class, computed from their completed patterns."""
    found: dict[bytes, list[int]] = {}
    for number, pairs in enumerate(GRAPHS, 1):
        found.setdefault(cpdag_of(pairs).tobytes(), []).append(number)
    return [tuple(members) for members in found.values()]


def class_of(graph: int) -> tuple[int, ...]:
    """Return the numbers of the graphs that are Markov equivalent to one, itself among them."""
    return next(members for members in classes() if graph in members)


def parameters(graph: int, *, values: int = 6, full: bool = False) -> int:
    """Return the number of parameters of a graph whose nodes all have as many values, r - 1 or r per configuration."""
    degrees = adjacency(GRAPHS[graph - 1]).sum(0)
    return int((values**degrees).sum()) * (values - (not full))


def _dirichlet(rng: np.random.Generator, *shape: int) -> np.ndarray:
    """Return random distributions along the last axis, the hyperparameters uniform on [0, 5] (Tran 2013, 2.4)."""
    return rng.dirichlet(rng.uniform(0, 5, shape[-1]), shape[:-1])


def random_network(rng: np.random.Generator, pairs: Sequence[Arc], values: dict[str, int]) -> Network:
    """Return a network with random parameters.

    Args:
        rng: random generator.
        pairs: the arcs.
        values: number of values by node, in the order of the variables.
    """
    nodes = tuple(values)
    parents = [tuple(nodes.index(a) for a, b in pairs if b == node) for node in nodes]
    shapes = [(*(values[nodes[p]] for p in pa), values[node]) for node, pa in zip(nodes, parents, strict=True)]
    tables = [_dirichlet(rng, *shape) for shape in shapes]
    states = tuple(tuple(str(k + 1) for k in range(values[node])) for node in nodes)
    return Network("random", nodes, states, tuple(parents), tuple(tables))


def explode(rng: np.random.Generator, column: np.ndarray, shares: Sequence[np.ndarray]) -> np.ndarray:
    """Return a column whose values are replaced by draws from finer, consecutive ones (Tran 2013, 4.2.2).

    Args:
        rng: random generator.
        column: int [N], values 0..r-1.
        shares: the probabilities of the finer values, by value.
    """
    inner = [i + np.cumsum(part)[:-1] for i, part in enumerate(shares)]
    ends = np.sort(np.concatenate([*inner, np.arange(1.0, len(shares))]))
    return np.searchsorted(ends, column + rng.random(len(column)), side="right")


def copies(column: np.ndarray, counts: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Return the records that an exact explosion repeats, and their finer values.

    Every record is repeated as often; of the copies of value i, counts[i][s] get its s-th finer value, so that the
    counts are exactly proportional.

    Args:
        column: int [N], values 0..r-1.
        counts: positive integers with the same sum for every value.
    """
    first = np.cumsum([0, *map(len, counts)])
    finer = np.array([np.repeat(first[i] + np.arange(len(part)), part) for i, part in enumerate(counts)])
    return np.repeat(np.arange(len(column)), finer.shape[1]), finer[column].ravel()


def true_thresholds(sizes: Sequence[int]) -> np.ndarray:
    """Return which thresholds between the finer values part two original ones, bool [m - 1]."""
    original = np.repeat(np.arange(len(sizes)), sizes)
    return np.diff(original) > 0


def groups_text(keep: np.ndarray) -> str:
    """Return "12|3" for the thresholds that a discretization of the values 1, 2, .. keeps."""
    ends = np.concatenate([[0], np.flatnonzero(keep) + 1, [len(keep) + 1]])
    names = [str(k + 1) for k in range(len(keep) + 1)]
    between = "" if len(names) < 10 else " "
    return "|".join(between.join(names[a:b]) for a, b in pairwise(ends))
