"""Where each part of a method was published: what a methods section cites."""

from collections.abc import Iterable, Mapping
from typing import Any

from cutpoint.method.registry import references

PARTS = ("discretizer", "policy", "learner", "score", "order")  # keys of a row of methods.yaml


def references_of(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return what some rows of `methods.yaml` are cited by, sorted, each once."""
    entries, named = references(), {str(row.get(part)) for row in rows for part in PARTS}
    return sorted({entries[name] for name in named & entries.keys()})
