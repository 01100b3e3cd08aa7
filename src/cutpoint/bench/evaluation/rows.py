"""Graphs and thresholds of rows, whose columns are those of `schemas.EDGES` and `THRESHOLDS`.

Every message begins with its place: a text, or ``where(row, column)``, whose column is empty where the whole row is
meant.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.bench.data.schemas import Row
from cutpoint.graphs.returned import first_wrong

Where = str | Callable[[Mapping[str, Any], str], str]


def graph_of_rows(rows: Iterable[Row], variables: Sequence[str], where: Where) -> np.ndarray:
    """Return the graph of rows, bool [n, n]."""
    index = {name: i for i, name in enumerate(variables)}
    graph = np.zeros((len(index), len(index)), bool)
    for row in rows:
        for end in ("source", "target"):
            _check_name(row, end, index, where)
        i, j = index[row["source"]], index[row["target"]]
        if i == j:
            raise _fault(where, row, "target", f"an edge from {row['source']!r} to itself")
        if row["directed"] is None:
            edge = f"edge from {row['source']!r} to {row['target']!r}"
            raise _fault(where, row, "directed", f"{edge}: 'directed' is empty")
        if graph[i, j] or graph[j, i]:
            raise _fault(where, row, "", f"the edge between {row['source']!r} and {row['target']!r} occurs twice")
        graph[i, j] = True
        graph[j, i] |= not row["directed"]
    return graph


def thresholds_of_rows(rows: Iterable[Row], variables: Sequence[str], where: Where) -> list[np.ndarray]:
    """Return the thresholds of rows, one increasing float64 array per variable."""
    of_variable: dict[str, list[Row]] = {name: [] for name in variables}
    for row in rows:
        _check_name(row, "variable", of_variable, where)
        if row["position"] is None or row["threshold"] is None:
            raise _fault(where, row, "threshold", f"threshold of {row['variable']!r}: an empty cell")
        of_variable[row["variable"]].append(row)
    return [_cuts_of_rows(name, some, where) for name, some in of_variable.items()]


def _cuts_of_rows(name: str, rows: list[Row], where: Where) -> np.ndarray:
    rows = sorted(rows, key=lambda row: row["position"])
    for row, after in pairwise(rows):
        if row["position"] == after["position"]:
            raise _fault(where, after, "position", f"two thresholds of {name!r} have one position")
    cuts = np.array([row["threshold"] for row in rows], float)
    if (wrong := first_wrong(cuts)) is not None:
        raise _fault(where, rows[wrong], "threshold", f"the thresholds of {name!r} are not finite, increasing numbers")
    return cuts


def _check_name(row: Row, column: str, names: Mapping[str, Any], where: Where) -> None:
    if row[column] not in names:
        raise _fault(where, row, column, f"unknown variable {row[column]!r}")


def _fault(where: Where, row: Row, column: str, what: str) -> InputError:
    return InputError(f"{where if isinstance(where, str) else where(row, column)}: {what}")
