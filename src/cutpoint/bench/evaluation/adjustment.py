"""How many causal effects would be read wrongly off a learned graph: adjustment identification distances."""

from __future__ import annotations

import gadjid
import numpy as np

from cutpoint.graphs.dags import is_dag
from cutpoint.graphs.patterns import consistent_extension, cpdag

ROWS_TO_COLUMNS = "from row to column"


def adjustment_distances(graph: np.ndarray, true: np.ndarray, *, whole: bool = False) -> dict[str, float | bool | None]:
    """Return ``parent_aid`` and ``ancestor_aid``, and whether the graph stands for a class of DAGs.

    A distance is the share, 0 to 1, of the n (n - 1) ordered pairs (t, y) for which the formula that the learned
    pattern gives for the effect of t on y is wrong in the true one: not a valid adjustment, an effect called zero that
    is not, or one called unidentifiable that can be identified, or the other way round (Henckel, Würtzen and Weichwald
    2024). The parents of t are adjusted for, or its ancestors; for DAGs the first is the structural intervention
    distance (Peters and Bühlmann 2015). Both ask for completed patterns. A learned pattern that is none, as that of PC
    may be, stands for the class of its consistent extensions, which have one skeleton and the same colliders; without
    any it stands for no class and has no distance (None), and ``extension_exact`` is False.

    Args:
        graph: bool [n, n], a DAG or a pattern, of which `whole` says that it is the completed one of a DAG.
        true: bool [n, n], the true DAG or its completed pattern.
    """
    dag, exact = (graph, True) if whole or is_dag(graph) else consistent_extension(graph)
    if not exact or len(graph) < 2:
        return {"parent_aid": None, "ancestor_aid": None, "extension_exact": exact}
    learned, truth = _coded(graph if whole else cpdag(dag)), _coded(cpdag(true) if is_dag(true) else true)
    return {
        "parent_aid": gadjid.parent_aid(truth, learned, ROWS_TO_COLUMNS)[0],
        "ancestor_aid": gadjid.ancestor_aid(truth, learned, ROWS_TO_COLUMNS)[0],
        "extension_exact": True,
    }


def _coded(pattern: np.ndarray) -> np.ndarray:
    """Return a pattern as gadjid has it, int8 [n, n]: 1 for i -> j, and 2 once for i - j."""
    undirected = pattern & pattern.T
    return (pattern & ~undirected).astype(np.int8) + 2 * np.triu(undirected).astype(np.int8)
