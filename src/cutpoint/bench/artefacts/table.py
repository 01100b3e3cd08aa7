"""Tables beside printed ones, the texts of their cells, and how they are written: CSV, Markdown and JSON."""

import csv
import io
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Annotated

from pydantic import PlainSerializer, PlainValidator, TypeAdapter, ValidationError

from cutpoint.base.errors import InputError
from cutpoint.base.files import read_text

MISSING = "not available"
UNDEFINED = "not defined for these runs"  # the reason where runs ended well and have no such number
Number = float | int | None
DASH = "-"  # in the place of a number that does not apply
GROUPED = 10_000  # from which on digits stand in groups
BEST = (
    "In bold: the best number of a column and those next to it, down to the first that is significantly worse than "
    "another. A column has none where these differ by more than a factor of two: too little is known."
)


@dataclass(frozen=True)
class Cell:
    """One figure of a table: what was reproduced, what the paper prints, and the 95 % interval of the first."""

    reproduced: float | int | str | None = None
    published: float | int | str | None = None
    low: Number = None
    high: Number = None
    runs: int | None = None  # that succeeded, of those expected; None where that has no meaning
    expected: int | None = None
    reason: str = ""  # why nothing was reproduced
    digits: int = 2  # decimals shown in print; the CSV holds the number as it is
    best: bool = False  # whether it is in bold: no other row beats it, nor any that is better


@dataclass(frozen=True)
class Row:
    """One row: its key, what a reader calls it, and one cell per column."""

    key: str
    label: str
    category: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class RunScale:
    """How large the grid was that an artefact rests on."""

    name: str  # of the scale
    seed: int  # of the run
    replicates: int | str  # per cell; a text where several grids differ
    text: str = ""  # the sentence on it, of data that have no grid

    def __str__(self) -> str:
        """Return the sentence that every artefact carries."""
        if self.text:
            return self.text
        mark = "" if self.name == "published" else ", not the grid of the paper"
        count = f"{self.replicates} replicate{'s' * (self.replicates != 1)} per cell; " if self.replicates else ""
        return f"{self.name.capitalize()} scale{mark}; {count}seed {self.seed}."


# A range, in JSON its two ends.
Columns = Annotated[range, PlainValidator(lambda ends: range(*ends)), PlainSerializer(lambda r: (r.start, r.stop))]


@dataclass(frozen=True)
class ArtefactTable:
    """A table of published and reproduced numbers."""

    name: str  # file name without ending, such as "table_V-4"
    title: str
    caption: str
    key: str  # what the rows are, the first column of the CSV
    columns: tuple[str, ...]  # names of the columns
    rows: tuple[Row, ...]
    scale: RunScale
    notes: tuple[str, ...] = ()  # sentences below the table
    panels: tuple[tuple[str, Columns], ...] = ()  # titles and columns one below the other; empty for all in one
    missing: str = ""  # why the whole table is not available, or ""
    study: str = ""  # whose table it is
    keys: tuple[Mapping[str, object], ...] = ()  # what each column stands for, such as a measure and a size
    decides: str = ""  # what a reader decides with it, "" where nobody says so

    def bodies(self) -> Iterable[tuple[str, range]]:
        """Return the panels, one without a title where none are named."""
        return self.panels or (("", range(len(self.columns))),)

    def remarks(self, *, scale: bool = True) -> list[str]:
        """Return what is printed below the table, the scale last where it is asked for."""
        why = reasons(self)
        told = "; ".join([f"({k}) {reason}" for k, reason in enumerate(why, 1)] if len(why) > 1 else why)
        absent = [f"Not available: {told}{'.' * (not told.endswith('.'))}"] if told else []
        marked = [BEST] if any(cell.best for row in self.rows for cell in row.cells) else []
        return [*absent, *self.notes, *marked, *([str(self.scale)] if scale else [])]


def number(value: float | int | str | None, digits: int = 2) -> str:
    """Return a number as it is printed: fixed decimals, fewer for large ones; from 10,000 on in groups of digits."""
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, int):
        return f"{value:,}" if abs(value) >= GROUPED else str(value)
    value = float(f"{value:.12g}")  # of a tie such as 0.125 the order of a sum does not decide
    fewer = max(0, min(digits, digits + 1 - int(math.log10(abs(value))))) if abs(value) >= 10 else digits
    text = _fixed(value, fewer)
    return text.removeprefix("-") if not text.strip("-0.") else text


def _fixed(value: float, digits: int) -> str:
    return f"{value:{',' if abs(value) >= GROUPED else ''}.{digits}f}"


def printed(cell: Cell) -> str:
    """Return the number of the paper with all its decimals, or ""."""
    return _fixed(cell.published, cell.digits) if isinstance(cell.published, float) else number(cell.published)


def interval_text(cell: Cell) -> str:
    """Return "[low, high]" or ""."""
    low, high = number(cell.low, cell.digits), number(cell.high, cell.digits)
    return f"[{low}, {high}]" if low and high else ""


def coverage_text(cell: Cell) -> str:
    """Return "4/5 runs" where some are missing, or ""."""
    if cell.runs is None or cell.expected is None or cell.runs == cell.expected:
        return ""
    return f"{cell.runs}/{cell.expected} runs"


def absent(cell: Cell) -> bool:
    """Return whether nothing was reproduced."""
    return number(cell.reproduced) == ""


def inapplicable(cell: Cell) -> bool:
    """Return whether nothing was reproduced since the measure does not apply, though the runs ended well."""
    return absent(cell) and cell.reason == UNDEFINED


def wordy(cell: Cell) -> bool:
    """Return whether a cell holds words, which are set to the left; a dash is none."""
    return isinstance(cell.reproduced, str) and cell.reproduced != DASH and not cell.reproduced[:1].isdigit()


def words(table: ArtefactTable, column: int) -> bool:
    """Return whether all that a column holds are words."""
    cells = [cell for row in table.rows if not absent(cell := row.cells[column]) and cell.reproduced != DASH]
    return bool(cells) and all(map(wordy, cells))


def decimals(table: ArtefactTable) -> list[int]:
    """Return the most decimals that a number of each column is shown with."""
    return [max((len(_decimals(row.cells[i])) for row in table.rows), default=0) for i in range(len(table.columns))]


def padding(cell: Cell, most: int) -> str:
    """Return what a number lacks to as many decimals as its column has, so that decimals stand below each other."""
    have, whole = _decimals(cell), isinstance(cell.reproduced, int | float) and not absent(cell)
    return ("" if have else ".") + "0" * (most - len(have)) if whole and len(have) < most else ""


def _decimals(cell: Cell) -> str:
    return "" if isinstance(cell.reproduced, str) else number(cell.reproduced, cell.digits).partition(".")[2]


def reasons(table: ArtefactTable) -> list[str]:
    """Return why numbers are missing, each reason once, the most frequent first."""
    cells = [cell for row in table.rows for cell in row.cells if absent(cell) and not inapplicable(cell)]
    counts = Counter(cell.reason for cell in cells if cell.reason)
    return [table.missing] if table.missing else [reason for reason, _ in counts.most_common()]


def absence(cell: Cell, why: Sequence[str]) -> str:
    """Return what a cell without a number says, with the place of its reason among several; see `reasons`."""
    if inapplicable(cell):
        return "does not apply"
    place = f" ({why.index(cell.reason) + 1})" if len(why) > 1 and cell.reason in why else ""
    return f"{MISSING}{place}" if cell.reason else ""


def unfilled(table: ArtefactTable) -> list[str]:
    """Return the labels of the rows without a single number, ours or printed; none where no row has any."""
    empty = [row.label for row in table.rows if all(absent(cell) and not printed(cell) for cell in row.cells)]
    return empty if len(empty) < len(table.rows) else []


def parted(table: ArtefactTable) -> bool:
    """Return whether rows stand by category, but for one that comes back, so that lines between them say something."""
    changes = sum(one.category != other.category for one, other in pairwise(table.rows))
    return changes <= len({row.category for row in table.rows})


ROW = ("label", "category", "column")
FIELDS = (
    "published", "published_text", "reproduced", "text", "low", "high", "best", "coverage", "runs", "runs_expected",
    "note", "scale", "seed", "replicates",
)  # fmt: skip
FORMULA = re.compile(r"[=@\t\r].|[-+].*[^-+\d.,e|() ]")  # in a spreadsheet; a list of numbers is none
NUMBER = re.compile(r"[-+]?\d+(\.\d+)?(e[-+]?\d+)?")


def _long(table: ArtefactTable) -> Iterable[list[object]]:
    """Yield one line per cell: key, ROW, the keys of the columns, FIELDS."""
    scale = [table.scale.name, table.scale.seed, table.scale.replicates]
    names, about = _keys(table), table.keys or ({},) * len(table.columns)
    for row in table.rows:
        for column, keys, cell in zip(table.columns, about, row.cells, strict=True):
            share = cell.runs / cell.expected if cell.runs is not None and cell.expected else None
            why = cell.reason or table.missing
            note = f"{MISSING}: {why}" if absent(cell) and why else ""
            parts = [row.key, row.label, row.category, column, *(keys.get(name) for name in names)]
            values = [*_apart(cell.published), *_apart(cell.reproduced), cell.low, cell.high, "yes" * cell.best]
            yield [*map(_plain, [*parts, *values, share, cell.runs, cell.expected]), note, *scale]


def _keys(table: ArtefactTable) -> list[str]:
    """Return the keys of the columns, each once, without what the rows are told apart by."""
    return list(dict.fromkeys(name for keys in table.keys for name in keys if name != table.key))


def _apart(value: float | int | str | None) -> tuple[float | int | str | None, str]:
    """Return a value as a number and as words, of which one is empty."""
    words = isinstance(value, str) and not NUMBER.fullmatch(value)
    return (None, str(value)) if words else (value, "")


def _plain(value: object) -> object:
    """Return a value as a CSV file holds it: empty for missing, at most 10 significant digits, no formula."""
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return ""
    if isinstance(value, str) and FORMULA.match(value):
        return f"'{value}"
    return f"{float(value):.10g}" if isinstance(value, float) else value


def records(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return rows as CSV text with Unix line ends."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([[_plain(value) for value in row] for row in rows])
    return out.getvalue()


def to_csv(table: ArtefactTable) -> str:
    """Return a table in long form, one line per cell: the key of its row, those of its column, and FIELDS."""
    return records((table.key, *ROW, *_keys(table), *FIELDS), _long(table))


def _markdown_cell(cell: Cell, why: Sequence[str]) -> str:
    value = number(cell.reproduced, cell.digits)
    parts = [f"**{value}**" if cell.best else value, interval_text(cell)]
    if absent(cell):
        parts = [absence(cell, why)]
    parts += [f"(printed {printed(cell)})"] if printed(cell) else []
    parts += [f"({coverage_text(cell)})"] if coverage_text(cell) else []
    return " ".join(filter(None, parts))


def _markdown(text: str) -> str:
    """Return a text in which nothing ends a cell or is a tag."""
    return re.sub(r"\||<(?=[a-zA-Z/!?])", lambda match: f"\\{match[0]}", text.replace("\n", " "))


def to_markdown(table: ArtefactTable) -> str:
    """Return a table for reading: "1.04 [0.98, 1.10] (printed 1.40)" in every cell."""
    lines, why = [f"# {_markdown(table.title)}", "", _markdown(table.caption), ""], reasons(table)
    lines += [f"*{_markdown(table.decides)}*", ""] if table.decides else []
    leading = [table.key, "category"] if any(row.category for row in table.rows) else [table.key]
    for title, columns in table.bodies():
        lines += [f"**{_markdown(title)}**", ""] if title else []
        head = [*leading, *(table.columns[i] for i in columns)]
        cells = [[*(row.label, row.category)[: len(leading)], *(_markdown_cell(row.cells[i], why) for i in columns)]
                 for row in table.rows]  # fmt: skip
        above, *below = ("| " + " | ".join(map(_markdown, row)) + " |" for row in (head, *cells))
        lines += [above, "|" + " --- |" * len(head), *below, ""]
    return "\n".join(lines + [f"{_markdown(remark)}\n" for remark in table.remarks()])


_TABLES = TypeAdapter(ArtefactTable)


def to_json(table: ArtefactTable) -> str:
    """Return a table with all its parts, for `from_json`; numbers that are not finite are null."""
    return _TABLES.dump_json(table).decode() + "\n"


def from_json(path: Path) -> ArtefactTable:
    """Return the table that `to_json` wrote to a file."""
    try:
        return _TABLES.validate_json(read_text(path))
    except ValidationError:
        raise InputError(f"{path}: holds no table of this version; delete {path.parent} and run again") from None
