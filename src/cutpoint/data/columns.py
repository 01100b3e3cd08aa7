"""Columns of files, frames and registry: discrete or continuous, as values or codes, and what is wrong with them."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import count
from typing import Any, Literal

import numpy as np

from cutpoint.base.text import is_valid
from cutpoint.data.roles import setting
from cutpoint.data.text_form import forms_of, is_padded, number, unsigned
from cutpoint.data.times import years_of

MAX_LEVELS = 5  # most distinct numbers of a discrete column
PER_LEVEL = 10  # fewest records per distinct number, on average
_NO_STATE = {"", "nan", "inf", "+inf", "-inf"}
_ABSENT = -1
EXACT = 2.0**53  # whole numbers beyond it are not all numbers of 64 bits

INDEX = ("", "rownames", "Unnamed: 0")  # names that R and pandas give the column of row names
IDENTIFIER = re.compile(r"(?i)(.*[ _.-])?(id|ident|identifier|record|rownames|row|index|nr|uuid|key)")
SHOWN = 40  # characters of a cell
LARGEST = 1e150  # of a value in magnitude, so that squares and their sums stay finite

Kind = Literal["cells", "text", "boolean", "number", "time", "other"]
Place = Callable[[int], str]  # of a row, such as "cars.csv, line 3"


@dataclass(frozen=True, eq=False)
class RawColumn:
    """One column of a file, cell by cell."""

    name: str
    kind: Kind  # the type in the file; the cells of a text file may hold anything, "other" cannot be used
    distinct: list[str] | np.ndarray  # what occurs, in the order of the file: texts, or numbers; for "other" the type
    index: np.ndarray  # int64 [N], the position of each row's value in `distinct`; -1 for a missing cell
    sign: str = ""  # which sign of percent or money was left out of every cell, or in which unit of time they are
    as_written: "RawColumn | None" = None  # the column before it was known what its texts mean

    @property
    def missing(self) -> np.ndarray:
        """Return the rows without a value, bool [N]."""
        return self.index == _ABSENT

    @cached_property
    def numbers(self) -> np.ndarray:
        """Return the distinct values as numbers, float64, NaN for a text that is not a number, years for times."""
        if self.kind == "time":
            return years_of(self.texts)
        if isinstance(self.distinct, np.ndarray):
            return self.distinct
        return np.array([*map(number, self.distinct)], float)  # of None NaN

    @property
    def texts(self) -> list[str]:
        """Return the distinct values as texts."""
        return self.distinct if isinstance(self.distinct, list) else [*map(exact_text, self.distinct)]

    @property
    def first_rows(self) -> np.ndarray:
        """Return the first row of each distinct value, int64; no cell is missing."""
        return np.unique(self.index, return_index=True)[1]

    def counts_rows(self, first: int = 0) -> bool:
        """Return whether the cells count the rows from 0 or 1 on; first: the rows that are left out before."""
        if self.missing.any() or len(self.index) < 2 or self.kind == "time":
            return False
        cells = self.numbers[self.index]
        with np.errstate(invalid="ignore"):  # of infinities, which are refused later
            steps = np.diff(cells)
        return cells[0] - first in (0, 1) and bool((steps >= 1).all() and np.median(steps) == 1)

    @property
    def names_rows(self) -> bool:
        """Return whether the column has the name of an index, and in each row another name or whole number."""
        named = self.name in INDEX and not self.missing.any() and len(self.distinct) == len(self.index)
        return named and bool((np.isnan(self.numbers) | (self.numbers % 1 == 0)).all())

    def take(self, rows: np.ndarray) -> "RawColumn":
        """Return some of the rows, int64, in which no cell is missing."""
        if len(rows) == len(self.index):
            return self
        present, index = np.unique(self.index[rows], return_inverse=True)
        some = [self.distinct[i] for i in present] if isinstance(self.distinct, list) else self.distinct[present]
        return replace(self, distinct=some, index=index)


@dataclass(frozen=True, eq=False)
class RawTable:
    """The columns of a file or data frame, before any is discrete or continuous."""

    source: str  # name of the file, or "the data frame", for messages
    columns: tuple[RawColumn, ...]
    rows: int
    place: Place
    notes: tuple[str, ...] = ()  # on how it was read


def text_column(name: str, cells: Sequence[str | None], kind: Kind, missing: Iterable[str] = ()) -> RawColumn:
    """Return a column of texts; None and the marks in `missing` are missing cells."""
    codes: defaultdict[Any, int] = defaultdict(count().__next__, dict.fromkeys((None, *missing), _ABSENT))
    marks = len(codes)
    index = np.fromiter(map(codes.__getitem__, cells), np.int64, len(cells))
    return RawColumn(name, kind, [*codes][marks:], index)


def recoded(column: RawColumn, texts: Sequence[str | None], **changes: Any) -> RawColumn:
    """Return a column with another text for each distinct one; equal texts become one, None a missing cell."""
    of_texts = text_column(column.name, texts, column.kind)
    index = np.append(of_texts.index, _ABSENT)[column.index]
    before = column.as_written or column
    return replace(column, distinct=of_texts.distinct, index=index, as_written=before, **changes)


def number_column(name: str, values: np.ndarray) -> RawColumn:
    """Return a column of numbers, float64 [N]; NaN is a missing cell."""
    rows = np.flatnonzero(~np.isnan(values))
    distinct, first, places = np.unique(values[rows], return_index=True, return_inverse=True)
    order = np.argsort(first)
    index = np.full(len(values), _ABSENT)
    index[rows] = np.argsort(order)[places]
    return RawColumn(name, "number", distinct[order], index)


@dataclass(eq=False)
class Unusable(Exception):
    """A column that cannot be used: what is wrong, and what to change in the file."""

    name: str
    fact: str
    correct: str = ""
    keys: Sequence[str] = ()  # roles that the user may give the column instead of leaving it out
    repair: Mapping[str, Any] = field(default_factory=dict)  # settings that make it usable


def continuous_values(column: RawColumn, place: Place) -> np.ndarray:
    """Return the values of a continuous column without missing cells, float64 [N]."""
    finite = np.isfinite(column.numbers)
    if not finite.all():
        row = int(np.argmin(finite[column.index]))
        cell = str(column.distinct[column.index[row]])[:SHOWN]
        what = f'"{cell}" is not a finite number' if cell else "the cell is empty"
        raise Unusable(column.name, f"{place(row)}, column {column.name}: {what}", "correct it", ["discrete"])
    if (large := np.abs(column.numbers) > LARGEST).any():
        fact = f"{column.numbers[large][0]:g} is larger than {LARGEST:g}, whose squares overflow"
        row = int(large[column.index].argmax())
        raise Unusable(column.name, f"{place(row)}, column {column.name}: {fact}", "take another unit")
    return column.numbers[column.index]


def discrete_codes(column: RawColumn, place: Place) -> tuple[np.ndarray, tuple[str, ...]]:
    """Return the codes 0..r-1 of a discrete column without missing cells, float64 [N], and the names of its states."""
    for text, row in zip(column.texts, column.first_rows, strict=True):
        if text.lower() in _NO_STATE:
            fact = f'"{text}" is not a state' if text else "an empty cell is not a state"
        elif not is_valid(text):
            fact = f"{text!a} is no valid text (half a character)"
        else:
            continue
        raise Unusable(column.name, f"{place(int(row))}, column {column.name}: {fact}", "correct it")
    codes, names = levels_of(column.texts)
    return codes[column.index], names


def state_name(value: float) -> str:
    """Return the name of a number as a state: all digits of a whole number, else 15."""
    return exact_text(value if float(value).is_integer() else plain(value))


def plain(value: float) -> float:
    """Return a number without the noise of floats: 7.185, not 7.1850000000000005."""
    return float(f"{value:.15g}")


def exact_text(value: float) -> str:
    """Return the shortest text of a number; different numbers have different texts, and -0.0 has that of 0."""
    return str(int(value)) if float(value).is_integer() and abs(value) < 1e21 else repr(float(value))


def levels_of(texts: Sequence[str]) -> tuple[np.ndarray, tuple[str, ...]]:
    """Return the code of each text, float64, and the names of the states by code.

    States are sorted as numbers, 1 and 1.0 being one, where all are numbers of at most EXACT, otherwise as text.
    """
    numbers = [number(text) for text in texts]
    if all(value is not None and abs(value) <= EXACT for value in numbers) and not is_padded(texts):
        rounded = [float(state_name(value)) for value in numbers if value is not None]
        levels, codes = np.unique(rounded, return_inverse=True)
        return codes.astype(float), tuple(map(state_name, levels))
    names, codes = np.unique(np.array(texts), return_inverse=True)
    return codes.astype(float), tuple(map(str, names))


def is_scale(states: Sequence[str]) -> bool:
    """Return whether states, in their order, are three or more evenly spaced numbers, as answers 1 to 5 in any unit."""
    steps = np.diff(np.array([*map(number, states)], float))
    return len(steps) > 1 and np.allclose(steps, steps[0], rtol=1e-9, atol=0)


def code_of_states(texts: Sequence[str], states: Sequence[str]) -> np.ndarray:
    """Return the code of each text by the states that `levels_of` gave, float64, -1 for a text that is none of them."""
    place = {state: code for code, state in enumerate(states)}
    if all(number(state) is not None for state in states) and not is_padded(states):
        texts = [text if text in place or (value := number(text)) is None else state_name(value) for text in texts]
    return np.array([place.get(text, -1) for text in texts], float)


class TypedColumn:
    """One column as values, float64 [N], or codes 0..r-1, without missing cells; `line` says the reason for its type.

    Texts, truth values and codes with leading zeros are discrete, as are columns of two distinct numbers and columns of
    at most `MAX_LEVELS` whole or evenly spaced numbers of `PER_LEVEL` records each on average. Others are continuous.
    declared: "discrete", "ordered" or "continuous" where the user says so; rows: int64 [N], those to take; levels:
    names of the states by code, () where it is continuous.
    """

    def __init__(self, column: RawColumn, rows: np.ndarray, declared: str | None, raw: RawTable):
        self.name, self.rows, self._raw = column.name, rows, raw
        self._column = column = column.take(rows)
        self._where = f"{raw.source}: column {column.name}"
        self._check_any()
        self.discrete, reason = self._type() if declared is None else (declared != "continuous", "as declared")
        self.levels: tuple[str, ...] = ()
        if self.discrete:
            self.values, self.levels = discrete_codes(column, self._place)
            self._check_levels(declared is not None)
            if declared == "ordered" and (texts := [state for state in self.levels if number(state) is None]):
                fact = f"{self._where}: {texts[0]!r} is no number, so that the order of the states is not known"
                raise self._unusable(fact, "write numbers that rise, such as 1, 2, 3", ["discrete"])
        else:
            self._check_marks(np.isnan(column.numbers))
            self.values = continuous_values(column, self._place)
        self.is_time = column.kind == "time" and not self.discrete
        ordered = declared == "ordered" or (declared is None and is_scale(self.levels))
        states = f"{len(self.levels)} levels{' in order' if ordered else ''}"
        kind = f"discrete, {states}" if self.discrete else "continuous"
        sign = f", {column.sign}" if column.sign else ""
        self.line = f"{self.name}: {kind} ({reason}{sign})"

    def _place(self, row: int) -> str:
        return self._raw.place(int(self.rows[row]))

    def _unusable(self, *details: Any, **more: Any) -> Unusable:
        return Unusable(self.name, *details, **more)

    def _check_any(self) -> None:
        """Raise Unusable where there is nothing to learn from, whatever the type of the column."""
        distinct = self._column.distinct
        if self._column.kind == "other":
            raise self._unusable(f"{self._where}: {distinct[0]} is neither a number nor a text", "convert it")
        if not len(distinct):
            raise self._unusable(f"{self._where}: all cells are missing")
        if len(distinct) == 1 and not np.isinf(self._column.numbers[0]):
            raise self._unusable(f"{self._where}: constant ({distinct[0]})")

    def _type(self) -> tuple[bool, str]:
        """Return whether the column is discrete, and why; numbers among other text are refused."""
        column, numbers, rows = self._column, self._column.numbers, len(self._column.index)
        if column.kind == "time":
            return False, f"times, {len(numbers)} different"
        if column.kind in ("text", "boolean"):
            return True, "text" if column.kind == "text" else "true or false"
        if column.kind == "cells" and is_padded(column.texts):
            return True, "codes with leading zeros"
        if column.kind == "cells" and np.isnan(numbers).any():
            self._check_mixed()
            return True, "text"
        whole = bool((numbers == np.floor(numbers)).all())
        if len(numbers) != 2:
            if column.counts_rows(int(self.rows[0])):
                raise self._unusable(f"{self._where}: looks like a row number", keys=["continuous"])
            if len(numbers) == rows and IDENTIFIER.fullmatch(column.name) and (numbers % 1 == 0).all():
                fact = "looks like an identifier, by its name and as each row has another whole number"
                raise self._unusable(f"{self._where}: {fact}", keys=["continuous"])
            few = len(numbers) <= min(MAX_LEVELS, rows / PER_LEVEL)
            if not few or not (whole or is_scale(levels_of(column.texts)[1])):
                return False, f"numbers, {len(numbers)} different"
        return True, f"{len(numbers)} different {'whole numbers' if whole else 'numbers'} in {rows} rows"

    def _check_mixed(self) -> None:
        """Raise Unusable for a stray text among numbers."""
        is_text = np.isnan(self._column.numbers)
        self._check_marks(is_text)
        self._check_units()
        cells = int((~is_text[self._column.index]).sum())
        if 2 * cells > len(self._column.index) and (~is_text).sum() > MAX_LEVELS:
            slip = int(is_text.argmax())
            fact = f"{self._first(slip)}: {self._column.distinct[slip]!r} where {cells} cells are numbers"
            marks = [str(text) for text in np.array(self._column.distinct, object)[is_text][:MAX_LEVELS]]
            hint = f"correct it, set {setting('marks', marks)} where it stands for a missing cell"
            raise self._unusable(fact, hint, ["discrete"], {"marks": marks})

    def _check_marks(self, is_text: np.ndarray) -> None:
        """Raise Unusable where all texts are numbers that are written with other marks."""
        texts = [str(self._column.distinct[i]) for i in np.flatnonzero(is_text)]
        if texts and (forms := forms_of(texts)):
            fact = f"{self._first(int(is_text.argmax()))}: {texts[0]!r} is not a number as it is written"
            settings = [f"{form.words} (it is {state_name(float(form.plain(texts[0])))})" for form in forms]
            raise self._unusable(fact, f"set {' or '.join(settings)}", ["discrete"], forms[0].settings)

    def _check_units(self) -> None:
        """Raise Unusable where some cells are numbers with a sign or a unit."""
        texts = self._column.texts
        some = [text for text in texts if unsigned([text])[0]]
        if 0 < len(some) < len(texts) and all(number(unsigned([text])[1][0]) is not None for text in texts):
            fact = f"{self._first(texts.index(some[0]))}: {some[0]!r} where other cells have another sign or none"
            raise self._unusable(fact, "write all of them alike", ["discrete"])

    def _first(self, value: int) -> str:
        """Return where a distinct value stands first."""
        return f"{self._place(int(self._column.first_rows[value]))}, column {self.name}"

    def _check_levels(self, declared: bool) -> None:
        rows, levels = len(self.values), len(self.levels)
        if levels == 1:  # of different texts, such as 1 and 1.0
            raise self._unusable(f"{self._where}: constant ({self.levels[0]})")
        if levels == rows or (not declared and 2 * levels > rows):
            what = "all values differ" if levels == rows else f"{levels} different values in {rows} rows"
            keys = ["discrete"] * (levels < rows) if np.isnan(self._column.numbers).any() else ["continuous"]
            fact = f"{self._where}: {what} (an identifier, a date or free text?)"
            raise self._unusable(fact, keys=[] if declared else keys)
