"""What a user hands over in Python: arrays and data frames of any library as typed tables, and records as columns."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import narwhals as nw
import numpy as np
import pyarrow as pa

from cutpoint.base.errors import InputError
from cutpoint.base.text import listed, suggest
from cutpoint.data.cells import meant, numbers_of, raw_column, table_in_form, without_index
from cutpoint.data.columns import EXACT, INDEX, LARGEST, RawColumn, RawTable, TypedColumn, code_of_states, number_column
from cutpoint.data.roles import Roles
from cutpoint.data.table import Table, check_names, check_table, check_width, table_of, typed
from cutpoint.graphs.dags import numbered
from cutpoint.options import Missing

FRAME, ARRAY = "the data frame", "the array"


def read_table(
    data: Any,
    discrete: Sequence[str] = (),
    continuous: Sequence[str] = (),
    missing: Missing = "refuse",
    ordered: Sequence[str] = (),
) -> Table:
    """Return an array [N, n] or a data frame (Arrow, pandas, polars) as a typed table; a `Table` keeps its types.

    In a frame, a column is discrete or continuous by the rule of `cutpoint.data.columns.TypedColumn`; in an array it is
    continuous, unless named. Of records with a missing cell missing="drop" leaves out all, and "impute" none.
    """
    if isinstance(data, str | bytes | os.PathLike):
        raise InputError(f"values: {data!r} is text; read the file first, for example with pandas.read_csv")
    roles = Roles(discrete or (), ordered or (), continuous or (), missing=missing)
    if isinstance(data, Table):
        return _of_table(data, roles)
    if isinstance(data, np.ndarray) or not is_frame(data):
        return _of_array(data, roles)
    raw = without_index(raw_of(data), roles)
    names = [column.name for column in raw.columns]
    absent = np.array([column.missing for column in raw.columns], bool).reshape(len(names), raw.rows).T
    gaps = _gaps(absent, names, FRAME, missing)
    roles.check(names)
    check_names(names, FRAME)
    return table_of(raw, _usable(raw, roles, gaps if missing == "drop" else None), gaps, roles, notes=raw.notes)


def _usable(raw: RawTable, roles: Roles, gaps: np.ndarray | None = None) -> list[TypedColumn]:
    """Return the typed columns, or raise InputError for the first that cannot be used with the argument that helps."""
    usable, unusable = typed(raw, raw.columns, roles, gaps)
    for problem in unusable:
        correct = "correct its cells" if problem.repair else problem.correct or "leave the column out"
        hints = [correct, *(f"pass {key}=[{problem.name!r}]" for key in problem.keys)]
        raise InputError(f"{problem.fact}; {', or '.join(hints)}")
    return usable


def _of_table(table: Table, roles: Roles) -> Table:
    """Return the rows of a typed table, which keeps its types."""
    roles.check(table.variables)
    for name in (*roles.discrete, *roles.ordered, *roles.continuous):
        if (name in table.levels) != (name not in roles.continuous):
            key = roles.of(name)
            raise InputError(f"{key}: {table.source} is read with another type of {name!r}; pass {key} to read_data")
    gaps = _gaps(table.missing, table.variables, table.source, roles.missing)
    table = table.select(~gaps) if roles.missing == "drop" and gaps.any() else table
    check_table(table.values, table.variables, table.source, gaps=roles.missing == "impute")
    return table


def _of_array(data: Any, roles: Roles) -> Table:
    """Return the table of an array, in which only columns that are declared so are discrete."""
    values = as_array(data)
    check_width(values.shape[1], ARRAY)
    names = numbered(values.shape[1])
    gaps = _gaps(np.isnan(values), names, ARRAY, roles.missing)
    if roles.missing == "drop":
        values = np.asfortranarray(values[~gaps])
    check_table(values, names, ARRAY, gaps=roles.missing == "impute")
    roles.check(names)
    chosen = [i for i, name in enumerate(names) if name in (*roles.discrete, *roles.ordered)]
    columns = tuple(number_column(names[i], values[:, i]) for i in chosen)
    raw = RawTable(ARRAY, columns, len(values), lambda row: f"{ARRAY}, row {row + 1}")
    levels = {}
    values = values.copy(order="F") if chosen and values is data else values
    for i, column in zip(chosen, _usable(raw, roles), strict=True):
        values[column.rows, i], levels[names[i]] = column.values, column.levels
    return Table(
        source=ARRAY,
        variables=tuple(names),
        values=values,
        discrete=np.isin(names, [*levels]),
        levels=levels,
        named=bool(levels),
        roles=roles,
    )


def as_array(data: Any) -> np.ndarray:
    """Return an array or nested lists as float64 [N, n], columns contiguous."""
    if data is None:
        raise InputError("values: there are none; give an array [N, n] of numbers, or a data frame")
    if isinstance(data, np.ma.MaskedArray):
        data = np.ma.filled(data.astype(float), np.nan)
    try:
        array = np.asarray(data)
        types = [np.min_scalar_type(cell) for cell in array.flat] if array.dtype.kind == "O" else [array.dtype]
        if {each.kind for each in types} & {*"cmM"}:
            raise TypeError("times and complex numbers are not taken for numbers")
        array = np.asarray(data, float)
    except (TypeError, ValueError) as problem:
        raise InputError(f"values: {problem}; give an array [N, n] of numbers, or a data frame") from None
    if array.ndim != 2:
        what = "an array [N, n] of N records and n variables"
        raise InputError(f"values: {what} is expected, not one of shape {array.shape}")
    return np.asfortranarray(array)


def frame_of(data: Any) -> nw.DataFrame:
    """Return a data frame, whose columns must have different names."""
    try:
        return nw.from_native(pa.table(data) if isinstance(data, pa.RecordBatch) else data, eager_only=True)
    except nw.exceptions.DuplicateError:
        names = [str(name) for name in getattr(data, "column_names", data.columns)]  # of an Arrow table, or another
        twice = next(name for i, name in enumerate(names) if name in names[:i])
        raise InputError(f"the data frame: two columns are named {twice}; rename one") from None


def raw_of(data: Any) -> RawTable:
    """Return a data frame as raw columns."""
    frame = frame_of(data)
    check_width(len(frame.columns), FRAME)
    columns = tuple(meant(_column(frame.get_column(name), str(name))) for name in frame.columns)
    return table_in_form(RawTable(FRAME, columns, len(frame), lambda row: f"{FRAME}, row {row + 1}"))


def _column(series: nw.Series, name: str) -> RawColumn:
    empty = series.is_null()
    empty = (empty | series.is_nan() if series.dtype.is_float() else empty).fill_null(True)
    absent = np.asarray(empty.to_numpy(), bool)  # NaN among numbers too
    there = series.filter((~absent).tolist()) if absent.any() else series
    if there.dtype.is_nested() or (there.dtype == nw.Object and any(np.ndim(cell) for cell in there.to_list())):
        row = next((i for i, cell in enumerate(series.to_list(), 1) if np.ndim(cell) or isinstance(cell, list)), 1)
        raise InputError(f"{FRAME}: column {name}, row {row}: several values in one cell; give each a column")
    large = there.dtype.is_integer() and len(there) and max(abs(int(there.min())), abs(int(there.max()))) > EXACT
    if there.dtype.is_numeric() and not large and not there.dtype.is_decimal():
        plain = there.to_numpy() if there.dtype.is_float() else there.cast(nw.Float64()).to_numpy()
        values = np.full(len(series), np.nan, plain.dtype)
        values[~absent] = plain
        return numbers_of(name, values)
    if there.dtype != nw.Unknown or absent.all() or str(series.to_native().dtype).startswith(("period", "interval")):
        cells = np.full(len(series), None, object)
        cells[~absent] = there.to_list()
        column = raw_column(name, cells.tolist())
        return replace(column, kind="text") if isinstance(there.dtype, nw.Categorical | nw.Enum) else column
    return RawColumn(name, "other", [str(there.dtype)], np.where(absent, -1, 0))


def _gaps(absent: np.ndarray, names: Sequence[str], source: str, missing: Missing) -> np.ndarray:
    """Return the rows with a missing cell, bool [N], or raise InputError where they are refused or nothing is left."""
    rows, records = np.any(absent, axis=1), len(absent)
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
        hint = "learn, fit and edge_confidence take missing='drop', which leaves these rows out, and 'impute'"
        raise InputError(f"{where}: {what} ({count}); {hint}")
    if missing == "drop" and rows.all():
        raise InputError(f"{source}: no rows are left, for each of the {records} has a missing cell")
    return rows


def names_of(data: Any) -> list[str] | None:
    """Return the names of the columns of a table or data frame, None for anything else."""
    if isinstance(data, Table):
        return list(data.variables)
    return [str(name) for name in nw.from_native(data, eager_only=True).columns] if is_frame(data) else None


def is_frame(data: Any) -> bool:
    """Return whether data are a data frame; raise InputError where names stand twice in it."""
    try:
        frame_of(data)
    except TypeError:
        return False
    return True


@dataclass(frozen=True)
class Records:
    """Records as a user gives them: columns of any type, with or without names."""

    source: str  # what they are, for messages
    names: list[str] | None  # of the columns, None for an array
    columns: Sequence[RawColumn]
    single: bool = False  # whether it is one record and not a table

    def matched(self, variables: Sequence[str] | None, n: int) -> list[tuple[str, RawColumn]]:
        """Return the name and cells of n variables, by name where both sides have names and by position otherwise."""
        if self.names is None or variables is None:
            if len(self.columns) != n:
                raise InputError(f"thresholds: {n} lists for {len(self.columns)} columns")
            return list(zip(variables or self.names or numbered(n), self.columns, strict=True))
        check_names([name for name in self.names if name], self.source)
        place = {name: i for i, name in enumerate(self.names)}
        if missing := [name for name in variables if name not in place]:
            raise InputError(f"{self.source}: no {_columns(missing)}, which the thresholds were learned with")
        if unknown := sorted({*self.names} - {*variables, *INDEX}, key=self.names.index):
            raise InputError(f"{self.source}: the thresholds know no {_columns(unknown)}; leave out what is unknown")
        return [(name, self.columns[place[name]]) for name in variables]


def records_of(data: Any) -> Records:
    """Return the records of a table, data frame or array [M, n], or a single one: an array [n], dict or Series."""
    if isinstance(data, Table):
        return _records_of_table(data)
    if isinstance(data, Mapping):
        return _one_record(list(data), list(data.values()))
    if nw.dependencies.is_pandas_series(data):
        return _one_record(list(data.index), list(data))
    if not isinstance(data, np.ndarray) and is_frame(data):
        raw = raw_of(data)
        return Records(FRAME, [column.name for column in raw.columns], raw.columns)
    array = np.ma.filled(data.astype(float), np.nan) if np.ma.is_masked(data) else np.asarray(data)
    if array.dtype.kind not in "biuf":  # lists of numbers and texts too, which would all become texts
        array = np.asarray(data, object)
    if array.ndim not in (1, 2):
        raise InputError(f"values: a record [n] or an array [N, n] is expected, not shape {array.shape}")
    columns = np.atleast_2d(array).T
    cells = columns if array.dtype == object else columns.astype(float)
    return Records("the array", None, [cells_of("", column) for column in cells], array.ndim == 1)


def _records_of_table(table: Table) -> Records:
    columns: list[RawColumn] = []
    for name, values in zip(table.variables, table.values.T, strict=True):
        codes = np.nan_to_num(values, nan=-1).astype(int)
        states = table.levels.get(name)
        columns.append(RawColumn(name, "text", [*states], codes) if states else number_column(name, values))
    return Records(table.source, list(table.variables) if table.named else None, columns)


def _one_record(names: Sequence[Any], cells: Sequence[Any]) -> Records:
    labels = [str(name) for name in names]
    for label, cell in zip(labels, cells, strict=True):
        if np.ndim(cell):
            raise InputError(f"the record: column {label}: several values; give several records as a data frame")
    columns = [cells_of(label, [cell]) for label, cell in zip(labels, cells, strict=True)]
    return Records("the record", labels, columns, single=True)


def cells_of(name: str, cells: Any) -> RawColumn:
    """Return the cells of an array, or of one record, as `raw_of` reads those of a frame."""
    if isinstance(cells, np.ndarray) and cells.dtype.kind == "f":
        return number_column(name, cells)
    return table_in_form(RawTable(name, (meant(raw_column(name, cells)),), len(cells), str)).columns[0]


def coded(column: RawColumn, states: Sequence[str] | None, where: str, *, gaps: bool = False) -> np.ndarray:
    """Return the codes of states in cells, or their numbers, float64 [M]; with gaps a missing cell may be, as NaN."""
    absent = column.missing
    if absent.any() and not gaps:
        hint = "fill the cell or leave the row out; learn and fit also take missing='drop' and missing='impute'"
        raise InputError(f"{where}, row {int(absent.argmax()) + 1}: missing; {hint}")
    if states is None:
        return _numbers(column, where)
    values = _states(column, states)
    if column.as_written is not None:  # a state may be a text that means something where it stands alone
        values = np.where(values < 0, _states(column.as_written, states), values)
    if (values < 0).any():
        row = int(np.argmax(values < 0))
        text = _text(column, row)
        raise InputError(f"{where}, row {row + 1}: unknown state {text!r}{suggest(text, states)}")
    return values


def _states(column: RawColumn, states: Sequence[str]) -> np.ndarray:
    return np.append(code_of_states(column.texts, states), np.nan)[column.index]


def _numbers(column: RawColumn, where: str) -> np.ndarray:
    values = np.append(column.numbers, np.nan)[column.index]
    if (wrong := ~np.isfinite(values) & ~column.missing).any():
        row = int(np.argmax(wrong))
        raise InputError(f"{where}, row {row + 1}: {_text(column, row)!r} is not a finite number")
    if (large := np.abs(values) > LARGEST).any():
        row = int(np.argmax(large))
        raise InputError(f"{where}, row {row + 1}: {values[row]:g} is larger than {LARGEST:g}; take another unit")
    return values


def _text(column: RawColumn, row: int) -> str:
    column = column.as_written or column
    return column.texts[column.index[row]]


def _columns(names: Sequence[str]) -> str:
    return f"{'column' if len(names) == 1 else 'columns'} {listed(names)}"
