"""What the methods of a batch left behind, as the scripts that judge it read it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from cutpoint import schemas, tables
from cutpoint.errors import InputError
from cutpoint.networks import Network

Key = tuple[str, str, int]


class Results:
    """What all methods of a batch left behind, by method, cell and replicate.

    Args:
        runs, edges, thresholds: files of `RUNS`, `EDGES` and `THRESHOLDS`, one of each per job.

    Raises:
        InputError: edges or thresholds without a run, or a file that is not ours.
    """

    def __init__(self, runs: Iterable[str], edges: Iterable[str], thresholds: Iterable[str]):
        self._runs = self._read(runs, schemas.RUNS)
        self._edges = self._read(edges, schemas.EDGES)
        self._thresholds = self._read(thresholds, schemas.THRESHOLDS)
        for found in (self._edges, self._thresholds):
            if unknown := found.keys() - self._runs.keys():
                raise InputError(f"{min(unknown)}: edges or thresholds of a method, cell and replicate without a run")

    @staticmethod
    def _read(paths: Iterable[str], schema: pa.Schema) -> dict[tuple, list[dict[str, Any]]]:
        return tables.by_identity(row for path in paths for row in tables.read_records(path, schema)[0])

    def run(self, key: Key) -> dict[str, Any]:
        """Return how a method ended on a data set; an error where its job left nothing."""
        (run,) = self._runs.get(key) or [{"status": "error", "message": "its job left no run of this data set"}]
        return run

    def graph(self, key: Key, variables: Sequence[str]) -> np.ndarray:
        """Return what a method learned, bool [n, n]; see `cutpoint.tables.graph_of`."""
        return tables.graph_of(self._edges.get(key, []), variables, key[0])

    def policy(self, key: Key, variables: Sequence[str]) -> list[np.ndarray]:
        """Return the thresholds that a method learned, one sorted array per variable."""
        return tables.policy_of(self._thresholds.get(key, []), variables)


def places(network: Network, variables: Sequence[str]) -> np.ndarray:
    """Return where the variables of a data file stand in a network, int64 [n].

    Raises:
        InputError: a variable that the network lacks.
    """
    known = {name: i for i, name in enumerate(network.variables)}
    if unknown := [name for name in variables if name not in known]:
        raise InputError(f"network {network.name}: no variable {unknown[0]!r}")
    return np.array([known[name] for name in variables], np.int64)


def true_dag(network: Network, variables: Sequence[str]) -> np.ndarray:
    """Return the arcs of a network, bool [n, n], between variables in the order of a data file."""
    order = places(network, variables)
    return network.dag[np.ix_(order, order)]
