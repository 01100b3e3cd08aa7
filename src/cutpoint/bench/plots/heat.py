"""Heat maps with the numbers in their cells: shares of edges by method, means by what was crossed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from cutpoint.plots.style import ONE, SMALL, inches, panels, styled, titled

LINE = 0.115  # inches of a line of numbers
MARGIN, BESIDE = 0.07, 0.05  # inches around a number: above and below, left and right
DARK = 0.55  # share of the range above which the ground is dark
LOST = "#eeeeee"
HEADS = 6.5  # points of the names of columns


@dataclass(frozen=True)
class Map:
    """One map: float64 [R, C], NaN where there is nothing, and what its cells say, a line for each part of a text."""

    title: str
    values: np.ndarray
    texts: Sequence[Sequence[str]]


def percents(shares: np.ndarray, marks: Sequence[Sequence[str]] | None = None) -> list[list[str]]:
    """Return shares in percent with what stands behind them, "" for a share of 0 and for none."""
    return [
        [
            f"{100 * share:.0f} {marks[i][j] if marks else ''}".rstrip() if share > 0 else ""
            for j, share in enumerate(row)
        ]
        for i, row in enumerate(shares)
    ]


@styled
def heat_maps(
    rows: Sequence[str],
    columns: Sequence[str],
    shown: Sequence[Map],
    *,
    title: str,
    ends: tuple[float, float] | None = (0.0, 1.0),
    xlabel: str = "",
    scale: str = "",
) -> Figure:
    """Draw numbers from white to dark, maps with the same rows and columns below each other.

    A figure of more columns than have room beside each other is wider than others.

    Args:
        rows, columns: their names.
        shown: the maps.
        title: of the figure.
        ends: what is white and what is dark; None for the least and the greatest of each map.
        xlabel: what the columns are, which then stand upright below.
        scale: the sentence on what the figure rests on.
    """
    texts = [text for each in shown for row in each.texts for text in row]
    wide = max((inches(line, SMALL) for text in texts for line in text.split("\n")), default=0.0) + BESIDE
    names = max((inches(row, SMALL) for row in rows), default=0.0) + 0.15
    tall = (max((text.count("\n") for text in texts), default=0) + 1) * LINE + MARGIN / 2
    slanted = 0.0 if xlabel else 0.06 * max(map(len, columns), default=0)
    height = tall * len(rows) + 0.25 + slanted
    figure, grid = panels(len(shown), height=height, width=max(ONE, names + wide * len(columns)))
    for axes, each in zip(grid, shown, strict=True):
        _draw(axes, each, ends)
        axes.set_title(each.title)
        axes.set_yticks(np.arange(len(rows)) + 0.5, rows, fontsize=SMALL)
        places = np.arange(len(columns)) + 0.5
        if xlabel:
            axes.set_xticks(places, columns, fontsize=HEADS)
        else:
            axes.set_xticks(places, columns, fontsize=HEADS, rotation=60, ha="left", rotation_mode="anchor")
            axes.xaxis.tick_top()
        axes.tick_params(length=0)
    grid[-1].set_xlabel(xlabel)
    return titled(figure, title, scale)


def _draw(axes: Axes, shown: Map, ends: tuple[float, float] | None) -> None:
    known = shown.values[np.isfinite(shown.values)]
    low, high = ends or ((float(known.min()), float(known.max())) if known.size else (0.0, 1.0))
    ground = matplotlib.colormaps["Blues"].with_extremes(bad=LOST)
    axes.pcolormesh(
        np.ma.masked_invalid(shown.values), cmap=ground, vmin=low, vmax=high, edgecolors="white", linewidth=0.6,
        rasterized=True,
    )  # fmt: skip
    for (i, j), value in np.ndenumerate(shown.values):
        if not shown.texts[i][j]:
            continue
        dark = value > low + DARK * (high - low)
        axes.text(j + 0.5, i + 0.5, shown.texts[i][j], ha="center", va="center", fontsize=SMALL, linespacing=1.1,
                  color="white" if dark else "black")  # fmt: skip
    for j in np.flatnonzero(np.isnan(shown.values).all(0)):
        axes.text(j + 0.5, 0.5, "n/a", ha="center", va="center", fontsize=SMALL, color="#666666")
    rows, columns = shown.values.shape
    axes.set(ylim=(rows, 0), xlim=(0, columns))
    for spine in axes.spines.values():
        spine.set_visible(False)
