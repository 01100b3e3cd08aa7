"""Which methods are first by several measures, and where the measures disagree."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from cutpoint.base.text import listed
from cutpoint.bench.engine import declaration as form
from cutpoint.bench.engine import sentences
from cutpoint.bench.engine.content import Content
from cutpoint.bench.engine.declaration import MEAN, declared
from cutpoint.bench.engine.headings import heading
from cutpoint.bench.engine.inputs import Inputs, once
from cutpoint.bench.engine.numbers import Columns, grouped, inputs_of, keys_of, measure
from cutpoint.bench.report.artefacts import Cell, Row
from cutpoint.bench.statistics.verdicts import FEWEST

NAMED = 14  # methods in a cell: as many as the largest comparison of a paper has
COSTS = ("seconds", "peak_mb", "score_calls", "discretization_calls")  # which differ by factors
COMPLETE = 0.75  # share of its runs of which a method needs a value, as for ranks
CAPTION = (
    "The methods that no other one beats; methods listed together do not differ significantly (paired differences, at "
    "5 % for all comparisons of a method). A method without a value in more than a quarter of its runs is not compared."
)


@once
def first(inputs: Inputs, name: str, column: object, among: tuple[int, ...] | None = None) -> tuple[int, ...]:
    """Return the methods that no other one beats in a column of a measure, in the order of their values.

    There is none below three replicates, from which nothing is concluded, and none where neither more nor less is
    better.

    Args:
        inputs: of the study.
        name: of the measure.
        column: of the measure.
        among: the methods to compare; all.
    """
    columns, row = measure(inputs, name), declared(inputs.study).measures[name]
    judged = row.better != "neither" and column in columns.names
    if not judged or columns.units[columns.names.index(column)] < FEWEST:
        return ()
    rows = [i for i in np.flatnonzero(compared(inputs, name, column)).tolist() if among is None or i in among]
    return tuple(sentences.best(_judged(inputs, row, columns), rows, column, highest=row.better == "higher"))


def _judged(inputs: Inputs, row: form.Measure, columns: Columns) -> Columns:
    """Return the numbers by which methods are compared: of costs means of logarithms over cells.

    Of plain means the largest networks alone would decide, and a method that takes 100 times as long be tied.
    """
    if row.make or row.geometric or row.metric not in COSTS:
        return columns
    return grouped(inputs_of(inputs, row.of), row.grid, tuple(row.cells), row.metric, tuple(row.by), row.over, True)


def compared(inputs: Inputs, name: str, column: object) -> np.ndarray:
    """Return which methods have values enough to be compared in a column of a measure, bool [M]."""
    columns = measure(inputs, name)
    k = columns.names.index(column)
    return (columns.runs[:, k] > 0) & (columns.runs[:, k] >= COMPLETE * columns.expected[:, k])


def table(inputs: Inputs, row: form.FirstsTable, headings: Sequence[str]) -> Content:
    """Return the first methods, a row for each measure; headings are those of `columns_of`."""
    names = columns_of(inputs, row)
    rows = [
        Row(name, title, "", tuple(_cell(inputs, name, column) for column in names))
        for title, name in row.measures.items()
    ]
    notes = [note for title, name in row.measures.items() if (note := _left_out(inputs, row, title, name))]
    by = declared(inputs.study).measures[next(iter(row.measures.values()))].by
    keys = [keys_of(by, column) for column in names]
    return Content("measure", headings, rows, notes=notes, keys=keys)


def columns_of(inputs: Inputs, row: form.FirstsTable) -> tuple:
    """Return the columns of the table: those of its first measure, the mean over them last."""
    return measure(inputs, next(iter(row.measures.values()))).names


def answer(inputs: Inputs, row: form.AnswerTable) -> Content:
    """Return the first methods, a row for each number of records, with how good they are and what they cost."""
    names = list(row.measures.values())
    rows = []
    for size in (column for column in measure(inputs, names[0]).names if column != MEAN):
        best = [first(inputs, name, size) for name in names]
        good = [_ends(inputs, row.absolute, best[0], size, 2)] if row.absolute else []
        costs = _ends(inputs, row.seconds, {method for each in best for method in each}, size, 3)
        cells = (*(_cell(inputs, name, size) for name in names), *good, costs)
        rows.append(Row(f"{size:g}", f"{size:g}", "", cells))
    notes = [note for title, name in row.measures.items() if (note := _left_out(inputs, row, title, name))]
    absolute = [row.absolutely] if row.absolute else []
    return Content("records", [*row.measures, *absolute, "CPU seconds a run"], rows, notes=notes)


def _ends(inputs: Inputs, name: str, methods: Collection[int], size: object, digits: int) -> Cell:
    """Return the lowest and the highest number of some methods by a measure, each with its method."""
    columns = measure(inputs, name)
    if size not in columns.names or not methods:
        return Cell(reason="nothing is named")
    order = sorted(methods, key=lambda method: columns.spread(method, columns.names.index(size))[0])
    ends = dict.fromkeys((order[0], order[-1]))
    return Cell(
        " to ".join(
            f"{sentences.value(columns, method, size, digits)} ({inputs.methods[method].label})" for method in ends
        )
    )


def _cell(inputs: Inputs, name: str, column: object) -> Cell:
    best = first(inputs, name, column)
    if not best:
        columns = measure(inputs, name)
        units = columns.units[columns.names.index(column)] if column in columns.names else 0
        return Cell(reason=f"preview: fewer than {FEWEST} replicates" if 0 < units < FEWEST else "no runs to compare")
    return Cell(_labels(inputs, best, NAMED))


def _labels(inputs: Inputs, methods: Sequence[int], most: int = sentences.SHOWN) -> str:
    return sentences.shortened([inputs.methods[i].label for i in methods], most)


def _left_out(inputs: Inputs, row: form.FirstsTable | form.AnswerTable, title: str, name: str) -> str:
    """Say which methods with runs are not compared by a measure, and at which sizes, "" without any."""
    columns = measure(inputs, name)
    sizes = [column for column in columns.names if column != MEAN]
    tried = {i: why[-1] != "no runs" for i, why in enumerate(columns.reasons)}
    lost = {column: ~compared(inputs, name, column) for column in sizes}
    found: dict[str, list[str]] = {}
    for i in (i for i, any_run in tried.items() if any_run):
        at = [heading(row.head, column) for column in sizes if lost[column][i]]
        if at:
            where = "" if len(at) == len(sizes) else f" at {listed(at)}"
            found.setdefault(where, []).append(inputs.methods[i].label)
    said = "; ".join(f"{sentences.shortened(labels)}{where}" for where, labels in found.items())
    return f"{title}: not of {said}, for lack of it in more than a quarter of the runs." if said else ""


def agreement(inputs: Inputs, name: str) -> str:
    """Say at which sizes some methods are unbeaten by all measures of a table, and on which the measures disagree.

    It is "" where a measure has nothing to compare.
    """
    row = declared(inputs.study).tables[name]
    assert isinstance(row, form.FirstsTable)
    together, disputed, apart = dict[str, list[str]](), dict[str, list[str]](), []
    for column in columns_of(inputs, row)[:-1]:
        best = {title: found for title, each in row.measures.items() if (found := first(inputs, each, column))}
        size = heading(row.head, column)
        if len(best) < len(row.measures):
            continue
        if common := set.intersection(*map(set, best.values())):
            together.setdefault(_labels(inputs, sorted(common)), []).append(size)
            disputed.setdefault(_labels(inputs, _disputed(inputs, row, column)), []).append(size)
        else:
            titles: dict[str, list[str]] = {}
            for title, found in best.items():
                titles.setdefault(_labels(inputs, found), []).append(title)
            parts = "; ".join(f"{labels} by {listed(each)}" for labels, each in titles.items())
            apart.append(f"At {size} the measures disagree on what is best: {parts}.")
    disputed.pop("", None)
    said = [f"No method beats these by any of {listed(list(row.measures))}: {_by_size(together)}."] if together else []
    said += [f"Beaten by some of these measures only: {_by_size(disputed)}."] if disputed else []
    return " ".join([*said, *apart])


def _disputed(inputs: Inputs, row: form.FirstsTable, column: object) -> list[int]:
    """Return the methods that are beaten by one measure and unbeaten by another."""
    known = np.array([compared(inputs, name, column) for name in row.measures.values()])
    best = np.zeros_like(known)
    for place, name in zip(best, row.measures.values(), strict=True):
        place[list(first(inputs, name, column))] = True
    return np.flatnonzero(best.any(0) & (known & ~best).any(0)).tolist()


def _by_size(names: Mapping[str, Sequence[str]]) -> str:
    return "; ".join(f"{labels} at {listed(sizes)}" for labels, sizes in names.items())
