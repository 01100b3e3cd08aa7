"""What one run is worth: its graph against the true one, its thresholds against the true ones."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from cutpoint import graphs
from cutpoint.encoding import encode
from cutpoint.errors import InputError
from cutpoint.kgv import KGV, kgv_gain


def structure_metrics(graph: np.ndarray, true: np.ndarray) -> dict[str, Any]:
    """Return counts, distances and rates of a learned graph; undefined ones are None.

    Args:
        graph: bool [n, n], a DAG or a pattern.
        true: bool [n, n], the true DAG.
    """
    return {
        name: None if isinstance(value, float) and math.isnan(value) else value
        for name, value in graphs.metrics(graph, true).items()
    }


def threshold_metrics(
    values: np.ndarray,
    policy: Sequence[np.ndarray],
    true: Sequence[np.ndarray],
    continuous: np.ndarray,
) -> dict[str, float | None]:
    """Compare found thresholds with the true ones, as means over the continuous variables.

    Args:
        values: float64 [N, n].
        policy, true: n sorted arrays each.
        continuous: bool [n], the variables that were discretized.

    Returns:
        ``threshold_error``: mean distance of a true threshold to the nearest found one in standard
        deviations of the variable, half its range where none was found; ``level_error``: found minus true
        number of levels, absolute; ``adjusted_rand``: of the codes (Hubert and Arabie 1985).
    """
    chosen = np.flatnonzero(continuous).tolist()
    found_codes, true_codes = encode(values, policy), encode(values, true)
    errors, levels, agreements = [], [], []
    for i in chosen:
        levels.append(abs(len(policy[i]) - len(true[i])))
        agreements.append(adjusted_rand(found_codes[:, i], true_codes[:, i]))
        spread = values[:, i].std()
        if len(true[i]) and spread > 0:
            errors.append(_distance(values[:, i], policy[i], true[i]) / spread)
    return {
        "threshold_error": _mean(errors),
        "level_error": _mean(levels),
        "adjusted_rand": _mean(agreements),
    }


def _distance(column: np.ndarray, found: np.ndarray, true: np.ndarray) -> float:
    if not len(found):
        return float(np.ptp(column)) / 2
    return float(np.abs(true[:, None] - found[None, :]).min(1).mean())


def _mean(values: Sequence[float]) -> float | None:
    return math.fsum(values) / len(values) if values else None


def adjusted_rand(a: np.ndarray, b: np.ndarray) -> float:
    """Return the adjusted Rand index of two codings of the same records, 1 when they agree."""
    table = np.zeros((a.max() + 1, b.max() + 1), np.int64)
    np.add.at(table, (a, b), 1)
    both, rows, columns = (_pairs(part) for part in (table, table.sum(1), table.sum(0)))
    expected = rows * columns / max(_pairs(np.array([len(a)])), 1)
    highest = (rows + columns) / 2
    return 1.0 if highest == expected else float((both - expected) / (highest - expected))


def _pairs(counts: np.ndarray) -> float:
    return float((counts * (counts - 1) // 2).sum())


def dag_of(graph: np.ndarray, kind: str, source: str) -> tuple[np.ndarray, bool]:
    """Return a DAG for a learned graph, and whether it is one of its class.

    A pattern is extended after Dor and Tarsi; where that fails it is made acyclic as far as it goes.

    Raises:
        InputError: naming `source` and the cycle, when a "dag" has one.
    """
    if kind != "dag":
        return graphs.consistent_extension(graph)
    check_acyclic(graph, source)
    return graph, True


def check_acyclic(graph: np.ndarray, source: str) -> None:
    """Raise InputError when a graph said to be a DAG has a cycle."""
    if not graphs.is_dag(graph):
        raise InputError(f"{source}: the graph is said to be a DAG and has a cycle")


def real_metrics(score: KGV, graph: np.ndarray, kind: str, source: str) -> dict[str, Any]:
    """Return the KGV gain over the empty graph, with which Fu compares structures on real data (V.2.2)."""
    dag, exact = dag_of(graph, kind, source)
    return {
        "kgv_gain": kgv_gain(score, dag),
        "extension_exact": exact,
        "learned_edges": int(graphs.skeleton(graph).sum()) // 2,
    }


def mean_levels(policy: Sequence[np.ndarray]) -> float:
    """Return the mean number of levels of a policy."""
    return _mean([len(cuts) + 1 for cuts in policy]) or 0.0


def run_columns(run: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns of a run, with the sum of its CPU seconds."""
    stages = [run[name] for name in ("discretize_seconds", "learn_seconds")]
    known = [seconds for seconds in stages if seconds is not None]
    return {**run, "seconds": math.fsum(known) if known else None}
