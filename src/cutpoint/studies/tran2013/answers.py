"""What the study answers, in sentences made from its numbers."""

from __future__ import annotations

from collections.abc import Callable

from cutpoint.studies.inputs import Inputs
from cutpoint.studies.samples import rows_of
from cutpoint.studies.tran2013.searches import SEARCHES


def removal(inputs: Inputs) -> str | None:
    """Say how often each search finds the true levels of sampled data."""
    rows = rows_of(inputs, "recovery")
    if not rows:
        return None
    most = max(int(row["records"]) for row in rows)
    chosen = [row for row in rows if int(row["records"]) == most]
    total = sum(int(row["samples"]) for row in chosen)
    parts = [f"{label} {sum(int(row[name]) for row in chosen) / total:.0%}" for name, label in SEARCHES.items()]
    return (
        f"Removal of thresholds: from {most:,} records the true levels are found by {', '.join(parts)} of the samples."
    )


ANSWERS: dict[str, Callable[[Inputs], str | None]] = {"removal": removal}
