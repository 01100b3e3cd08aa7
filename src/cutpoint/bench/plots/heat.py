"""A heat map with the numbers in its cells: shares of edges by method."""

from collections.abc import Sequence

import matplotlib
import numpy as np
from matplotlib.figure import Figure

from cutpoint.bench.plots.style import ONE, SMALL, panels, titled
from cutpoint.plots.style import inches, styled

LINE = 0.115  # inches of a line of numbers
MARGIN, BESIDE = 0.07, 0.05  # inches around a number: above and below, left and right
DARK = 0.55  # share above which the ground is dark
LOST = "#eeeeee"
HEADS = 6.5  # points of the names of columns


def percents(shares: np.ndarray, marks: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return shares in percent with what stands behind them, "" for a share of 0 and for none."""
    return [
        [f"{100 * share:.0f} {mark}".rstrip() if share > 0 else "" for share, mark in zip(row, of_row, strict=True)]
        for row, of_row in zip(shares, marks, strict=True)
    ]


@styled
def heat_map(
    rows: Sequence[str],
    columns: Sequence[str],
    values: np.ndarray,
    texts: Sequence[Sequence[str]],
    *,
    title: str,
    scale: str = "",
) -> Figure:
    """Draw shares from white to dark, float64 [R, C] with NaN where there is nothing, and what their cells say.

    A figure of more columns than have room beside each other is wider than others.
    """
    wide = max((inches(text, SMALL) for row in texts for text in row), default=0.0) + BESIDE
    names = max((inches(row, SMALL) for row in rows), default=0.0) + 0.15
    height = (LINE + MARGIN / 2) * len(rows) + 0.25 + 0.06 * max(map(len, columns), default=0)
    figure, (axes,) = panels(1, height=height, width=max(ONE, names + wide * len(columns)))
    ground = matplotlib.colormaps["Blues"].with_extremes(bad=LOST)
    axes.pcolormesh(
        np.ma.masked_invalid(values), cmap=ground, vmin=0, vmax=1, edgecolors="white", linewidth=0.6,
        rasterized=True,
    )  # fmt: skip
    for (i, j), value in np.ndenumerate(values):
        if texts[i][j]:
            axes.text(j + 0.5, i + 0.5, texts[i][j], ha="center", va="center", fontsize=SMALL,
                      color="white" if value > DARK else "black")  # fmt: skip
    for j in np.flatnonzero(np.isnan(values).all(0)):
        axes.text(j + 0.5, 0.5, "n/a", ha="center", va="center", fontsize=SMALL, color="#666666")
    axes.set(ylim=(len(rows), 0), xlim=(0, len(columns)))
    axes.set_yticks(np.arange(len(rows)) + 0.5, rows, fontsize=SMALL)
    places = np.arange(len(columns)) + 0.5
    axes.set_xticks(places, columns, fontsize=HEADS, rotation=60, ha="left", rotation_mode="anchor")
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
    return titled(figure, title, scale)
