"""What a study is made from: metrics, networks, data sets, printed tables and the rows to show."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import wraps
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

import pandas as pd
import pyarrow as pa
from pandas.api.types import is_string_dtype

from cutpoint.base.errors import InputError
from cutpoint.bench.artefacts.table import Cell, Row, RunScale
from cutpoint.bench.data import schemas
from cutpoint.bench.data.parquet import read_table
from cutpoint.bench.data.status import OK
from cutpoint.bench.engine.datasets import Data, read_data
from cutpoint.bench.engine.declaration import DeclaredStudy, declared
from cutpoint.bench.evaluation.own_metrics import directed
from cutpoint.bench.evaluation.results import Results
from cutpoint.data.csv_files import read_csv
from cutpoint.networks.network import read_all


@dataclass(frozen=True)
class MethodLabel:
    """A row of the tables: the name in the registry, what a reader calls it, and its category."""

    name: str
    label: str
    category: str

    @property
    def competes(self) -> bool:
        """Whether it is one of the methods to choose from, and knows no truth."""
        return self.category != "reference"

    def row(self, *cells: Cell) -> Row:
        """Return the row of a table."""
        return Row(self.name, self.label, self.category, cells)


@dataclass(frozen=True)
class Inputs:
    """Everything that the artefacts of a study are made from; frames are empty where a study makes no such rows.

    Published are rows of the printed tables, by the name of the file without ending and study.
    """

    study: DeclaredStudy  # what it declares, and its functions
    metrics: pd.DataFrame  # a row per run, see `typed`; columns are those of `cutpoint.bench.data.schemas.METRICS`
    networks: Mapping[str, Any]  # `cutpoint.networks.network.Network` by name
    datasets: Mapping[str, Data]  # by name, those that could not be had with another status than "ok"
    published: Mapping[str, Sequence[Mapping[str, str]]]
    methods: Sequence[MethodLabel]  # the rows in the order of the tables, those of users last
    scale: RunScale
    predictions: pd.DataFrame = field(default_factory=pd.DataFrame)  # see `schemas.PREDICTIONS`
    experiments: Mapping[str, pd.DataFrame] = field(default_factory=dict)  # by name; also made of mappings
    edges: pd.DataFrame = field(default_factory=pd.DataFrame)  # see `schemas.EDGE_SHARES`, of resamples of a data set
    held_out: pd.DataFrame = field(default_factory=pd.DataFrame)  # see `schemas.HELD_OUT`
    results: Results | None = None  # graphs and thresholds of the grids that ask for them
    own_metrics: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # rows of the config, by name
    cache: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self):
        for name in ("metrics", "predictions", "held_out", "edges"):
            if not isinstance(columns := getattr(self, name), pd.DataFrame):
                object.__setattr__(self, name, typed(columns))
        rows = {name: pd.DataFrame(each) for name, each in self.experiments.items()}
        object.__setattr__(self, "experiments", rows)

    @property
    def labels(self) -> dict[str, str]:
        """What a reader calls each method, by its name."""
        return {method.name: method.label for method in self.methods}

    def lost(self) -> dict[str, str]:
        """Return the data sets that could not be had, and why."""
        return {name: data.message or data.status for name, data in self.datasets.items() if data.status != OK}

    def printed(self, table: str) -> dict[str, dict[str, float]]:
        """Return a printed table as numbers: row key, column, value; what is not printed is absent."""
        numbers: dict[str, dict[str, float]] = {}
        for row in self.published.get(table, ()):
            key, *columns = row
            numbers[row[key]] = {name: float(row[name]) for name in columns if row[name].strip()}
        return numbers

    def scale_of(self, *grids: str) -> RunScale:
        """Return the scale with the numbers of replicates of some grids, of which there may be no runs."""
        counts = replicates(self.metrics, grids)
        return replace(self.scale, replicates=counts) if counts else self.scale

    def runs(self, grid: str) -> pd.DataFrame:
        """Return the runs of one grid."""
        return self.metrics[self.metrics["grid"] == grid]

    def with_metrics(self, metrics: pd.DataFrame, **changes: Any) -> Inputs:
        """Return inputs with other metrics, for numbers that are made from the metrics of the runs."""
        return replace(self, metrics=metrics, cache={}, **changes)

    def missing(self, name: str) -> str:
        """Return why a grid has no runs at all, or why there are no "predictions"; "" if there are."""
        if name == "predictions":
            return "no predictions" if self.predictions.empty else ""
        return "" if len(self.runs(name)) else f"no runs of the {name} grid"

    def once(self, key: Any, make: Any) -> Any:
        """Return make(), computed at its first use; many artefacts rest on the same numbers."""
        if key not in self.cache:
            self.cache[key] = make()
        return self.cache[key]


KINDS = {
    each.name: str(each.type)
    for schema in (schemas.METRICS, schemas.PREDICTIONS, schemas.HELD_OUT, schemas.EDGE_SHARES)
    for each in schema
}


def typed(columns: Mapping[str, Any] | pd.DataFrame) -> pd.DataFrame:
    """Return columns of results as a frame: texts, "" for null, and numbers, float64 with NaN for null."""
    frame = pd.DataFrame(columns)
    for name in frame:
        if KINDS[name] == "string" if name in KINDS else is_string_dtype(frame[name]):
            frame[name] = frame[name].astype(object).where(frame[name].notna(), "")
        else:
            frame[name] = frame[name].astype(float)
    return frame


Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")
OfInputs = Callable[Concatenate[Inputs, Arguments], Result]


def once(make: OfInputs[Arguments, Result]) -> OfInputs[Arguments, Result]:
    """Return a function of the inputs and of hashable arguments that computes its result at its first use."""

    @wraps(make)
    def cached(inputs: Inputs, *arguments: Arguments.args, **options: Arguments.kwargs) -> Result:
        return inputs.once((make, arguments, *options.items()), lambda: make(inputs, *arguments, **options))

    return cached


@once
def with_variables(inputs: Inputs) -> Inputs:
    """Return inputs whose metrics have a column `variables`: those of the network of a run, NaN if it was not read."""
    sizes = {name: float(len(network.variables)) for name, network in inputs.networks.items()}
    runs = inputs.metrics
    own = (runs["network"] + "-" + runs["replicate"].map("{:.0f}".format)).map(sizes)  # of a family, one for each
    return inputs.with_metrics(runs.assign(variables=own.fillna(runs["network"].map(sizes)).astype(float)))


def replicates(metrics: pd.DataFrame, grids: Sequence[str] = ()) -> int | str:
    """Return the number of replicates per cell of some grids, or all: "70 (a, b), 25 (c)" where they differ.

    Real data cannot be drawn again: their grids count only where there is no other.
    """
    if "replicate" not in metrics:
        return 0
    runs = metrics[metrics["replicate"].notna() & (metrics["grid"].isin(grids) if grids else True)]
    drawn = runs[runs["network"] != ""]
    sizes = (runs if drawn.empty else drawn).groupby("grid")["replicate"].nunique().to_dict()
    groups = {size: sorted(n for n in sizes if sizes[n] == size) for size in sorted(sizes.values(), reverse=True)}
    if len(groups) < 2:
        return next(iter(groups), 0)
    return ", ".join(f"{size} ({', '.join(names)})" for size, names in groups.items())


LONGEST = 80  # characters of a reason that stands in the cell of a table


def short(text: str) -> str:
    """Return a reason on one line that fits into a cell."""
    return textwrap.shorten(text, LONGEST, placeholder="...")


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

    Networks are BIF files, and folders of them, printed tables CSV, and all else Parquet; learned are the runs whose
    graphs are shown. Methods, in the order of the tables, have name, label and category; jobs are as in `Results`.
    """
    runs = _read_any(metrics, study, schemas.METRICS)
    files = [metrics] if isinstance(metrics, str | Path) else metrics
    learned = learned_runs, learned_edges, learned_thresholds
    own = {name: row for file in files for name, row in read_table(file, [])[1].get("metrics", {}).items()}
    return Inputs(
        study=directed(declared(study), own),
        own_metrics=own,
        metrics=runs,
        networks=read_all(networks),
        datasets={data.name: data for data in map(read_data, datasets)},
        published={Path(path).stem.removeprefix(f"{study}_"): read_csv(path) for path in published},
        methods=[MethodLabel(m["name"], m["label"], m["category"]) for m in methods],
        scale=RunScale(scale, seed, replicates(runs)),
        predictions=_read_any(predictions, study, schemas.PREDICTIONS),
        held_out=_read_any(held_out, study, schemas.HELD_OUT),
        results=Results(*learned, built_in_jobs, learned_data) if learned_runs else None,
        edges=_read_any(edges, study, schemas.EDGE_SHARES),
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
