"""What a study is made from: metrics, networks, data sets, printed tables and the rows to show."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

import numpy as np
import pandas as pd
from pandas.api.types import is_string_dtype

from cutpoint.bench.data import schemas
from cutpoint.bench.data.status import OK
from cutpoint.bench.engine.datasets import Data
from cutpoint.bench.report.artefacts import UNDEFINED, Cell, Row, Scale
from cutpoint.bench.runs.results import Results
from cutpoint.statistics.estimates import Statistic, jackknife

BLOCKS = ("network", "n")


@dataclass(frozen=True)
class Method:
    """A row of the tables: the name in the registry, what a reader calls it, and its category."""

    name: str
    label: str
    category: str

    def row(self, *cells: Cell) -> Row:
        """Return the row of a table."""
        return Row(self.name, self.label, self.category, cells)


@dataclass(frozen=True)
class Inputs:
    """Everything that the artefacts of a study are made from.

    Attributes:
        metrics: a row per run, see `typed`; columns are those of `cutpoint.bench.data.schemas.METRICS`.
        predictions: those of `PREDICTIONS`, empty where a study makes none.
        experiments: the rows of each experiment by its name.
        edges: those of `EDGE_SHARES`, where replicates are resamples of a data set.
        held_out: those of `HELD_OUT`, empty where no records were held out.
        results: graphs and thresholds of the grids that ask for them.
        networks: `cutpoint.networks.network.Network` by name.
        datasets: by name, those that could not be had with another status than "ok".
        published: rows of the printed tables, by the name of the file without ending and study.
        methods: the rows in the order of the tables, those of users last.
        blocks: columns of the metrics; cells that agree in them have the same replicates, which are left out together.
    """

    study: str
    metrics: pd.DataFrame
    networks: Mapping[str, Any]
    datasets: Mapping[str, Data]
    published: Mapping[str, Sequence[Mapping[str, str]]]
    methods: Sequence[Method]
    scale: Scale
    predictions: pd.DataFrame = field(default_factory=pd.DataFrame)
    experiments: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)
    edges: pd.DataFrame = field(default_factory=pd.DataFrame)
    held_out: pd.DataFrame = field(default_factory=pd.DataFrame)
    results: Results | None = None
    blocks: tuple[str, ...] = BLOCKS
    cache: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self):
        for name in ("metrics", "predictions", "held_out", "edges"):
            if not isinstance(columns := getattr(self, name), pd.DataFrame):
                object.__setattr__(self, name, typed(columns))

    @property
    def labels(self) -> dict[str, str]:
        """What a reader calls each method, by its name."""
        return {method.name: method.label for method in self.methods}

    def lost(self) -> dict[str, str]:
        """Return the data sets that could not be had, and why."""
        return {name: data.message or data.status for name, data in self.datasets.items() if data.status != OK}

    def printed(self, table: str) -> dict[str, dict[str, float]]:
        """Return a printed table as numbers: row key, column, value; what is not printed is absent."""
        found: dict[str, dict[str, float]] = {}
        for row in self.published.get(table, ()):
            key, *columns = row
            found[row[key]] = {name: float(row[name]) for name in columns if row[name].strip()}
        return found

    def scale_of(self, *grids: str) -> Scale:
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
    made = pd.DataFrame(columns)
    for name in made:
        if KINDS[name] == "string" if name in KINDS else is_string_dtype(made[name]):
            made[name] = made[name].astype(object).where(made[name].notna(), "")
        else:
            made[name] = made[name].astype(float)
    return made


Arguments = ParamSpec("Arguments")
Made = TypeVar("Made")
OfInputs = Callable[Concatenate[Inputs, Arguments], Made]


def once(make: OfInputs[Arguments, Made]) -> OfInputs[Arguments, Made]:
    """Return a function of the inputs and of hashable arguments that computes its result at its first use."""

    @wraps(make)
    def made(inputs: Inputs, *arguments: Arguments.args, **options: Arguments.kwargs) -> Made:
        return inputs.once((make, arguments, *options.items()), lambda: make(inputs, *arguments, **options))

    return made


@once
def with_variables(inputs: Inputs) -> Inputs:
    """Return inputs whose metrics have a column `variables`: those of the network of a run, NaN if it was not read."""
    sizes = {name: float(len(network.variables)) for name, network in inputs.networks.items()}
    runs = inputs.metrics
    own = (runs["network"] + "-" + runs["replicate"].map("{:.0f}".format)).map(sizes)  # of a family, one for each
    return inputs.with_metrics(runs.assign(variables=own.fillna(runs["network"].map(sizes)).astype(float)))


def replicates(metrics: pd.DataFrame, grids: Sequence[str] = ()) -> int | str:
    """Return the number of replicates per cell, as a text such as "70 (a, b), 25 (c)" where grids differ.

    Real data cannot be drawn again: their grids count only where there is no other.

    Args:
        metrics: of `Inputs`.
        grids: the grids to count, all where none is named.
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


Key = tuple[Any, ...]
LONGEST = 80  # characters of a reason that stands in the cell of a table


def short(text: str) -> str:
    """Return a reason on one line that fits into a cell."""
    return textwrap.shorten(text, LONGEST, placeholder="...")


@dataclass(frozen=True)
class Grid:
    """The runs of one grid as positions in cubes [method, cell, replicate].

    Attributes:
        name: of the grid.
        keys: columns of the metrics that tell its cells apart.
        cells: keys of the cells, sorted.
        replicates: their numbers, sorted.
        present: bool [C, R], replicates that any method was asked for.
        rows: int [M, C, R], row in the metrics, -1 where a method has none.
    """

    inputs: Inputs
    name: str
    keys: tuple[str, ...]
    methods: tuple[Method, ...]
    cells: tuple[Key, ...]
    replicates: tuple[int, ...]
    present: np.ndarray
    rows: np.ndarray

    def cube(self, metric: str) -> np.ndarray:
        """Return a metric of the runs that succeeded, float64 [M, C, R], NaN elsewhere."""
        runs = self.inputs.metrics
        return np.append(runs[metric].where(runs["status"] == OK).to_numpy(float), np.nan)[self.rows]

    def units(self, cells: Sequence[int] | None = None) -> int:
        """Return the smallest number of replicates in a cell, 0 without cells."""
        counts = self.present.sum(1) if cells is None else self.present[list(cells)].sum(1)
        return int(counts.min()) if counts.size else 0

    def means(self, values: np.ndarray) -> Statistic:
        """Return the means over replicates of values [..., C, R], such as a cube, shape [..., C]."""
        return jackknife(values, blocks=self.blocks, replicates=self.replicates)

    @cached_property
    def blocks(self) -> list[Key]:
        """Labels of the cells; those of one label hold the same replicates, in all grids."""
        places = [self.keys.index(key) for key in self.inputs.blocks if key in self.keys]
        return [tuple(cell[i] for i in places) or cell for cell in self.cells]

    def index(self, method: str) -> int | None:
        """Return the place of a method, or None."""
        return next((i for i, m in enumerate(self.methods) if m.name == method), None)

    def reason(self, method: int, cells: Sequence[int]) -> str:
        """Return why a method has no result in the cells: its most frequent message."""
        rows = self.rows[method][list(cells)]
        rows = rows[rows >= 0]
        if not rows.size:
            return "no runs"
        status, message = (self.inputs.metrics[name].to_numpy()[rows] for name in ("status", "message"))
        failed = status != OK
        texts = np.where(message == "", status, message)[failed].tolist() or [UNDEFINED]
        return short(max(sorted(set(texts)), key=texts.count))


@once
def grid(inputs: Inputs, name: str, *keys: str) -> Grid:
    """Return one grid of the study, its cells told apart by columns of the metrics."""
    asked = inputs.metrics["grid"] == name
    runs = inputs.metrics[asked]
    identity = pd.MultiIndex.from_frame(runs[list(keys)])
    cells = identity.unique().sort_values()
    numbers, turn = np.unique(runs["replicate"].to_numpy(int), return_inverse=True)
    place = cells.get_indexer(identity)
    present = np.zeros((len(cells), len(numbers)), bool)
    present[place, turn] = True
    method = pd.Index([m.name for m in inputs.methods], dtype=object).get_indexer(runs["method"])
    rows = np.full((len(inputs.methods), len(cells), len(numbers)), -1)
    ours = method >= 0
    rows[method[ours], place[ours], turn[ours]] = np.flatnonzero(asked)[ours]
    found = tuple(cells.tolist())
    return Grid(inputs, name, keys, tuple(inputs.methods), found, tuple(numbers.tolist()), present, rows)
