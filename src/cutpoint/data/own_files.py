"""A user's table as it stands in its file: CSV, TSV, Parquet, Feather or Arrow, cell by cell."""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.feather
import pyarrow.parquet as pq

from cutpoint.base.errors import InputError
from cutpoint.data import arrow, columns

MISSING = ("", "NA", "NaN", "nan", "null", "NULL", "N/A", "?", ".")
SEPARATORS = (",", ";", "\t")
_ABSENT = -1
_TEXTS = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view, pa.types.is_null)

Kind = Literal["cells", "text", "boolean", "number", "other"]


@dataclass(frozen=True, eq=False)
class Column:
    """One column of a file.

    Attributes:
        name: of the column.
        kind: what the file says that it holds; the cells of a text file may be anything. "other" cannot be used.
        distinct: the texts, or for "number" float64 values, that occur, in the order of the file; of "other" its type.
        index: int64 [N], which of them stands in each row; -1 where the cell is missing.
    """

    name: str
    kind: Kind
    distinct: list[str] | np.ndarray
    index: np.ndarray

    @property
    def missing(self) -> np.ndarray:
        """Return the rows without a value, bool [N]."""
        return self.index == _ABSENT

    def take(self, rows: np.ndarray) -> Column:
        """Return some of the rows, bool [N], in which no cell is missing."""
        here, index = np.unique(self.index[rows], return_inverse=True)
        if isinstance(self.distinct, list):
            return replace(self, distinct=[self.distinct[i] for i in here], index=index)
        return replace(self, distinct=self.distinct[here], index=index)


@dataclass(frozen=True, eq=False)
class RawTable:
    """The columns of a file.

    Attributes:
        source: name of the file, for messages.
        columns: in the order of the file.
        rows: N.
        place: says where a row stands, such as "cars.csv, line 3".
    """

    source: str
    columns: tuple[Column, ...]
    rows: int
    place: Callable[[int], str]


def read(path: str | Path) -> RawTable:
    """Return the table of a file; Parquet and Arrow are known by their first bytes, the rest is text.

    Raises:
        InputError: no such file, or what is wrong with it, with its line where it has lines.
    """
    path = Path(path)
    try:
        with open(path, "rb") as file:
            start = file.read(6)
            if start[:4] in (b"PAR1", b"FEA1") or start == b"ARROW1":
                return _read_arrow(path, parquet=start[:4] == b"PAR1")
            content = start + file.read()
    except OSError as problem:
        raise InputError(f"{path}: {problem.strerror or problem}") from None
    if start[:2] in (b"PK", b"\x1f\x8b"):
        raise InputError(f"{path.name}: a spreadsheet or an archive; save the table as CSV")
    return _read_text(content, path.name, tabs=path.suffix.lower() in (".tsv", ".tab"))


def _read_text(content: bytes, source: str, tabs: bool) -> RawTable:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = content[: problem.start].count(b"\n") + 1
        raise InputError(f"{source}, line {line}: not a text in UTF-8; convert the file first") from None
    header = next((line for line in text.splitlines() if line.strip()), "")
    if not header:
        raise InputError(f"{source}: no rows; the file is empty")
    separator = "\t" if tabs else max(SEPARATORS, key=header.count)
    names = [name.strip() for name in next(csv.reader([header], delimiter=separator))]
    table = _parse(text.encode(), source, separator, len(names))
    cells = [column.combine_chunks() for column in table.columns]
    blank = np.ones(table.num_rows, bool)
    for column in cells:
        blank &= arrow.numbers(pa.chunked_array([pc.binary_length(column)])) == 0
    kept = np.flatnonzero(~blank)[1:]  # the header is the first of them
    if len(names) > 1 and all(columns.number(name) is not None for name in names):
        raise InputError(f"{source}: the first line holds numbers only; put a line with the names of the columns first")
    if not len(kept):
        raise InputError(f"{source}: no rows below the header")
    rows = pa.array(kept)
    found = tuple(_texts(name, column.take(rows), "cells") for name, column in zip(names, cells, strict=True))

    lines = _lines(cells)
    return RawTable(source, found, len(kept), lambda row: f"{source}, line {lines[kept[row]]}")


def _lines(cells: list[pa.Array]) -> np.ndarray:
    """Return the line on which each row of a text starts, int64; cells in quotes may go over several."""
    breaks = np.zeros(len(cells[0]), np.int64)
    for column in cells:
        breaks += arrow.numbers(pa.chunked_array([pc.count_substring(column, "\n")]))
    return 1 + np.arange(len(breaks)) + np.cumsum(breaks) - breaks


def _parse(content: bytes, source: str, separator: str, width: int) -> pa.Table:
    """Return all lines of a text, the header among them, as trimmed texts; a blank line has empty cells."""
    names = [str(i) for i in range(width)]
    ragged: list[pa.csv.InvalidRow] = []

    def refuse(row: pa.csv.InvalidRow) -> str:
        ragged.append(row)
        return "error"

    try:
        table = pa.csv.read_csv(
            pa.BufferReader(content),
            pa.csv.ReadOptions(use_threads=False, column_names=names),
            pa.csv.ParseOptions(
                delimiter=separator, ignore_empty_lines=False, newlines_in_values=True, invalid_row_handler=refuse
            ),
            pa.csv.ConvertOptions(column_types=dict.fromkeys(names, pa.string())),
        )
    except pa.ArrowInvalid as problem:
        if ragged:
            cells = f"{ragged[0].actual_columns} cells where the header has {width}"
            raise InputError(f"{source}, line {ragged[0].number}: {cells}; correct the line") from None
        raise InputError(f"{source}: cannot be read as text with columns: {str(problem).splitlines()[0]}") from None
    return pa.table([pc.utf8_trim_whitespace(column) for column in table.columns], names)


def _read_arrow(path: Path, parquet: bool) -> RawTable:
    try:
        if parquet:
            # read_table would take columns from the names of folders
            with pq.ParquetFile(path, page_checksum_verification=True) as file:
                table = file.read(use_threads=False)
        else:
            table = pyarrow.feather.read_table(path, use_threads=False)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, OSError) as problem:
        raise InputError(f"{path.name}: cannot be read: {str(problem).splitlines()[0]}") from None
    if not table.num_rows:
        raise InputError(f"{path.name}: no rows")
    names, cells = table.column_names, (column.combine_chunks() for column in table.columns)
    found = tuple(_column(name, column) for name, column in zip(names, cells, strict=True))
    return RawTable(path.name, found, table.num_rows, lambda row: f"{path.name}, row {row + 1}")


def _column(name: str, cells: pa.Array) -> Column:
    kind = cells.type
    if isinstance(cells, pa.ChunkedArray):  # of a dictionary whose chunks differ
        cells = pa.concat_arrays(cells.unify_dictionaries().chunks)
    if pa.types.is_dictionary(kind):
        cells, kind = cells.cast(kind.value_type), kind.value_type
    if pa.types.is_boolean(kind):
        return _texts(name, cells.cast(pa.string()), "boolean")
    if any(test(kind) for test in _TEXTS) or pa.types.is_temporal(kind):  # dates are text, as in a text file
        return _texts(name, pc.utf8_trim_whitespace(cells.cast(pa.string())), "text")
    if not (pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)):
        return Column(name, "other", [str(kind)], np.zeros(len(cells), np.int64))
    there = arrow.numbers(pa.chunked_array([pc.is_valid(cells).cast(pa.int8())])) == 1
    filled = pc.fill_null(cells.cast(pa.float64(), safe=False), np.nan)
    values = arrow.numbers(pa.chunked_array([filled]))
    return _numbers(name, values, there & ~np.isnan(values))


def _texts(name: str, cells: pa.Array, kind: Kind) -> Column:
    coded = cells.dictionary_encode()
    there = arrow.numbers(pa.chunked_array([pc.is_valid(coded.indices).cast(pa.int8())])) == 1
    index = arrow.numbers(pa.chunked_array([pc.fill_null(coded.indices, 0)])).astype(np.int64)
    texts = coded.dictionary.to_pylist()
    gap = np.array([text in MISSING for text in texts] or [True])
    place = np.cumsum(~gap) - 1
    return Column(
        name,
        kind,
        [text for text in texts if text not in MISSING],
        np.where(there & ~gap[index], place[index], _ABSENT),
    )


def _numbers(name: str, values: np.ndarray, there: np.ndarray) -> Column:
    distinct, first, back = np.unique(values[there], return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    index = np.full(len(values), _ABSENT)
    index[there] = place[back]
    return Column(name, "number", distinct[order], index)
