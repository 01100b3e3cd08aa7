"""How all figures look, and how they are saved: readable in grey, vector text, the same bytes every time."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import QuadMesh
from matplotlib.container import ErrorbarContainer
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.textpath import TextPath
from matplotlib.ticker import FuncFormatter, NullFormatter, NullLocator

from cutpoint.base.families import family_of

ONE, TWO = 3.4, 7.0  # inches: one column of a paper, the width of figures, and two, of graphs and tables that need them
PAGE = 9.0  # inches above which a figure of one column becomes one of two
SMALL = 6.0  # points of the smallest letters
AROUND = 0.5  # inches above and below all panels
ABSENT = "not available: "  # what the text of a figure begins with that could not be drawn
NUMBER = re.compile(r"[-−]?[\d.,]+(e[-+]?\d+)?")  # at an axis
MOST_PANELS, MOST_LINES = 8, 12  # in the alternative text of a figure
SETTINGS: Any = matplotlib.rc_params_from_file(Path(__file__).with_suffix(".mplstyle"), use_default_template=False)
DPI = SETTINGS["savefig.dpi"]
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
    """Lay a figure out once and for all, titles and labels without room in lines, however it is saved."""
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
    if any([_wrap(axes, *_beside(axes, figure.axes)) for axes in figure.axes]):
        engine.execute(figure)
    # None, unlike "none", leaves no engine behind that would draw a figure once more for every file.
    figure.set_layout_engine(None)
    for axes in figure.axes:
        axes.apply_aspect()


def _beside(axes: Axes, others: Sequence[Axes]) -> tuple[float, float]:
    """Return where the place of a panel ends on the left and right, half-way to its neighbours."""
    box = axes.get_position()
    alike = (other.get_position() for other in others if other.figure is axes.figure)
    row = [each for each in alike if each.y0 < box.y1 and box.y0 < each.y1]
    left = max(((each.x1 + box.x0) / 2 for each in row if each.x1 <= box.x0), default=0.0)
    right = min(((each.x0 + box.x1) / 2 for each in row if each.x0 >= box.x1), default=1.0)
    return left, right


def _wrap(axes: Axes, left: float, right: float) -> bool:
    """Break the title and labels of a panel that are longer than there is room; return whether there were any."""
    if not axes.get_visible():
        return False
    box, whole = axes.get_position(), axes.figure.bbox
    middle = (box.x0 + box.x1) / 2
    across = 2 * min(middle - left, right - middle) * whole.width / axes.figure.dpi - 0.06
    along = box.height * whole.height / axes.figure.dpi + 0.2  # there is a little room beyond the ends
    changed = False
    for text, room in ((axes.title, across), (axes.xaxis.label, across), (axes.yaxis.label, along)):
        lines = wrapped(text.get_text(), room, float(text.get_fontsize()))
        changed |= lines != text.get_text()
        text.set_text(lines)
    return changed


def _texts(figure: Figure) -> list[Text]:
    """Return the texts of a figure but for the numbers at the axes, which would have to be made first."""
    texts = list(figure.texts)
    for legend in figure.legends:
        texts += [legend.get_title(), *legend.get_texts()]
    for axes in figure.axes:
        texts += [axes.title, axes.xaxis.label, axes.yaxis.label, *axes.texts]
    return texts


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


def wrapped(text: str, room: float, size: float) -> str:
    """Return a text of letters of so many points in lines that are no longer than so many inches, where words allow."""
    lines = []
    for line in text.split("\n"):
        now = ""
        for word in line.split(" ") if inches(line, size) > room else [line]:
            longer = f"{now} {word}" if now else word
            if now and inches(longer, size) > room:
                lines.append(now)
                longer = word
            now = longer
        lines.append(now)
    return "\n".join(lines)


def inches(text: str, size: float) -> float:
    """Return how wide a line of text is, of letters of so many points."""
    if not text.strip():
        return 0.0
    path = TextPath((0, 0), text, size=size)  # of letters whose curves end where they turn, so that points will do
    return float(np.ptp(path.vertices[path.codes != path.CLOSEPOLY, 0])) / 72


def clipped(name: str, longest: int = 20) -> str:
    """Return a name of at most so many characters."""
    return name if len(name) <= longest else name[: longest - 1] + "…"


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
