"""Find the thresholds from which methods learn, each discretizer on each data set under limits."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from cutpoint.base.errors import InputError
from cutpoint.bench.data import parquet, schemas
from cutpoint.bench.data.earlier import earlier as earlier_file
from cutpoint.bench.data.earlier import remember
from cutpoint.bench.data.params import Wanted
from cutpoint.bench.runs.runner import Earlier, Limits, Rows, Task, run_all
from cutpoint.bench.runs.warm import warm_all
from cutpoint.learners.learned import Learned
from cutpoint.method.method import DiscretizerFunction

RUN = ("discretizer", "cell", "replicate", "status", "message", "discretize_seconds", "wall_seconds", "peak_mb")
THRESHOLD = ("variable", "position", "threshold")


def discretize(
    discretizers: Mapping[str, DiscretizerFunction],
    path: str,
    limits: Limits,
    *,
    wanted: Wanted | None = None,
    codes: Mapping[str, str] | None = None,
    earlier: Earlier | None = None,
) -> Rows:
    """Return the runs and thresholds of discretizers, by name, on the data sets of a file; see `run_all`."""
    tasks = {name: _task(discretizer, (codes or {}).get(name, "")) for name, discretizer in discretizers.items()}
    warm = lambda: warm_all(discretizers.values(), limits)  # noqa: E731
    return run_all(tasks, path, limits, warm=warm, wanted=wanted, earlier=earlier)


def _task(discretizer: DiscretizerFunction, code: str) -> Task:
    """Return a discretizer as a task, whose result is one without a graph."""

    def find(values: Any, discrete: Any, _: Any, about: Any) -> Learned:
        start = time.process_time()
        thresholds = discretizer.find(values, discrete, about.variables, about.knowledge)
        return Learned(thresholds=thresholds, discretize_seconds=time.process_time() - start)

    warm = discretizer.warm if discretizer.is_shipped else None
    return Task(find, named=True, knowing=True, warm=warm, code=code)


def flat(rows: Rows) -> list[schemas.Row]:
    """Return runs of discretizers and their thresholds as the rows of one table."""
    thresholds = parquet.by_identity(rows.thresholds)
    table = []
    for run in rows.runs:
        own = thresholds.get(tuple(run[name] for name in schemas.IDENTITY), [])
        run_columns = {name: run.get(name) for name in RUN} | {"discretizer": run["method"]}
        table += [run_columns | {name: row[name] for name in THRESHOLD} for row in own or [dict.fromkeys(THRESHOLD)]]
    return table


def write(rows: Rows, path: str, limits: str) -> None:
    """Write runs of discretizers and their thresholds; see `Rows.write`."""
    parquet.write_records(path, flat(rows), schemas.DISCRETIZED, keys=rows.keys, limits=limits)
    remember(path)


def read(path: str) -> Rows:
    """Return what the last good run of a job has left, nothing where its file is missing or damaged."""
    try:
        table, about = parquet.read_records(earlier_file(path), schemas.DISCRETIZED)
    except InputError:
        return Rows()
    runs, thresholds = dict[tuple, schemas.Row](), list[schemas.Row]()
    for row in table:
        row["method"] = row.pop("discretizer")
        identity = {name: row[name] for name in schemas.IDENTITY}
        runs.setdefault(tuple(identity.values()), identity | {name: row[name] for name in RUN[3:]})
        if row["variable"] is not None:
            thresholds.append(identity | {name: row[name] for name in THRESHOLD})
    return Rows([*runs.values()], [], thresholds, about.get("keys", []))
