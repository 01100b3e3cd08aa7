"""From a row of `methods.yaml` to its method: names are looked up, and only functions of users imported for it."""

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from cutpoint.base.checking import check_options
from cutpoint.base.errors import InputError
from cutpoint.base.text import shown
from cutpoint.method import registry
from cutpoint.method.functions import accepted, is_shipped, options_of, parameters_of, takes_data
from cutpoint.method.method import CATEGORIES, FIRST, DiscretizerFunction, External, Function, Method

# Keys of a row that are not options of a function.
DESCRIPTION = ("label", "category", "job", "studies", "about", "note", "rule", "truth", "group")
PARTS = ("discretizer", "policy", "learner", "score")
# The category of a row is that of the first of these keys which it has, direct without any.
KEY_OF = {"rule": "external", "truth": "reference", "policy": "integrated", "discretizer": "prediscretization"}
# What the functions of a category are, by the key that names them; and learners that take data instead of a score.
DATA_LEARNERS = {"prediscretization": registry.DISCRETE_PATTERN_LEARNERS, "direct": registry.PATTERN_LEARNERS}
TABLES: dict[str, dict[str, Mapping[str, str]]] = {
    "prediscretization": {
        "discretizer": registry.DISCRETIZERS,
        "learner": registry.LEARNERS | registry.DISCRETE_PATTERN_LEARNERS,
        "score": registry.SCORES,
    },
    "integrated": {"policy": registry.INTEGRATED, "learner": registry.LEARNERS, "score": registry.SCORES},
    "direct": {"learner": registry.LEARNERS | registry.PATTERN_LEARNERS, "score": registry.CONTINUOUS_SCORES},
    "reference": {"learner": registry.LEARNERS, "score": registry.SCORES},
}


def category_of(row: Mapping[str, Any]) -> str:
    """Return the category that follows from the keys of a row."""
    return next((category for key, category in KEY_OF.items() if key in row), "direct")


def parse(row: Mapping[str, Any]) -> Method:
    """Return the method of a row, its options not yet checked."""
    row = {"category": category_of(row), **row}
    if row["category"] == "external":
        return _external(row)
    paths = _paths(row)
    parts: dict[str, Function] = {}
    if "policy" in paths and "initial" in options_of(paths["policy"]):
        parts["initial"] = _initial(row["initial"]) if "initial" in row else FIRST
    options = _without(row, *DESCRIPTION, *PARTS, *parts)
    kinds = {key: DiscretizerFunction if key == "discretizer" else Function for key in paths}
    functions = {key: kinds[key](path, accepted(path, options)) for key, path in paths.items()} | parts
    if "initial" in row and not any("initial" in (key, *function.options) for key, function in functions.items()):
        raise InputError("initial: this method makes its own first thresholds; leave the key out")
    return CATEGORIES[row["category"]](functions)


def is_shipped_row(row: Mapping[str, Any]) -> bool:
    """Return whether a row names no function of a user, without an import of any."""
    initial = row.get("initial")
    names = [*(row.get(key) for key in PARTS), *(initial if isinstance(initial, Mapping) else ())]
    return all(is_shipped(name) for name in names if isinstance(name, str) and ":" in name)


def _external(row: Mapping[str, Any]) -> External:
    options = _without(row, *DESCRIPTION, "discretizer")
    if "discretizer" not in row:
        return External({}, options)
    path = registry.lookup(registry.DISCRETIZERS, row["discretizer"], "discretizer")
    discretizer = DiscretizerFunction(path, accepted(path, options))
    return External({"discretizer": discretizer}, _without(options, *discretizer.options))


def _paths(row: Mapping[str, Any]) -> dict[str, str]:
    category, paths = row["category"], {}
    tables = dict(TABLES[category])
    if _takes_data(category, row.get("learner")):
        del tables["score"]
    for key, table in tables.items():
        if key not in row:
            raise InputError(f"{key}: missing; a {category} method names one of {', '.join(table)}")
        if category == "direct" and row[key] in list(registry.SCORES.keys() - table.keys()):
            raise InputError(f"discretizer: missing; {row[key]} scores codes, which a discretizer or a policy makes")
        paths[key] = registry.lookup(table, row[key], key)
    for key in PARTS:
        if key in row and key not in paths:
            kind = f"a method of category {category!r} with the learner {row['learner']!r}"
            raise InputError(f"{key}: {kind} has none; leave the key out")
    return paths


def _takes_data(category: str, learner: Any) -> bool:
    if not isinstance(learner, str) or category not in DATA_LEARNERS:
        return False
    return takes_data(learner) if ":" in learner else learner in DATA_LEARNERS[category]


def _without(mapping: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in mapping.items() if key not in keys}


def _initial(initial: Any) -> DiscretizerFunction:
    """Return the discretizer of the first thresholds from ``initial: {name: bins}``."""
    if not isinstance(initial, Mapping) or len(initial) != 1:
        hint = "write one discretizer and its bins, like {equal_frequency: 3}"
        raise InputError(f"initial: {hint}, not {shown(initial)}")
    ((name, bins),) = initial.items()
    if bins is None and ":" in str(name):
        raise InputError(f"initial: put a space after the colon of {name}, like {{equal_frequency: 3}}")
    if type(bins) is not int or bins < 1:  # True is an int too
        raise InputError(f"initial: {name} needs a number of bins, got {shown(bins)}")
    path = registry.lookup(registry.DISCRETIZERS, name, "discretizer in initial")
    return DiscretizerFunction(path, accepted(path, {"bins": bins}))


def check_row(row: Mapping[str, Any], source: str) -> Method:
    """Return the method of a row, its options checked; an InputError names the source and the key."""
    try:
        method = parse(row)
        if isinstance(method, External):
            _check_external(row, method)
        else:
            paths = [function.path for key, function in method.functions.items() if key != "initial"]
            check_options(parameters_of(*paths), _without(row, *DESCRIPTION, *PARTS, *method.functions))
            if "policy" in method.functions:
                _check_search(method.functions["policy"].path, method.functions["learner"].path)
    except InputError as problem:
        raise InputError(f"{source}: {misspelt(row) or problem}") from None
    return method


def misspelt(row: Mapping[str, Any]) -> str:
    """Return what to say of a key that is nearly one that names a part and lacks, which would explain other faults."""
    lacking = {*PARTS, *KEY_OF, "initial", "label"} - row.keys()
    near = {key: get_close_matches(key, lacking, 1, 0.8) for key in row if key not in DESCRIPTION}
    return next((f"unknown key {key!r}; did you mean {names[0]!r}?" for key, names in near.items() if names), "")


def _check_external(row: Mapping[str, Any], method: External) -> None:
    if not row.get("rule"):
        raise InputError("rule: missing; an external method names the rule that runs it")
    if row.get("job"):
        raise InputError("job: the job of an external method is its rule; leave the key out")
    for function in method.functions.values():
        check_options(parameters_of(function.path), function.options)


def _check_search(function: str, learner: str) -> None:
    """Raise InputError when a method discretizes after every move and its learner does not let it."""
    search = options_of(function).get("search")
    kind = getattr(search.annotation, "__name__", "") if search else ""
    if kind == "StepwiseSearch" and "after_move" not in options_of(learner):
        name = learner.rpartition(":")[2]
        raise InputError(f"learner: {name} does not let the method discretize after every move; use tabu")
