"""Lines with intervals: panels with common axes, panels with a scale of their own, one function."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Annotation
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, MaxNLocator, NullFormatter, NullLocator

from cutpoint.plots.style import (
    COLOURS,
    ONE,
    TWO,
    families_legend,
    legend_beside,
    look,
    panels,
    plain,
    settle,
    styled,
    titled,
)

MARKED = COLOURS[2]
APART = 8.5  # points between the names of lines
BESIDE = 1.06  # where they stand, in widths of the panel
BARS = {"elinewidth": 0.6, "capsize": 1.5, "capthick": 0.6}  # of intervals, in points
DECADES = 2  # below as many powers of ten a logarithmic axis also has numbers between them


@dataclass(frozen=True)
class Line:
    """One line: float64 [K] each, NaN for a gap; low and high may be empty; the category is that of a method."""

    label: str
    x: np.ndarray
    y: np.ndarray
    low: np.ndarray = field(default_factory=lambda: np.empty(0))
    high: np.ndarray = field(default_factory=lambda: np.empty(0))
    category: str = field(default="", kw_only=True)

    @property
    def drawn(self) -> bool:
        """Whether there is any number."""
        return bool(np.isfinite(self.y).any())

    @property
    def end(self) -> tuple[float, float]:
        """The last place with a number."""
        k = np.flatnonzero(np.isfinite(self.y))[-1]
        return float(self.x[k]), float(self.y[k])


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
    axes.errorbar(line.x + shift, line.y, spread, label=line.label, **BARS | options, **look(k, line.category))


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
    upright: bool = False,
    scale: str = "",
) -> Figure:
    """Draw panels side by side with one legend beside them.

    Args:
        shown: the panels, with the same lines in the same order, or each with lines of its own.
        ylabel: what the vertical axes say.
        title: of the figure.
        log: logarithmic axes.
        height: inches.
        share: whether all panels have the same vertical axis.
        spread: distance between lines at the same x, so that intervals do not hide each other.
        tick: format of the numbers below the axes.
        integer: whether the vertical axes count something.
        upright: whether the names below the axes stand upright.
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
        if upright:
            axes.tick_params(axis="x", rotation=90)
    grid[0, 0].set_ylabel(ylabel)
    figure = titled(figure, title, scale)
    families_legend(figure, {line.category for panel in shown for line in panel.lines if line.category and line.drawn})
    labels = [{line.label for line in panel.lines} for panel in shown]
    apart = any(each != labels[0] for each in labels)
    named = list(zip(grid[0], shown, strict=True))[0 if apart else -1 :]
    if all(_room(panel, height) for _, panel in named) and (apart or _all_drawn(shown)):
        name_ends({axes: panel.lines for axes, panel in named})
    else:
        legend_beside(figure, grid[0, 0])
    return figure


def _room(panel: Panel, height: float) -> bool:
    """Return whether the names of the lines of a panel have room below each other."""
    return sum(line.drawn for line in panel.lines) * APART < 72 * (height - 0.9)


def _all_drawn(shown: Sequence[Panel]) -> bool:
    """Return whether the last panel has all lines that any has."""
    drawn = [{line.label for line in panel.lines if line.drawn} for panel in shown]
    return drawn[-1] >= set[str]().union(*drawn)


def name_ends(shown: Mapping[Axes, Sequence[Line]]) -> None:
    """Write the name of each line to the right of its end, in its colour, and joined to it where it had to move."""
    notes = {axes: {k: _note(axes, line, k) for k, line in enumerate(of) if line.drawn} for axes, of in shown.items()}
    for axes, mine in notes.items():
        settle(cast(Figure, axes.figure))
        tall = 72 * axes.get_window_extent().height / axes.figure.dpi
        ends = np.array([shown[axes][k].end for k in mine]).reshape(-1, 2)
        wanted = axes.transAxes.inverted().transform(axes.transData.transform(ends))[:, 1] * tall
        for note, y in zip(mine.values(), spread_out(wanted, APART), strict=True):
            note.set_position((BESIDE, y / tall))


def _note(axes: Axes, line: Line, k: int) -> Annotation:
    return axes.annotate(
        line.label,
        xy=line.end,
        xytext=(BESIDE, 0.5),
        textcoords="axes fraction",
        fontsize=7,
        va="center",
        color=look(k, line.category)["color"],
        arrowprops={"arrowstyle": "-", "linewidth": 0.4, "color": "#999999", "shrinkA": 1, "shrinkB": 3},
    )


def spread_out(wanted: np.ndarray, apart: float) -> np.ndarray:
    """Return places at least so far apart, in the order of those wanted, each group that touches about its middle."""
    groups: list[list[int]] = []
    for i in np.argsort(wanted, kind="stable").tolist():
        groups.append([i])
        while len(groups) > 1 and _bottom(wanted, groups[-1], apart) < _bottom(wanted, groups[-2], apart) + apart * len(
            groups[-2]
        ):
            groups[-2:] = [groups[-2] + groups[-1]]
    found = np.empty(len(wanted))
    for group in groups:
        found[group] = _bottom(wanted, group, apart) + apart * np.arange(len(group))
    return found


def _bottom(wanted: np.ndarray, group: Sequence[int], apart: float) -> float:
    """Return the lowest place of a group that lies as near as it can to where its members would be."""
    return float(np.mean(wanted[list(group)] - apart * np.arange(len(group))))


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
