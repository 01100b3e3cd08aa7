"""A user's table as it stands in its file: CSV, TSV, both also packed by gzip, Parquet, Feather or Arrow."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.feather
import pyarrow.parquet as pq

from cutpoint.base.errors import InputError
from cutpoint.base.files import existing, unpacked
from cutpoint.data import arrow
from cutpoint.data.cells import MISSING, meant, numbers_of, raw_column, table_in_form
from cutpoint.data.columns import EXACT, SHOWN, RawColumn, RawTable
from cutpoint.data.csv_files import BLANKS, Row, decoded, encoding_of, rows_of, separator_of
from cutpoint.data.roles import setting
from cutpoint.data.table import check_width
from cutpoint.data.text_form import USUAL, TextForm, number

LONGEST = 2**24  # bytes of a line; of 200,000 columns it has 2 MB


def read(path: str | Path, form: TextForm = USUAL, *, most: int | None = None) -> RawTable:
    """Return the table of a file; Parquet, Arrow and gzip are known by their first bytes, the rest is text.

    most: letters of a text that are looked at, where the names of its columns are all that is wanted.
    """
    path = existing(path)
    try:
        with open(path, "rb") as file:
            start = file.read(6)
            if start[:4] in (b"PAR1", b"FEA1") or start == b"ARROW1":
                return _read_arrow(path, form, parquet=start[:4] == b"PAR1")
        if start[:2] == b"PK":
            raise InputError(f"{path.name}: a spreadsheet or an archive; save the table as CSV")
        content = unpacked(path, path.name, LONGEST)
    except OSError as problem:
        raise InputError(f"{path}: {problem.strerror or problem}") from None
    tabs = Path(path.name.removesuffix(".gz")).suffix.lower() in (".tsv", ".tab")
    return _read_text(content, path.name, form, form.mark or ("\t" if tabs else None), most)


def _read_text(content: bytes, source: str, form: TextForm, separator: str | None, most: int | None) -> RawTable:
    text, notes = _text(content, source, form)
    text = text if most is None or len(text) <= most else text[: text.rfind("\n", 0, most) + 1]
    mark = separator or separator_of(text)
    rows = rows_of(text, source, separator=mark)
    if not rows:
        raise InputError(f"{source}: no rows; the file is empty")
    if form.names:
        names: Sequence[str] = form.names
    else:
        (_, names), *rows = rows
        if all(len(name) > 1 and name[0] == name[-1] == "'" for name in names):
            names = [name[1:-1] for name in names]
    check_width(len(names), source)
    if separator is None:
        _check_separator([cells for _, cells in rows], source, () if form.names else names)
    _check_lines(rows, len(names), source, "the list of names" if form.names else "the header", mark)
    if rows[1:] and _counts_categories(rows):
        notes, rows = [*notes, f"line {rows[0][0]} is left out: it has the numbers of categories"], rows[1:]
    if not rows:
        raise InputError(f"{source}: no rows below the header")
    columns = zip(names, zip(*(cells for _, cells in rows), strict=True), strict=True)
    texts = tuple(meant(raw_column(name, cells, form.marks), form) for name, cells in columns)
    if not form.names:
        _check_header(texts, source)
    table = RawTable(source, texts, len(rows), lambda row: f"{source}, line {rows[row][0]}", (*notes,))
    return table_in_form(table, form, separator=mark)


def _text(content: bytes, source: str, form: TextForm) -> tuple[str, list[str]]:
    """Return the text of a file, and a note on an encoding that was found."""
    encoding = form.encoding or encoding_of(content)
    text = decoded(content, source, encoding)
    if form.encoding or not encoding:
        return text, []
    word = re.search(r"[^\s,;|\"]*[^\0-\x7f][^\s,;|\"]*", text)
    return text, [f"read as {encoding}{f', such as {word[0][:SHOWN]!r}' if word else ''}"]


def _counts_categories(rows: Sequence[Row]) -> bool:
    """Return whether the first row has the numbers of codes 0, 1, ... below, as files of Benchpress have."""
    (_, first), *others = rows
    found = [{*column} for column in zip(*(cells for _, cells in others), strict=True)]
    return all(count not in cells and count == str(len(cells)) for count, cells in zip(first, found, strict=True))


def _check_lines(rows: Sequence[Row], size: int, source: str, header: str, mark: str) -> None:
    """Raise InputError for the first line with another number of cells than names."""
    for line, cells in rows:
        if len(cells) != size:
            hint = f", or set {setting('separator', 'blank')}" if mark != BLANKS and size == 1 else ""
            count = f"{len(cells)} cells where {header} has {size}"
            raise InputError(f"{source}, line {line}: {count}; correct the line{hint}")


def _check_separator(rows: Sequence[Sequence[str]], source: str, names: Sequence[str]) -> None:
    """Raise InputError where another mark than the one found separates cells, with the setting that names it."""
    for cell in names or next(iter(rows), ()):
        words = cell.split()
        if len(words) > 1 and all(number(word) is not None for word in words):
            hint = f"set {setting('separator', 'blank')}"
            raise InputError(f"{source}: several numbers in one cell, {cell[:SHOWN]!r}; {hint}")
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
        hint = f"put a line with the names of the columns first, or set {setting('names', ['a', 'b', 'c'])}"
        raise InputError(f"{source}: the first line is a record ({record}, ...), not names; {hint}")


def _like_its_cells(column: RawColumn) -> bool:
    if number(column.name) is not None:
        return bool(np.isfinite(column.numbers).any())
    return column.name in MISSING or column.name in column.distinct


def _read_arrow(path: Path, form: TextForm, parquet: bool) -> RawTable:
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
    check_width(table.num_columns, path.name)
    columns = zip(table.column_names, table.columns, strict=True)
    read = tuple(meant(arrow_column(name, cells, form.marks)) for name, cells in columns)
    return table_in_form(RawTable(path.name, read, table.num_rows, lambda row: f"{path.name}, row {row + 1}"))


def arrow_column(name: str, cells: pa.ChunkedArray, marks: Sequence[str] = ()) -> RawColumn:
    """Return a column of an Arrow table, cell by cell; marks: further texts that stand for a missing cell."""
    kind = cells.type
    if pa.types.is_dictionary(kind):
        return replace(arrow_column(name, cells.cast(kind.value_type), marks), kind="text")
    if pa.types.is_timestamp(kind):
        cells = cells.cast(pa.timestamp("us", kind.tz), safe=False)  # of nanoseconds pandas would make objects
    large = pa.types.is_integer(kind) and any(abs(end or 0) > EXACT for end in pc.min_max(cells).as_py().values())
    if pa.types.is_floating(kind) or (pa.types.is_integer(kind) and not large):
        short = pa.types.is_float16(kind) or pa.types.is_float32(kind)
        values = arrow.floats(cells)
        return numbers_of(name, values.astype(kind.to_pandas_dtype()) if short else values, marks)
    if pa.types.is_nested(kind):
        return RawColumn(name, "other", [str(kind)], np.zeros(len(cells), np.int64))
    return raw_column(name, cells.to_pylist(), marks)
