"""A user's table: the roles of its columns, what to do with missing cells, and a table that is ready to learn from."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pyarrow as pa

from cutpoint.base.errors import InputError
from cutpoint.base.text import suggest
from cutpoint.data.arrow import table_of
from cutpoint.data.columns import Column, TypedColumn, TypedTable, Unusable, check_names, check_table, number
from cutpoint.data.read import USUAL, RawTable
from cutpoint.data.read import read as read_raw
from cutpoint.data.text_form import TextForm
from cutpoint.options import Missing

MIN_ROWS = 10  # so that each of ten folds has a record
SHOWN = 30  # columns listed one by one
LISTS = ("discrete", "continuous", "drop")
_PLAIN = re.compile(r"\w[\w.-]*")  # a name that needs no quotes in a list of YAML


@dataclass(frozen=True)
class Roles:
    """The roles that a user gives the columns: discrete, continuous or left out; and what to do with missing cells.

    Attributes:
        missing: "refuse" rows with a missing cell, "drop" them, or "impute" the cells, in each resample anew.
    """

    discrete: Sequence[str] = ()
    continuous: Sequence[str] = ()
    drop: Sequence[str] = ()
    missing: Missing = "refuse"

    def of(self, name: str) -> str | None:
        """Return the list that a column stands in, None for none."""
        return next((key for key in LISTS if name in getattr(self, key)), None)

    def moved(self, names: Iterable[str], key: str) -> Roles:
        """Return the roles with some columns moved to one list."""
        names = [*names]
        lists = {one: [name for name in getattr(self, one) if name not in names] for one in LISTS}
        lists[key] += names
        return Roles(**lists, missing=self.missing)

    def words_to(self, other: Roles) -> str:
        """Return the settings that change these roles into others, ready for the shell."""
        lists = [(key, [*getattr(other, key)]) for key in LISTS if [*getattr(other, key)] != [*getattr(self, key)]]
        words = [shlex.quote(f"{key}=[{','.join(map(_quoted, names))}]") for key, names in lists]
        return " ".join([*words, *([f"missing={other.missing}"] if other.missing != self.missing else [])])

    def words_for(self, names: Iterable[str], key: str) -> str:
        """Return the settings that put some columns into one list, ready for the shell."""
        return self.words_to(self.moved(names, key))


UNSAID = Roles()


def _quoted(name: str) -> str:
    """Return a name as an entry of a list of YAML, in quotes where it needs them."""
    return name if _PLAIN.fullmatch(name) else json.dumps(name, ensure_ascii=False)


@dataclass(frozen=True, eq=False, kw_only=True)
class UserTable(TypedTable):
    """A table of a user's file; NaN is a missing cell that is to be imputed.

    Attributes:
        source: name of the file.
        types: a line for each column: its type and the reason.
        dropped_rows: how many rows had a missing cell.
        roles: those that the user gave.
    """

    source: str
    types: tuple[str, ...]
    dropped_rows: int
    roles: Roles

    @property
    def announcement(self) -> list[str]:
        """The lines printed at the start of a run."""
        rows, n = len(self.values), len(self.variables)
        kinds = f"{n - self.discrete.sum()} continuous, {self.discrete.sum()} discrete"
        lines = [f"{self.source}: {rows} rows, {n} columns ({kinds})"]
        lines += [f"  {line}" for line in self.types[:SHOWN]]
        lines += [f"  ... and {n - SHOWN} more columns"] if n > SHOWN else []
        lines += [f"  {line}" for line in self.notes[n:]]
        return [*lines, f"  to change this, add after the file: {self._example()}"]

    def _example(self) -> str:
        """Return settings that change a column of each kind, to be edited."""
        numeric = [name for name, states in self.levels.items() if all(number(state) is not None for state in states)]
        others = [name for name, discrete in zip(self.variables, self.discrete, strict=True) if not discrete]
        left = [name for name in reversed(self.variables) if name not in (*numeric[:1], *others[:1])]
        roles = self.roles
        for key, names in (("discrete", others), ("continuous", numeric), ("drop", left)):
            roles = roles.moved(names[:1], key)
        return self.roles.words_to(roles)


def read(path: str | Path, roles: Roles = UNSAID, form: TextForm = USUAL) -> UserTable:
    """Return the table of a user's file: CSV with commas or semicolons, TSV, Parquet, Feather or Arrow.

    `cutpoint.data.columns.TypedColumn` says which columns are discrete. Empty cells and the marks of
    `cutpoint.data.read.MISSING` are missing; blank lines are skipped.

    Raises:
        InputError: what is wrong with the file, its first line that cannot be read, or all columns that cannot be used,
            and what to do.
    """
    raw = read_raw(path, form)
    if raw.rows < MIN_ROWS:
        few = "1 row is" if raw.rows == 1 else f"{raw.rows} rows are"
        raise InputError(f"{raw.source}: {few} too few; at least {MIN_ROWS} are needed")
    raw, left = _without_index(raw, roles)
    selected = _selected(raw, roles)
    usable, gaps, unusable = _sifted(raw, selected, roles)
    _check_unusable(raw, selected, roles, unusable)
    variables, discrete = tuple(column.name for column in usable), np.array([column.discrete for column in usable])
    imputed = gaps.any() and roles.missing == "impute"
    there = {column.name: ~column.missing for column in selected} if imputed else {}
    cells = [_placed(column.values, there[column.name]) if imputed else column.values for column in usable]
    values = np.asfortranarray(np.column_stack(cells))
    check_table(values, variables, raw.source, gaps=bool(imputed))
    types = tuple(column.line for column in usable)
    note = f"left out for a missing cell: {gaps.sum()} of {raw.rows} rows"
    if imputed:
        count = _counted(int(np.isnan(values).sum()), "cell")
        note = f"missing: {count} in {gaps.sum()} of {raw.rows} rows, filled in for each resample"
    left += [note] if gaps.any() else []
    return UserTable(
        source=raw.source,
        variables=variables,
        values=values,
        discrete=discrete,
        levels={column.name: column.levels for column in usable if column.discrete},
        types=types,
        notes=(*types, *left),
        dropped_rows=0 if imputed else int(gaps.sum()),
        roles=roles,
    )


def read_as(path: str | Path, roles: Mapping[str, Any], form: Mapping[str, Any]) -> UserTable:
    """Return the table of a user's file, read as settings say; see `Roles` and `TextForm`."""
    return read(path, Roles(**roles), TextForm(**form))


def read_data(
    path: str | Path,
    *,
    discrete: Sequence[str] = (),
    continuous: Sequence[str] = (),
    drop: Sequence[str] = (),
    missing: Missing = "refuse",
    separator: str | None = None,
    decimal: str = "point",
    thousands: str | None = None,
    names: Sequence[str] = (),
    marks: Sequence[str] = (),
    encoding: str | None = None,
) -> pa.Table:
    """Return the table of a file, read as the workflow reads a user's file, for `cutpoint.learn` and the others.

    Args:
        path: CSV, TSV, Parquet, Feather or Arrow.
        discrete, continuous, drop: names of columns to take for discrete or continuous, or to leave out.
        missing: "refuse" a file with missing cells, "drop" their rows, or leave the cells empty for
            ``cutpoint.learn(..., missing="impute")``: "impute".
        separator, decimal, thousands: of a text file, a mark or its name: what stands between cells (the most frequent
            of comma, semicolon and tab), before decimals, and between groups of three digits (nothing).
        names: of the columns, of a text file whose first line is a record.
        marks: what else than an empty cell, NA, ? and the like stands for a missing cell of a text file, such as -999.
        encoding: of a text file that is not in UTF-8, such as "latin-1".

    Returns:
        An Arrow table, columns sorted by name: text in discrete ones, float64 in continuous ones.

    Raises:
        InputError: see `read`; or a wrong argument.
    """
    lists = {"discrete": discrete, "continuous": continuous, "drop": drop}
    for key, value in {**lists, "names": names, "marks": marks}.items():
        if isinstance(value, str):
            raise InputError(f"read_data: {key}: give a list of names, such as [{value!r}]")
    if missing not in get_args(Missing):
        raise InputError(f"read_data: missing: one of {', '.join(get_args(Missing))}, not {missing!r}")
    form = TextForm(separator, decimal, thousands, names, [*map(str, marks)], encoding)
    table = read(path, Roles(**lists, missing=missing), form)
    columns = zip(table.variables, table.discrete, table.values.T, strict=True)
    return table_of({name: _texts(x, table.levels[name]) if flag else x for name, flag, x in columns})


def _texts(codes: np.ndarray, states: Sequence[str]) -> list[str | None]:
    """Return the states of codes, None for a missing one."""
    return [None if np.isnan(code) else states[int(code)] for code in codes]


def check_truth(data: UserTable, variables: Sequence[str], network: str) -> None:
    """Raise InputError where the columns are not the variables of the true network."""
    if unknown := [name for name in data.variables if name not in variables]:
        text = f"the network {network} has no such variable{suggest(unknown[0], variables)}"
        every = f" to leave out all {len(unknown)} such columns" if unknown[1:] else ""
        hint = f"rename it, or use {data.roles.words_for(unknown, 'drop')}{every}"
        raise InputError(f"{data.source}: column {unknown[0]}: {text}; {hint}")
    if lacking := [name for name in variables if name not in data.variables]:
        raise InputError(f"{data.source}: no column {lacking[0]}, which is a variable of the network {network}")


def _without_index(raw: RawTable, roles: Roles) -> tuple[RawTable, list[str]]:
    """Return the table without a first column that has no name and counts the rows, and a note on it."""
    first, *others = raw.columns
    if first.name or "" in roles.drop or not first.counts_rows:
        return raw, []
    return replace(raw, columns=tuple(others)), ["left out: the first column, which has no name and counts the rows"]


def _check_names(raw: RawTable, names: Sequence[str], roles: Roles) -> None:
    """Raise InputError where a column name is empty or given twice, with the setting that leaves the column out."""
    for i, name in enumerate(names):
        if not name:
            place = [column.name for column in raw.columns].index("") + 1
            hint = f"give it one, or set {roles.words_for([''], 'drop')} (pandas: to_csv(..., index=False))"
            raise InputError(f"{raw.source}: column {place} has no name; {hint}")
        if name in names[:i]:
            hint = f"rename one, or set {roles.words_for([name], 'drop')} to leave both out"
            raise InputError(f"{raw.source}: two columns are named {name}; {hint}")
    check_names(names, raw.source)


def _selected(raw: RawTable, roles: Roles) -> list[Column]:
    """Return the columns that are not left out, in the order of their names."""
    names = [column.name for column in raw.columns]
    listed: dict[str, str] = {}
    for key in LISTS:
        for name in getattr(roles, key):
            if name not in names:
                raise InputError(f"{key}: {raw.source} has no column {name!r}{suggest(name, names)}")
            if listed.setdefault(name, key) != key:
                raise InputError(f"{key}: {name!r} is also in {listed[name]}; name it once")
    selected = [column for column in raw.columns if column.name not in roles.drop]
    _check_names(raw, [column.name for column in selected], roles)
    if len(selected) < 2:
        hint = "; cells are separated by commas, semicolons or tabs, else set separator" if len(names) == 1 else ""
        raise InputError(f"{raw.source}: {len(selected)} column is left, a network needs at least two{hint}")
    return sorted(selected, key=lambda column: column.name)


def _sifted(raw: RawTable, columns: list[Column], roles: Roles) -> tuple[list[TypedColumn], np.ndarray, list[Unusable]]:
    """Return the columns that can be used, the rows with a gap in one of them, bool [N], and why others cannot.

    Each column is first judged by its own cells, then by the rows without gaps, whose number grows as columns are
    refused. So the columns that the message proposes to leave out do leave a table that can be used.
    """
    usable, unusable = _typed(raw, columns, roles, None)
    if roles.missing == "impute":
        return usable, _gaps(raw, [column for column in columns if not column.missing.all()]), unusable
    while True:
        refused = {one.name for one in unusable}
        columns = [column for column in columns if column.name not in refused]
        gaps = _gaps(raw, columns)
        if not gaps.any():
            return [column for column in usable if column.name not in refused], gaps, unusable
        if raw.rows - gaps.sum() < MIN_ROWS:
            worst = max(columns, key=lambda column: column.missing.sum())
            fact = f"column {worst.name}: {worst.missing.sum()} of {raw.rows} cells are missing"
            more = [Unusable(worst.name, f"{raw.source}: {fact}")]
        else:
            usable, more = _typed(raw, columns, roles, gaps)
        if not more:
            return usable, gaps, unusable
        unusable += more


def _placed(values: np.ndarray, there: np.ndarray) -> np.ndarray:
    """Return the values of some rows, bool [N], with NaN in the others, float64 [N]."""
    cells = np.full(len(there), np.nan)
    cells[there] = values
    return cells


def _gaps(raw: RawTable, columns: Sequence[Column]) -> np.ndarray:
    """Return the rows with a missing cell in one of the columns, bool [N]."""
    return np.any([np.zeros(raw.rows, bool), *(column.missing for column in columns)], axis=0)


def _typed(
    raw: RawTable, columns: list[Column], roles: Roles, gaps: np.ndarray | None
) -> tuple[list[TypedColumn], list[Unusable]]:
    """Return the columns without the rows with gaps (None: each without its own), and those that cannot be used."""
    usable, unusable = [], []
    for column in columns:
        present = ~(column.missing if gaps is None else gaps)
        rows = np.flatnonzero(present)
        try:
            usable.append(
                TypedColumn(
                    column.take(present),
                    roles.of(column.name),
                    raw.source,
                    lambda row, rows=rows: raw.place(int(rows[row])),  # type: ignore[misc]
                )
            )
        except Unusable as problem:
            unusable.append(problem)
    return usable, unusable


def _check_unusable(raw: RawTable, columns: list[Column], roles: Roles, unusable: Sequence[Unusable]) -> None:
    """Raise InputError for all columns that cannot be used, with the settings that leave them out.

    One line where one thing is wrong, otherwise a line for each column.
    """
    names = {one.name for one in unusable}
    gapped = [column for column in columns if column.name not in names and column.missing.any()]
    gapped = gapped if roles.missing == "refuse" else []
    if not unusable and not gapped:
        return
    if not unusable:
        raise InputError(_gaps_only(raw, gapped, roles))
    if len(unusable) == 1 and not gapped:
        raise InputError(_line(unusable[0], roles, ("drop", *unusable[0].keys)))
    lines = {one.name: _without_source(_line(one, roles, one.keys), raw) for one in unusable}
    for column in gapped:
        first = _without_source(raw.place(int(column.missing.argmax())), raw)
        cells = _counted(int(column.missing.sum()), "missing cell")
        lines[column.name] = f"column {column.name}: {cells}, the first in {first}"
    shown = [f"  {lines[name]}" for name in sorted(lines)[:SHOWN]]
    shown += [f"  ... and {len(lines) - SHOWN} more"] if len(lines) > SHOWN else []
    if len(columns) - len(unusable) < 2:
        left = f"a network needs at least two columns, and {len(columns) - len(unusable)} of {len(columns)} can be used"
    else:
        after = roles.moved(sorted(names), "drop")
        after = replace(after, missing="drop" if gapped else roles.missing)
        rows = f" and {_counted(int(_gaps(raw, gapped).sum()), 'row')} with a missing cell" if gapped else ""
        left = f"to leave out these columns{rows}, add after the file: {roles.words_to(after)}"
    raise InputError("\n".join([f"{raw.source}: {len(lines)} columns cannot be used as they are:", *shown, left]))


def _line(problem: Unusable, roles: Roles, keys: Sequence[str]) -> str:
    """Return what is wrong with a column and what to do: correct it, or name it in one of some lists."""
    words = [roles.words_for([problem.name], key) for key in keys]
    hints = [*([problem.correct] if problem.correct else []), *([f"set {' or '.join(words)}"] if words else [])]
    return "; ".join([problem.fact, *([", or ".join(hints)] if hints else [])])


def _without_source(text: str, raw: RawTable) -> str:
    return text.removeprefix(raw.source).lstrip(":, ")


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'s' * (count != 1)}"


def _gaps_only(raw: RawTable, gapped: Sequence[Column], roles: Roles) -> str:
    """Return the message for a table whose only fault is missing cells."""
    row = min(int(column.missing.argmax()) for column in gapped)
    names = {column.name for column in gapped}
    first = next(column.name for column in raw.columns if column.name in names and column.missing[row])
    cells = sum(int(column.missing.sum()) for column in gapped)
    count = f"{cells} in all, in {_gaps(raw, gapped).sum()} of {raw.rows} rows"
    hint = "set missing=drop to leave these rows out, missing=impute to fill the cells in"
    if len(names) <= SHOWN:
        hint += f", or {roles.words_for(sorted(names), 'drop')} to leave out the columns"
    return f"{raw.place(row)}, column {first}: a missing cell ({count}); {hint}"
