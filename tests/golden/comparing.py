"""Golden files: how rows and texts are written, compared, and written anew.

A CSV file holds floats with 9 digits, each row whole, so that a row that moves is one line of a diff. Numbers may
differ by a millionth of themselves, as libraries of other versions sum in another order.
"""

import csv
import io
import math
import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
TOLERANCE, NOTHING = 1e-6, 1e-9  # relative, and what is no more than rounding of a difference
SHOWN = 8  # differences that are printed
NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*(?:e[-+]?\d+)?|inf|nan)(?![\w.])")


class Golden:
    """The golden files of one folder, compared with what is made now, or written."""

    def __init__(self, folder, regenerate=False):
        self.folder, self.regenerate, self.about = HERE / folder, regenerate, folder
        self.problems, self.names = [], set()

    def rows(self, name, rows):
        """Compare mappings, or write them."""
        self._file(name, as_csv(rows), alike, named_cells)

    def text(self, name, text, *, tolerant=False):
        """Compare a text line by line, its numbers with the tolerance if asked; or write it."""
        self._file(name, text, alike if tolerant else str.__eq__, str.splitlines)

    def check(self, pattern="*"):
        """Fail with the first differences; a golden file that nothing is compared with any more is one, too."""
        stale = [path for path in sorted(self.folder.glob(pattern)) if path.name not in self.names]
        if self.regenerate:
            for path in stale:
                path.unlink()
            return
        problems = [*self.problems, *(f"{self.about}/{path.name}: is made no more" for path in stale)]
        if problems:
            more = f"\n... and {len(problems) - SHOWN} more" if len(problems) > SHOWN else ""
            pytest.fail("\n".join(problems[:SHOWN]) + more, pytrace=False)

    def _file(self, name, now, compare, lines):
        self.names.add(name)
        path = self.folder / name
        if self.regenerate:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(now, encoding="utf-8")
        elif not path.exists():
            self.problems.append(f"{self.about}/{name}: no golden file; write it with --regenerate")
        elif (before := path.read_text(encoding="utf-8")) != now:
            problems = differences(lines(before), lines(now), compare)
            self.problems += [f"{self.about}/{name}: {problem}" for problem in problems]


def cell_text(value):
    """A cell as text, with 9 digits."""
    if isinstance(value, float):
        return "" if math.isnan(value) else f"{value:.9g}"
    text = "" if value is None else str(value)
    return f"{float(text):.9g}" if "." in text and NUMBER.fullmatch(text) else text


def as_csv(rows):
    """Rows as CSV, a column for each key that any of them has."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    out = io.StringIO()
    writer = csv.DictWriter(out, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: cell_text(value) for name, value in row.items()} for row in rows)
    return out.getvalue()


def named_cells(text):
    """The rows of a CSV text, each as one line."""
    rows = csv.DictReader(io.StringIO(text))
    return [", ".join(f"{name} {cell}" for name, cell in row.items() if cell) for row in rows]


def close(one, other):
    one, other = float(one), float(other)
    return math.isclose(one, other, rel_tol=TOLERANCE, abs_tol=NOTHING) or (one != one and other != other)


def alike(one, other):
    """Whether two texts are equal but for rounding of the numbers in them."""
    if one == other:
        return True
    if NUMBER.sub("0", one) != NUMBER.sub("0", other):
        return False
    return all(map(close, NUMBER.findall(one), NUMBER.findall(other)))


def differences(before, now, compare):
    """What differs between lines, each named by the nearest heading above it."""
    heading = "the top"
    for number, (one, other) in enumerate(zip(before, now, strict=False), 1):
        heading = one if one.startswith(("== ", r"\label")) else heading
        if not compare(one, other):
            yield f"line {number}, below {heading}:\n  before: {one}\n  now:    {other}"
    if len(before) != len(now):
        yield f"{len(before)} lines before, {len(now)} now"
