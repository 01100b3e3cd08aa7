"""Tables and figures that studies declare: a row per method, or what a function makes, with the title declared."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from string import Formatter
from typing import Any

import numpy as np

from cutpoint.base.text import listed
from cutpoint.bench.artefacts.table import ArtefactTable, Cell, Row, RunScale
from cutpoint.bench.engine import declaration as form
from cutpoint.bench.engine import samples
from cutpoint.bench.engine.declaration import MEAN, Measure, declared, split
from cutpoint.bench.engine.inputs import Inputs, once
from cutpoint.bench.engine.numbers import Columns, Numbers, grouped, inputs_of, keys_of, measure, number
from cutpoint.bench.evaluation.own_metrics import undefined
from cutpoint.bench.plots import dots, lines, style
from cutpoint.bench.statistics.estimates import winners
from cutpoint.bench.statistics.verdicts import FEWEST

LOST = "No rows are compared in {}: some cells of each row, or of the method that they are divided by, are missing."


@dataclass(frozen=True)
class Content:
    """The rows and columns of an `ArtefactTable`, whose title, caption and first notes are declared."""

    key: str
    columns: Sequence[str]
    rows: Sequence[Row]
    panels: Sequence[tuple[str, range]] = ()
    notes: Sequence[str] = ()  # sentences below those that are declared
    missing: str = ""  # why the whole table is not available, or ""
    replicates: int | str | None = None  # how many it rests on, where that is not what it declares
    caption: str = ""  # what stands in the place of the declared caption, or ""
    keys: Sequence[Mapping[str, object]] = ()  # by default the panel that each column stands in


@once
def make_table(inputs: Inputs, name: str) -> ArtefactTable:
    """Return a table that the study declares."""
    row = inputs.study.tables[name]
    content = inputs.study.made(inputs, row) if row.make else _methods(inputs, row)
    scale = scale_of(inputs, row)
    return ArtefactTable(
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
    return [fill(inputs, note)] if isinstance(note, str) else inputs.study.made(inputs, note)


@dataclass(frozen=True)
class Column:
    """One column of a table with a row per method."""

    heading: str  # what stands above it, unlike that of any other column
    name: object  # of the column of the measure
    numbers: Numbers  # that it shows
    keys: Mapping[str, object]  # what the column stands for
    printed: Mapping[str, float | str] = field(default_factory=dict)  # what the paper prints, by the name of the method
    digits: int = 2  # decimals shown in print


def _methods(inputs: Inputs, row: form.TableSpec) -> Content:
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
    metrics = [inputs.study.measures[str(column.keys["measure"])].metric for column in headed]
    lost = [c.heading for c, rows in zip(headed, best, strict=True) if rows is None]

    def cell(name: str, column: Column, bold: Sequence[str] | None) -> Cell:
        cell = column.numbers.cell(name, column.printed.get(name), column.digits)
        return replace(cell, best=name in (bold or ()))

    return Content(
        "method",
        [column.heading for column in headed],
        [m.row(*(cell(m.name, column, bold) for column, bold in zip(headed, best, strict=True))) for m in methods],
        panels_of({title: len(columns) for title, columns in bodies.items()}),
        caption=fill(inputs, row.caption, over=first.over or ""),
        notes=[*([LOST.format(listed(lost))] if lost else []), *undefined(inputs.own_metrics, metrics)],
        missing="" if row.requires or not first.grid else lacking(inputs, [first.grid]),
        keys=[column.keys for column in headed],
    )


def _columns(inputs: Inputs, entry: form.ColumnSpec) -> list[Column]:
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
        printed = {method: line[key] for method, line in inputs.printed(file).items() if key in line}
        columns.append(
            Column(text, n, number(inputs, name, n), {"measure": name, **keys_of(row.by, n)}, printed, digits)
        )
    return columns


def fill(inputs: Inputs, text: str, over: str = "") -> str:
    """Return a text with {name} replaced by the text of this name, or the label of the method; {over} is another."""
    texts, labels = inputs.study.texts, inputs.labels

    def replaced(match: re.Match[str]) -> str:
        name = over if match[1] == "over" else match[1]
        return fill(inputs, texts[name], over) if name in texts else labels.get(name, name)

    return re.sub(r"\{([\w.-]+)\}", replaced, text)


def scale_of(inputs: Inputs, row: form.Artefact) -> RunScale:
    """Return the scale with the replicates of the grids, or the samples of the experiment, that an artefact names."""
    names = row.requires or None if row.replicates is None else row.replicates
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


def panels_of(widths: Mapping[str, int]) -> tuple[tuple[str, range], ...]:
    """Return the columns of each panel from their number by the title above them; none without titles."""
    ends = [0, *accumulate(widths.values())]
    return tuple((title, range(*ends[i : i + 2])) for i, title in enumerate(widths) if title)


class _Heading(Formatter):
    """Formats headings, in which {!c} is a name with a capital and numbers have no needless decimals."""

    def convert_field(self, value: Any, conversion: str | None) -> Any:
        """Return a value as it is shown."""
        if conversion == "c":
            return str(value).capitalize()
        return super().convert_field(value, conversion)

    def format_field(self, value: Any, format_spec: str) -> str:
        """Return a number without needless decimals where no other format is asked for."""
        whole = isinstance(value, float) and value.is_integer()
        return super().format_field(int(value) if whole else value, format_spec)


def heading(text: str, name: object) -> str:
    """Return a heading with the name of a column, of which it may use the parts."""
    return _Heading().format(text, *(name if isinstance(name, tuple) else (name,)))


COSTS = ("seconds", "peak_mb", "score_calls", "discretization_calls")  # which differ by factors
COMPLETE = 0.75  # share of its runs of which a method needs a value, as for ranks
FACTOR = 2.0  # between numbers in bold


def costs_of(study: str) -> set[str]:
    """Return the measures of a study that are costs, which depend on programs and computers."""
    return {name for name, measure in declared(study).measures.items() if measure.metric in COSTS}


@once
def unbeaten(inputs: Inputs, name: str, column: object, among: tuple[str, ...]) -> list[str]:
    """Return the methods that no other one beats significantly in a column of a measure.

    There is none below three replicates, from which nothing is concluded, and none where neither more nor less is
    better.
    """
    numbers, row = number(inputs, name, column), inputs.study.measures[name]
    if row.better == "neither" or numbers.replicates < FEWEST:
        return []
    methods = _enough(numbers, among)
    judged = _judged(inputs, row).get(column, numbers)
    values = judged[methods]
    best = winners(values.map(np.log) if judged.log else values, lower_is_better=row.better == "lower")
    return [method for method, good in zip(methods, best, strict=True) if good]


def _enough(numbers: Numbers, among: Sequence[str]) -> list[str]:
    """Return the methods that have a value of nearly all of their runs."""
    runs, expected = numbers.coverage["runs"], numbers.coverage["expected"]
    enough = numbers.coverage.index[(runs > 0) & (runs >= COMPLETE * expected)]
    return [method for method in among if method in enough]


def _judged(inputs: Inputs, row: Measure) -> Columns:
    """Return the numbers by which costs are compared, means of logarithms over cells; none for what is no cost.

    Of plain means the largest networks alone would decide, and a method that takes 100 times as long be tied.
    """
    if row.make or row.metric not in COSTS:
        return {}
    return grouped(inputs_of(inputs, row.of), row.grid, tuple(row.cells), row.metric, tuple(row.by), row.over, True)


def marked(inputs: Inputs, name: str, column: object, among: tuple[str, ...]) -> list[str] | None:
    """Return the methods that are in bold in a column of a measure.

    They are the best number and those next to it, down to the first whose method another one beats: a difference from
    the best that varies much is not significant, and yet larger than one that is. There is none where one of these is
    worse than the best by more than a factor of two, since then too little is known, and None where there are
    replicates and numbers enough, but none whose cells are all there.
    """
    best, numbers = unbeaten(inputs, name, column, among), number(inputs, name, column)
    higher = inputs.study.measures[name].better == "higher"
    if not best:
        several = numbers.sample.reindex([*among]).count() > 1
        judged = inputs.study.measures[name].better != "neither"
        return None if several and numbers.replicates >= FEWEST and judged else []
    badness = -numbers.sample if higher else numbers.sample
    beaten = badness[_enough(numbers, among)].drop(best)
    bold = numbers.sample[[each for each in best if not badness[each] > beaten.min()]]
    return [] if 0 < FACTOR * bold.min() < bold.max() else [*bold.index]


class Absent(Exception):
    """There is no figure, and the message says why."""


def make_figure(inputs: Inputs, name: str) -> style.Figure:
    """Return a figure that the study declares, or one that says why it is not available."""
    row = inputs.study.figures[name]
    scale = str(scale_of(inputs, row))
    try:
        if reason := lacking(inputs, row.requires):
            raise Absent(reason)
        return inputs.study.made(inputs, row, title=row.title, scale=scale)
    except Absent as reason:
        return style.absent(row.title, str(reason), scale)


def dot_of(cell: Cell) -> dots.Dot:
    """Return the number of a cell with its interval."""
    numbers = cell.reproduced, cell.low, cell.high
    value, low, high = (float(x) if isinstance(x, int | float) else np.nan for x in numbers)
    return dots.Dot(value, low, high)


def lines_of(inputs: Inputs, columns: Columns, places: Sequence[tuple[float, object]]) -> list[lines.Line]:
    """Return a line per method, through the columns of a measure at their places on the axis."""
    x = np.array([x for x, _ in places])
    spreads = [columns[name].spread for _, name in places]
    return [
        lines.Line(m.label, x, *np.array([each.loc[m.name] for each in spreads]).reshape(-1, 3).T, category=m.category)
        for m in inputs.methods
    ]
