"""Labelled points: published against reproduced numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from cutpoint.base.families import family_of
from cutpoint.bench.plots import labels
from cutpoint.plots.style import legend_below, panels, plain, styled, titled

COLUMNS = 2  # in a row; one alone has room for the names of all points
NAMED = 3  # points named in a smaller panel, those furthest from equality
APART = 0.3  # least distance between them as a share of the axis, which keeps their labels apart
NO_LOOKS: Mapping[str, tuple[str, str]] = {}
WIDE = 20  # ratio of the largest to the smallest number above which an axis is logarithmic


@dataclass(frozen=True)
class Point:
    """A number of a method: published (x) and reproduced (y), NaN where there is none."""

    label: str
    category: str
    x: float
    y: float


def _categories(axes: Axes, points: Sequence[Point], looks: Mapping[str, tuple[str, str]]) -> list[Artist]:
    handles: list[Artist] = []
    for name in dict.fromkeys(point.category for point in points):
        colour, marker = look_of(name, looks)
        title = name if name in looks else family_of(name).title
        handles += axes.plot([], [], marker=marker, color=colour, linestyle="none", label=title)
    return handles


def look_of(category: str, looks: Mapping[str, tuple[str, str]]) -> tuple[str, str]:
    """Return colour and marker of a category, those of its family where none are named."""
    family = family_of(category)
    return looks.get(category, (family.light, family.marker))


def _label(
    axes: Axes, named: Sequence[tuple[str, float, float]], obstacles: Sequence[tuple[float, float]] = ()
) -> None:
    """Write the labels clear of each other and of other markers."""
    places = np.array([(x, y) for _, x, y in named])
    for note in labels.place(axes, places, [name for name, _, _ in named], obstacles=np.array(obstacles)):
        note.set_gid("label")


@styled
def agreement(
    groups: Sequence[tuple[str, Sequence[Point]]],
    *,
    title: str,
    scale: str = "",
    looks: Mapping[str, tuple[str, str]] = NO_LOOKS,
) -> Figure:
    """Draw published (x) against reproduced (y), a panel per column of a table, with the line of equality.

    Small panels name the points furthest from the line.

    Args:
        groups: title and points of each panel.
        title: of the figure.
        scale: the sentence on the scale of the run.
        looks: colour and marker by the category of a point, where they are not those of its family.
    """
    count = len(groups)
    title += "; named: those far from equality" if count > 1 else ""
    figure, grid = panels(count, COLUMNS, height=3.0 if count == 1 else 1.8)
    kept = [[p for p in points if np.isfinite([p.x, p.y]).all()] for _, points in groups]
    for axes, (head, _), points in zip(grid, groups, kept, strict=True):
        for point in points:
            colour, marker = look_of(point.category, looks)
            axes.plot(point.x, point.y, marker=marker, color=colour, linestyle="none", zorder=3)
        axes.set_title(head)
        _square(axes, points)
    for axes in grid[::COLUMNS]:
        axes.set_ylabel("reproduced")
    for axes in grid[-COLUMNS:]:
        axes.set_xlabel("published")
    legend_below(figure, _categories(grid[0], [p for points in kept for p in points], looks), handlelength=1.4)
    titled(figure, title, scale)
    for axes, points in zip(grid, kept, strict=True):
        shown = points if count == 1 else _furthest(points)
        others = [(p.x, p.y) for p in points if p not in shown]
        _label(axes, [(p.label, p.x, p.y) for p in shown], obstacles=others)
    return figure


def _wide(points: Sequence[Point]) -> bool:
    values = np.array([(p.x, p.y) for p in points]).ravel()
    return bool(len(values)) and bool(values.min() > 0) and bool(values.max() > WIDE * values.min())


def _furthest(points: Sequence[Point]) -> list[Point]:
    """Return points far from equality, as ratios where the axes are logarithmic, one of each crowd."""
    xy = np.array([(p.x, p.y) for p in points]).reshape(-1, 2)
    xy = np.log(xy) if _wide(points) else xy
    near = APART * np.ptp(xy) if len(xy) else 0.0
    named: list[int] = []
    for i in np.argsort(-np.abs(xy[:, 0] - xy[:, 1]), kind="stable"):
        if len(named) < NAMED and (np.hypot(*(xy[named] - xy[i]).T) >= near).all():
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
