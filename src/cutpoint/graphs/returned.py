"""What a graph and a discretization must be that a function returned."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from cutpoint.base.errors import InputError

_SHOWN = 6  # thresholds of a wrong list


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
    if (wrong := first_wrong(cuts)) is not None:
        raise InputError(f"{where}: {_around(cuts, wrong)} are not finite, increasing numbers")
    return cuts


def first_wrong(cuts: np.ndarray) -> int | None:
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
