"""One learned graph with the confidence of its edges, and the thresholds behind it on histograms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from cutpoint.bench.plots.circles import FEW, MANY, SIZES, Panel, draw_graph, places_of, room_of
from cutpoint.bench.plots.lines import spread_out
from cutpoint.bench.plots.ticks import BINS, view
from cutpoint.plots.style import COLOURS, ONE, TWO, clipped, inches, room_above, styled, titled

LARGE, WIDE = 3.2, 1.3  # inches that the circle is high, and of that how wide at most
NARROW, ROOMY = 8, 1.8  # variables that fit into one column, and inches that are left for their circle there
HIGH = 0.55  # inches of a histogram
HEAD = 0.35  # inches of its title and what is above it
ABREAST = 2  # histograms in a column
NUMBER = 6.5  # points of a number at a threshold
APART = 0.12  # inches from a number to the next


@dataclass(frozen=True)
class Cut:
    """A column with its values [N], its sorted thresholds, and these as they are written."""

    name: str
    values: np.ndarray
    cuts: np.ndarray
    texts: Sequence[str]


@styled
def graph_with_thresholds(
    names: Sequence[str], graph: Panel, shown: Sequence[Cut], *, title: str, scale: str = ""
) -> Figure:
    """Draw a graph, the shares of its edges in percent at the lines, and histograms cut by thresholds.

    Of many variables wider and darker lines take the place of the percents.
    """
    if any(np.isfinite(edge.share) for edge in graph.edges):
        title += "\nat the edges: percent" if len(names) <= MANY else "\nwider and darker: more"
        title += " of the resamples that have them"
    size = SIZES[len(names) > FEW] + 1
    room, least = room_of(names, size)
    tall = max(LARGE, least)
    # one column where that is enough, so that the numbers can be read on a phone
    width = ONE if len(names) <= NARROW and ONE - 2 * room >= ROOMY else TWO
    wide = min(width - 2 * room, WIDE * tall)
    below = 0.15 + max((inches(text, NUMBER) for cut in shown for text in cut.texts), default=0.0)
    step, columns = HEAD + HIGH + below, max(1, min(round(ABREAST * width / ONE), len(shown)))
    top = room_above(title, scale, width) + 0.25
    height = top + tall + 0.1 + -(-len(shown) // columns) * step + 0.3
    figure = Figure(figsize=(width, height))
    box = (width - wide) / 2 / width, (height - top - tall) / height, wide / width, tall / height
    axes = figure.add_axes(box, xlim=(-1, 1), ylim=(-1, 1))
    axes.set_axis_off()
    shares = wide / tall if len(names) <= MANY else 0.0
    draw_graph(axes, names, graph, places_of(len(names), [graph]), size, shares)
    cell = width / columns
    for k, cut in enumerate(shown):
        low = height - top - tall - 0.1 - (k // columns + 1) * step + below
        box = (cell * (k % columns) + 0.12) / width, low / height, (cell - 0.24) / width, HIGH / height
        _draw_cut(figure.add_axes(box), cut, cell - 0.24)
    return titled(figure, title, scale, y=1 - 0.06 / height)


def _draw_cut(axes: Axes, cut: Cut, wide: float) -> None:
    """Draw a histogram with a line and a number at each threshold that is in view."""
    low, high = view(cut.values)
    axes.hist(cut.values, bins=BINS, range=(low, high), color="#9bb8cc", linewidth=0)
    inside = (cut.cuts >= low) & (cut.cuts <= high)
    for x in cut.cuts[inside]:
        axes.axvline(x, color=COLOURS[2], linewidth=1.0)
    axes.set_xlim(low, high)
    axes.set_yticks([])
    axes.set_xticks([])
    axes.spines["left"].set_visible(False)
    numbers = [text for text, there in zip(cut.texts, inside, strict=True) if there]
    for x, text in zip(spread_out(cut.cuts[inside], APART * (high - low) / wide), numbers, strict=True):
        axes.text(x, -0.1, text, transform=axes.get_xaxis_transform(), rotation=90, fontsize=NUMBER, ha="center",
                  va="top")  # fmt: skip
    levels = f"{len(cut.cuts) + 1} levels" if len(cut.cuts) else "one level"
    axes.set_title(f"{clipped(cut.name)}, {levels}", fontsize=7, pad=3)
