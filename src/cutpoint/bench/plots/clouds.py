"""Points of two variables with their thresholds: alone, beside lines, and as series over time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from cutpoint.bench.plots.lines import LinePanel, draw_panel, lines_legend
from cutpoint.plots.style import COLOURS, ONE, panels, styled, titled

CUT = COLOURS[2]
CROWDED = 500  # points above which they are drawn smaller


@dataclass(frozen=True)
class Cloud:
    """Points to draw, float64 [N, 2], the thresholds of both variables, and a note below."""

    title: str
    xy: np.ndarray
    cuts: tuple[np.ndarray, np.ndarray] = (np.empty(0), np.empty(0))
    note: str = ""


def _cloud(axes: Axes, cloud: Cloud, names: tuple[str, str]) -> None:
    size = 1.0 if len(cloud.xy) > CROWDED else 1.8
    axes.plot(*cloud.xy.T, linestyle="none", marker="o", markersize=size, mew=0, color="#555555", rasterized=True)
    for cuts, draw in zip(cloud.cuts, (axes.axvline, axes.axhline), strict=True):
        for cut in cuts:
            draw(cut, color=CUT, linewidth=1.0)
    axes.set(title=cloud.title, xlabel=f"{names[0]}\n{cloud.note}" if cloud.note else names[0], ylabel=names[1])
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))


@styled
def clouds(samples: Sequence[Cloud], *, names: tuple[str, str], title: str, scale: str = "") -> Figure:
    """Draw points with their thresholds in rows of two (Steck and Jaakkola 2007, Figures 1 and 3)."""
    figure, grid = panels(len(samples), 2, height=2.2)
    for axes, cloud in zip(grid, samples, strict=True):
        _cloud(axes, cloud, names)
    return titled(figure, title, scale)


@styled
def above(cloud: Cloud, rows: Sequence[LinePanel], *, names: tuple[str, str], title: str, scale: str = "") -> Figure:
    """Draw points with their thresholds, and panels with the same lines below them (the same, Figure 5)."""
    figure, (first, *rest) = panels(1 + len(rows), height=1.7)
    _cloud(first, cloud, names)
    for axes, panel in zip(rest, rows, strict=True):
        draw_panel(axes, panel)
    lines_legend(figure, dict(zip(rest, rows, strict=True)))
    return titled(figure, title, scale)


@styled
def series(
    xy: np.ndarray,
    clouds: Sequence[tuple[str, np.ndarray, str]],
    *,
    count: int,
    names: tuple[str, str],
    title: str,
    scale: str = "",
) -> Figure:
    """Draw two series over time with the breaks between intervals, and against each other (Tran 2013, Figure 2.2).

    Clouds are title, breaks of both axes and a note below, for each drawing of one series against the other; the last
    breaks are also drawn across the series, of which so many points are shown.
    """
    figure = Figure(figsize=(ONE, 4.2), layout="constrained")
    parts: Any = figure.subfigures(2, 1)
    upper, lower = parts
    for k, axes in enumerate(upper.subplots(2, 1, sharex=True)):
        axes.plot(np.arange(count), xy[:count, k], color="black", linewidth=0.5)
        for cut in clouds[-1][1]:
            axes.axhline(cut, color=CUT, linewidth=0.8)
        axes.set_ylabel(names[k])
        axes.margins(x=0)
    axes.set_xlabel("time")
    for axes, (head, breaks, note) in zip(lower.subplots(1, len(clouds), sharey=True), clouds, strict=True):
        axes.plot(*xy.T, linestyle="none", marker=".", markersize=1.0, color="black", alpha=0.5, rasterized=True)
        for cut in breaks:
            axes.axvline(cut, color=CUT, linewidth=0.4)
            axes.axhline(cut, color=CUT, linewidth=0.4)
        axes.set(title=head, xlabel=f"{names[0]}\n{note}", aspect="equal")
        axes.label_outer()
    return titled(figure, title, scale)
