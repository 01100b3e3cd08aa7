"""Numbers of methods: columns that share their rows, mean ranks, and published against reproduced numbers."""

import textwrap
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator, MaxNLocator
from matplotlib.transforms import blended_transform_factory

from cutpoint.bench.plots.families import FAMILIES, OTHER, family_of
from cutpoint.bench.plots.style import ONE, SMALL, legend_below, panels, plain, titled
from cutpoint.bench.statistics.comparisons import cliques
from cutpoint.plots.style import styled

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


GAP = 0.3  # ranks between a line and its text
MANY = 9  # ranks above which every other one has a number


def _names(axes: Axes, order: np.ndarray, rows: Sequence[DotRow], ranks: np.ndarray, top: float, ends: tuple) -> None:
    """Write the better half on the left, the other on the right, each joined to its rank on the axis."""
    half = (len(order) + 1) // 2
    for place, i in enumerate(order):
        left = place < half
        depth = top + (place if left else len(order) - 1 - place)
        edge, side = (ends[0] - 0.3, "right") if left else (ends[1] + 0.3, "left")
        axes.plot([ranks[i], ranks[i], edge], [0, depth, depth], color="black", linewidth=0.6)
        text = f"{rows[i].label}  {ranks[i]:.1f}" if left else f"{ranks[i]:.1f}  {rows[i].label}"
        colour = family_of(rows[i].category).light
        axes.text(edge + (-GAP if left else GAP), depth, text, ha=side, va="center", fontsize=7, color=colour)


@styled
def critical_difference(
    rows: Sequence[DotRow], ranks: np.ndarray, difference: float, *, title: str, note: str = "", scale: str = ""
) -> Figure:
    """Draw mean ranks on a line, the best left; thick bars join methods that do not differ (Demsar 2006).

    Ranks are float64 [K]; the note is the second line of the title.
    """
    count = len(rows)
    order = np.argsort(ranks, kind="stable")
    bars = [group for group in cliques(ranks, difference) if len(group) > 1]
    ends = (1.0, float(count))
    top = 0.9 + 0.45 * len(bars)
    depth = top + (count + 1) // 2
    figure = Figure(figsize=(ONE, 0.95 + 0.15 * depth), layout="constrained")
    axes = figure.add_subplot()
    axes.set_axis_off()
    axes.plot(ends, (0, 0), color="black", linewidth=0.8)
    for rank in range(1, count + 1):
        axes.plot([rank, rank], [0, -0.18], color="black", linewidth=0.6)
        if count <= MANY or rank % 2:
            axes.text(rank, -0.3, str(rank), ha="center", va="bottom", fontsize=7)
    for k, group in enumerate(bars):
        at = 0.55 + 0.45 * k
        low, high = ranks[group[0]], ranks[group[-1]]
        axes.plot([low - 0.06, high + 0.06], [at, at], color="black", linewidth=2.6, solid_capstyle="butt")
    _names(axes, order, rows, ranks, top, ends)
    axes.plot([1, 1 + difference], [-1.75, -1.75], color="black", linewidth=1.2, marker="|", markersize=5)
    axes.text(1 + difference + GAP, -1.75, f"critical difference {difference:.2f}", va="center", fontsize=7)
    room = 0.42 * count
    axes.set(xlim=(ends[0] - room, ends[1] + room), ylim=(depth, -2.3))
    families_legend(figure, {row.category for row in rows})
    return titled(figure, f"{title}\n{note}" if note else title, scale)


COLUMNS = 2  # panels in a row
NAMED = 3, 8  # points named, those furthest from equality: in one of several panels, and in one alone
APART = 0.12, 0.05  # how much higher one is than the next at least, as a share of the axis, so that names do not touch
WIDE = 20  # ratio of the largest to the smallest number above which an axis is logarithmic


@dataclass(frozen=True)
class Point:
    """A number of a method: published (x) and reproduced (y), NaN where there is none."""

    label: str
    category: str
    x: float
    y: float


def _name(axes: Axes, points: Sequence[Point]) -> None:
    """Write the names of points beside them, towards the middle of the panel."""
    for point in points:
        left = axes.transLimits.transform(axes.transScale.transform((point.x, point.y)))[0] < 0.5
        note = axes.annotate(
            point.label,
            (point.x, point.y),
            xytext=(5 if left else -5, 0),
            textcoords="offset points",
            ha="left" if left else "right",
            va="center",
            fontsize=SMALL,
        )
        note.set_gid("label")


@styled
def agreement(groups: Sequence[tuple[str, Sequence[Point]]], *, title: str, scale: str = "") -> Figure:
    """Draw published (x) against reproduced (y), a panel per column of a table, with the line of equality.

    The points furthest from the line have names.
    """
    count = len(groups)
    title += "; named: those far from equality"
    figure, grid = panels(count, COLUMNS, height=3.0 if count == 1 else 1.8)
    kept = [[p for p in points if np.isfinite([p.x, p.y]).all()] for _, points in groups]
    for axes, (head, _), points in zip(grid, groups, kept, strict=True):
        for point in points:
            family = family_of(point.category)
            axes.plot(point.x, point.y, marker=family.marker, color=family.light, linestyle="none", zorder=3)
        axes.set_title(head)
        _square(axes, points)
    for axes in grid[::COLUMNS]:
        axes.set_ylabel("reproduced")
    for axes in grid[-COLUMNS:]:
        axes.set_xlabel("published")
    families_legend(figure, {point.category for points in kept for point in points})
    titled(figure, title, scale)
    for axes, points in zip(grid, kept, strict=True):
        _name(axes, _furthest(points, NAMED[count == 1], APART[count == 1]))
    return figure


def _wide(points: Sequence[Point]) -> bool:
    values = np.array([(p.x, p.y) for p in points]).ravel()
    return bool(len(values)) and bool(values.min() > 0) and bool(values.max() > WIDE * values.min())


def _furthest(points: Sequence[Point], count: int, apart: float) -> list[Point]:
    """Return points far from equality, as ratios where the axes are logarithmic, one of each crowd."""
    xy = np.array([(p.x, p.y) for p in points]).reshape(-1, 2)
    xy = np.log(xy) if _wide(points) else xy
    near = apart * np.ptp(xy) if len(xy) else 0.0
    named: list[int] = []
    for i in np.argsort(-np.abs(xy[:, 0] - xy[:, 1]), kind="stable"):
        if len(named) < count and (np.abs(xy[named, 1] - xy[i, 1]) >= near).all():
            named.append(int(i))
    return [points[i] for i in named]


def _square(axes: Axes, points: Sequence[Point]) -> None:
    """Give both axes the same range, logarithmic where it is wide, and draw equality."""
    values = np.array([(p.x, p.y) for p in points]).ravel()
    log = _wide(points)
    if log:
        axes.set(xscale="log", yscale="log")
    for axis in (axes.xaxis, axes.yaxis):
        if log:
            plain(axis, minor=False)
        else:
            axis.set_major_locator(MaxNLocator(4, steps=[1, 2, 5, 10]))
    if len(values):
        low, high = values.min(), values.max()
        pad = (high / low) ** 0.1 if log else 0.1 * (high - low or 1.0)
        limits = (low / pad, high * pad) if log else (low - pad, high + pad)
        axes.set(xlim=limits, ylim=limits)
    axes.axline((1, 1), (2, 2), color="#bbbbbb", linewidth=0.5, zorder=0)
    axes.set_aspect("equal", adjustable="box")


def families_legend(figure: Figure, categories: Collection[str], more: Sequence[Line2D] = ()) -> None:
    """Say below a figure what the colours of the families stand for, where there are several, and further marks."""
    families = [*dict.fromkeys(each for name, each in FAMILIES.items() if name in categories)]
    families += [OTHER] if set(categories) - FAMILIES.keys() else []
    marks = [Line2D([], [], color=f.light, marker=f.marker, linestyle="none", label=f.title) for f in families]
    legend_below(figure, [*(marks if len(marks) > 1 else []), *more], handlelength=1.4)
