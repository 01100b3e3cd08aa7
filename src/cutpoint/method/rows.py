"""The rows of methods, of `config/methods.yaml` and of users in `methods/`: read, crossed, checked, and looked up.

A row becomes a method when it is used: names are looked up, and only functions of users imported for it.
"""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from cutpoint.base import user_code
from cutpoint.base.checking import LONGEST, NAME, Name, check, check_options, read_yaml
from cutpoint.base.errors import InputError
from cutpoint.base.text import shown, suggest
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


class MethodRow(BaseModel):
    """A row of a methods file; further keys are options of its parts."""

    model_config = ConfigDict(extra="allow")

    label: str = Field(min_length=1)
    category: str | None = Field(None, description="follows from the other keys")
    job: Name | None = Field(None, description="methods of the same job run in one; those of their category")
    rule: Name | None = None
    command: str | list[str] | None = Field(None, min_length=1, description="of the rule program")
    file: str | None = Field(None, min_length=1, description="of the rule function")
    truth: Literal["codes", "thresholds"] | None = Field(None, description="what a reference knows of simulated data")
    cross: dict[str, list] | None = Field(None, description="values of keys, a row for each combination")
    about: str | None = None
    note: str | None = None
    studies: list[Name] | None = Field(None, description="that it joins; by default all but `own`, shipped rows none")


def method_files(root: Path) -> list[Path]:
    """Return the shipped file of rows, then each `methods/*.yaml` of the folder of the run or else of the clone."""
    own = {path.name: path for folder in (root, Path.cwd()) for path in folder.glob("methods/*.yaml")}
    return [root / "config" / "methods.yaml", *(own[name] for name in sorted(own))]


def load_methods(*files: str | Path) -> dict[str, dict[str, Any]]:
    """Return the rows of methods files, in order, each checked with its options."""
    rows, places = read_rows(*files)
    for name, row in rows.items():
        check_row(row, places[name])
    return rows


def read_rows(*files: str | Path) -> tuple[dict[str, dict[str, Any]], dict[str, str]]:
    """Return the rows of methods files by name, each with its category, and where each stands.

    No function is looked at. Rows of the first file join no study unless they name it. An InputError names the file,
    the row and the key.
    """
    rows: dict[str, dict[str, Any]] = {}
    places, file_of = dict[str, str](), dict[str, str | Path]()
    for file in files:
        for name, row in expand(read_yaml(file), str(file)).items():
            for taken in (row.get("group", name), name):
                if (other := file_of.setdefault(taken, file)) != file:
                    raise InputError(f"{file}: {taken}: {other} has a method of this name; choose another")
            places[name] = f"{file}: {name}"
            rows[name] = _checked(name, row, places[name])
            if file == files[0]:
                rows[name]["studies"] = row.get("studies") or []
    _check_jobs(rows, places)
    return rows, places


def _checked(name: str, row: dict[str, Any], place: str) -> dict[str, Any]:
    if not re.fullmatch(NAME, str(name)) or len(name) > LONGEST:
        rule = "starts with a letter and goes on with letters, digits, _ or ."
        raise InputError(f"{place}: a name of at most {LONGEST} letters {rule}")
    if name in CATEGORIES:
        raise InputError(f"{place}: the name is that of a category; choose another")
    category = category_of(row)
    wrong = row.get("category", category) != category
    if (wrong or "label" not in row) and (near := misspelt(row)):
        raise InputError(f"{place}: {near}")
    check(MethodRow, row, place)
    if wrong:
        makes = " and ".join(key for key in KEY_OF if key in row) or f"no {', '.join(KEY_OF)}"
        raise InputError(f"{place}: category: a row with {makes} is {category}, not {row['category']}; leave it out")
    return row | {"category": category}


def _check_jobs(rows: Mapping[str, Mapping[str, Any]], places: Mapping[str, str]) -> None:
    """Raise InputError for a job that has the name of another method, or methods of two categories."""
    of_job = {category: category for category in CATEGORIES}  # of jobs: those of a category, and others
    for name, row in sorted(rows.items(), key=lambda each: "rule" in each[1]):
        job = row.get("job") or name
        if job in rows.keys() - {name}:
            raise InputError(f"{places[name]}: job: {job!r} is the name of another method; choose another")
        if "rule" not in row and of_job.setdefault(job, row["category"]) != row["category"]:
            raise InputError(f"{places[name]}: job: {job!r} has methods of another category; choose another")
        if row.get("rule") in of_job:
            raise InputError(f"{places[name]}: rule: {row['rule']!r} is the job of other methods; choose another")


def expand(rows: Mapping[str, Any], source: str) -> dict[str, dict[str, Any]]:
    """Return rows with each one that has a key ``cross`` replaced by one for each combination of its values.

    Their names are that of the row and the values, joined by points; in the label {key} is the value of a key.
    """
    expanded: dict[str, dict[str, Any]] = {}
    for name, row in rows.items():
        where = f"{source}: {name}"
        if not isinstance(row, dict):
            raise InputError(f"{where}: a mapping of keys to values is expected")
        if "cross" not in row:
            expanded[name] = row
            continue
        crossed = row["cross"]
        if not isinstance(crossed, dict) or not all(isinstance(values, list) and values for values in crossed.values()):
            raise InputError(f"{where}: cross: write lists, like {{score: [bic, bdeu]}}, not {shown(crossed)}")
        if again := [key for key in crossed if key in row]:
            raise InputError(f"{where}: cross: {again[0]!r} is a key of the row too")
        for values in product(*crossed.values()):
            one = {key: value for key, value in row.items() if key != "cross"} | dict(zip(crossed, values, strict=True))
            try:
                words = {key: each.replace("_", " ") if isinstance(each, str) else each for key, each in one.items()}
                one["label"] = str(row.get("label", name)).format(**words)
            except (KeyError, IndexError, ValueError, AttributeError, TypeError):
                keys = ", ".join(f"{{{key}}}" for key in crossed)
                raise InputError(f"{where}: label: {row['label']!r} may hold {keys}") from None
            member = ".".join([str(name), *(re.sub(r"\W+", "_", str(value)).strip("_") for value in values)])
            if member in expanded or member in rows:
                raise InputError(f"{where}: cross: two rows would be called {member!r}")
            expanded[member] = one | {"group": name}
    return expanded


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


def _is_shipped(row: Mapping[str, Any]) -> bool:
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
    own, learner = DATA_LEARNERS.get(category), row.get("learner")
    if own and isinstance(learner, str) and (takes_data(learner) if ":" in learner else learner in own):
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


def members_of(methods: Sequence[str], rows: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return names of methods with those of a crossed row in its place."""
    members = {name: [member for member, row in rows.items() if row.get("group") == name] for name in methods}
    return [member for name in methods for member in (members[name] or [name])]


def job_of(name: str, row: Mapping[str, Any]) -> str:
    """Return the job that a method runs in: the rule of an external method, else the row's ``job``.

    References of one truth share a job, whose name is that of the file of what they know. Without one methods of a
    category share a job, but a row that runs a user's own functions has one of its own.
    """
    if "truth" in row:
        return f"true_{row['truth']}"
    return row.get("rule") or row.get("job") or (row["category"] if _is_shipped(row) else name)


def settings_of(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keys of a row that decide the result of a method, without labels and remarks."""
    return {k: v for k, v in row.items() if k in ("rule", "truth") or k not in DESCRIPTION}


_read = cache(read_rows)


def method_rows() -> dict[str, dict[str, Any]]:
    """Return the rows of methods by name, shipped ones and the user's own; each is checked when it is used."""
    return _read(*method_files(user_code.ROOT))[0]


def method_of(name: str, options: Mapping[str, Any]) -> Method:
    """Return a method that runs in this process, with options that replace those of its row."""
    rows = method_rows()
    if not isinstance(name, str) or name not in rows:
        raise InputError(f"unknown method {name!r}{suggest_row(name, rows)}")
    row = rows[name] | plain(options)
    if row["category"] == "external":
        how = f"as in `cutpoint report FILE --method {name}`"
        raise InputError(f"{name}: an external method runs in the workflow, {how}")
    if row["category"] == "reference":
        raise InputError(f"{name}: a reference knows what simulated data were made of, and runs in studies alone")
    return check_row(row, name)


def check_functions(options: Mapping[str, Any]) -> None:
    """Raise InputError for an option that names a function which no row of methods.yaml names."""
    named = {value for row in method_rows().values() for value in row.values() if isinstance(value, str)}
    for key, value in options.items():
        if isinstance(value, str) and ":" in value and value not in named:
            raise InputError(f"{key}: no row of methods.yaml names the function {value!r}; write a row that does")


def suggest_row(name: str, rows: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the end of a message about an unknown method, which may be the label of a row."""
    labels = {str(row.get("label", member)): member for member, row in rows.items()}
    return suggest(name, rows, labels=labels, lister="cutpoint methods --all lists all")


def plain(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options with NumPy's scalars as Python's: their types are checked as those of a config file."""
    return {key: value.item() if isinstance(value, np.generic) else value for key, value in options.items()}


class Lines(dict[str, str]):
    """A dict that prints with a line for each entry."""

    def __repr__(self) -> str:
        width = max(map(len, self), default=0)
        return "\n".join(f"{name:<{width}}  {line}" for name, line in self.items())


def thresholds_hint(method: str) -> str:
    """Return how to get the thresholds of a row from Python, "" for an unknown row."""
    rows: Mapping[str, Mapping[str, Any]] = {}
    with suppress(InputError):  # there may be no file of rows
        rows = method_rows()
    if method not in rows:
        return ""
    how, row = "it does not discretize", rows[method]
    if discretizer := parse(row).discretizer:
        arguments = "".join(f", {key}={value!r}" for key, value in discretizer.options.items())
        how = f"call its discretizer: cp.discretize(values, {row['discretizer']!r}{arguments})"
    elif row["category"] == "integrated":
        how = f"it discretizes as it learns: cp.learn(values, {method!r}).thresholds"
    return f"{method!r} is a row of methods.yaml, not a discretizer; {how}"
