"""All edges that the methods of a study learned, by the names of the variables."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from cutpoint.base.errors import InputError
from cutpoint.bench.data import parquet
from cutpoint.bench.data.schemas import EDGES
from cutpoint.bench.evaluation.results import Results
from cutpoint.bench.report.runs import checked, studies_in

if TYPE_CHECKING:
    import pandas as pd

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
