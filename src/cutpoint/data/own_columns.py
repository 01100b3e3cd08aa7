"""One column of own data: discrete or continuous, and why, or why it cannot be used."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.data import columns
from cutpoint.data.own_files import Column
from cutpoint.data.own_roles import Roles

MAX_LEVELS = 5  # different whole numbers of a column that is taken for discrete
PER_LEVEL = 10  # records that each of them has on average at least
_DECIMAL_COMMA = re.compile(r"[-+]?\d*,\d+")


class Refusal(Exception):
    """A column that cannot be used.

    Attributes:
        name: of the column.
        fact: what is wrong, with the file or line.
        correct: what to change in the file, or "".
        keys: lists of `Roles` that the column may be put into instead of being left out.
    """

    def __init__(self, name: str, fact: str, correct: str = "", keys: Sequence[str] = ()):
        super().__init__(name, fact, correct, keys)
        self.name, self.fact, self.correct, self.keys = name, fact, correct, keys

    def line(self, roles: Roles, drop: bool = True) -> str:
        """Return the fact and what to do, with or without leaving the column out."""
        words = [roles.words_for([self.name], key) for key in ("drop", *self.keys) if drop or key != "drop"]
        hints = [*([self.correct] if self.correct else []), *([f"say {' or '.join(words)}"] if words else [])]
        return "; ".join([self.fact, *([", or ".join(hints)] if hints else [])])


class OwnColumn:
    """One column as values or codes, and why.

    Attributes:
        values: float64 [N], codes 0..r-1 where it is discrete.
        levels: names of the states, by code; () where it is continuous.
        line: what it is taken for, and why.

    Args:
        column: without missing cells.
        roles: what the user says.
        source: name of the file.
        place: of a row that is left, such as "cars.csv, line 3".

    Raises:
        Refusal: the column cannot be used.
    """

    def __init__(self, column: Column, roles: Roles, source: str, place: Callable[[int], str]):
        self.name, self._column, self._place = column.name, column, place
        self._where = f"{source}: column {column.name}"
        self._check_any()
        self._numbers = _as_numbers(column)
        declared = column.name in roles.discrete or column.name in roles.continuous
        self.discrete = column.name in roles.discrete or (not declared and self._looks_discrete())
        self.levels: tuple[str, ...] = ()
        if self.discrete:
            codes = self._states()
            self._check_levels(declared)
        else:
            codes = self._finite()
        self.values = codes[column.index]
        self.line = f"{self.name}: {self._kind()} ({'as you say' if declared else self._reason()})"

    def _refusal(self, fact: str, correct: str = "", keys: Sequence[str] = ()) -> Refusal:
        return Refusal(self.name, fact, correct, keys)

    def _check_any(self) -> None:
        """Raise Refusal where there is nothing to learn from, whatever the column is taken for."""
        distinct = self._column.distinct
        if self._column.kind == "other":
            raise self._refusal(f"{self._where}: {distinct[0]} is neither a number nor a text", "convert it")
        if not len(distinct):
            raise self._refusal(f"{self._where}: all cells are missing")
        if len(distinct) == 1:
            raise self._refusal(f"{self._where}: constant ({distinct[0]})")

    def _looks_discrete(self) -> bool:
        """Return whether it is taken for discrete; numbers among other text are refused."""
        numbers, column = self._numbers, self._column
        if column.kind in ("text", "boolean"):
            return True
        if column.kind == "cells" and np.isnan(numbers).any():
            self._check_mixed()
            return True
        if len(numbers) == 2:
            return True
        steps = np.diff(numbers[column.index])
        if (steps >= 1).all() and np.median(steps) == 1:
            raise self._refusal(f"{self._where}: looks like a number of the row", keys=["continuous"])
        return (
            len(numbers) <= MAX_LEVELS
            and len(column.index) >= PER_LEVEL * len(numbers)
            and bool((numbers == np.floor(numbers)).all())
        )

    def _check_mixed(self) -> None:
        """Raise Refusal where a text looks like a slip among numbers."""
        other = np.isnan(self._numbers)
        self._check_commas(other)
        count = int((~other[self._column.index]).sum())
        if 2 * count > len(self._column.index) and (~other).sum() > MAX_LEVELS:
            slip = int(other.argmax())
            fact = f"{self._first(slip)}: {self._column.distinct[slip]!r} where {count} cells are numbers"
            raise self._refusal(fact, "correct it", ["discrete"])

    def _check_commas(self, other: np.ndarray) -> None:
        texts = [str(self._column.distinct[i]) for i in np.flatnonzero(other)]
        if texts and all(_DECIMAL_COMMA.fullmatch(text) for text in texts):
            fact = f"{self._first(int(other.argmax()))}: {texts[0]!r} has a decimal comma"
            raise self._refusal(fact, "write a point", ["discrete"])

    def _check_levels(self, declared: bool) -> None:
        rows, levels = len(self._column.index), len(self.levels)
        if levels == rows or (not declared and 2 * levels > rows):
            what = "all values differ" if levels == rows else f"{levels} different values in {rows} rows"
            keys = []
            if not declared and not np.isnan(self._numbers).any():
                keys = ["continuous"]
            elif not declared and levels < rows:
                keys = ["discrete"]
            raise self._refusal(f"{self._where}: {what} (an identifier, a date or free text?)", keys=keys)

    def _states(self) -> np.ndarray:
        """Return the code of each distinct value, and keep the names of the states."""
        places = [self._place(int(row)) for row in self._first_rows()]
        try:
            codes, self.levels = columns.states(self._texts(), places, self.name)
        except InputError as problem:
            raise self._refusal(_fact(problem), "correct it") from None
        return codes

    def _finite(self) -> np.ndarray:
        """Return the numbers of a continuous column, by distinct value."""
        if not np.isfinite(self._numbers).all():
            self._check_commas(np.isnan(self._numbers))
            row = int(np.argmax(~np.isfinite(self._numbers)[self._column.index]))
            text = str(self._column.distinct[self._column.index[row]])
            try:
                columns.numbers([text], [self._place(row)], self.name)
            except InputError as problem:
                raise self._refusal(_fact(problem), "correct it", ["discrete"]) from None
        return self._numbers

    def _first(self, value: int) -> str:
        """Return where a distinct value stands first."""
        return f"{self._place(int(self._first_rows()[value]))}, column {self.name}"

    def _first_rows(self) -> np.ndarray:
        """Return the first row of each distinct value, int64."""
        return np.unique(self._column.index, return_index=True)[1]

    def _texts(self) -> list[str]:
        distinct = self._column.distinct
        return distinct if isinstance(distinct, list) else [f"{value:.15g}" for value in distinct]

    def _kind(self) -> str:
        return f"discrete, {len(self.levels)} levels" if self.discrete else "continuous"

    def _reason(self) -> str:
        numbers, distinct = self._numbers, len(self._column.distinct)
        if not self.discrete:
            return f"numbers, {distinct} different"
        if self._column.kind == "boolean":
            return "true or false"
        if self._column.kind == "text" or np.isnan(numbers).any():
            return "text"
        whole = "whole numbers" if (numbers == np.floor(numbers)).all() else "numbers"
        return f"{distinct} different {whole} in {len(self._column.index)} rows"


def _fact(problem: InputError) -> str:
    """Return a message without its hint."""
    return str(problem).rpartition("; ")[0]


def _as_numbers(column: Column) -> np.ndarray:
    """Return the distinct values as numbers, NaN where a text is none."""
    if isinstance(column.distinct, np.ndarray):
        return column.distinct
    parsed = [columns.number(text) for text in column.distinct]
    return np.array([np.nan if value is None else value for value in parsed])
