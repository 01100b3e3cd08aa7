"""Golden files: how rows and texts are kept small, compared, and written anew.

A CSV file holds floats with 9 digits, and ``"`` where a cell is that of the row above; that keeps it small and still
readable. Numbers may differ by a millionth of themselves, as libraries of other versions sum in another order.
"""

import csv
import io
import math
import re
from collections import Counter
from pathlib import Path

import pytest

HERE = Path(__file__).parent
TOLERANCE, NOTHING = 1e-6, 1e-9  # relative, and what is no more than rounding of a difference
SAME = '"'
SHOWN = 8  # differences that are printed
NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*(?:e[-+]?\d+)?|inf|nan)(?![\w.])")


class Golden:
    """The golden files of one folder, compared with what is made now, or written."""

    def __init__(self, folder, regenerate=False):
        self.folder, self.regenerate, self.about = HERE / folder, regenerate, folder
        self.problems, self.names = [], set()

    def rows(self, name, rows, keys):
        """Compare mappings, each known by what it has in the columns `keys`; or write them."""
        self.names.add(name)
        now = compact(rows)
        if self.regenerate:
            return self._write(name, now)
        before = self._read(name)
        if before is not None and before != now:
            self.problems += [f"{self.about}/{name}: {p}" for p in differences(expanded(before), rows, keys)]
        return None

    def text(self, name, text, *, tolerant=False):
        """Compare a text line by line, its numbers with the tolerance if asked; or write it."""
        self.names.add(name)
        if self.regenerate:
            return self._write(name, text)
        before = self._read(name)
        if before is not None and before != text:
            compare = alike if tolerant else str.__eq__
            found = changed_lines(before.splitlines(), text.splitlines(), compare)
            self.problems += [f"{self.about}/{name}: {problem}" for problem in found]
        return None

    def check(self, pattern="*"):
        """Fail with the first differences; a golden file that nothing is compared with any more is one, too."""
        stale = {path.name for path in self.folder.glob(pattern)} - self.names
        if self.regenerate:
            for path in self.folder.glob(pattern):
                if path.name in stale:
                    path.unlink()
            return
        problems = [*self.problems, *(f"{self.about}/{name}: is made no more" for name in sorted(stale))]
        if problems:
            more = f"\n... and {len(problems) - SHOWN} more" if len(problems) > SHOWN else ""
            pytest.fail("\n".join(problems[:SHOWN]) + more, pytrace=False)

    def _read(self, name):
        path = self.folder / name
        if path.exists():
            return path.read_text(encoding="utf-8")
        self.problems.append(f"{self.about}/{name}: no golden file; write it with --regenerate")
        return None

    def _write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


# rows


def shown(value):
    """A cell as text, with 9 digits."""
    if isinstance(value, float):
        return "" if math.isnan(value) else f"{value:.9g}"
    text = "" if value is None else str(value)
    return f"{float(text):.9g}" if "." in text and NUMBER.fullmatch(text) else text


def compact(rows):
    """Rows as CSV, cells that repeat the row above as one sign."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n", quotechar="'")
    writer.writerow(names)
    above = {}
    for row in rows:
        cells = {name: shown(row.get(name)) for name in names}
        writer.writerow([SAME if cells[n] and above.get(n) == cells[n] else cells[n] for n in names])
        above = cells
    return out.getvalue()


def expanded(text):
    """The rows of `compact`, as texts."""
    found, above = [], {}
    for row in csv.DictReader(io.StringIO(text), quotechar="'"):
        above = {name: above[name] if cell == SAME else cell for name, cell in row.items()}
        found.append(above)
    return found


def keyed(rows, keys):
    """Rows by their key; of several with one key the later ones are numbered."""
    seen, found = Counter(), {}
    for row in rows:
        key = tuple(shown(row.get(name)) for name in keys)
        found[(*key, f"#{seen[key] + 1}") if seen[key] else key] = row
        seen[key] += 1
    return found


def differences(before, now, keys):
    """What differs between rows, one line each."""
    old, new = keyed(before, keys), keyed(now, keys)
    yield from (f"row {' / '.join(key)}: is gone" for key in old if key not in new)
    yield from (f"row {' / '.join(key)}: is new" for key in new if key not in old)
    for key in old.keys() & new.keys() if old.keys() != new.keys() else old:
        names = dict.fromkeys([*old[key], *new[key]])
        for name in names:
            one, other = old[key].get(name) or "", shown(new[key].get(name))
            if not alike(one, other):
                yield f"row {' / '.join(key)}, column {name}: {one!r} before, {other!r} now"
    common = [key for key in old if key in new]
    if common != [key for key in new if key in old]:
        yield "the rows are in another order"


# texts


def close(one, other):
    one, other = float(one), float(other)
    return (
        one == other or math.isclose(one, other, rel_tol=TOLERANCE, abs_tol=NOTHING) or (one != one and other != other)
    )


def alike(one, other):
    """Whether two texts are equal but for rounding of the numbers in them."""
    if one == other:
        return True
    if NUMBER.sub("0", one) != NUMBER.sub("0", other):
        return False
    return all(map(close, NUMBER.findall(one), NUMBER.findall(other)))


def changed_lines(before, now, compare):
    """What differs between lines, each named by the nearest heading above it."""
    heading = "the top"
    for number, (one, other) in enumerate(zip(before, now, strict=False), 1):
        heading = one if one.startswith(("== ", r"\label")) else heading
        if not compare(one, other):
            yield f"line {number}, below {heading}:\n  before: {one}\n  now:    {other}"
    if len(before) != len(now):
        yield f"{len(before)} lines before, {len(now)} now"
