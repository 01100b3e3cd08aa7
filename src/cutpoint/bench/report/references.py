"""Where each part of a method was published: what a methods section cites."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from cutpoint.data.csv_files import read_csv

PARTS = ("discretizer", "policy", "learner", "score", "order")  # keys of a row of methods.yaml
TABLE = Path(__file__).parents[1] / "templates" / "references.csv"  # without what is in every textbook


def references() -> dict[str, str]:
    """Return what each part of a method is cited by, by its name in the registry."""
    return {row["name"]: row["reference"] for row in read_csv(TABLE)}


def references_of(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return what some rows of `methods.yaml` are cited by, sorted, each once."""
    entries, named = references(), {str(row.get(part)) for row in rows for part in PARTS}
    return sorted({entries[name] for name in named & entries.keys()})
