"""The results of the methods of a batch, as the scripts that evaluate them read them."""

import logging
import os
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa

from cutpoint.base.errors import InputError
from cutpoint.base.text import one_line
from cutpoint.bench.data import parquet, schemas
from cutpoint.bench.data.status import ERROR, OK, STATUSES
from cutpoint.bench.evaluation.rows import graph_of_rows, thresholds_of_rows
from cutpoint.graphs.dags import check_acyclic
from cutpoint.graphs.patterns import consistent_extension

log = logging.getLogger("cutpoint")

Key = tuple[str, str, int]
KINDS = ("dag", "pdag")
ENDS = ("source", "target")  # of an edge


class Results:
    """The results of all methods of a batch, by method, cell and replicate, in the variables of the data sets.

    Methods see columns, whose names say nothing; here, and only here, these are translated by the files of the data
    sets; of others the columns are the variables. A job may be an external program. If its files are invalid, its runs
    get the status `error` with one line; nothing else fails. A damaged file of a built-in job, by the name of its
    folder, is an InputError.
    """

    def __init__(
        self,
        runs: Iterable[str | Path],
        edges: Iterable[str | Path],
        thresholds: Iterable[str | Path],
        built_in_jobs: Collection[str],
        data: Iterable[str | Path] = (),
    ):
        self._built_in_jobs = built_in_jobs
        self._wrong: dict[str, str] = {}  # by the folder of a job
        self._folder: dict[Key, str] = {}  # of the job of a run
        self._runs = self._read(runs, schemas.RUNS)
        self._edges = self._read(edges, schemas.EDGES)
        self._thresholds = self._read(thresholds, schemas.THRESHOLDS)
        self._variables = {  # by column, of a cell and replicate
            (part.metadata["cell"], replicate): part.variables_of(replicate)
            for path in data
            for part in parquet.open_parts(path)
            for replicate in part.replicates
        }

    def _read(self, paths: Iterable[str | Path], schema: pa.Schema) -> dict[tuple, list[schemas.Row]]:
        rows: dict[tuple, list[schemas.Row]] = {}
        for path in paths:
            folder = os.path.dirname(path)
            try:
                content, _ = parquet.read_records(path, schema)
            except InputError as problem:
                if os.path.basename(folder) in self._built_in_jobs:
                    raise
                self._wrong.setdefault(folder, str(problem))
                continue
            for key, some in parquet.by_identity(content).items():
                self._folder.setdefault(key, folder)  # runs are read first; else edges or thresholds tell
                rows.setdefault(key, []).extend(some)
        return rows

    def run(self, key: Key) -> schemas.Row:
        """Return how a method ended on a data set; an error where its job left no valid run."""
        runs = self._runs.get(key, [])
        if wrong := self._breach(key, runs):
            return {"status": ERROR, "message": one_line(" ".join(wrong.split()))}
        return runs[0] | {"message": one_line(" ".join((runs[0]["message"] or "").split()))}

    def _breach(self, key: Key, runs: list[schemas.Row]) -> str:
        """Return what is wrong with a run as far as can be seen without its data, or ""."""
        folder = self._folder.get(key)
        if folder is None:  # no file names the run
            return "; ".join(["its job left no run of this data set", *self._wrong.values()])
        if folder in self._wrong:
            return self._wrong[folder]
        if len(runs) != 1:
            return f"its job left {len(runs) or 'no'} run{'s' * (len(runs) > 1)} of this data set"
        status, kind = runs[0]["status"], runs[0]["kind"]
        if status not in STATUSES:
            return f"its job left the status {status!r}; it is one of {', '.join(STATUSES)}"
        if kind not in KINDS and (kind is not None or (status == OK and key in self._edges)):
            return f"its job left the kind {kind!r}; it is one of {', '.join(KINDS)}"
        return ""

    def graph(self, key: Key, variables: Sequence[str]) -> np.ndarray:
        """Return what a method learned, bool [n, n]; an InputError names the method if it is none, or cyclic."""
        graph = graph_of_rows(self._edges.get(key, []), self._columns(key, variables), f"{key[0]}, edges")
        if any(row["kind"] == "dag" for row in self._runs.get(key, [])):
            check_acyclic(graph, key[0], variables)
        return graph

    def kinds(self, key: Key, variables: Sequence[str]) -> list[str] | None:
        """Return which kind of models suits each variable given its parents, None of a method that does not say."""
        families = {row["target"]: row["family"] for row in self._edges.get(key, []) if row["family"]}
        columns = self._columns(key, variables)
        return [families.get(name, "levels") for name in columns] if families else None

    def thresholds(self, key: Key, variables: Sequence[str]) -> list[np.ndarray]:
        """Return the thresholds that a method learned, one sorted array per variable; see `thresholds_of_rows`."""
        columns = self._columns(key, variables)
        return thresholds_of_rows(self._thresholds.get(key, []), columns, f"{key[0]}, thresholds")

    def _columns(self, key: Key, variables: Sequence[str]) -> list[str]:
        """Return the columns of some variables in a data set."""
        columns = {variable: column for column, variable in self._variables.get(key[1:], {}).items()}
        return [columns.get(name, name) for name in variables]

    def sound(self) -> tuple[list[schemas.Row], list[schemas.Row]]:
        """Return the rows of the runs that succeeded, and of their edges."""
        runs, edges = list[schemas.Row](), list[schemas.Row]()
        for key in self._runs:
            run, rows = self.run(key), self._edges.get(key, [])
            names = self._variables.get(key[1:]) or {row[end]: row[end] for row in rows for end in ENDS}
            try:
                self.graph(key, sorted({*names.values()} - {None}))
            except InputError as problem:
                log.info("%s", problem)
                continue
            if run["status"] == OK:
                runs.append(run)
                edges += (row | {end: names[row[end]] for end in ENDS} for row in rows)
        return runs, edges


def dag_of(graph: np.ndarray, kind: str, source: str) -> tuple[np.ndarray, bool]:
    """Return a DAG for a learned graph, bool [n, n], and whether it is in the graph's equivalence class.

    A pattern is extended after Dor and Tarsi; where that fails it is made acyclic as far as possible. The source is
    whose graph it is, for the message.
    """
    if kind != "dag":
        return consistent_extension(graph)
    check_acyclic(graph, source)
    return graph, True
