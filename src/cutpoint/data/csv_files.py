"""Tables in text files: CSV, TSV, and columns separated by blanks. All of them are read here."""

import codecs
import csv
import io
import re
from itertools import zip_longest
from pathlib import Path

from cutpoint.base.errors import InputError

SEPARATORS = (",", ";", "\t")
SAMPLE = 1000  # bytes that are looked at for zeros, and on each side of a byte that is no UTF-8
SHOWN = 40  # characters of a word
BLANKS = " "  # as a separator: runs of blanks and tabs

# The line on which a row starts, and its cells.
Row = tuple[int, tuple[str, ...]]


def rows_of(
    content: bytes,
    source: str,
    *,
    separator: str | None = None,
    comment: str | None = None,
    encoding: str | None = None,
) -> list[Row]:
    """Return the rows of a text, their cells without surrounding blanks; rows without any text are left out.

    A cell in double quotes may hold separators and line breaks. separator: one character, or `BLANKS`; None is the one
    of `SEPARATORS` that is most frequent in the first line. comment: the mark of lines to leave out. encoding: None is
    UTF-8, or UTF-16 where the text begins with its mark.
    """
    text = _decoded(content, source, encoding)
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


def _decoded(content: bytes, source: str, encoding: str | None) -> str:
    """Return the text of a file; where no encoding was said, an error proposes one and shows a word in it."""
    wide = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    sample = content[:SAMPLE]
    if not encoding and not wide and 3 * sample.count(b"\0") > len(sample):
        order = "le" if content.find(b"\0") % 2 else "be"
        raise InputError(f"{source}, line 1: zero bytes between the letters; set encoding=utf-16-{order}")
    try:
        return content.decode(encoding or ("utf-16" if wide else "utf-8-sig"))
    except UnicodeError as problem:
        start = problem.start if isinstance(problem, UnicodeDecodeError) else 0
        hint = "" if encoding or wide else _other_encoding(content, start)
        line = content[:start].count(b"\n") + 1
        raise InputError(f"{source}, line {line}: not a text in {encoding or 'UTF-8'}{hint}") from None


def _other_encoding(content: bytes, start: int) -> str:
    """Return the setting under which a byte that is not UTF-8 is a letter or sign, with the word that holds it."""
    before, after = content[max(0, start - SAMPLE) : start], content[start : start + SAMPLE]
    word = re.split(rb"[\s,;|\"]", before)[-1] + re.split(rb"[\s,;|\"]", after)[0]
    encoding = "cp1252" if re.search(rb"[\x80-\x9f]", content) else "latin-1"  # cp1252 has signs where latin-1 has none
    sample_word = word.decode(encoding, "replace")[:SHOWN]
    return f"; set encoding={encoding} if {sample_word!r} is right, or another encoding"


def _plain(line: str, separator: str, comment: str | None) -> str:
    """Return a line with its break, empty for a comment, with single characters as separators."""
    if comment and line.lstrip().startswith(comment):
        return "\n"
    return line.replace("\t", " ").strip() + "\n" if separator == BLANKS else line


def read_csv(path: str | Path, *, separator: str = ",") -> list[dict[str, str]]:
    """Return the rows of a file with a header, as texts by the name of the column; None for a cell that is lacking."""
    try:
        content = Path(path).read_bytes()
    except OSError as problem:
        raise InputError(f"{path}: {problem.strerror}") from None
    rows = rows_of(content, str(path), separator=separator)
    names = rows[0][1] if rows else []
    return [dict(zip_longest(names, cells[: len(names)])) for _, cells in rows[1:]]
