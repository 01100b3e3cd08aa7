"""Run methods on every data set of a batch, each in a supervised child, and write what came out."""

from __future__ import annotations

import gc
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from cutpoint.base.errors import InputError
from cutpoint.bench.data import parquet, schemas
from cutpoint.bench.runs import supervise
from cutpoint.graphs.rows import edge_rows, threshold_rows, thresholds_of_rows
from cutpoint.learners.learned import Learned
from cutpoint.method import checks

if TYPE_CHECKING:
    from cutpoint.knowledge.knowledge import Knowledge

log = logging.getLogger("cutpoint")

Identity = dict[str, Any]
# values [N, n], discrete [n], thresholds or None -> Learned
Function = Callable[[np.ndarray, np.ndarray, "Sequence[np.ndarray] | None"], Learned]
COSTS = (
    *("score_calls", "evaluations", "discretization_calls", "iterations", "score"),
    *("discretize_seconds", "learn_seconds"),
)


@dataclass(frozen=True)
class Task:
    """One method of a job.

    Attributes:
        function: run in a child process for every data set.
        discretizer: the name of the discretization whose thresholds it is handed, or None.
        named: whether the function also takes `about`, an `About`.
        knowing: whether it honours what is known of the arcs; else it is not run where something is.
    """

    function: Callable[..., Learned]
    discretizer: str | None = None
    named: bool = False
    knowing: bool = False


@dataclass(frozen=True)
class About:
    """What a run is, for a function that hands it on to a program.

    Attributes:
        identity: method, cell and replicate.
        columns: n names, all that a program sees.
        variables: what the columns are, for messages.
        levels: numbers of states of discrete columns, by name.
        knowledge: of the variables, None where nothing is known.
    """

    identity: Identity
    columns: Sequence[str]
    variables: Sequence[str]
    levels: Mapping[str, int]
    knowledge: Knowledge | None = None


@dataclass(frozen=True)
class Limits:
    """Wall seconds and resident megabytes of one run."""

    wall: float
    mb: float


@dataclass
class Rows:
    """The rows of the files that a job writes."""

    runs: list[dict[str, Any]] = field(default_factory=list)
    edges: list[dict[str, Any]] = field(default_factory=list)
    thresholds: list[dict[str, Any]] = field(default_factory=list)

    def extend(self, other: Rows) -> None:
        """Add the rows of other methods."""
        self.runs += other.runs
        self.edges += other.edges
        self.thresholds += other.thresholds

    def write(self, *, runs: str, edges: str, thresholds: str) -> None:
        """Write the files of a job."""
        parquet.write_records(thresholds, self.thresholds, schemas.THRESHOLDS)
        parquet.write_records(edges, self.edges, schemas.EDGES)
        parquet.write_records(runs, self.runs, schemas.RUNS)


def data_sets(paths: Iterable[str]) -> Iterable[tuple[Identity, parquet.DataFile]]:
    """Yield the identity of every data set of some files and the file it stands in."""
    for path in paths:
        file = parquet.open_data(path)
        for replicate in file.replicates or [0]:
            yield {"cell": file.metadata["cell"], "replicate": replicate}, file


def run_all(
    tasks: Mapping[str, Task],
    paths: Sequence[str],
    limits: Limits,
    discretizations: Discretizations | None = None,
    warm: Callable[[], object] | None = None,
) -> Rows:
    """Run the methods of a job on all data sets of some files.

    Args:
        tasks: by the name of the method.
        paths: data files.
        limits: of every run.
        discretizations: what the discretizers of the job found before.
        warm: called once in this process before the first child, to load packages and kernels.
    """
    rows = Rows()
    if warm is not None:
        warm()
    gc.freeze()  # a collection in a child would copy the pages that it shares with this process
    for identity, file in data_sets(paths):
        data = file.read(identity["replicate"]) if file.available else None
        for method, task in tasks.items():
            run = {"method": method} | identity
            if data is None:
                run |= {"status": "unavailable", "message": file.metadata["message"]}
            else:
                run |= _run(task, data, run, limits, discretizations, rows)
            log.info("%s", " ".join(str(run.get(k, "")) for k in (*schemas.IDENTITY, "status", "message")))
            rows.runs.append(run)
    return rows


def _run(task, data, identity, limits, discretizations, rows) -> dict[str, Any]:
    """Return how one method ended on one data set, after the discretization before it if there is one."""
    knowledge = knowledge_of(data)
    if knowledge is not None and not task.knowing and knowledge.arcs(data.variables) is not None:
        return {"status": "error", "message": "not run: it cannot honour what is known of the arcs"}
    if task.discretizer is None:
        return _supervise(task, data, None, identity, limits, rows)
    before = discretizations.run(task.discretizer, identity)
    costs = ("discretize_seconds", "wall_seconds", "peak_mb")
    if before["status"] != "ok":
        return {name: before.get(name) for name in ("status", "message", *costs)}
    thresholds = discretizations.thresholds(task.discretizer, identity, data.columns)
    left = Limits(max(limits.wall - before["wall_seconds"], 0.0), limits.mb)  # of the time of the whole run
    run = _supervise(task, data, thresholds, identity, left, rows)
    if run["status"] == "timeout":
        run["message"] = supervise.stopped_after(limits.wall)
    return run | {
        "discretize_seconds": before["discretize_seconds"],
        "wall_seconds": before["wall_seconds"] + run["wall_seconds"],
        "peak_mb": max(before["peak_mb"], run["peak_mb"]),
    }


def _supervise(task, data, thresholds, identity, limits, rows) -> dict[str, Any]:
    function = task.function
    if task.named:
        levels = data.about.get("cardinalities", {})
        about = About(identity, data.columns, data.variables, levels, knowledge_of(data))
        function = partial(function, about=about)
    arguments = function, data.variables, data.values, data.discrete, thresholds
    ended = supervise.call(_checked, *arguments, wall=limits.wall, mb=limits.mb)
    run: dict[str, Any] = {name: getattr(ended, name) for name in ("status", "message", "wall_seconds", "peak_mb")}
    if ended.status != "ok":
        return run | {"learn_seconds": ended.cpu_seconds}
    learned: Learned = ended.value
    graph = _graph_of(learned)
    if graph is not None:
        run["kind"] = learned.kind
        rows.edges += edge_rows(identity, data.columns, graph)
    if learned.thresholds is not None:
        run["levels"] = float(np.mean([len(cuts) + 1 for cuts in learned.thresholds]))
        rows.thresholds += threshold_rows(identity, data.columns, learned.thresholds)
    return run | {name: getattr(learned, name) for name in COSTS}


def knowledge_of(data: parquet.DataSet) -> Knowledge | None:
    """Return what is known of the variables of a data set, which its file holds."""
    content = data.about.get("knowledge")
    if content is None:
        return None
    from cutpoint.knowledge.knowledge import Knowledge  # it takes longer to import than all else that a job needs

    return Knowledge.of(content, "knowledge")


def _graph_of(learned: Learned) -> np.ndarray | None:
    return learned.dag if learned.kind == "dag" else learned.cpdag


def _checked(function: Function, variables, values, discrete, thresholds) -> Learned:
    """Run a method and refuse what it must not return; in the child, where an exception is a status."""
    learned = checks.result(function(values, discrete, thresholds), variables, "the method")
    _check_costs(learned)
    return learned


def _check_costs(learned: Learned) -> None:
    """Make costs plain numbers; raise InputError for anything else."""
    for name in COSTS:
        value = getattr(learned, name)
        whole = pa.types.is_integer(schemas.RUNS.field(name).type)
        if value is None:
            continue
        is_number = isinstance(value, Real) and not isinstance(value, bool | np.bool_)
        if not is_number or (whole and not (float(value).is_integer() and abs(value) < 2**63)):
            raise InputError(f"the method returned {name}={value!r}; a {'whole ' if whole else ''}number is expected")
        setattr(learned, name, int(value) if whole else float(value))  # what the file takes


class Discretizations:
    """The thresholds and runs of discretizers, by name and data set."""

    def __init__(self, rows: Rows):
        self._runs, self._thresholds = map(parquet.by_identity, (rows.runs, rows.thresholds))

    def run(self, discretizer: str, identity: Identity) -> dict[str, Any]:
        """Return how the discretization of a data set ended."""
        return self._runs[discretizer, identity["cell"], identity["replicate"]][0]

    def thresholds(self, discretizer: str, identity: Identity, columns: Sequence[str]) -> list[np.ndarray]:
        """Return the thresholds of a data set, one array per column."""
        return thresholds_of_rows(
            self._thresholds.get((discretizer, identity["cell"], identity["replicate"]), []), columns, discretizer
        )
