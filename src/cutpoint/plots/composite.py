"""A graph of many variables on a circle, whose edges differ in how sure they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import FancyArrowPatch

from cutpoint.plots.style import TWO, panels, stamp, styled

LINES: dict[str, Any] = {"solid": "-", "dashed": (0, (4, 2.5))}
DOT = 6.0  # points across
BEND = 0.45
MANY = 16  # variables above which names stand along the radius and shares are left out
SWEEPS = 20
Edge = Mapping[str, str | float | bool]


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


def _name(axes: Axes, name: str, angle: float, place: tuple[float, float], *, upright: bool) -> None:
    """Write a name outside the circle, along the radius unless upright."""
    right = np.cos(angle) >= -1e-9
    turn = np.rad2deg(angle) - (0 if right else 180)
    side = "center" if upright and abs(np.cos(angle)) < 0.3 else "left" if right else "right"
    rise = "bottom" if np.sin(angle) > 0 else "top"
    axes.annotate(
        name, place, xytext=(7 * np.cos(angle), 7 * np.sin(angle)), textcoords="offset points", ha=side,
        va=rise if side == "center" else "center", rotation=0 if upright else turn, rotation_mode="anchor",
    )  # fmt: skip


def bend(start: np.ndarray, end: np.ndarray, most: float = BEND, power: int = 1) -> float:
    """Return how much a line on the unit circle bends towards the centre: the more the nearer its ends are."""
    middle, (dx, dy) = (start + end) / 2, end - start
    rad = most * float(np.hypot(*middle)) ** power
    return rad if np.array([dy, -dx]) @ middle < 0 else -rad


def _edge(axes: Axes, edge: Edge, start: np.ndarray, end: np.ndarray, *, named: bool) -> None:
    """Draw an edge that bends towards the centre of the circle."""
    rad = bend(start, end)
    axes.add_patch(
        FancyArrowPatch(
            (start[0], start[1]), (end[0], end[1]), connectionstyle=f"arc3,rad={rad}",
            arrowstyle="-|>" if edge["directed"] else "-",
            mutation_scale=8, shrinkA=DOT / 2, shrinkB=DOT / 2, linestyle=LINES[str(edge["style"])], linewidth=1.0,
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
    edges: Sequence[Edge],
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
    side = 0.55 * TWO if len(order) <= MANY else 0.85 * TWO
    figure, grid = panels(1, width=side, height=side + 0.35)
    axes = grid[0, 0]
    room = 1.1 if len(order) <= MANY else 1.35  # for the names
    axes.set(xlim=(-1.15 * room, 1.15 * room), ylim=(-room, room))
    axes.set_aspect("equal", adjustable="box")
    axes.set_axis_off()
    for name, angle in zip(order, angles, strict=True):
        axes.plot(*place[name], marker="o", markersize=DOT, mfc="white", mec="black", mew=0.8, zorder=3)
        _name(axes, name, angle, place[name], upright=len(order) <= MANY)
    for edge, (source, target) in zip(edges, pairs, strict=True):
        _edge(axes, edge, np.array(place[source]), np.array(place[target]), named=len(order) <= MANY)
    handles = [Line2D([], [], color="black", linestyle=LINES[name], label=text) for name, text in legend.items()]
    key = figure.legend(
        handles=handles, title=title, title_fontsize=8, loc="outside upper center", ncols=3, handlelength=3.2
    )
    key.get_title().set_multialignment("center")
    stamp(figure, scale)
    return figure
