"""What a study is made from: metrics, networks, data sets, printed tables and the rows to show."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

import numpy as np

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
class Data:
    """A real data set as it was learned from.

    Attributes:
        values: float64 [N, n], codes in discrete columns; empty where status is not "ok".
        discrete: bool [n].
        target: the column that the donors predict, or None.
        uncounted: continuous columns left out of the cardinality figures.
        notes: what a reader of results should know.
        message: why there are no data.
        levels: names of the states of discrete columns, by code.
        truth: name of the true network, where one is known.
        knowledge: plain data of what is known of the columns, None where nothing is.
    """

    name: str
    variables: Sequence[str]
    values: np.ndarray
    discrete: np.ndarray
    target: str | None = None
    uncounted: Sequence[str] = ()
    notes: Sequence[str] = ()
    status: str = "ok"
    message: str = ""
    levels: Mapping[str, Sequence[str]] = field(default_factory=dict)
    truth: str | None = None
    knowledge: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Inputs:
    """Everything that the artefacts of a study are made from.

    Attributes:
        metrics: one array per column of the metrics, all of the same length; floats with NaN or objects.
        predictions: the same for the predictions, empty where a study makes none.
        experiments: the rows of each experiment by its name.
        edges: rows of `cutpoint.bench.data.schemas.EDGE_SHARES`, where replicates are resamples of a data set.
        held_out: columns of `cutpoint.bench.data.schemas.HELD_OUT`, empty where no records were held out.
        results: graphs and thresholds of the grids that ask for them.
        networks: `cutpoint.networks.network.Network` by name.
        datasets: by name, those that could not be had with another status than "ok".
        published: rows of the printed tables, by the name of the file without ending and study.
        methods: the rows in the order of the tables, those of users last.
        blocks: columns of the metrics; cells that agree in them have the same replicates, which are left out together.
    """

    study: str
    metrics: Mapping[str, np.ndarray]
    networks: Mapping[str, Any]
    datasets: Mapping[str, Data]
    published: Mapping[str, Sequence[Mapping[str, str]]]
    methods: Sequence[Method]
    scale: Scale
    predictions: Mapping[str, np.ndarray] = field(default_factory=dict)
    experiments: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)
    edges: Sequence[Mapping[str, Any]] = ()
    held_out: Mapping[str, np.ndarray] = field(default_factory=dict)
    results: Results | None = None
    blocks: tuple[str, ...] = BLOCKS
    cache: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)

    @property
    def labels(self) -> dict[str, str]:
        """What a reader calls each method, by its name."""
        return {method.name: method.label for method in self.methods}

    def lost(self) -> dict[str, str]:
        """Return the data sets that could not be had, and why."""
        return {name: data.message or data.status for name, data in self.datasets.items() if data.status != "ok"}

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

    def with_metrics(self, metrics: Mapping[str, np.ndarray], **changes: Any) -> Inputs:
        """Return inputs with other metrics, for numbers that are made from the metrics of the runs."""
        return replace(self, metrics=metrics, cache={}, **changes)

    def missing(self, name: str) -> str:
        """Return why a grid has no runs at all, or why there are no "predictions"; "" if there are."""
        if name == "predictions":
            return "" if self.predictions else "no predictions"
        return "" if (self.metrics["grid"] == name).any() else f"no runs of the {name} grid"

    def once(self, key: Any, make: Any) -> Any:
        """Return make(), computed at its first use; many artefacts rest on the same numbers."""
        if key not in self.cache:
            self.cache[key] = make()
        return self.cache[key]


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
    table, read = inputs.metrics, inputs.networks
    sizes: dict[tuple[str, float], float] = {}
    for network, replicate in set(zip(table["network"], table["replicate"], strict=True)):
        true = read.get(f"{network}-{replicate:.0f}", read.get(network))  # a family has a network for each replicate
        sizes[network, replicate] = len(true.variables) if true is not None else np.nan
    found = [sizes[pair] for pair in zip(table["network"], table["replicate"], strict=True)]
    return inputs.with_metrics({**table, "variables": np.array(found, float)})


def replicates(metrics: Mapping[str, np.ndarray], grids: Sequence[str] = ()) -> int | str:
    """Return the number of replicates per cell, as a text such as "70 (a, b), 25 (c)" where grids differ.

    Real data cannot be drawn again: their grids count only where there is no other.

    Args:
        metrics: columns of the metrics.
        grids: the grids to count, all where none is named.
    """
    counted: dict[bool, dict[str, set[int]]] = {True: {}, False: {}}
    for name, network, number in zip(metrics["grid"], metrics["network"], metrics["replicate"], strict=True):
        if np.isfinite(number) and (not grids or name in grids):
            counted[bool(network)].setdefault(name, set()).add(int(number))
    sizes = {name: len(numbers) for name, numbers in (counted[True] or counted[False]).items()}
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
        column = np.asarray(self.inputs.metrics[metric], float)
        good = np.append(np.where(self.inputs.metrics["status"] == "ok", column, np.nan), np.nan)
        return good[self.rows]

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
        status, message = self.inputs.metrics["status"], self.inputs.metrics["message"]
        texts = [message[i] or status[i] for i in rows if status[i] != "ok"] or [UNDEFINED]
        return short(max(sorted(set(texts)), key=texts.count))


@once
def grid(inputs: Inputs, name: str, *keys: str) -> Grid:
    """Return one grid of the study, its cells told apart by columns of the metrics."""
    table = inputs.metrics
    chosen = np.flatnonzero(table["grid"] == name)
    identity = [tuple(table[key][i] for key in keys) for i in chosen]
    cells = tuple(sorted(set(identity)))
    numbers = tuple(sorted({int(table["replicate"][i]) for i in chosen}))
    place = {cell: i for i, cell in enumerate(cells)}
    turn = {replicate: i for i, replicate in enumerate(numbers)}
    method = {m.name: i for i, m in enumerate(inputs.methods)}
    present = np.zeros((len(cells), len(numbers)), bool)
    rows = np.full((len(method), len(cells), len(numbers)), -1)
    for cell, i in zip(identity, chosen, strict=True):
        at = place[cell], turn[int(table["replicate"][i])]
        present[at] = True
        if table["method"][i] in method:
            rows[(method[table["method"][i]], *at)] = i
    return Grid(inputs, name, keys, tuple(inputs.methods), cells, numbers, present, rows)
