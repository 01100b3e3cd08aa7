"""A user's table as it stands in its file: CSV, TSV, both also packed by gzip, Parquet, Feather or Arrow."""

import gzip
import zlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.feather
import pyarrow.parquet as pq

from cutpoint.base.errors import InputError
from cutpoint.base.files import existing
from cutpoint.data import arrow
from cutpoint.data.columns import EXACT, RawColumn, RawTable, number_column, text_column
from cutpoint.data.csv_files import BLANKS, rows_of
from cutpoint.data.text_form import TextForm, forms_of, number, unsigned

MISSING = ("", "NA", "NaN", "nan", "null", "NULL", "N/A", "n/a", "#N/A", "<NA>", "?", ".")
DASHES = ("-", "--", "–", "—")  # missing among numbers; elsewhere a state, as in + and -
_TEXTS = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view, pa.types.is_null)


USUAL = TextForm()


def read(path: str | Path, form: TextForm = USUAL) -> RawTable:
    """Return the table of a file; Parquet, Arrow and gzip are known by their first bytes, the rest is text."""
    path = existing(path)
    try:
        with open(path, "rb") as file:
            start = file.read(6)
            if start[:4] in (b"PAR1", b"FEA1") or start == b"ARROW1":
                return _read_arrow(path, parquet=start[:4] == b"PAR1")
            content = start + file.read()
    except OSError as problem:
        raise InputError(f"{path}: {problem.strerror or problem}") from None
    if start[:2] == b"PK":
        raise InputError(f"{path.name}: a spreadsheet or an archive; save the table as CSV")
    if start[:2] == b"\x1f\x8b":
        try:
            content = gzip.decompress(content)
        except (OSError, EOFError, zlib.error) as problem:
            raise InputError(f"{path.name}: cannot be unpacked: {problem}") from None
    tabs = Path(path.name.removesuffix(".gz")).suffix.lower() in (".tsv", ".tab")
    return _read_text(content, path.name, form, form.mark or ("\t" if tabs else None))


def _read_text(content: bytes, source: str, form: TextForm, separator: str | None) -> RawTable:
    rows = rows_of(content, source, separator=separator, encoding=form.encoding)
    if not rows:
        raise InputError(f"{source}: no rows; the file is empty")
    if form.names:
        names: Sequence[str] = form.names
    else:
        (_, names), *rows = rows
    if separator is None:
        _check_separator([cells for _, cells in rows], source, () if form.names else names)
    for line, cells in rows:
        if len(cells) != len(names):
            header = "the list of names" if form.names else "the header"
            count = f"{len(cells)} cells where {header} has {len(names)}"
            hint = ", or set separator=blank" if separator != BLANKS and len(names) == 1 else ""
            raise InputError(f"{source}, line {line}: {count}; correct the line{hint}")
    if not rows:
        raise InputError(f"{source}: no rows below the header")
    columns = zip(names, zip(*(cells for _, cells in rows), strict=True), strict=True)
    texts = tuple(_cells(name, cells, form) for name, cells in columns)
    if not form.names:
        _check_header(texts, source)
    table = RawTable(source, texts, len(rows), lambda row: f"{source}, line {rows[row][0]}")
    return table if form.usual else _plain(table, form)


def _cells(name: str, cells: Sequence[str], form: TextForm) -> RawColumn:
    """Return a column; among numbers a dash is a missing cell, and a sign that all of them carry is left out."""
    missing = (*MISSING, *form.marks)
    column = text_column(name, cells, "cells", missing)
    others = [str(text) for text in column.distinct if text not in DASHES]
    sign, texts = unsigned(others)
    if not others or not (all(map(form.is_number, texts)) or forms_of(texts)):
        return column
    if len(others) < len(column.distinct):
        column = text_column(name, cells, "cells", (*missing, *DASHES))
    return replace(column, distinct=texts, sign=sign)


def _check_separator(rows: Sequence[Sequence[str]], source: str, names: Sequence[str]) -> None:
    """Raise InputError where another mark than the usual ones separates cells, with the setting that names it."""
    first = names or next(iter(rows), ())
    for word, mark in (("bar", "|"), ("blank", None)) if len(first) == 1 else ():
        counts = {len(cells[0].split(mark)) for cells in rows}
        if counts == {len(first[0].split(mark))} and counts != {1}:
            raise InputError(f"{source}: each line is one cell, such as {first[0][:40]!r}; set separator={word}")
    for cell in first:
        words = cell.split()
        if len(words) > 1 and all(number(word) is not None for word in words):
            raise InputError(f"{source}: several numbers in one cell, {cell[:40]!r}; set separator=blank")
    if names and len(rows) > 1 and len(names) > 1 and (least := min(map(len, rows))) > len(names):
        if all(len(cells) == len(names) + 1 and not cells[-1] for cells in rows):
            fact = "each line but the first ends with a separator"
            raise InputError(f"{source}: {fact}; take these out, or add one there")
        fact = f"each line has {least} cells or more where the header has {len(names)}"
        raise InputError(f"{source}: {fact}; where numbers have a decimal comma write semicolons between cells")


def _check_header(columns: Sequence[RawColumn], source: str) -> None:
    """Raise InputError where the first line is a record: numbers above numbers, and texts that occur below."""
    if len(columns) > 1 and all(map(_like_its_cells, columns)):
        record = ", ".join(column.name for column in columns[:4])
        hint = "put a line with the names of the columns first, or set 'names=[a,b,...]'"
        raise InputError(f"{source}: the first line is a record ({record}, ...), not names; {hint}")


def _like_its_cells(column: RawColumn) -> bool:
    if number(column.name) is not None:
        return bool(np.isfinite(column.numbers).any())
    return column.name in MISSING or column.name in column.distinct


def _plain(table: RawTable, form: TextForm) -> RawTable:
    """Return a table whose numbers are written with a decimal point and without groups of digits."""
    columns = []
    for column in table.columns:
        try:
            columns.append(replace(column, distinct=[form.plain(str(text)) for text in column.distinct]))
        except ValueError as problem:
            row = next(i for i, k in enumerate(column.index) if k >= 0 and column.distinct[k] == str(problem))
            what = f"{str(problem)!r} has a decimal point, and decimal={form.decimal} is set"
            raise InputError(f"{table.place(row)}, column {column.name}: {what}") from None
    return replace(table, columns=tuple(columns))


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
    columns = tuple(_column(name, cells) for name, cells in zip(table.column_names, table.columns, strict=True))
    return RawTable(path.name, columns, table.num_rows, lambda row: f"{path.name}, row {row + 1}")


def _column(name: str, cells: pa.ChunkedArray) -> RawColumn:
    kind = cells.type
    if pa.types.is_dictionary(kind):
        cells, kind = cells.cast(kind.value_type), kind.value_type
    if pa.types.is_boolean(kind):
        texts = {True: "True", False: "False", None: None}  # as in a data frame
        return text_column(name, [texts[cell] for cell in cells.to_pylist()], "boolean")
    if any(test(kind) for test in _TEXTS) or pa.types.is_temporal(kind):  # dates are text, as in a text file
        return text_column(name, pc.utf8_trim_whitespace(cells.cast(pa.string())).to_pylist(), "text", MISSING)
    if not (pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)):
        return RawColumn(name, "other", [str(kind)], np.zeros(len(cells), np.int64))
    if pa.types.is_integer(kind) and any(abs(end or 0) > EXACT for end in pc.min_max(cells).as_py().values()):
        return text_column(name, [None if cell is None else str(cell) for cell in cells.to_pylist()], "cells")
    return number_column(name, arrow.floats(cells.cast(pa.float64(), safe=False)))
