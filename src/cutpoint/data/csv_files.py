"""Tables in text files: CSV, TSV, and columns separated by blanks. All of them are read here."""

from __future__ import annotations

import csv
import io
from itertools import zip_longest
from pathlib import Path

from cutpoint.base.errors import InputError

SEPARATORS = (",", ";", "\t")
BLANKS = " "  # as a separator: runs of blanks and tabs

# The line on which a row starts, and its cells.
Row = tuple[int, tuple[str, ...]]


def rows_of(content: bytes, source: str, *, separator: str | None = None, comment: str | None = None) -> list[Row]:
    """Return the rows of a text in UTF-8, their cells without surrounding blanks; rows without any text are left out.

    A cell in double quotes may hold separators and line breaks.

    Args:
        content: of the file; a header, if there is one, is its first row.
        source: name of the file, for messages.
        separator: one character, or `BLANKS`; None is the one of `SEPARATORS` that is most frequent in the first line.
        comment: lines that start with this mark are left out.

    Raises:
        InputError: the first line that is not UTF-8, or a cell that is too long, as after a quote that is not closed.
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = content[: problem.start].count(b"\n") + 1
        raise InputError(f"{source}, line {line}: not a text in UTF-8; convert the file first") from None
    if separator is None:
        header = next((line for line in io.StringIO(text, newline="") if line.strip()), "")
        separator = max(SEPARATORS, key=header.count)
    lines = (_plain(line, separator, comment) for line in io.StringIO(text, newline=""))
    reader = csv.reader(lines, delimiter=separator, skipinitialspace=True)
    rows, line = [], 1
    try:
        for row in reader:
            cells = tuple(map(str.strip, row))  # tuples of texts cost the garbage collector nothing
            if any(cells):
                rows.append((line, cells))
            line = reader.line_num + 1
    except csv.Error as problem:
        raise InputError(f"{source}, line {line}: cannot be read as text with columns: {problem}") from None
    return rows


def _plain(line: str, separator: str, comment: str | None) -> str:
    """Return a line with its break, empty for a comment, with single characters as separators."""
    if comment and line.lstrip().startswith(comment):
        return "\n"
    return line.replace("\t", " ").strip() + "\n" if separator == BLANKS else line


def read_csv(path: str | Path, *, separator: str = ",") -> list[dict[str, str]]:
    """Return the rows of a file with a header, as texts by the name of the column; None for a cell that is lacking.

    Raises:
        InputError: the file is missing or cannot be read.
    """
    try:
        content = Path(path).read_bytes()
    except OSError as problem:
        raise InputError(f"{path}: {problem.strerror}") from None
    rows = rows_of(content, str(path), separator=separator)
    names = rows[0][1] if rows else []
    return [dict(zip_longest(names, cells[: len(names)])) for _, cells in rows[1:]]
