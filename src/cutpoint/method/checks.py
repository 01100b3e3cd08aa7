"""Checks of what the functions of a method return; a message names the function, `source`, and a wrong column."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.discretization.encoding import discrete_thresholds
from cutpoint.graphs.dags import check_acyclic, numbered
from cutpoint.graphs.patterns import cpdag
from cutpoint.graphs.returned import checked_cuts, checked_graph, kind_of
from cutpoint.learners.learned import Learned

_SCORE = ("n", "epsilon", "family", "gains")
_SEARCH = ("dag", "score", "calls", "evaluations", "steps")


def thresholds(
    value: Any,
    variables: Sequence[str],
    source: str,
    values: np.ndarray | None = None,
    discrete: np.ndarray | None = None,
) -> list[np.ndarray]:
    """Return increasing float64 arrays; with the values those that part records, and codes of discrete variables."""
    is_list = value.ndim > 0 if isinstance(value, np.ndarray) else isinstance(value, Sequence)
    if not is_list or isinstance(value, str):
        raise InputError(f"{source} returned {kind_of(value)}, not a list of thresholds")
    if len(value) != len(variables):
        raise InputError(f"{source} returned {len(value)} threshold lists for {len(variables)} variables")
    lists = [checked_cuts(cuts, f"{source}: column {name}") for cuts, name in zip(value, variables, strict=True)]
    if values is None or discrete is None:
        return lists
    return [
        discrete_thresholds(x) if kept else cuts[(cuts > x.min()) & (cuts <= x.max())]
        for x, kept, cuts in zip(values.T, discrete, lists, strict=True)
    ]


def result(value: Any, variables: Sequence[str], source: str) -> Learned:
    """Return a `Learned`, its graphs as bool arrays without cycles and its thresholds as `thresholds` gives them."""
    if not isinstance(value, Learned):
        raise InputError(f"{source} returned {kind_of(value)}, not cutpoint.Learned")
    if value.kind not in ("dag", "pdag"):
        raise InputError(f"{source}: the kind is dag or pdag, not {value.kind!r}")
    value.dag, value.cpdag = (checked_graph(graph, variables, source) for graph in (value.dag, value.cpdag))
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


def search(value: Any, n: int, source: str) -> Any:
    """Return a `cutpoint.Search`, the result of a search for graphs over n variables by their score."""
    _check_attributes(value, _SEARCH, "cutpoint.Search", source)
    if (dag := checked_graph(value.dag, numbered(n), source)) is None:
        raise InputError(f"{source} returned no graph")
    check_acyclic(dag, source, numbered(n))
    if np.isnan(value.score):
        raise InputError(f"{source}: the score of its graph is no number")
    value.dag = dag
    return value


def score(value: Any, source: str) -> Any:
    """Return a score that a search can use: an object with `n`, `epsilon`, `family` and `gains`."""
    _check_attributes(value, _SCORE, "a score", source)
    return value


def _check_attributes(value: Any, names: Sequence[str], what: str, source: str) -> None:
    if missing := [name for name in names if not hasattr(value, name)]:
        raise InputError(f"{source} returned {kind_of(value)}, not {what}; it has no {', '.join(missing)}")
