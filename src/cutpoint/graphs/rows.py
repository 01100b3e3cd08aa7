"""What a graph and a discretization must be, whether they come as rows of a file or as what a function returned.

Rows have the columns of `cutpoint.bench.data.schemas.EDGES` and `THRESHOLDS`. Every message begins with its place: a
text, or for rows ``where(row, column)``, whose column is empty where the whole row is meant.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from cutpoint.base.errors import InputError

Row = dict[str, Any]
Where = str | Callable[[Mapping[str, Any], str], str]
_SHOWN = 6  # thresholds of a wrong list


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
    if (wrong := _wrong(cuts)) is not None:
        raise _fault(where, rows[wrong], "threshold", f"the thresholds of {name!r} are not finite, increasing numbers")
    return cuts


def _check_name(row: Row, column: str, names: Mapping[str, Any], where: Where) -> None:
    if row[column] not in names:
        raise _fault(where, row, column, f"unknown variable {row[column]!r}")


def _fault(where: Where, row: Row, column: str, what: str) -> InputError:
    return InputError(f"{where if isinstance(where, str) else where(row, column)}: {what}")


def checked_graph(value: Any, variables: Sequence[str], source: str) -> np.ndarray | None:
    """Return a graph that a function returned as bool [n, n], None for None."""
    if value is None:
        return None
    graph, n = np.asarray(value), len(variables)
    if graph.shape != (n, n):
        raise InputError(f"{source} returned a graph of shape {graph.shape} for {n} variables")
    if graph.dtype != bool and not np.isin(graph, (0, 1)).all():
        raise InputError(f"{source} returned a graph that is not a matrix of true and false, or 0 and 1")
    if graph.diagonal().any():
        raise InputError(f"{source}: an edge from {variables[int(graph.diagonal().argmax())]!r} to itself")
    return graph.astype(bool, copy=False)


def checked_cuts(value: Any, where: str) -> np.ndarray:
    """Return the thresholds of one variable as float64 [k]."""
    try:
        cuts = np.asarray(value, float)
    except (TypeError, ValueError):
        raise InputError(f"{where}: {kind_of(value)} is not a list of numbers") from None
    if cuts.ndim != 1:
        what = f"an array of shape {cuts.shape}" if cuts.ndim else kind_of(value)
        raise InputError(f"{where}: {what} is not a list of numbers")
    if (wrong := _wrong(cuts)) is not None:
        raise InputError(f"{where}: {_around(cuts, wrong)} are not finite, increasing numbers")
    return cuts


def _wrong(cuts: np.ndarray) -> int | None:
    """Return the first threshold that is not finite or not above the one before it."""
    wrong = ~np.isfinite(cuts)
    wrong[1:] |= ~(cuts[1:] > cuts[:-1])
    return int(wrong.argmax()) if wrong.any() else None


def _around(cuts: np.ndarray, wrong: int) -> str:
    """Return the thresholds as text; of a long list those around a wrong one."""
    first = max(0, min(wrong - _SHOWN // 2, len(cuts) - _SHOWN))
    first_cuts = ", ".join(f"{cut:.6g}" for cut in cuts[first : first + _SHOWN])
    return f"[{'..., ' * (first > 0)}{first_cuts}{', ...' * (first + _SHOWN < len(cuts))}]"


def kind_of(value: Any) -> str:
    """Return a value for a message: itself where it is short, else its type."""
    return repr(value) if value is None or type(value) in (bool, int, float, str) else type(value).__name__
