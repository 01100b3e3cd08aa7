"""A user's own data: which columns are discrete, what to do with gaps, and a table that is ready to learn from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa

from cutpoint.base.errors import InputError
from cutpoint.base.text import suggest
from cutpoint.data import arrow, columns, own_files
from cutpoint.data.own_columns import OwnColumn, Refusal
from cutpoint.data.own_files import Column, RawTable
from cutpoint.data.own_roles import LISTS, UNSAID, Roles

__all__ = ["OwnData", "Roles", "check_truth", "read", "read_data"]

MIN_ROWS = 10  # each of ten folds then has a record
SHOWN = 30  # columns that are told one by one


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
        roles: what the user says of the columns.
    """

    source: str
    variables: tuple[str, ...]
    values: np.ndarray
    discrete: np.ndarray
    levels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    types: tuple[str, ...] = ()
    dropped_rows: int = 0
    roles: Roles = UNSAID

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
        return [*lines, f"  to change this: --config {self._example()}"]

    def _example(self) -> str:
        """Return settings that change a column of each kind, to be edited."""
        numeric = [name for name, states in self.levels.items() if all(columns.number(s) is not None for s in states)]
        others = [name for name, discrete in zip(self.variables, self.discrete, strict=True) if not discrete]
        left = [name for name in reversed(self.variables) if name not in (*numeric[:1], *others[:1])]
        roles = self.roles
        for key, names in (("discrete", others), ("continuous", numeric), ("drop", left)):
            roles = roles.moved(names[:1], key)
        return self.roles.words_to(roles)


def read(path: str | Path, roles: Roles = UNSAID) -> OwnData:
    """Return the data of a user's file: CSV with commas or semicolons, TSV, Parquet, Feather or Arrow.

    Texts, dates and truth values are discrete. So are numbers of which there are two, and whole numbers of which there
    are at most `own_columns.MAX_LEVELS` with `own_columns.PER_LEVEL` records each on average. Other numbers are
    continuous. Missing are empty cells and those of `own_files.MISSING`; blank lines are skipped.

    Raises:
        InputError: what is wrong with the file, its first line that cannot be read, or all columns that cannot be used,
            and what to do.
    """
    table = own_files.read(path)
    kept = _kept(table, roles)
    if table.rows < MIN_ROWS:
        raise InputError(f"{table.source}: {table.rows} rows are too few; at least {MIN_ROWS} are needed")
    made, gaps, refused = _sifted(table, kept, roles)
    _check_refused(table, kept, roles, refused)
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
        roles=roles,
    )


def read_data(
    path: str | Path,
    *,
    discrete: Sequence[str] = (),
    continuous: Sequence[str] = (),
    drop: Sequence[str] = (),
    missing: str = "refuse",
) -> pa.Table:
    """Return the table of a file by the rules of the workflow's own data, for `cutpoint.learn` and the others.

    Args:
        path: CSV, TSV, Parquet, Feather or Arrow.
        discrete, continuous, drop: names of columns to take for discrete or continuous, or to leave out.
        missing: "refuse" a file with missing cells, or "drop" their rows.

    Returns:
        An Arrow table, columns sorted by name: text in discrete ones, float64 in continuous ones.

    Raises:
        InputError: see `read`; or a wrong argument.
    """
    lists = {"discrete": discrete, "continuous": continuous, "drop": drop}
    for key, names in lists.items():
        if isinstance(names, str):
            raise InputError(f"read_data: {key}: give a list of names, such as [{names!r}]")
    if missing not in ("refuse", "drop"):
        raise InputError(f'read_data: missing: "refuse" or "drop", not {missing!r}')
    found = read(path, Roles(**lists, missing=missing))
    cells = {}
    for name, flag, values in zip(found.variables, found.discrete, found.values.T, strict=True):
        texts = [found.levels[name][int(code)] for code in values] if flag else values
        cells[name] = arrow.array(texts, pa.string() if flag else pa.float64())
    return pa.table(cells)


def check_truth(data: OwnData, variables: Sequence[str], network: str) -> None:
    """Raise InputError where the columns are not the variables of the true network."""
    if unknown := [name for name in data.variables if name not in variables]:
        text = f"the network {network} has no such variable{suggest(unknown[0], variables)}"
        every = f" to leave out all {len(unknown)} such columns" if unknown[1:] else ""
        hint = f"rename it, or say {data.roles.words_for(unknown, 'drop')}{every}"
        raise InputError(f"{data.source}: column {unknown[0]}: {text}; {hint}")
    if lacking := [name for name in variables if name not in data.variables]:
        raise InputError(f"{data.source}: no column {lacking[0]}, which is a variable of the network {network}")


def _kept(table: RawTable, roles: Roles) -> list[Column]:
    """Return the columns that are not left out, in the order of their names."""
    names = [column.name for column in table.columns]
    said: dict[str, str] = {}
    for key in LISTS:
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


def _sifted(table: RawTable, kept: list[Column], roles: Roles) -> tuple[list[OwnColumn], np.ndarray, list[Refusal]]:
    """Return the columns that can be used, the rows with a gap in one of them, bool [N], and why others cannot.

    Each column is judged by its own cells first, then by the rows without gaps, of which there are the more the more
    columns are refused. So what the message says to leave out leaves a table that can be used.
    """
    made, refused = _judged(table, kept, roles, None)
    while True:
        gone = {each.name for each in refused}
        kept = [column for column in kept if column.name not in gone]
        gaps = np.any([np.zeros(table.rows, bool), *(column.missing for column in kept)], axis=0)
        if not gaps.any():
            return [one for one in made if one.name not in gone], gaps, refused
        if table.rows - gaps.sum() < MIN_ROWS:
            worst = max(kept, key=lambda column: column.missing.sum())
            fact = f"column {worst.name}: {worst.missing.sum()} of {table.rows} cells are missing"
            new = [Refusal(worst.name, f"{table.source}: {fact}")]
        else:
            made, new = _judged(table, kept, roles, gaps)
        if not new:
            return made, gaps, refused
        refused += new


def _judged(
    table: RawTable, kept: list[Column], roles: Roles, gaps: np.ndarray | None
) -> tuple[list[OwnColumn], list[Refusal]]:
    """Return the columns without the rows with gaps (None: each without its own), and those that are refused."""
    made, refused = [], []
    for column in kept:
        there = ~(column.missing if gaps is None else gaps)
        place = partial(_place, table, np.flatnonzero(there))
        try:
            made.append(OwnColumn(column.take(there), roles, table.source, place))
        except Refusal as refusal:
            refused.append(refusal)
    return made, refused


def _place(table: RawTable, rows: np.ndarray, row: int) -> str:
    """Return where one of the rows that are left stands in the file."""
    return table.place(int(rows[row]))


def _check_refused(table: RawTable, kept: list[Column], roles: Roles, refused: Sequence[Refusal]) -> None:
    """Raise InputError for all columns that cannot be used, with the settings that leave them out.

    One line where one thing is wrong, otherwise a line for each column.
    """
    names = {each.name for each in refused}
    gapped = [column for column in kept if column.name not in names and column.missing.any()]
    gapped = gapped if roles.missing == "refuse" else []
    if not refused and not gapped:
        return
    if not refused:
        raise InputError(_gaps_only(table, gapped, roles))
    if len(refused) == 1 and not gapped:
        raise InputError(refused[0].line(roles))
    lines = {each.name: each.line(roles, drop=False).removeprefix(table.source).lstrip(":, ") for each in refused}
    for column in gapped:
        first = table.place(int(column.missing.argmax())).removeprefix(table.source).lstrip(":, ")
        cells = _counted(int(column.missing.sum()), "missing cell")
        lines[column.name] = f"column {column.name}: {cells}, the first in {first}"
    told = [f"  {lines[name]}" for name in sorted(lines)[:SHOWN]]
    told += [f"  ... and {len(lines) - SHOWN} more"] if len(lines) > SHOWN else []
    if len(kept) - len(refused) < 2:
        left = f"a network needs two columns at least, and {len(kept) - len(refused)} of {len(kept)} can be used"
    else:
        after = roles.moved(sorted(names), "drop")
        after = replace(after, missing="drop" if gapped else roles.missing)
        rows = f" and {_counted(_rows(gapped), 'row')} with a missing cell" if gapped else ""
        left = f"to leave out these columns{rows}, say --config {roles.words_to(after)}"
    raise InputError("\n".join([f"{table.source}: {len(lines)} columns cannot be used as they are:", *told, left]))


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'s' * (count != 1)}"


def _rows(gapped: Sequence[Column]) -> int:
    """Return how many rows have a gap."""
    return int(np.any([column.missing for column in gapped], axis=0).sum())


def _gaps_only(table: RawTable, gapped: Sequence[Column], roles: Roles) -> str:
    """Return what to say of missing cells where nothing else is wrong."""
    row = min(int(column.missing.argmax()) for column in gapped)
    names = {column.name for column in gapped}
    first = next(c.name for c in table.columns if c.name in names and c.missing[row])
    cells = sum(int(column.missing.sum()) for column in gapped)
    count = f"{cells} in all, in {_rows(gapped)} of {table.rows} rows"
    hint = "say missing=drop to leave these rows out"
    if len(names) <= SHOWN:
        hint += f", or {roles.words_for(sorted(names), 'drop')} to leave out the columns"
    return f"{table.place(row)}, column {first}: a missing cell ({count}); {hint}"
