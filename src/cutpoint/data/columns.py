"""Columns of a user's table: from text to values and codes, and what is wrong with them.

Everything here is general: the data sets of the registry and a user's own data come in through the same door.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Sequence

import numpy as np

from cutpoint.base.errors import InputError

# A place is what a message points to, such as "abalone.data, line 3".
Row = tuple[str, list[str]]

RESERVED = "replicate"  # the column that every file of results adds
_NO_STATE = {"", "nan", "inf", "+inf", "-inf"}


def read_rows(
    content: bytes, *, separator: str = "comma", comment: str | None = None, source: str = "data"
) -> list[Row]:
    """Return the cells of each line that holds any, with its place in the file.

    Args:
        content: UTF-8 text.
        separator: "comma", or "blanks" for runs of blanks or tabs; text in double quotes is one cell.
        comment: lines that start with this mark are skipped.
        source: name of the file, for places and messages.

    Raises:
        InputError: the content is not text.
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{source}: not a text file in UTF-8 (byte {error.start}); convert it first") from None
    rows = []
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), start=1):
        stripped = line.strip()
        if stripped and not (comment and stripped.startswith(comment)):
            rows.append((f"{source}, line {number}", _cells(stripped, separator)))
    return rows


def _cells(line: str, separator: str) -> list[str]:
    if separator == "blanks":
        line, delimiter = line.replace("\t", " "), " "
    else:
        delimiter = ","
    # One reader per line: an unclosed quote then spoils its own line and no other.
    return [cell.strip() for cell in next(csv.reader([line], delimiter=delimiter, skipinitialspace=True))]


def numbers(cells: Sequence[str], places: Sequence[str], column: str) -> np.ndarray:
    """Return a continuous column, float64 [N].

    Raises:
        InputError: a cell that is empty, text, NaN or infinite, with its place.
    """
    result = np.empty(len(cells))
    for i, cell in enumerate(cells):
        value = number(cell)
        if value is None or not math.isfinite(value):
            what = f'"{cell}" is not a finite number' if cell else "the cell is empty"
            hint = "correct it, leave the row out, or declare the column discrete"
            raise InputError(f"{places[i]}, column {column}: {what}; {hint}")
        result[i] = value
    return result


def number(cell: str) -> float | None:
    """Return a cell as a number, which may be NaN or infinite, or None."""
    # float() also takes "1_000", which no data file means.
    try:
        return None if "_" in cell else float(cell)
    except ValueError:
        return None


def states(cells: Sequence[str], places: Sequence[str], column: str) -> tuple[np.ndarray, tuple[str, ...]]:
    """Return the codes of a discrete column and the names of its states.

    States are sorted as numbers where all of them are numbers (``1`` and ``1.0`` are then the same),
    otherwise as text.

    Returns:
        Codes 0..r-1 as float64 [N], and r names.

    Raises:
        InputError: a cell that is empty, NaN or infinite, with its place.
    """
    for cell, place in zip(cells, places, strict=True):
        if cell.lower() in _NO_STATE:
            what = f'"{cell}"' if cell else "an empty cell"
            raise InputError(f"{place}, column {column}: {what} is no state; correct it or leave the row out")
    parsed = [number(cell) for cell in cells]
    if all(value is not None for value in parsed):
        levels, codes = np.unique(np.array(parsed, float), return_inverse=True)
        return codes.astype(float), tuple(f"{level:.15g}" for level in levels)
    names, codes = np.unique(np.array(cells), return_inverse=True)
    return codes.astype(float), tuple(str(name) for name in names)


def check_table(
    values: np.ndarray, variables: Sequence[str], discrete: Sequence[bool] | np.ndarray, source: str
) -> None:
    """Check that a table can be learned from.

    Args:
        values: [N, n]; a discrete column holds codes 0..r-1.
        variables: n different names.
        discrete: n flags.
        source: name of the file or argument, for messages.

    Raises:
        InputError: the first thing that is wrong, with its column and row (the first row is 1).
    """
    values = np.asarray(values)
    _check_shape(values, variables, discrete, source)
    for i, name in enumerate(variables):
        _check_column(values[:, i], bool(discrete[i]), f"{source}: column {name}")


def _check_shape(
    values: np.ndarray, variables: Sequence[str], discrete: Sequence[bool] | np.ndarray, source: str
) -> None:
    if values.ndim != 2 or values.shape[1] != len(variables) or len(discrete) != len(variables):
        names = f"{len(variables)} names and {len(discrete)} roles"
        raise InputError(f"{source}: a table of shape {values.shape} does not fit {names}")
    if not np.issubdtype(values.dtype, np.number) or np.iscomplexobj(values):
        raise InputError(f"{source}: values must be real numbers, not {values.dtype}")
    if values.size == 0:
        raise InputError(f"{source}: no rows or no columns are left; check the missing mark and the columns")
    check_names(variables, source)


def check_names(variables: Sequence[str], source: str) -> None:
    """Raise InputError where a column name is empty, given twice, or reserved."""
    for i, name in enumerate(variables):
        if not name:
            raise InputError(f"{source}: column {i + 1} has no name; give it one")
        if name == RESERVED:
            raise InputError(f"{source}: the column name {name} is reserved; rename the column")
        if name in variables[:i]:
            raise InputError(f"{source}: two columns are named {name}; rename one")


def _check_column(column: np.ndarray, discrete: bool, where: str) -> None:
    bad = np.flatnonzero(~np.isfinite(column))
    if bad.size:
        what = "NaN" if np.isnan(column[bad[0]]) else "infinity"
        raise InputError(f"{where}, row {bad[0] + 1}: {what}; correct the cell or leave the row out")
    if (column == column[0]).all():
        raise InputError(f"{where}: constant ({column[0]:.15g} in all {column.size} rows); leave the column out")
    if discrete:
        _check_codes(column, where)


def _check_codes(column: np.ndarray, where: str) -> None:
    bad = np.flatnonzero((column < 0) | (column != np.floor(column)))
    if bad.size:
        value = f"{column[bad[0]]:.15g}"
        raise InputError(f"{where}, row {bad[0] + 1}: {value} is no code; a discrete column holds 0, 1, ..., r-1")
    levels = int(column.max()) + 1
    if levels > column.size:
        few = f"fewer rows ({column.size}) than levels ({levels})"
        raise InputError(f"{where}: {few}; number the states 0, 1, ... or declare the column continuous")
