"""The parts of methods: `registry.csv` has the name of each, the path of its function, and where it was published.

A function is named ``module:function`` or ``path/to/file.py:function`` and imported when it is used,
so that a job imports what it needs and a change in one method leaves the results of the others alone.
"""

from collections.abc import Mapping
from pathlib import Path

from cutpoint.base.errors import InputError
from cutpoint.base.text import suggest
from cutpoint.data.csv_files import read_csv

_PARTS = read_csv(Path(__file__).with_suffix(".csv"))


def _paths(kind: str) -> dict[str, str]:
    return {part["name"]: part["function"] for part in _PARTS if part["kind"] == kind}


DISCRETIZERS = _paths("discretizer")  # values [N, n], discrete [n] -> thresholds
SCORES = _paths("score")  # codes [N, n], cardinalities [n] -> LocalScore
CONTINUOUS_SCORES = _paths("continuous score")  # values [N, n], discrete [n] -> LocalScore, without a discretization
LEARNERS = _paths("learner")  # LocalScore -> Search
# Without a score: codes [N, n], cardinalities [n] -> Learned, and values [N, n], discrete [n] -> Learned
DISCRETE_PATTERN_LEARNERS, PATTERN_LEARNERS = _paths("discrete pattern learner"), _paths("pattern learner")
# values [N, n], discrete [n], search, first thresholds and knowledge of arcs where it takes them -> Learned
INTEGRATED = _paths("policy")


def references() -> dict[str, str]:
    """Return what each part is cited by, by its name, and the order "stable"; what is in every textbook is left out."""
    return {part["name"]: part["reference"] for part in _PARTS if part["reference"]}


def lookup(table: Mapping[str, str], name: str, what: str) -> str:
    """Return the path of the function of a name; a name with a colon is a path already."""
    if not isinstance(name, str):
        raise InputError(f"{what}: one name is expected, not {name!r} (known: {', '.join(table)})")
    if ":" in name:
        return name
    if name not in table:
        raise InputError(f"unknown {what} {name!r}{suggest(name, table)}")
    return table[name]
