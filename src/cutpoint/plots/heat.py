"""A table of shares as a heat map with the numbers in it."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib
import numpy as np
from matplotlib.figure import Figure

from cutpoint.plots.style import TWO, panels, styled, titled

ROW = 0.155  # inches
DARK = 0.55  # share above which the ground is dark
LOST = "#eeeeee"


@styled
def heat_map(
    rows: Sequence[str],
    columns: Sequence[str],
    shares: np.ndarray,
    marks: Sequence[Sequence[str]],
    *,
    title: str,
    scale: str = "",
) -> Figure:
    """Draw shares from white to dark, their percent in the cells.

    Args:
        rows, columns: their names.
        shares: float64 [R, C], NaN where there is none.
        marks: [R][C], what stands behind the numbers.
        title: of the figure.
        scale: the sentence on what the figure rests on.
    """
    widest = max(map(len, columns), default=0)
    figure, grid = panels(1, width=TWO, height=0.75 + 0.055 * widest + ROW * len(rows))
    axes = grid[0, 0]
    ground = matplotlib.colormaps["Blues"].with_extremes(bad=LOST)
    axes.pcolormesh(
        np.ma.masked_invalid(shares), cmap=ground, vmin=0, vmax=1, edgecolors="white", linewidth=0.6, rasterized=True
    )
    for i, j in np.ndindex(shares.shape):
        share = shares[i, j]
        if share > 0:
            axes.text(j + 0.5, i + 0.5, f"{100 * share:.0f} {marks[i][j]}", ha="center", va="center", fontsize=5.5,
                      color="white" if share > DARK else "black")  # fmt: skip
    for j in np.flatnonzero(np.isnan(shares).all(0)):
        axes.text(j + 0.5, 0.5, "n/a", ha="center", va="center", fontsize=5.5, color="#666666")
    axes.set(ylim=(len(rows), 0), xlim=(0, len(columns)))
    axes.set_yticks(np.arange(len(rows)) + 0.5, rows, fontsize=6)
    axes.set_xticks(
        np.arange(len(columns)) + 0.5, columns, fontsize=6.5, rotation=60, ha="left", rotation_mode="anchor"
    )
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
    return titled(figure, title, scale)
