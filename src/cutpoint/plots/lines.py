"""Lines with intervals: panels with common axes, panels with a scale of their own, cost against size, one function."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, MaxNLocator, NullFormatter, NullLocator

from cutpoint.plots.style import COLOURS, ONE, TWO, legend_beside, look, panels, plain, styled, titled

MARKED = COLOURS[2]
BARS = {"elinewidth": 0.6, "capsize": 1.5, "capthick": 0.6}  # of intervals, in points
DECADES = 2  # below as many powers of ten a logarithmic axis also has numbers between them


@dataclass(frozen=True)
class Line:
    """One line: float64 [K] each, NaN for a gap; low and high may be empty."""

    label: str
    x: np.ndarray
    y: np.ndarray
    low: np.ndarray = field(default_factory=lambda: np.empty(0))
    high: np.ndarray = field(default_factory=lambda: np.empty(0))


@dataclass(frozen=True)
class Panel:
    """One panel: its title, lines, what its axis says, and what to write at some places of it."""

    title: str
    lines: Sequence[Line]
    xlabel: str
    names: Mapping[float, str] | None = None


def draw_line(axes: Axes, line: Line, k: int, shift: float = 0.0, **options: Any) -> None:
    """Draw the k-th line of a panel with its intervals, moved to the right by a shift."""
    spread = None
    if line.low.size and np.isfinite(line.low).any():
        spread = np.clip(np.nan_to_num(np.array([line.y - line.low, line.high - line.y])), 0, None)
    axes.errorbar(line.x + shift, line.y, spread, label=line.label, **BARS | options, **look(k))


def _decades(lines: Sequence[Line]) -> float:
    """Return over how many powers of ten the positive values go."""
    y = np.concatenate([line.y for line in lines] or [np.empty(0)])
    y = y[np.isfinite(y) & (y > 0)]
    return float(np.log10(y.max() / y.min())) if y.size else 0.0


@styled
def rows_of_lines(
    shown: Sequence[Panel],
    *,
    ylabel: str,
    title: str,
    log: bool = False,
    height: float = 2.5,
    share: bool = True,
    spread: float = 0.0,
    tick: str = "{:g}",
    integer: bool = True,
    scale: str = "",
) -> Figure:
    """Draw panels side by side with one legend beside them.

    Args:
        shown: the panels, each with the same lines in the same order.
        ylabel: what the vertical axes say.
        title: of the figure.
        log: logarithmic axes.
        height: inches.
        share: whether all panels have the same vertical axis.
        spread: distance between lines at the same x, so that intervals do not hide each other.
        tick: format of the numbers below the axes.
        integer: whether the vertical axes count something.
        scale: the sentence on the scale of the run.
    """
    figure, grid = panels(len(shown), width=TWO, height=height, sharey=share)
    decades = _decades([line for panel in shown for line in panel.lines])
    for axes, panel in zip(grid[0], shown, strict=True):
        middle = (len(panel.lines) - 1) / 2
        for k, line in enumerate(panel.lines):
            draw_line(axes, line, k, spread * (k - middle))
        axes.set(title=panel.title, xlabel=panel.xlabel)
        ticks = sorted({float(x) for line in panel.lines for x in line.x})
        if log:
            if len(ticks) == 1:
                axes.set_xlim(ticks[0] / 2, ticks[0] * 2)  # a single place has no range of its own
            axes.set(xscale="log", yscale="log")
            axes.xaxis.set_minor_locator(NullLocator())
            plain(axes.yaxis)
            if decades < DECADES:
                axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        else:
            axes.yaxis.set_major_locator(MaxNLocator(5, integer=integer, steps=[1, 2, 5, 10]))
        if ticks:
            axes.xaxis.set_major_locator(FixedLocator(ticks))
            names = panel.names or {}
            axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _, names=names: names.get(x, tick.format(x))))
            axes.margins(x=0.12)
    grid[0, 0].set_ylabel(ylabel)
    legend_beside(figure, grid[0, 0])
    return titled(figure, title, scale)


@styled
def growth(
    groups: Mapping[str, Sequence[Line]], *, xlabel: str, ylabel: str, title: str, floor: float, scale: str = ""
) -> Figure:
    """Draw lines in panels side by side.

    Args:
        groups: the lines by the title of their panel.
        xlabel, ylabel: what the axes say.
        title: of the figure.
        floor: what is below is shaded as noise.
        scale: the sentence on the scale of the run.
    """
    figure, grid = panels(len(groups), width=TWO, height=4.2, sharex=True, sharey=True)
    sizes = sorted({float(x) for lines in groups.values() for line in lines for x in line.x})
    for axes, (name, lines) in zip(grid[0], groups.items(), strict=True):
        for k, line in enumerate(lines):
            axes.plot(line.x, line.y, label=line.label, **look(k))
        axes.set(title=name, xlabel=xlabel, xscale="log", yscale="log")
        axes.axhspan(1e-12, floor, color="#eeeeee", zorder=0, linewidth=0)
        axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2), ncols=2, fontsize=5.5, handlelength=2.6)
    _guide(grid[0, 0], sizes, groups)
    _limits(grid[0, 0], sizes, [line for lines in groups.values() for line in lines])
    grid[0, 0].set_ylabel(ylabel)
    return titled(figure, title, scale)


def _guide(axes, sizes: Sequence[float], groups: Mapping[str, Sequence[Line]]) -> None:
    """Draw, in all panels, the slope of a cost in proportion to the size."""
    y = np.concatenate([line.y for lines in groups.values() for line in lines])
    y = y[np.isfinite(y) & (y > 0)]
    if len(sizes) < 2 or not y.size:
        return
    ends = np.array([sizes[0], sizes[-1]])
    start = float(np.exp(np.log(y).mean())) * np.sqrt(ends[0] / ends[1])
    for each in axes.figure.axes:
        each.plot(ends, start * ends / ends[0], color="#999999", linewidth=0.8, linestyle=(0, (1, 2)), zorder=1)


def _limits(axes, sizes: Sequence[float], lines: Sequence[Line]) -> None:
    """Number the axes at the sizes, and keep them to what is drawn."""
    y = np.concatenate([line.y for line in lines] or [np.empty(0)])
    y = y[np.isfinite(y) & (y > 0)]
    if y.size:
        axes.set_ylim(y.min() / 1.5, y.max() * 1.5)
    if sizes:
        axes.set_xlim(sizes[0] / 1.25, sizes[-1] * 1.25)
    for each in axes.figure.axes:
        each.xaxis.set_major_locator(FixedLocator(sizes))
        each.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:g}"))
        each.xaxis.set_minor_locator(NullLocator())
        each.tick_params(axis="x", rotation=45)
        plain(each.yaxis)


@styled
def curve(
    x: np.ndarray,
    y: np.ndarray,
    *,
    marked: Sequence[tuple[float, float, str]] = (),
    xlabel: str,
    ylabel: str,
    title: str,
    scale: str = "",
) -> Figure:
    """Draw a function.

    Args:
        x, y: float64 [K].
        marked: points and what to write below each.
        xlabel, ylabel: what the axes say.
        title: of the figure.
        scale: the sentence on the scale of the run.
    """
    figure, grid = panels(1, width=ONE, height=2.7)
    axes = grid[0, 0]
    axes.plot(x, y, color="black")
    for at, value, note in marked:
        axes.plot(at, value, marker="o", color=MARKED, linestyle="none")
        axes.annotate(note, (at, value), xytext=(0, -6), textcoords="offset points", ha="center", va="top", fontsize=7)
    axes.set(xlabel=xlabel, ylabel=ylabel)
    axes.margins(x=0.03)
    return titled(figure, title, scale)


@dataclass(frozen=True)
class Plot:
    """A panel of lines with axes of its own.

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


def draw_plot(axes: Axes, shown: Plot) -> None:
    """Draw one panel."""
    for k, line in enumerate(shown.lines):
        draw_line(axes, line, k, markersize=3)
    for label, (x, y) in shown.hollow.items():
        axes.errorbar(
            x, y, linestyle="none", marker="o", markersize=6, mfc="none", mec=MARKED, mew=0.8, label=label, zorder=5
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
def plots(shown: Sequence[Plot], *, title: str, columns: int = 3, scale: str = "") -> Figure:
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
    for k, (axes, plot) in enumerate(zip(grid.flat, shown, strict=False)):
        draw_plot(axes, plot)
        if k % columns:
            axes.set_ylabel("")
        if k + columns < len(shown):
            axes.set_xlabel("")
    for axes in grid.flat[len(shown) :]:
        axes.set_axis_off()
    fullest = max(range(len(shown)), key=lambda k: len(shown[k].hollow))
    if len(shown[fullest].lines) > 1:
        legend_beside(figure, grid.flat[fullest])
    return titled(figure, title, scale)
