"""Lines with intervals in a row of panels: quality against noise, cost against size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, MaxNLocator, NullLocator

from cutpoint.plots.style import TWO, legend_beside, look, panels, plain, stamp, styled

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


def _line(axes: Axes, line: Line, k: int, shift: float) -> None:
    spread = None
    if line.low.size and np.isfinite(line.low).any():
        spread = np.clip(np.nan_to_num(np.array([line.y - line.low, line.high - line.y])), 0, None)
    axes.errorbar(
        line.x + shift,
        line.y,
        yerr=spread,
        label=line.label,
        elinewidth=0.6,
        capsize=1.5,
        capthick=0.6,
        **look(k),
    )


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
            _line(axes, line, k, spread * (k - middle))
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
    figure.suptitle(title, fontsize=8)
    legend_beside(figure, grid[0, 0])
    stamp(figure, scale)
    return figure
