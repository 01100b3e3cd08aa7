"""Methods: rows of `methods.yaml` put together from the registry, and run on one data set."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.discretization.encoding import cardinalities, encode
from cutpoint.graphs.dags import numbered
from cutpoint.graphs.patterns import cpdag
from cutpoint.learners.learned import Learned
from cutpoint.method import registry, returned

Row = Mapping[str, Any]
Names = Sequence[str] | None
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
    if category == "integrated" and "initial" in registry.options_of(parts["policy"]):
        parts["initial"] = registry.lookup(registry.DISCRETIZERS, initial_of(row)[0], "discretizer in initial")
    elif "initial" in row:
        raise InputError("initial: this method makes its own first thresholds; leave the key out")
    return parts


def takes_data(learner: Any) -> bool:
    """Return whether a learner takes two arrays, and gives a `Learned`; others take a score."""
    if isinstance(learner, str) and ":" in learner:
        return registry.arity_of(learner) == 2
    return learner in (*registry.PATTERN_LEARNERS, *registry.DISCRETE_PATTERN_LEARNERS)


def job_of(name: str, row: Row) -> str:
    """Return the job that a method runs in: the rule of an external one, else its ``job`` or its own name."""
    return row.get("rule") or row.get("job") or name


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
    return {
        "discretizer": row["discretizer"],
        **registry.accepted(functions_of(row)["discretizer"], options_of(row)),
    }


def handed(name: str, *arrays: np.ndarray) -> Sequence[np.ndarray]:
    """Return data for the function of a name: a user's own gets a view that it cannot write to.

    What a function changes in place would change what is learned from afterwards. Shipped functions get the arrays
    themselves, since kernels are compiled anew for read-only ones.
    """
    if ":" not in name:
        return arrays
    views = [np.asarray(array).view() for array in arrays]
    for view in views:
        view.flags.writeable = False
    return views


def find_thresholds(
    values: np.ndarray, frozen: np.ndarray, name: str, options: Mapping[str, Any], variables: Names = None
) -> list[np.ndarray]:
    """Return what a discretizer finds: one sorted float64 array per variable.

    Args:
        values: float64 [N, n].
        frozen: bool [n], the variables that hold codes and stay.
        name: of the discretizer.
        options: of its function.
        variables: n names for messages.

    Raises:
        InputError: for anything but n lists of finite, increasing numbers.
    """
    function = registry.resolve(registry.lookup(registry.DISCRETIZERS, name, "discretizer"))
    found = function(*handed(name, values, frozen), **options)
    return returned.policy(found, values, frozen, variables or numbered(len(frozen)), name)


def discretize(values: np.ndarray, frozen: np.ndarray, row: Row, variables: Names = None) -> list[np.ndarray]:
    """Return what `find_thresholds` does with the discretizer and the options of a row."""
    name = row["discretizer"]
    function = registry.resolve(registry.lookup(registry.DISCRETIZERS, name, "discretizer"))
    return find_thresholds(values, frozen, name, registry.accepted(function, options_of(row)), variables)


def searcher(row: Row) -> Callable:
    """Return ``search(codes, cardinalities, start, after_move)`` of a row that names a learner and a score.

    ``after_move(dag)`` may code the data anew, see `cutpoint.discretization.stepwise.Recode`.
    """
    parts, options = functions_of(row), options_of(row)
    learner, score = registry.resolve(parts["learner"]), registry.resolve(parts["score"])

    def scorer(codes, levels):
        return returned.score(score(codes, levels, **registry.accepted(score, options)), row["score"])

    def search(codes, levels, start=None, after_move=None):
        given = registry.accepted(learner, options)
        if start is not None:
            given["start"] = start
        if after_move is not None:
            given["after_move"] = partial(rescore, after_move)
        return returned.search(learner(scorer(codes, levels), **given), len(levels), row["learner"])

    def rescore(recode, dag):
        found = recode(dag)
        return None if found is None else scorer(*found)

    return search


def check_search(policy: str, learner: str) -> None:
    """Raise InputError when a method discretizes after every move and its learner does not let it."""
    wanted = registry.options_of(policy)["search"].annotation
    if getattr(wanted, "__name__", "") == "StepwiseSearch" and "after_move" not in registry.options_of(learner):
        name = learner.rpartition(":")[2]
        raise InputError(f"learner: {name} does not let the method discretize after every move; use tabu")


def learn(
    values: np.ndarray, frozen: np.ndarray, row: Row, policy: Sequence | None = None, variables: Names = None
) -> Learned:
    """Run one method on one data set.

    Args:
        values: float64 [N, n].
        frozen: bool [n], the variables that hold codes and stay.
        row: of `methods.yaml`; not an external one.
        policy: the thresholds of a prediscretization when they are at hand.
        variables: n names for messages.

    Returns:
        The structure, the thresholds and the CPU seconds of both stages.

    Raises:
        InputError: when a function of the row returns what it must not.
    """
    names = variables or numbered(len(frozen))
    if row["category"] == "prediscretization":
        return _learn_discretized(values, frozen, row, policy, names)
    if row["category"] == "integrated":
        return _learn_integrated(values, frozen, row, names)
    return _learn_directly(values, frozen, row, names)


def _learn_discretized(values, frozen, row, policy, variables) -> Learned:
    start = time.process_time()
    if policy is None:
        policy = discretize(values, frozen, row, variables)
    middle = time.process_time()
    learned = _learn_codes(encode(values, policy), cardinalities(policy), row, variables)
    learned.learn_seconds = time.process_time() - middle
    learned.thresholds, learned.discretize_seconds = list(policy), middle - start
    return learned


def _learn_codes(codes, levels, row, variables) -> Learned:
    parts = functions_of(row)
    if "score" in parts:
        return from_search(searcher(row)(codes, levels), 0.0)
    learner = registry.resolve(parts["learner"])
    found = learner(codes, levels, **registry.accepted(learner, options_of(row)))
    return returned.structure(found, variables, row["learner"])


def _learn_integrated(values, frozen, row, variables) -> Learned:
    function = registry.resolve(functions_of(row)["policy"])
    given = registry.accepted(function, options_of(row))
    start = time.process_time()
    if "initial" in registry.options_of(function):
        name, options = initial_of(row)
        given["initial"] = discretize(values, frozen, {"discretizer": name, **options}, variables)
    found = function(*handed(row["policy"], values, frozen), search=searcher(row), **given)
    learned = returned.structure(found, variables, row["policy"])
    learned.discretize_seconds = time.process_time() - start - (learned.learn_seconds or 0.0)
    return learned


def _learn_directly(values, frozen, row, variables) -> Learned:
    parts, options = functions_of(row), options_of(row)
    learner = registry.resolve(parts["learner"])
    start = time.process_time()
    if "score" not in parts:
        found = learner(*handed(row["learner"], values, frozen), **registry.accepted(learner, options))
        learned = returned.structure(found, variables, row["learner"])
        learned.learn_seconds = time.process_time() - start
        return learned
    score = registry.resolve(parts["score"])
    scorer = score(*handed(row["score"], values, frozen), **registry.accepted(score, options))
    found = learner(returned.score(scorer, row["score"]), **registry.accepted(learner, options))
    found = returned.search(found, len(frozen), row["learner"])
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
