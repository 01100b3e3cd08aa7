"""Tables in text files: CSV, TSV, and columns separated by blanks. All of them are read here."""

import codecs
import csv
import io
import re
from contextlib import suppress
from itertools import islice, zip_longest
from pathlib import Path

from cutpoint.base.errors import InputError
from cutpoint.base.files import read_text

SEPARATORS = (",", "|", ";", "\t")
SAMPLE = 1000  # bytes that are looked at for zeros
LINES = 100  # that are looked at for what separates cells
BLANKS = " "  # as a separator: runs of blanks and tabs
Row = tuple[int, tuple[str, ...]]  # the line on which it starts, and its cells


def rows_of(content: bytes | str, source: str, *, separator: str, comment: str | None = None) -> list[Row]:
    """Return the rows of a text, their cells without surrounding blanks; rows without any text are left out.

    separator: one character, or `BLANKS`; comment: the mark of lines to leave out. Bytes are UTF-8.
    """
    text = content if isinstance(content, str) else decoded(content, source, None)
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


def separator_of(text: str) -> str:
    """Return the mark that parts each of the first lines into as many cells, or the most frequent of the first line."""
    lines = [*islice((line for line in io.StringIO(text, newline="") if line.strip()), LINES)]
    for mark in reversed(SEPARATORS):  # a comma comes last, as it may be the mark before decimals too
        rows = []
        with suppress(csv.Error):  # which is named where all is read
            rows = [*csv.reader(lines, delimiter=mark, skipinitialspace=True)]
        whole = rows if len(lines) < LINES else rows[:-1]  # a cell of several lines may be cut
        if len({*map(len, whole)}) == 1 and len(whole[0]) > 1:
            return mark
    first = lines[0] if lines else ""
    if not any(mark in first for mark in SEPARATORS) and {len(line.split()) for line in lines} == {len(first.split())}:
        return BLANKS
    return max(SEPARATORS, key=first.count)


def encoding_of(content: bytes) -> str | None:
    """Return the encoding of a text that is neither UTF-8 nor says its own, None for one that is.

    A letter of GB 18030 is a pair of bytes, the first of a common one from B0 to D7; others are single bytes.
    """
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return None
    if 3 * content[:SAMPLE].count(b"\0") > len(content[:SAMPLE]):
        return f"utf-16-{'le' if content.find(0) % 2 else 'be'}"
    if _is_text(content, "utf-8"):
        return None
    runs = re.findall(rb"[\x80-\xff]+", content)
    pairs = [run[k] for run in runs for k in range(0, len(run), 2)]
    common = sum(0xB0 <= first <= 0xD7 for first in pairs)
    if all(len(run) % 2 == 0 for run in runs) and 2 * common > len(pairs) and _is_text(content, "gb18030"):
        return "gb18030"
    return "cp1252" if _is_text(content, "cp1252") else "latin-1"


def _is_text(content: bytes, encoding: str) -> bool:
    try:
        content.decode(encoding)
    except UnicodeError:
        return False
    return True


def decoded(content: bytes, source: str, encoding: str | None) -> str:
    """Return the text of a file; without an encoding UTF-8, or UTF-16 where it begins with the mark of that."""
    wide = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        return content.decode(encoding or ("utf-16" if wide else "utf-8-sig"))
    except UnicodeError as problem:
        start = problem.start if isinstance(problem, UnicodeDecodeError) else 0
        line = content[:start].count(b"\n") + 1
        raise InputError(f"{source}, line {line}: not a text in {encoding or 'UTF-8'}") from None


def _plain(line: str, separator: str, comment: str | None) -> str:
    """Return a line with its break, empty for a comment, with single characters as separators."""
    if comment and line.lstrip().startswith(comment):
        return "\n"
    return line.replace("\t", " ").strip() + "\n" if separator == BLANKS else line


def read_csv(path: str | Path) -> list[dict[str, str]]:
    """Return the rows of a file with a header, as texts by the name of the column; None for a cell that is lacking."""
    rows = rows_of(read_text(path), str(path), separator=",")
    names = rows[0][1] if rows else []
    return [dict(zip_longest(names, cells[: len(names)])) for _, cells in rows[1:]]
