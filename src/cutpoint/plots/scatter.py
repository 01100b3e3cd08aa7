"""Labelled points: cost against quality, and published against reproduced."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from cutpoint.plots import labels
from cutpoint.plots.style import CATEGORIES, OTHER, TWO, heading, panels, plain, stamp, styled

ROOM = 2  # panels side by side in which there is room for the names of all points
NAMED = 3  # points named in a smaller panel, those furthest from equality
APART = 0.2  # least distance between them as a share of the axis, which keeps their labels apart
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


def _legend(figure: Figure, title: str, handles: Sequence[Artist]) -> None:
    """Write the title of a figure with the legend below it, above all panels."""
    legend = figure.legend(
        handles=handles,
        title=heading(figure, title),
        title_fontsize=8,
        loc="outside upper center",
        ncols=6,
        handletextpad=0.2,
    )
    legend.get_title().set_multialignment("center")


def _categories(axes: Axes, points: Sequence[Point], looks: Mapping[str, tuple[str, str]]) -> list[Artist]:
    handles: list[Artist] = []
    for name in dict.fromkeys(point.category for point in points):
        colour, marker = looks.get(name, OTHER)
        handles += axes.plot([], [], marker=marker, color=colour, linestyle="none", label=name)
    return handles


def _kinds(axes: Axes, points: Sequence[Point]) -> list[Artist]:
    handles: list[Artist] = []
    handles += axes.plot([], [], marker="o", color="#444444", linestyle="none", label="reproduced (filled)")
    if _finite(points, published=True):
        handles += axes.plot([], [], "o", mfc="white", mec="#444444", mew=0.7, label="published (hollow)")
    return handles


@styled
def tradeoff(
    points: Sequence[Point], *, xlabel: str, ylabel: str, title: str, scale: str = "", flip: bool = False
) -> Figure:
    """Draw cost (log x) against quality, one labelled point per method (Fu 2005, Figures V-4 to V-6)."""
    figure, grid = panels(1, width=TWO, height=4.2)
    axes = grid[0, 0]
    shown = _finite(points, published=False)
    _mark(axes, points)
    axes.set(xscale="log", xlabel=xlabel, ylabel=ylabel)
    plain(axes.xaxis)
    axes.axhline(1, color="#bbbbbb", linewidth=0.5, zorder=0)
    axes.axvline(1, color="#bbbbbb", linewidth=0.5, zorder=0)
    axes.margins(0.09, 0.09)
    if flip:
        axes.invert_yaxis()
    _legend(figure, title, [*_categories(axes, points, CATEGORIES), *_kinds(axes, points)])
    stamp(figure, scale)
    printed = _finite(points, published=True)
    # A method without a reproduced point is named at its published one.
    only = " (published only)" if shown else ""
    named = [(p.label, p.x, p.y) for p in shown]
    named += [(p.label + only, p.published_x, p.published_y) for p in printed if p not in shown]
    _label(axes, named, printed)
    return figure


def _label(
    axes: Axes,
    named: Sequence[tuple[str, float, float]],
    printed: Sequence[Point] = (),
    obstacles: Sequence[tuple[float, float]] = (),
) -> None:
    """Write the labels clear of other markers, of published ones, and of the lines that join these to the others."""
    joined = [p for p in printed if np.isfinite([p.x, p.y]).all()]
    notes = labels.place(
        axes,
        np.array([(x, y) for _, x, y in named]),
        [name for name, _, _ in named],
        obstacles=np.array([*obstacles, *((p.published_x, p.published_y) for p in printed)]),
        segments=np.array([((p.x, p.y), (p.published_x, p.published_y)) for p in joined]),
    )
    for note in notes:
        note.set_gid("label")


@styled
def agreement(
    groups: Sequence[tuple[str, Sequence[Point]]],
    *,
    title: str,
    scale: str = "",
    looks: Mapping[str, tuple[str, str]] = CATEGORIES,
) -> Figure:
    """Draw published (x) against reproduced (y), a panel per column of a table, with the line of equality.

    Small panels name the points furthest from the line.

    Args:
        groups: title and points of each panel.
        title: of the figure.
        scale: the sentence on the scale of the run.
        looks: colour and marker by the category of a point.
    """
    count = len(groups)
    title += "; named: those far from equality" if count > ROOM else ""
    columns = 3 if count in (5, 6) else min(count, 4)
    rows = -(-count // columns)
    width = TWO if columns > ROOM else TWO * (0.25 + 0.25 * columns)
    figure, grid = panels(columns, rows, width=width, height=0.75 + rows * (width / columns + 0.2))
    kept = [[p for p in points if np.isfinite([p.x, p.y]).all()] for _, points in groups]
    for axes, (head, _), points in zip(grid.flat, groups, kept, strict=False):
        for point in points:
            colour, marker = looks.get(point.category, OTHER)
            axes.plot(point.x, point.y, marker=marker, color=colour, linestyle="none", zorder=3)
        axes.set_title(head)
        _square(axes, points)
    for axes in grid.flat[count:]:
        axes.set_axis_off()
    for axes in grid[:, 0]:
        axes.set_ylabel("reproduced")
    for axes in grid[-1]:
        axes.set_xlabel("published")
    _legend(figure, title, _categories(grid[0, 0], [p for points in kept for p in points], looks))
    stamp(figure, scale)
    for axes, points in zip(grid.flat, kept, strict=False):
        shown = points if count <= ROOM else _furthest(points)
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
