"""What a function of a method returned, checked before it is used: a user's own may return anything.

Every message names the function (`source`), and the column with its value where one is wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.discretization.encoding import frozen_thresholds
from cutpoint.graphs.dags import check_acyclic, numbered
from cutpoint.graphs.patterns import cpdag
from cutpoint.learners.learned import Learned

_SCORE = ("n", "epsilon", "family", "gains")
_SEARCH = ("dag", "score", "calls", "evaluations", "steps")
_SHOWN = 6  # thresholds of a wrong list


def thresholds(value: Any, variables: Sequence[str], source: str) -> list[np.ndarray]:
    """Return thresholds as one increasing float64 array per variable.

    Args:
        value: what a discretizer returned.
        variables: n names.
        source: names the function.

    Raises:
        InputError: for anything but n lists of finite, increasing numbers.
    """
    _check_count(value, len(variables), source)
    return [_cuts(item, f"{source}: column {name}") for item, name in zip(value, variables, strict=True)]


def policy(value: Any, values: np.ndarray, frozen: np.ndarray, variables: Sequence[str], source: str) -> list:
    """Return thresholds as `thresholds` does; those of frozen columns are not looked at, their codes stay.

    Args:
        value: what a discretizer returned.
        values: float64 [N, n].
        frozen: bool [n], the columns that hold codes.
        variables: n names.
        source: names the function.
    """
    _check_count(value, len(variables), source)
    return [
        frozen_thresholds(values[:, i]) if frozen[i] else _cuts(cuts, f"{source}: column {variables[i]}")
        for i, cuts in enumerate(value)
    ]


def _check_count(value: Any, n: int, source: str) -> None:
    is_list = value.ndim > 0 if isinstance(value, np.ndarray) else isinstance(value, Sequence)
    if not is_list or isinstance(value, str):
        raise InputError(f"{source} returned {_kind(value)}, not a list of thresholds")
    if len(value) != n:
        raise InputError(f"{source} returned {len(value)} threshold lists for {n} variables")


def _cuts(item: Any, place: str) -> np.ndarray:
    try:
        cuts = np.asarray(item, float)
    except (TypeError, ValueError):
        raise InputError(f"{place}: {_kind(item)} is not a list of numbers") from None
    if cuts.ndim != 1:
        what = f"an array of shape {cuts.shape}" if cuts.ndim else _kind(item)
        raise InputError(f"{place}: {what} is not a list of numbers")
    wrong = ~np.isfinite(cuts)
    wrong[1:] |= ~(cuts[1:] > cuts[:-1])
    if wrong.any():
        raise InputError(f"{place}: {_around(cuts, int(wrong.argmax()))} are not finite, increasing numbers")
    return cuts


def _around(cuts: np.ndarray, wrong: int) -> str:
    """Return the thresholds as text; of a long list those around a wrong one."""
    first = max(0, min(wrong - _SHOWN // 2, len(cuts) - _SHOWN))
    shown = ", ".join(f"{cut:.6g}" for cut in cuts[first : first + _SHOWN])
    return f"[{'..., ' * (first > 0)}{shown}{', ...' * (first + _SHOWN < len(cuts))}]"


def _kind(value: Any) -> str:
    """Return a value for a message: itself where it is short, else its type."""
    return repr(value) if value is None or type(value) in (bool, int, float, str) else type(value).__name__


def result(value: Any, variables: Sequence[str], source: str) -> Learned:
    """Return a `Learned`, its graphs as bool arrays and its thresholds as `thresholds` gives them.

    Args:
        value: what a method returned.
        variables: n names.
        source: names the function.

    Raises:
        InputError: for anything else, graphs of another size, and DAGs that have a cycle.
    """
    if not isinstance(value, Learned):
        raise InputError(f"{source} returned {_kind(value)}, not cutpoint.Learned")
    if value.kind not in ("dag", "pdag"):
        raise InputError(f"{source}: the kind is dag or pdag, not {value.kind!r}")
    value.dag, value.cpdag = _graph(value.dag, variables, source), _graph(value.cpdag, variables, source)
    if value.kind == "dag" and value.dag is not None:
        check_acyclic(value.dag, source, variables)
    if value.thresholds is not None:
        value.thresholds = thresholds(value.thresholds, variables, source)
    return value


def structure(value: Any, variables: Sequence[str], source: str) -> Learned:
    """Return what `result` does with a graph; a DAG without the pattern of its class gets it."""
    learned = result(value, variables, source)
    if learned.cpdag is None and learned.kind == "dag" and learned.dag is not None:
        learned.cpdag = cpdag(learned.dag)
    if learned.cpdag is None or (learned.dag is None and learned.kind == "dag"):
        raise InputError(f"{source} returned no graph; give Learned(dag=...), or Learned(cpdag=..., kind='pdag')")
    return learned


def _graph(graph: Any, variables: Sequence[str], source: str) -> np.ndarray | None:
    if graph is None:
        return None
    found, n = np.asarray(graph), len(variables)
    if found.shape != (n, n):
        raise InputError(f"{source} returned a graph of shape {found.shape} for {n} variables")
    if found.dtype != bool and not np.isin(found, (0, 1)).all():
        raise InputError(f"{source} returned a graph that is not a matrix of true and false, or 0 and 1")
    if found.diagonal().any():
        raise InputError(f"{source}: an edge from {variables[int(found.diagonal().argmax())]!r} to itself")
    return found.astype(bool, copy=False)


def search(value: Any, n: int, source: str) -> Any:
    """Return a `cutpoint.learners.greedy.Search`, what a learner of graphs from a score found.

    Args:
        value: what it returned.
        n: number of variables.
        source: names the function.

    Raises:
        InputError: for anything else, or a graph that is no DAG of n variables.
    """
    _check_attributes(value, _SEARCH, "cutpoint.learners.greedy.Search", source)
    if (dag := _graph(value.dag, numbered(n), source)) is None:
        raise InputError(f"{source} returned no graph")
    check_acyclic(dag, source, numbered(n))
    value.dag = dag
    return value


def score(value: Any, source: str) -> Any:
    """Return a score that a search can use.

    Raises:
        InputError: for an object without `n`, `epsilon`, `family` and `gains`.
    """
    _check_attributes(value, _SCORE, "a score", source)
    return value


def _check_attributes(value: Any, names: Sequence[str], what: str, source: str) -> None:
    if missing := [name for name in names if not hasattr(value, name)]:
        raise InputError(f"{source} returned {_kind(value)}, not {what}; it has no {', '.join(missing)}")
