"""The page for the wall: methods by family and number of records, cost, main effects, verdicts on claims."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.text import Text
from matplotlib.ticker import MaxNLocator

from cutpoint.base.families import OTHER, family_of
from cutpoint.bench.plots.dots import Dot, draw_dot
from cutpoint.bench.statistics.verdicts import CONTRADICTED, INCONCLUSIVE, NO_DATA, NOT_COMPARABLE, PREVIEW, SUPPORTED
from cutpoint.plots.style import ONE, plain, styled, titled

VERDICTS = {
    **{SUPPORTED: "#8fc79a", INCONCLUSIVE: "#e3d79a", CONTRADICTED: "#dd8f7f"},
    **{NOT_COMPARABLE: "#c9c9c9", PREVIEW: "#dcdcdc", NO_DATA: "#ececec"},
}
NO_FAMILY = replace(OTHER, light="#333333", marker="o")
WIDE, ROW, LOW = 9.6, 0.175, 0.115  # inches: the page, a method, a level of a factor
LETTERS = 7.5  # points of the smallest letters of the narrow figure, which are 10 pixels on a telephone
PALE, STRIPE = 0.45, "#f0f0f0"
GRID: dict[str, Any] = {"axis": "x", "color": "#dddddd", "linewidth": 0.5}


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
class Level:
    """A name, a mean with its interval, and a second one below it, if any."""

    name: str
    mean: Dot
    second: Dot | None = None


@dataclass(frozen=True)
class Means:
    """Means under each other.

    Attributes:
        title: of the panel.
        numbers: what they are means of.
        levels: a line each.
        line: where a line stands, None for nowhere.
    """

    title: str
    numbers: str
    levels: Sequence[Level]
    line: float | None = None


@styled
def wall(
    rows: Sequence[Line],
    heads: Sequence[str],
    *,
    effects: Means | None = None,
    gains: Means | None = None,
    bars: Mapping[str, Mapping[str, int]] | None = None,
    reference: str = "",
    narrow: bool = False,
    title: str,
) -> Figure:
    """Draw everything on one page.

    Args:
        rows: the methods, in order.
        heads: titles of the panels.
        effects: what matters, if that is known.
        gains: what discretizing gains or loses, if that is known.
        bars: how many inequalities of each study got which of VERDICTS.
        reference: the method by which all others are divided; a line stands at 1.
        narrow: for a telephone, with panels in two columns and what stands below them in one.
        title: of the figure.
    """
    count = len(heads) + 1
    columns = 2 if narrow else count
    upper = -(-count // columns) * (ROW * len(rows) + 0.5) + 0.7
    left, right = [], []  # what stands below, each with its height in inches
    if effects:
        left.append((partial(_means, means=effects), (ROW if narrow else LOW) * len(effects.levels) + 0.7))
    if bars:
        right.append(
            (partial(_bars, bars=bars, columns=2 if narrow else 4), (0.3 if narrow else 0.17) * len(bars) + 1.1)
        )
    if gains:
        right.append((partial(_means, means=gains), 1.2 * (ROW if narrow else LOW) * len(gains.levels) + 0.85))
    stacks = [stack for stack in ([left + right] if narrow else [left, right]) if stack]
    lower = max((sum(height for _, height in stack) for stack in stacks), default=0.0)
    figure = Figure(figsize=(ONE if narrow else WIDE, upper + lower), layout="constrained")
    parts: Any = figure.subfigures(
        2 if lower else 1, 1, height_ratios=[upper, lower][: 2 if lower else 1], squeeze=False
    )
    _methods(parts[0, 0], rows, heads, columns, reference)
    if stacks:
        for part, stack in zip(parts[1, 0].subfigures(1, len(stacks), squeeze=False)[0], stacks, strict=True):
            _stack(part, stack, lower)
    for text in figure.findobj(Text):
        text.set_fontsize(max(float(text.get_fontsize()), LETTERS))
    return titled(figure, title, "")


def _stack(part: Any, stack: Sequence[tuple[Callable[[Axes], None], float]], height: float) -> None:
    """Draw panels under each other, each as high as it should be; what is left of the height stays empty."""
    heights = [each for _, each in stack]
    if height > sum(heights):
        heights.append(height - sum(heights))
    places = part.subfigures(len(heights), 1, height_ratios=heights, squeeze=False)[:, 0]
    for place, (draw, _) in zip(places[: len(stack)], stack, strict=True):
        draw(place.subplots())


def _methods(part: Any, rows: Sequence[Line], heads: Sequence[str], columns: int, reference: str) -> None:
    """Draw a panel for each number of records, all with one scale, and that of the cost."""
    blocks = -(-(len(heads) + 1) // columns)
    grid = part.subplots(blocks, columns, squeeze=False).ravel()
    for empty in grid[len(heads) + 1 :]:
        empty.remove()
    panels, last = grid[: len(heads)], grid[len(heads)]
    for k, (axes, head) in enumerate(zip(panels, heads, strict=True)):
        _panel(axes, rows, k)
        axes.sharex(panels[0])
        axes.set_title(head, fontweight="bold")
        axes.set_xlabel(f"SHD over that of {reference}" if reference else "SHD")
    _costs(last, rows, heads)
    for k, axes in enumerate([*panels, last]):
        for place in range(0, len(rows), 2):
            axes.axhspan(place - 0.5, place + 0.5, color=STRIPE, zorder=-1, linewidth=0)
        axes.set_ylim(len(rows) - 0.5, -0.5)
        axes.set_yticks(range(len(rows)), [row.label for row in rows] if k % columns == 0 else [""] * len(rows))
        axes.tick_params(axis="y", length=0)
        for label, row in zip(axes.get_yticklabels(), rows, strict=True):
            label.set_color(family_of(row.category).light)
    families = dict.fromkeys(family_of(row.category) for row in rows)
    marks = [Line2D([], [], color=f.light, marker=f.marker, linestyle="none", label=f.title) for f in families]
    marks += [
        Line2D([], [], color=NO_FAMILY.light, marker="o", linestyle="none", label="wrong pairs"),
        Line2D([], [], color=NO_FAMILY.light, marker="D", markersize=3, alpha=PALE, linestyle="none",
               label="as Fu counts"),
    ]  # fmt: skip
    part.legend(handles=marks, loc="outside lower left", ncols=len(marks) if columns > 2 else 2, handletextpad=0.2,
                handlelength=1.4, columnspacing=1.2)  # fmt: skip


def _panel(axes: Axes, rows: Sequence[Line], k: int) -> None:
    axes.axvline(1, color="#555555", linewidth=0.8, zorder=0)
    for place, row in enumerate(rows):
        family = family_of(row.category)
        draw_dot(axes, place - 0.2, row.first[k], family)
        draw_dot(axes, place + 0.22, row.second[k], replace(family, marker="D"), size=3, alpha=PALE)
    axes.grid(**GRID)
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
    axes.set_title("CPU seconds", fontweight="bold")
    axes.set_xlabel(f"open: {heads[0]}, full: {heads[-1]}")
    axes.grid(**GRID)
    axes.set_axisbelow(True)


def _means(axes: Axes, means: Means) -> None:
    levels = means.levels
    if means.line is not None:
        axes.axvline(means.line, color="#555555", linewidth=0.8, zorder=0)
    for place, level in enumerate(levels):
        if level.second is None:
            draw_dot(axes, place, level.mean, NO_FAMILY)
        else:
            draw_dot(axes, place - 0.2, level.mean, NO_FAMILY, size=3.5, alpha=PALE)
            draw_dot(axes, place + 0.2, level.second, NO_FAMILY, size=3.5)
    axes.set_yticks(range(len(levels)), [level.name for level in levels])
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(len(levels) - 0.4, -0.6)
    axes.set_title(means.title, fontweight="bold")
    axes.set_xlabel(means.numbers)
    axes.grid(**GRID)


def _bars(axes: Axes, bars: Mapping[str, Mapping[str, int]], *, columns: int) -> None:
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
    axes.set_title("Are published claims supported?", fontweight="bold")
    shown = {verdict for counts in bars.values() for verdict in counts}
    handles = [Patch(color=colour, label=verdict) for verdict, colour in VERDICTS.items() if verdict in shown]
    axes.figure.legend(handles=handles, loc="outside lower center", ncols=columns, handlelength=1)
