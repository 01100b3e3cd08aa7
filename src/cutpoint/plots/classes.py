"""Small graphs in frames, one frame for each group of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch

from cutpoint.plots.graphs import Graph, draw
from cutpoint.plots.style import TWO, panels, stamp, styled

ROOM, GAP = 0.54, 0.1  # of a cell for its graph, and between a frame and the border of its cells


def _places(groups: Sequence[Sequence[Graph]], columns: int) -> Iterator[tuple[int, int]]:
    """Yield row and first column of each group; none is broken."""
    row = column = 0
    for group in groups:
        if column and column + len(group) > columns:
            row, column = row + 1, 0
        yield row, column
        column += len(group)


@styled
def groups_of_graphs(
    groups: Sequence[Sequence[Graph]], *, title: str, columns: int = 7, height: float = 1.1, scale: str = ""
) -> Figure:
    """Draw groups of graphs, each in a frame (Tran 2013, Table 2.2).

    Args:
        groups: graphs with places in the unit square.
        title: of the figure.
        columns: graphs in a row; no group has more.
        height: inches of a row.
        scale: the sentence on the scale of the run.
    """
    places = list(_places(groups, columns))
    rows = 1 + max((row for row, _ in places), default=0)
    figure, grid = panels(1, width=TWO, height=0.5 + height * rows)
    axes = grid[0, 0]
    for group, (row, column) in zip(groups, places, strict=True):
        frame = (column + GAP / 2, -row - 1 + GAP / 2), len(group) - GAP, 1 - GAP
        style = "round,pad=0,rounding_size=0.08"
        axes.add_patch(FancyBboxPatch(*frame, boxstyle=style, facecolor="none", edgecolor="#999999", linewidth=0.8))
        for k, graph in enumerate(group):
            left, low = column + k + (1 - ROOM) / 2, -row - 0.8
            shifted = {name: (left + ROOM * x, low + ROOM * y) for name, (x, y) in graph.nodes.items()}
            draw(axes, Graph(graph.title, shifted, graph.arcs, graph.edges, graph.marked))
            axes.text(column + k + 0.12, -row - 0.11, graph.title, ha="left", va="top", fontsize=7)
    axes.set(xlim=(0, columns), ylim=(-rows, 0))
    axes.set_axis_off()
    figure.suptitle(title, fontsize=8)
    stamp(figure, scale)
    return figure
