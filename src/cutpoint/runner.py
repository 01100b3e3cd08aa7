"""Run a method on every data set of a batch, each in a supervised child, and write what came out."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from cutpoint import supervise, tables
from cutpoint.errors import InputError
from cutpoint.evaluation import check_acyclic
from cutpoint.learned import Learned

log = logging.getLogger("cutpoint")

# values [N, n], frozen [n], policy or None -> Learned
Function = Callable[[np.ndarray, np.ndarray, "Sequence[np.ndarray] | None"], Learned]
COSTS = (
    *("score_calls", "evaluations", "discretization_calls", "iterations", "score"),
    *("discretize_seconds", "learn_seconds"),
)


@dataclass
class Results:
    """The rows of the three files that a method leaves behind."""

    runs: list[dict[str, Any]] = field(default_factory=list)
    edges: list[dict[str, Any]] = field(default_factory=list)
    thresholds: list[dict[str, Any]] = field(default_factory=list)

    def write(self, *, runs: str, thresholds: str, edges: str | None = None, **metadata) -> None:
        """Write the files of a method, or of a discretizer, which has no edges."""
        tables.write_records(thresholds, self.thresholds, tables.THRESHOLDS, **metadata)
        if edges is not None:
            tables.write_records(edges, self.edges, tables.EDGES, **metadata)
        tables.write_records(runs, self.runs, tables.RUNS, **metadata)


@dataclass(frozen=True)
class Limits:
    """Wall seconds and resident megabytes of one run."""

    wall: float
    mb: float


def data_sets(paths: Iterable[str]) -> Iterable[tuple[dict[str, Any], tables.DataFile]]:
    """Yield the identity of every data set of some files and the file it stands in."""
    for path in paths:
        file = tables.open_data(path)
        for replicate in file.replicates or [0]:
            yield {"cell": file.metadata["cell"], "replicate": replicate}, file


def run_all(
    function: Function,
    paths: Sequence[str],
    limits: Limits,
    policies: Policies | None = None,
    warm: Callable[[], object] | None = None,
) -> Results:
    """Run one function on all data sets of some files.

    Args:
        function: run in a child process for every data set.
        paths: data files.
        limits: of every run.
        policies: thresholds that a discretizer has found, handed to the function.
        warm: called once in this process before the first child, to load packages and kernels.
    """
    results = Results()
    if warm is not None:
        warm()
    supervise.baseline_mb()
    for identity, file in data_sets(paths):
        before = policies.run(identity) if policies else None
        if not file.available:
            run: dict[str, Any] = {"status": "unavailable", "message": file.metadata["message"]}
        elif before is not None and before["status"] != "ok":
            run = {k: before[k] for k in ("status", "message", "discretize_seconds", "wall_seconds", "peak_mb")}
        else:
            policy = policies.policy(identity, file.variables) if policies else None
            run = _run_one(function, file, identity, policy, limits, results)
            if before is not None:
                run |= _with_stage(run, before)
        log.info("%s replicate %s: %s %s", *identity.values(), run["status"], run.get("message", ""))
        results.runs.append(identity | run)
    return results


def _run_one(function, file, identity, policy, limits, results) -> dict[str, Any]:
    values = file.values(identity["replicate"])
    ended = supervise.call(function, values, file.frozen, policy, wall=limits.wall, mb=limits.mb)
    run = {
        "status": ended.status,
        "message": ended.message,
        "wall_seconds": ended.wall_seconds,
        "peak_mb": ended.peak_mb,
    }
    if ended.status != "ok":
        return run | {"learn_seconds": ended.cpu_seconds}
    learned: Learned = ended.value
    try:
        _check(learned, len(file.variables))
    except InputError as problem:
        return run | {"status": "error", "message": str(problem)}
    graph = _graph_of(learned)
    if graph is not None:
        results.edges += tables.edge_records(identity, file.variables, graph)
    if learned.thresholds is not None:
        results.thresholds += tables.threshold_records(identity, file.variables, learned.thresholds)
    return run | {name: getattr(learned, name) for name in COSTS}


def _graph_of(learned: Learned) -> np.ndarray | None:
    return learned.dag if learned.kind == "dag" else learned.cpdag


def _check(learned: Learned, n: int) -> None:
    """Refuse what a method must not return."""
    if learned.thresholds is not None:
        if len(learned.thresholds) != n:
            raise InputError(f"the method returned {len(learned.thresholds)} threshold lists for {n} variables")
        if not all(np.isfinite(cuts).all() and (np.diff(cuts) > 0).all() for cuts in learned.thresholds):
            raise InputError("the method returned thresholds that are not finite and increasing")
    graph = _graph_of(learned)
    if graph is not None:
        if graph.shape != (n, n):
            raise InputError(f"the method returned a graph of shape {graph.shape} for {n} variables")
        if learned.kind == "dag":
            check_acyclic(graph, "the method")


def _with_stage(run: Mapping[str, Any], before: Mapping[str, Any]) -> dict[str, Any]:
    """Return the costs of a run together with those of the discretization before it."""
    return {
        "discretize_seconds": before["discretize_seconds"],
        "wall_seconds": before["wall_seconds"] + run["wall_seconds"],
        "peak_mb": max(before["peak_mb"], run["peak_mb"]),
    }


class Policies:
    """The thresholds and runs of a discretizer, by data set."""

    def __init__(self, runs: str, thresholds: str):
        rows, _ = tables.read_records(runs, tables.RUNS)
        self._runs = {(row["cell"], row["replicate"]): row for row in rows}
        self._thresholds: dict[tuple[str, int], list[dict[str, Any]]] = {}
        for row in tables.read_records(thresholds, tables.THRESHOLDS)[0]:
            self._thresholds.setdefault((row["cell"], row["replicate"]), []).append(row)

    def run(self, identity: Mapping[str, Any]) -> dict[str, Any]:
        """Return how the discretization of a data set ended."""
        return self._runs[identity["cell"], identity["replicate"]]

    def policy(self, identity: Mapping[str, Any], variables: Sequence[str]) -> list[np.ndarray]:
        """Return the thresholds of a data set, one array per variable."""
        return tables.policy_of(self._thresholds.get((identity["cell"], identity["replicate"]), []), variables)
