"""What is special in how cost grows: means by size, and the power laws fitted to them."""

from __future__ import annotations

import numpy as np

from cutpoint.bench.engine.declaration import MEAN, Measure
from cutpoint.bench.engine.figures import Absent
from cutpoint.bench.engine.inputs import Inputs, grid, once, with_variables
from cutpoint.bench.engine.numbers import Columns, measure, reasons, stack, strict_mean
from cutpoint.bench.engine.tables import Content
from cutpoint.bench.plots import dots
from cutpoint.bench.report.artefacts import Cell
from cutpoint.bench.statistics.powers import Power, power_law
from cutpoint.plots.style import Figure
from cutpoint.statistics.estimates import Statistic

FEWEST_SIZES = 3  # two fit any law
FLOOR = 0.005  # CPU seconds: what is below is start-up and the tick of the clock
REFERENCES = {"records": 1000, "variables": 20}  # at which sizes laws are shown
KINDS = ("Exponent", "Seconds", "Deviation, %", "Sizes")


def seconds(inputs: Inputs, row: Measure) -> Columns:
    """Return the CPU seconds of every method by size: the geometric mean over replicates of each network.

    Where a grid has several networks of one size the column is the geometric mean of theirs, NaN where one of them has
    no successful run; ``values`` and ``strict`` are the same numbers.
    """
    runs = grid(with_variables(inputs), row.grid, "network", *row.by)
    cube = runs.cube("seconds")
    with np.errstate(divide="ignore"):
        logs = runs.means(np.log(cube))
    sizes = sorted({cell[1] for cell in runs.cells})
    groups = [[i for i, cell in enumerate(runs.cells) if cell[1] == size] for size in sizes]
    columns = [strict_mean(logs[:, group], 1).map(np.exp) for group in groups]
    values = stack(columns) if columns else logs
    return Columns(
        names=tuple(sizes),
        values=values,
        strict=values,
        runs=_counts(np.isfinite(cube).sum(2), groups),
        expected=_counts(np.tile(runs.present.sum(1), (len(runs.methods), 1)), groups),
        reasons=reasons(runs, "seconds", None, groups),
        units=tuple(runs.units(group) for group in groups),
        log=True,
    )


def _counts(cells: np.ndarray, groups: list[list[int]]) -> np.ndarray:
    return np.stack([cells[:, group].sum(1) for group in groups], 1) if groups else np.zeros((len(cells), 0), int)


@once
def fitted(inputs: Inputs, name: str) -> tuple[Statistic, Power]:
    """Return the exponents of all methods, [M], and the laws that they are of in the sample, float64 [1, M].

    The laws rest on the sizes that `used` names.
    """
    source = measure(inputs, name)
    at, chosen = np.array(source.names, float), used(source)

    def law(rows: np.ndarray) -> Power:
        return power_law(at, np.where(chosen, rows, np.nan), REFERENCES[name])

    def exponents(rows: np.ndarray) -> np.ndarray:
        whole = (np.isfinite(rows) | ~chosen).all(2)  # without a replicate a size may have none left
        return np.where(whole, law(rows).exponent, np.nan)

    return source.values.map(exponents), law(source.values.rows[:1])


def used(source: Columns) -> np.ndarray:
    """Return which sizes a fit rests on, bool [M, K]: those where the mean is at least FLOOR."""
    with np.errstate(invalid="ignore"):
        return source.sample >= FLOOR


def exponent(inputs: Inputs, row: Measure) -> Columns:
    """Return the exponents of the methods as one column."""
    source = measure(inputs, row.grid)
    values = stack([fitted(inputs, row.grid)[0]])
    counts = np.zeros((len(inputs.methods), 1), int)
    why = [[""] for _ in inputs.methods]
    return Columns((MEAN,), values, values, counts, counts, why, (min(source.units, default=0),))


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
    sizes = int(used(source)[i].sum())
    why = _reason(inputs, name, i)
    found = exponents[i].estimate()
    deviation = float(law.deviation[0, i]) if sizes >= FEWEST_SIZES else np.nan
    return (
        Cell(float(found.value), low=float(found.low), high=float(found.high), reason=why),
        Cell(float(law.scale[0, i]), reason=why, digits=3),
        Cell(100 * deviation, reason=why or "two sizes fit any law", digits=0),
        Cell(sizes, runs=int(source.runs[i].sum()), expected=int(source.expected[i].sum())),
    )


def _reason(inputs: Inputs, name: str, i: int) -> str:
    """Return why a method has no exponent, or ""."""
    source = measure(inputs, name)
    if used(source)[i].sum() > 1:
        return ""
    if np.isfinite(source.sample[i]).any():
        return f"fewer than two sizes of {1000 * FLOOR:.0f} ms and more"
    return next(filter(None, source.reasons[i]), "") or inputs.missing(name)


def exponents_figure(inputs: Inputs, *, title: str, scale: str) -> Figure:
    """Draw the exponents of every method with their intervals, a column for records and one for variables."""
    exponents = {name: fitted(inputs, name)[0].estimate() for name in REFERENCES}
    kept = [i for i in range(len(inputs.methods)) if any(np.isfinite(found.value[i]) for found in exponents.values())]
    if not kept:
        raise Absent(f"no method takes {1000 * FLOOR:.0f} ms at two sizes")
    first = exponents["records"].value
    kept.sort(key=lambda i: (-float(np.nan_to_num(first[i], nan=-np.inf)), i))
    return dots.rows_of_dots(
        [dots.Row(inputs.methods[i].label, inputs.methods[i].category) for i in kept],
        [
            dots.Column(name, [dots.Dot(found.value[i], found.low[i], found.high[i]) for i in kept], (1, 2))
            for name, found in exponents.items()
        ],
        title=title,
        scale=scale,
    )
