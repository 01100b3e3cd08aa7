"""How all figures look, and how they are saved: readable in grey, vector text, the same bytes every time."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Text
from matplotlib.textpath import TextPath
from matplotlib.ticker import FuncFormatter, NullFormatter, NullLocator

from cutpoint.base.families import FAMILIES, OTHER, family_of

ONE, TWO = 3.4, 7.0  # inches: one column and two columns of a paper
DPI = 200
ABSENT = "not available: "  # what the text of a figure begins with that could not be drawn
MOST_PANELS, MOST_LINES = 8, 12  # in the alternative text of a figure
SETTINGS: Any = {
    # DejaVu Sans is shipped with matplotlib, so the same on every machine; the others are for readers of an SVG.
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans", "Verdana"],
    "font.size": 8,
    "axes.titlesize": 8,
    "axes.titley": 1.0,  # a fixed place: no figure has ticks above, and looking for them costs a tenth of a drawing
    "text.parse_math": False,
    "axes.labelsize": 8,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "legend.fontsize": 7,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.6,
    "lines.linewidth": 1.0,
    "lines.markersize": 4,
    "legend.frameon": False,
    "svg.fonttype": "none",
    "svg.hashsalt": "cutpoint",
    "pdf.fonttype": 42,
    "savefig.dpi": DPI,
    "figure.dpi": DPI,
}
# Colours of Okabe and Ito that also differ in grey, for what is no method: those have the colour of their family.
COLOURS = ("#000000", "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#7F7F7F")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "p", "h", "*")
_titles: ContextVar[bool] = ContextVar("titles", default=False)  # whether a figure carries its title and scale
DASHES = ("-", "--", ":", "-.", (0, (5, 1)), (0, (3, 1, 1, 1)), (0, (1, 1)))


def styled(draw: Callable[..., Figure]) -> Callable[..., Figure]:
    """Run a drawing function under SETTINGS, and settle the layout of its figure."""

    def drawn(*arguments: Any, **options: Any) -> Figure:
        with matplotlib.rc_context(SETTINGS):
            figure = draw(*arguments, **options)
            settle(figure)
            return figure

    drawn.__doc__, drawn.__name__ = draw.__doc__, draw.__name__
    return drawn


def settle(figure: Figure) -> None:
    """Lay a figure out once and for all, so that labels stay where they are put, however it is saved."""
    for text in _texts(figure):
        # Ligatures are no characters: a PDF would hold a second font for them. Older matplotlib draws none.
        if hasattr(text, "set_fontfeatures"):
            text.set_fontfeatures(["-liga"])
    engine = figure.get_layout_engine()
    if engine is None:
        return
    FigureCanvasAgg(figure)
    square = any(axes.get_aspect() != "auto" for axes in figure.axes)
    for _ in range(1 + square if figure.axes else 0):  # square panels need a second pass
        engine.execute(figure)
    # None, unlike "none", leaves no engine behind that would draw a figure once more for every file.
    figure.set_layout_engine(None)
    for axes in figure.axes:
        axes.apply_aspect()


def _texts(figure: Figure) -> list[Text]:
    """Return the texts of a figure but for the numbers at the axes, which would have to be made first."""
    texts = list(figure.texts)
    for legend in figure.legends:
        texts += [legend.get_title(), *legend.get_texts()]
    for axes in figure.axes:
        texts += [axes.title, axes.xaxis.label, axes.yaxis.label, *axes.texts]
    return texts


def panels(columns: int, rows: int = 1, *, width: float = TWO, height: float = 2.4, **options: Any) -> tuple:
    """Return a figure and its axes [rows, columns], laid out without overlaps."""
    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.subplots(rows, columns, squeeze=False, **options)


def inches(text: str, size: float) -> float:
    """Return how wide a line of text is, of letters of so many points."""
    return float(TextPath((0, 0), text, size=size).get_extents().width) / 72 if text.strip() else 0.0


def clipped(name: str, longest: int = 20) -> str:
    """Return a name of at most so many characters."""
    return name if len(name) <= longest else name[: longest - 1] + "…"


@contextmanager
def with_titles(shown: bool) -> Iterator[None]:
    """Draw titles and the scale of the run into figures, or leave them to what stands beside a figure."""
    before = _titles.set(shown)
    try:
        yield
    finally:
        _titles.reset(before)


def stamp(figure: Figure, text: str, **place: float) -> None:
    """Write the scale of the run below a figure, and mark one that is not the paper's by its colour."""
    if text and _titles.get():
        # One font, not a second bold one: every font of a PDF takes as long to write as all the rest.
        colour = "#a03020" if "not the grid" in text else "#444444"
        figure.supxlabel(text, fontsize=6, color=colour, x=0.995, ha="right", **place)


def heading(figure: Figure, title: str) -> str | None:
    """Give a figure its title, and return it where figures carry their titles."""
    figure.set_label(title)
    return title if _titles.get() else None


def room_above(title: str) -> float:
    """Return the inches that a title takes where figures carry their titles."""
    return 0.17 * (title.count("\n") + 1) if _titles.get() else 0.0


def titled(figure: Figure, title: str, scale: str) -> Figure:
    """Return a figure with its title, which stands above it only where titles are asked for."""
    if shown := heading(figure, title):
        figure.suptitle(shown, fontsize=8)
    stamp(figure, scale)
    return figure


def plain(axis: Axis, *, minor: bool = True) -> None:
    """Write the numbers of a logarithmic axis as 0.1, 1, 10, 100; leave the numbers between them out."""
    axis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:g}"))
    axis.set_minor_formatter(NullFormatter())
    if not minor:
        axis.set_minor_locator(NullLocator())


def look(k: int, category: str = "") -> dict[str, Any]:
    """Return marker, line style and colour of the k-th line, all of which differ between neighbours.

    Lines of methods have the colour of their family, and differ by marker and line style.
    """
    return {
        "color": family_of(category).light if category else COLOURS[k % len(COLOURS)],
        "marker": MARKERS[k % len(MARKERS)],
        "linestyle": DASHES[k % len(DASHES)],
    }


def families_legend(figure: Figure, categories: Collection[str]) -> None:
    """Say below a figure what the colours of the families stand for, where there are several."""
    shown = [*dict.fromkeys(each for name, each in FAMILIES.items() if name in categories)]
    shown += [OTHER] if set(categories) - FAMILIES.keys() else []
    if len(shown) > 1:
        handles = [Line2D([], [], color=f.light, marker=f.marker, linestyle="none", label=f.title) for f in shown]
        size = SETTINGS["legend.fontsize"]
        needed = sum(inches(f.title, size) + 4 * size / 72 for f in shown)  # with the markers and the room between
        columns = len(shown) if needed < figure.get_figwidth() else 2
        figure.legend(handles=handles, loc="outside lower left", ncols=columns, handletextpad=0.2, columnspacing=1.2)


def legend_beside(figure: Figure, axes: Axes) -> None:
    """Put the legend of one panel to the right of all of them."""
    handles, labels = axes.get_legend_handles_labels()
    if handles:
        figure.legend(handles, labels, loc="outside right center", handlelength=3.2)


@styled
def absent(title: str, reason: str, scale: str = "") -> Figure:
    """Draw a placeholder that says why a figure is not available."""
    figure = Figure(figsize=(ONE, 1.4), layout="constrained")
    figure.set_gid(ABSENT + reason)
    if shown := heading(figure, title):
        figure.suptitle(shown, fontsize=8, wrap=True)
    figure.text(0.5, 0.45, f"not available: {reason}", ha="center", va="center", wrap=True)
    stamp(figure, scale)
    return figure


def described(figure: Figure) -> str:
    """Return what a figure shows in words, made from what is drawn: its panels, and from where to where each line goes.

    It is the alternative text for those who cannot see it; "not available: ..." where nothing is drawn.
    """
    gid = figure.get_gid() or ""
    if gid.startswith(ABSENT):
        return gid
    parts = [text for axes in figure.axes if axes.get_visible() and (text := _of_panel(axes))]
    more = f" and {len(parts) - MOST_PANELS} more panels" if len(parts) > MOST_PANELS else ""
    return f"{caption_of(figure)}. {' '.join(parts[:MOST_PANELS])}{more}".strip()


def caption_of(figure: Figure) -> str:
    """Return the title of a figure on one line, without a point at its end.

    Each of its lines is a sentence, unless the one before ends in a comma or semicolon.
    """
    title = re.sub(r"([,;])\n", r"\1 ", str(figure.get_label()))
    lines = (" ".join(line.split()).rstrip(".") for line in title.split("\n"))
    return ". ".join(line[:1].upper() + line[1:] for line in lines if line)


def _of_panel(axes: Axes) -> str:
    """Return what one panel shows, "" where it has neither labels nor lines."""
    x, y = axes.get_xlabel(), axes.get_ylabel()
    words = [axes.get_title(), f"{y} against {x}" if x and y else x or y]
    lines = [_of_line(line) for line in axes.get_lines() if not str(line.get_label()).startswith("_")]
    if not lines:  # marks of single things, whose names stand beside the axis
        names = [tick.get_text() for tick in axes.get_yticklabels() if tick.get_text().strip()]
        words.append(f"{len(names)} rows: {', '.join(names[:MOST_LINES])}" if len(names) > 1 else "")
    more = f"{len(lines) - MOST_LINES} more lines" if len(lines) > MOST_LINES else ""
    text = "; ".join(word for word in [*words, *lines[:MOST_LINES], more] if word and word.strip())
    return f"{' '.join(text.split())}." if text else ""


def _of_line(line: Line2D) -> str:
    """Return "eqwidth3 from 57 to 72"."""
    values = np.asarray(line.get_ydata(), float)
    values = values[np.isfinite(values)]
    if not values.size:
        return ""
    ends = f"{values[0]:.3g}" if values.size == 1 else f"from {values[0]:.3g} to {values[-1]:.3g}"
    return f"{line.get_label()} {ends}"


def save(figure: Figure, path: str | Path) -> None:
    """Write a figure as its ending says (pdf, svg, png), without dates."""
    kind = Path(path).suffix.removeprefix(".")
    metadata: dict[str, Any] = {
        "pdf": {"CreationDate": None},
        "svg": {"Date": None},
        "png": {"Software": None},
    }[kind]
    with matplotlib.rc_context(SETTINGS):
        options: dict[str, Any] = {"pil_kwargs": {"compress_level": 3}} if kind == "png" else {}
        figure.savefig(path, format=kind, metadata=metadata, dpi=DPI, **options)
