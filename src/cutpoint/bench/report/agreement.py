"""The agreement figure of a paper: ours over every published number, a row for each of its tables."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from markupsafe import Markup

from cutpoint.bench.artefacts.closeness import PublishedColumn
from cutpoint.bench.artefacts.html import environment

LARGEST = 4.0  # ratio at the right end; what is beyond stands there, and so does what is below the inverse
LEFT, WIDE, LINE = 84, 230, 17  # pixels: of names, of the axis, of a row
LONGEST = 14  # characters of a name
TICKS = {0.25: "¼", 0.5: "½", 1.0: "1", 2.0: "2", 4.0: "4"}


def agreement_figure(columns: Sequence[PublishedColumn]) -> Markup:
    """Return the drawing of all numbers but costs that are positive in print and here, "" without any.

    A filled dot: the published number lies in our interval.
    """
    tables: dict[str, list[tuple[float, bool]]] = {}
    for column in columns:
        published, ours, low, high = column.compared
        good = (published > 0) & (ours > 0) & (not column.cost)
        dots = zip(_place(ours[good] / published[good]), ((low <= published) & (published <= high))[good], strict=True)
        tables.setdefault(column.table, []).extend((x, bool(inside)) for x, inside in dots)
    rows = [(_short(name), dots) for name, dots in tables.items() if dots]
    ticks = [*zip(_place(np.array([*TICKS])), TICKS.values(), strict=True)]
    svg = environment().get_template("agreement.svg.j2")
    return Markup(svg.render(rows=rows, ticks=ticks, left=LEFT, wide=WIDE, line=LINE)) if rows else Markup()


def _place(ratio: np.ndarray) -> list[float]:
    """Return pixels from the left of ratios, float64 [K], on a logarithmic axis."""
    share = np.clip(np.log(ratio) / np.log(LARGEST), -1, 1) / 2 + 0.5
    return (LEFT + WIDE * share).round(1).tolist()


def _short(title: str) -> str:
    """Return the number of a table, or the beginning of a title without one."""
    name = title.partition(":")[0]
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1].rstrip()}…"
