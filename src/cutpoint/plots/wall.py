"""The page for the wall: methods by family at each number of records, their cost, what matters, which claims hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from cutpoint.base.families import OTHER, family_of
from cutpoint.plots.dots import Dot, draw_dot
from cutpoint.plots.style import plain, styled, titled
from cutpoint.statistics.verdicts import CONTRADICTED, HOLDS, NO_DATA, NOT_COMPARABLE, OPEN, PREVIEW

VERDICTS = {
    **{HOLDS: "#8fc79a", OPEN: "#e3d79a", CONTRADICTED: "#dd8f7f"},
    **{NOT_COMPARABLE: "#c9c9c9", PREVIEW: "#dcdcdc", NO_DATA: "#ececec"},
}
NO_FAMILY = replace(OTHER, light="#333333", marker="o")
WIDTH, ROW = 11.0, 0.21  # inches


@dataclass(frozen=True)
class Line:
    """A method.

    Attributes:
        label, category: of the method.
        first, second: a number for each panel, by two measures.
        seconds: CPU seconds for each panel.
    """

    label: str
    category: str
    first: Sequence[Dot]
    second: Sequence[Dot]
    seconds: Sequence[float]


@dataclass(frozen=True)
class Effect:
    """A level of a factor: its name, the factor, and its mean with its interval."""

    name: str
    factor: str
    mean: Dot


@styled
def wall(
    rows: Sequence[Line],
    heads: Sequence[str],
    *,
    effects: Sequence[Effect] = (),
    bars: Mapping[str, Mapping[str, int]] | None = None,
    reference: str = "",
    title: str,
) -> Figure:
    """Draw everything on one page.

    Args:
        rows: the methods, in order.
        heads: titles of the panels.
        effects: means of SHD by level of each factor.
        bars: how many inequalities of each study got which of VERDICTS.
        reference: the method by which all others are divided; a line stands at 1.
        title: of the figure.
    """
    upper = ROW * len(rows) + 0.75
    lower = max(ROW * len(effects), 0.3 * len(bars or {})) + 0.7 if effects or bars else 0.0
    figure = Figure(figsize=(WIDTH, upper + lower), layout="constrained")
    below: Any = None
    above: Any = figure
    if lower:
        above, below = figure.subfigures(2, 1, height_ratios=[upper, lower])  # type: ignore[misc]
    grid = above.subplots(1, len(heads) + 1, width_ratios=[*[1.0] * len(heads), 0.75])
    for k, (axes, head) in enumerate(zip(grid[:-1], heads, strict=True)):
        _panel(axes, rows, k)
        axes.set_title(head, loc="left", fontweight="bold")
        over = f"SHD over that of {reference}" if reference else "SHD"
        axes.set_xlabel(f"{over}\ndark: a wrong pair 1; pale: as Fu counts")
    _costs(grid[-1], rows, heads)
    for axes in grid:
        axes.set_ylim(len(rows) - 0.4, -0.6)
        axes.set_yticks(range(len(rows)), [row.label for row in rows] if axes is grid[0] else [""] * len(rows))
        axes.tick_params(axis="y", length=0)
    for label, row in zip(grid[0].get_yticklabels(), rows, strict=True):
        label.set_color(family_of(row.category).light)
    if lower:
        panels = below.subplots(1, 2, squeeze=False)[0] if effects and bars else [below.subplots(1, 1)]
        if effects:
            _effects(panels[0], effects)
        if bars:
            _bars(panels[-1], bars)
    return titled(figure, title, "")


def _panel(axes: Axes, rows: Sequence[Line], k: int) -> None:
    axes.axvline(1, color="#555555", linewidth=0.8, zorder=0)
    for place, row in enumerate(rows):
        family = family_of(row.category)
        draw_dot(axes, place - 0.14, row.first[k], family)
        draw_dot(axes, place + 0.16, row.second[k], replace(family, marker="D"), size=3, alpha=0.45)
    axes.grid(axis="x", color="#e6e6e6", linewidth=0.5)
    axes.set_axisbelow(True)


def _costs(axes: Axes, rows: Sequence[Line], heads: Sequence[str]) -> None:
    for place, row in enumerate(rows):
        colour = family_of(row.category).light
        known = [x for x in row.seconds if np.isfinite(x)]
        axes.plot(known, [place] * len(known), color=colour, alpha=0.5)
        if known:
            axes.plot(known[0], place, "o", mfc="white", mec=colour)
            axes.plot(known[-1], place, "o", color=colour)
    axes.set_xscale("log")
    plain(axes.xaxis, minor=False)
    axes.set_title("CPU seconds a run", loc="left", fontweight="bold")
    axes.set_xlabel(f"open: {heads[0]}, full: {heads[-1]}")
    axes.grid(axis="x", color="#e6e6e6", linewidth=0.5)


def _effects(axes: Axes, effects: Sequence[Effect]) -> None:
    for place, effect in enumerate(effects):
        draw_dot(axes, place, effect.mean, NO_FAMILY)
    axes.set_yticks(range(len(effects)), [f"{effect.factor}: {effect.name}" for effect in effects])
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(len(effects) - 0.4, -0.6)
    axes.set_title("What matters in maua2018: mean SHD (Fu)", loc="left", fontweight="bold")
    axes.grid(axis="x", color="#e6e6e6", linewidth=0.5)


def _bars(axes: Axes, bars: Mapping[str, Mapping[str, int]]) -> None:
    for place, counts in enumerate(bars.values()):
        left, total = 0.0, max(sum(counts.values()), 1)
        for verdict, colour in VERDICTS.items():
            count = counts.get(verdict, 0)
            axes.barh(place, count / total, left=left, color=colour, height=0.65)
            if count:
                axes.text(left + count / total / 2, place, str(count), ha="center", va="center", fontsize=7)
            left += count / total
    axes.set_yticks(range(len(bars)), list(bars))
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(len(bars) - 0.4, -0.6)
    axes.xaxis.set_major_locator(MaxNLocator(5))
    axes.set_xlabel("share of the inequalities")
    axes.set_title("Do published claims hold?", loc="left", fontweight="bold")
    shown = {verdict for counts in bars.values() for verdict in counts}
    handles = [axes.barh(0, 0, color=colour, label=verdict) for verdict, colour in VERDICTS.items() if verdict in shown]
    axes.legend(handles=handles, loc="upper center", bbox_to_anchor=(0.5, -0.22), ncols=4, handlelength=1)
