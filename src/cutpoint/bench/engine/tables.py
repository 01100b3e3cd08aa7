"""Tables that studies declare, one path for all kinds: what the kind makes of the numbers, in what is declared."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import Any

import numpy as np

from cutpoint.base.text import listed
from cutpoint.bench.artefacts.table import Cell, Row, Scale, Table
from cutpoint.bench.engine import comparisons, contests, samples
from cutpoint.bench.engine import declaration as form
from cutpoint.bench.engine.content import Content
from cutpoint.bench.engine.declaration import MEAN, split
from cutpoint.bench.engine.headings import heading
from cutpoint.bench.engine.inputs import Inputs, once
from cutpoint.bench.engine.marks import marked
from cutpoint.bench.engine.numbers import Columns, Numbers, inputs_of, keys_of, measure, number
from cutpoint.bench.statistics.estimates import mean
from cutpoint.bench.statistics.ranks import spearman

LOST = "No rows are compared in {}: some cells of each row, or of the method that they are divided by, are missing."


@once
def make_table(inputs: Inputs, name: str) -> Table:
    """Return a table that the study declares."""
    row = inputs.study.tables[name]
    content = MAKERS[type(row)](inputs, row)
    scale = scale_of(inputs, row.replicates)
    return Table(
        name=name,
        title=row.title,
        caption=content.caption or fill(inputs, row.caption),
        decides=row.decides,
        key=content.key,
        columns=tuple(content.columns),
        rows=tuple(content.rows),
        scale=scale if content.replicates is None else replace(inputs.scale, replicates=content.replicates),
        notes=(*(text for note in row.notes for text in _note(inputs, note)), *content.notes),
        panels=tuple(content.panels),
        missing=lacking(inputs, row.requires) or content.missing,
        study=inputs.study.name,
        keys=tuple(content.keys or _panel_keys(content.panels)),
    )


def _panel_keys(panels: Sequence[tuple[str, range]]) -> list[Mapping[str, object]]:
    """Return the panel of each column, in the order of the columns, which need not be that of the panels."""
    titles = {k: title for title, columns in panels for k in columns}
    return [{"panel": titles[k]} for k in sorted(titles)]


def _note(inputs: Inputs, note: str | form.Note) -> Sequence[str]:
    return [fill(inputs, note)] if isinstance(note, str) else inputs.study.function(note.make)(inputs)


@dataclass(frozen=True)
class Column:
    """One column of a table with a row per method.

    Attributes:
        heading: what stands above it, unlike that of any other column.
        name: of the column of the measure.
        numbers: that it shows.
        keys: what the column stands for.
        printed: what the paper prints, by the name of the method.
        digits: decimals shown in print.
    """

    heading: str
    name: object
    numbers: Numbers
    keys: Mapping[str, object]
    printed: Mapping[str, float | str] = field(default_factory=dict)
    digits: int = 2


def _methods(inputs: Inputs, row: form.MethodTable) -> Content:
    bodies: dict[str, list[Column]] = {}
    for title, body in row.bodies.items():
        for column in (column for entry in body for column in _columns(inputs, entry)):
            bodies.setdefault(heading(title, column.name), []).append(column)
    headed = [column for columns in bodies.values() for column in columns]
    first = inputs.study.measures[split(next(iter(row.bodies.values()))[0].measure)[0]]
    methods = [
        m for m in inputs_of(inputs, row.of).methods if row.category in ("", m.category) and m.name not in row.without
    ]
    # Rows that a function adds are no methods of the study, such as the true network, which nothing beats.
    among = tuple(m.name for m in methods if m.name in inputs.labels and m.competes)
    best = [marked(inputs, str(column.keys["measure"]), column.name, among) for column in headed]
    lost = [c.heading for c, rows in zip(headed, best, strict=True) if rows is None]

    def cell(name: str, column: Column, bold: Sequence[str] | None) -> Cell:
        cell = column.numbers.cell(name, column.printed.get(name), column.digits)
        return replace(cell, best=name in (bold or ()))

    return Content(
        "method",
        [column.heading for column in headed],
        [m.row(*(cell(m.name, column, bold) for column, bold in zip(headed, best, strict=True))) for m in methods],
        panels({title: len(columns) for title, columns in bodies.items()}),
        caption=fill(inputs, row.caption, over=first.over or ""),
        notes=[LOST.format(listed(lost))] if lost else [],
        missing="" if row.requires or not first.grid else lacking(inputs, [first.grid]),
        keys=[column.keys for column in headed],
    )


def _columns(inputs: Inputs, entry: form.Column) -> list[Column]:
    """Return the columns of an entry of a table: those of a measure, or one of them."""
    name, one = split(entry.measure)
    row = inputs.study.measures[name]
    head = row.head if entry.head is None else entry.head
    mean = row.mean if entry.mean is None else entry.mean
    file, column = split(entry.printed)
    if one is not None:
        places = [(heading(head, one), one, column)]
    else:
        names = [n for n in measure(inputs, name) if n != MEAN]
        names = sorted({*row.columns, *names}) if row.columns else names
        places = [(heading(head, n), n, heading(row.printed, n)) for n in names]
        places += [(mean, MEAN, MEAN)] if mean else []
    digits = row.digits if entry.digits is None else entry.digits
    columns = []
    for text, n, key in places:
        printed = printed_column(inputs, file, key)
        columns.append(
            Column(text, n, number(inputs, name, n), {"measure": name, **keys_of(row.by, n)}, printed, digits)
        )
    return columns


def fill(inputs: Inputs, text: str, over: str = "") -> str:
    """Return a text with {name} replaced by the text of this name, or by the label of the method.

    Args:
        inputs: of the study.
        text: of its declaration.
        over: the method that {over} stands for.
    """
    texts, labels = inputs.study.texts, inputs.labels

    def replaced(match: re.Match[str]) -> str:
        name = over if match[1] == "over" else match[1]
        return fill(inputs, texts[name], over) if name in texts else labels.get(name, name)

    return re.sub(r"\{([\w.-]+)\}", replaced, text)


def scale_of(inputs: Inputs, names: Sequence[str] | None) -> Scale:
    """Return the scale with the replicates of some grids or the samples of an experiment; all for None."""
    if names and names[0] in inputs.study.experiments:
        return samples.scale_of(inputs, names[0])
    if make := inputs.study.basis:
        return inputs.study.function(make)(inputs, names)
    if names is None:
        return inputs.scale
    if not names:
        return replace(inputs.scale, replicates=0)
    return inputs.scale_of(*names)


def lacking(inputs: Inputs, names: Sequence[str]) -> str:
    """Return which grids and experiments of some have no runs, or whether there are no predictions; "" if none is."""
    experiments = inputs.study.experiments
    missing = [samples.absent(inputs, n) if n in experiments else inputs.missing(n) for n in names]
    return " and ".join(filter(None, missing))


def sizes(columns: Columns, printed: Sequence[int]) -> list[int]:
    """Return the sample sizes of a paper and those that were run."""
    return sorted({*printed, *(int(name) for name in columns if name != MEAN)})


def printed_column(inputs: Inputs, table: str, column: str) -> dict[str, float]:
    """Return a column of a printed table by the key of its rows, without what is not printed."""
    return {key: line[column] for key, line in inputs.printed(table).items() if column in line}


@dataclass(frozen=True)
class Compared:
    """A table that is compared with print.

    Attributes:
        table: the table.
        groups: which of its columns are compared together, by what they have in common.
        reason: why it is not compared, or "".
    """

    table: Table
    groups: Mapping[str, Sequence[int]]
    reason: str

    def cells(self, group: str) -> list[Cell]:
        """Return the cells of a group, row by row."""
        return [row.cells[k] for row in self.table.rows for k in self.groups[group]]

    def pairs(self, group: str) -> tuple[np.ndarray, np.ndarray]:
        """Return published and reproduced numbers of a group, row by row, NaN where either is missing."""
        published, reproduced, *_ = _numbers(self.cells(group))
        return published, reproduced


def compare(inputs: Inputs, name: str) -> Compared:
    """Return a table as its study compares it with print: columns alone, or as a function groups them."""
    table, study = make_table(inputs, name), inputs.study
    tables = [t for t in study.tables.values() if isinstance(t, form.AgreementTable)]
    together = [study.function(t.together[name])(table) for t in tables if name in t.together]
    reasons = [study.function(t.without[name])(inputs) for t in tables if name in t.without]
    alone = {column: [k] for k, column in enumerate(table.columns)}
    return Compared(table, next(iter(together), alone), next(iter(reasons), ""))


def _agreement(inputs: Inputs, row: form.AgreementTable) -> Content:
    rows = []
    for name in row.tables:
        compared, called = compare(inputs, name), name.removeprefix("table_")
        for group in () if compared.reason else compared.groups:
            if np.isfinite(compared.pairs(group)[0]).any():
                key = f"{called}, {group}"
                rows.append(Row(key, f"Table {key}", "", _agreed(compared.cells(group))))
    columns = ("Rank correlation", row.count, "Mean absolute difference", "Inside our interval")
    return Content("table", columns, rows)


def _agreed(cells: Sequence[Cell]) -> tuple[Cell, ...]:
    """Return how far cells agree with print: rank correlation, how many, mean difference, share inside intervals."""
    published, reproduced, low, high = _numbers(cells)
    rho, number = spearman(published, reproduced)
    held = np.isfinite(published) & (low < high)  # the reference of ratios has no width
    inside = np.where(held, (low <= published) & (published <= high), np.nan)
    return (
        Cell(rho, reason="fewer than three pairs"),
        Cell(number),
        Cell(mean(np.abs(published - reproduced), 0).item(), reason="no pairs"),
        Cell(mean(inside, 0).item(), reason="no intervals"),
    )


def _numbers(cells: Sequence[Cell]) -> np.ndarray:
    """Return what is printed, what was reproduced and the ends of its interval, float64 [4, K], NaN for None."""
    return np.array([[c.published, c.reproduced, c.low, c.high] for c in cells], float).reshape(-1, 4).T


def _called(name: object, labels: Mapping[str, str]) -> object:
    """Return what a row of an experiment is called: the label of a method, with what stands behind a comma."""
    method, comma, rest = name.partition(", ") if isinstance(name, str) else ("", "", "")
    return f"{labels[method]}{comma}{rest}" if method in labels else name


def _experiment(inputs: Inputs, row: form.ExperimentTable) -> Content:
    rows = inputs.study.function(row.of)(inputs) if row.of else samples.rows_of(inputs, row.experiment)
    values = sorted(rows[row.across].unique().tolist()) if row.across and len(rows) else []
    columns = [
        (title, heading(head, value), value, *next(iter(reduction.items())))
        for title, body in row.bodies.items()
        for head, reduction in body.items()
        for value in (values if "{" in head else [None])
    ]
    table_rows = []
    for names, mine in rows.groupby(row.rows, sort=False) if len(rows) else ():
        cells = [
            samples.REDUCTIONS[kind](mine if value is None else mine[mine[row.across] == value], column)
            for *_, value, kind, column in columns
        ]
        category = mine[row.category].iloc[0] if row.category else ""
        called = tuple(_called(name, inputs.labels) for name in names)
        table_rows.append(
            Row("_".join(heading("{}", n) for n in names), heading(row.label, called), category, tuple(cells))
        )
    return Content(
        row.key,
        [head for _, head, *_ in columns],
        table_rows,
        panels({title: sum(each[0] == title for each in columns) for title in row.bodies}),
        keys=[
            {"measure": column, "statistic": kind} | ({} if value is None else {row.across: value})
            for *_, value, kind, column in columns
        ],
    )


def panels(widths: Mapping[str, int]) -> tuple[tuple[str, range], ...]:
    """Return the columns of each panel from their number by the title above them; none without titles."""
    ends = [0, *accumulate(widths.values())]
    return tuple((title, range(*ends[i : i + 2])) for i, title in enumerate(widths) if title)


MAKERS: dict[type, Callable[[Inputs, Any], Content]] = {
    form.MethodTable: _methods,
    form.AgreementTable: _agreement,
    form.DifferencesTable: lambda inputs, row: comparisons.differences(
        contests.declared_contest(inputs, row.contest), control=row.control
    ),
    form.StabilityTable: lambda inputs, row: comparisons.rank_stability(contests.declared_contest(inputs, row.contest)),
    form.ExperimentTable: _experiment,
    form.MadeTable: lambda inputs, row: inputs.study.function(row.make)(inputs, **row.options),
}
