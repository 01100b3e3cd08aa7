"""Figures of studies: their panels, titles and legends, what is said of them in words, and how they are saved."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.collections import QuadMesh
from matplotlib.container import ErrorbarContainer
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, NullFormatter, NullLocator

from cutpoint.bench.plots.families import family_of
from cutpoint.plots.style import COLOURS, SETTINGS, inches, styled, wrapped

ONE, TWO = 3.4, 7.0  # inches: one column of a paper, the width of figures, and two, of graphs and tables that need them
PAGE = 9.0  # inches above which a figure of one column becomes one of two
SMALL = 6.0  # points of the smallest letters
AROUND = 0.5  # inches above and below all panels
ABSENT = "not available: "  # what the text of a figure begins with that could not be drawn
NUMBER = re.compile(r"[-−]?[\d.,]+(e[-+]?\d+)?")  # at an axis
MOST_PANELS, MOST_LINES = 8, 12  # in the alternative text of a figure
DPI = SETTINGS["savefig.dpi"]
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "p", "h", "*")
DASHES = ("-", "--", ":", "-.", (0, (5, 1)), (0, (3, 1, 1, 1)), (0, (1, 1)))
_titles: ContextVar[bool] = ContextVar("titles", default=False)  # whether a figure carries its title and scale


def panels(
    count: int, columns: int = 1, *, height: float = 2.0, width: float = ONE, **options: Any
) -> tuple[Figure, list[Axes]]:
    """Return a figure of some width and its panels, in rows of some height, inches; options: of `Figure.subplots`."""
    columns = max(1, min(columns, count))
    rows = max(1, -(-count // columns))
    figure = Figure(figsize=(width, AROUND + rows * height), layout="constrained")
    places = figure.subplots(rows, columns, squeeze=False, **options).ravel().tolist()
    for empty in places[count:]:
        empty.remove()
    return figure, places[:count]


@contextmanager
def with_titles(visible: bool) -> Iterator[None]:
    """Draw titles and the scale of the run into figures, or leave them to what stands beside a figure."""
    before = _titles.set(visible)
    try:
        yield
    finally:
        _titles.reset(before)


def titled(figure: Figure, title: str, scale: str) -> Figure:
    """Return a figure with its title and the scale of the run (red if not the paper's) where titles are asked for."""
    figure.set_label(title)
    if _titles.get():
        lines = wrapped(f"{title}\n{scale}".strip("\n"), figure.get_figwidth() - 0.1, SETTINGS["font.size"])
        figure.suptitle(lines, fontsize=8, color="#a03020" if "not the grid" in scale else "black")
    return figure


def plain(axis: Axis, *, minor: bool = True) -> None:
    """Write the numbers of a logarithmic axis as 0.1, 1, 10, 100; leave the numbers between them out."""
    axis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:g}"))
    axis.set_minor_formatter(NullFormatter())
    if not minor:
        axis.set_minor_locator(NullLocator())


def look(k: int, category: str = "") -> dict[str, Any]:
    """Return marker, line style and colour of the k-th line; methods have the colour of their family."""
    return {
        "color": family_of(category).light if category else COLOURS[k % len(COLOURS)],
        "marker": MARKERS[k % len(MARKERS)],
        "linestyle": DASHES[k % len(DASHES)],
    }


def legend_below(figure: Figure, handles: Sequence[Any], *, handlelength: float = 3.2, **options: Any) -> None:
    """Say below all panels what marks and lines stand for, in as many columns as there is room for."""
    size = SETTINGS["legend.fontsize"]
    wide = [inches(handle.get_label(), size) + (handlelength + 2) * size / 72 for handle in handles]

    def total(columns: int) -> float:
        """Return the width of a legend, whose entries go down its columns, the first ones one longer."""
        return sum(max(part) for part in np.array_split(wide, columns))

    if handles:
        columns = next((k for k in range(len(handles), 1, -1) if total(k) < figure.get_figwidth() - 0.1), 1)
        look: dict[str, Any] = {"loc": "outside lower left", "handletextpad": 0.4, "columnspacing": 1.2}
        figure.legend(handles=handles, ncols=columns, handlelength=handlelength, **(look | options))


@styled
def absent(title: str, reason: str, scale: str = "") -> Figure:
    """Draw a placeholder that says why a figure is not available."""
    figure = Figure(figsize=(ONE, 1.4), layout="constrained")
    figure.set_gid(ABSENT + reason)
    text = wrapped(f"not available: {reason}", ONE - 0.2, SETTINGS["font.size"])
    figure.text(0.5, 0.45, text, ha="center", va="center")
    return titled(figure, title, scale)


def described(figure: Figure) -> str:
    """Return in words what is drawn, for those who cannot see it: panels, and from where to where each line goes."""
    gid = figure.get_gid() or ""
    if gid.startswith(ABSENT):
        return gid
    parts = [text for axes in figure.axes if axes.get_visible() and (text := _of_panel(axes))]
    parts = [f"Upwards: {beside}.", *parts] if (beside := figure.get_supylabel()) else parts
    left = len(parts) - MOST_PANELS
    more = f" and {left} more panel{'s' * (left > 1)}" if left > 0 else ""
    return f"{caption_of(figure)}. {' '.join(parts[:MOST_PANELS])}{more}".strip()


def caption_of(figure: Figure) -> str:
    """Return the title of a figure on one line; each line is a sentence, unless the one before ends in a comma."""
    title = re.sub(r"([,;])\n", r"\1 ", str(figure.get_label()))
    lines = (" ".join(line.split()).rstrip(".") for line in title.split("\n"))
    return ". ".join(line[:1].upper() + line[1:] for line in lines if line)


def _of_panel(axes: Axes) -> str:
    """Return what one panel shows, "" where it has neither labels nor lines."""
    x, y = axes.get_xlabel(), axes.get_ylabel()
    words = [axes.get_title(), axes.get_title(loc="left"), f"{y} against {x}" if x and y else x or y]
    drawn = [(str(line.get_label()), line) for line in axes.get_lines()]
    drawn += [(str(c.get_label()), c[0]) for c in axes.containers if isinstance(c, ErrorbarContainer)]  # with intervals
    lines = [_from_to(label, line.get_ydata()) for label, line in drawn if not label.startswith("_")]
    labels = [label.get_text().strip() for label in axes.get_yticklabels()]
    names = [text for text in labels if text and not NUMBER.fullmatch(text)]
    for mesh in axes.collections:
        if isinstance(mesh, QuadMesh):  # a heat map, whose rows have names
            values: np.ndarray = np.ma.filled(np.ma.asarray(mesh.get_array(), float), np.nan)
            lines += [_from_to(name, row) for name, row in zip(names, values, strict=True)]
    if not lines:  # marks of single things, whose names stand beside the axis
        words.append(f"{len(names)} rows: {', '.join(names[:MOST_LINES])}" if len(names) > 1 else "")
    more = f"{len(lines) - MOST_LINES} more lines" if len(lines) > MOST_LINES else ""
    text = "; ".join(word.strip() for word in [*words, *lines[:MOST_LINES], more] if word and word.strip())
    return f"{' '.join(text.split())}." if text else ""


def _from_to(name: str, numbers: Any) -> str:
    """Return "eqwidth3 from 57 to 72", the first and the last that are known."""
    values = np.asarray(numbers, float)
    values = values[np.isfinite(values)]
    if not values.size:
        return ""
    ends = f"{values[0]:.3g}" if values.size == 1 else f"from {values[0]:.3g} to {values[-1]:.3g}"
    return f"{name} {ends}"


def save(figure: Figure, path: str | Path) -> None:
    """Write a figure as its ending says (pdf, svg, png), without dates."""
    kind = Path(path).suffix.removeprefix(".")
    metadata: dict[str, Any] = {"pdf": {"CreationDate": None}, "svg": {"Date": None}, "png": {"Software": None}}[kind]
    with matplotlib.rc_context(SETTINGS):
        options: dict[str, Any] = {"pil_kwargs": {"compress_level": 3}} if kind == "png" else {}
        figure.savefig(path, format=kind, metadata=metadata, dpi=DPI, **options)
