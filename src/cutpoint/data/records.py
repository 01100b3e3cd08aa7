"""Records as a user gives them, one or many, for thresholds and models that were learned before."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.base.text import listed, suggest
from cutpoint.data.columns import RawColumn, code_of_states, number
from cutpoint.data.frames import FRAME, frame_of, is_frame
from cutpoint.data.table import LARGEST, Table, check_names
from cutpoint.graphs.dags import numbered

Cells = np.ndarray | RawColumn  # of one variable, [M]; a `RawColumn` has texts


def _check_missing(missing: np.ndarray, where: str) -> None:
    """Raise InputError for the first missing cell of a column, bool [M]."""
    if missing.any():
        row = int(missing.argmax()) + 1
        hint = "fill the cell or leave the row out; learn and fit also take missing='drop' and missing='impute'"
        raise InputError(f"{where}, row {row}: missing; {hint}")


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
        check_names(self.names, self.source)
        place = {name: i for i, name in enumerate(self.names)}
        if missing := [name for name in variables if name not in place]:
            raise InputError(f"{self.source}: no {_columns(missing)}, which the thresholds were learned with")
        if unknown := sorted({*self.names} - {*variables}, key=self.names.index):
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
        frame = frame_of(data)
        for name in frame.columns:
            _check_missing(np.asarray(frame.get_column(name).is_null().to_numpy(), bool), f"{FRAME}: column {name}")
        names = [str(name) for name in frame.columns]
        return Records(FRAME, names, [frame.get_column(name).to_numpy() for name in frame.columns])
    array = data if isinstance(data, np.ndarray) else np.asarray(data, object)
    if np.ma.is_masked(array):
        _check_missing(np.atleast_1d(np.ma.getmaskarray(array).reshape(len(array), -1).any(axis=1)), "the array")
    if array.ndim not in (1, 2):
        raise InputError(f"values: a record [n] or an array [N, n] is expected, not shape {array.shape}")
    return Records("the array", None, list(np.atleast_2d(array).T), array.ndim == 1)


def _of_table(table: Table) -> Records:
    columns: list[Cells] = []
    for name, values, missing in zip(table.variables, table.values.T, table.missing.T, strict=True):
        _check_missing(missing, f"{table.source}: column {name}")
        discrete = name in table.levels
        columns.append(RawColumn(name, "text", [*table.levels[name]], values.astype(int)) if discrete else values)
    return Records(table.source, list(table.variables) if table.named else None, columns)


def _one_record(names: Sequence[Any], cells: Sequence[Any]) -> Records:
    labels = [str(name) for name in names]
    for label, cell in zip(labels, cells, strict=True):
        if np.ndim(cell):
            raise InputError(f"the record: column {label}: several values; give several records as a data frame")
    return Records("the record", labels, [np.array([cell], object) for cell in cells], single=True)


def state_codes(cells: Cells, states: Sequence[str], where: str) -> np.ndarray:
    """Return the codes of the states in some cells, float64 [M]."""
    if isinstance(cells, RawColumn):
        texts, index = cells.texts, cells.index
    else:
        distinct, index = np.unique(cells.astype(str), return_inverse=True)
        texts = distinct.tolist()
    codes = code_of_states(texts, states)[index]
    if (codes < 0).any():
        row = int(np.argmax(codes < 0))
        text = texts[index[row]]
        raise InputError(f"{where}, row {row + 1}: unknown state {text!r}{suggest(text, states)}")
    return codes


def finite_numbers(cells: Cells, where: str) -> np.ndarray:
    """Return some cells as finite numbers, float64 [M]."""
    array = np.array(cells.texts, object)[cells.index] if isinstance(cells, RawColumn) else cells
    if array.dtype.kind in "iuf":
        values = array.astype(float)
    else:
        values = np.array([np.nan if (value := number(str(cell))) is None else value for cell in array], float)
    if not np.isfinite(values).all():
        row = int(np.argmin(np.isfinite(values)))
        raise InputError(f"{where}, row {row + 1}: {str(array[row])!r} is not a finite number")
    if (np.abs(values) > LARGEST).any():
        row = int(np.argmax(np.abs(values) > LARGEST))
        raise InputError(f"{where}, row {row + 1}: {values[row]:g} is larger than {LARGEST:g}; take another unit")
    return values


def _columns(names: Sequence[str]) -> str:
    return f"{'column' if len(names) == 1 else 'columns'} {listed(names)}"
