"""Figures that studies declare, and numbers of methods as drawings take them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cutpoint.bench.artefacts.table import Cell
from cutpoint.bench.engine.inputs import Inputs
from cutpoint.bench.engine.numbers import Columns
from cutpoint.bench.engine.tables import lacking, scale_of
from cutpoint.bench.plots import dots, lines
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
        return inputs.study.made(inputs, row, title=row.title, scale=scale)
    except Absent as reason:
        return style.absent(row.title, str(reason), scale)


def dot_of(cell: Cell) -> dots.Dot:
    """Return the number of a cell with its interval."""
    numbers = cell.reproduced, cell.low, cell.high
    value, low, high = (float(x) if isinstance(x, int | float) else np.nan for x in numbers)
    return dots.Dot(value, low, high)


def lines_of(inputs: Inputs, columns: Columns, places: Sequence[tuple[float, object]]) -> list[lines.Line]:
    """Return a line per method, through the columns of a measure at their places on the axis."""
    x = np.array([x for x, _ in places])
    spreads = [columns[name].spread for _, name in places]
    return [
        lines.Line(m.label, x, *np.array([each.loc[m.name] for each in spreads]).reshape(-1, 3).T, category=m.category)
        for m in inputs.methods
    ]
