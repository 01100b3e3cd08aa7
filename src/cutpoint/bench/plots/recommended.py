"""One learned graph with the confidence of its edges, and the thresholds behind it on histograms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from cutpoint.bench.plots.circles import (
    BENT,
    FEW,
    GAP,
    LINE,
    MANY,
    SIZES,
    Panel,
    bend,
    draw_graph,
    places_of,
    write_names,
)
from cutpoint.bench.plots.ticks import BINS, view
from cutpoint.plots.style import COLOURS, ONE, SMALL, TWO, clipped, inches, room_above, styled, titled

LARGE, WIDE = 3.2, 1.3  # inches that the circle is high, and of that how wide at most
NARROW, ROOMY = 8, 1.8  # variables that fit into one column, and inches that are left for their circle there
HIGH = 0.55  # inches of a histogram
HEAD = 0.35  # inches of its title and what is above it
ABREAST = 2  # histograms in a column
NUMBER = 6.5  # points of a number at a threshold
APART = 0.12  # inches from a number to the next


@dataclass(frozen=True)
class Cut:
    """A column with its thresholds.

    Attributes:
        name: above the histogram.
        values: float64 [N].
        cuts: sorted float64.
        texts: the same as they are written.
    """

    name: str
    values: np.ndarray
    cuts: np.ndarray
    texts: Sequence[str]


@styled
def graph_with_thresholds(
    names: Sequence[str], graph: Panel, shown: Sequence[Cut], *, title: str, scale: str = ""
) -> Figure:
    """Draw a graph, the shares of its edges in percent at the lines, and histograms cut by thresholds.

    Args:
        names: of the variables.
        graph: its edges; of many variables wider and darker lines take the place of the percents.
        shown: columns to draw below it.
        title: of the figure.
        scale: the sentence on what the figure rests on.
    """
    if any(np.isfinite(edge.share) for edge in graph.edges):
        title += "\nat the edges: percent" if len(names) <= MANY else "\nwider and darker: more"
        title += " of the resamples that have them"
    size = SIZES[len(names) > FEW] + 1
    tall = max(LARGE, -(-len(names) // 2) * LINE * size / 72)
    room = max((inches(clipped(name), size) for name in names), default=0.0) + (GAP + 3) / 72
    # one column where that is enough, so that the numbers can be read on a phone
    width = ONE if len(names) <= NARROW and ONE - 2 * room >= ROOMY else TWO
    wide = min(width - 2 * room, WIDE * tall)
    below = 0.15 + max((inches(text, NUMBER) for cut in shown for text in cut.texts), default=0.0)
    step, columns = HEAD + HIGH + below, max(1, min(round(ABREAST * width / ONE), len(shown)))
    top = room_above(title, scale, width) + 0.25
    height = top + tall + 0.1 + -(-len(shown) // columns) * step + 0.3
    figure = Figure(figsize=(width, height))
    box = (width - wide) / 2 / width, (height - top - tall) / height, wide / width, tall / height
    _draw_circle(figure.add_axes(box), names, graph, size, wide / tall)
    cell = width / columns
    for k, cut in enumerate(shown):
        low = height - top - tall - 0.1 - (k // columns + 1) * step + below
        box = (cell * (k % columns) + 0.12) / width, low / height, (cell - 0.24) / width, HIGH / height
        _draw_cut(figure.add_axes(box), cut, cell - 0.24)
    return titled(figure, title, scale, y=1 - 0.06 / height)


def _draw_circle(axes: Axes, names: Sequence[str], graph: Panel, size: float, stretch: float) -> None:
    axes.set(xlim=(-1, 1), ylim=(-1, 1))
    axes.set_axis_off()
    places = places_of(names, [graph])
    draw_graph(axes, graph, places)
    write_names(axes, [clipped(name) for name in names], places, size)
    for edge in graph.edges if len(names) <= MANY else ():
        if np.isfinite(edge.share):
            start, end = places[edge.source], places[edge.target]
            dx, dy = end - start
            # lines bend on the page, where a unit across is longer than one upwards
            x, y = (start + end) / 2 + 0.5 * bend(start, end, *BENT) * np.array([dy / stretch, -dx * stretch])
            box = {"facecolor": "white", "linewidth": 0, "pad": 0.5}
            axes.text(
                x,
                y,
                f"{100 * edge.share:.0f}",
                fontsize=SMALL,
                ha="center",
                va="center",
                zorder=2,
                bbox=box,
            )


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
    for x, text in zip(spread(cut.cuts[inside], APART * (high - low) / wide), numbers, strict=True):
        axes.text(x, -0.1, text, transform=axes.get_xaxis_transform(), rotation=90, fontsize=NUMBER, ha="center",
                  va="top")  # fmt: skip
    levels = f"{len(cut.cuts) + 1} levels" if len(cut.cuts) else "one level"
    axes.set_title(f"{clipped(cut.name)}, {levels}", fontsize=7, pad=3)


def spread(places: np.ndarray, gap: float) -> np.ndarray:
    """Return sorted places moved apart to at least a gap, the middle of those that stand too close staying theirs."""
    groups = [[float(x)] for x in places]
    moved = True
    while moved:
        moved = False
        for k in range(len(groups) - 1):
            reach = (len(groups[k]) + len(groups[k + 1])) * gap / 2
            if np.mean(groups[k + 1]) - np.mean(groups[k]) < reach - 1e-9 * gap:
                groups[k : k + 2] = [groups[k] + groups[k + 1]]
                moved = True
                break
    steps = (np.mean(group) + gap * (np.arange(len(group)) - (len(group) - 1) / 2) for group in groups)
    return np.concatenate([*steps, np.empty(0)])
