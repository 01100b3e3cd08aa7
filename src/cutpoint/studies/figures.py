"""Figures that every study has: ranks of methods, agreement with print, and lines of a metric."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from matplotlib.figure import Figure

from cutpoint.plots import lines, ranks, scatter, style
from cutpoint.report.artefacts import Row, Scale, Table
from cutpoint.statistics.ranks import Friedman, spearman
from cutpoint.studies.additions import Compared, pairs
from cutpoint.studies.columns import Columns
from cutpoint.studies.inputs import Inputs

Looks = Mapping[str, tuple[str, str]]  # colour and marker by category
Name = Callable[[Row, str], tuple[str, str]]  # label and category of a point, from its row and column


def of_row(row: Row, column: str) -> tuple[str, str]:
    """Return the label and the category of a method."""
    return row.label, row.category


def figure_ranks(
    inputs: Inputs, result: Friedman | None, *, title: str, blocks: str, reason: str, scale: Scale | None = None
) -> Figure:
    """Draw a critical-difference diagram.

    Args:
        inputs: of the study.
        result: None where there is too little to compare.
        title: of the figure.
        blocks: what a block is, in the plural.
        reason: why there is no result, or "".
        scale: that of the inputs if None.
    """
    sentence = str(scale or inputs.scale)
    if result is None:
        return style.absent(title, reason or "too few methods or blocks to compare", sentence)
    names = [inputs.methods[i].label for i in result.kept]
    note = f"{result.blocks} {blocks}; Friedman test p = {result.pvalue:.2g}; rank 1 is the best; bars join ranks that "
    note += "are alike at 5 %"
    return ranks.critical_difference(names, result.ranks, result.difference, title=title, note=note, scale=sentence)


def figure_agreement(
    inputs: Inputs, name: str, compared: Compared, *, point: Name = of_row, looks: Looks = style.CATEGORIES
) -> Figure:
    """Draw published against reproduced numbers of one table, a panel per group of its columns.

    Args:
        inputs: of the study.
        name: number of the table in the paper.
        compared: the table.
        point: label and category of a point.
        looks: of the categories.
    """
    table = compared.table(inputs)
    title, scale = f"Table {name}: published against reproduced", str(table.scale)
    groups = []
    for group, columns in compared.groups(table).items():
        x, y = pairs(table, columns)
        if np.isfinite(x).any() and np.isfinite(x + y).any():
            rho = spearman(x, y)[0]
            shown = _points(table, columns, x, y, point)
            groups.append((f"{group}\nrank corr. {rho:.2f}" if np.isfinite(rho) else group, shown))
    if not groups:
        return style.absent(title, table.missing or "nothing reproduced", scale)
    return scatter.agreement(groups, title=title, scale=scale, looks=looks)


def _points(table: Table, columns: Sequence[int], x: np.ndarray, y: np.ndarray, point: Name) -> list[scatter.Point]:
    names = [point(row, table.columns[k]) for row in table.rows for k in columns]
    return [scatter.Point(*each, *xy) for each, *xy in zip(names, x, y, strict=True)]


def lines_of(
    inputs: Inputs, columns: Columns, places: Sequence[tuple[float, object]], order: Sequence[int], *, spread: bool
) -> list[lines.Line]:
    """Return a line per method.

    Args:
        inputs: of the study.
        columns: the metric.
        places: where the columns stand on the axis, and their names.
        order: of the methods.
        spread: whether the lines have intervals.
    """
    x, at = np.array([x for x, _ in places]), [columns.names.index(name) for _, name in places]
    found = []
    for i in order:
        table = np.array([columns.spread(i, k) for k in at]).reshape(-1, 3).T
        found.append(lines.Line(inputs.methods[i].label, x, *(table if spread else table[:1])))
    return found
