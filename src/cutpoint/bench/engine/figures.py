"""Figures that studies declare: planes and ranks of methods, agreement with print, and what a study draws itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from cutpoint.bench.artefacts.table import Cell
from cutpoint.bench.engine import contests
from cutpoint.bench.engine import declaration as form
from cutpoint.bench.engine.declaration import MEAN, split
from cutpoint.bench.engine.inputs import Inputs
from cutpoint.bench.engine.numbers import Columns, measure, number
from cutpoint.bench.engine.tables import compare, lacking, scale_of
from cutpoint.bench.plots import dots, lines, ranks, scatter
from cutpoint.bench.statistics.ranks import spearman
from cutpoint.plots import style
from cutpoint.plots.style import Figure


class Absent(Exception):
    """There is no figure, and the message says why."""


def make_figure(inputs: Inputs, name: str) -> Figure:
    """Return a figure that the study declares, or one that says why it is not available."""
    row = inputs.study.figures[name]
    scale = str(scale_of(inputs, row.replicates))
    try:
        if reason := lacking(inputs, row.requires):
            raise Absent(reason)
        return MAKERS[type(row)](inputs, row, scale)
    except Absent as reason:
        return style.absent(row.title, str(reason), scale)


def _tradeoff(inputs: Inputs, row: form.TradeoffFigure, scale: str) -> Figure:
    name, column = split(row.y.measure)
    notes = [text.rstrip(".") for note in row.notes for text in inputs.study.function(note.make)(inputs)]
    grid = inputs.study.measures[name].grid
    lost = lacking(inputs, [grid]) or ("" if column in measure(inputs, name) else "no runs at this scale")
    below = [f"not available: {lost}, published values only"] if lost else notes
    columns = [_column(inputs, row.y, flip=row.flip), _column(inputs, row.x, log=True)]
    values = np.array([[(dot.value, dot.printed) for dot in column.dots] for column in columns])
    kept = np.flatnonzero(np.isfinite(values).any(axis=(0, 2))).tolist()
    if not kept:
        raise Absent(lost or "no numbers, neither reproduced nor published")
    return dots.rows_of_dots(
        [dots.Row(inputs.methods[i].label, inputs.methods[i].category) for i in kept],
        [replace(column, dots=[column.dots[i] for i in kept]) for column in columns],
        title="\n".join([f"{row.title}; left is better", *below]),
        scale=scale,
    )


def _column(inputs: Inputs, axis: form.Axis, **options: bool) -> dots.Column:
    """Return a number of each method with its interval, and what the paper prints, over those of the reference."""
    (name, column), (file, head) = split(axis.measure), split(axis.printed)
    source, printed = number(inputs, name, column), inputs.printed(file) if file else {}
    numbers = [dot_of(source.cell(method.name)) for method in inputs.methods]
    theirs = [printed.get(m.name, {}).get(head, np.nan) for m in inputs.methods]
    marks = [replace(dot, printed=each) for dot, each in zip(numbers, theirs, strict=True)]
    return dots.Column(axis.label, marks, marked=(1,), **options)


def dot_of(cell: Cell) -> dots.Dot:
    """Return the number of a cell with its interval."""
    numbers = cell.reproduced, cell.low, cell.high
    value, low, high = (float(x) if isinstance(x, int | float) else np.nan for x in numbers)
    return dots.Dot(value, low, high)


def _panel(inputs: Inputs, row: form.Lines) -> lines.Panel:
    columns = measure(inputs, row.measure)
    places = [(float(name) / 1000, name) for name in columns if name != MEAN]
    return lines.Panel(row.title, lines_of(inputs, columns, places), row.label)


def _ranks(inputs: Inputs, row: form.RanksFigure, scale: str) -> Figure:
    result = contests.ranking(inputs, row.contest)
    if result is None:
        raise Absent("too few methods or blocks to compare")
    rows = [dots.Row(inputs.methods[i].label, inputs.methods[i].category) for i in result.kept]
    note = f"{result.blocks} {row.blocks}; Friedman test p = {result.pvalue:.2g}; rank 1 is the best; bars join ranks "
    note += "that are alike at 5 %"
    return ranks.critical_difference(rows, result.ranks, result.difference, title=row.title, note=note, scale=scale)


def _agreement(inputs: Inputs, row: form.AgreementFigure, scale: str) -> Figure:
    """Draw published against reproduced numbers of one table, a panel per group of its columns."""
    compared = compare(inputs, row.table)
    if compared.reason:
        raise Absent(compared.reason)
    table, scale, panels = compared.table, str(compared.table.scale), []
    for group, columns in compared.groups.items():
        x, y = compared.pairs(group)
        if np.isfinite(x).any() and np.isfinite(x + y).any():
            rows = [each for each in table.rows for _ in columns]
            points = [scatter.Point(each.label, each.category, *xy) for each, *xy in zip(rows, x, y, strict=True)]
            rho = spearman(x, y)[0]
            panels.append((f"{group}\nrank corr. {rho:.2f}" if np.isfinite(rho) else group, points))
    if not panels:
        return style.absent(row.title, table.missing or "nothing reproduced", scale)
    return scatter.agreement(panels, title=row.title, scale=scale)


MAKERS: dict[type, Callable[[Inputs, Any, str], Figure]] = {
    form.TradeoffFigure: _tradeoff,
    form.LinesFigure: lambda inputs, row, scale: lines.rows_of_lines(
        [_panel(inputs, panel) for panel in row.panels], ylabel=row.ylabel, title=row.title, scale=scale, **row.options
    ),
    form.RanksFigure: _ranks,
    form.AgreementFigure: _agreement,
    form.MadeFigure: lambda inputs, row, scale: inputs.study.function(row.make)(
        inputs, title=row.title, scale=scale, **row.options
    ),
}


def lines_of(inputs: Inputs, columns: Columns, places: Sequence[tuple[float, object]]) -> list[lines.Line]:
    """Return a line per method, through the columns of a measure at their places on the axis."""
    x = np.array([x for x, _ in places])
    spreads = [columns[name].spread for _, name in places]
    return [
        lines.Line(m.label, x, *np.array([each.loc[m.name] for each in spreads]).reshape(-1, 3).T, category=m.category)
        for m in inputs.methods
    ]
