"""Methods: rows of `methods.yaml` put together from the registry, and run on one data set."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from cutpoint import registry
from cutpoint.encoding import cardinalities, encode, frozen_thresholds
from cutpoint.errors import InputError
from cutpoint.graphs import cpdag
from cutpoint.integrated.stepwise import StepwiseSearch
from cutpoint.learned import Learned, as_learned

Row = Mapping[str, Any]
# Keys of a row that are not options of a function.
DESCRIPTION = ("label", "category", "job", "studies", "note", "rule", "group")
PARTS = ("discretizer", "policy", "learner", "score", "initial")
CATEGORIES = ("prediscretization", "integrated", "direct", "external")


def functions_of(row: Row) -> dict[str, str]:
    """Return where the parts of a method stand, by the key that names them.

    Raises:
        InputError: for an unknown name, a part that is missing, or one that the method does not have.
    """
    category = row["category"]
    if category == "external":  # the other keys belong to its rule
        known = registry.DISCRETIZERS
        return {key: registry.lookup(known, row[key], key) for key in ("discretizer",) if key in row}
    needed = {
        "prediscretization": {
            "discretizer": registry.DISCRETIZERS,
            "learner": registry.LEARNERS | registry.DISCRETE_PATTERN_LEARNERS,
            "score": registry.SCORES,
        },
        "integrated": {
            "policy": registry.POLICIES,
            "learner": registry.LEARNERS,
            "score": registry.SCORES,
        },
        "direct": {
            "learner": registry.LEARNERS | registry.PATTERN_LEARNERS,
            "score": registry.CONTINUOUS_SCORES,
        },
    }[category]
    if category != "integrated" and takes_data(row.get("learner")):
        del needed["score"]
    parts = {}
    for key, table in needed.items():
        if key not in row:
            raise InputError(f"{key}: missing; a {category} method names one of {', '.join(table)}")
        parts[key] = registry.lookup(table, row[key], key)
    for key in PARTS:
        if key in row and key not in needed and key != "initial":
            kind = f"a method of category {category!r} with the learner {row['learner']!r}"
            raise InputError(f"{key}: {kind} has none; leave the key out")
    if category == "integrated" and "initial" in registry.options_of(registry.resolve(parts["policy"])):
        parts["initial"] = registry.lookup(registry.DISCRETIZERS, initial_of(row)[0], "discretizer in initial")
    elif "initial" in row:
        raise InputError("initial: this method makes its own first thresholds; leave the key out")
    return parts


def takes_data(learner: Any) -> bool:
    """Return whether a learner takes two arrays, and gives a `Learned`; others take a score."""
    if isinstance(learner, str) and ":" in learner:
        return registry.arity_of(registry.resolve(learner)) == 2
    return learner in (*registry.PATTERN_LEARNERS, *registry.DISCRETE_PATTERN_LEARNERS)


def initial_of(row: Row) -> tuple[str, dict[str, int]]:
    """Return the discretizer of the first policy and its options, from ``initial: {name: bins}``."""
    initial = row.get("initial", {"equal_frequency": 3})
    if not isinstance(initial, Mapping) or len(initial) != 1:
        raise InputError(f"initial: write one discretizer and its bins, like {{equal_frequency: 3}}, not {initial}")
    ((name, bins),) = initial.items()
    if bins is None and ":" in str(name):
        raise InputError(f"initial: write a blank after the colon of {name}, like {{equal_frequency: 3}}")
    if type(bins) is not int or bins < 1:  # True is an int too
        raise InputError(f"initial: {name} needs a number of bins, got {bins!r}")
    return name, {"bins": bins}


def options_of(row: Row) -> dict[str, Any]:
    """Return the options of a row: every key that neither describes it nor names a part."""
    return {k: v for k, v in row.items() if k not in DESCRIPTION and k not in PARTS}


def rule_options_of(row: Row) -> dict[str, Any]:
    """Return what an external row says to its rule: every key that neither describes it nor decides its policy."""
    policy = discretizer_of(row) if "discretizer" in row else {}
    return {k: v for k, v in row.items() if k not in (*DESCRIPTION, *policy)}


def science_of(row: Row) -> dict[str, Any]:
    """Return what decides the result of a method, without labels and remarks."""
    return {k: v for k, v in row.items() if k not in ("label", "job", "note", "studies", "group")}


def discretizer_of(row: Row) -> dict[str, Any]:
    """Return the part of a row that decides its policy."""
    function = registry.resolve(functions_of(row)["discretizer"])
    return {"discretizer": row["discretizer"], **registry.accepted(function, options_of(row))}


def thresholds_of_frozen(values: np.ndarray, frozen: np.ndarray, policy: Sequence[np.ndarray]) -> list:
    """Return a policy whose frozen variables keep their codes."""
    return [frozen_thresholds(values[:, i]) if frozen[i] else np.asarray(cuts, float) for i, cuts in enumerate(policy)]


def discretize(values: np.ndarray, frozen: np.ndarray, row: Row) -> list[np.ndarray]:
    """Return the policy of a row's discretizer: one sorted float64 array per variable.

    Args:
        values: float64 [N, n].
        frozen: bool [n], the variables that hold codes and stay.
        row: names a discretizer and its options.
    """
    path = registry.lookup(registry.DISCRETIZERS, row["discretizer"], "discretizer")
    function = registry.resolve(path)
    policy = function(values, frozen, **registry.accepted(function, options_of(row)))
    return thresholds_of_frozen(values, frozen, policy)


def searcher(row: Row) -> Callable:
    """Return ``search(codes, cardinalities, start, after_move)`` of a row that names a learner and a score.

    ``after_move(dag)`` may code the data anew, see `cutpoint.integrated.stepwise.Recode`.
    """
    parts, options = functions_of(row), options_of(row)
    learner, score = registry.resolve(parts["learner"]), registry.resolve(parts["score"])

    def scorer(codes, levels):
        return score(codes, levels, **registry.accepted(score, options))

    def search(codes, levels, start=None, after_move=None):
        given = registry.accepted(learner, options)
        if start is not None:
            given["start"] = start
        if after_move is not None:
            given["after_move"] = partial(rescore, after_move)
        return learner(scorer(codes, levels), **given)

    def rescore(recode, dag):
        found = recode(dag)
        return None if found is None else scorer(*found)

    return search


def check_search(policy: Callable, learner: Callable) -> None:
    """Raise InputError when a method discretizes after every move and its learner does not let it."""
    wanted = registry.options_of(policy)["search"].annotation
    if wanted is StepwiseSearch and "after_move" not in registry.options_of(learner):
        raise InputError(f"learner: {learner.__name__} does not let the method discretize after every move; use tabu")


def learn(values: np.ndarray, frozen: np.ndarray, row: Row, policy: Sequence | None = None) -> Learned:
    """Run one method on one data set.

    Args:
        values: float64 [N, n].
        frozen: bool [n], the variables that hold codes and stay.
        row: of `methods.yaml`; not an external one.
        policy: the thresholds of a prediscretization when they are at hand.

    Returns:
        The structure, the thresholds and the CPU seconds of both stages.
    """
    if row["category"] == "prediscretization":
        return _learn_discretized(values, frozen, row, policy)
    if row["category"] == "integrated":
        return _learn_integrated(values, frozen, row)
    return _learn_directly(values, frozen, row)


def _learn_discretized(values, frozen, row, policy) -> Learned:
    start = time.process_time()
    if policy is None:
        policy = discretize(values, frozen, row)
    middle = time.process_time()
    learned = _learn_codes(encode(values, policy), cardinalities(policy), row)
    learned.learn_seconds = time.process_time() - middle
    learned.thresholds, learned.discretize_seconds = list(policy), middle - start
    return learned


def _learn_codes(codes, levels, row) -> Learned:
    parts = functions_of(row)
    if "score" in parts:
        return from_search(searcher(row)(codes, levels), 0.0)
    learner = registry.resolve(parts["learner"])
    return as_learned(learner(codes, levels, **registry.accepted(learner, options_of(row))))


def _learn_integrated(values, frozen, row) -> Learned:
    function = registry.resolve(functions_of(row)["policy"])
    given = registry.accepted(function, options_of(row))
    start = time.process_time()
    if "initial" in registry.options_of(function):
        name, options = initial_of(row)
        given["initial"] = discretize(values, frozen, {"discretizer": name, **options})
    learned = as_learned(function(values, frozen, search=searcher(row), **given))
    learned.discretize_seconds = time.process_time() - start - (learned.learn_seconds or 0.0)
    return learned


def _learn_directly(values, frozen, row) -> Learned:
    parts, options = functions_of(row), options_of(row)
    learner = registry.resolve(parts["learner"])
    start = time.process_time()
    if "score" not in parts:
        learned = as_learned(learner(values, frozen, **registry.accepted(learner, options)))
        learned.learn_seconds = time.process_time() - start
        return learned
    score = registry.resolve(parts["score"])
    scorer = score(values, frozen, **registry.accepted(score, options))
    found = learner(scorer, **registry.accepted(learner, options))
    return from_search(found, time.process_time() - start)


def from_search(found, seconds: float) -> Learned:
    """Return the result of a greedy search, which took `seconds` of CPU time."""
    return Learned(
        cpdag=cpdag(found.dag),
        dag=found.dag,
        score=found.score,
        score_calls=found.calls,
        evaluations=found.evaluations,
        iterations=found.steps,
        learn_seconds=seconds,
    )


def warm(row: Row) -> None:
    """Run a method on a small mixed data set, so that its kernels are compiled and loaded."""
    values, frozen = _sample()
    learn(values, frozen, row)


def warm_discretizer(row: Row) -> None:
    """Run a discretizer on a small mixed data set, so that its kernels are compiled and loaded."""
    discretize(*_sample(), row)


def _sample() -> tuple[np.ndarray, np.ndarray]:
    """Return dependent values [300, 5], the last column codes."""
    rng = np.random.default_rng(0)
    values = np.asfortranarray(rng.standard_normal((300, 5)).cumsum(axis=1))
    values[:, 4] = values[:, 4] > 0
    return values, np.arange(5) == 4
