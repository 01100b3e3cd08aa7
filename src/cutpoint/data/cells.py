"""Cells of files, frames and records as columns: equal cells are equal values and states wherever they come from."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.data.columns import EXACT, RawColumn, RawTable, exact_text, number_column, recoded, text_column
from cutpoint.data.roles import Roles
from cutpoint.data.text_form import USUAL, TextForm, form_of, forms_of, is_grouped, number, unsigned
from cutpoint.data.times import spans_of, times_of, written

MISSING = ("", "NA", "NaN", "nan", "null", "NULL", "N/A", "n/a", "#N/A", "<NA>", "NaT", "?", ".")
DASHES = ("-", "--", "–", "—")  # missing among numbers; elsewhere a state, as in + and -
TRUTHS = {"true", "false"}


def raw_column(name: str, cells: Iterable[Any], marks: Sequence[str] = ()) -> RawColumn:
    """Return a column of texts; marks: those that stand for a missing cell, of numbers also otherwise written."""
    texts, numbers = [*map(text_of, cells)], _numbers_in(marks)
    same = [text for text in {*texts} if text is not None and number(text) in numbers] if numbers else []
    return text_column(name, texts, "cells", (*MISSING, *marks, *same))


def _numbers_in(marks: Sequence[str]) -> list[float]:
    return [value for mark in marks if (value := number(str(mark))) is not None]


def numbers_of(name: str, values: np.ndarray, marks: Sequence[str] = ()) -> RawColumn:
    """Return a column of numbers [N], NaN for a missing cell; those of fewer than 64 bits are what they print."""
    if values.dtype.kind == "f" and values.dtype.itemsize < 8:
        distinct, index = np.unique(values, return_inverse=True)
        values = np.array([float(str(value)) for value in distinct])[index]
    values = values.astype(float)
    absent = _numbers_in(marks)
    return number_column(name, np.where(np.isin(values, absent), np.nan, values) if absent else values)


def text_of(cell: Any) -> str | None:
    """Return the text of a cell as a text file has it, without surrounding blanks; None where it is missing."""
    if isinstance(cell, str):
        return cell.strip()
    if isinstance(cell, np.generic):
        cell = cell.astype(f"{cell.dtype.kind}8[us]").item() if cell.dtype.kind in "mM" else cell.item()
    if cell is None or type(cell).__name__ == "NAType" or cell != cell:
        return None
    if isinstance(cell, float):
        return exact_text(cell)
    if isinstance(cell, datetime):
        return written(cell)
    if isinstance(cell, timedelta):
        return f"{cell.days} days {timedelta(seconds=cell.seconds, microseconds=cell.microseconds)}"
    return cell.decode(errors="replace").strip() if isinstance(cell, bytes) else str(cell).strip()


def meant(column: RawColumn, form: TextForm = USUAL) -> RawColumn:
    """Return a column with what its texts mean: numbers without a sign that all of them carry, times, spans of time.

    Among numbers a dash is a missing cell. Numbers are written as in `form`, or as one of `text_form.FORMS`.
    """
    if column.kind not in ("cells", "text") or not len(column.distinct):
        return column
    if not np.isnan(column.numbers).any():
        return _merged(column)
    others = [text for text in column.texts if text not in DASHES]
    sign, texts = unsigned(others)
    if others and (all(map(form.is_number, texts)) or forms_of(texts)):
        known = dict(zip(others, texts, strict=True))
        return _merged(recoded(column, [known.get(text) for text in column.texts], sign=sign and f"{sign} left out"))
    if spans := spans_of(column.texts):
        return recoded(column, spans[0], sign=spans[1])
    if column.kind == "cells" and (times := times_of(column.texts)):
        return recoded(column, times, kind="time")
    return replace(column, kind="boolean") if {text.lower() for text in column.texts} == TRUTHS else column


def _merged(column: RawColumn) -> RawColumn:
    """Return a column of numbers with one text for each number, where some are equal, as 1 and 1.0."""
    numbers = column.numbers
    exact = bool((np.abs(numbers) <= EXACT).all())  # and none is NaN
    return recoded(column, [*map(exact_text, numbers)]) if exact and len(np.unique(numbers)) < len(numbers) else column


def table_in_form(raw: RawTable, form: TextForm = USUAL, *, separator: str = "") -> RawTable:
    """Return a table whose numbers have a decimal point and no groups of digits, and a note on how they were written.

    Where the form says nothing, all columns decide together. separator: of a text file, the mark between cells.
    """
    if form.settings:
        return replace(raw, columns=tuple(_plain(column, form, raw) for column in raw.columns))
    cells = [column for column in raw.columns if column.kind == "cells"]
    texts = [column.texts for column in cells if np.isnan(column.numbers).any()]
    plain = [column.texts for column in cells if not np.isnan(column.numbers).any()]
    if (found := form_of(texts, plain, semicolons=separator == ";")) is None:
        return raw
    read = tuple(_where_most(column, found) for column in raw.columns)
    changed = [old.texts for old, new in zip(raw.columns, read, strict=True) if new is not old]
    first = next(text for column in changed for text in column if found.is_number(text) and found.plain(text) != text)
    form_in_words = ", ".join(f"{key} {value}" for key, value in found.settings.items())
    note = f"read with {form_in_words}: {first!r} is {exact_text(float(found.plain(first)))}"
    return replace(raw, columns=read, notes=(*raw.notes, note))


def _where_most(column: RawColumn, form: TextForm) -> RawColumn:
    """Return a column in plain numbers if most of its texts are numbers in the form, which those as they are keep."""
    numbers = [column.kind == "cells" and form.is_number(text) for text in column.texts]
    kept = not np.isnan(column.numbers).any() and not is_grouped(column.texts)
    if 2 * sum(numbers) <= len(numbers) or kept:
        return column
    pairs = zip(column.texts, numbers, strict=True)
    return recoded(column, [form.plain(text) if is_number else text for text, is_number in pairs])


def _plain(column: RawColumn, form: TextForm, raw: RawTable) -> RawColumn:
    """Return a column whose numbers were written in a form that the user stated."""
    if column.kind == "number":
        return column
    try:
        return recoded(column, [*map(form.plain, column.texts)])
    except ValueError as problem:
        row = int(np.argmax(column.index == column.texts.index(str(problem))))
        what = f"{str(problem)!r} has a decimal point, and decimal={form.decimal} is set"
        raise InputError(f"{raw.place(row)}, column {column.name}: {what}") from None


def without_index(raw: RawTable, roles: Roles) -> RawTable:
    """Return a table without a first column that names or counts the rows, as R and pandas write it, and a note."""
    first, *others = raw.columns or (None,)
    if first is None or not first.names_rows or roles.of(first.name):
        return raw
    name = f"{first.name}, which" if first.name else "which has no name and"
    note = f"left out: the first column, {name} {'counts' if first.counts_rows() else 'names'} the rows"
    return replace(raw, columns=tuple(others), notes=(*raw.notes, note))
