"""Tables with one row per method, made from `Columns` and printed numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cutpoint.report.artefacts import Row, Table
from cutpoint.studies.columns import MEAN, Columns
from cutpoint.studies.inputs import Inputs, Method

Select = Callable[[Method], bool]


@dataclass(frozen=True)
class Column:
    """One column of a table.

    Attributes:
        heading: what stands above it, unlike that of any other column.
        source, name: the numbers, and which of their columns is shown.
        printed: what the paper prints, by the name of the method.
        digits: decimals shown in print.
    """

    heading: str
    source: Columns
    name: object
    printed: Mapping[str, float | str] = field(default_factory=dict)
    digits: int = 2


def everything(method: Method) -> bool:
    """Return True: every method has a row."""
    return True


def of_methods(
    inputs: Inputs, panels: Sequence[tuple[str, Sequence[Column]]], *, select: Select = everything, **about: Any
) -> Table:
    """Return a table of the methods that are selected.

    Args:
        inputs: of the study.
        panels: title and columns of each; one without a title for a table of a single panel.
        select: which methods have a row.
        about: further attributes of the table; the scale is that of the inputs where none is given.
    """
    shown = [column for _, columns in panels for column in columns]
    rows = [
        Row(
            m.name, m.label, m.category, tuple(c.source.cell(i, c.name, c.printed.get(m.name), c.digits) for c in shown)
        )
        for i, m in enumerate(inputs.methods)
        if select(m)
    ]
    start, ranges = 0, []
    for title, columns in panels:
        ranges.append((title, range(start, start + len(columns))))
        start += len(columns)
    about.setdefault("scale", inputs.scale)
    about.setdefault("key", "method")
    return Table(
        columns=tuple(column.heading for column in shown),
        rows=tuple(rows),
        panels=tuple(ranges) if any(title for title, _ in ranges) else (),
        **about,
    )


def sizes(columns: Columns, printed: Sequence[int]) -> list[int]:
    """Return the sample sizes of a paper and those that were run."""
    return sorted({*printed, *(int(name) for name in columns.names if name != MEAN)})


def printed_column(inputs: Inputs, table: str, column: str) -> dict[str, float]:
    """Return a column of a printed table by the key of its rows, without what is not printed."""
    return {key: line[column] for key, line in inputs.printed(table).items() if column in line}
