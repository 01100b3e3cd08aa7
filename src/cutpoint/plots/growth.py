"""Cost against size on logarithmic axes, a panel for each category, which has its own legend below it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from cutpoint.plots.lines import Line
from cutpoint.plots.style import TWO, look, panels, plain, stamp, styled


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
    figure.suptitle(title, fontsize=8)
    stamp(figure, scale)
    return figure


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
