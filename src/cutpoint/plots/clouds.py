"""Points of two variables with their thresholds: alone, beside lines, and as series over time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from cutpoint.plots.lines import Plot, draw_plot
from cutpoint.plots.style import COLOURS, ONE, TWO, heading, panels, stamp, styled, titled

CUT = COLOURS[2]
CROWDED = 500  # points above which they are drawn smaller


@dataclass(frozen=True)
class Cloud:
    """Points to draw.

    Attributes:
        title: above them.
        xy: float64 [N, 2].
        cuts: thresholds of the first and of the second variable.
        note: below them.
    """

    title: str
    xy: np.ndarray
    cuts: tuple[np.ndarray, np.ndarray] = (np.empty(0), np.empty(0))
    note: str = ""


def _cloud(axes: Axes, shown: Cloud, names: tuple[str, str]) -> None:
    size = 1.0 if len(shown.xy) > CROWDED else 1.8
    axes.plot(*shown.xy.T, linestyle="none", marker="o", markersize=size, mew=0, color="#555555", rasterized=True)
    for cuts, draw in zip(shown.cuts, (axes.axvline, axes.axhline), strict=True):
        for cut in cuts:
            draw(cut, color=CUT, linewidth=1.0)
    axes.set(title=shown.title, xlabel=f"{names[0]}\n{shown.note}" if shown.note else names[0], ylabel=names[1])
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(5, integer=True))


@styled
def clouds(shown: Sequence[Cloud], *, names: tuple[str, str], title: str, columns: int = 2, scale: str = "") -> Figure:
    """Draw points with their thresholds in rows (Steck and Jaakkola 2007, Figures 1 and 3).

    Args:
        shown: the points.
        names: of the variables.
        title: of the figure.
        columns: in a row.
        scale: the sentence on the scale of the run.
    """
    columns = min(columns, len(shown))
    rows = -(-len(shown) // columns)
    width = ONE if columns == 1 else 0.82 * TWO
    figure, grid = panels(columns, rows, width=width, height=0.5 + 2.6 * rows)
    for axes, cloud in zip(grid.flat, shown, strict=False):
        _cloud(axes, cloud, names)
    for axes in grid.flat[len(shown) :]:
        axes.set_axis_off()
    return titled(figure, title, scale)


@styled
def beside(cloud: Cloud, shown: Sequence[Plot], *, names: tuple[str, str], title: str, scale: str = "") -> Figure:
    """Draw points with their thresholds, and panels of lines to their right (the same, Figures 4 and 5).

    Args:
        cloud: the points.
        shown: the panels, all with the same lines.
        names: of the variables.
        title: of the figure.
        scale: the sentence on the scale of the run.
    """
    figure, grid = panels(1 + len(shown), width=TWO, height=2.6)
    _cloud(grid[0, 0], cloud, names)
    for axes, plot in zip(grid[0, 1:], shown, strict=True):
        draw_plot(axes, plot)
    handles, labels = grid[0, -1].get_legend_handles_labels()
    legend = figure.legend(
        handles,
        labels,
        title=heading(figure, title),
        title_fontsize=8,
        loc="outside upper center",
        ncols=4,
        handlelength=3.2,
    )
    legend.get_title().set_multialignment("center")
    stamp(figure, scale)
    return figure


@styled
def series(
    xy: np.ndarray,
    clouds: Sequence[tuple[str, np.ndarray, str]],
    *,
    shown: int,
    names: tuple[str, str],
    title: str,
    scale: str = "",
) -> Figure:
    """Draw two series over time with the breaks between intervals, and against each other (Tran 2013, Figure 2.2).

    Args:
        xy: float64 [N, 2].
        clouds: title, breaks of both axes and a note below, for each drawing of one series against the other; the
            last breaks are also drawn across the series.
        shown: how many points to draw over time.
        names: of the series.
        title: of the figure.
        scale: the sentence on the scale of the run.
    """
    figure = Figure(figsize=(TWO, 2.9), layout="constrained")
    parts: Any = figure.subfigures(1, 2, width_ratios=[1.0, 0.72 * len(clouds)])
    left, right = parts
    for k, axes in enumerate(left.subplots(2, 1, sharex=True)):
        axes.plot(np.arange(shown), xy[:shown, k], color="black", linewidth=0.5)
        for cut in clouds[-1][1]:
            axes.axhline(cut, color=CUT, linewidth=0.8)
        axes.set_ylabel(names[k])
        axes.margins(x=0)
    axes.set_xlabel("time")
    for axes, (head, breaks, note) in zip(right.subplots(1, len(clouds), sharey=True), clouds, strict=True):
        axes.plot(*xy.T, linestyle="none", marker=".", markersize=1.0, color="black", alpha=0.5, rasterized=True)
        for cut in breaks:
            axes.axvline(cut, color=CUT, linewidth=0.4)
            axes.axhline(cut, color=CUT, linewidth=0.4)
        axes.set(title=head, xlabel=f"{names[0]}\n{note}", aspect="equal")
        axes.label_outer()
    return titled(figure, title, scale)


@styled
def records(x: np.ndarray, y: np.ndarray, *, xlabel: str, ylabel: str, title: str, scale: str = "") -> Figure:
    """Draw records of two variables (Fu 2005, Figure V-10)."""
    figure, grid = panels(1, width=ONE, height=2.9)
    axes = grid[0, 0]
    axes.plot(x, y, linestyle="none", marker="o", markersize=2.2, mfc="none", mec="black", mew=0.4)
    axes.set(xlabel=xlabel, ylabel=ylabel)
    return titled(figure, title, scale)
