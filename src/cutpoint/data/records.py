"""Records as a user gives them, one or many, for thresholds and models that were learned before."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.base.text import listed, suggest
from cutpoint.data.cells import meant, raw_column, table_in_form
from cutpoint.data.columns import INDEX, LARGEST, RawColumn, RawTable, code_of_states, number_column
from cutpoint.data.frames import FRAME, is_frame, raw_of
from cutpoint.data.table import Table, check_names
from cutpoint.graphs.dags import numbered

Cells = np.ndarray | RawColumn  # of one variable, [M]: numbers, NaN for a missing cell, or any others


@dataclass(frozen=True)
class Records:
    """Records as a user gives them: columns of any type, with or without names."""

    source: str  # what they are, for messages
    names: list[str] | None  # of the columns, None for an array
    columns: Sequence[Cells]
    single: bool = False  # whether it is one record and not a table

    def matched(self, variables: Sequence[str] | None, n: int) -> list[tuple[str, Cells]]:
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
        return _of_table(data)
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


def _of_table(table: Table) -> Records:
    columns: list[Cells] = []
    for name, values in zip(table.variables, table.values.T, strict=True):
        codes = np.nan_to_num(values, nan=-1).astype(int)
        columns.append(RawColumn(name, "text", [*table.levels[name]], codes) if name in table.levels else values)
    return Records(table.source, list(table.variables) if table.named else None, columns)


def _one_record(names: Sequence[Any], cells: Sequence[Any]) -> Records:
    labels = [str(name) for name in names]
    for label, cell in zip(labels, cells, strict=True):
        if np.ndim(cell):
            raise InputError(f"the record: column {label}: several values; give several records as a data frame")
    columns = [cells_of(label, [cell]) for label, cell in zip(labels, cells, strict=True)]
    return Records("the record", labels, columns, single=True)


def cells_of(name: str, cells: Any) -> Cells:
    """Return the cells of an array, or of one record, as `raw_of` reads those of a frame."""
    if isinstance(cells, np.ndarray) and cells.dtype.kind == "f":
        return cells
    raw = RawTable(name, (meant(raw_column(name, cells)),), len(cells), str)
    return table_in_form(raw).columns[0]


def coded(cells: Cells, states: Sequence[str] | None, where: str, *, gaps: bool = False) -> np.ndarray:
    """Return the codes of states in cells, or their numbers, float64 [M]; with gaps a missing cell may be, as NaN."""
    absent = cells.missing if isinstance(cells, RawColumn) else np.isnan(cells)
    if absent.any() and not gaps:
        hint = "fill the cell or leave the row out; learn and fit also take missing='drop' and missing='impute'"
        raise InputError(f"{where}, row {int(absent.argmax()) + 1}: missing; {hint}")
    if states is None:
        return _numbers(cells, absent, where)
    column = cells if isinstance(cells, RawColumn) else number_column("", cells)
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


def _numbers(column: Cells, absent: np.ndarray, where: str) -> np.ndarray:
    values = np.append(column.numbers, np.nan)[column.index] if isinstance(column, RawColumn) else column
    if (wrong := ~np.isfinite(values) & ~absent).any():
        row = int(np.argmax(wrong))
        raise InputError(f"{where}, row {row + 1}: {_text(column, row)!r} is not a finite number")
    if (large := np.abs(values) > LARGEST).any():
        row = int(np.argmax(large))
        raise InputError(f"{where}, row {row + 1}: {values[row]:g} is larger than {LARGEST:g}; take another unit")
    return values


def _text(cells: Cells, row: int) -> str:
    if not isinstance(cells, RawColumn):
        return str(cells[row])
    column = cells.as_written or cells
    return column.texts[column.index[row]]


def _columns(names: Sequence[str]) -> str:
    return f"{'column' if len(names) == 1 else 'columns'} {listed(names)}"
