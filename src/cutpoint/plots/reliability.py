"""Reliability diagrams: how often what has a confidence is true."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator

from cutpoint.plots.lines import Line, draw_line
from cutpoint.plots.style import TWO, legend_beside, plain, styled, titled

TICKS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
SHIFT = 0.008  # between lines, so that intervals do not hide each other
HEIGHTS = (3.2, 1.0)  # of the diagram and the counts below it
LEAST = 0.7  # where the logarithmic axis of the counts starts


@dataclass(frozen=True)
class Diagram:
    """One panel.

    Attributes:
        title: of the panel.
        lines: share of true features against mean confidence, both 0 to 1, a line per method.
        counts: numbers [B], features by bin of confidence, shown below.
        edges: float64 [B + 1], where the bins of the counts start and end.
    """

    title: str
    lines: Sequence[Line]
    counts: np.ndarray
    edges: np.ndarray


@styled
def diagrams(shown: Sequence[Diagram], *, ylabel: str, counted: str, title: str, scale: str = "") -> Figure:
    """Draw reliability diagrams side by side, each above a histogram of its confidences.

    Args:
        shown: the panels, each with the same lines in the same order.
        ylabel: what the share is of.
        counted: what the histograms count.
        title: of the figure.
        scale: the sentence on the scale of the run.
    """
    figure = Figure(figsize=(TWO, 3.6), layout="constrained")
    grid = figure.subplots(
        2, len(shown), squeeze=False, sharex=True, sharey="row", gridspec_kw={"height_ratios": HEIGHTS}
    )
    for (above, below), panel in zip(grid.T, shown, strict=True):
        _diagram(above, panel)
        below.bar(
            panel.edges[:-1], panel.counts, np.diff(panel.edges), align="edge", color="#999999", edgecolor="white"
        )
        below.set(yscale="log", xlabel="confidence", ylim=(LEAST, None))
        plain(below.yaxis, minor=False)
    grid[0, 0].set_ylabel(ylabel)
    grid[1, 0].set_ylabel(counted)
    legend_beside(figure, grid[0, 0])
    return titled(figure, title, scale)


def _diagram(axes: Axes, panel: Diagram) -> None:
    axes.plot([0, 1], [0, 1], color="#999999", linewidth=0.8, zorder=0)
    middle = (len(panel.lines) - 1) / 2
    for k, line in enumerate(panel.lines):
        draw_line(axes, line, k, SHIFT * (k - middle), elinewidth=0.5, capsize=0, capthick=None)
    axes.set(title=panel.title, xlim=(-0.06, 1.04), ylim=(-0.04, 1.04))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(FixedLocator(TICKS))
