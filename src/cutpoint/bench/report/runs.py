"""All runs of all studies: what each method is made of, how it ended, every metric, and the edges that it learned."""

from __future__ import annotations

import gzip
import json
import logging
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.csv as pa_csv

from cutpoint.base.errors import InputError
from cutpoint.base.text import suggest
from cutpoint.bench.data import parquet
from cutpoint.bench.data.meanings import MEANINGS
from cutpoint.bench.data.schemas import ALL_RUNS, EDGES, METRICS
from cutpoint.bench.evaluation.results import Results

if TYPE_CHECKING:  # imported where results become frames: `import cutpoint` is without it
    import pandas as pd

log = logging.getLogger("cutpoint")

PARTS = ("discretizer", "policy", "learner")  # keys of a row of methods.yaml that are columns under their own names
NAMED = (*PARTS, "score", "label", "category", "job", "studies", "about", "note", "group")
MADE_OF = ("label", "category", *PARTS, "score_name", "options")  # columns that say what a method is made of
TYPES = {"int": "integer", "double": "number", "bool": "boolean"}  # of a table schema, by the start of Arrow's


def write_runs(folder: Path) -> None:
    """Write ``runs.parquet``, ``runs.csv.gz`` and ``runs.schema.json`` of all studies in a folder of results.

    A study whose metrics are of another version of cutpoint is left out, with a line in the log.
    """
    tables = list(_readable(studies_in(folder)))
    table = pa.concat_tables(tables) if tables else ALL_RUNS.empty_table()
    parquet.write_table(table, folder / "runs.parquet")
    with gzip.GzipFile(folder / "runs.csv.gz", "wb", mtime=0) as file:  # the same bytes every time
        pa_csv.write_csv(table, file)
    (folder / "runs.schema.json").write_text(json.dumps(table_schema(), indent=1) + "\n", encoding="utf-8")


def studies_in(folder: str | Path) -> dict[str, Path]:
    """Return the metrics of all studies in a folder of results, by study, sorted."""
    return {path.parent.name: path for path in sorted(Path(folder).glob("*/metrics.parquet"))}


def _readable(paths: Mapping[str, Path]) -> Iterator[pa.Table]:
    """Yield the runs of the studies that can be read; a line says which cannot and why."""
    for name, path in paths.items():
        try:
            yield of_study(path)
        except InputError as problem:
            log.warning("the table of all runs is without %s: %s", name, problem)


def of_study(path: Path) -> pa.Table:
    """Return the runs of a study in the columns of `ALL_RUNS`.

    Its metrics say in which version and of what methods they are; the rows of methods.yaml may have changed since.
    """
    table, about = parquet.read_table(path)
    if "methods" not in about or not {*METRICS.names} <= {*table.column_names}:
        raise InputError(f"{path}: written by another version of cutpoint; {parquet.ANEW}")
    methods = table.column("method").to_pylist()
    columns = {name: table.column(name) for name in METRICS.names}
    for name, value in (("scale", about["scale"]), ("seed", about["seed"]), ("version", about["package"])):
        columns[name] = pa.array([value] * len(methods), ALL_RUNS.field(name).type)
    for name in MADE_OF:
        columns[name] = pa.array([about["methods"].get(method, {}).get(name) for method in methods], pa.string())
    return pa.table([columns[name] for name in ALL_RUNS.names], schema=ALL_RUNS)


def parts_of(row: Mapping[str, Any]) -> dict[str, str | None]:
    """Return what a method is made of, from its row of methods.yaml; the options are JSON."""
    options = {key: value for key, value in row.items() if key not in NAMED}
    named = {key: str(row[key]) if key in row else None for key in ("label", "category", *PARTS)}
    return named | {"score_name": row.get("score"), "options": json.dumps(options, sort_keys=True, default=str)}


def table_schema() -> dict[str, Any]:
    """Return what the columns of the table mean, as a Table Schema (Frictionless Data)."""
    kinds = [next((of for start, of in TYPES.items() if str(one.type).startswith(start)), "string") for one in ALL_RUNS]
    fields = [
        {"name": field.name, "type": kind, "description": MEANINGS[field.name]}
        for field, kind in zip(ALL_RUNS, kinds, strict=True)
    ]
    return {"fields": fields, "primaryKey": ["study", "grid", "cell", "replicate", "method"], "missingValues": [""]}


def results(study: str | Sequence[str] | None = None, folder: str | Path = "results") -> pd.DataFrame:
    """Return the runs of finished studies, a row for each, with the columns of docs/files.md.

    Args:
        study: one or several; without it all that lie in the folder, whichever command ran them.
        folder: the results of runs.

    Raises:
        InputError: there are no results in the folder, or none of the study.

    Examples:
        >>> import cutpoint as cp
        >>> runs = cp.results("fu2005")
        >>> means = runs[runs.status == "ok"].groupby(["method", "n"]).shd_standard.mean()
    """
    paths = studies_in(folder)
    tables = _readable(paths) if study is None else (of_study(paths[name]) for name in checked(study, paths, folder))
    if not (runs := list(tables)):
        raise InputError(f"{folder}: no results of a finished study")
    return pa.concat_tables(runs).to_pandas()


def checked(studies: str | Sequence[str], names: Collection[str], folder: str | Path) -> list[str]:
    """Return the names of one or several studies, each once."""
    wanted = [studies] if isinstance(studies, str) else list(dict.fromkeys(studies))
    for name in wanted:
        if name not in names:
            raise InputError(f"{folder}: no results of {name!r}{suggest(name, names)}")
    return wanted


VALUES = "{study}/{batch}/values.parquet"  # the data of a batch, such as simulated/alarm.n500.block0
LEARNED = "learned/{job}/{kind}.parquet"  # what a job of methods left of them, beside the data
LEARNED_EDGES = pa.schema([("study", pa.string()), *EDGES])


def edges(study: str, folder: str | Path = "results") -> pd.DataFrame:
    """Return the edges of all graphs that a study learned, a row for each.

    The files of a method name columns, `V01`, `V02` and so on, in an order that differs between data sets. Here the
    ends of an edge are variables of the network or of the data set. Runs that failed have no edges; `cp.results` says
    how each run ended.

    Args:
        study: its name; its run is finished.
        folder: the results of runs.

    Returns:
        Columns study, method, cell, replicate, source, target and directed; an edge without a direction stands once.
        Column family: the kind of models that suits the target given its parents, where the method says so.

    Raises:
        InputError: there are no results of the study, or a file of them is missing or damaged.

    Examples:
        >>> import cutpoint as cp
        >>> edges = cp.edges("fu2005")
        >>> counts = edges[edges.method == "bach"].groupby(["cell", "source", "target"]).size()
    """
    paths = studies_in(folder)
    (name,) = checked(study, paths, folder)
    about = parquet.read_table(paths[name], [])[1]
    if "jobs" not in about:
        raise InputError(f"{paths[name]}: written by another version of cutpoint; {parquet.ANEW}")
    tables = (_of_batch(name, batch, jobs, Path(folder)) for batch, jobs in about["jobs"].items())
    return pa.concat_tables([LEARNED_EDGES.empty_table(), *tables]).to_pandas()


def _of_batch(study: str, batch: str, jobs: list[str], folder: Path) -> pa.Table:
    """Return the edges of a batch; the folders of other batches and jobs are of earlier runs."""
    values = folder / VALUES.format(study=study, batch=batch)
    if not values.exists():
        raise InputError(f"{folder / study}: the data of the batch {batch} are missing; run again")
    files = {kind: [values.parent / LEARNED.format(job=job, kind=kind) for job in jobs] for kind in ("runs", "edges")}
    if missing := [path for paths in files.values() for path in paths if not path.exists()]:
        raise InputError(f"{missing[0]}: no such file; run again")
    _, rows = Results(files["runs"], files["edges"], [], (), [values]).sound()
    return pa.Table.from_pylist([{"study": study, **row} for row in rows], schema=LEARNED_EDGES)
