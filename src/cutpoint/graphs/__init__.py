"""Directed acyclic graphs, their equivalence classes, and how to compare them.

Adjacency matrices are bool [n, n]: ``a[i, j]`` is the arc i -> j; in a partially directed graph both
``a[i, j]`` and ``a[j, i]`` true is an undirected edge.
"""

from cutpoint.graphs.dags import (
    check_acyclic,
    children,
    count_dags,
    enumerate_dags,
    find_cycle,
    is_dag,
    markov_blanket,
    parents,
    skeleton,
    topological_order,
)
from cutpoint.graphs.metrics import (
    RATE_CONVENTIONS,
    SHD_CONVENTIONS,
    compare,
    metrics,
    precision_recall,
    rates,
    shd,
)
from cutpoint.graphs.patterns import consistent_extension, cpdag, meek

__all__ = [
    "RATE_CONVENTIONS",
    "SHD_CONVENTIONS",
    "check_acyclic",
    "children",
    "compare",
    "consistent_extension",
    "count_dags",
    "cpdag",
    "enumerate_dags",
    "find_cycle",
    "is_dag",
    "markov_blanket",
    "meek",
    "metrics",
    "parents",
    "precision_recall",
    "rates",
    "shd",
    "skeleton",
    "topological_order",
]
