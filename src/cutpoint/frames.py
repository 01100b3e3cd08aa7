"""Arrays and data frames of any library as what the methods take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np

from cutpoint.columns import check_table


@dataclass
class Table:
    """Checked values, columns in the order of their sorted names.

    Attributes:
        values: float64 [N, n], columns contiguous.
        frozen: bool [n], columns that hold codes 0..r-1.
        names: of the columns; x0, x1, ... for an array.
        order: int64 [n], the place of each column in what the user gave.
    """

    values: np.ndarray
    frozen: np.ndarray
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
    if isinstance(data, np.ndarray) or not _is_frame(data):
        values = np.asfortranarray(data, dtype=float)
        names = [f"x{i}" for i in range(values.shape[1])] if values.ndim == 2 else []
        frozen = np.zeros(len(names), bool)
        check_table(values, names, frozen, "the array")
        return Table(values, frozen, names, np.arange(len(names)))
    frame = nw.from_native(data, eager_only=True)
    order = np.array(sorted(range(len(frame.columns)), key=frame.columns.__getitem__), np.int64)
    names = [frame.columns[i] for i in order]
    frozen = np.array([not frame[name].dtype.is_numeric() for name in names], bool)
    values = np.empty((len(frame), len(names)), order="F")
    for i, name in enumerate(names):
        column = frame[name].to_numpy()
        values[:, i] = np.unique(column.astype(str), return_inverse=True)[1] if frozen[i] else column
    check_table(values, names, frozen, "the data frame")
    return Table(values, frozen, names, order)


def _is_frame(data: Any) -> bool:
    try:
        nw.from_native(data, eager_only=True)
    except TypeError:
        return False
    return True
