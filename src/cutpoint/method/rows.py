"""The rows of `methods.yaml` for the functions of `cutpoint.api`: looked up, checked, shown."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from cutpoint.base import user_code
from cutpoint.base.errors import InputError
from cutpoint.base.text import suggest
from cutpoint.method.method import Method
from cutpoint.method.parsing import check_row, parse
from cutpoint.method.rows_file import read_methods


@cache
def method_rows() -> dict[str, dict[str, Any]]:
    """Return the rows of methods.yaml by name; each is checked when it is used."""
    shipped = files("cutpoint").joinpath("data", "methods.yaml")
    return read_methods(str(shipped) if shipped.is_file() else user_code.ROOT / "config" / "methods.yaml")


def method_of(name: str, options: Mapping[str, Any]) -> Method:
    """Return a method that runs in this process, with options that replace those of its row.

    Raises:
        InputError: for an unknown or external method, or a wrong option.
    """
    rows = method_rows()
    if not isinstance(name, str) or name not in rows:
        raise InputError(f"unknown method {name!r}{suggest(name, rows)}")
    row = rows[name] | plain(options)
    if row["category"] == "external":
        raise InputError(f"{name}: an external method runs in the workflow, by its rule {row['rule']!r}")
    return check_row(row, name)


def plain(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options with NumPy's scalars as Python's: their types are checked as those of a config file."""
    return {key: value.item() if isinstance(value, np.generic) else value for key, value in options.items()}


class Lines(dict[str, str]):
    """A dict that is shown with a line for each entry."""

    def __repr__(self) -> str:
        width = max(map(len, self), default=0)
        return "\n".join(f"{name:<{width}}  {line}" for name, line in self.items())


def thresholds_hint(method: str) -> str:
    """Return how the thresholds of a row are had from Python, "" for the name of no row."""
    rows: Mapping[str, Mapping[str, Any]] = {}
    with suppress(InputError):  # there may be no file of rows
        rows = method_rows()
    if method not in rows:
        return ""
    return f"{method!r} is a row of methods.yaml, not a discretizer; {_call(method, rows[method])}"


def _call(method: str, row: Mapping[str, Any]) -> str:
    if discretizer := parse(row).discretizer:
        arguments = "".join(f", {key}={value!r}" for key, value in discretizer.options.items())
        return f"call its discretizer: cp.discretize(values, {row['discretizer']!r}{arguments})"
    if row["category"] == "integrated":
        return f"it discretizes as it learns: cp.learn(values, {method!r}).thresholds"
    return "it does not discretize"
