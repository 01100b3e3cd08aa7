"""Labelled points: cost against quality, and published against reproduced."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogFormatterSciNotation, NullFormatter

from cutpoint.plots import labels
from cutpoint.plots.style import CATEGORIES, ONE, OTHER, TWO, panels, stamp, styled

WIDE = 20  # ratio of the largest to the smallest number above which an axis is logarithmic


@dataclass(frozen=True)
class Point:
    """A method in a plane: reproduced and published coordinates, NaN where there are none."""

    label: str
    category: str
    x: float
    y: float
    published_x: float = np.nan
    published_y: float = np.nan


def _finite(points: Sequence[Point], *, published: bool) -> list[Point]:
    names = ("published_x", "published_y") if published else ("x", "y")
    return [p for p in points if all(np.isfinite(getattr(p, name)) for name in names)]


def _mark(axes: Axes, points: Sequence[Point]) -> None:
    """Draw filled reproduced and hollow published markers, joined by a thin line."""
    for point in points:
        colour, marker = CATEGORIES.get(point.category, OTHER)
        axes.plot(point.x, point.y, marker=marker, color=colour, linestyle="none", zorder=4)
        published = point.published_x, point.published_y
        axes.plot(*published, marker=marker, mfc="white", mec=colour, mew=0.7, linestyle="none", zorder=3)
        joined = np.array([(point.x, point.y), published])
        if np.isfinite(joined).all():
            axes.plot(*joined.T, color=colour, linewidth=0.4, alpha=0.45, zorder=2)


def _legend(axes: Axes, points: Sequence[Point]) -> None:
    handles = []
    for name in dict.fromkeys(point.category for point in points):
        colour, marker = CATEGORIES.get(name, OTHER)
        handles += axes.plot([], [], marker=marker, color=colour, linestyle="none", label=name)
    handles += axes.plot([], [], marker="o", color="#444444", linestyle="none", label="reproduced (filled)")
    if _finite(points, published=True):
        handles += axes.plot([], [], "o", mfc="white", mec="#444444", mew=0.7, label="published (hollow)")
    axes.figure.legend(handles=handles, loc="outside upper center", ncols=len(handles), handletextpad=0.2)


@styled
def tradeoff(
    points: Sequence[Point], *, xlabel: str, ylabel: str, title: str, scale: str = "", flip: bool = False
) -> Figure:
    """Draw cost (log x) against quality, one labelled point per method (Fu 2005, Figures V-4 to V-6)."""
    figure, grid = panels(1, width=TWO, height=4.2)
    axes = grid[0, 0]
    shown = _finite(points, published=False)
    _mark(axes, points)
    axes.set(xscale="log", xlabel=xlabel, ylabel=ylabel, title=title)
    axes.axhline(1, color="#bbbbbb", linewidth=0.5, zorder=0)
    axes.axvline(1, color="#bbbbbb", linewidth=0.5, zorder=0)
    axes.margins(0.09, 0.09)
    if flip:
        axes.invert_yaxis()
    _legend(axes, points)
    stamp(figure, scale)
    printed = _finite(points, published=True)
    # A method without a reproduced point is named at its published one.
    only = " (published only)" if shown else ""
    named = [(p.label, p.x, p.y) for p in shown]
    named += [(p.label + only, p.published_x, p.published_y) for p in printed if p not in shown]
    _label(axes, named, printed)
    return figure


def _label(axes: Axes, named: Sequence[tuple[str, float, float]], printed: Sequence[Point] = ()) -> None:
    """Write the labels; obstacles are the published markers and the lines that join them to the others."""
    joined = [p for p in printed if np.isfinite([p.x, p.y]).all()]
    notes = labels.place(
        axes,
        np.array([(x, y) for _, x, y in named]),
        [name for name, _, _ in named],
        obstacles=np.array([(p.published_x, p.published_y) for p in printed]),
        segments=np.array([((p.x, p.y), (p.published_x, p.published_y)) for p in joined]),
    )
    for note in notes:
        note.set_gid("label")


@styled
def agreement(groups: Sequence[tuple[str, Sequence[Point]]], *, title: str, scale: str = "") -> Figure:
    """Draw published (x) against reproduced (y), a panel per column of a table, with the line of equality."""
    count = len(groups)
    columns = min(count, 2 if count == 4 else 3 if count < 7 else 4)
    rows = -(-count // columns)
    width = TWO if columns > 1 else ONE
    named = width / columns > 2  # smaller panels have no room for labels
    figure, grid = panels(columns, rows, width=width, height=0.5 + rows * (width / columns))
    for axes, (head, points) in zip(grid.flat, groups, strict=False):
        both = [p for p in points if np.isfinite([p.x, p.y]).all()]
        for point in both:
            colour, marker = CATEGORIES.get(point.category, OTHER)
            axes.plot(point.x, point.y, marker=marker, color=colour, linestyle="none", zorder=3)
        axes.set(title=head, xlabel="published", ylabel="reproduced")
        _square(axes, both)
    _key(grid[0, 0], [p for _, points in groups for p in points])
    for axes in grid.flat[count:]:
        axes.set_axis_off()
    figure.suptitle(title, fontsize=8)
    stamp(figure, scale)
    for axes, (_, points) in zip(grid.flat, groups, strict=False):
        if named:
            _label(axes, [(p.label, p.x, p.y) for p in points if np.isfinite([p.x, p.y]).all()])
    return figure


def _key(axes: Axes, points: Sequence[Point]) -> None:
    for name in dict.fromkeys(point.category for point in points):
        colour, marker = CATEGORIES.get(name, OTHER)
        axes.plot([], [], marker=marker, color=colour, linestyle="none", label=name)
    axes.legend(loc="upper left", fontsize=6, handletextpad=0.1, borderaxespad=0.1)


def _square(axes: Axes, points: Sequence[Point]) -> None:
    """Give both axes the same range, logarithmic where it is wide, and draw equality."""
    values = np.array([(p.x, p.y) for p in points]).ravel()
    log = bool(len(values)) and bool(values.min() > 0) and bool(values.max() > WIDE * values.min())
    if log:
        axes.set(xscale="log", yscale="log")
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter(LogFormatterSciNotation())
            axis.set_minor_formatter(NullFormatter())
    if len(values):
        low, high = values.min(), values.max()
        pad = (high / low) ** 0.08 if log else 0.08 * (high - low or 1.0)
        limits = (low / pad, high * pad) if log else (low - pad, high + pad)
        axes.set(xlim=limits, ylim=limits)
    axes.axline((1, 1), (2, 2), color="#bbbbbb", linewidth=0.5, zorder=0)
    axes.set_aspect("equal", adjustable="box")
