"""Numbers with intervals, a row for each method: columns that share their rows."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.transforms import blended_transform_factory

from cutpoint.base.families import Family, family_of
from cutpoint.plots.style import ONE, families_legend, panels, plain, styled, titled

ROW = 0.19  # inches
COLUMN = 1.7  # inches of every column after the first, which shares its width with the names
PALE, GREY = "#bbbbbb", "#666666"
PRINTED: dict[str, Any] = {"marker": "|", "markersize": 8, "markeredgewidth": 1.1, "linestyle": "none"}


@dataclass(frozen=True)
class Row:
    """A method, or what else has numbers: its name and category, and a note beside it, such as how many are missing."""

    label: str
    category: str
    note: str = ""


@dataclass(frozen=True)
class Dot:
    """A number, its interval and what a paper prints, NaN where there is none; `each` is what it is the mean of."""

    value: float
    low: float = np.nan
    high: float = np.nan
    printed: float = np.nan
    each: np.ndarray = field(default_factory=lambda: np.empty(0))


@dataclass(frozen=True)
class Column:
    """A column.

    Attributes:
        xlabel: what the axis says.
        dots: one for each row.
        marked: places at which a line stands.
        log: whether the axis is logarithmic.
        flip: whether the axis points to the left, so that what is better stands there in all columns.
    """

    xlabel: str
    dots: Sequence[Dot]
    marked: Sequence[float] = ()
    log: bool = False
    flip: bool = False


def draw_dot(axes: Axes, place: float, dot: Dot, family: Family, *, size: float = 4.5, alpha: float = 1.0) -> None:
    """Draw a number with its interval in a row."""
    if np.isfinite([dot.low, dot.high]).all():
        axes.plot([dot.low, dot.high], [place, place], color=family.light, alpha=alpha, linewidth=1.3)
    axes.plot(dot.value, place, marker=family.marker, markersize=size, color=family.light, alpha=alpha)


@styled
def rows_of_dots(
    rows: Sequence[Row], columns: Sequence[Column], *, title: str, scale: str = "", width: float = 0.0
) -> Figure:
    """Draw a number with its interval in each row of each column, single values and printed numbers behind it.

    Args:
        rows: from top to bottom.
        columns: from left to right.
        title: of the figure.
        scale: the sentence on what the figure rests on.
        width: inches, as the columns need where none is named.
    """
    figure, grid = panels(
        len(columns), width=width or ONE + COLUMN * (len(columns) - 1), height=0.9 + ROW * len(rows), sharey=True
    )
    for axes, column in zip(grid[0], columns, strict=True):
        _column(axes, rows, column)
    first = grid[0, 0]
    first.set_ylim(len(rows) - 0.4, -0.6)
    first.set_yticks(range(len(rows)), [row.label for row in rows])
    for text, row in zip(first.get_yticklabels(), rows, strict=True):
        text.set_color(family_of(row.category).light)
    beside = blended_transform_factory(grid[0, -1].transAxes, grid[0, -1].transData)
    for place, row in enumerate(rows):
        if any(np.isfinite(column.dots[place].value) for column in columns):
            grid[0, -1].text(1.01, place, row.note, transform=beside, va="center", fontsize=6, color=GREY)
    families_legend(figure, {row.category for row in rows})
    if any(np.isfinite(dot.printed) for column in columns for dot in column.dots):
        key = Line2D([], [], color=GREY, label="printed in the paper", **PRINTED)
        figure.legend(handles=[key], loc="outside upper right", handletextpad=0.2)
    return titled(figure, title, scale)


def _column(axes: Axes, rows: Sequence[Row], column: Column) -> None:
    beside = blended_transform_factory(axes.transAxes, axes.transData)
    for x in column.marked:
        axes.axvline(x, color="#555555", linewidth=0.8, linestyle="--", zorder=0)
    for place, (row, dot) in enumerate(zip(rows, column.dots, strict=True)):
        family = family_of(row.category)
        axes.plot(dot.printed, place, color=family.light, zorder=1.5, **PRINTED)
        axes.plot(dot.each, np.full(len(dot.each), place), linestyle="none", marker="|", markersize=6, color=PALE)
        draw_dot(axes, place, dot, family)
        if row.note and not np.isfinite([dot.value, dot.printed]).any():
            text = textwrap.shorten(f"not available: {row.note}", 100, placeholder="...")
            axes.text(0.01, place, text, transform=beside, va="center", fontsize=6, color=GREY,
                      bbox={"facecolor": "white", "linewidth": 0, "pad": 0.5})  # fmt: skip
    axes.set(xlabel=column.xlabel, xscale="log" if column.log else "linear")
    if column.log:
        plain(axes.xaxis, minor=False)
    if column.flip:
        axes.invert_xaxis()
    axes.grid(axis="x", color="#e6e6e6", linewidth=0.5)
    axes.set_axisbelow(True)
    axes.tick_params(axis="y", length=0)
