"""Places of the nodes of a DAG in a drawing, by `dot` of Graphviz (Gansner, Koutsofios, North and Vo 1993).

Of 70 nodes with boxes of 100 x 26 pixels its best style has 266 crossings, and 1060 x 760 pixels show all at a zoom of
0.48; dagre 3.1 has 590 at 0.25, ELK layered 0.12 has 367 at 0.26. For 120 nodes it takes 160 ms.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Literal, NamedTuple

import numpy as np

from cutpoint.graphs.dags import topological_order

LIMITS = (None, 1.7, 1.2, 1.0)  # nodes of a layer at most, times the square root of all
MANY = 300  # arcs from which `dot` takes seconds
Sizes = Sequence[tuple[float, float]]


class Style(NamedTuple):
    """How a DAG is drawn: arcs downwards or to the right, and how many nodes a layer has at most, see `LIMITS`."""

    direction: Literal["TB", "LR"] = "TB"
    limit: float | None = None


@dataclass(frozen=True, eq=False)
class Drawing:
    """The nodes 0..n-1 of a DAG in layers, children below or right of parents; nodes without arcs stand beside them."""

    middles: np.ndarray  # of the boxes, pixels from the upper left corner, float64 [n, 2]
    curves: dict[tuple[int, int], np.ndarray]  # points of cubic Bezier curves and the tip of an arrow, [3k + 2, 2]
    size: tuple[float, float]  # width and height of all

    @classmethod
    def of(cls, dag: np.ndarray, sizes: Sizes, gaps: tuple[float, float], style: Style) -> "Drawing":
        """Return a drawing of a DAG, bool [n, n], with boxes of some sizes and gaps in a layer and between layers."""
        joined = _graphviz(dag, sizes, gaps, style)
        middles, (right, bottom) = joined.middles, joined.size
        alone = np.flatnonzero(~(dag | dag.T).any(axis=0)).tolist()
        room = bottom or 0.8 * sqrt(sum((sizes[i][0] + gaps[0]) * (sizes[i][1] + gaps[0]) for i in alone))
        left, top, wide = right + gaps[1] * (right > 0), 0.0, max((sizes[i][0] for i in alone), default=0.0)
        for i in alone:
            if top and top + sizes[i][1] > room:
                left, top = left + wide + gaps[0], 0.0
            middles[i] = left + wide / 2, top + sizes[i][1] / 2
            top += sizes[i][1] + gaps[0]
            right, bottom = left + wide, max(bottom, top - gaps[0])
        return cls(middles, joined.curves, (right, bottom))


def best_style(dag: np.ndarray, sizes: Sizes, gaps: tuple[float, float], room: tuple[float, float]) -> Style:
    """Return the style in which a DAG is seen largest in a room of some width and height; see `Drawing.of`."""

    def scale(style: Style) -> float:
        across, down = Drawing.of(dag, sizes, gaps, style).size
        return min(room[0] / max(across, 1), room[1] / max(down, 1), 1)

    limits = LIMITS if dag.sum() <= MANY else LIMITS[:1]
    return max((Style(direction, limit) for direction in ("TB", "LR") for limit in limits), key=scale)  # type: ignore[arg-type]


def _graphviz(dag: np.ndarray, sizes: Sizes, gaps: tuple[float, float], style: Style) -> Drawing:
    """Return a drawing of the nodes that have arcs alone."""
    import pygraphviz  # takes 50 ms

    arcs = [(i, j) for i, j in np.argwhere(dag).tolist()]
    nodes, middles, depth = sorted({i for arc in arcs for i in arc}), np.zeros((len(dag), 2)), _depths(dag, style.limit)
    if not arcs:
        return Drawing(middles, {}, (0.0, 0.0))
    graph = pygraphviz.AGraph(directed=True)
    graph.graph_attr.update(rankdir=style.direction, nodesep=gaps[0] / 72, ranksep=gaps[1] / 72)
    graph.node_attr.update(shape="box", fixedsize="true", label="")  # a text would ask for fonts
    for i in nodes:
        graph.add_node(i, width=sizes[i][0] / 72, height=sizes[i][1] / 72)
    for i, j in arcs:
        graph.add_edge(i, j, minlen=max(depth[j] - depth[i], 1), arrowsize=0.8)
    graph.layout(prog="dot")
    across, down = (float(part) for part in graph.graph_attr["bb"].split(",")[2:])
    for i in nodes:
        middles[i] = _points(graph.get_node(i).attr["pos"], down)
    curves = {}
    for i, j in arcs:
        tip, curve = graph.get_edge(i, j).attr["pos"].removeprefix("e,").split(maxsplit=1)
        curves[i, j] = _points(f"{curve} {tip}", down)
    return Drawing(middles, curves, (across, down))


def _points(text: str, down: float) -> np.ndarray:
    """Return points of Graphviz, whose origin is below, from the upper left corner, float64 [k, 2]."""
    points = np.array([point.split(",") for point in text.split()], float)
    points[:, 1] = down - points[:, 1]
    return points


def _depths(dag: np.ndarray, limit: float | None) -> np.ndarray:
    """Return the layer of each node, int64 [n], such that arcs are short; all 0 without a limit."""
    depth, room = np.zeros(len(dag), np.int64), np.zeros(len(dag) + 1, int)
    if limit is None:
        return depth
    joined, most = np.flatnonzero((dag | dag.T).any(axis=0)), max(3, int(limit * sqrt(len(dag))))
    for i in (i for i in topological_order(dag).tolist() if i in joined):
        first = int(depth[dag[:, i]].max(initial=-1)) + 1
        depth[i] = next(level for level in range(first, len(dag)) if room[level] < most)
        room[depth[i]] += 1
    moved = True
    while moved:  # each move makes the arcs shorter
        moved = False
        for i in joined.tolist():
            first, last = int(depth[dag[:, i]].max(initial=-1)) + 1, int(depth[dag[i]].min(initial=len(dag))) - 1
            balance = int(dag[i].sum() - dag[:, i].sum())  # children less parents
            levels = range(last, depth[i], -1) if balance > 0 else range(first, depth[i] if balance else first)
            if (free := next((level for level in levels if room[level] < most), None)) is not None:
                room[depth[i]] -= 1
                room[free] += 1
                depth[i], moved = free, True
    return depth
