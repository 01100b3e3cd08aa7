"""Arrays and data frames of any library as what the methods take."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.data.columns import check_table, levels_of
from cutpoint.graphs.dags import numbered


@dataclass
class Table:
    """Checked values, columns in the order of their sorted names.

    Attributes:
        values: float64 [N, n], columns contiguous.
        discrete: bool [n], columns that hold codes 0..r-1.
        names: of the columns; x0, x1, ... for an array.
        order: int64 [n], the position of each column in the user's data.
    """

    values: np.ndarray
    discrete: np.ndarray
    names: list[str]
    order: np.ndarray

    def restore(self, graph: np.ndarray | None) -> np.ndarray | None:
        """Return a graph in the user's order of columns."""
        if graph is None:
            return None
        back = np.argsort(self.order)
        return graph[np.ix_(back, back)]

    def restore_list(self, items: list | None) -> list | None:
        """Return one item per column in the user's order."""
        return None if items is None else [items[i] for i in np.argsort(self.order)]


def read_table(data: Any) -> Table:
    """Return an array [N, n] or a data frame (Arrow, pandas, polars) as checked values.

    In a frame, columns of text, categories or booleans are discrete; in an array every column is
    continuous. An array keeps its order of columns.

    Raises:
        InputError: naming the column, for text in a number column, NaN, infinity or a constant column.
    """
    if isinstance(data, str | bytes | os.PathLike):
        raise InputError(f"values: {data!r} is text; read the file first, for example with pandas.read_csv")
    if isinstance(data, np.ndarray) or not _is_frame(data):
        try:
            values = np.asfortranarray(data, dtype=float)
        except (TypeError, ValueError) as problem:
            raise InputError(f"values: {problem}; give an array [N, n] of numbers, or a data frame") from None
        names = numbered(values.shape[1]) if values.ndim == 2 else []
        discrete = np.zeros(len(names), bool)
        check_table(values, names, "the array")
        return Table(values, discrete, names, np.arange(len(names)))
    frame = nw.from_native(data, eager_only=True)
    labels = [str(name) for name in frame.columns]
    order = np.array(sorted(range(len(labels)), key=labels.__getitem__), np.int64)
    columns = [_column(frame.get_column(frame.columns[i]), labels[i]) for i in order]
    names = [labels[i] for i in order]
    discrete = np.array([coded for _, coded in columns], bool)
    values = np.asfortranarray(np.column_stack([numbers for numbers, _ in columns])) if columns else np.empty((0, 0))
    check_table(values, names, "the data frame")
    return Table(values, discrete, names, order)


def _column(column: nw.Series, name: str) -> tuple[np.ndarray, bool]:
    """Return a column as numbers, and whether they are codes."""
    where = f"the data frame: column {name}"
    if column.is_null().any():
        row = int(np.flatnonzero(column.is_null().to_numpy())[0]) + 1
        raise InputError(f"{where}, row {row}: missing; fill the cell or leave the row out")
    if column.dtype.is_numeric():
        return np.asarray(column.to_numpy(), float), False
    if not isinstance(column.dtype, nw.String | nw.Categorical | nw.Enum | nw.Boolean | nw.Object):
        raise InputError(f"{where}: {column.dtype} is neither a number nor a state; convert or drop the column")
    texts, index = np.unique(column.to_numpy().astype(str), return_inverse=True)
    return levels_of(texts.tolist())[0][index], True


def names_of(data: Any) -> list[str] | None:
    """Return the names of the columns of a data frame, None for anything else."""
    return [str(name) for name in nw.from_native(data, eager_only=True).columns] if _is_frame(data) else None


def _is_frame(data: Any) -> bool:
    try:
        nw.from_native(data, eager_only=True)
    except TypeError:
        return False
    return True
