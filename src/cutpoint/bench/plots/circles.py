"""Graphs of many variables around a circle: one with confidences, or several side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import FancyArrowPatch

from cutpoint.plots.style import (
    COLOURS,
    ONE,
    SETTINGS,
    SMALL,
    clipped,
    inches,
    legend_below,
    panels,
    room_above,
    styled,
    titled,
    wide_as_needed,
    wrapped,
)

FEW = 24  # variables
SIZES = 6.5, SMALL  # of names: of few variables, and of more
HEADS = 6.5, 5.0  # points of an arrowhead, likewise
LINE = 1.55  # heights of a name from one to the next
BENT = 1.2, 4  # how much lines bend, so that those to the next variable can be seen
GAP = 4.0  # points from a variable to its name
DOT = 3.5  # points across
LEAST, MOST = 1.15, 1.8  # inches across a circle
FLAT = 0.8  # of its width that a circle is high at least
THIN, THICK = 0.3, (1.6, 1.2)  # points of an edge that no and that every resample has, likewise
PALE = 0.75  # grey of an edge that no resample has
SHOWN = (0.1, 0.5, 1.0)  # shares in the legend
KINDS: dict[str, dict[str, Any]] = {
    "right": {"color": COLOURS[1], "linestyle": "-"},
    "turned": {"color": COLOURS[6], "linestyle": "-"},
    "undirected": {"color": COLOURS[3], "linestyle": "-"},
    "directed": {"color": COLOURS[4], "linestyle": "-"},
    "extra": {"color": COLOURS[2], "linestyle": "-"},
    "missing": {"color": COLOURS[7], "linestyle": (0, (3, 2))},
}
NAMES = {
    "right": "as in the true graph",
    "turned": "other direction than in the true graph",
    "undirected": "undirected here",
    "directed": "directed here only",
    "extra": "not in the true graph",
    "missing": "missing from the learned graph",
}

LINES: dict[str, Any] = {"solid": "-", "dashed": (0, (4, 2.5))}  # of a composite graph
RING = 6.0  # points across, of a variable of it
BEND = 0.45
MANY = 16  # variables above which names stand along the radius and shares are left out
SWEEPS = 20
Confident = Mapping[str, str | float | bool]


def circle(variables: Sequence[str], pairs: Sequence[tuple[str, str]]) -> list[str]:
    """Return the variables in an order around a circle that makes edges short.

    From the order given, pairs of variables change places while that shortens the sum of the edges.
    """
    order = list(variables)
    n = len(order)
    place = {name: i for i, name in enumerate(order)}

    def length() -> int:
        return sum(min(d, n - d) for d in (abs(place[a] - place[b]) for a, b in pairs))

    best = length()
    for _ in range(SWEEPS):
        before = best
        for i in range(n):
            for j in range(i + 1, n):
                _swap(order, place, i, j)
                if (now := length()) < best:
                    best = now
                else:
                    _swap(order, place, i, j)
        if best == before:
            break
    return order


def _swap(order: list[str], place: dict[str, int], i: int, j: int) -> None:
    order[i], order[j] = order[j], order[i]
    place[order[i]], place[order[j]] = i, j


def bend(start: np.ndarray, end: np.ndarray, most: float = BEND, power: int = 1) -> float:
    """Return how much a line on the unit circle bends towards the centre: the more the nearer its ends are."""
    middle, (dx, dy) = (start + end) / 2, end - start
    rad = most * float(np.hypot(*middle)) ** power
    return rad if np.array([dy, -dx]) @ middle < 0 else -rad


@dataclass(frozen=True)
class Edge:
    """An edge to draw.

    Attributes:
        source, target: places of the variables.
        directed: whether it has an arrowhead.
        share: of the resamples that have it, NaN where that is unknown.
        kind: a key of `KINDS`, "" for one that is not judged.
    """

    source: int
    target: int
    directed: bool
    share: float = np.nan
    kind: str = ""


@dataclass(frozen=True)
class Panel:
    """A graph with its title, or the reason why there is none."""

    title: str
    edges: Sequence[Edge] = ()
    reason: str = ""


def _look(edge: Edge, thick: float) -> dict[str, Any]:
    """Return colour, line style and width."""
    share = edge.share if np.isfinite(edge.share) else 0.4  # of a line of the usual width
    grey = PALE * (1 - edge.share) if np.isfinite(edge.share) else 0.0
    look = KINDS.get(edge.kind, {"color": str(grey), "linestyle": "-"})
    return {**look, "linewidth": 0.9 if edge.kind == "missing" else THIN + (thick - THIN) * share}


def draw_graph(axes: Axes, panel: Panel, places: np.ndarray) -> None:
    """Draw the edges of a graph between places on the unit circle, float64 [n, 2]."""
    head, thick = HEADS[len(places) > FEW], THICK[len(places) > FEW]
    # what is sure lies above what is not
    for edge in sorted(panel.edges, key=lambda e: np.nan_to_num(e.share) if e.kind != "missing" else -1):
        start, end = places[edge.source], places[edge.target]
        axes.add_patch(
            FancyArrowPatch(
                tuple(start), tuple(end), connectionstyle=f"arc3,rad={bend(start, end, *BENT)}",
                arrowstyle="-|>" if edge.directed else "-", mutation_scale=head,
                shrinkA=DOT / 2, shrinkB=DOT / 2, joinstyle="miter", zorder=1, clip_on=False, **_look(edge, thick),
            )
        )  # fmt: skip
    axes.plot(*places.T, linestyle="none", marker="o", markersize=DOT, mfc="white", mec="black", mew=0.6, zorder=3,
              clip_on=False)  # fmt: skip


def _legend(shown: Sequence[Panel], thick: float) -> list[Line2D]:
    edges = [edge for panel in shown for edge in panel.edges]
    kinds = {edge.kind for edge in edges}
    handles = [Line2D([], [], linewidth=1.4, label=NAMES[kind], **KINDS[kind]) for kind in KINDS if kind in kinds]
    plain = {"color": "#444444"} if handles else {}  # colours mean something else
    if any(np.isfinite(edge.share) for edge in edges):
        for share in SHOWN:
            look = _look(Edge(0, 0, directed=False, share=share), thick) | plain
            handles.append(Line2D([], [], label=f"in {100 * share:.0f} % of the resamples", **look))
    return handles


def places_of(names: Sequence[str], shown: Sequence[Panel]) -> np.ndarray:
    """Return places on the unit circle, float64 [n, 2], those near to each other that are often joined.

    The rows of either half are equally far apart, so that names beside them do not overlap.
    """
    keys = [str(i) for i in range(len(names))]
    order = [int(key) for key in circle(keys, [(keys[e.source], keys[e.target]) for p in shown for e in p.edges])]
    rows = -(-len(names) // 2)
    heights = 1 - (2 * np.arange(rows) + 1) / max(rows, 1)
    y = np.concatenate([heights, heights[::-1]])[: len(names)]
    x = np.sqrt(1 - y**2) * np.where(np.arange(len(names)) < rows, 1, -1)
    places = np.empty((len(names), 2))
    places[order] = np.column_stack([x, y])
    return places


def write_names(axes: Axes, names: Sequence[str], places: np.ndarray, size: float) -> None:
    """Write names beside their places, in letters of so many points."""
    for name, (x, y) in zip(names, places, strict=True):
        side = 1 if x > 0 else -1
        axes.annotate(name, (x, y), xytext=(GAP * side, 0), textcoords="offset points",
                      ha="left" if side > 0 else "right", va="center_baseline", fontsize=size)  # fmt: skip


@styled
def circles(names: Sequence[str], shown: Sequence[Panel], *, title: str, scale: str = "") -> Figure:
    """Draw graphs side by side.

    Args:
        names: of the variables.
        shown: the graphs, from which the order around the circle comes.
        title: of the figure.
        scale: the sentence on what the figure rests on.
    """
    short, places = [clipped(name) for name in names], places_of(names, shown)
    size = SIZES[len(names) > FEW]
    room = max((inches(name, size) for name in short), default=0.0) + (GAP + 3) / 72
    handles = _legend(shown, THICK[len(names) > FEW])

    def layout(width: float) -> tuple[int, float, float, float, float, float]:
        """Return columns, width and height of a circle, inches above it and above and below all."""
        columns = int(np.clip(width // (LEAST + 2 * room), 1, max(len(shown), 1)))
        wide = min(width / columns - 2 * room, MOST)
        tall = max(FLAT * wide, -(-len(names) // 2) * LINE * size / 72)
        titles = (wrapped(panel.title, width / columns - 0.1, SETTINGS["axes.titlesize"]) for panel in shown)
        head = 0.13 * max((text.count("\n") + 1 for text in titles), default=0) + 0.12
        foot = 0.12 + 0.15 * len(handles) * ONE / width
        return columns, wide, tall, head, room_above(title, scale, width) + 0.04, foot

    def height_of(width: float) -> float:
        columns, _, tall, head, top, foot = layout(width)
        return top + -(-len(shown) // columns) * (tall + head) + foot

    width = wide_as_needed(height_of)
    height, (columns, wide, tall, head, top, _) = height_of(width), layout(width)
    cell = width / columns
    figure = Figure(figsize=(width, height))
    for k, panel in enumerate(shown):
        left = cell * (k % columns) + (cell - wide) / 2
        low = height - top - (k // columns + 1) * (tall + head) + 0.04
        axes = figure.add_axes((left / width, low / height, wide / width, tall / height))
        axes.set(xlim=(-1, 1), ylim=(-1, 1))
        axes.set_axis_off()
        axes.set_title(wrapped(panel.title, cell - 0.1, SETTINGS["axes.titlesize"]), pad=4)
        if panel.reason:
            text = wrapped(f"not available: {panel.reason}", cell - 0.1, 7)
            axes.text(0, 0, text, ha="center", va="center", fontsize=7, color="#666666")
        else:
            draw_graph(axes, panel, places)
            write_names(axes, short, places, size)
    legend_below(figure, handles, loc="lower center", borderaxespad=0, bbox_to_anchor=(0.5, 0.05 / height))
    return titled(figure, title, scale, y=1 - 0.06 / height)


def _name_outside(axes: Axes, name: str, angle: float, place: tuple[float, float], *, upright: bool) -> None:
    """Write a name outside the circle, along the radius unless upright."""
    right = np.cos(angle) >= -1e-9
    turn = np.rad2deg(angle) - (0 if right else 180)
    side = "center" if upright and abs(np.cos(angle)) < 0.3 else "left" if right else "right"
    rise = "bottom" if np.sin(angle) > 0 else "top"
    axes.annotate(
        name, place, xytext=(7 * np.cos(angle), 7 * np.sin(angle)), textcoords="offset points", ha=side,
        va=rise if side == "center" else "center", rotation=0 if upright else turn, rotation_mode="anchor",
    )  # fmt: skip


def _confident_edge(axes: Axes, edge: Confident, start: np.ndarray, end: np.ndarray, *, named: bool) -> None:
    """Draw an edge that bends towards the centre of the circle."""
    rad = bend(start, end)
    axes.add_patch(
        FancyArrowPatch(
            (start[0], start[1]), (end[0], end[1]), connectionstyle=f"arc3,rad={rad}",
            arrowstyle="-|>" if edge["directed"] else "-",
            mutation_scale=8, shrinkA=RING / 2, shrinkB=RING / 2, linestyle=LINES[str(edge["style"])], linewidth=1.0,
            color="black", zorder=1,
        )
    )  # fmt: skip
    if named:
        dx, dy = end - start
        at = (start + end) / 2 + 0.5 * rad * np.array([dy, -dx])
        axes.text(at[0], at[1], f"{100 * float(edge['share']):.0f}", fontsize=6, ha="center", va="center", zorder=2,
                  bbox={"facecolor": "white", "linewidth": 0, "pad": 0.6})  # fmt: skip


@styled
def composite(
    variables: Sequence[str],
    edges: Sequence[Confident],
    *,
    legend: Mapping[str, str],
    title: str,
    scale: str = "",
) -> Figure:
    """Draw a composite graph (Steck and Jaakkola 2007, Figure 7).

    Args:
        variables: their names.
        edges: rows of `cutpoint.graphs.frequencies.composite_edges`; their shares in percent stand at the lines.
        legend: what solid and dashed lines mean.
        title: of the figure.
        scale: the sentence on the scale of the run.
    """
    pairs = [(str(edge["source"]), str(edge["target"])) for edge in edges]
    order = circle(variables, pairs)
    angles = np.pi / 2 - 2 * np.pi * np.arange(len(order)) / max(len(order), 1)
    place = {name: (np.cos(a), np.sin(a)) for name, a in zip(order, angles, strict=True)}
    figure, (axes,) = panels(1, height=ONE)
    room = 1.1 if len(order) <= MANY else 1.35  # for the names
    axes.set(xlim=(-1.15 * room, 1.15 * room), ylim=(-room, room))
    axes.set_aspect("equal", adjustable="box")
    axes.set_axis_off()
    for name, angle in zip(order, angles, strict=True):
        axes.plot(*place[name], marker="o", markersize=RING, mfc="white", mec="black", mew=0.8, zorder=3)
        _name_outside(axes, name, angle, place[name], upright=len(order) <= MANY)
    for edge, (source, target) in zip(edges, pairs, strict=True):
        _confident_edge(axes, edge, np.array(place[source]), np.array(place[target]), named=len(order) <= MANY)
    handles = [Line2D([], [], color="black", linestyle=LINES[name], label=text) for name, text in legend.items()]
    legend_below(figure, handles)
    return titled(figure, title, scale)
