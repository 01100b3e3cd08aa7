"""What the evaluation needs of the results of a batch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from cutpoint.graphs.dags import check_acyclic
from cutpoint.graphs.patterns import consistent_extension

Key = tuple[str, str, int]  # of a run: method, cell, replicate


class Outcomes(Protocol):
    """How the runs of a batch ended and what they learned, such as `cutpoint.bench.runs.results.Results`."""

    def run(self, key: Key) -> dict[str, Any]:
        """Return the columns of a run, among them status, message, kind and levels."""

    def graph(self, key: Key, variables: Sequence[str]) -> np.ndarray:
        """Return the learned graph, bool [n, n]; an InputError if it is invalid."""

    def thresholds(self, key: Key, variables: Sequence[str]) -> list[np.ndarray]:
        """Return the learned thresholds, one sorted float64 array per variable; an InputError if they are invalid."""


def dag_of(graph: np.ndarray, kind: str, source: str) -> tuple[np.ndarray, bool]:
    """Return a DAG for a learned graph, bool [n, n], and whether it is in the graph's equivalence class.

    A pattern is extended after Dor and Tarsi; where that fails it is made acyclic as far as possible. The source is
    whose graph it is, for the message.
    """
    if kind != "dag":
        return consistent_extension(graph)
    check_acyclic(graph, source)
    return graph, True
