"""From the files of a finished study to `Inputs`."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from cutpoint.base.errors import InputError
from cutpoint.bench.data.parquet import DataSet, names_of, open_data, read_records, read_table
from cutpoint.bench.data.schemas import EDGE_SHARES, HELD_OUT, METRICS, PREDICTIONS
from cutpoint.bench.engine.declaration import declared
from cutpoint.bench.engine.inputs import Data, Inputs, Method, replicates
from cutpoint.bench.report.artefacts import Scale
from cutpoint.bench.runs.results import Results
from cutpoint.data.arrow import floats, texts
from cutpoint.data.csv_files import read_csv
from cutpoint.networks.network import read_all

Path_ = str | Path


def read_inputs(
    study: str,
    *,
    metrics: Path_ | Sequence[Path_] = (),
    predictions: Path_ | Sequence[Path_] = (),
    held_out: Path_ | Sequence[Path_] = (),
    learned_runs: Sequence[Path_] = (),
    learned_edges: Sequence[Path_] = (),
    learned_thresholds: Sequence[Path_] = (),
    learned_data: Sequence[Path_] = (),
    experiments: Sequence[Path_] = (),
    edges: Path_ | Sequence[Path_] = (),
    networks: Sequence[Path_] = (),
    datasets: Sequence[Path_] = (),
    published: Sequence[Path_] = (),
    built_in_jobs: Collection[str],
    methods: Sequence[Mapping[str, Any]],
    scale: str,
    seed: int,
) -> Inputs:
    """Read everything that the artefacts of a study are made from.

    Args:
        study: its name.
        metrics, predictions, held_out, edges: Parquet files, of which a study may have none.
        learned_runs, learned_edges, learned_thresholds, learned_data: Parquet files of the runs whose graphs are
            shown, and of what they learned from.
        experiments: Parquet files.
        networks: BIF files, and folders of them.
        datasets: Parquet files.
        published: CSV files.
        built_in_jobs: jobs of this package, see `Results`.
        methods: mappings with name, label and category, in the order of the tables.
        scale: name of the scale.
        seed: seed of the whole run.

    Raises:
        InputError: a file that is missing or not what it should be.
    """
    columns = _read_any(metrics, study, METRICS)
    columns = columns or {name: np.empty(0, object) for name in METRICS.names}
    return Inputs(
        study=study,
        metrics=columns,
        networks=read_all(networks),
        datasets={data.name: data for data in map(read_data, datasets)},
        published={Path(path).stem.removeprefix(f"{study}_"): read_csv(path) for path in published},
        methods=[Method(m["name"], m["label"], m["category"]) for m in methods],
        scale=Scale(scale, seed, replicates(columns)),
        predictions=_read_any(predictions, study, PREDICTIONS),
        held_out=_read_any(held_out, study, HELD_OUT),
        results=(
            Results(learned_runs, learned_edges, learned_thresholds, built_in_jobs, learned_data)
            if learned_runs
            else None
        ),
        blocks=tuple(declared(study).blocks),
        edges=[row for path in _paths(edges) for row in read_records(path, EDGE_SHARES)[0]],
        experiments={Path(path).stem: read_table(path)[0].to_pylist() for path in experiments},
    )


def _read_any(path: Path_ | Sequence[Path_], study: str, schema: pa.Schema) -> Mapping[str, np.ndarray]:
    """Return the columns of a file, none where there is no file."""
    files = _paths(path)
    return Stored(files[0], study, schema) if files else {}


def _paths(path: Path_ | Sequence[Path_]) -> Sequence[Path_]:
    return [path] if isinstance(path, str | Path) else path


class Stored(Mapping[str, np.ndarray]):
    """The rows of one study by column, each read when it is first asked for.

    Numbers are floats with NaN for null, texts are objects.

    Raises:
        InputError: the file is missing or lacks a column of the schema.
    """

    def __init__(self, path: Path_, study: str, schema: pa.Schema):
        self._path, self._columns = path, dict[str, np.ndarray]()
        self._mine: Any = slice(None)
        self._names = names_of(path)
        if lacking := [name for name in schema.names if name not in self._names]:
            raise InputError(f"{path}: column {lacking[0]!r} is missing; make this file anew")
        mine = texts(read_table(path, ["study"])[0].column("study")) == study
        if not mine.all():
            self._mine = np.flatnonzero(mine)

    def __getitem__(self, name: str) -> np.ndarray:
        """Return a column."""
        if name not in self._names:
            raise KeyError(name)
        if name not in self._columns:
            column = read_table(self._path, [name])[0].column(name)
            text = pa.types.is_string(column.type) or pa.types.is_null(column.type)
            self._columns[name] = (texts if text else floats)(column)[self._mine]
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        """Yield the names of the columns."""
        return iter(self._names)

    def __len__(self) -> int:
        """Return how many columns there are."""
        return len(self._names)


def read_data(path: Path_) -> Data:
    """Return a real data set; one that could not be had comes with its status and message."""
    file = open_data(path)
    about = file.metadata
    there = file.available and bool(file.replicates)
    data = file.read(file.replicates[0]) if there else DataSet([], [], np.empty((0, 0)), np.zeros(0, bool), about)
    return Data(
        name=about["cell"],
        variables=data.variables,
        values=data.values,
        discrete=data.discrete,
        target=about.get("target"),
        uncounted=about.get("uncounted") or (),
        notes=about.get("notes") or (),
        status="ok" if there else about.get("status", "unavailable"),
        message=about.get("message") or "",
        levels=about.get("levels") or {},
        truth=about.get("truth"),
        knowledge=about.get("knowledge"),
    )
