"""What the study answers, in sentences made from its numbers."""

from __future__ import annotations

from collections.abc import Callable

from cutpoint.studies import sentences
from cutpoint.studies.inputs import Inputs
from cutpoint.studies.mabrouk2015 import evidence
from cutpoint.studies.numbers import MEAN


def discretization(inputs: Inputs) -> str | None:
    """Say which method recovers the random networks best inside the same search."""
    found, seconds = (evidence.by_size(inputs, metric) for metric in ("f1_pattern", "seconds"))
    row = sentences.best(found, range(len(inputs.methods)), highest=True)
    if row is None:
        return None
    rest = ", ".join(
        f"{method.label} {sentences.value(found, i)} ({sentences.value(seconds, i)} s)"
        for i, method in enumerate(inputs.methods)
        if i != row and found.runs[i, found.names.index(MEAN)]
    )
    return (
        f"Discretization inside one search: on random networks {inputs.methods[row].label} recovers the structure "
        f"best, F1 of the pattern {sentences.value(found, row)} at {sentences.value(seconds, row)} CPU s a run"
        + (f"; {rest}." if rest else ".")
    )


ANSWERS: dict[str, Callable[[Inputs], str | None]] = {"discretization": discretization}
