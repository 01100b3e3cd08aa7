"""From the files of a finished study to `Inputs`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa

from cutpoint.base.errors import InputError
from cutpoint.bench.artefacts.table import RunScale
from cutpoint.bench.data.parquet import read_table
from cutpoint.bench.data.schemas import EDGE_SHARES, HELD_OUT, METRICS, PREDICTIONS
from cutpoint.bench.engine.datasets import read_data
from cutpoint.bench.engine.declaration import declared
from cutpoint.bench.engine.inputs import Inputs, MethodLabel, replicates, typed
from cutpoint.bench.runs.results import Results
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
    """
    runs = _read_any(metrics, study, METRICS)
    return Inputs(
        study=declared(study),
        metrics=runs,
        networks=read_all(networks),
        datasets={data.name: data for data in map(read_data, datasets)},
        published={Path(path).stem.removeprefix(f"{study}_"): read_csv(path) for path in published},
        methods=[MethodLabel(m["name"], m["label"], m["category"]) for m in methods],
        scale=RunScale(scale, seed, replicates(runs)),
        predictions=_read_any(predictions, study, PREDICTIONS),
        held_out=_read_any(held_out, study, HELD_OUT),
        results=(
            Results(learned_runs, learned_edges, learned_thresholds, built_in_jobs, learned_data)
            if learned_runs
            else None
        ),
        edges=_read_any(edges, study, EDGE_SHARES),
        experiments={Path(path).stem: read_table(path)[0].to_pandas() for path in experiments},
    )


def _read_any(path: Path_ | Sequence[Path_], study: str, schema: pa.Schema) -> pd.DataFrame:
    """Return the rows of a study in files with the columns of a schema; without a file it has no rows."""
    frames = []
    for file in [path] if isinstance(path, str | Path) else path:
        table = read_table(file)[0]
        if lacking := [name for name in schema.names if name not in table.column_names]:
            raise InputError(f"{file}: column {lacking[0]!r} is missing; make this file anew")
        rows = table.to_pandas()
        frames.append(rows[rows["study"] == study] if "study" in rows else rows)
    return typed(pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=schema.names, dtype=object))
