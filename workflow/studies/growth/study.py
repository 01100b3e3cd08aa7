"""What is special in how cost grows: means by size, and the power laws fitted to them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from cutpoint.base.text import listed
from cutpoint.bench.engine import samples, sentences
from cutpoint.bench.engine.declaration import MEAN, Measure, declared
from cutpoint.bench.engine.figures import Absent
from cutpoint.bench.engine.inputs import Inputs, Method, grid, once, with_variables
from cutpoint.bench.engine.numbers import Columns, measure, reasons, stack, strict_mean
from cutpoint.bench.engine.tables import Content
from cutpoint.bench.plots import dots, lines
from cutpoint.bench.report.artefacts import Cell, Row
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


def two_sizes(inputs: Inputs, *, name: str) -> str:
    """Return a remark on a claim about the number of variables: whose exponent rests on two sizes."""
    (need,) = declared(inputs.study).claims[name].needs.values()
    source = measure(inputs, "variables")
    named = set(re.split(r"\W+", need))
    members = {m for group, each in declared(inputs.study).groups.items() if group in named for m in each}
    few = [
        f"that of {method.label} is of {' and '.join(f'{size:g}' for size in np.array(source.names)[sizes])} variables"
        for method, sizes in zip(inputs.methods, used(source), strict=True)
        if method.name in members and sizes.sum() == 2
    ]
    return f"Two sizes fit any power: {listed(few)} alone." if few else ""


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


def exponents_figure(inputs: Inputs, *, name: str, title: str, scale: str) -> Figure:
    """Draw the exponent of every method with its interval, and the seconds of its law at the size of reference."""
    exponents, law = fitted(inputs, name)
    found = exponents.estimate()
    kept = [i for i in range(len(inputs.methods)) if np.isfinite(found.value[i])]
    if not kept:
        raise Absent(f"no method takes {1000 * FLOOR:.0f} ms at two sizes")
    kept.sort(key=lambda i: (-float(found.value[i]), i))
    return dots.rows_of_dots(
        [dots.Row(inputs.methods[i].label, inputs.methods[i].category) for i in kept],
        [
            dots.Column("exponent", [dots.Dot(found.value[i], found.low[i], found.high[i]) for i in kept], (1, 2)),
            dots.Column(
                f"CPU seconds at {REFERENCES[name]:g} {name}", [dots.Dot(law.scale[0, i]) for i in kept], log=True
            ),
        ],
        title=title,
        scale=scale,
    )


def large_table(inputs: Inputs) -> Content:
    """Return CPU seconds and memory of each method by the size of the data."""
    runs = samples.rows_of(inputs, "large")
    methods = list(dict.fromkeys(run["method"] for run in runs))
    rows = []
    for variables, records in dict.fromkeys((run["variables"], run["records"]) for run in runs):
        mine = {run["method"]: run for run in runs if (run["variables"], run["records"]) == (variables, records)}
        cells = [_cell(mine.get(name), column) for column in ("seconds", "peak_mb") for name in methods]
        rows.append(Row(f"{variables}_{records}", f"{variables:,} x {records:,}", "", tuple(cells)))
    titles = "CPU seconds", "MB"
    return Content(
        "variables x records",
        [f"{name}, {unit}" for unit in ("s", "MB") for name in methods],
        rows,
        [(title, range(k * len(methods), (k + 1) * len(methods))) for k, title in enumerate(titles)],
    )


def _cell(run: Mapping[str, Any] | None, column: str) -> Cell:
    if run is None:
        return Cell(np.nan, reason="did not end at a smaller size")
    value = run[column]
    return Cell(
        np.nan if value is None else float(value), reason=run["message"], digits=1 if column == "seconds" else 0
    )


def lines_of_large(inputs: Inputs, *, title: str, scale: str) -> Figure:
    """Draw CPU seconds against the number of variables, with the fewest records, and against that of records."""
    runs = samples.rows_of(inputs, "large")
    least = {name: min(run[name] for run in runs) for name in ("variables", "records")}
    known, shown = {m.name: m for m in inputs.methods}, []
    for name, other in (("variables", "records"), ("records", "variables")):
        mine = [run for run in runs if run[other] == least[other]]
        (methods, sizes), seconds = samples.cube(mine, "method", name, value="seconds")
        drawn = [
            lines.Line(
                known[m].label if m in known else m, np.array(sizes, float), row, category=_category(known.get(m))
            )
            for m, row in zip(methods, seconds, strict=True)
        ]
        shown.append(lines.Panel(f"{least[other]:,} {other}", drawn, name))
    return lines.rows_of_lines(shown, ylabel="CPU seconds per run", title=title, log=True, tick="{:,.0f}", scale=scale)


def _category(method: Method | None) -> str:
    return method.category if method else "external"


def cost_answer(inputs: Inputs) -> str | None:
    """Say how the methods grow with records and with variables."""
    replicates = min(min(measure(inputs, name).units, default=0) for name in REFERENCES)
    known = any(np.isfinite(fitted(inputs, name)[1].exponent).any() for name in REFERENCES)
    if known and (text := sentences.preview("Growth of the cost", replicates)):
        return text
    parts = [text for name in REFERENCES if (text := _grows(inputs, name))]
    return (
        f"Growth of the cost: CPU time grows {listed(parts)}. Of larger data these powers say nothing."
        if parts
        else None
    )


def _grows(inputs: Inputs, name: str) -> str:
    source, found = measure(inputs, name), fitted(inputs, name)[1].exponent[0]
    sizes = used(source).sum(1)
    there = np.flatnonzero(np.isfinite(found) & (sizes >= FEWEST_SIZES))
    if there.size < 2:
        return ""
    at = np.array(source.names, float)[used(source)[there].any(0)]
    low, high = found[there].min(), found[there].max()
    lost = [inputs.methods[i].label for i in np.flatnonzero(np.isfinite(found) & (sizes < FEWEST_SIZES)).tolist()]
    without = f", without {listed(lost)}, known at two sizes alone" if lost else ""
    return (
        f"with the number of {name}, from {at.min():g} to {at.max():g}, to a median power of "
        f"{np.median(found[there]):.1f} ({low:.1f} to {high:.1f} over {there.size} methods{without})"
    )
