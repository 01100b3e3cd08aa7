"""One table of all runs of all studies: what each method is made of, how it ended, and every metric."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv

from cutpoint.base.distribution import package_version
from cutpoint.base.errors import InputError
from cutpoint.base.text import suggest
from cutpoint.data import parquet
from cutpoint.data.meanings import MEANINGS
from cutpoint.data.schemas import ALL_RUNS

PARTS = ("discretizer", "policy", "learner")  # keys of a row of methods.yaml that are columns under their own names
NAMED = (*PARTS, "score", "label", "category", "job", "studies", "note", "group")
TYPES = {"int": "integer", "double": "number", "bool": "boolean"}  # of a table schema, by the start of Arrow's


def write_runs(folder: Path, studies: Iterable[Mapping[str, Any]], paths: Mapping[str, Path]) -> None:
    """Write ``runs.parquet``, ``runs.csv.gz`` and ``runs.schema.json`` into a folder.

    Args:
        folder: that is there.
        studies: `about_report` of the plan: name, scale, seed and the rows of methods of each study.
        paths: the metrics of the studies that have any.
    """
    tables = [of_study(about, paths[about["name"]]) for about in studies if about["name"] in paths]
    table = pa.concat_tables(tables) if tables else ALL_RUNS.empty_table()
    parquet.write_table(table, folder / "runs.parquet")
    with gzip.GzipFile(folder / "runs.csv.gz", "wb", mtime=0) as file:  # the same bytes every time
        pa_csv.write_csv(table, file)
    (folder / "runs.schema.json").write_text(json.dumps(table_schema(), indent=1) + "\n", encoding="utf-8")


def of_study(about: Mapping[str, Any], path: Path) -> pa.Table:
    """Return the runs of a study in the columns of `ALL_RUNS`."""
    table = parquet.read_table(path)[0]
    version, rows = package_version(), about["rows"]
    parts = {name: parts_of(row) for name, row in rows.items()}
    methods = table.column("method").to_pylist()
    columns = {
        "scale": pa.array([about["scale"]] * len(methods), pa.string()),
        "seed": pa.array([about["seed"]] * len(methods), pa.int64()),
        "version": pa.array([version] * len(methods), pa.string()),
    }
    for name in ("label", "category", *PARTS, "score_name", "options"):
        columns[name] = pa.array([parts.get(method, {}).get(name) for method in methods], pa.string())
    there = {name: table.column(name) for name in table.column_names if name in ALL_RUNS.names}
    return pa.table([{**there, **columns}[name] for name in ALL_RUNS.names], schema=ALL_RUNS)


def parts_of(row: Mapping[str, Any]) -> dict[str, str | None]:
    """Return what a method is made of, from its row of methods.yaml; the options are JSON."""
    options = {key: value for key, value in row.items() if key not in NAMED}
    named = {key: str(row[key]) if key in row else None for key in ("label", "category", *PARTS)}
    return named | {"score_name": row.get("score"), "options": json.dumps(options, sort_keys=True, default=str)}


def table_schema() -> dict[str, Any]:
    """Return what the columns of the table mean, as a Table Schema (Frictionless Data)."""
    fields = [
        {"name": field.name, "type": _type(field.type), "description": MEANINGS[field.name]} for field in ALL_RUNS
    ]
    return {"fields": fields, "primaryKey": ["study", "grid", "cell", "replicate", "method"], "missingValues": [""]}


def _type(kind: pa.DataType) -> str:
    return next((name for start, name in TYPES.items() if str(kind).startswith(start)), "string")


def results(study: str | Sequence[str] | None = None, folder: str | Path = "results") -> pa.Table:
    """Return the runs of finished studies, a row for each; `to_pandas()` and `polars.from_arrow` make frames of it.

    Args:
        study: one or several; all without it.
        folder: the results of a run.

    Raises:
        InputError: there are no results in the folder, or none of the study.

    Examples:
        >>> import cutpoint as cp
        >>> runs = cp.results("fu2005").to_pandas()  # doctest: +SKIP
        >>> runs[runs.status == "ok"].groupby(["method", "n"]).shd_standard.mean()  # doctest: +SKIP
    """
    table = parquet.read_table(Path(folder) / "runs.parquet")[0]
    if study is None:
        return table
    wanted, known = [study] if isinstance(study, str) else list(study), pc.unique(table.column("study")).to_pylist()
    for name in wanted:
        if name not in known:
            raise InputError(f"{folder}/runs.parquet: no runs of {name!r}{suggest(name, known)}")
    return table.filter(pc.is_in(table.column("study"), pa.array(wanted)))
