"""Numbers of methods: means of a metric over groups of cells with their errors, and the table cells they give.

``values`` means over what is there, as the tables do; ``strict`` is NaN as soon as one cell of the mean has no
successful run, as claims demand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from cutpoint.bench.data.metrics import possible
from cutpoint.bench.engine.declaration import MEAN, declared, function
from cutpoint.bench.engine.inputs import Grid, Inputs, grid, once
from cutpoint.bench.report.artefacts import Cell
from cutpoint.statistics.estimates import Statistic, above_zero, combine

Average = Callable[[Statistic, int], Statistic]  # the mean along an axis
ANY = (-np.inf, np.inf)


@dataclass(frozen=True)
class Columns:
    """A metric of every method in some columns of a table.

    Attributes:
        names: what the columns stand for: N, network or data set, and MEAN.
        values, strict: of shape [M, K].
        runs, expected: int [M, K], runs with a value and runs asked for.
        reasons: [M][K], why a value is missing.
        units: smallest number of replicates behind each column.
        rows: names of the rows where they are not the methods of the study.
        log: whether the numbers are positive and their intervals those of their logarithms, as of ratios.
        within: what the numbers can be; intervals are cut there.
    """

    names: tuple
    values: Statistic
    strict: Statistic
    runs: np.ndarray
    expected: np.ndarray
    reasons: list[list[str]]
    units: tuple[int, ...]
    rows: tuple[str, ...] = ()
    log: bool = False
    within: tuple[float, float] = ANY

    def cell(self, method: int, name: object, published: float | str | None = None, digits: int = 2) -> Cell:
        """Return the table cell of a method in a column, with its interval where one can be had."""
        if name not in self.names:
            return Cell(published=published, reason="no runs at this scale", digits=digits)
        k = self.names.index(name)
        value, low, high = self.spread(method, k)
        return Cell(
            reproduced=value,
            published=published,
            low=low,
            high=high,
            runs=int(self.runs[method, k]),
            expected=int(self.expected[method, k]),
            reason=self.reasons[method][k],
            digits=digits,
        )

    @property
    def sample(self) -> np.ndarray:
        """The numbers alone, float64 [M, K]."""
        return self.values.rows[0]

    def spread(self, method: int, k: int) -> tuple[float, float, float]:
        """Return a value and its interval, which is NaN where replicates show no spread."""
        low, high = self.ends
        return float(self.sample[method, k]), float(low[method, k]), float(high[method, k])

    @cached_property
    def ends(self) -> tuple[np.ndarray, np.ndarray]:
        """Lower and upper ends of the 95 % intervals, float64 [M, K] each."""
        low, high = np.clip(self.values.estimate(log=self.log).interval(), *self.within)
        return low, high


@once
def ratios(
    inputs: Inputs,
    name: str,
    keys: tuple[str, ...],
    metric: str,
    reference: str | None = None,
    geometric: bool = False,
) -> Statistic:
    """Return the mean of a metric in each cell of a grid, divided by that of a reference method, [M, C].

    Where logarithms are to be taken, a mean of 0 is replaced; see `above_zero`.
    """
    runs = grid(inputs, name, *keys)
    values = runs.cube(metric)
    means, count = runs.means(values), np.isfinite(values).sum(2)
    means = means.map(lambda rows: above_zero(rows, count)) if geometric else means
    return means if reference is None else over(means, runs.index(reference))


def over(means: Statistic, reference: int | None) -> Statistic:
    """Return means [M, ...] divided by those of a method, NaN without it or where it has none."""

    def divide(rows: np.ndarray) -> np.ndarray:
        divided = rows / (np.nan if reference is None else rows[:, [reference]])
        return np.where(np.isfinite(divided), divided, np.nan)

    return means.map(divide)


@once
def grouped(
    inputs: Inputs,
    name: str,
    keys: tuple[str, ...],
    metric: str,
    by: tuple[str, ...],
    reference: str | None = None,
    geometric: bool = False,
) -> Columns:
    """Return a metric of a grid as means over the cells that agree in some keys, and the mean of these means.

    Args:
        inputs: of the study.
        name: of the grid.
        keys: columns of the metrics that tell its cells apart, network and N first.
        metric: column of the metrics.
        by: the keys that a column of the table stands for; its name is a tuple where there are several.
        reference: the method by which every cell is divided first, if any.
        geometric: whether the means over cells are those of logarithms.
    """
    runs = grid(inputs, name, *keys)
    places = [runs.keys.index(key) for key in by]
    found = [tuple(cell[i] for i in places) for cell in runs.cells]
    names = sorted(set(found))
    groups = [[i for i, each in enumerate(found) if each == name] for name in names]
    values = ratios(inputs, name, keys, metric, reference, geometric)
    forth, back = (np.log, np.exp) if geometric else (_same, _same)
    everything = [*groups, list(range(len(runs.cells)))]
    good = np.isfinite(runs.cube(metric))
    return Columns(
        names=(*(name[0] if len(by) == 1 else name for name in names), MEAN),
        values=_means(values.map(forth), groups, Statistic.mean).map(back),
        strict=_means(values.map(forth), groups, strict_mean).map(back),
        runs=np.stack([good[:, g].sum((1, 2)) for g in everything], 1),
        expected=np.tile([int(runs.present[g].sum()) for g in everything], (len(good), 1)),
        reasons=reasons(runs, metric, reference, everything),
        units=tuple(runs.units(g) for g in everything),
        log=geometric or reference is not None,
        within=possible(metric) if reference is None else ANY,
    )


def _same(rows: np.ndarray) -> np.ndarray:
    return rows


def strict_mean(numbers: Statistic, axis: int) -> Statistic:
    """Return the mean along an axis of the numbers, NaN where one of them is missing."""
    return numbers.map(lambda rows: rows.sum(axis + 1) / rows.shape[axis + 1])


def _means(values: Statistic, groups: Sequence[Sequence[int]], average: Average) -> Statistic:
    """Return the mean over each group of cells, and the mean of these means, [M, K + 1]."""
    if not groups:
        return values.map(lambda rows: np.full((*rows.shape[:2], 1), np.nan))
    columns = stack([average(values[:, list(group)], 1) for group in groups])
    return stack([*(columns[:, k] for k in range(len(groups))), average(columns, 1)])


def stack(columns: Sequence[Statistic]) -> Statistic:
    """Return numbers side by side along a new last axis."""
    return combine(lambda *rows: np.stack(rows, -1), *columns)


def reasons(runs: Grid, metric: str, reference: str | None, groups: Sequence[Sequence[int]]) -> list[list[str]]:
    """Return for every method why it has no value in some groups of cells: its own reason or the reference's."""
    at = runs.index(reference) if reference else None
    lost = ["" for _ in groups]
    if reference:
        lost = [f"no reference: {runs.reason(at, g) if at is not None else 'not among the methods'}" for g in groups]
    good = np.isfinite(runs.cube(metric))
    return [
        [why if reference and good[m, g].any() else runs.reason(m, g) for why, g in zip(lost, groups, strict=True)]
        for m in range(len(runs.methods))
    ]


def merge(columns: Columns, rows: Sequence[Sequence[int]]) -> Columns:
    """Return columns with the mean over some methods in each row."""
    if not rows:
        return columns

    def merged(numbers: Statistic, average: Average) -> Statistic:
        parts = [average(numbers[list(members)], 0) for members in rows]
        return combine(lambda *each: np.stack(each, 1), *parts)

    return replace(
        columns,
        values=merged(columns.values, Statistic.mean),
        strict=merged(columns.strict, strict_mean),
        runs=np.stack([columns.runs[list(members)].sum(0) for members in rows]),
        expected=np.stack([columns.expected[list(members)].sum(0) for members in rows]),
        reasons=[columns.reasons[members[0]] for members in rows],
    )


@once
def inputs_of(inputs: Inputs, name: str) -> Inputs:
    """Return what a function of the study makes of the inputs; the inputs themselves for no name."""
    return function(inputs.study, name)(inputs) if name else inputs


@once
def measure(inputs: Inputs, name: str) -> Columns:
    """Return a number that the study declares."""
    row = declared(inputs.study).measures[name]
    inputs = inputs_of(inputs, row.of)
    if row.make:
        return function(inputs.study, row.make)(inputs, row)
    return grouped(inputs, row.grid, tuple(row.cells), row.metric, tuple(row.by), row.over, row.geometric)


def keys_of(by: Sequence[str], column: object) -> dict[str, object]:
    """Return what a column stands for: a value of each key; nothing for the mean over the columns."""
    if column == MEAN:
        return {}
    return dict(zip(by, column if isinstance(column, tuple) else (column,), strict=False))


@dataclass(frozen=True)
class Numbers:
    """One number of every method, such as a column of a measure, as claims take it.

    Attributes:
        places: of the methods.
        values: [M], NaN where a cell has no result.
        replicates: the fewest behind one of them, 0 where nothing was run.
        log: whether their intervals are those of their logarithms, as of ratios.
        within: what they can be.
    """

    places: Mapping[str, int]
    values: Statistic
    replicates: int
    log: bool = False
    within: tuple[float, float] = ANY

    def __getitem__(self, names: Iterable[str]) -> Statistic:
        """Return the numbers of some methods, [names]; NaN for a method that is not there."""
        places = [self.places.get(name, -1) for name in names]
        return self.values.map(lambda rows: np.column_stack([rows, np.full(len(rows), np.nan)])[:, places])

    def shown(self, names: Iterable[str]) -> dict[str, float]:
        """Return the numbers of some methods by name."""
        names = list(names)
        return dict(zip(names, self[names].rows[0].tolist(), strict=True))

    def intervals(self, names: Iterable[str]) -> dict[str, tuple[float, float]]:
        """Return the ends of the 95 % intervals of some methods by name, those of tables; NaN where there is none."""
        names = list(names)
        low, high = np.clip(self[names].estimate(log=self.log).interval(), *self.within)
        return dict(zip(names, zip(low.tolist(), high.tolist(), strict=True), strict=True))


def numbers_of(inputs: Inputs, columns: Columns, name: object = MEAN) -> Numbers:
    """Return a column of every method."""
    rows = columns.rows or tuple(m.name for m in inputs.methods)
    places = {row: i for i, row in enumerate(rows)}
    if name not in columns.names:
        return Numbers(places, Statistic(np.full((1, len(rows)), np.nan), ()), 0)
    k = columns.names.index(name)
    return Numbers(places, columns.strict[:, k], columns.units[k], columns.log, columns.within)
