"""Points of two variables with their thresholds, alone and beside lines that tell of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, MaxNLocator, NullFormatter, NullLocator

from cutpoint.plots.lines import Line
from cutpoint.plots.style import COLOURS, ONE, TWO, legend_beside, look, panels, plain, stamp, styled

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


@dataclass(frozen=True)
class Graph:
    """A panel of lines.

    Attributes:
        title: above it.
        lines: the lines; all panels of a figure have the same, in the same order.
        xlabel, ylabel: what the axes say.
        marked: a place of the horizontal axis to mark, if any.
        log: whether the horizontal axis is logarithmic.
        named: places of the horizontal axis that have a number; all where none is given.
        hollow: points drawn without a line, by their label: x and y.
        integer: whether the vertical axis counts something.
    """

    title: str
    lines: Sequence[Line]
    xlabel: str
    ylabel: str
    marked: float | None = None
    log: bool = False
    named: Sequence[float] = ()
    hollow: Mapping[str, tuple[np.ndarray, np.ndarray]] = field(default_factory=dict)
    integer: bool = False


def _cloud(axes: Axes, shown: Cloud, names: tuple[str, str]) -> None:
    size = 1.0 if len(shown.xy) > CROWDED else 1.8
    axes.plot(*shown.xy.T, linestyle="none", marker="o", markersize=size, mew=0, color="#555555", rasterized=True)
    for cuts, draw in zip(shown.cuts, (axes.axvline, axes.axhline), strict=True):
        for cut in cuts:
            draw(cut, color=CUT, linewidth=1.0)
    axes.set(title=shown.title, xlabel=f"{names[0]}\n{shown.note}" if shown.note else names[0], ylabel=names[1])
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(5, integer=True))


def _graph(axes: Axes, shown: Graph) -> None:
    for k, line in enumerate(shown.lines):
        spread = None
        if line.low.size and np.isfinite(line.low).any():
            spread = np.clip(np.nan_to_num(np.array([line.y - line.low, line.high - line.y])), 0, None)
        axes.errorbar(line.x, line.y, yerr=spread, label=line.label, elinewidth=0.6, capsize=1.5, capthick=0.6,
                      markersize=3, **look(k))  # fmt: skip
    for label, (x, y) in shown.hollow.items():
        axes.errorbar(
            x, y, linestyle="none", marker="o", markersize=6, mfc="none", mec=CUT, mew=0.8, label=label, zorder=5
        )
    if shown.marked is not None:
        axes.axvline(shown.marked, color="#bbbbbb", linewidth=0.8, zorder=0)
    places = sorted({float(x) for line in shown.lines for x in line.x})
    if shown.log:
        axes.set_xscale("log")
        plain(axes.xaxis, minor=False)
    if places:
        kept = [x for x in places if x in shown.named] if shown.named else places
        axes.xaxis.set_major_locator(FixedLocator(kept))
        axes.xaxis.set_minor_locator(NullLocator())
        axes.xaxis.set_minor_formatter(NullFormatter())
    axes.yaxis.set_major_locator(MaxNLocator(5, integer=shown.integer, steps=[1, 2, 5, 10]))
    axes.set(title=shown.title, xlabel=shown.xlabel, ylabel=shown.ylabel)


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
    figure.suptitle(title, fontsize=8)
    stamp(figure, scale)
    return figure


@styled
def graphs(shown: Sequence[Graph], *, title: str, columns: int = 3, scale: str = "") -> Figure:
    """Draw panels of lines in rows, each with a scale of its own (Steck and Jaakkola 2007, Figure 2).

    Labels of axes stand at the outer panels.

    Args:
        shown: the panels.
        title: of the figure.
        columns: in a row.
        scale: the sentence on the scale of the run.
    """
    columns = min(columns, len(shown))
    rows = -(-len(shown) // columns)
    figure, grid = panels(columns, rows, width=TWO, height=0.6 + 1.7 * rows)
    for k, (axes, graph) in enumerate(zip(grid.flat, shown, strict=False)):
        _graph(axes, graph)
        if k % columns:
            axes.set_ylabel("")
        if k + columns < len(shown):
            axes.set_xlabel("")
    for axes in grid.flat[len(shown) :]:
        axes.set_axis_off()
    fullest = max(range(len(shown)), key=lambda k: len(shown[k].hollow))
    if len(shown[fullest].lines) > 1:
        legend_beside(figure, grid.flat[fullest])
    figure.suptitle(title, fontsize=8)
    stamp(figure, scale)
    return figure


@styled
def beside(cloud: Cloud, shown: Sequence[Graph], *, names: tuple[str, str], title: str, scale: str = "") -> Figure:
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
    for axes, graph in zip(grid[0, 1:], shown, strict=True):
        _graph(axes, graph)
    handles, labels = grid[0, -1].get_legend_handles_labels()
    legend = figure.legend(
        handles, labels, title=title, title_fontsize=8, loc="outside upper center", ncols=4, handlelength=3.2
    )
    legend.get_title().set_multialignment("center")
    stamp(figure, scale)
    return figure
