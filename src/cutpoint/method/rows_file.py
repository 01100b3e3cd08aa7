"""The rows of `methods.yaml`: read, crossed, and checked against the registry and the functions' options."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from cutpoint.base.checking import check, read_yaml
from cutpoint.base.errors import InputError
from cutpoint.base.names import NAME, Name
from cutpoint.base.text import suggest
from cutpoint.method import assembly, registry


class Method(BaseModel):
    """A row of methods.yaml; further keys are options of its parts."""

    model_config = ConfigDict(extra="allow")

    label: str
    category: Literal["prediscretization", "integrated", "direct", "external"]
    job: Name | None = Field(None, description="methods of the same job run in one; its own name")
    rule: Name | None = None
    cross: dict[str, list] | None = Field(None, description="values of keys, a row for each combination")
    note: str | None = None
    studies: list[Name] | None = Field(None, description="studies that it joins below the printed rows; all")


def load_methods(path: str | Path) -> dict[str, dict[str, Any]]:
    """Return the rows of a methods file, in order, each checked with its options.

    Raises:
        InputError: naming the file, the row and the key.
    """
    rows = read_methods(path)
    for name, row in rows.items():
        check_row(row, f"{path}: {name}")
    return rows


def read_methods(path: str | Path) -> dict[str, dict[str, Any]]:
    """Return the rows of a methods file, in order, without a look at the functions that they name.

    Raises:
        InputError: naming the file, the row and the key.
    """
    rows = expand(read_yaml(path), str(path))
    for name, row in rows.items():
        source = f"{path}: {name}"
        if not re.fullmatch(NAME, str(name)):
            raise InputError(f"{source}: a name starts with a letter and goes on with letters, digits, _ or .")
        check(Method, row, source)
        if row.get("job") in rows.keys() - {name}:
            raise InputError(f"{source}: job: {row['job']!r} is the name of another method; choose another")
    internal = {row.get("job") or name for name, row in rows.items() if row["category"] != "external"}
    for name, row in rows.items():
        if row["category"] == "external" and row.get("rule") in internal:
            raise InputError(f"{path}: {name}: rule: {row['rule']!r} is the job of other methods; choose another")
    return rows


def expand(rows: Mapping[str, Any], source: str) -> dict[str, dict[str, Any]]:
    """Return rows with each one that has a key ``cross`` replaced by one for each combination of its values.

    Their names are that of the row and the values, joined by points; in the label {key} is the value of a key.

    Raises:
        InputError: for a row that is no mapping, values that are no lists, or a label with an unknown key.
    """
    found: dict[str, dict[str, Any]] = {}
    for name, row in rows.items():
        where = f"{source}: {name}"
        if not isinstance(row, dict):
            raise InputError(f"{where}: a mapping of keys to values is expected")
        if "cross" not in row:
            found[name] = row
            continue
        crossed = row["cross"]
        if not isinstance(crossed, dict) or not all(isinstance(values, list) and values for values in crossed.values()):
            raise InputError(f"{where}: cross: write lists, like {{score: [bic, bdeu]}}, not {crossed!r}")
        if again := [key for key in crossed if key in row]:
            raise InputError(f"{where}: cross: {again[0]!r} is a key of the row too")
        for values in product(*crossed.values()):
            one = {key: value for key, value in row.items() if key != "cross"} | dict(zip(crossed, values, strict=True))
            try:
                one["label"] = str(row.get("label", name)).format(**one)
            except (KeyError, IndexError, ValueError, AttributeError, TypeError):
                keys = ", ".join(f"{{{key}}}" for key in crossed)
                raise InputError(f"{where}: label: {row['label']!r} may hold {keys}") from None
            member = ".".join([str(name), *(re.sub(r"\W+", "_", str(value)).strip("_") for value in values)])
            if member in found or member in rows:
                raise InputError(f"{where}: cross: two rows would be called {member!r}")
            found[member] = one | {"group": name}
    return found


def check_row(row: Mapping[str, Any], source: str) -> None:
    """Check the parts and options of a method against the registry and the signatures.

    Raises:
        InputError: naming the source and the key.
    """
    try:
        _check_options(row)
    except InputError as problem:
        raise InputError(f"{source}: {problem}") from None


def _check_options(row: Mapping[str, Any]) -> None:
    parts = assembly.functions_of(row)
    if row["category"] == "external":
        if not row.get("rule"):
            raise InputError("rule: missing; an external method names the rule that runs it")
        if row.get("job"):
            raise InputError("job: the job of an external method is its rule; leave the key out")
        if parts:
            function = parts["discretizer"]
            _check_values([function], registry.accepted(function, assembly.options_of(row)))
        return
    _check_values([path for key, path in parts.items() if key != "initial"], assembly.options_of(row))
    if row["category"] == "integrated":
        assembly.check_search(parts["policy"], parts["learner"])


def check_options(functions: Sequence[Callable | str], options: Mapping[str, Any], source: str) -> None:
    """Check options against the keyword-only parameters of the functions that take them.

    Raises:
        InputError: naming the source and the option.
    """
    try:
        _check_values(functions, options)
    except InputError as problem:
        raise InputError(f"{source}: {problem}") from None


def _check_values(functions: Sequence[Callable | str], options: Mapping[str, Any]) -> None:
    reserved = {"search", "start", "after_move"}  # what the assembly hands over, and the first policy with the search
    known: dict[str, Any] = {}
    for options_of in map(registry.options_of, functions):
        handed = reserved | ({"initial"} if "search" in options_of else set())
        known |= {k: p for k, p in options_of.items() if k not in handed}
    for key, value in options.items():
        if key not in known:
            raise InputError(f"unknown option {key!r}{suggest(key, known)}")
        try:
            TypeAdapter(known[key].annotation).validate_python(value, strict=True)
        except ValidationError as problem:
            raise InputError(f"{key}: {problem.errors()[0]['msg']}, got {value!r}") from None


def members_of(methods: Sequence[str], rows: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return names of methods with those of a crossed row in its place."""
    members = {name: [member for member, row in rows.items() if row.get("group") == name] for name in methods}
    return [member for name in methods for member in (members[name] or [name])]
