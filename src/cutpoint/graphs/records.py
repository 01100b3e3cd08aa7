"""Graphs and thresholds as rows of the Parquet files between jobs, and back; what is wrong with rows is named."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.graphs.dags import edges_of


def edge_records(identity: dict, variables: Sequence[str], graph: np.ndarray) -> list[dict[str, Any]]:
    """Return the edges of a graph as rows; an undirected edge once, its ends in order of name."""
    names = ("source", "target", "directed")
    return [identity | dict(zip(names, edge, strict=True)) for edge in edges_of(graph, variables)]


def graph_of(rows: Iterable[dict[str, Any]], variables: Sequence[str], source: str) -> np.ndarray:
    """Return the bool [n, n] graph of rows of `EDGES`.

    Raises:
        InputError: naming `source` and the variable, when an edge names an unknown one or itself, or stands twice.
    """
    place = {name: i for i, name in enumerate(variables)}
    graph = np.zeros((len(place), len(place)), bool)
    for row in rows:
        for name in (row["source"], row["target"]):
            if name not in place:
                raise InputError(f"{source}: edge with the unknown variable {name!r}")
        i, j = place[row["source"]], place[row["target"]]
        if i == j:
            raise InputError(f"{source}: edge from {row['source']!r} to itself")
        if row["directed"] is None:
            raise InputError(f"{source}: edge from {row['source']!r} to {row['target']!r}: 'directed' is empty")
        if graph[i, j] or graph[j, i]:
            raise InputError(f"{source}: the edge between {row['source']!r} and {row['target']!r} stands twice")
        graph[i, j] = True
        if not row["directed"]:
            graph[j, i] = True
    return graph


def threshold_records(identity: dict, variables: Sequence[str], thresholds: Sequence[np.ndarray]) -> list:
    """Return a policy as rows; a variable with one level has none."""
    return [
        identity | {"variable": name, "position": k, "threshold": float(t)}
        for name, cuts in zip(variables, thresholds, strict=True)
        for k, t in enumerate(cuts)
    ]


def policy_of(rows: Iterable[dict[str, Any]], variables: Sequence[str], source: str) -> list[np.ndarray]:
    """Return the policy of rows of `THRESHOLDS`, one sorted array per variable.

    Raises:
        InputError: naming `source` and the variable, when it is unknown, when two of its thresholds have one
            position, or when they are not finite or do not increase with their positions.
    """
    found: dict[str, list[tuple[int, float]]] = {name: [] for name in variables}
    for row in rows:
        if row["variable"] not in found:
            raise InputError(f"{source}: threshold of the unknown variable {row['variable']!r}")
        if row["position"] is None or row["threshold"] is None:
            raise InputError(f"{source}: threshold of {row['variable']!r}: an empty cell")
        found[row["variable"]].append((row["position"], row["threshold"]))
    policy = []
    for name in variables:
        if len(dict(found[name])) < len(found[name]):
            raise InputError(f"{source}: two thresholds of {name!r} have one position")
        cuts = np.array([threshold for _, threshold in sorted(found[name])], float)
        if not (np.isfinite(cuts).all() and (np.diff(cuts) > 0).all()):
            raise InputError(f"{source}: the thresholds of {name!r} are not finite, increasing numbers")
        policy.append(cuts)
    return policy
