"""What is special in how cost grows: means by size, and the power laws fitted to them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from cutpoint.bench.studies.growth.powers import Power, power_law

from cutpoint.bench.artefacts.table import Cell
from cutpoint.bench.engine.declaration import MEAN
from cutpoint.bench.engine.inputs import Inputs, once, with_variables
from cutpoint.bench.engine.numbers import (
    Columns,
    Numbers,
    cells_of,
    coverage_of,
    fewest,
    mean_over,
    means,
    measure,
    numbers,
    only,
    runs_by_data,
    statistic,
    whole,
)
from cutpoint.bench.engine.tables import Absent, Content
from cutpoint.bench.plots import dots
from cutpoint.bench.statistics.estimates import Statistic, combine
from cutpoint.plots.style import Figure

FEWEST_SIZES = 3  # two fit any law
FLOOR = 0.001  # CPU seconds: what is below is mostly the start of functions
REFERENCES = {"records": 1000, "variables": 20}  # at which sizes laws are shown
KINDS = ("Exponent", "Seconds", "Deviation, %", "Sizes")


def seconds(inputs: Inputs, *, grid: str, by: Sequence[str]) -> Columns:
    """Return the CPU seconds of every method by size: the geometric mean over replicates of each network.

    Where a grid has several networks of one size the column is the geometric mean of theirs, NaN where one of them has
    no successful run.
    """
    inputs, (size,) = with_variables(inputs), by
    data = runs_by_data(inputs, grid, "seconds", ("network", size))
    with np.errstate(divide="ignore"):
        cells = means(inputs, np.log(data))
    complete = whole(cells, ["method", size])
    logs = mean_over(cells, ["method", size]).where(complete)
    columns = {}
    for at in sorted({cell[1] for cell in cells_of(data)}):
        mine, runs = only(data, {size: at}), inputs.runs(grid)
        coverage = coverage_of(inputs, runs[runs[size] == at], mine)
        coverage["whole"] = complete.xs(at, level=size).reindex(data.index)
        columns[at] = Numbers(np.exp(logs.xs(at, level=size)).reindex(data.index), coverage, fewest(mine), log=True)
    return columns


@once
def fitted(inputs: Inputs, name: str) -> tuple[Statistic, Power]:
    """Return the exponents of all methods, [M], and the laws that they are of in the sample, float64 [1, M].

    The laws rest on the sizes that `used` names.
    """
    source = measure(inputs, name)
    at, chosen = np.array([*source], float), used(source)

    def law(rows: np.ndarray) -> Power:
        return power_law(at, np.where(chosen, rows, np.nan), REFERENCES[name])

    def exponents(*columns: np.ndarray) -> np.ndarray:
        rows = np.stack(columns, -1)
        there = (np.isfinite(rows) | ~chosen).all(2)  # without a replicate a size may have none left
        return np.where(there, law(rows).exponent, np.nan)

    if not source:
        none = np.full((1, len(inputs.methods), 0), np.nan)
        return Statistic(np.full((1, len(inputs.methods)), np.nan), ()), law(none)
    columns = [statistic(numbers.rows) for numbers in source.values()]
    return combine(exponents, *columns), law(np.stack([each.rows[0] for each in columns], -1)[None])


def used(source: Columns) -> np.ndarray:
    """Return which sizes a fit rests on, bool [M, K]: those where the mean is at least FLOOR."""
    return np.array([numbers.sample >= FLOOR for numbers in source.values()]).T


def exponent(inputs: Inputs, *, grid: str) -> Columns:
    """Return the exponents of the methods as one column."""
    fewest_replicates = min((each.replicates for each in measure(inputs, grid).values()), default=0)
    names = [method.name for method in inputs.methods]
    return {MEAN: numbers(fitted(inputs, grid)[0], names, fewest_replicates)}


def exponents_table(inputs: Inputs) -> Content:
    """Return the exponents of every method, what a run takes at the size of reference, and how well the laws fit."""
    rows = [
        m.row(*(cell for name in REFERENCES for cell in _law(inputs, name, i))) for i, m in enumerate(inputs.methods)
    ]
    titles = "By number of records, one network", "By number of variables, random networks"
    return Content(
        "method",
        [f"{kind}, {name}" for name in REFERENCES for kind in KINDS],
        rows,
        [(title, range(k * len(KINDS), (k + 1) * len(KINDS))) for k, title in enumerate(titles)],
    )


def _law(inputs: Inputs, name: str, i: int) -> tuple[Cell, ...]:
    (exponents, law), source = fitted(inputs, name), measure(inputs, name)
    sizes = int(used(source)[i].sum()) if source else 0
    why = _reason(inputs, name, i)
    exponent = exponents[i].estimate()
    deviation = float(law.deviation[0, i]) if sizes >= FEWEST_SIZES else np.nan
    runs, expected = (sum(int(each.coverage[key].iloc[i]) for each in source.values()) for key in ("runs", "expected"))
    return (
        Cell(float(exponent.value), low=float(exponent.low), high=float(exponent.high), reason=why),
        Cell(float(law.scale[0, i]), reason=why, digits=3),
        Cell(100 * deviation, reason=why or "two sizes fit any law", digits=0),
        Cell(sizes, runs=runs, expected=expected),
    )


def _reason(inputs: Inputs, name: str, i: int) -> str:
    """Return why a method has no exponent, or ""."""
    source = measure(inputs, name)
    if source and used(source)[i].sum() > 1:
        return ""
    if any(np.isfinite(each.sample.iloc[i]) for each in source.values()):
        return f"fewer than two sizes of {1000 * FLOOR:.0f} ms and more"
    return next((each.coverage["reason"].iloc[i] for each in source.values()), "") or inputs.missing(name)


def exponents_figure(inputs: Inputs, *, title: str, scale: str) -> Figure:
    """Draw the exponents of every method with their intervals, a column for records and one for variables."""
    exponents = {name: fitted(inputs, name)[0].estimate() for name in REFERENCES}
    kept = [
        i for i in range(len(inputs.methods)) if any(np.isfinite(estimate.value[i]) for estimate in exponents.values())
    ]
    if not kept:
        raise Absent(f"no method takes {1000 * FLOOR:.0f} ms at two sizes")
    first = exponents["records"].value
    kept.sort(key=lambda i: (-float(np.nan_to_num(first[i], nan=-np.inf)), i))
    return dots.rows_of_dots(
        [dots.DotRow(inputs.methods[i].label, inputs.methods[i].category) for i in kept],
        [
            dots.DotColumn(name, [dots.Dot(estimate.value[i], estimate.low[i], estimate.high[i]) for i in kept], (1, 2))
            for name, estimate in exponents.items()
        ],
        title=title,
        scale=scale,
    )
