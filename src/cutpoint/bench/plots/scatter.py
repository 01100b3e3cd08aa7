"""Labelled points: published against reproduced numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from cutpoint.base.families import family_of
from cutpoint.plots.style import SMALL, families_legend, panels, plain, styled, titled

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
