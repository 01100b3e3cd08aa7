"""A graph as boxes in layers, each with a variable and the shares of its levels, joined by curves."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, Rectangle
from matplotlib.path import Path

from cutpoint.graphs.layers import Drawing
from cutpoint.plots.style import COLOURS, clipped, styled

WIDTH, LINE = 1.6, 0.135  # inches: of a box, and of a line of text
ACROSS, DOWN, AROUND = 0.35, 0.45, 0.3  # inches between boxes, between layers, and around all
POINTS = 72  # of an inch
SIZE = 6.5  # points of text
LONGEST = 22  # characters of a name
Shares = Mapping[str, float]  # of the levels of a variable


@styled
def boxes(variables: Mapping[str, Shares], dag: np.ndarray, edges: Sequence[tuple[int, int, bool]]) -> Figure:
    """Draw boxes in the layers of a DAG, bool [n, n], joined by edges: two boxes, and whether it has a direction.

    variables: by name how probable its levels are, from the first to the last; {} for the name alone.
    """
    heights = [LINE * (len(shares) + 1) + 0.08 for shares in variables.values()]
    sizes = [(POINTS * WIDTH, POINTS * height) for height in heights]
    drawing = Drawing.of(dag, sizes, (POINTS * ACROSS, POINTS * DOWN))
    across, down = np.array(drawing.size) / POINTS + AROUND
    figure = Figure(figsize=(across + AROUND, down + AROUND))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(-AROUND, across), ylim=(down, -AROUND))
    axes.set_axis_off()
    for source, target, directed in edges:
        join(axes, drawing, (source, target), directed, mutation_scale=7, color="#555555", lw=0.8)
    for name, height, (x, y) in zip(variables, heights, drawing.middles / POINTS, strict=True):
        _draw(axes, name, variables[name], (x - WIDTH / 2, y - height / 2, height))
    return figure


def join(axes: Axes, drawing: Drawing, pair: tuple[int, int], directed: bool, **look: Any) -> None:
    """Draw an edge in inches, along the curve of the arc between two nodes, or of that back."""
    forth = pair in drawing.curves
    points = drawing.curves[pair] if forth else drawing.curves[pair[::-1]][::-1]
    codes = [*[Path.CURVE4] * (len(points) - 2), Path.LINETO]
    path = Path(points / POINTS, [Path.MOVETO, *(codes if forth else codes[::-1])])
    axes.add_patch(FancyArrowPatch(path=path, arrowstyle="-|>" if directed else "-", **look))


def _draw(axes: Axes, name: str, shares: Shares, place: tuple[float, float, float]) -> None:
    x, y, height = place
    axes.add_patch(Rectangle((x, y), WIDTH, height, facecolor="white", edgecolor="black", lw=0.7, zorder=2))
    title: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": SIZE + 0.5, "zorder": 4}
    axes.text(x + WIDTH / 2, y + LINE * 0.7, clipped(name, LONGEST), **title)
    for k, (level, share) in enumerate(shares.items(), 1):
        top = y + LINE * k + 0.07
        size = share * (WIDTH - 0.04), LINE * 0.85
        axes.add_patch(Rectangle((x + 0.02, top), *size, facecolor=COLOURS[4], alpha=0.35, zorder=3))
        middle: dict[str, Any] = {"y": top + LINE * 0.45, "va": "center", "fontsize": SIZE, "zorder": 4}
        axes.text(x + 0.05, s=clipped(level, LONGEST), **middle)
        axes.text(x + WIDTH - 0.05, s=f"{share:.2f}", ha="right", **middle)
