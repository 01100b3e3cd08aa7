"""Places of the nodes of a DAG in a drawing, by `dot` of Graphviz (Gansner, Koutsofios, North and Vo 1993).

Of random networks of 40 to 120 nodes with boxes of 100 x 26 pixels 1060 x 760 pixels show all at a zoom of 1 to 0.49.
Limits on the nodes of a layer would make it .03 larger on average. For 120 nodes it takes 160 ms.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Literal

import numpy as np

Sizes = Sequence[tuple[float, float]]
Direction = Literal["TB", "LR"]  # of arcs: downwards or to the right


@dataclass(frozen=True, eq=False)
class Drawing:
    """The nodes 0..n-1 of a DAG in layers, children below or right of parents; nodes without arcs stand beside them."""

    middles: np.ndarray  # of the boxes, pixels from the upper left corner, float64 [n, 2]
    curves: dict[tuple[int, int], np.ndarray]  # points of cubic Bezier curves and the tip of an arrow, [3k + 2, 2]
    size: tuple[float, float]  # width and height of all

    @classmethod
    def of(cls, dag: np.ndarray, sizes: Sizes, gaps: tuple[float, float], direction: Direction = "TB") -> "Drawing":
        """Return a drawing of a DAG, bool [n, n], with boxes of some sizes and gaps in a layer and between layers."""
        middles, curves, (right, bottom) = _graphviz(dag, sizes, gaps, direction)
        alone = np.flatnonzero(~(dag | dag.T).any(axis=0)).tolist()
        room = bottom or 0.8 * sqrt(sum((sizes[i][0] + gaps[0]) * (sizes[i][1] + gaps[0]) for i in alone))
        left, top, wide = right + gaps[1] * (right > 0), 0.0, max((sizes[i][0] for i in alone), default=0.0)
        for i in alone:
            if top and top + sizes[i][1] > room:
                left, top = left + wide + gaps[0], 0.0
            middles[i] = left + wide / 2, top + sizes[i][1] / 2
            top += sizes[i][1] + gaps[0]
            right, bottom = left + wide, max(bottom, top - gaps[0])
        return cls(middles, curves, (right, bottom))


def best_direction(dag: np.ndarray, sizes: Sizes, gaps: tuple[float, float], room: tuple[float, float]) -> Direction:
    """Return the direction in which a DAG is seen largest in a room of some width and height; see `Drawing.of`."""

    def scale(direction: Direction) -> float:
        across, down = Drawing.of(dag, sizes, gaps, direction).size
        return min(room[0] / max(across, 1), room[1] / max(down, 1), 1)

    return "LR" if scale("LR") > scale("TB") else "TB"


def _graphviz(dag: np.ndarray, sizes: Sizes, gaps: tuple[float, float], direction: Direction) -> tuple:
    """Return middles, curves and size of a drawing of the nodes that have arcs alone, as of `Drawing`."""
    import pygraphviz  # takes 50 ms

    arcs = [(i, j) for i, j in np.argwhere(dag).tolist()]
    nodes, middles = sorted({i for arc in arcs for i in arc}), np.zeros((len(dag), 2))
    if not arcs:
        return middles, {}, (0.0, 0.0)
    graph = pygraphviz.AGraph(directed=True)
    graph.graph_attr.update(rankdir=direction, nodesep=gaps[0] / 72, ranksep=gaps[1] / 72)
    graph.node_attr.update(shape="box", fixedsize="true", label="")  # a text would ask for fonts
    for i in nodes:
        graph.add_node(i, width=sizes[i][0] / 72, height=sizes[i][1] / 72)
    for i, j in arcs:
        graph.add_edge(i, j, arrowsize=0.8)
    graph.layout(prog="dot")
    across, down = (float(part) for part in graph.graph_attr["bb"].split(",")[2:])
    for i in nodes:
        middles[i] = _points(graph.get_node(i).attr["pos"], down)
    curves = {}
    for i, j in arcs:
        tip, curve = graph.get_edge(i, j).attr["pos"].removeprefix("e,").split(maxsplit=1)
        curves[i, j] = _points(f"{curve} {tip}", down)
    return middles, curves, (across, down)


def _points(text: str, down: float) -> np.ndarray:
    """Return points of Graphviz, whose origin is below, from the upper left corner, float64 [k, 2]."""
    points = np.array([point.split(",") for point in text.split()], float)
    points[:, 1] = down - points[:, 1]
    return points
