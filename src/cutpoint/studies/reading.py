"""From the files of a finished study to `Inputs`."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from cutpoint.artefacts import Scale
from cutpoint.errors import InputError
from cutpoint.networks import read_network
from cutpoint.schemas import EDGE_SHARES, METRICS, PREDICTIONS
from cutpoint.studies.inputs import BLOCKS, Data, Inputs, Method, replicates
from cutpoint.tables import DataSet, open_data, read_records, read_table

Path_ = str | Path


def read_inputs(
    study: str,
    *,
    metrics: Path_ | Sequence[Path_] = (),
    predictions: Path_ | Sequence[Path_] = (),
    experiments: Sequence[Path_] = (),
    edges: Path_ | Sequence[Path_] = (),
    networks: Sequence[Path_] = (),
    datasets: Sequence[Path_] = (),
    published: Sequence[Path_] = (),
    methods: Sequence[Mapping[str, Any]],
    scale: str,
    seed: int,
) -> Inputs:
    """Read everything that the artefacts of a study are made from.

    Args:
        study: its name.
        metrics, predictions, edges: Parquet files, of which a study may have none.
        experiments: Parquet files.
        networks: BIF files.
        datasets: Parquet files.
        published: CSV files.
        methods: mappings with name, label and category, in the order of the tables.
        scale: name of the scale.
        seed: seed of the whole run, from which the bootstrap draws come.

    Raises:
        InputError: a file that is missing or not what it should be.
    """
    columns = _read_any(metrics, study, METRICS)
    columns = columns or {name: np.empty(0, object) for name in METRICS.names}
    found = [read_network(path) for path in networks]
    return Inputs(
        study=study,
        metrics=columns,
        networks={Path(path).stem: network for path, network in zip(networks, found, strict=True)},
        datasets={data.name: data for data in map(read_data, datasets)},
        published={Path(path).stem: read_published(path) for path in published},
        methods=[Method(m["name"], m["label"], m["category"]) for m in methods],
        scale=Scale(scale, seed, replicates(columns)),
        predictions=_read_any(predictions, study, PREDICTIONS),
        blocks=getattr(import_module(f"cutpoint.studies.{study}"), "BLOCKS", BLOCKS),
        edges=[row for path in _paths(edges) for row in read_records(path, EDGE_SHARES)[0]],
        experiments={Path(path).stem: read_table(path)[0].to_pylist() for path in experiments},
    )


def _read_any(path: Path_ | Sequence[Path_], study: str, schema: pa.Schema) -> dict[str, np.ndarray]:
    """Return the columns of a file, none where there is no file."""
    files = _paths(path)
    return read_columns(files[0], study, schema) if files else {}


def _paths(path: Path_ | Sequence[Path_]) -> Sequence[Path_]:
    return [path] if isinstance(path, str | Path) else path


def read_columns(path: Path_, study: str, schema: pa.Schema) -> dict[str, np.ndarray]:
    """Return the rows of one study by column: numbers as floats with NaN for null, texts as objects.

    Raises:
        InputError: the file is missing or lacks a column of the schema.
    """
    table, _ = read_table(path)
    if lacking := [name for name in schema.names if name not in table.column_names]:
        raise InputError(f"{path}: column {lacking[0]!r} is missing; make this file anew")
    columns = {}
    for name in table.column_names:
        values = table.column(name).to_pylist()
        text = pa.types.is_string(table.schema.field(name).type) or pa.types.is_null(table.schema.field(name).type)
        columns[name] = np.array(values, object) if text else np.array(values, float)
    mine = columns["study"] == study
    return {name: column[mine] for name, column in columns.items()}


def read_data(path: Path_) -> Data:
    """Return a real data set; one that could not be had comes with its status and message."""
    file = open_data(path)
    about = file.metadata
    there = file.available and bool(file.replicates)
    data = file.read(file.replicates[0]) if there else DataSet([], np.empty((0, 0)), np.zeros(0, bool), about)
    return Data(
        name=about["cell"],
        variables=data.variables,
        values=data.values,
        discrete=data.frozen,
        target=about.get("target"),
        uncounted=about.get("uncounted") or (),
        notes=about.get("notes") or (),
        status="ok" if there else about.get("status", "unavailable"),
        message=about.get("message") or "",
    )


def read_published(path: Path_) -> list[dict[str, str]]:
    """Return the rows of a printed table as texts.

    Raises:
        InputError: the file is missing.
    """
    try:
        with open(path, newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))
    except OSError as problem:
        raise InputError(f"{path}: {problem.strerror}") from None
