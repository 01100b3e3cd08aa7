"""Distributions of two variables, as densities and points, and what discretization makes of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from cutpoint.bench.plots.dots import DotRow
from cutpoint.bench.plots.families import family_of
from cutpoint.bench.plots.lines import LinePanel, draw_panel, lines_legend
from cutpoint.bench.plots.style import ONE, PAGE, SMALL, TWO, panels, titled
from cutpoint.plots.style import COLOURS, clipped, styled

POINTS = 121  # grid points per axis of a density
BARS = 120  # of a histogram


def mixture(x: np.ndarray, sigma: float, levels: int) -> np.ndarray:
    """Return the normal densities around the codes 0..levels-1 at x, float64 [levels, len(x)]."""
    z = (x[None, :] - np.arange(levels)[:, None]) / sigma
    return np.exp(-0.5 * z**2) / (sigma * np.sqrt(2 * np.pi))


def _span(levels: int, sigma: float, points: int = POINTS) -> np.ndarray:
    return np.linspace(-3 * sigma, levels - 1 + 3 * sigma, points)


@styled
def joint(probabilities: np.ndarray, *, sigma: float, parent: str, child: str, title: str, scale: str = "") -> Figure:
    """Draw a variable and its parent: density left, probabilities right (Fu 2005, Figure V-1).

    Probabilities are the joint distribution, float64 [parent levels, child levels]; sigma is that around each code.
    """
    levels = probabilities.shape
    figure, (left, right) = panels(2, height=2.1)
    x, y = (_span(count, sigma) for count in levels)
    density = mixture(x, sigma, levels[0]).T @ probabilities @ mixture(y, sigma, levels[1])
    # The square root lets weak components be seen beside strong ones.
    left.contourf(x + 1, y + 1, np.sqrt(density.T), levels=14, cmap="Greys", zorder=-1)
    left.set_rasterization_zorder(0)  # its outlines are as large as all other figures together
    left.set_title(f"continuous: density, sigma = {sigma:g}, darker is higher")
    right.imshow(np.sqrt(probabilities.T), origin="lower", cmap="Greys", vmin=0, aspect="auto",
                 extent=(0.5, levels[0] + 0.5, 0.5, levels[1] + 0.5))  # fmt: skip
    limit = np.sqrt(probabilities.max()) / 2
    for (i, j), p in np.ndenumerate(probabilities):
        colour = "white" if np.sqrt(p) > limit else "black"
        right.text(i + 1, j + 1, f"{p:.3f}", ha="center", va="center", fontsize=6.5, color=colour)
    right.set_title("discrete: joint probability")
    for axes in (left, right):
        axes.set(xlabel=parent, ylabel=child, xticks=range(1, levels[0] + 1), yticks=range(1, levels[1] + 1))
    return titled(figure, title, scale)


@styled
def marginals(variables: Sequence[tuple[str, np.ndarray]], *, sigma: float, title: str, scale: str = "") -> Figure:
    """Draw marginal densities, each with its components and the true codes (Fu 2005, Figure V-3)."""
    figure, grid = panels(len(variables), height=1.6)
    for axes, (name, probabilities) in zip(grid, variables, strict=True):
        x = _span(len(probabilities), sigma, 400)
        parts = mixture(x, sigma, len(probabilities)) * probabilities[:, None]
        axes.plot(x + 1, parts.sum(0), color="black", label="density")
        axes.plot(x + 1, parts.T, color="#666666", linewidth=0.6, linestyle="--")
        axes.plot([], [], color="#666666", linewidth=0.6, linestyle="--", label="components")
        axes.set(title=name, xlabel="value", ylabel="density", xticks=range(1, len(probabilities) + 1))
        axes.set_ylim(0, None)
        axes.legend(loc="best")
    return titled(figure, title, scale)


def _counts(axes: Axes, x: np.ndarray, y: np.ndarray, bins: int) -> None:
    edges = np.linspace(0, 1, bins + 1)
    share = np.histogram2d(x, y, bins=[edges, edges])[0] / len(x)
    axes.imshow(share.T, origin="lower", cmap="Greys", vmin=0, vmax=2 / bins**2, extent=(0, 1, 0, 1))
    for (i, j), p in np.ndenumerate(share):
        where = ((i + 0.5) / bins, (j + 0.5) / bins)
        axes.text(*where, f"{p:.3f}", ha="center", va="center", fontsize=7,
                  color="white" if p > 1.4 / bins**2 else "black")  # fmt: skip


@styled
def obscured(
    samples: Sequence[tuple[str, np.ndarray]], *, bins: int, notes: Sequence[str], title: str, scale: str = ""
) -> Figure:
    """Draw samples, float64 [N, 2], in the unit square above their histograms of equal cells (Fu 2005, Figure I-1)."""
    figure, grid = panels(2 * len(samples), len(samples), height=1.9)
    above, below = grid[: len(samples)], grid[len(samples) :]
    for top, bottom, (name, xy), note in zip(above, below, samples, notes, strict=True):
        top.plot(*xy.T, linestyle="none", marker=".", markersize=1.6, color="black", rasterized=True)
        for cut in np.arange(1, bins) / bins:
            top.axvline(cut, color="#999999", linewidth=0.4, linestyle="--")
            top.axhline(cut, color="#999999", linewidth=0.4, linestyle="--")
        top.set(title=name, xlim=(0, 1), ylim=(0, 1), aspect="equal", xlabel="X", ylabel="Y")
        _counts(bottom, xy[:, 0], xy[:, 1], bins)
        ticks = (np.arange(bins) + 0.5) / bins
        bottom.set(xticks=ticks, yticks=ticks, xticklabels=range(1, bins + 1), yticklabels=range(1, bins + 1))
        bottom.set(xlabel=f"X, {bins} equal intervals\n{note}", ylabel=f"Y, {bins} equal intervals")
    return titled(figure, title, scale)


@dataclass(frozen=True)
class Cuts:
    """What a discretizer returns on a sample: sorted thresholds, and a note for each interval."""

    title: str
    thresholds: np.ndarray
    notes: Sequence[str]


@styled
def intervals(x: np.ndarray, discretizations: Sequence[Cuts], *, xlabel: str, title: str, scale: str = "") -> Figure:
    """Draw a histogram with the intervals of several discretizers, one below the other (Mabrouk 2015, Figure 1)."""
    figure, grid = panels(len(discretizations), height=1.7, sharex=True)
    for axes, cuts in zip(grid, discretizations, strict=True):
        axes.hist(x, bins=BARS, color="#b0b0b0", linewidth=0)
        pad = 0.12 * np.ptp(x)  # the outer intervals are open
        ends = np.concatenate([[x.min() - pad], cuts.thresholds, [x.max() + pad]])
        top = axes.get_ylim()[1]
        for cut in cuts.thresholds:
            axes.axvline(cut, color="#D55E00", linewidth=1.0)
        for k, note in enumerate(cuts.notes):
            level = 1.16 + 0.3 * (k % 2)  # of neighbours one is higher, for intervals may be narrower than a note
            axes.text(ends[k : k + 2].mean(), level * top, note, ha="center", va="center", fontsize=SMALL)
        axes.set(title=cuts.title, ylabel="records", ylim=(0, 1.62 * top), xlim=(ends[0], ends[-1]))
    grid[-1].set_xlabel(xlabel)
    return titled(figure, title, scale)


CUT = COLOURS[2]
CROWDED = 500  # points above which they are drawn smaller


@dataclass(frozen=True)
class Cloud:
    """Points to draw, float64 [N, 2], the thresholds of both variables, and a note below."""

    title: str
    xy: np.ndarray
    cuts: tuple[np.ndarray, np.ndarray] = (np.empty(0), np.empty(0))
    note: str = ""


def _cloud(axes: Axes, cloud: Cloud, names: tuple[str, str]) -> None:
    size = 1.0 if len(cloud.xy) > CROWDED else 1.8
    axes.plot(*cloud.xy.T, linestyle="none", marker="o", markersize=size, mew=0, color="#555555", rasterized=True)
    for cuts, draw in zip(cloud.cuts, (axes.axvline, axes.axhline), strict=True):
        for cut in cuts:
            draw(cut, color=CUT, linewidth=1.0)
    axes.set(title=cloud.title, xlabel=f"{names[0]}\n{cloud.note}" if cloud.note else names[0], ylabel=names[1])
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))


@styled
def clouds(samples: Sequence[Cloud], *, names: tuple[str, str], title: str, scale: str = "") -> Figure:
    """Draw points with their thresholds in rows of two (Steck and Jaakkola 2007, Figures 1 and 3)."""
    figure, grid = panels(len(samples), 2, height=2.2)
    for axes, cloud in zip(grid, samples, strict=True):
        _cloud(axes, cloud, names)
    return titled(figure, title, scale)


@styled
def above(cloud: Cloud, rows: Sequence[LinePanel], *, names: tuple[str, str], title: str, scale: str = "") -> Figure:
    """Draw points with their thresholds, and panels with the same lines below them (the same, Figure 5)."""
    figure, (first, *rest) = panels(1 + len(rows), height=1.7)
    _cloud(first, cloud, names)
    for axes, panel in zip(rest, rows, strict=True):
        draw_panel(axes, panel)
    lines_legend(figure, dict(zip(rest, rows, strict=True)))
    return titled(figure, title, scale)


@styled
def series(
    xy: np.ndarray,
    clouds: Sequence[tuple[str, np.ndarray, str]],
    *,
    count: int,
    names: tuple[str, str],
    title: str,
    scale: str = "",
) -> Figure:
    """Draw two series over time with the breaks between intervals, and against each other (Tran 2013, Figure 2.2).

    Clouds are title, breaks of both axes and a note below, for each drawing of one series against the other; the last
    breaks are also drawn across the series, of which so many points are shown.
    """
    figure = Figure(figsize=(ONE, 4.2), layout="constrained")
    parts: Any = figure.subfigures(2, 1)
    upper, lower = parts
    for k, axes in enumerate(upper.subplots(2, 1, sharex=True)):
        axes.plot(np.arange(count), xy[:count, k], color="black", linewidth=0.5)
        for cut in clouds[-1][1]:
            axes.axhline(cut, color=CUT, linewidth=0.8)
        axes.set_ylabel(names[k])
        axes.margins(x=0)
    axes.set_xlabel("time")
    for axes, (head, breaks, note) in zip(lower.subplots(1, len(clouds), sharey=True), clouds, strict=True):
        axes.plot(*xy.T, linestyle="none", marker=".", markersize=1.0, color="black", alpha=0.5, rasterized=True)
        for cut in breaks:
            axes.axvline(cut, color=CUT, linewidth=0.4)
            axes.axhline(cut, color=CUT, linewidth=0.4)
        axes.set(title=head, xlabel=f"{names[0]}\n{note}", aspect="equal")
        axes.label_outer()
    return titled(figure, title, scale)


HIGH = 0.6  # inches of a histogram
ROW = 0.115  # inches of a row of ticks
ABREAST = 2  # histograms in a column of a paper
BINS = 30
FAR = 5.0  # interquartile ranges from the quartiles beyond which values are out of view
HEAD = 0.45  # inches that its name and numbers take
FAINT = "#dddddd"


@dataclass(frozen=True)
class Variable:
    """A histogram to draw: of values [N], with the thresholds of each method, None for a method without."""

    name: str
    values: np.ndarray
    cuts: Sequence[np.ndarray | None]


def view(values: np.ndarray) -> tuple[float, float]:
    """Return the range to show: all of it, but of few far values where they would squeeze the others together."""
    low, high = float(values.min()), float(values.max())
    first, third = np.quantile(values, [0.25, 0.75])
    if third > first:
        low, high = max(low, float(first - FAR * (third - first))), min(high, float(third + FAR * (third - first)))
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def _draw(axes: Axes, variable: Variable, scale: float, colours: Sequence[str]) -> None:
    low, high = view(variable.values)
    beyond = int(((variable.values < low) | (variable.values > high)).sum())
    counts, edges = np.histogram(variable.values, bins=BINS, range=(low, high))
    axes.bar(edges[:-1], counts / max(counts.max(), 1), np.diff(edges), align="edge", color="#9bb8cc", linewidth=0)
    for k, cuts in enumerate(variable.cuts):
        at = -(k + 1) * scale
        axes.plot([low, high], [at, at], color=FAINT, linewidth=0.5, zorder=1)
        if cuts is None:
            continue
        look: dict[str, Any] = {"linestyle": "none", "color": colours[k], "zorder": 2, "clip_on": False}
        look["in_layout"] = False  # a line without points would stand in the corner of the figure
        inside = cuts[(cuts >= low) & (cuts <= high)]
        axes.plot(inside, np.full(len(inside), at), marker="|", markersize=5.5, markeredgewidth=1.1, **look)
        for end, mark, far in ((low, "<", cuts < low), (high, ">", cuts > high)):
            axes.plot([end] * bool(far.any()), [at] * bool(far.any()), marker=mark, markersize=3, **look)
    pad = 0.02 * (high - low)
    axes.set(xlim=(low - pad, high + pad), ylim=(-(len(variable.cuts) + 0.7) * scale, 1.05))
    axes.set_title(clipped(variable.name), fontsize=7, pad=2)
    if beyond:
        side, at = ("right", 1.0) if variable.values.max() > high else ("left", 0.0)
        text = axes.text(at, 0.99, f"{beyond} further out", transform=axes.transAxes, ha=side, va="top")
        text.set(fontsize=SMALL, color="#666666")
    axes.xaxis.set_major_locator(MaxNLocator(3))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:.6g}"))
    axes.tick_params(axis="x", labelsize=6)
    axes.spines["left"].set_visible(False)


@styled
def thresholds(methods: Sequence[DotRow], variables: Sequence[Variable], *, title: str, scale: str = "") -> Figure:
    """Draw a histogram of every variable and a row of ticks for every method below it."""
    height = HIGH + ROW * (len(methods) + 0.7) + HEAD

    def columns_of(width: float) -> int:
        return max(1, min(len(variables), round(ABREAST * width / ONE)))

    width = ONE if -(-len(variables) // columns_of(ONE)) * height <= PAGE else TWO
    columns = columns_of(width)
    figure, grid = panels(len(variables), columns, height=height, width=width)
    unit = ROW / HIGH  # a row of ticks on the axis of the histogram
    colours = [family_of(method.category).light for method in methods]
    for k, (axes, variable) in enumerate(zip(grid, variables, strict=True)):
        _draw(axes, variable, unit, colours)
        names = [method.label if k % columns == 0 else "" for method in methods]
        axes.set_yticks([-(i + 1) * unit for i in range(len(methods))], names, fontsize=SMALL)
        axes.tick_params(axis="y", length=0)
        for text, colour in zip(axes.get_yticklabels(), colours, strict=True):
            text.set_color(colour)
    return titled(figure, title, scale)
