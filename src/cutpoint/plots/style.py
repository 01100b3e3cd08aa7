"""How all figures look: readable in grey, texts in lines that have room, vector text, the same bytes every time."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.textpath import TextPath

SETTINGS: Any = matplotlib.rc_params_from_file(Path(__file__).with_suffix(".mplstyle"), use_default_template=False)
# Colours of Okabe and Ito that also differ in grey, for what is no method: those have the colour of their family.
COLOURS = ("#000000", "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#7F7F7F")


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
