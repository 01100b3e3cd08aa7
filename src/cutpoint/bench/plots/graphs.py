"""Small graphs, alone or in groups, a graph in layers with shares of its edges, and values replaced by finer ones."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch, Rectangle

from cutpoint.bench.plots.style import ONE, legend_below, panels, titled
from cutpoint.graphs.dags import is_dag
from cutpoint.graphs.layers import Drawing
from cutpoint.plots.boxes import POINTS, join
from cutpoint.plots.style import COLOURS, clipped, inches, styled

NODE, FEWER = 15.0, 11.0  # points across, and in groups
ABREAST, ROW = 6, 0.62  # graphs of groups in a row, at least those of any group; inches of it
MARKED = COLOURS[2]
ROOM, GAP = 0.54, 0.1  # of a cell for its graph, and between a frame and the border of its cells
NAME, HIGH, ASIDE, DOWN = 6.5, 0.16, 0.2, 0.34  # points of a name; inches of its box, and between boxes
Arc = tuple[str, str]


@dataclass(frozen=True)
class Graph:
    """A graph to draw: places of nodes in any unit, arcs, edges without a direction, and which of them are marked."""

    title: str
    nodes: Mapping[str, tuple[float, float]]
    arcs: Sequence[Arc]
    edges: Sequence[Arc] = ()
    marked: Collection[Arc] = ()


def _join(axes: Axes, graph: Graph, pair: Arc, style: str, node: float) -> None:
    marked = pair in graph.marked
    axes.add_patch(
        FancyArrowPatch(
            *(graph.nodes[name] for name in pair),
            arrowstyle=style,
            mutation_scale=8,
            shrinkA=node / 2,
            shrinkB=node / 2,
            color=MARKED if marked else "black",
            linewidth=1.4 if marked else 0.8,
            zorder=2 if marked else 1,
        )
    )


def draw(axes: Axes, graph: Graph, node: float = NODE) -> None:
    """Draw the nodes, so many points across, arcs and edges of a graph at their places."""
    for pairs, style in ((graph.arcs, "-|>"), (graph.edges, "-")):
        for pair in pairs:
            _join(axes, graph, pair, style, node)
    for name, (x, y) in graph.nodes.items():
        axes.plot(x, y, marker="o", markersize=node, mfc="white", mec="black", mew=0.8, zorder=3)
        axes.text(x, y, name, ha="center", va="center_baseline", zorder=4, fontsize=7)


@styled
def graphs(drawings: Sequence[Graph], *, title: str, height: float = 1.5, scale: str = "") -> Figure:
    """Draw graphs in rows of two, all with the same scale and limits."""
    figure, grid = panels(len(drawings), 2, height=height)
    places = np.array([place for graph in drawings for place in graph.nodes.values()]).reshape(-1, 2)
    for axes, graph in zip(grid, drawings, strict=True):
        draw(axes, graph)
        axes.set_title(graph.title)
    for axes in grid:
        axes.set_axis_off()
        axes.set_aspect("equal", adjustable="box")
        if len(places):
            # A margin for the circles, which are as large whatever the unit.
            pad = 0.12 * max(*np.ptp(places, axis=0), 1e-9)
            axes.set(xlim=(places[:, 0].min() - pad, places[:, 0].max() + pad))
            axes.set(ylim=(places[:, 1].min() - pad, places[:, 1].max() + pad))
    return titled(figure, title, scale)


def _places(groups: Sequence[Sequence[Graph]]) -> Iterator[tuple[int, int]]:
    """Yield row and first column of each group; no group is split between rows."""
    row = column = 0
    for group in groups:
        if column and column + len(group) > ABREAST:
            row, column = row + 1, 0
        yield row, column
        column += len(group)


@styled
def groups_of_graphs(groups: Sequence[Sequence[Graph]], *, title: str, scale: str = "") -> Figure:
    """Draw groups of graphs with places in the unit square, each in a frame (Tran 2013, Table 2.2)."""
    places = list(_places(groups))
    rows = 1 + max((row for row, _ in places), default=0)
    figure, (axes,) = panels(1, height=ROW * rows)
    for group, (row, column) in zip(groups, places, strict=True):
        frame = (column + GAP / 2, -row - 1 + GAP / 2), len(group) - GAP, 1 - GAP
        style = "round,pad=0,rounding_size=0.08"
        axes.add_patch(FancyBboxPatch(*frame, boxstyle=style, facecolor="none", edgecolor="#999999", linewidth=0.8))
        for k, graph in enumerate(group):
            left, low = column + k + (1 - ROOM) / 2, -row - 0.8
            shifted = {name: (left + ROOM * x, low + ROOM * y) for name, (x, y) in graph.nodes.items()}
            draw(axes, Graph(graph.title, shifted, graph.arcs, graph.edges, graph.marked), FEWER)
            axes.text(column + k + 0.12, -row - 0.11, graph.title, ha="left", va="top", fontsize=7)
    axes.set(xlim=(0, ABREAST), ylim=(-rows, 0))
    axes.set_axis_off()
    return titled(figure, title, scale)


class SharedEdge(NamedTuple):
    """An edge between variables by their places, and the share of the resamples that have it."""

    source: int
    target: int
    directed: bool
    share: float
    dashed: bool = False


@styled
def layered(
    names: Sequence[str], rows: Sequence[Mapping[str, Any]], *, title: str, meanings: tuple[str, str], scale: str = ""
) -> Figure:
    """Draw variables in layers, and edges with their shares in percent (Steck and Jaakkola 2007, Figure 7).

    rows: source, target, directed, share, and style, "solid" or "dashed".
    meanings: what the legend says of solid and of dashed edges.
    """
    edges = [_shared(names, row) for row in rows]
    sizes = [(POINTS * (inches(clipped(name), NAME) + 0.12), POINTS * HIGH) for name in names]
    drawing = Drawing.of(_downwards(len(names), edges), sizes, (POINTS * ASIDE, POINTS * DOWN))
    across, down = np.array(drawing.size) / POINTS
    room = max(across + 0.2, ONE)
    figure, (axes,) = panels(1, height=down + 0.2, width=room)
    for edge in edges:
        _join_layers(axes, drawing, edge)
    for (x, y), name, (width, height) in zip(drawing.middles / POINTS, names, np.array(sizes) / POINTS, strict=True):
        corner = x - width / 2, y - height / 2
        axes.add_patch(Rectangle(corner, width, height, facecolor="white", lw=0.6, ec="black", zorder=3))
        axes.text(x, y, clipped(name), ha="center", va="center_baseline", fontsize=NAME, zorder=4)
    axes.set(xlim=(-0.1, room - 0.1), ylim=(down + 0.1, -0.1))
    axes.set_axis_off()
    looks = zip(meanings, ("-", "--"), strict=True)
    legend_below(figure, [Line2D([], [], color="black", lw=0.9, ls=style, label=label) for label, style in looks])
    return titled(figure, title, scale)


def _shared(names: Sequence[str], row: Mapping[str, Any]) -> SharedEdge:
    source, target = (names.index(row[end]) for end in ("source", "target"))
    return SharedEdge(source, target, row["directed"], row["share"], row["style"] == "dashed")


def _downwards(n: int, edges: Sequence[SharedEdge]) -> np.ndarray:
    """Return a DAG of the edges, bool [n, n]: the most frequent as they point, others turned where a cycle would be."""
    dag = np.zeros((n, n), bool)
    for edge in sorted(edges, key=lambda edge: (not edge.directed, -edge.share)):
        dag[edge.source, edge.target] = True
        if not is_dag(dag):
            dag[edge.source, edge.target], dag[edge.target, edge.source] = False, True
    return dag


def _join_layers(axes: Axes, drawing: Drawing, edge: SharedEdge) -> None:
    pair, style = (edge.source, edge.target), "--" if edge.dashed else "-"
    join(axes, drawing, pair, edge.directed, mutation_scale=6, linestyle=style, color="black", linewidth=0.9)
    points = drawing.curves[pair if pair in drawing.curves else pair[::-1]] / POINTS
    x, y = np.array([1, 3, 3, 1]) @ points[:4] / 8  # the middle of the first curve
    axes.text(x, y, f"{100 * edge.share:.0f}", fontsize=NAME - 0.5, ha="center", va="center", zorder=2,
              bbox={"facecolor": "white", "linewidth": 0, "pad": 0.5})  # fmt: skip


BOX = {"boxstyle": "round,pad=0.28", "facecolor": "white", "linewidth": 0.8}
BELOW, ABOVE = 0.0, 1.0  # where the finer and the original values stand


@dataclass(frozen=True)
class Explosion:
    """An explosion to draw: for each original value its finer values and their shares, the marked ones in colour."""

    title: str
    values: Sequence[str]
    finer: Sequence[Sequence[tuple[str, str]]]
    marked: Sequence[str] = ()


def _draw(axes: Axes, explosion: Explosion) -> None:
    place = 0
    for value, parts in zip(explosion.values, explosion.finer, strict=True):
        middle = place + (len(parts) - 1) / 2
        for name, share in parts:
            colour = COLOURS[2] if name in explosion.marked else "black"
            axes.annotate(
                "", (place, BELOW + 0.12), (middle, ABOVE - 0.12),
                arrowprops={"arrowstyle": "-|>", "linewidth": 0.8, "color": colour, "shrinkA": 0, "shrinkB": 0},
            )  # fmt: skip
            # a little below the middle, where the arrows from one value are apart
            x, y = middle + 0.62 * (place - middle), ABOVE - 0.12 - 0.62 * (ABOVE - BELOW - 0.24)
            axes.text(x, y, share, ha="center", va="center", fontsize=7, color=colour,
                      bbox={"facecolor": "white", "linewidth": 0, "pad": 0.8})  # fmt: skip
            axes.text(place, BELOW, name, ha="center", va="center", color=colour, bbox={**BOX, "edgecolor": colour})
            place += 1
        axes.text(middle, ABOVE, value, ha="center", va="center", bbox={**BOX, "edgecolor": "black"})
    axes.set(xlim=(-0.6, place - 0.4), ylim=(BELOW - 0.2, ABOVE + 0.2))
    axes.set_title(explosion.title)
    axes.set_axis_off()


@styled
def explosions(trees: Sequence[Explosion], *, title: str, scale: str = "") -> Figure:
    """Draw explosions below each other: original values above, finer ones below, shares between (Tran 2013, 4.1)."""
    figure, grid = panels(len(trees), height=1.9)
    for axes, explosion in zip(grid, trees, strict=True):
        _draw(axes, explosion)
    return titled(figure, title, scale)
