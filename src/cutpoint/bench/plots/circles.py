"""Graphs of many variables around a circle, alone or side by side, with the shares of resamples that have an edge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import FancyArrowPatch

from cutpoint.plots import style

FEW = 24  # variables
SIZES = 6.5, style.SMALL  # of names: of few variables, and of more
HEADS = 6.5, 5.0  # points of an arrowhead, likewise
LINE = 1.55  # heights of a name from one to the next
GAP = 4.0  # points from a variable to its name
DOT = 3.5  # points across
LEAST = 1.15  # inches across a circle
HIGH = 1.15, 2.0  # inches that one of several circles is high at least, and the only one
HEAD = 0.3  # inches of a title
THIN, THICK = 0.3, (1.6, 1.2)  # points of an edge that no and that every resample has, likewise
PALE = 0.75  # grey of an edge that no resample has
SHOWN = (0.1, 0.5, 1.0)  # shares in the legend
MANY = 16  # variables above which no shares stand at the edges
DASHED = (0, (3, 2))
KINDS: dict[str, dict[str, Any]] = {
    "right": {"color": style.COLOURS[1], "linestyle": "-"},
    "turned": {"color": style.COLOURS[6], "linestyle": "-"},
    "undirected": {"color": style.COLOURS[3], "linestyle": "-"},
    "directed": {"color": style.COLOURS[4], "linestyle": "-"},
    "extra": {"color": style.COLOURS[2], "linestyle": "-"},
    "missing": {"color": style.COLOURS[7], "linestyle": DASHED},
    "solid": {"color": "black", "linestyle": "-"},
    "dashed": {"color": "black", "linestyle": DASHED},
}
FIXED = {"missing", "solid", "dashed"}  # kinds whose lines are alike, whatever their shares
NAMES = {
    "right": "as in the true graph",
    "turned": "other direction than in the true graph",
    "undirected": "undirected here",
    "directed": "directed here only",
    "extra": "not in the true graph",
    "missing": "missing from the learned graph",
}
SWEEPS = 20


def short_order(n: int, pairs: Sequence[tuple[int, int]]) -> np.ndarray:
    """Return n variables in an order around a circle that makes edges between pairs short, int64 [n].

    Two variables change places while that shortens the sum of the edges.
    """
    order, ends = np.arange(n), np.array(pairs, np.int64).reshape(-1, 2)

    def length() -> int:
        apart = np.abs(np.subtract(*np.argsort(order)[ends].T))
        return int(np.minimum(apart, n - apart).sum())

    best = length()
    for _ in range(SWEEPS):
        before = best
        for swap in combinations(range(n), 2):
            order[[*swap]] = order[[*reversed(swap)]]
            if (now := length()) < best:
                best = now
            else:
                order[[*swap]] = order[[*reversed(swap)]]
        if best == before:
            break
    return order


def bend(start: np.ndarray, end: np.ndarray) -> float:
    """Return how much a line on the unit circle bends towards the centre: the more the nearer its ends are."""
    middle, (dx, dy) = (start + end) / 2, end - start
    rad = 1.2 * float(np.hypot(*middle)) ** 4
    return rad if np.array([dy, -dx]) @ middle < 0 else -rad


@dataclass(frozen=True)
class DrawnEdge:
    """An edge between places of variables, the share of the resamples that have it, and which of `KINDS` it is."""

    source: int
    target: int
    directed: bool
    share: float = np.nan
    kind: str = ""


@dataclass(frozen=True)
class CirclePanel:
    """A graph with its title, or the reason why there is none."""

    title: str
    edges: Sequence[DrawnEdge] = ()
    reason: str = ""


def _look(edge: DrawnEdge, thick: float) -> dict[str, Any]:
    """Return colour, line style and width."""
    share = edge.share if np.isfinite(edge.share) else 0.4  # of a line of the usual width
    grey = PALE * (1 - edge.share) if np.isfinite(edge.share) else 0.0
    look = KINDS.get(edge.kind, {"color": str(grey), "linestyle": "-"})
    return {**look, "linewidth": 0.9 if edge.kind in FIXED else THIN + (thick - THIN) * share}


def draw_graph(axes: Axes, names: Sequence[str], panel: CirclePanel, places: np.ndarray) -> None:
    """Draw a graph between places on the unit circle, float64 [n, 2]."""
    many = len(places) > FEW
    # what is sure lies above what is not
    for edge in sorted(panel.edges, key=lambda e: np.nan_to_num(e.share) if e.kind != "missing" else -1):
        start, end = places[edge.source], places[edge.target]
        axes.add_patch(
            FancyArrowPatch(
                tuple(start), tuple(end), connectionstyle=f"arc3,rad={bend(start, end)}",
                arrowstyle="-|>" if edge.directed else "-", mutation_scale=HEADS[many],
                shrinkA=DOT / 2, shrinkB=DOT / 2, joinstyle="miter", zorder=1, clip_on=False,
                **_look(edge, THICK[many]),
            )
        )  # fmt: skip
    axes.plot(*places.T, linestyle="none", marker="o", markersize=DOT, mfc="white", mec="black", mew=0.6, zorder=3,
              clip_on=False)  # fmt: skip
    for name, (x, y) in zip(names, places, strict=True):
        side = 1 if x > 0 else -1
        axes.annotate(style.clipped(name), (x, y), xytext=(GAP * side, 0), textcoords="offset points",
                      ha="left" if side > 0 else "right", va="center_baseline", fontsize=SIZES[many])  # fmt: skip


def _write_shares(axes: Axes, panel: CirclePanel, places: np.ndarray) -> None:
    """Write the shares of edges at them in percent, where they bend in a figure that is laid out."""
    for edge in panel.edges:
        if np.isfinite(edge.share):
            start, end = axes.transData.transform(places[[edge.source, edge.target]])
            across = (end - start)[::-1] * (1, -1)
            middle = (start + end + bend(places[edge.source], places[edge.target]) * across) / 2
            x, y = axes.transData.inverted().transform(middle)
            axes.text(x, y, f"{100 * edge.share:.0f}", fontsize=style.SMALL, ha="center", va="center", zorder=2,
                      bbox={"facecolor": "white", "linewidth": 0, "pad": 0.5})  # fmt: skip


def _legend(graphs: Sequence[CirclePanel], thick: float, meanings: Mapping[str, str]) -> list[Line2D]:
    edges = [edge for panel in graphs for edge in panel.edges]
    kinds = {edge.kind for edge in edges}
    handles = [Line2D([], [], linewidth=1.4, label=meanings[kind], **KINDS[kind]) for kind in KINDS if kind in kinds]
    plain = {"color": "#444444"} if handles else {}  # colours mean something else
    if any(np.isfinite(edge.share) and edge.kind not in FIXED for edge in edges):
        for share in SHOWN:
            look = _look(DrawnEdge(0, 0, directed=False, share=share), thick) | plain
            handles.append(Line2D([], [], label=f"in {100 * share:.0f} % of the resamples", **look))
    return handles


def places_of(n: int, graphs: Sequence[CirclePanel]) -> np.ndarray:
    """Return places on the unit circle, float64 [n, 2], those near to each other that are often joined.

    The rows of either half are equally far apart, so that names beside them do not overlap.
    """
    rows = -(-n // 2)
    heights = 1 - (2 * np.arange(rows) + 1) / max(rows, 1)
    y = np.concatenate([heights, heights[::-1]])[:n]
    x = np.sqrt(1 - y**2) * np.where(np.arange(n) < rows, 1, -1)
    places = np.empty((n, 2))
    places[short_order(n, [(e.source, e.target) for p in graphs for e in p.edges])] = np.column_stack([x, y])
    return places


@style.styled
def circles(
    names: Sequence[str],
    graphs: Sequence[CirclePanel],
    *,
    title: str,
    meanings: Mapping[str, str] = NAMES,
    scale: str = "",
) -> Figure:
    """Draw graphs side by side, or one with the shares of its edges (Steck and Jaakkola 2007, Figure 7).

    The order of the variables around the circle comes from all graphs; meanings are what the legend says of the kinds
    of edges.
    """
    places, alone, many = places_of(len(names), graphs), len(graphs) == 1, len(names) > FEW
    beside = max((style.inches(style.clipped(name), SIZES[many]) for name in names), default=0.0) + (GAP + 3) / 72
    tall = max(HIGH[alone], -(-len(names) // 2) * LINE * SIZES[many] / 72)

    def columns_of(width: float) -> int:
        return max(1, int(width // (LEAST + 2 * beside)))

    width = style.wide_as_needed(lambda width: -(-len(graphs) // columns_of(width)) * (tall + HEAD))
    figure, grid = style.panels(len(graphs), columns_of(width), height=tall + HEAD, width=width)
    for axes, panel in zip(grid, graphs, strict=True):
        axes.set(xlim=(-1, 1), ylim=(-1, 1), title=panel.title)
        axes.set_axis_off()
        if panel.reason:
            text = style.wrapped(f"not available: {panel.reason}", LEAST, 7)
            axes.text(0, 0, text, ha="center", va="center", fontsize=7, color="#666666")
        else:
            draw_graph(axes, names, panel, places)
    style.legend_below(figure, _legend(graphs, THICK[many], meanings))
    style.titled(figure, title, scale)
    style.settle(figure)
    if alone and len(names) <= MANY:
        _write_shares(grid[0], graphs[0], places)
    return figure
