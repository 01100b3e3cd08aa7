"""A user's own data: which columns are discrete, what to do with gaps, and a table that is ready to learn from."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from cutpoint import columns, own_files
from cutpoint.errors import InputError
from cutpoint.own_files import Column, RawTable
from cutpoint.registry import suggest

MAX_LEVELS = 5  # different whole numbers of a column that is taken for discrete
PER_LEVEL = 10  # records that each of them has on average at least
MIN_ROWS = 10  # each of ten folds then has a record
SHOWN = 30  # columns that are told one by one
_DECIMAL_COMMA = re.compile(r"[-+]?\d*,\d+")


@dataclass(frozen=True)
class Roles:
    """What a user says of the columns: those that are discrete, continuous or left out, and what to do with gaps.

    Attributes:
        missing: "refuse" rows with a missing cell, or "drop" them.
    """

    discrete: Sequence[str] = ()
    continuous: Sequence[str] = ()
    drop: Sequence[str] = ()
    missing: str = "refuse"


UNSAID = Roles()


@dataclass(frozen=True, eq=False)
class OwnData:
    """A table that is ready to learn from, columns sorted by name.

    Attributes:
        source: name of the file.
        variables: n names.
        values: float64 [N, n]; a discrete column holds codes 0..r-1.
        discrete: bool [n].
        levels: names of the states of each discrete column, by code.
        types: a line for each column: what it is taken for, and why.
        dropped_rows: how many rows had a missing cell.
    """

    source: str
    variables: tuple[str, ...]
    values: np.ndarray
    discrete: np.ndarray
    levels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    types: tuple[str, ...] = ()
    dropped_rows: int = 0

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader of the results should know: the types, and the rows that were left out."""
        gaps = f"left out for a missing cell: {self.dropped_rows} of {self.dropped_rows + len(self.values)} rows"
        return (*self.types, *([gaps] if self.dropped_rows else []))

    @property
    def announcement(self) -> list[str]:
        """The lines to say at the start of a run."""
        rows, n = len(self.values), len(self.variables)
        kinds = f"{n - self.discrete.sum()} continuous, {self.discrete.sum()} discrete"
        lines = [f"{self.source}: {rows} rows, {n} columns ({kinds})"]
        lines += [f"  {line}" for line in self.types[:SHOWN]]
        lines += [f"  ... and {n - SHOWN} more columns"] if n > SHOWN else []
        lines += [f"  {line}" for line in self.notes[n:]]
        return [*lines, "  to change this: --config discrete='[a,b]' continuous='[c]' drop='[d]'"]


def read(path: str | Path, roles: Roles = UNSAID) -> OwnData:
    """Return the data of a user's file: CSV with commas or semicolons, TSV, Parquet, Feather or Arrow.

    Texts and truth values are discrete. So are numbers of which there are two, and whole numbers of which there are at
    most `MAX_LEVELS` with `PER_LEVEL` records each on average. Other numbers are continuous. Missing are empty cells
    and those of `own_files.MISSING`; blank lines are skipped.

    Raises:
        InputError: one line that names the file, the column or the line, and says what to do.
    """
    table = own_files.read(path)
    kept = _kept(table, roles)
    kept, gaps = _without_gaps(table, kept, roles.missing)
    rows = np.flatnonzero(~gaps)
    if len(rows) < MIN_ROWS:
        raise InputError(f"{table.source}: {len(rows)} rows are too few; at least {MIN_ROWS} are needed")
    made = [_Variable(column, roles, table.source, lambda row: table.place(int(rows[row]))) for column in kept]
    variables, discrete = tuple(one.name for one in made), np.array([one.discrete for one in made])
    values = np.asfortranarray(np.column_stack([one.values for one in made]))
    columns.check_table(values, variables, discrete, table.source)
    return OwnData(
        source=table.source,
        variables=variables,
        values=values,
        discrete=discrete,
        levels={one.name: one.levels for one in made if one.discrete},
        types=tuple(one.line for one in made),
        dropped_rows=int(gaps.sum()),
    )


def check_truth(data: OwnData, variables: Sequence[str], network: str) -> None:
    """Raise InputError where the columns are not the variables of the true network."""
    if unknown := [name for name in data.variables if name not in variables]:
        text = f"the network {network} has no such variable{suggest(unknown[0], variables)}"
        raise InputError(f"{data.source}: column {unknown[0]}: {text}; rename it, or say drop=[{unknown[0]}]")
    if lacking := [name for name in variables if name not in data.variables]:
        raise InputError(f"{data.source}: no column {lacking[0]}, which is a variable of the network {network}")


def _kept(table: RawTable, roles: Roles) -> list[Column]:
    """Return the columns that are not left out, in the order of their names."""
    names = [column.name for column in table.columns]
    said: dict[str, str] = {}
    for key in ("discrete", "continuous", "drop"):
        for name in getattr(roles, key):
            if name not in names:
                raise InputError(f"config: {key}: {table.source} has no column {name!r}{suggest(name, names)}")
            if said.setdefault(name, key) != key:
                raise InputError(f"config: {key}: {name!r} stands in {said[name]} too; name it once")
    kept = [column for column in table.columns if column.name not in roles.drop]
    columns.check_names([column.name for column in kept], table.source)
    if len(kept) < 2:
        hint = "; cells are parted by commas, semicolons or tabs" if len(names) == 1 else ""
        raise InputError(f"{table.source}: {len(kept)} column is left, a network needs two at least{hint}")
    return sorted(kept, key=lambda column: column.name)


def _without_gaps(table: RawTable, kept: list[Column], missing: str) -> tuple[list[Column], np.ndarray]:
    """Return the columns without the rows in which a cell is missing, and which these are, bool [N]."""
    for column in kept:
        if column.missing.all():
            raise InputError(f"{table.source}: column {column.name}: all cells are missing; say drop=[{column.name}]")
    gaps = np.any([column.missing for column in kept], axis=0)
    if not gaps.any():
        return kept, gaps
    if missing == "refuse":
        row = int(gaps.argmax())
        first = next(c.name for c in table.columns if c in kept and c.missing[row])
        cells = sum(int(column.missing.sum()) for column in kept)
        count = f"{cells} in all, in {gaps.sum()} of {table.rows} rows"
        hint = "say missing=drop to leave these rows out, or drop=[COLUMN]"
        raise InputError(f"{table.place(row)}, column {first}: a missing cell ({count}); {hint}")
    return [column.take(~gaps) for column in kept], gaps


class _Variable:
    """One column as values or codes, and why.

    Args:
        column: without missing cells.
        roles: what the user says.
        source: name of the file.
        place: of a row that is left, such as "cars.csv, line 3".
    """

    def __init__(self, column: Column, roles: Roles, source: str, place: Callable[[int], str]):
        self.name, self._column, self._place = column.name, column, place
        self._where = f"{source}: column {column.name}"
        self._numbers = _as_numbers(column)
        declared = column.name in roles.discrete or column.name in roles.continuous
        if len(column.distinct) == 1:
            raise InputError(f"{self._where}: constant ({column.distinct[0]}); say drop=[{column.name}]")
        self.discrete = column.name in roles.discrete or (not declared and self._looks_discrete())
        self.levels: tuple[str, ...] = ()
        if self.discrete:
            places = [place(int(row)) for row in self._first_rows()]
            codes, self.levels = columns.states(self._texts(), places, column.name)
            self._check_levels(declared)
        else:
            codes = self._finite()
        self.values = codes[column.index]
        self.line = f"{self.name}: {self._kind()} ({'as you say' if declared else self._reason()})"

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
            hint = f"say drop=[{self.name}], or continuous=[{self.name}]"
            raise InputError(f"{self._where}: looks like a number of the row; {hint}")
        return (
            len(numbers) <= MAX_LEVELS
            and len(column.index) >= PER_LEVEL * len(numbers)
            and bool((numbers == np.floor(numbers)).all())
        )

    def _check_mixed(self) -> None:
        """Raise InputError where a text looks like a slip among numbers."""
        other = np.isnan(self._numbers)
        self._check_commas(other)
        count = int((~other[self._column.index]).sum())
        if 2 * count > len(self._column.index) and (~other).sum() > MAX_LEVELS:
            slip = int(other.argmax())
            where = f"{self._place(int(self._first_rows()[slip]))}, column {self.name}"
            hint = f"correct it, or say discrete=[{self.name}] or drop=[{self.name}]"
            raise InputError(f"{where}: {self._column.distinct[slip]!r} where {count} cells are numbers; {hint}")

    def _check_commas(self, other: np.ndarray) -> None:
        texts = [str(self._column.distinct[i]) for i in np.flatnonzero(other)]
        if texts and all(_DECIMAL_COMMA.fullmatch(text) for text in texts):
            where = f"{self._place(int(self._first_rows()[other.argmax()]))}, column {self.name}"
            raise InputError(f"{where}: {texts[0]!r} has a decimal comma; write a point, or say discrete=[{self.name}]")

    def _check_levels(self, declared: bool) -> None:
        rows, levels = len(self._column.index), len(self.levels)
        if levels == rows or (not declared and 2 * levels > rows):
            what = "all values differ" if levels == rows else f"{levels} different values in {rows} rows"
            hint = f"an identifier or free text? say drop=[{self.name}]"
            if not declared and not np.isnan(self._numbers).any():
                hint += f" or continuous=[{self.name}]"
            elif not declared and levels < rows:
                hint += f" or discrete=[{self.name}]"
            raise InputError(f"{self._where}: {what}; {hint}")

    def _finite(self) -> np.ndarray:
        """Return the numbers of a continuous column, by distinct value."""
        if not np.isfinite(self._numbers).all():
            self._check_commas(np.isnan(self._numbers))
            row = int(np.argmax(~np.isfinite(self._numbers)[self._column.index]))
            columns.numbers([str(self._column.distinct[self._column.index[row]])], [self._place(row)], self.name)
        return self._numbers

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


def _as_numbers(column: Column) -> np.ndarray:
    """Return the distinct values as numbers, NaN where a text is none."""
    if isinstance(column.distinct, np.ndarray):
        return column.distinct
    parsed = [columns.number(text) for text in column.distinct]
    return np.array([np.nan if value is None else value for value in parsed])
