"""A function of one variable, and series with the intervals that they are cut into."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from cutpoint.plots.style import COLOURS, ONE, TWO, panels, stamp, styled

CUT = COLOURS[2]


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
        axes.plot(at, value, marker="o", color=CUT, linestyle="none")
        axes.annotate(note, (at, value), xytext=(0, -6), textcoords="offset points", ha="center", va="top", fontsize=7)
    axes.set(xlabel=xlabel, ylabel=ylabel)
    axes.margins(x=0.03)
    figure.suptitle(title, fontsize=8)
    stamp(figure, scale)
    return figure


@styled
def series(
    xy: np.ndarray,
    clouds: Sequence[tuple[str, np.ndarray, str]],
    *,
    shown: int,
    names: tuple[str, str],
    title: str,
    scale: str = "",
) -> Figure:
    """Draw two series over time with the breaks between intervals, and against each other (Tran 2013, Figure 2.2).

    Args:
        xy: float64 [N, 2].
        clouds: title, breaks of both axes and a note below, for each drawing of one series against the other; the
            last breaks are also drawn across the series.
        shown: how many points to draw over time.
        names: of the series.
        title: of the figure.
        scale: the sentence on the scale of the run.
    """
    figure = Figure(figsize=(TWO, 2.9), layout="constrained")
    parts: Any = figure.subfigures(1, 2, width_ratios=[1.0, 0.72 * len(clouds)])
    left, right = parts
    for k, axes in enumerate(left.subplots(2, 1, sharex=True)):
        axes.plot(np.arange(shown), xy[:shown, k], color="black", linewidth=0.5)
        for cut in clouds[-1][1]:
            axes.axhline(cut, color=CUT, linewidth=0.8)
        axes.set_ylabel(names[k])
        axes.margins(x=0)
    axes.set_xlabel("time")
    for axes, (head, breaks, note) in zip(right.subplots(1, len(clouds), sharey=True), clouds, strict=True):
        axes.plot(*xy.T, linestyle="none", marker=".", markersize=1.0, color="black", alpha=0.5, rasterized=True)
        for cut in breaks:
            axes.axvline(cut, color=CUT, linewidth=0.4)
            axes.axhline(cut, color=CUT, linewidth=0.4)
        axes.set(title=head, xlabel=f"{names[0]}\n{note}", aspect="equal")
        axes.label_outer()
    figure.suptitle(title, fontsize=8)
    stamp(figure, scale)
    return figure
