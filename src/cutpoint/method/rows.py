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
from cutpoint.method import assembly, rows_file


@cache
def method_rows() -> dict[str, dict[str, Any]]:
    """Return the rows of methods.yaml by name; each is checked when it is used."""
    shipped = files("cutpoint").joinpath("data", "methods.yaml")
    return rows_file.read_methods(str(shipped) if shipped.is_file() else user_code.ROOT / "config" / "methods.yaml")


def method_row(method: str, options: Mapping[str, Any]) -> assembly.Row:
    """Return the row of a method that runs in this process, with options that replace those of the row.

    Raises:
        InputError: for an unknown or external method, or a wrong option.
    """
    rows = method_rows()
    if not isinstance(method, str) or method not in rows:
        raise InputError(f"unknown method {method!r}{suggest(method, rows)}")
    row = rows[method] | plain(options)
    if row["category"] == "external":
        raise InputError(f"{method}: an external method runs in the workflow, by its rule {row['rule']!r}")
    rows_file.check_row(row, method)
    return row


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
    rows: Mapping[str, assembly.Row] = {}
    with suppress(InputError):  # there may be no file of rows
        rows = method_rows()
    if method not in rows:
        return ""
    return f"{method!r} is a row of methods.yaml, not a discretizer; {_call(method, rows[method])}"


def _call(method: str, row: assembly.Row) -> str:
    if "discretizer" in row:
        name, *options = assembly.discretizer_of(row).items()
        arguments = "".join(f", {key}={value!r}" for key, value in options)
        return f"call its discretizer: cp.discretize(values, {name[1]!r}{arguments})"
    if row["category"] == "integrated":
        return f"it discretizes as it learns: cp.learn(values, {method!r}).thresholds"
    return "it does not discretize"
