"""The typed table that a file or data frame becomes, the input of learning and fitting."""

import math
import os
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.base.text import is_valid
from cutpoint.data.anonymous import canonical_order, canonical_records, canonical_signs, joined, turned_back
from cutpoint.data.columns import LARGEST, RawColumn, RawTable, TypedColumn, Unusable, is_scale
from cutpoint.data.roles import DEFAULT, Roles

if TYPE_CHECKING:
    import pyarrow as pa

SHOWN = 30  # columns listed one by one


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Table:
    """Records with a type for each column, in the order of the data; the columns of a file are sorted by name.

    Attributes:
        source: name of the file, or "the data frame".
        variables: n names.
        values: float64 [N, n], columns contiguous; a discrete column holds codes 0..r-1, and NaN is a missing cell.
        discrete: bool [n].
        levels: names of the states of each discrete column, by code.
        times: the columns of times, whose values are years with decimals: 2021-07-02 12:00 is 2021.5.
        named: whether the names are the user's, and not those of the columns of an array.
        types, notes: a line for each column: its type and the reason; what else a reader of results should know.
        dropped_rows, roles: how many rows were left out for a missing cell; the roles that the user gave.
    """

    source: str
    variables: tuple[str, ...]
    values: np.ndarray
    discrete: np.ndarray
    levels: Mapping[str, tuple[str, ...]]
    times: Sequence[str] = ()
    named: bool = True
    types: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    dropped_rows: int = 0
    roles: Roles = field(default=DEFAULT)

    def __len__(self) -> int:
        return len(self.values)

    def __eq__(self, other: object) -> bool:
        """Return whether names, values, types and levels are equal."""
        if not isinstance(other, Table):
            return NotImplemented
        same = self.variables == other.variables and self.levels == other.levels
        return same and np.array_equal(self.values, other.values, equal_nan=True)

    def __repr__(self) -> str:
        n = len(self.variables)
        counts = f"{n - self.discrete.sum()} continuous, {self.discrete.sum()} discrete"
        lines = [f"{self.source}: {len(self)} rows, {n} columns ({counts})"]
        lines += [f"  {line}" for line in self.types[:SHOWN]]
        lines += [f"  ... and {n - SHOWN} more columns"] if n > SHOWN else []
        return "\n".join([*lines, *(f"  {line}" for line in self.notes)])

    @property
    def about(self) -> dict[str, object]:
        """Metadata of the columns for the file of a data set."""
        cardinalities = {name: len(states) for name, states in self.levels.items()}
        ordered = [name for name, flag in zip(self.variables, self.ordered, strict=True) if flag]
        notes = (*self.types, *self.notes)
        return {"levels": self.levels, "cardinalities": cardinalities, "ordered": ordered, "notes": notes}

    @property
    def missing(self) -> np.ndarray:
        """The missing cells, bool [N, n]."""
        return np.isnan(self.values)

    @property
    def ordered(self) -> np.ndarray:
        """Whether the states of a discrete column have an order, bool [n]: as declared, or evenly spaced numbers."""
        roles = {name: self.roles.of(name) for name in self.variables}
        rising = {name for name, states in self.levels.items() if roles[name] is None and is_scale(states)}
        return np.array([roles[name] == "ordered" or name in rising for name in self.variables], bool)

    @cached_property
    def order(self) -> np.ndarray:
        """The places of columns as methods see them, int64 [n], see `canonical_order`; what is equal goes by name."""
        names = sorted(range(len(self.variables)), key=self.variables.__getitem__)
        return np.array(names)[canonical_order(self.values[:, names], self.discrete[names])]

    @cached_property
    def records(self) -> np.ndarray:
        """The places of the records in an order that does not depend on theirs, int64 [N], see `canonical_records`."""
        return canonical_records(self.values[:, self.order])

    def without(self, names: Container[str]) -> "Table":
        """Return all columns but some."""
        kept = [i for i, name in enumerate(self.variables) if name not in names]
        return replace(
            self,
            variables=tuple(self.variables[i] for i in kept),
            values=np.asfortranarray(self.values[:, kept]),
            discrete=self.discrete[kept],
            levels={name: states for name, states in self.levels.items() if name not in names},
            types=tuple(self.types[i] for i in kept) if self.types else (),
        )

    def select(self, rows: np.ndarray) -> "Table":
        """Return some of the rows, bool [N], or all; discrete columns have the states that occur there."""
        values, levels = np.asfortranarray(self.values[rows]), dict(self.levels)
        for i in np.flatnonzero(self.discrete).tolist():
            name, there = self.variables[i], ~np.isnan(values[:, i])
            codes, values[there, i] = np.unique(values[there, i].astype(int), return_inverse=True)
            levels[name] = tuple(levels[name][code] for code in codes)
        return replace(self, values=values, levels=levels)

    def to_arrow(self) -> "pa.Table":
        """Return an Arrow table: texts in discrete columns, float64 in continuous ones, null for a missing cell."""
        import pyarrow as pa

        columns: dict[str, Any] = {}
        for name, values, missing in zip(self.variables, self.values.T, self.missing.T, strict=True):
            if name in self.levels:
                values = np.array(self.levels[name], object)[np.where(missing, 0, values).astype(int)]
            columns[name] = pa.array(values, mask=missing)
        return pa.table(columns)

    def to_pandas(self) -> Any:
        """Return a data frame of pandas, see `to_arrow`."""
        return self.to_arrow().to_pandas()


@dataclass(frozen=True, eq=False)
class Arranged:
    """What a method sees of a table: its columns in the order of `Table.order`, its records in one of their own."""

    values: np.ndarray  # float64 [N, n], columns contiguous
    discrete: np.ndarray  # bool [n]
    ordered: np.ndarray  # bool [n], discrete columns whose codes have an order
    names: list[str]
    order: np.ndarray  # int64 [n], the place of each column in the table
    signs: np.ndarray  # float64 [n], -1 where a column is the negative of that of the table
    records: np.ndarray  # int64 [N], the place of each record in the table

    @classmethod
    def of(cls, table: Table, measured: Container[str] = ()) -> "Arranged":
        """Return the columns of a table; those that are `measured`, whose thresholds are known, keep their sign."""
        order, names = table.order, [table.variables[i] for i in table.order]
        kept = table.discrete[order] | np.array([name in measured for name in names], bool)
        values = joined(table.values[:, order])
        values *= (signs := canonical_signs(values, kept))
        records = canonical_records(values)
        roles = table.discrete[order], table.ordered[order]
        return cls(np.asfortranarray(values[records]), *roles, names, order, signs, records)

    def restored(self, thresholds: Sequence[np.ndarray]) -> list[np.ndarray]:
        """Return the thresholds of these columns in the order and the units of the table."""
        lists = turned_back(thresholds, self.values, self.signs)
        return [lists[i] for i in self.back]

    @property
    def back(self) -> np.ndarray:
        """The place here of each column of the table, int64 [n]."""
        return np.argsort(self.order)


def typed(
    raw: RawTable, columns: Sequence[RawColumn], roles: Roles, gaps: np.ndarray | None = None
) -> tuple[list[TypedColumn], list[Unusable]]:
    """Return the columns, typed here and nowhere else, without rows with gaps (else their own), and unusable ones."""
    usable, unusable = [], []
    for column in columns:
        rows = np.flatnonzero(~(column.missing if gaps is None else gaps))
        try:
            usable.append(TypedColumn(column, rows, roles.of(column.name), raw))
        except Unusable as problem:
            unusable.append(problem)
    return usable, unusable


def table_of(raw: RawTable, columns: Sequence[TypedColumn], gaps: np.ndarray, roles: Roles, **about: Any) -> Table:
    """Return the table of typed columns; rows with gaps, bool [N], are left out, or kept where cells are imputed."""
    values = np.full((raw.rows, len(columns)), np.nan, order="F")
    for i, column in enumerate(columns):
        values[column.rows, i] = column.values
    kept = values if roles.missing == "impute" or not gaps.any() else np.asfortranarray(values[~gaps])
    return Table(
        source=raw.source,
        variables=tuple(column.name for column in columns),
        values=kept,
        discrete=np.array([column.discrete for column in columns]),
        levels={column.name: column.levels for column in columns if column.discrete},
        times=tuple(column.name for column in columns if column.is_time),
        types=tuple(column.line for column in columns),
        dropped_rows=raw.rows - len(kept),
        roles=roles,
        **about,
    )


def check_table(values: np.ndarray, variables: Sequence[str], source: str, *, gaps: bool = False) -> None:
    """Check that a table, float64 [N, n], can be learned from; with `gaps` cells may be missing: NaN."""
    if values.size == 0:
        raise InputError(f"{source}: no rows or no columns are left; check the missing mark and the columns")
    check_names(variables, source)
    for name, column in zip(variables, values.T, strict=True):
        there = column[~np.isnan(column)] if gaps else column
        bad = np.flatnonzero(np.isinf(column) if gaps else ~np.isfinite(column))
        if bad.size:
            what = "NaN" if np.isnan(column[bad[0]]) else "infinity"
            where = f"column {name}, row {bad[0] + 1}"
            raise InputError(f"{source}: {where}: {what}; correct the cell or leave the row out")
        if (there == there[0]).all():
            constant = f"constant ({there[0]:.15g} in all {there.size} rows)"
            raise InputError(f"{source}: column {name}: {constant}; leave the column out")
        if (large := np.abs(there) > LARGEST).any():
            value = f"{there[large][0]:g} is larger than {LARGEST:g}, whose squares overflow"
            raise InputError(f"{source}: column {name}: {value}; take another unit")


def check_width(columns: int, source: str) -> None:
    """Raise InputError for more columns than this machine can keep a number, of 8 bytes, of each pair of."""
    if (needed := 8 * columns**2) > (has := memory()):
        fact = f"a number for each pair of them takes {needed / 1e9:,.0f} GB, and this machine has {has / 1e9:,.0f}"
        raise InputError(f"{source}: {columns:,} columns; {fact}; keep at most {math.isqrt(int(has) // 8):,}")


def memory() -> float:
    """Return the bytes of memory of this machine, infinite where it does not say."""
    try:
        return float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, OSError, ValueError):
        return math.inf


def check_names(variables: Sequence[str], source: str, roles: Roles | None = None) -> None:
    """Raise InputError where a column name is empty, given twice, or no text; roles: of columns that may be dropped."""

    def drop(name: str, more: str) -> str:
        return "" if roles is None else f", or set {roles.words_for([name], 'drop')}{more}"

    seen = set[str]()
    for i, name in enumerate(variables):
        if roles is not None and name in roles.drop:
            continue
        if not name:
            hint = drop("", " (pandas: to_csv(..., index=False))")
            raise InputError(f"{source}: column {i + 1} has no name; give it one{hint}")
        if not is_valid(name):
            raise InputError(f"{source}: the column name {name!a} is no valid text (half a character); rename it")
        if name in seen:
            raise InputError(f"{source}: two columns are named {name}; rename one{drop(name, ' to leave both out')}")
        seen.add(name)
