"""Critical-difference diagram: mean ranks of methods, and which of them do not differ."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from cutpoint.base.families import family_of
from cutpoint.bench.plots.dots import DotRow
from cutpoint.bench.statistics.ranks import cliques
from cutpoint.plots.style import ONE, families_legend, styled, titled

GAP = 0.3  # ranks between a line and its text
MANY = 9  # ranks above which every other one has a number


def _names(axes: Axes, order: np.ndarray, rows: Sequence[DotRow], ranks: np.ndarray, top: float, ends: tuple) -> None:
    """Write the better half on the left, the other on the right, each joined to its rank on the axis."""
    half = (len(order) + 1) // 2
    for place, i in enumerate(order):
        left = place < half
        depth = top + (place if left else len(order) - 1 - place)
        edge, side = (ends[0] - 0.3, "right") if left else (ends[1] + 0.3, "left")
        axes.plot([ranks[i], ranks[i], edge], [0, depth, depth], color="black", linewidth=0.6)
        text = f"{rows[i].label}  {ranks[i]:.1f}" if left else f"{ranks[i]:.1f}  {rows[i].label}"
        colour = family_of(rows[i].category).light
        axes.text(edge + (-GAP if left else GAP), depth, text, ha=side, va="center", fontsize=7, color=colour)


@styled
def critical_difference(
    rows: Sequence[DotRow], ranks: np.ndarray, difference: float, *, title: str, note: str = "", scale: str = ""
) -> Figure:
    """Draw mean ranks on a line, the best left; thick bars join methods that do not differ (Demsar 2006).

    Ranks are float64 [K]; the note is the second line of the title.
    """
    count = len(rows)
    order = np.argsort(ranks, kind="stable")
    bars = [group for group in cliques(ranks, difference) if len(group) > 1]
    ends = (1.0, float(count))
    top = 0.9 + 0.45 * len(bars)
    depth = top + (count + 1) // 2
    figure = Figure(figsize=(ONE, 0.95 + 0.15 * depth), layout="constrained")
    axes = figure.add_subplot()
    axes.set_axis_off()
    axes.plot(ends, (0, 0), color="black", linewidth=0.8)
    for rank in range(1, count + 1):
        axes.plot([rank, rank], [0, -0.18], color="black", linewidth=0.6)
        if count <= MANY or rank % 2:
            axes.text(rank, -0.3, str(rank), ha="center", va="bottom", fontsize=7)
    for k, group in enumerate(bars):
        at = 0.55 + 0.45 * k
        low, high = ranks[group[0]], ranks[group[-1]]
        axes.plot([low - 0.06, high + 0.06], [at, at], color="black", linewidth=2.6, solid_capstyle="butt")
    _names(axes, order, rows, ranks, top, ends)
    axes.plot([1, 1 + difference], [-1.75, -1.75], color="black", linewidth=1.2, marker="|", markersize=5)
    axes.text(1 + difference + GAP, -1.75, f"critical difference {difference:.2f}", va="center", fontsize=7)
    room = 0.42 * count
    axes.set(xlim=(ends[0] - room, ends[1] + room), ylim=(depth, -2.3))
    families_legend(figure, {row.category for row in rows})
    return titled(figure, f"{title}\n{note}" if note else title, scale)
