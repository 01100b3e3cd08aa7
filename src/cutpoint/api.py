"""The public functions: the parts of the workflow for a notebook, without files.

Adjacency matrices are bool [n, n]: ``a[i, j]`` is the arc i -> j; in a CPDAG both ``a[i, j]`` and
``a[j, i]`` true is an undirected edge. Data are float64 [N, n] arrays or data frames (Arrow, pandas,
polars); the columns of a frame are worked on in the order of their names, results come in its own order.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from cutpoint import assembly, config, registry
from cutpoint.encoding import encode as _encode
from cutpoint.errors import InputError
from cutpoint.frames import read_table
from cutpoint.graphs import cpdag
from cutpoint.integrated import policy_score as _policy_score
from cutpoint.learned import Learned
from cutpoint.learners import constraint, greedy
from cutpoint.scores import network_score


@cache
def method_rows() -> dict[str, dict[str, Any]]:
    """Return the rows of methods.yaml by name."""
    shipped = files("cutpoint").joinpath("data", "methods.yaml")
    clone = Path(__file__).parents[2] / "config" / "methods.yaml"
    return config.load_methods(str(shipped) if shipped.is_file() else clone)


def methods() -> dict[str, str]:
    """Return every method of the registry with one line on what it is."""
    lines = {}
    for name, row in method_rows().items():
        parts = [f"{k}={v}" for k, v in assembly.science_of(row).items() if k != "category"]
        lines[name] = f"{row['label']}: {row['category']}, {', '.join(parts)}"
    return lines


def discretize(values: Any, method: str, **options) -> Any:
    """Return the thresholds that a discretizer finds.

    Args:
        values: [N, n] array or data frame, or one column [N].
        method: of `cutpoint.registry.DISCRETIZERS`, or ``module:function``.
        options: such as ``bins=3``.

    Returns:
        One sorted float64 array per variable; a single array for one column.

    Raises:
        InputError: for an unknown method or option, or values that cannot be discretized.
    """
    single = isinstance(values, np.ndarray) and values.ndim == 1
    table = read_table(np.asarray(values)[:, None] if single else values)
    function = registry.resolve(registry.lookup(registry.DISCRETIZERS, method, "discretizer"))
    _refuse_unknown(function, options)
    policy = assembly.discretize(table.values, table.frozen, {"discretizer": method, **options})
    return policy[0] if single else table.restore_list(policy)


def encode(values: Any, thresholds: Sequence[np.ndarray] | np.ndarray) -> np.ndarray:
    """Return codes, int32 [N, n]: x has code k when t_k <= x < t_(k+1); one column gives [N]."""
    array = np.asarray(values, float)
    if array.ndim == 1:
        return _encode(array[:, None], [np.asarray(thresholds, float)])[:, 0]
    if len(thresholds) != array.shape[1]:
        raise InputError(f"thresholds: {len(thresholds)} lists for {array.shape[1]} columns")
    return _encode(array, [np.asarray(cuts, float) for cuts in thresholds])


def score(codes: Any, dag: np.ndarray, name: str, *, cardinalities: Any = None, **options) -> float:
    """Return the score of a graph on discrete data; higher is better.

    Args:
        codes: integer [N, n], levels 0..r-1.
        dag: bool [n, n].
        name: ll, aic, bic, mdl (minus the description length), k2 or bdeu.
        cardinalities: levels of each variable where they are not the highest code + 1.
        options: of the score, such as ``ess=1.0``.
    """
    return network_score(_scorer(codes, name, cardinalities, options), np.asarray(dag, bool))


def policy_score(values: Any, thresholds: Sequence, dag: np.ndarray, name: str, *, ess: float = 1.0) -> float:
    """Return the score of a discretization given a graph.

    steck and monti: higher is better; friedman: description length in nats, lower is better.
    """
    cuts = [np.asarray(t, float) for t in thresholds]
    return _policy_score(np.asarray(values, float), cuts, np.asarray(dag, bool), name, ess=ess)


def learn(values: Any, method: str, *, seed: int = 0, **options) -> Learned:
    """Run a method of the registry.

    Args:
        values: [N, n] array or data frame; text columns of a frame are discrete variables.
        method: a row of `methods`, such as "steck3".
        seed: for methods that draw random numbers.
        options: replace those of the row.

    Raises:
        InputError: for an unknown method or option, or values that cannot be used.
    """
    rows = method_rows()
    if method not in rows:
        raise InputError(f"unknown method {method!r}{registry.suggest(method, rows)}")
    row = rows[method] | options
    table = read_table(values)
    if row["category"] == "external":
        raise InputError(f"{method}: an external method runs in the workflow, by its rule {row['rule']!r}")
    config.check_row(row, method)
    learned = assembly.learn(table.values, table.frozen, row)
    learned.dag, learned.cpdag = table.restore(learned.dag), table.restore(learned.cpdag)
    learned.thresholds = table.restore_list(learned.thresholds)
    return learned


def hill_climb(codes: Any, score: str = "bdeu", *, cardinalities: Any = None, **options) -> Learned:
    """Climb from the empty graph by additions, deletions and reversals; see `score` for the arguments."""
    return _search(greedy.hill_climbing, codes, score, cardinalities, options)


def tabu(codes: Any, score: str = "bdeu", *, cardinalities: Any = None, **options) -> Learned:
    """Search on through worse graphs with a list of moves not to undo; see `score` for the arguments."""
    return _search(greedy.tabu, codes, score, cardinalities, options)


def pc(values: Any, *, alpha: float = 0.05, **options) -> Learned:
    """Learn a pattern by PC with Fisher's Z test; see `cutpoint.learners.constraint.pc_fisherz`."""
    table = read_table(values)
    learned = constraint.pc_fisherz(table.values, table.frozen, alpha=alpha, **options)
    learned.cpdag = table.restore(learned.cpdag)
    return learned


def _search(learner, codes, name, cardinalities, options) -> Learned:
    mine = registry.accepted(learner, options)
    scorer = _scorer(codes, name, cardinalities, {k: v for k, v in options.items() if k not in mine})
    found = learner(scorer, **mine)
    return Learned(
        cpdag=cpdag(found.dag),
        dag=found.dag,
        score=found.score,
        score_calls=found.calls,
        evaluations=found.evaluations,
        iterations=found.steps,
    )


def _scorer(codes, name, cardinalities, options):
    array = np.asarray(codes)
    if array.ndim != 2 or not np.issubdtype(array.dtype, np.integer) or array.min(initial=0) < 0:
        raise InputError("codes: a two-dimensional array of integers from 0 is expected")
    levels = array.max(axis=0) + 1 if cardinalities is None else np.asarray(cardinalities)
    if len(levels) != array.shape[1] or (array.max(axis=0) >= levels).any():
        raise InputError("cardinalities: one per column, above its highest code")
    function = registry.resolve(registry.lookup(registry.SCORES, name, "score"))
    _refuse_unknown(function, options)
    return function(array, levels, **options)


def _refuse_unknown(function, options) -> None:
    known = registry.options_of(function)
    for key in options:
        if key not in known:
            raise InputError(f"unknown option {key!r}{registry.suggest(key, known)}")
