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
from matplotlib.ticker import LogLocator, MaxNLocator
from matplotlib.transforms import blended_transform_factory

from cutpoint.base.families import family_of
from cutpoint.plots.style import SMALL, families_legend, panels, plain, styled, titled

ROW = 0.17  # inches
LONGEST = 45  # characters of a reason
PALE, GREY = "#bbbbbb", "#666666"
PRINTED: dict[str, Any] = {"marker": "|", "markersize": 8, "markeredgewidth": 1.1, "linestyle": "none"}


@dataclass(frozen=True)
class DotRow:
    """A method, or what else has numbers: its name and category, and a note beside it, such as how many are missing."""

    label: str
    category: str
    note: str = ""


@dataclass(frozen=True)
class Dot:
    """A number, its interval and what a paper prints, NaN where there is none, and what it is the mean of."""

    value: float
    low: float = np.nan
    high: float = np.nan
    printed: float = np.nan
    each: np.ndarray = field(default_factory=lambda: np.empty(0))


@dataclass(frozen=True)
class DotColumn:
    """A column: a dot for each row, and places at which a line stands.

    A flipped axis points to the left, so that what is better stands there in all columns.
    """

    xlabel: str
    dots: Sequence[Dot]
    marked: Sequence[float] = ()
    log: bool = False
    flip: bool = False


@styled
def rows_of_dots(rows: Sequence[DotRow], columns: Sequence[DotColumn], *, title: str, scale: str = "") -> Figure:
    """Draw a number with its interval in each row of each column, single values and printed numbers behind it."""
    figure, grid = panels(len(columns), len(columns), height=0.45 + ROW * len(rows))
    for k, (axes, column) in enumerate(zip(grid, columns, strict=True)):
        _column(axes, rows, column)
        axes.set_ylim(len(rows) - 0.4, -0.6)
        axes.set_yticks(range(len(rows)), [row.label for row in rows] if k == 0 else [""] * len(rows))
        for text, row in zip(axes.get_yticklabels(), rows, strict=True):
            text.set_color(family_of(row.category).light)
    beside = blended_transform_factory(grid[-1].transAxes, grid[-1].transData)
    for place, row in enumerate(rows):
        if any(np.isfinite(column.dots[place].value) for column in columns):
            grid[-1].text(1.01, place, row.note, transform=beside, va="center", fontsize=SMALL, color=GREY)
    there = any(np.isfinite(dot.printed) for column in columns for dot in column.dots)
    marks = [Line2D([], [], color=GREY, label="printed in the paper", **PRINTED)] if there else []
    families_legend(figure, {row.category for row in rows}, marks)
    return titled(figure, title, scale)


def _near(dots: Sequence[Dot]) -> bool:
    """Return whether powers of ten alone would be too few numbers on a logarithmic axis."""
    numbers = np.array([(dot.value, dot.low, dot.high) for dot in dots])
    finite = numbers[np.isfinite(numbers)]
    return bool(finite.max(initial=1) < 10 * finite.min(initial=1))


def _column(axes: Axes, rows: Sequence[DotRow], column: DotColumn) -> None:
    beside = blended_transform_factory(axes.transAxes, axes.transData)
    for x in column.marked:
        axes.axvline(x, color="#555555", linewidth=0.8, linestyle="--", zorder=0)
    for place, (row, dot) in enumerate(zip(rows, column.dots, strict=True)):
        family = family_of(row.category)
        axes.plot(dot.printed, place, color=family.light, zorder=1.5, **PRINTED)
        axes.plot(dot.each, np.full(len(dot.each), place), linestyle="none", marker="|", markersize=6, color=PALE)
        if np.isfinite([dot.low, dot.high]).all():
            axes.plot([dot.low, dot.high], [place, place], color=family.light, linewidth=1.3)
        axes.plot(dot.value, place, marker=family.marker, markersize=4.5, color=family.light)
        if row.note and not np.isfinite([dot.value, dot.printed]).any():
            text = textwrap.shorten(f"not available: {row.note}", LONGEST, placeholder="...")
            axes.text(0.01, place, text, transform=beside, va="center", fontsize=SMALL, color=GREY,
                      bbox={"facecolor": "white", "linewidth": 0, "pad": 0.5})  # fmt: skip
    axes.set(xlabel=f"{column.xlabel}{', left is higher' * column.flip}", xscale="log" if column.log else "linear")
    if column.log:
        axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if _near(column.dots) else (1,)))
        plain(axes.xaxis, minor=False)
    else:
        axes.xaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 2.5, 5, 10]))
    if column.flip:
        axes.invert_xaxis()
    axes.grid(axis="x", color="#e6e6e6", linewidth=0.5)
    axes.set_axisbelow(True)
    axes.tick_params(axis="y", length=0)
