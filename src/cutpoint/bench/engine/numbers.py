"""Numbers of methods, on frames whose rows have names: each can be printed and looked at.

    runs_by_data   a metric of the runs: a row per method, a column per data set that was asked for
    means          its means over replicates: a row per method and cell, a column per unit (`cutpoint.bench.statistics`)
    ratio_to       these over those of one method in the same cell
    mean_over      their means over some keys of the cells, such as the networks
    Numbers        what stands in a column of a table: one number of each method

The first column of means, SAMPLE, is the number itself; each further one is the number without one unit, a replicate of
a block of cells. `statistic` takes a frame to NumPy, for differences of pairs and tests.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from cutpoint.base.errors import InputError
from cutpoint.bench.artefacts.table import UNDEFINED, Cell
from cutpoint.bench.data.metrics import possible
from cutpoint.bench.data.status import OK
from cutpoint.bench.engine.declaration import MEAN
from cutpoint.bench.engine.inputs import Inputs, once, short
from cutpoint.bench.statistics.estimates import Statistic, above_zero, jackknife

ANY = (-np.inf, np.inf)
SAMPLE = "sample"  # the column of the numbers themselves
NO_RUNS = "no runs"


@once
def runs_by_data(inputs: Inputs, grid: str, metric: str, keys: tuple[str, ...]) -> pd.DataFrame:
    """Return a metric of the runs of a grid that succeeded, float64 with NaN elsewhere.

    There is a row per method of the study, and a column (*keys, replicate) per data set that any was asked for; the
    keys are columns of the metrics that tell the cells apart.
    """
    runs = inputs.runs(grid)
    runs = runs.assign(value=runs[metric].where(runs["status"] == OK))
    try:
        table = runs.pivot(index="method", columns=[*keys, "replicate"], values="value")
    except ValueError as error:
        where = f"{inputs.study.name}: grid {grid}: cells: [{', '.join(keys)}]"
        raise InputError(f"{where}: these columns do not tell its cells apart; add one, such as noise") from error
    return table.sort_index(axis=1).reindex([method.name for method in inputs.methods])


def cells_of(data: pd.DataFrame) -> list[tuple]:
    """Return the cells of data sets, the columns of `runs_by_data`, in their order."""
    return list(dict.fromkeys(column[:-1] for column in data.columns))


def blocks_of(inputs: Inputs, data: pd.DataFrame) -> list[tuple]:
    """Return a label for each cell of data sets; cells of one label hold the same replicates, in all grids."""
    places = [i for i, key in enumerate(data.columns.names[:-1]) if key in inputs.study.blocks]
    return [tuple(cell[i] for i in places) or cell for cell in cells_of(data)]


def cube(data: pd.DataFrame) -> tuple[np.ndarray, list]:
    """Return data sets as an array [methods, cells, replicates], NaN where none was asked for, and the replicates."""
    replicates = sorted(set(data.columns.get_level_values("replicate")))
    cells = cells_of(data)
    columns = pd.MultiIndex.from_tuples([(*cell, r) for cell in cells for r in replicates], names=data.columns.names)
    return data.reindex(columns=columns).to_numpy(float).reshape(len(data), len(cells), len(replicates)), replicates


def means(inputs: Inputs, data: pd.DataFrame) -> pd.DataFrame:
    """Return the means over replicates of data sets, a row (method, *keys) for each method and cell."""
    keys, cells = data.columns.names[:-1], cells_of(data)
    rows = pd.MultiIndex.from_tuples([(name, *cell) for name in data.index for cell in cells], names=["method", *keys])
    if not cells:
        return pd.DataFrame(index=pd.MultiIndex.from_arrays([[]] * (1 + len(keys)), names=rows.names), columns=[SAMPLE])
    values, replicates = cube(data)
    return frame(jackknife(values, blocks=blocks_of(inputs, data), replicates=replicates), rows)


def frame(numbers: Statistic, rows: pd.Index | Sequence[str]) -> pd.DataFrame:
    """Return numbers [K], or [M, C], as a frame with these rows."""
    units = pd.Index([SAMPLE, *numbers.units], dtype=object, tupleize_cols=False)
    return pd.DataFrame(numbers.rows.reshape(len(units), -1).T, rows, units)


def statistic(numbers: pd.DataFrame) -> Statistic:
    """Return the rows of a frame as a statistic, [rows]."""
    return Statistic(numbers.to_numpy(float).T, tuple(numbers.columns[1:]))


def ratio_to(numbers: pd.DataFrame, reference: str) -> pd.DataFrame:
    """Return numbers over those of a method in the same cell, NaN where it has none."""
    cells = numbers.index.droplevel("method")
    own = numbers[numbers.index.get_level_values("method") == reference]
    below = own.droplevel("method").reindex(cells).to_numpy(float)
    return (numbers / below).replace([np.inf, -np.inf], np.nan)


def mean_over(numbers: pd.DataFrame, kept: Sequence[str]) -> pd.DataFrame:
    """Return the means over all keys but some, of what the sample has; see `whole` for whether that is all."""
    rows = {"level": list(kept), "sort": False, "dropna": False}
    there = numbers[numbers[SAMPLE].notna()].groupby(**rows)
    return there.sum(skipna=False).div(there.size(), axis=0).reindex(numbers.groupby(**rows).size().index)


def whole(numbers: pd.DataFrame, kept: Sequence[str]) -> pd.Series:
    """Return whether the sample has all the numbers of a mean over all keys but some."""
    return numbers[SAMPLE].notna().groupby(level=list(kept), sort=False, dropna=False).all()


@dataclass(frozen=True)
class Numbers:
    """One number of every method, such as a column of a table.

    Its coverage, by method: `runs` with a value and `expected` ones, the `reason` why a value is missing, and whether
    the mean is `whole`; claims and marks take no other.
    """

    rows: pd.DataFrame  # means over what there is, see `means`; index method
    coverage: pd.DataFrame
    replicates: int  # the fewest behind one of them, 0 where nothing was run
    log: bool = False  # whether they are positive and their intervals those of their logarithms, as of ratios
    within: tuple[float, float] = ANY  # what they can be; intervals are cut there

    @property
    def sample(self) -> pd.Series:
        """The numbers alone, float64."""
        return self.rows[SAMPLE].astype(float)

    @cached_property
    def spread(self) -> pd.DataFrame:
        """Value, low and high of each method: the number and the ends of its 95 % interval, NaN without spread."""
        low, high = np.clip(statistic(self.rows).estimate(log=self.log).interval(), *self.within)
        return pd.DataFrame({"value": self.sample, "low": low, "high": high}, self.rows.index)

    def cell(self, method: str, published: float | str | None = None, digits: int = 2) -> Cell:
        """Return the table cell of a method, with its interval where one can be had."""
        if method not in self.coverage.index:
            reason = NO_RUNS if len(self.coverage) else "no runs at this scale"
            return Cell(published=published, reason=reason, digits=digits)
        value, low, high = map(float, self.spread.loc[method])
        runs, expected, reason = (self.coverage.at[method, key] for key in ("runs", "expected", "reason"))
        return Cell(value, published, low, high, int(runs), int(expected), reason, digits)

    def __getitem__(self, names: Iterable[str]) -> Statistic:
        """Return the numbers of some methods, [names]; NaN for one that is not there or is no mean of all cells."""
        complete = self.coverage.index[self.coverage["whole"].astype(bool)] if len(self.coverage) else []
        return statistic(self.rows.loc[complete].reindex([*names]))

    def values_of(self, names: Iterable[str]) -> dict[str, float]:
        """Return the numbers of some methods by name, as `__getitem__` takes them."""
        names = [*names]
        return dict(zip(names, self[names].rows[0].tolist(), strict=True))

    def intervals(self, names: Iterable[str]) -> dict[str, tuple[float, float]]:
        """Return the ends of the 95 % intervals of some methods by name, those of tables; NaN where there is none."""
        names = [*names]
        low, high = np.clip(self[names].estimate(log=self.log).interval(), *self.within)
        return dict(zip(names, zip(low.tolist(), high.tolist(), strict=True), strict=True))


def numbers(rows: Statistic, names: Sequence[str], replicates: int, *, within: tuple[float, float] = ANY) -> Numbers:
    """Return numbers [names] that are no means of runs; what is NaN has no reason."""
    means = frame(rows, pd.Index(names, name="method"))
    coverage = pd.DataFrame({"runs": 0, "expected": 0, "reason": "", "whole": means[SAMPLE].notna()}, means.index)
    return Numbers(means, coverage, replicates, within=within)


NOTHING = Numbers(pd.DataFrame(columns=[SAMPLE], dtype=float), pd.DataFrame(), 0)  # of what was not run

Columns = Mapping[Any, Numbers]  # by what they stand for: N, network or data set, and last MEAN, that of the others


@once
def grouped(
    inputs: Inputs,
    grid: str,
    keys: tuple[str, ...],
    metric: str,
    by: tuple[str, ...],
    reference: str | None = None,
    geometric: bool = False,
) -> Columns:
    """Return a metric of a grid as means over the cells that agree in some keys, and the mean of these means.

    Keys and metric are as in `runs_by_data`. A column of the table stands for some of the keys; its name is a tuple
    where there are several. Every cell is divided by that of the reference first. Geometric means over cells are those
    of logarithms; a mean of 0 is replaced, see `above_zero`.
    """
    data = runs_by_data(inputs, grid, metric, keys)
    cells = means(inputs, data)
    if geometric:
        count = data.notna().T.groupby(level=[*keys], sort=False).sum().T.stack([*keys], future_stack=True)
        cells[:] = above_zero(cells.to_numpy(float), count.reindex(cells.index).to_numpy()[:, None])
    if reference:
        cells = ratio_to(cells, reference)
    cells = np.log(cells) if geometric else cells
    columns, complete = (average(cells, ["method", *by]) for average in (mean_over, whole))
    parts = {**_parts(columns, by), MEAN: mean_over(columns, ["method"])}
    all_there = {**_parts(complete, by), MEAN: whole(cells, ["method"])}
    by_column = {}
    for name, rows in parts.items():
        column = keys_of(by, name)
        runs, mine = inputs.runs(grid), only(data, column)
        for key, value in column.items():
            runs = runs[runs[key] == value]
        coverage = coverage_of(inputs, runs, mine, reference)
        coverage["whole"] = all_there[name].reindex(data.index, fill_value=False)
        by_column[name] = Numbers(
            (np.exp(rows) if geometric else rows).reindex(data.index),
            coverage,
            fewest(mine),
            log=geometric or reference is not None,
            within=possible(metric) if reference is None else ANY,
        )
    return by_column


def _parts(rows: pd.DataFrame | pd.Series, by: Sequence[str]) -> dict:
    """Return the rows of each column of a table by its name, sorted."""
    groups = rows.groupby(level=[*by], dropna=False) if len(rows) else ()
    return {name if len(by) > 1 else name[0]: part.droplevel([*by]) for name, part in groups}


def only(data: pd.DataFrame, column: Mapping[str, object]) -> pd.DataFrame:
    """Return the data sets with some values of their keys."""
    kept = [data.columns.get_level_values(key) == value for key, value in column.items()]
    return data.loc[:, np.logical_and.reduce(kept)] if kept else data


def fewest(data: pd.DataFrame) -> int:
    """Return the smallest number of replicates in a cell, 0 without cells."""
    cells = [column[:-1] for column in data.columns]
    return min(Counter(cells).values(), default=0)


def coverage_of(inputs: Inputs, runs: pd.DataFrame, data: pd.DataFrame, reference: str | None = None) -> pd.DataFrame:
    """Return how many data sets each method has and was to have, and why values are missing; see `Numbers`.

    Where a method has values and no number it is for lack of the reference, whose reason is given.
    """
    coverage = pd.DataFrame({"runs": data.notna().sum(axis=1), "expected": data.shape[1]})
    coverage["reason"] = reasons(inputs, runs)
    if reference:
        why = coverage["reason"].get(reference, "not among the methods")
        coverage["reason"] = coverage["reason"].mask(coverage["runs"] > 0, f"no reference: {why}")
    return coverage


def reasons(inputs: Inputs, runs: pd.DataFrame) -> pd.Series:
    """Return why each method has no number: the most frequent message of its runs that failed."""
    methods, failed = [method.name for method in inputs.methods], runs[runs["status"] != OK]
    ran = pd.Series(UNDEFINED, runs["method"].unique()).reindex(methods, fill_value=NO_RUNS)
    if failed.empty:
        return ran
    texts = failed["message"].where(failed["message"] != "", failed["status"])
    counts = texts.groupby([failed["method"], texts.rename("text")]).size().rename("count").reset_index()
    counts = counts.sort_values(["count", "text"], ascending=[False, True]).drop_duplicates("method")
    return counts.set_index("method")["text"].map(short).reindex(methods).fillna(ran)


@once
def inputs_of(inputs: Inputs, name: str) -> Inputs:
    """Return what a function of the study makes of the inputs; the inputs themselves for no name."""
    return inputs.study.function(name)(inputs) if name else inputs


@once
def measure(inputs: Inputs, name: str) -> Columns:
    """Return a number that the study declares."""
    row = inputs.study.measures[name]
    inputs = inputs_of(inputs, row.of)
    if row.make:
        return inputs.study.made(inputs, row, **{key: getattr(row, key) for key in row.handed})
    return grouped(inputs, row.grid, tuple(row.cells), row.metric, tuple(row.by), row.over)


def number(inputs: Inputs, name: str, column: object = MEAN) -> Numbers:
    """Return a column of a number that the study declares; it has no methods where the column was not run."""
    return measure(inputs, name).get(column, NOTHING)


def keys_of(by: Sequence[str], column: object) -> dict[str, object]:
    """Return what a column stands for: a value of each key; nothing for the mean over the columns."""
    if column == MEAN:
        return {}
    return dict(zip(by, column if isinstance(column, tuple) else (column,), strict=False))
