"""Reliability diagrams: how often what has a confidence is true."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator

from cutpoint.bench.plots.lines import Line, draw_line
from cutpoint.plots.style import ONE, legend_below, plain, styled, titled

TICKS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
SHIFT = 0.008  # between lines, so that intervals do not hide each other
HEIGHT, HEIGHTS = 2.4, (3.2, 1.0)  # inches of both, and of what share are the diagram and the counts below it
LEAST = 0.7  # where the logarithmic axis of the counts starts


@dataclass(frozen=True)
class Diagram:
    """One panel: the share of true features against mean confidence, a line per method, and features by bin.

    Counts are numbers [B], and edges float64 [B + 1], where the bins start and end.
    """

    title: str
    lines: Sequence[Line]
    counts: np.ndarray
    edges: np.ndarray


@styled
def diagrams(rows: Sequence[Diagram], *, ylabel: str, counted: str, title: str, scale: str = "") -> Figure:
    """Draw reliability diagrams with the same lines below each other, each above a histogram of its confidences."""
    figure = Figure(figsize=(ONE, 0.6 + HEIGHT * len(rows)), layout="constrained")
    grid = figure.subplots(
        2 * len(rows), 1, squeeze=False, sharex=True, gridspec_kw={"height_ratios": HEIGHTS * len(rows)}
    )
    for (above, below), panel in zip(grid.reshape(-1, 2), rows, strict=True):
        _diagram(above, panel)
        below.bar(
            panel.edges[:-1], panel.counts, np.diff(panel.edges), align="edge", color="#999999", edgecolor="white"
        )
        below.set(yscale="log", ylim=(LEAST, None), ylabel=counted)
        plain(below.yaxis, minor=False)
        above.set_ylabel(ylabel)
    grid[-1, 0].set_xlabel("confidence")
    legend_below(figure, grid[0, 0].get_legend_handles_labels()[0])
    return titled(figure, title, scale)


def _diagram(axes: Axes, panel: Diagram) -> None:
    axes.plot([0, 1], [0, 1], color="#999999", linewidth=0.8, zorder=0)
    middle = (len(panel.lines) - 1) / 2
    for k, line in enumerate(panel.lines):
        draw_line(axes, line, k, SHIFT * (k - middle), elinewidth=0.5, capsize=0, capthick=None)
    axes.set(title=panel.title, xlim=(-0.06, 1.04), ylim=(-0.04, 1.04))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(FixedLocator(TICKS))
