"""Distances and error rates between a learned and the true structure, in the convention of each paper.

Structures are compared as equivalence classes: a graph that is a DAG is replaced by its completed pattern first. A pair
of nodes is one edge, directed or not; it is *right* when it has the same direction, or none, in both patterns.
"""

from collections.abc import Iterable, Mapping
from math import nan
from typing import Any, TypeVar

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.graphs.dags import is_dag, numbered
from cutpoint.graphs.patterns import cpdag

# bool [n, n], or an object with such a `cpdag`, as what was learned, or a `dag`, as a network.
Graph = Any
Counts = Mapping[str, int]
Convention = TypeVar("Convention")


def compare(learned: Graph, true: Graph) -> dict[str, int]:
    """Count the pairs of nodes by how the patterns of two graphs agree on them.

    Nodes are matched by name where both graphs have names, ``variables`` of an object or the columns of a data frame,
    and by position where one is an array or was learned from one.

    Args:
        learned, true: bool [n, n], a DAG or a pattern, as an array or a data frame; endpoint marks of causal-learn; a
            graph of networkx; or an object with a ``cpdag`` or ``dag``.

    Returns:
        ``true_edges``, ``learned_edges``; ``right``, ``reversed`` (an edge of both with another orientation, also
        directed against undirected), ``extra``, ``missing``; of the last two those that are directed,
        ``extra_directed`` and ``missing_directed``; ``absent`` (pairs without a true edge).
    """
    pattern, truth = _pattern(learned, "learned"), _pattern(true, "true")
    if (order := _order(_names(learned), _names(true))) is not None:
        pattern = pattern[np.ix_(order, order)]
    if pattern.shape != truth.shape:
        raise InputError(f"the learned graph has {len(pattern)} nodes and the true one {len(truth)}")
    upper = np.triu_indices(len(truth), 1)
    marks, true_marks = _marks(pattern)[upper], _marks(truth)[upper]
    extra, missing = (marks > 0) & (true_marks == 0), (marks == 0) & (true_marks > 0)
    both = (marks > 0) & (true_marks > 0)
    counts = {
        "true_edges": true_marks > 0,
        "learned_edges": marks > 0,
        "right": both & (marks == true_marks),
        "reversed": both & (marks != true_marks),
        "extra": extra,
        "missing": missing,
        "extra_directed": extra & (marks < 3),
        "missing_directed": missing & (true_marks < 3),
        "absent": true_marks == 0,
    }
    return {name: int(pairs.sum()) for name, pairs in counts.items()}


def _pattern(graph: Graph, name: str) -> np.ndarray:
    matrix = getattr(graph, "cpdag", None)
    matrix = getattr(graph, "dag", graph) if matrix is None else matrix
    if _is_networkx(graph):
        matrix = [[node in graph.adj[other] for node in _nodes(graph)] for other in _nodes(graph)]
    entries = np.asarray(matrix)
    if entries.ndim != 2 or entries.shape[0] != entries.shape[1]:
        raise InputError(f"the {name} graph must be a square matrix, not of shape {entries.shape}")
    adjacency = entries == 1
    ends = entries == -1
    if ends.any() and not (adjacency & ~ends.T).any():  # of causal-learn: -1 is a tail, 1 a head
        adjacency = ends
    elif odd := [entry for entry in entries.flat if entry not in (0, 1)]:
        what = "are 0 and 1, or -1 and 1 as causal-learn marks the ends of edges that have no two heads"
        raise InputError(f"the entries of the {name} graph {what}, not {odd[0]}")
    return cpdag(adjacency) if is_dag(adjacency) else adjacency


def _is_networkx(graph: Graph) -> bool:
    return type(graph).__module__.startswith("networkx")


def _nodes(graph: Graph) -> list[Any]:
    """Return the nodes of a graph of networkx: numbers by their order, others as they stand."""
    return sorted(graph) if all(isinstance(node, int) for node in graph) else [*graph]


def _names(graph: Graph) -> list[str] | None:
    """Return the names of the nodes, None where they have none or those of the columns of an array."""
    names = _nodes(graph) if _is_networkx(graph) else getattr(graph, "variables", None)
    names = getattr(graph, "columns", None) if names is None else names
    texts = [] if names is None else [str(name) for name in names]
    return None if texts in (numbered(len(texts)), [*map(str, range(len(texts)))]) else texts


def _order(names: list[str] | None, true: list[str] | None) -> list[int] | None:
    """Return the places in the learned graph of the nodes of the true one, None where names say nothing."""
    if names is None or true is None:
        return None
    for where, here, there in (("learned", names, true), ("true", true, names)):
        if odd := [name for name in here if name not in there]:
            raise InputError(f"only the {where} graph has a variable {odd[0]!r}: both must have the same")
    return [names.index(name) for name in true]


def _marks(pattern: np.ndarray) -> np.ndarray:
    """Return 0 where no edge is, 1 for i -> j, 2 for j -> i and 3 for i - j."""
    return pattern + 2 * pattern.T.astype(np.int8)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else nan


# The counts of which a distance is the sum; and of the true and the false positive rate those whose sum is divided by
# another count.
SHD_CONVENTIONS = {
    "fu2005": ("extra", "missing", "reversed", "extra_directed", "missing_directed"),
    "standard": ("extra", "missing", "reversed"),
}
RATE_CONVENTIONS = {
    "mabrouk2015": ((("right",), "learned_edges"), (("extra", "reversed"), "learned_edges")),
    "standard": ((("right",), "true_edges"), (("extra",), "absent")),
    "skeleton": ((("right", "reversed"), "true_edges"), (("extra",), "absent")),
}
MATCHES = ("skeleton", "pattern")


def shd(learned: Graph, true: Graph, convention: str = "fu2005") -> int:
    """Return the structural Hamming distance between two patterns.

    Args:
        learned, true: as of `compare`; graphs of different sizes are an InputError, as is an unknown convention.
        convention: "fu2005": a missing or extra edge counts 2 when directed and 1 when undirected, a wrong
            orientation 1 (Fu 2005, V.1.2 and Algorithm 3); "standard": every pair that differs counts 1
            (Tsamardinos, Brown and Aliferis 2006).

    Examples:
        >>> cp.shd(learned, network, "standard"), cp.rates(learned, network, "standard")
        (4, {'tpr': 0.75, 'fpr': 0.1})
    """
    return _shd(compare(learned, true), _named(SHD_CONVENTIONS, convention))


def rates(learned: Graph, true: Graph, convention: str = "mabrouk2015") -> dict[str, float]:
    """Return the true and false positive rates, ``tpr`` and ``fpr``; nan where the denominator is 0.

    Args:
        learned, true: as of `shd`, with its InputError.
        convention: "mabrouk2015": shares of the learned edges that are right, and that are not, so that they sum to 1
            (Mabrouk et al. 2015, section 4); "standard": right edges over true edges, extra edges over pairs without a
            true edge (a wrong orientation is neither); "skeleton": as standard, but any orientation is right.
    """
    return _rates(compare(learned, true), _named(RATE_CONVENTIONS, convention))


def _shd(counts: Counts, parts: Iterable[str]) -> int:
    return sum(counts[part] for part in parts)


def _rates(counts: Counts, ratios: Iterable[tuple[Iterable[str], str]]) -> dict[str, float]:
    shares = (_share(_shd(counts, parts), counts[whole]) for parts, whole in ratios)
    return dict(zip(("tpr", "fpr"), shares, strict=True))


def metrics(learned: Graph, true: Graph) -> dict[str, float]:
    """Return the counts of `compare`, shd, tpr, fpr by convention, as ``shd_standard``, and precision, recall, f1."""
    counts = compare(learned, true)
    values: dict[str, float] = dict(counts)
    values |= {f"shd_{name}": _shd(counts, parts) for name, parts in SHD_CONVENTIONS.items()}
    for convention, ratios in RATE_CONVENTIONS.items():
        values |= {f"{name}_{convention}": value for name, value in _rates(counts, ratios).items()}
    for match in MATCHES:
        hits = counts["right"] + (counts["reversed"] if match == "skeleton" else 0)
        every, all_true = counts["learned_edges"], counts["true_edges"]
        values |= {f"precision_{match}": _share(hits, every), f"recall_{match}": _share(hits, all_true)}
        values[f"f1_{match}"] = _share(2 * hits, every + all_true)
    return values


def _named(conventions: Mapping[str, Convention], name: str) -> Convention:
    if name not in conventions:
        raise InputError(f"unknown convention {name!r}: use one of {', '.join(conventions)}")
    return conventions[name]
