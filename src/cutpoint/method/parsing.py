"""From a row of `methods.yaml` to its method: names are looked up in the registry, options checked by the signatures.

Parsing imports none of the functions; checking imports them all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pydantic import TypeAdapter, ValidationError

from cutpoint.base.errors import InputError
from cutpoint.base.text import suggest
from cutpoint.method import registry
from cutpoint.method.functions import is_shipped, options_of, resolve, takes_data
from cutpoint.method.method import CATEGORIES, Discretizer, Method

# Keys of a row that are not options of a function.
DESCRIPTION = ("label", "category", "job", "studies", "note", "rule", "group")
PARTS = ("discretizer", "policy", "learner", "score", "initial")
# What the functions of a category are, by the key that names them; and learners that take data instead of a score.
DATA_LEARNERS: dict[str, Mapping[str, str]] = {
    "prediscretization": registry.DISCRETE_PATTERN_LEARNERS,
    "integrated": {},
    "direct": registry.PATTERN_LEARNERS,
}
TABLES: dict[str, dict[str, Mapping[str, str]]] = {
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
}
# Options that a method hands to its functions by itself: no row sets them.
HANDED = frozenset({"search", "start", "after_move"})


def parse(row: Mapping[str, Any]) -> Method:
    """Return the method of a row, its names looked up and its options not yet checked.

    Raises:
        InputError: for an unknown name, a part that is missing, or one that the method does not have.
    """
    category = row["category"]
    if category == "external":  # the other keys belong to its rule
        functions = {k: registry.lookup(registry.DISCRETIZERS, row[k], k) for k in ("discretizer",) if k in row}
        return CATEGORIES[category](functions, _without(row, *DESCRIPTION, "discretizer"))
    functions = {}
    for key, table in _tables_of(row).items():
        if key not in row:
            raise InputError(f"{key}: missing; a {category} method names one of {', '.join(table)}")
        functions[key] = registry.lookup(table, row[key], key)
    for key in PARTS:
        if key in row and key not in functions and key != "initial":
            raise _has_none(key, row)
    more = {}
    if "initial" in row:
        if category != "integrated":
            raise InputError("initial: this method makes its own first thresholds; leave the key out")
        more["initial"] = _initial(row["initial"])
    return CATEGORIES[category](functions, _without(row, *DESCRIPTION, *PARTS), **more)


def _tables_of(row: Mapping[str, Any]) -> dict[str, Mapping[str, str]]:
    """Return the tables that a row names functions of; those of a user may take data where the row has no score."""
    tables, learner = TABLES[row["category"]], row.get("learner")
    known = DATA_LEARNERS[row["category"]]
    users = bool(known) and isinstance(learner, str) and ":" in learner
    if (isinstance(learner, str) and learner in known) or (users and "score" not in row):
        return _without(tables, "score")
    return tables


def _without(mapping: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in mapping.items() if key not in keys}


def _has_none(key: str, row: Mapping[str, Any]) -> InputError:
    kind = f"a method of category {row['category']!r} with the learner {row['learner']!r}"
    return InputError(f"{key}: {kind} has none; leave the key out")


def _initial(initial: Any) -> Discretizer:
    """Return the discretizer of the first thresholds from ``initial: {name: bins}``."""
    if not isinstance(initial, Mapping) or len(initial) != 1:
        raise InputError(f"initial: write one discretizer and its bins, like {{equal_frequency: 3}}, not {initial}")
    ((name, bins),) = initial.items()
    if bins is None and ":" in str(name):
        raise InputError(f"initial: write a blank after the colon of {name}, like {{equal_frequency: 3}}")
    if type(bins) is not int or bins < 1:  # True is an int too
        raise InputError(f"initial: {name} needs a number of bins, got {bins!r}")
    return Discretizer(registry.lookup(registry.DISCRETIZERS, name, "discretizer in initial"), {"bins": bins})


def check_row(row: Mapping[str, Any], source: str) -> Method:
    """Return the method of a row, its functions imported and its options checked.

    Raises:
        InputError: naming the source and the key.
    """
    try:
        method = parse(row)
        _check_external(row, method) if row["category"] == "external" else _check_functions(row, method)
    except InputError as problem:
        raise InputError(f"{source}: {problem}") from None
    return method


def _check_external(row: Mapping[str, Any], method: Any) -> None:
    if not row.get("rule"):
        raise InputError("rule: missing; an external method names the rule that runs it")
    if row.get("job"):
        raise InputError("job: the job of an external method is its rule; leave the key out")
    if method.discretizer:
        _check_options([method.discretizer.path], method.discretizer.options)


def _check_functions(row: Mapping[str, Any], method: Method) -> None:
    functions = method.functions
    if DATA_LEARNERS[method.category] and not is_shipped(functions["learner"]):
        if (has_data := takes_data(functions["learner"])) and "score" in functions:
            raise _has_none("score", row)
        if not has_data and "score" not in functions:
            known = ", ".join(TABLES[method.category]["score"])
            raise InputError(f"score: missing; a {method.category} method names one of {known}")
    if "policy" in functions:
        policy = options_of(functions["policy"])
        if "initial" in row and "initial" not in policy:
            raise InputError("initial: this method makes its own first thresholds; leave the key out")
    _check_options(list(functions.values()), method.options)
    if "policy" in functions:
        _check_search(policy, functions["learner"])


def _check_search(policy: Mapping[str, Any], learner: str) -> None:
    """Raise InputError when a method discretizes after every move and its learner does not let it."""
    wanted = getattr(policy["search"].annotation, "__name__", "") if "search" in policy else ""
    if wanted == "StepwiseSearch" and "after_move" not in options_of(learner):
        name = resolve(learner).__name__
        raise InputError(f"learner: {name} does not let the method discretize after every move; use tabu")


def check_options(functions: Sequence[Callable | str], options: Mapping[str, Any], source: str) -> None:
    """Check options against the keyword-only parameters of the functions that take them.

    Raises:
        InputError: naming the source and the option.
    """
    try:
        _check_options(functions, options)
    except InputError as problem:
        raise InputError(f"{source}: {problem}") from None


def _check_options(functions: Sequence[Callable | str], options: Mapping[str, Any]) -> None:
    known: dict[str, Any] = {}
    for here in map(options_of, functions):
        handed = HANDED | ({"initial"} if "search" in here else set())  # first thresholds go with a search
        known |= {k: p for k, p in here.items() if k not in handed}
    for key, value in options.items():
        if key not in known:
            raise InputError(f"unknown option {key!r}{suggest(key, known)}")
        try:
            TypeAdapter(known[key].annotation).validate_python(value, strict=True)
        except ValidationError as problem:
            raise InputError(f"{key}: {problem.errors()[0]['msg']}, got {value!r}") from None
