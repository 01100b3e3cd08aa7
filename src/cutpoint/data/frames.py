"""Arrays and data frames of any library as what the methods take."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, get_args

import narwhals as nw
import numpy as np
import pyarrow as pa

from cutpoint.base.errors import InputError
from cutpoint.base.seeds import generator_for
from cutpoint.base.text import listed, suggest
from cutpoint.data import arrow
from cutpoint.data.anonymous import canonical_order
from cutpoint.data.columns import (
    MAX_LEVELS,
    Column,
    TypedColumn,
    Unusable,
    check_names,
    check_table,
    code_of_states,
    number,
    number_column,
    text_column,
)
from cutpoint.data.imputation import impute
from cutpoint.graphs.dags import numbered
from cutpoint.options import Missing

FRAME, ARRAY = "the data frame", "the array"
HEAD = 1000  # records by which most continuous columns are known


@dataclass
class Table:
    """Checked values; the columns of a frame in an order that depends on their values alone.

    Attributes:
        values: float64 [N, n], columns contiguous.
        discrete: bool [n], columns that hold codes 0..r-1.
        names: of the columns; x0, x1, ... for an array.
        order: int64 [n], the position of each column in the user's data.
        states: of each discrete column by name, by code.
        named: whether the user's data have names.
    """

    values: np.ndarray
    discrete: np.ndarray
    names: list[str]
    order: np.ndarray
    states: dict[str, tuple[str, ...]] = field(default_factory=dict)
    named: bool = False

    def fill(self, seed: int) -> None:
        """Fill missing cells in, the same way for the same records and seed."""
        if np.isnan(self.values).any():
            self.values = impute(self.values, self.discrete, generator_for(seed, "learn", "impute"))

    @property
    def records(self) -> pa.Table:
        """Return the values as a user has them: text in discrete columns, numbers in the others; no cell is missing."""
        columns: dict[str, Any] = dict(zip(self.names, self.values.T, strict=True))
        for name, states in self.states.items():
            columns[name] = [states[int(code)] for code in columns[name]]
        return arrow.table_of(columns)

    def restore(self, graph: np.ndarray | None) -> np.ndarray | None:
        """Return a graph in the user's order of columns."""
        if graph is None:
            return None
        back = np.argsort(self.order)
        return graph[np.ix_(back, back)]

    def restore_list(self, items: list) -> list:
        """Return one item per column in the user's order."""
        return [items[i] for i in np.argsort(self.order)]


def read_table(
    data: Any, discrete: Sequence[str] = (), continuous: Sequence[str] = (), missing: Missing = "refuse"
) -> Table:
    """Return an array [N, n] or a data frame (Arrow, pandas, polars) as checked values.

    In a frame, a column is discrete or continuous by the rule of `cutpoint.data.columns.TypedColumn`, as in a file, and
    neither names nor places of columns matter; see `canonical_order`. In an array every column is continuous, and it
    keeps its order of columns.

    Args:
        data: the array or frame.
        discrete, continuous: names of columns that are so whatever the rule says; of an array x0, x1, ...
        missing: of records with a missing cell, which is NaN in an array, "drop" leaves out all, and "impute" none:
            there NaN stays.

    Raises:
        InputError: naming the column, for text in a number column, NaN, infinity, a constant column or one that looks
            like an identifier, or a name that is no column or in both lists.
    """
    if missing not in get_args(Missing):
        raise InputError(f"missing: one of {', '.join(get_args(Missing))}, not {missing!r}")
    gaps = missing == "impute"
    if isinstance(data, str | bytes | os.PathLike):
        raise InputError(f"values: {data!r} is text; read the file first, for example with pandas.read_csv")
    if isinstance(data, np.ndarray) or not _is_frame(data):
        return _of_array(data, discrete, continuous, missing)
    frame = _frame(data)
    labels = [str(name) for name in frame.columns]
    absent = (
        np.array([_missing(frame.get_column(name)) for name in frame.columns], bool).reshape(len(labels), len(frame)).T
    )
    _check_gaps(absent, labels, FRAME, missing)
    if missing == "drop":
        complete: list[bool] = np.all(~absent, axis=1).tolist()
        frame = frame.filter(complete)
    roles = _marks(data) | _roles(discrete, continuous, labels)
    order = np.array(sorted(range(len(labels)), key=labels.__getitem__), np.int64)
    columns = [_column(frame.get_column(frame.columns[i]), labels[i], roles.get(labels[i]), gaps) for i in order]
    names = [labels[i] for i in order]
    states = {name: levels for name, (_, levels) in zip(names, columns, strict=True) if levels}
    flags = np.array([name in states for name in names], bool)
    values = np.asfortranarray(np.column_stack([numbers for numbers, _ in columns])) if columns else np.empty((0, 0))
    check_table(values, names, FRAME, gaps=gaps)
    start = canonical_order(values, flags)
    values, names = np.asfortranarray(values[:, start]), [names[i] for i in start]
    return Table(values, flags[start], names, order[start], states, named=True)


def _of_array(data: Any, discrete: Sequence[str], continuous: Sequence[str], missing: Missing) -> Table:
    values = _array(data)
    names, absent = numbered(values.shape[1]), np.isnan(values)
    _check_gaps(absent, names, ARRAY, missing)
    if missing == "drop":
        values = np.asfortranarray(values[~absent.any(axis=1)])
    check_table(values, names, ARRAY, gaps=missing == "impute")
    roles = _roles(discrete, continuous, names)
    flags = np.array([roles.get(name) == "discrete" for name in names], bool)
    states = {}
    for i in np.flatnonzero(flags).tolist():
        there = ~np.isnan(values[:, i])
        typed = _typed(number_column(names[i], values[there, i]), "discrete", ARRAY)
        values = values.copy(order="F") if values is data else values
        values[there, i], states[names[i]] = typed.values, typed.levels
    return Table(values, flags, names, np.arange(len(names)), states, named=bool(states))


def _array(data: Any) -> np.ndarray:
    """Return an array or nested lists as float64 [N, n], columns contiguous."""
    if data is None:
        raise InputError("values: there are none; give an array [N, n] of numbers, or a data frame")
    try:
        array = np.asarray(data)
        kinds = (
            {array.dtype.kind} if array.dtype.kind != "O" else {np.min_scalar_type(cell).kind for cell in array.flat}
        )
        if kinds & {*"cmM"}:
            raise TypeError("times and complex numbers are not taken for numbers")
        array = np.asarray(data, float)
    except (TypeError, ValueError) as problem:
        raise InputError(f"values: {problem}; give an array [N, n] of numbers, or a data frame") from None
    if array.ndim != 2:
        raise InputError(
            f"values: an array [N, n] of N records and n variables is expected, not one of shape {array.shape}"
        )
    return np.asfortranarray(array)


def _frame(data: Any) -> nw.DataFrame:
    """Return a data frame, whose columns must have different names."""
    try:
        return nw.from_native(data, eager_only=True)
    except nw.exceptions.DuplicateError:
        names = [str(name) for name in data.columns]
        twice = next(name for i, name in enumerate(names) if name in names[:i])
        raise InputError(f"the data frame: two columns are named {twice}; rename one") from None


def _roles(discrete: Sequence[str], continuous: Sequence[str], names: Sequence[str]) -> dict[str, str]:
    """Return what a user says of columns, by name."""
    roles: dict[str, str] = {}
    for kind, listed_names in (("discrete", discrete), ("continuous", continuous)):
        if isinstance(listed_names, str):
            raise InputError(f"{kind}: give a list of names, such as [{listed_names!r}]")
        for name in listed_names:
            if name not in names:
                raise InputError(f"{kind}: no column {name!r}{suggest(str(name), names)}")
            if roles.setdefault(name, kind) != kind:
                raise InputError(f"{kind}: {name!r} is also in {roles[name]}; name it once")
    return roles


def _marks(data: Any) -> dict[str, str]:
    """Return what `cutpoint.data.arrow.table_of` says of the columns of an Arrow table, by name."""
    if not isinstance(data, pa.Table):
        return {}
    notes = {field.name: (field.metadata or {}).get(arrow.ROLE, b"").decode() for field in data.schema}
    return {name: note for name, note in notes.items() if note}


def _column(column: nw.Series, name: str, role: str | None, gaps: bool) -> tuple[np.ndarray, tuple[str, ...]]:
    """Return a column as numbers, and the states that they are codes of, () for a continuous one.

    Cells may be missing, and are NaN then, where `gaps` says so.
    """
    absent = _missing(column) if gaps else np.zeros(len(column), bool)
    if absent.any():
        numbers, states = np.full(len(column), np.nan), tuple[str, ...]()
        if not absent.all():
            numbers[~absent], states = _column(column.filter((~absent).tolist()), name, role, gaps=False)
        return numbers, states
    if column.dtype.is_nested() or (column.dtype == nw.Object and any(np.ndim(cell) for cell in column.to_list())):
        row = next((i for i, cell in enumerate(column.to_list(), 1) if np.ndim(cell) or isinstance(cell, list)), 1)
        raise InputError(f"{FRAME}: column {name}, row {row}: several values in one cell; give each a column")
    if column.dtype.is_numeric():
        values = np.asarray(column.to_numpy(), float)
        if role != "discrete" and (role == "continuous" or _plainly_continuous(values)):
            return values, ()
        typed = _typed(number_column(name, values), role, FRAME)
    else:
        typed = _typed(_text_column(column, name), role, FRAME)
    return typed.values, typed.levels


def _plainly_continuous(values: np.ndarray) -> bool:
    """Return whether the rule takes numbers for continuous ones, as the first records are enough to tell of most."""
    if len(np.unique(values[:HEAD])) <= MAX_LEVELS:
        return False
    steps = np.diff(values)
    return not ((steps >= 1).all() and np.median(steps) == 1)


def _text_column(column: nw.Series, name: str) -> Column:
    if isinstance(column.dtype, nw.Boolean):
        return text_column(name, column.to_numpy().astype(str).tolist(), "boolean")
    if isinstance(column.dtype, nw.String | nw.Categorical | nw.Enum | nw.Object | nw.Date | nw.Datetime):
        return text_column(name, [str(cell) for cell in column.to_list()], "text")
    return Column(name, "other", [str(column.dtype)], np.zeros(len(column), np.int64))


def _typed(column: Column, role: str | None, source: str) -> TypedColumn:
    """Return a column as values or codes, or raise InputError with the argument that may help."""
    try:
        return TypedColumn(column, role, source, lambda row: f"{source}, row {row + 1}")
    except Unusable as problem:
        hints = [problem.correct or "leave the column out", *(f"pass {key}=[{problem.name!r}]" for key in problem.keys)]
        raise InputError(f"{problem.fact}; {', or '.join(hints)}") from None


def _missing(column: nw.Series) -> np.ndarray:
    """Return which cells of a column are missing, bool [N]: empty ones, and NaN among numbers."""
    absent = column.is_null()
    return np.asarray(
        (absent | column.is_nan() if column.dtype.is_float() else absent).fill_null(True).to_numpy(), bool
    )


def _check_gaps(absent: np.ndarray, names: Sequence[str], source: str, missing: Missing) -> None:
    """Raise InputError where there is nothing to learn from, or cells are missing of which nothing is said.

    Args:
        absent: which cells are missing, bool [N, n].
        names: of the columns.
        source: of the values, for messages.
        missing: what is done with records that have a missing cell.
    """
    rows, records = absent.any(axis=1), len(absent)
    if not absent.size:
        raise InputError(f"{source}: no {'rows' if absent.shape[1] else 'columns'}")
    if absent.all(axis=0).any():
        empty = names[int(absent.all(axis=0).argmax())]
        raise InputError(f"{source}: column {empty}: all cells are missing; leave the column out")
    if missing == "refuse" and rows.any():
        row = int(rows.argmax())
        where = f"{source}: column {names[int(absent[row].argmax())]}, row {row + 1}"
        count = f"{absent.sum()} in all, in {rows.sum()} of {records} rows"
        what = "NaN, a missing cell" if source == ARRAY else "a missing cell"
        hint = "learn, fit, edge_confidence and advise take missing='drop', which leaves these rows out, and 'impute'"
        raise InputError(f"{where}: {what} ({count}); {hint}")
    if missing == "drop" and rows.all():
        raise InputError(f"{source}: no rows are left, for each of the {records} has a missing cell")


def _check_nulls(column: nw.Series, where: str) -> None:
    if column.is_null().any():
        row = int(np.flatnonzero(column.is_null().to_numpy())[0]) + 1
        hint = "fill the cell or leave the row out; learn and fit also take missing='drop' and missing='impute'"
        raise InputError(f"{where}, row {row}: missing; {hint}")


@dataclass(frozen=True)
class Records:
    """Records as a user gives them: columns of any type, with or without names.

    Attributes:
        source: what they are, for messages.
        names: of the columns, None for an array.
        columns: [n] arrays [M] of cells.
        single: whether it is one record and not a table.
    """

    source: str
    names: list[str] | None
    columns: list[np.ndarray]
    single: bool = False

    def matched(self, variables: Sequence[str] | None, n: int) -> list[tuple[str, np.ndarray]]:
        """Return the name and cells of n variables, by name where both sides have names and by position otherwise.

        Raises:
            InputError: naming the columns that are missing or unknown, or saying how many there are.
        """
        if self.names is None or variables is None:
            if len(self.columns) != n:
                raise InputError(f"thresholds: {n} lists for {len(self.columns)} columns")
            return list(zip(variables or self.names or numbered(n), self.columns, strict=True))
        check_names(self.names, self.source)
        place = {name: i for i, name in enumerate(self.names)}
        if missing := [name for name in variables if name not in place]:
            raise InputError(f"{self.source}: no {_columns(missing)}, which the thresholds were learned with")
        known = set(variables)
        if unknown := [name for name in self.names if name not in known]:
            raise InputError(f"{self.source}: the thresholds know no {_columns(unknown)}; leave out what is unknown")
        return [(name, self.columns[place[name]]) for name in variables]


def records_of(data: Any) -> Records:
    """Return a data frame, an array [M, n] or a single record: an array [n], a dict or a pandas Series of its cells.

    Raises:
        InputError: for anything else, or a missing cell of a frame.
    """
    if isinstance(data, Mapping):
        return _one_record(list(data), list(data.values()))
    if nw.dependencies.is_pandas_series(data):
        return _one_record(list(data.index), list(data))
    if not isinstance(data, np.ndarray) and _is_frame(data):
        frame = _frame(data)
        for name in frame.columns:
            _check_nulls(frame.get_column(name), f"the data frame: column {name}")
        names = [str(name) for name in frame.columns]
        return Records("the data frame", names, [frame.get_column(name).to_numpy() for name in frame.columns])
    array = data if isinstance(data, np.ndarray) else np.asarray(data, object)
    if array.ndim not in (1, 2):
        raise InputError(f"values: a record [n] or an array [N, n] is expected, not shape {array.shape}")
    return Records("the array", None, list(np.atleast_2d(array).T), array.ndim == 1)


def _one_record(names: Sequence[Any], cells: Sequence[Any]) -> Records:
    labels = [str(name) for name in names]
    for label, cell in zip(labels, cells, strict=True):
        if np.ndim(cell):
            raise InputError(f"the record: column {label}: several values; give several records as a data frame")
    return Records("the record", labels, [np.array([cell], object) for cell in cells], single=True)


def state_codes(cells: np.ndarray, states: Sequence[str], where: str) -> np.ndarray:
    """Return the codes of the states in some cells, float64 [M].

    Raises:
        InputError: naming the first state that is unknown, and its row.
    """
    texts, index = np.unique(cells.astype(str), return_inverse=True)
    codes = code_of_states(texts.tolist(), states)[index]
    if (codes < 0).any():
        row = int(np.argmax(codes < 0))
        text = str(texts[index[row]])
        raise InputError(f"{where}, row {row + 1}: unknown state {text!r}{suggest(text, states)}")
    return codes


def finite_numbers(cells: np.ndarray, where: str) -> np.ndarray:
    """Return some cells as finite numbers, float64 [M].

    Raises:
        InputError: naming the first cell that is none, and its row.
    """
    if cells.dtype.kind in "iuf":
        values = cells.astype(float)
    else:
        values = np.array([np.nan if (value := number(str(cell))) is None else value for cell in cells], float)
    if not np.isfinite(values).all():
        row = int(np.argmin(np.isfinite(values)))
        raise InputError(f"{where}, row {row + 1}: {str(cells[row])!r} is not a finite number")
    return values


def _columns(names: Sequence[str]) -> str:
    return f"{'column' if len(names) == 1 else 'columns'} {listed(names)}"


def names_of(data: Any) -> list[str] | None:
    """Return the names of the columns of a data frame, None for anything else."""
    return [str(name) for name in nw.from_native(data, eager_only=True).columns] if _is_frame(data) else None


def _is_frame(data: Any) -> bool:
    """Return whether data are a data frame; raise InputError where names stand twice in it."""
    try:
        _frame(data)
    except TypeError:
        return False
    except nw.exceptions.DuplicateError:
        names = [str(name) for name in getattr(data, "column_names", data.columns)]
        check_names(names, FRAME)
        raise
    return True
