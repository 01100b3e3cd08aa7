"""Places of the nodes of a DAG in a drawing, by the steps of Sugiyama, Tagawa and Toda (1981)."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt

import numpy as np
from scipy.optimize import isotonic_regression

from cutpoint.graphs.dags import topological_order

SWEEPS = 16
WIDEST = 1.7  # nodes of a layer, times the square root of all: about as many layers as a screen is high
STRAIGHT = 8.0  # weight of a piece of an arc between two layers that it passes


@dataclass(frozen=True, eq=False)
class Layers:
    """The nodes 0..n-1 of a DAG in layers, parents above children, with few crossings of arcs.

    Attributes:
        rows: nodes from left to right, by layer; an arc that passes a layer has a place in it, n, n + 1, ...
        routes: of each arc (i, j) the places that it passes, downwards.
    """

    rows: list[list[int]]
    routes: dict[tuple[int, int], list[int]]

    @classmethod
    def of(cls, dag: np.ndarray) -> "Layers":
        """Return the layers of a DAG, bool [n, n]; nodes without arcs stand below all others."""
        depth = _depths(dag)
        nodes = [np.flatnonzero(depth == level).tolist() for level in range(depth.max(initial=-1) + 1)]
        passing: list[list[int]] = [[] for _ in nodes]
        routes: dict[tuple[int, int], list[int]] = {}
        n = len(dag)
        for i, j in np.argwhere(dag).tolist():
            routes[i, j] = [n + k for k in range(depth[j] - depth[i] - 1)]
            for level, place in enumerate(routes[i, j], depth[i] + 1):
                passing[level].append(place)
            n += len(routes[i, j])
        rows = [_mixed(*parts) for parts in zip(nodes, passing, strict=True)]
        layers = cls(rows, routes)
        return cls(_ordered(rows, layers._near()), routes)

    def _near(self) -> dict[int, tuple[list[int], list[int]]]:
        """Return what each place is joined with in the layers above and below."""
        near: dict[int, tuple[list[int], list[int]]] = {place: ([], []) for row in self.rows for place in row}
        for (i, j), route in self.routes.items():
            for upper, lower in zip([i, *route], [*route, j], strict=True):
                near[upper][1].append(lower)
                near[lower][0].append(upper)
        return near

    def middles(self, widths: Sequence[float], gap: float) -> dict[int, float]:
        """Return the horizontal middle of each place, the leftmost edge at 0: near its neighbours, arcs straight.

        Each layer in turn is moved to the weighted means of its neighbours, as far as boxes stay apart.

        Args:
            widths: of the nodes.
            gap: least distance between nodes of a layer; arcs that pass it are half as far from each other.
        """
        nodes, near = len(widths), self._near()
        wide = {place: widths[place] if place < nodes else -gap / 2 for row in self.rows for place in row}
        offsets: list[np.ndarray] = []
        middle: dict[int, float] = {}
        for row in self.rows:
            sizes = np.array([wide[place] for place in row])
            offset = np.concatenate([[0.0], np.cumsum((sizes[:-1] + sizes[1:]) / 2 + gap)])
            offsets.append(offset)
            middle |= dict(zip(row, (offset - offset[-1] / 2).tolist(), strict=True))
        for sweep in range(4 * SWEEPS):
            sides = (0, 1) if sweep >= SWEEPS else (sweep % 2,)
            for row, offset in [*zip(self.rows, offsets, strict=True)][:: 1 if sweep % 2 == 0 else -1]:
                weights, wanted = np.full(len(row), 1e-6), np.array([middle[place] for place in row])
                for k, place in enumerate(row):
                    others = [other for side in sides for other in near[place][side]]
                    if others:
                        pull = np.array([STRAIGHT if min(place, other) >= nodes else 1.0 for other in others])
                        weights[k] = pull.sum()
                        wanted[k] = pull @ [middle[other] for other in others] / pull.sum()
                positions = isotonic_regression(wanted - offset, weights=weights).x + offset
                middle |= dict(zip(row, positions.tolist(), strict=True))
        limits = {}  # of what passes a layer, by its neighbours there
        for row, offset in zip(self.rows, offsets, strict=True):
            for k, place in enumerate(row):
                limits[place] = [(row[j], offset[k] - offset[j]) for j in (k - 1, k + 1) if 0 <= j < len(row)]
        for (_, below), route in self.routes.items():  # a long arc bends once, near its parent, where there is room
            for place in reversed(route):
                low = max((middle[other] + far for other, far in limits[place] if far > 0), default=-np.inf)
                high = min((middle[other] + far for other, far in limits[place] if far < 0), default=np.inf)
                middle[place] = min(max(middle[below], low), high)
                below = place
        left = min((middle[place] - wide[place] / 2 for place in middle), default=0.0)
        return {place: x - left for place, x in middle.items()}


def _depths(dag: np.ndarray) -> np.ndarray:
    """Return the layer of each node, int64 [n]: arcs are short, and no layer is much wider than there are layers."""
    joined = (dag | dag.T).any(axis=0)
    most, depth, room = max(3, int(WIDEST * sqrt(len(dag)))), np.zeros(len(dag), np.int64), np.zeros(len(dag) + 1, int)
    for i in topological_order(dag).tolist():
        if joined[i]:
            first = int(depth[dag[:, i]].max(initial=-1)) + 1
            depth[i] = next(level for level in range(first, len(dag)) if room[level] < most)
            room[depth[i]] += 1
    moved = True
    while moved:  # each move makes the arcs shorter
        moved = False
        for i in np.flatnonzero(joined).tolist():
            first, last = int(depth[dag[:, i]].max(initial=-1)) + 1, int(depth[dag[i]].min(initial=len(dag))) - 1
            balance = int(dag[i].sum() - dag[:, i].sum())  # children less parents
            levels = range(last, depth[i], -1) if balance > 0 else range(first, depth[i] if balance else first)
            if (free := next((level for level in levels if room[level] < most), None)) is not None:
                room[depth[i]] -= 1
                room[free] += 1
                depth[i], moved = free, True
    depth[~joined] = depth[joined].max(initial=-1) + 1 + np.arange((~joined).sum()) // most
    return np.unique(depth, return_inverse=True)[1]


def _mixed(nodes: list[int], passing: list[int]) -> list[int]:
    """Return a layer whose nodes stand evenly between the arcs that pass it, as ties in means leave them."""
    spots = [(k + 0.5) / len(part) for part in (nodes, passing) for k in range(len(part))]
    return [place for _, place in sorted(zip(spots, nodes + passing, strict=True))]


def _ordered(rows: list[list[int]], near: dict[int, tuple[list[int], list[int]]]) -> list[list[int]]:
    """Return the layers in an order with few crossings: by means of neighbours above and below in turns, the best."""
    best, least = rows, crossings(rows, near)
    rows = [[*row] for row in rows]
    for sweep in range(SWEEPS):
        side = sweep % 2
        for row in rows[:: 1 if side == 0 else -1]:
            spot = {place: k / len(other) for other in rows for k, place in enumerate(other)}
            mean = {p: float(np.mean([spot[o] for o in near[p][side]])) if near[p][side] else spot[p] for p in row}
            row.sort(key=mean.__getitem__)
        if (now := crossings(rows, near)) < least:
            best, least = [[*row] for row in rows], now
    return best


def crossings(rows: list[list[int]], near: dict[int, tuple[list[int], list[int]]]) -> int:
    """Return how many pairs of arcs cross between neighbouring layers."""
    total = 0
    for upper, lower in pairwise(rows):
        spot, arcs = {place: k for k, place in enumerate(lower)}, np.zeros((len(upper), len(lower)), np.int64)
        for k, place in enumerate(upper):
            for other in near[place][1]:
                arcs[k, spot[other]] += 1
        before = arcs.cumsum(0).cumsum(1)
        total += int((arcs[1:] * (before[:-1, -1:] - before[:-1])).sum())
    return total
