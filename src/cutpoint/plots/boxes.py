"""A graph as boxes in layers, each with a variable and the shares of its levels."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, Rectangle

from cutpoint.plots.style import COLOURS, clipped, styled

WIDTH, LINE = 1.6, 0.135  # inches: of a box, and of a line of text
ACROSS, DOWN = 0.35, 0.45  # inches between boxes and between layers
SIZE = 6.5  # points of text
LONGEST = 22  # characters of a name


@dataclass(frozen=True)
class Box:
    """A variable to draw: its name, its levels from the first to the last, and how probable they are."""

    name: str
    levels: tuple[str, ...] = ()
    shares: tuple[float, ...] = ()

    @property
    def height(self) -> float:
        """Inches."""
        return LINE * (len(self.levels) + 1) + 0.08


@styled
def boxes(nodes: Sequence[Box], layers: Sequence[Sequence[int]], edges: Sequence[tuple[int, int, bool]]) -> Figure:
    """Draw boxes in layers, each from left to right, joined by edges: two boxes, and whether it has a direction."""
    widest = max((len(row) for row in layers), default=1)
    heights = [max((nodes[i].height for i in row), default=0.0) for row in layers]
    across = max(widest * (WIDTH + ACROSS), WIDTH + ACROSS)
    down = sum(heights) + DOWN * (len(layers) + 1)
    figure = Figure(figsize=(across, down))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, across), ylim=(down, 0))
    axes.set_axis_off()
    corners = _corners(nodes, layers, heights, across)
    for source, target, directed in edges:
        _join(axes, corners, nodes, (source, target), directed)
    for box, corner in zip(nodes, corners, strict=True):
        _draw(axes, box, *corner)
    return figure


def _corners(
    nodes: Sequence[Box], layers: Sequence[Sequence[int]], heights: Sequence[float], across: float
) -> np.ndarray:
    """Return the upper left corner of each box, inches [n, 2] from the upper left of the figure."""
    corners = np.zeros((len(nodes), 2))
    y = DOWN
    for row, height in zip(layers, heights, strict=True):
        free = across - len(row) * WIDTH
        for k, i in enumerate(row):
            corners[i] = (k + 1) * free / (len(row) + 1) + k * WIDTH, y
        y += height + DOWN
    return corners


def _join(axes: Axes, corners: np.ndarray, nodes: Sequence[Box], pair: tuple[int, int], directed: bool) -> None:
    (x0, y0), (x1, y1) = corners[list(pair)] + (WIDTH / 2, 0)
    upper, lower = (nodes[i].height for i in pair)
    start, end = ((x0, y0 + upper), (x1, y1)) if y0 < y1 else ((x0, y0), (x1, y1 + lower))
    style = "-|>" if directed else "-"
    axes.add_patch(
        FancyArrowPatch(start, end, arrowstyle=style, mutation_scale=7, shrinkA=0, shrinkB=0, color="#555555", lw=0.8)
    )


def _draw(axes: Axes, box: Box, x: float, y: float) -> None:
    axes.add_patch(Rectangle((x, y), WIDTH, box.height, facecolor="white", edgecolor="black", lw=0.7, zorder=2))
    title: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": SIZE + 0.5, "zorder": 4}
    axes.text(x + WIDTH / 2, y + LINE * 0.7, clipped(box.name, LONGEST), **title)
    for k, (level, share) in enumerate(zip(box.levels, box.shares, strict=True), 1):
        top = y + LINE * k + 0.07
        size = share * (WIDTH - 0.04), LINE * 0.85
        axes.add_patch(Rectangle((x + 0.02, top), *size, facecolor=COLOURS[4], alpha=0.35, zorder=3))
        middle: dict[str, Any] = {"y": top + LINE * 0.45, "va": "center", "fontsize": SIZE, "zorder": 4}
        axes.text(x + 0.05, s=clipped(level, LONGEST), **middle)
        axes.text(x + WIDTH - 0.05, s=f"{share:.2f}", ha="right", **middle)
