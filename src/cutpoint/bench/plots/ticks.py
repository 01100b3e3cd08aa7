"""Histograms with the thresholds of several methods as rows of ticks below them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from cutpoint.base.families import family_of
from cutpoint.bench.plots.dots import DotRow
from cutpoint.plots.style import ONE, PAGE, SMALL, TWO, clipped, panels, styled, titled

HIGH = 0.6  # inches of a histogram
ROW = 0.115  # inches of a row of ticks
ABREAST = 2  # histograms in a column of a paper
BINS = 30
FAR = 5.0  # interquartile ranges from the quartiles beyond which values are out of view
HEAD = 0.45  # inches that its name and numbers take
FAINT = "#dddddd"


@dataclass(frozen=True)
class Variable:
    """A histogram to draw: of values [N], with the thresholds of each method, None for a method without."""

    name: str
    values: np.ndarray
    cuts: Sequence[np.ndarray | None]


def view(values: np.ndarray) -> tuple[float, float]:
    """Return the range to show: all of it, but of few far values where they would squeeze the others together."""
    low, high = float(values.min()), float(values.max())
    first, third = np.quantile(values, [0.25, 0.75])
    if third > first:
        low, high = max(low, float(first - FAR * (third - first))), min(high, float(third + FAR * (third - first)))
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def _draw(axes: Axes, variable: Variable, scale: float, colours: Sequence[str]) -> None:
    low, high = view(variable.values)
    beyond = int(((variable.values < low) | (variable.values > high)).sum())
    counts, edges = np.histogram(variable.values, bins=BINS, range=(low, high))
    axes.bar(edges[:-1], counts / max(counts.max(), 1), np.diff(edges), align="edge", color="#9bb8cc", linewidth=0)
    for k, cuts in enumerate(variable.cuts):
        at = -(k + 1) * scale
        axes.plot([low, high], [at, at], color=FAINT, linewidth=0.5, zorder=1)
        if cuts is None:
            continue
        look: dict[str, Any] = {"linestyle": "none", "color": colours[k], "zorder": 2, "clip_on": False}
        look["in_layout"] = False  # a line without points would stand in the corner of the figure
        inside = cuts[(cuts >= low) & (cuts <= high)]
        axes.plot(inside, np.full(len(inside), at), marker="|", markersize=5.5, markeredgewidth=1.1, **look)
        for end, mark, far in ((low, "<", cuts < low), (high, ">", cuts > high)):
            axes.plot([end] * bool(far.any()), [at] * bool(far.any()), marker=mark, markersize=3, **look)
    pad = 0.02 * (high - low)
    axes.set(xlim=(low - pad, high + pad), ylim=(-(len(variable.cuts) + 0.7) * scale, 1.05))
    axes.set_title(clipped(variable.name), fontsize=7, pad=2)
    if beyond:
        side, at = ("right", 1.0) if variable.values.max() > high else ("left", 0.0)
        text = axes.text(at, 0.99, f"{beyond} further out", transform=axes.transAxes, ha=side, va="top")
        text.set(fontsize=SMALL, color="#666666")
    axes.xaxis.set_major_locator(MaxNLocator(3))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:.6g}"))
    axes.tick_params(axis="x", labelsize=6)
    axes.spines["left"].set_visible(False)


@styled
def thresholds(methods: Sequence[DotRow], variables: Sequence[Variable], *, title: str, scale: str = "") -> Figure:
    """Draw a histogram of every variable and a row of ticks for every method below it."""
    height = HIGH + ROW * (len(methods) + 0.7) + HEAD

    def columns_of(width: float) -> int:
        return max(1, min(len(variables), round(ABREAST * width / ONE)))

    width = ONE if -(-len(variables) // columns_of(ONE)) * height <= PAGE else TWO
    columns = columns_of(width)
    figure, grid = panels(len(variables), columns, height=height, width=width)
    unit = ROW / HIGH  # a row of ticks on the axis of the histogram
    colours = [family_of(method.category).light for method in methods]
    for k, (axes, variable) in enumerate(zip(grid, variables, strict=True)):
        _draw(axes, variable, unit, colours)
        names = [method.label if k % columns == 0 else "" for method in methods]
        axes.set_yticks([-(i + 1) * unit for i in range(len(methods))], names, fontsize=SMALL)
        axes.tick_params(axis="y", length=0)
        for text, colour in zip(axes.get_yticklabels(), colours, strict=True):
            text.set_color(colour)
    return titled(figure, title, scale)
