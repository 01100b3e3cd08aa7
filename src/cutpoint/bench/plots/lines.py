"""Lines with intervals: panels with common axes or scales of their own, one function, reliability diagrams."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Annotation
from matplotlib.ticker import FixedLocator, MaxNLocator, NullLocator, StrMethodFormatter

from cutpoint.bench.plots import style
from cutpoint.bench.plots.dots import families_legend
from cutpoint.bench.plots.families import FAMILIES, OTHER, FamilyStyle, family_of
from cutpoint.plots.style import COLOURS, SETTINGS, settle, styled, wrapped

MARKED = COLOURS[2]
NAME, APART = 7, 8.5  # points of the names of lines, and from one to the next
MARGIN = 0.12  # of the width of a panel, on both sides of its lines
BESIDE = 1.06  # where they stand, in widths of the panel
BARS = {"elinewidth": 0.6, "capsize": 1.5, "capthick": 0.6}  # of intervals, in points
MANY = 7  # lines of methods in a panel above which each family has a panel of its own
FAINT: dict[str, Any] = {"color": "#d9d9d9", "linewidth": 0.6, "zorder": 0}  # the lines of other families there


@dataclass(frozen=True)
class Line:
    """One line: float64 [K] each, NaN for a gap; low and high may be empty; the category is that of a method."""

    label: str
    x: np.ndarray
    y: np.ndarray
    low: np.ndarray = field(default_factory=lambda: np.empty(0))
    high: np.ndarray = field(default_factory=lambda: np.empty(0))
    category: str = field(default="", kw_only=True)

    @property
    def drawn(self) -> bool:
        """Whether there is any number."""
        return bool(np.isfinite(self.y).any())

    @property
    def end(self) -> tuple[float, float]:
        """The last place with a number."""
        k = np.flatnonzero(np.isfinite(self.y))[-1]
        return float(self.x[k]), float(self.y[k])


@dataclass(frozen=True)
class LinePanel:
    """One panel: its title and lines, what its axes say, and the category of its method."""

    title: str
    lines: Sequence[Line]
    xlabel: str
    ylabel: str = ""
    category: str = ""
    marked: float | None = None  # a place of the horizontal axis, with a grey line
    log: bool = False  # whether that axis is logarithmic
    named: Sequence[float] = ()  # places of it that have a number; all where there are none
    hollow: Mapping[str, tuple[np.ndarray, np.ndarray]] = field(default_factory=dict)  # points without a line: x and y


def draw_line(axes: Axes, line: Line, k: int, shift: float = 0.0, **options: Any) -> None:
    """Draw the k-th line of a panel with its intervals, moved to the right by a shift."""
    spread = None
    if line.low.size and np.isfinite(line.low).any():
        spread = np.clip(np.nan_to_num(np.array([line.y - line.low, line.high - line.y])), 0, None)
    axes.errorbar(line.x + shift, line.y, spread, label=line.label, **BARS | options, **style.look(k, line.category))


def _families(rows: Sequence[LinePanel]) -> list[FamilyStyle | None]:
    """Return the families that have panels of their own, None for all lines in one panel where they are few."""
    there = [line for panel in rows for line in panel.lines if line.drawn and line.category]
    families = [each for each in (*FAMILIES.values(), OTHER) if each in {family_of(line.category) for line in there}]
    return [*families] if len({line.label for line in there}) > MANY and len(families) > 1 else [None]


@styled
def rows_of_lines(
    rows: Sequence[LinePanel],
    *,
    ylabel: str,
    title: str,
    columns: int = 1,
    height: float = 1.5,
    share: bool = True,
    spread: float = 0.0,
    scale: str = "",
) -> Figure:
    """Draw panels of lines below each other, each line named at its end.

    Panels of many methods stand side by side, a row for each family, in which the lines of the others are grey.

    Columns are panels of few lines in a row; a legend names the lines of more than one. The height is that of a panel,
    in inches, more where its names need it. All panels share a vertical axis, unless `share` is False. The spread is
    the distance between lines at the same x, so that intervals do not hide each other.
    """
    families = _families(rows)
    split = families != [None]
    columns, named = len(rows) if split else columns, split or columns == 1
    cells = [(panel, family) for family in families for panel in rows]
    mine = [[line for line in panel.lines if of is None or family_of(line.category) is of] for panel, of in cells]
    own = [{k: line for k, line in enumerate(lines) if line.drawn} for lines in mine]
    tall = max(height, max(map(len, own)) * APART / 72 + 0.5) if named else height
    figure, grid = style.panels(len(cells), columns, height=tall, sharey=share, sharex="col" if split else False)
    for k, (axes, (panel, family)) in enumerate(zip(grid, cells, strict=True)):
        _draw(axes, panel, own[k], spread)
        _scale_axes(axes, panel)
        axes.margins(x=MARGIN)
        _heads(axes, panel, family, first=k < columns, left=k % columns == 0)
        if k + columns < len(cells) and panel.xlabel == cells[k + columns][0].xlabel:
            axes.set_xlabel("")
    if len(grid) == 1:
        grid[0].set_ylabel(ylabel)
    else:
        size = SETTINGS["axes.labelsize"]
        figure.supylabel(wrapped(ylabel, figure.get_figheight() - 1, size), fontsize=size)
    figure = style.titled(figure, title, scale)
    if not split:
        families_legend(figure, {line.category for lines in own for line in lines.values() if line.category})
    if named:
        of_rows = [own[k : k + columns] for k in range(0, len(own), columns)]
        name_ends(dict(zip(grid, [names for row in of_rows for names in _named(row)], strict=True)))
    else:
        style.legend_below(figure, grid[0].get_legend_handles_labels()[0])
    return figure


def _draw(axes: Axes, panel: LinePanel, own: Mapping[int, Line], spread: float) -> None:
    """Draw the lines of one family, above those of the others in grey."""
    others = [line for line in panel.lines if all(line is not mine for mine in own.values())]
    if others:
        gaps = [(np.append(line.x, np.nan), np.append(line.y, np.nan)) for line in others]
        axes.plot(*np.concatenate(gaps, axis=1), **FAINT)
    for k, line in own.items():
        draw_line(axes, line, k, spread * (k - (len(own) - 1) / 2))


def _heads(axes: Axes, panel: LinePanel, family: FamilyStyle | None, *, first: bool, left: bool) -> None:
    """Write what a panel shows above it, and beside the first of a row its family."""
    if family is None:
        axes.title.set_color(family_of(panel.category).light if panel.category else "black")
        return
    axes.set_title(f"{panel.title}\n" if first else "")  # the last line is that of the family
    if left:
        axes.set_title(family.title, loc="left", color=family.light, fontsize=7)


def _named(row: Sequence[Mapping[int, Line]]) -> list[dict[int, Line]]:
    """Return which lines each panel of a row names: those that no panel to the right of it has."""
    names = [{line.label for line in lines.values()} for lines in row]
    return [
        {k: line for k, line in lines.items() if line.label not in set[str]().union(*names[place + 1 :])}
        for place, lines in enumerate(row)
    ]


def name_ends(lines: Mapping[Axes, Mapping[int, Line]]) -> None:
    """Write the name of each line to the right of its end, in its colour, and joined to it where it had to move."""
    notes = {axes: {k: _note(axes, line, k) for k, line in of.items()} for axes, of in lines.items()}
    for axes, mine in notes.items():
        settle(cast(Figure, axes.figure))
        tall = 72 * axes.get_window_extent().height / axes.figure.dpi
        ends = np.array([lines[axes][k].end for k in mine]).reshape(-1, 2)
        wanted = axes.transAxes.inverted().transform(axes.transData.transform(ends))[:, 1] * tall
        places = spread_out(wanted, APART)
        places -= max(places.max(initial=0.0) - tall, 0.0)  # none above the panel, where a title stands
        for note, y in zip(mine.values(), places, strict=True):
            note.set_position((BESIDE, y / tall))


def _note(axes: Axes, line: Line, k: int) -> Annotation:
    return axes.annotate(
        line.label,
        xy=line.end,
        xytext=(BESIDE, 0.5),
        textcoords="axes fraction",
        fontsize=NAME,
        va="center",
        color=style.look(k, line.category)["color"],
        arrowprops={"arrowstyle": "-", "linewidth": 0.4, "color": "#999999", "shrinkA": 1, "shrinkB": 3},
    )


def spread_out(wanted: np.ndarray, apart: float) -> np.ndarray:
    """Return the places nearest to those wanted that are at least so far apart, in their order (least squares)."""
    order, steps = np.argsort(wanted, kind="stable"), apart * np.arange(len(wanted))
    places = np.empty(len(wanted))
    if len(wanted):
        from scipy.optimize import isotonic_regression  # it takes a tenth of a second, and most figures lack names

        places[order] = isotonic_regression(wanted[order] - steps).x + steps
    return places


@styled
def curve(
    x: np.ndarray,
    y: np.ndarray,
    *,
    marked: Sequence[tuple[float, float, str]] = (),
    xlabel: str,
    ylabel: str,
    title: str,
    scale: str = "",
) -> Figure:
    """Draw a function, float64 [K] each, and what to write below some of its points."""
    figure, (axes,) = style.panels(1, height=2.2)
    axes.plot(x, y, color="black")
    for at, value, note in marked:
        axes.plot(at, value, marker="o", color=MARKED, linestyle="none")
        axes.annotate(note, (at, value), xytext=(0, -6), textcoords="offset points", ha="center", va="top", fontsize=7)
    axes.set(xlabel=xlabel, ylabel=ylabel)
    axes.margins(x=0.03)
    return style.titled(figure, title, scale)


@styled
def plots(rows: Sequence[LinePanel], *, title: str, columns: int = 1, height: float = 1.7, scale: str = "") -> Figure:
    """Draw panels with the same lines, each with axes of its own (Steck and Jaakkola 2007, Figure 2).

    Labels of axes stand at the outer panels.
    """
    figure, grid = style.panels(len(rows), columns, height=height)
    for k, (axes, panel) in enumerate(zip(grid, rows, strict=True)):
        draw_panel(axes, panel)
        if k % columns and panel.ylabel == rows[k - 1].ylabel:
            axes.set_ylabel("")
        if k + columns < len(rows) and panel.xlabel == rows[k + columns].xlabel:
            axes.set_xlabel("")
    lines_legend(figure, dict(zip(grid, rows, strict=True)))
    return style.titled(figure, title, scale)


def draw_panel(axes: Axes, panel: LinePanel) -> None:
    """Draw the lines, points and marks of a panel."""
    for k, line in enumerate(panel.lines):
        draw_line(axes, line, k, markersize=3)
    for label, (x, y) in panel.hollow.items():
        axes.errorbar(
            x, y, linestyle="none", marker="o", markersize=6, mfc="none", mec=MARKED, mew=0.8, label=label, zorder=5
        )
    if panel.marked is not None:
        axes.axvline(panel.marked, color="#bbbbbb", linewidth=0.8, zorder=0)
    _scale_axes(axes, panel)


def _scale_axes(axes: Axes, panel: LinePanel) -> None:
    """Set which numbers the axes have, and what stands at them."""
    if panel.log:
        axes.set_xscale("log")
    places = sorted({float(x) for line in panel.lines for x in line.x})
    axes.xaxis.set_major_locator(FixedLocator([x for x in places if x in (panel.named or places)]))
    axes.xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
    axes.set(title=panel.title, xlabel=panel.xlabel, ylabel=panel.ylabel)


def lines_legend(figure: Figure, drawn: Mapping[Axes, LinePanel]) -> None:
    """Say below a figure what its lines are, from the panel that has most."""
    axes, fullest = max(drawn.items(), key=lambda each: len(each[1].hollow))
    if len(fullest.lines) > 1:
        style.legend_below(figure, axes.get_legend_handles_labels()[0])


TICKS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
SHIFT = 0.008  # between lines, so that intervals do not hide each other
HEIGHT, HEIGHTS = 2.4, (3.2, 1.0)  # inches of both, and of what share are the diagram and the counts below it
LEAST = 0.7  # where the logarithmic axis of the counts starts


@dataclass(frozen=True)
class Diagram:
    """One panel: the share of true features against mean confidence, a line per method, and features by bin.

    Counts are numbers [B], and edges float64 [B + 1], where the bins start and end.
    """

    title: str
    lines: Sequence[Line]
    counts: np.ndarray
    edges: np.ndarray


@styled
def diagrams(rows: Sequence[Diagram], *, ylabel: str, counted: str, title: str, scale: str = "") -> Figure:
    """Draw reliability diagrams with the same lines below each other, each above a histogram of its confidences."""
    figure = Figure(figsize=(style.ONE, 0.6 + HEIGHT * len(rows)), layout="constrained")
    grid = figure.subplots(
        2 * len(rows), 1, squeeze=False, sharex=True, gridspec_kw={"height_ratios": HEIGHTS * len(rows)}
    )
    for (above, below), panel in zip(grid.reshape(-1, 2), rows, strict=True):
        _diagram(above, panel)
        below.bar(
            panel.edges[:-1], panel.counts, np.diff(panel.edges), align="edge", color="#999999", edgecolor="white"
        )
        below.set(yscale="log", ylim=(LEAST, None), ylabel=counted)
        style.plain(below.yaxis, minor=False)
        above.set_ylabel(ylabel)
    grid[-1, 0].set_xlabel("confidence")
    style.legend_below(figure, grid[0, 0].get_legend_handles_labels()[0])
    return style.titled(figure, title, scale)


def _diagram(axes: Axes, panel: Diagram) -> None:
    axes.plot([0, 1], [0, 1], color="#999999", linewidth=0.8, zorder=0)
    middle = (len(panel.lines) - 1) / 2
    for k, line in enumerate(panel.lines):
        draw_line(axes, line, k, SHIFT * (k - middle), elinewidth=0.5, capsize=0, capthick=None)
    axes.set(title=panel.title, xlim=(-0.06, 1.04), ylim=(-0.04, 1.04))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(FixedLocator(TICKS))
