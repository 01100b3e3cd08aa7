"""What the study answers, in sentences made from its numbers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from cutpoint.base.text import listed
from cutpoint.studies.growth import evidence
from cutpoint.studies.growth.evidence import RECORDS, VARIABLES, Axis
from cutpoint.studies.inputs import Inputs


def cost(inputs: Inputs) -> str | None:
    """Say how the methods grow with records and with variables, and which grow fastest."""
    parts = [text for axis in (RECORDS, VARIABLES) if (text := _grows(inputs, axis))]
    return f"Growth of the cost: CPU time grows {listed(parts)}." if parts else None


def _grows(inputs: Inputs, axis: Axis) -> str:
    found = evidence.fitted(inputs, axis).exponent[0]
    there = np.flatnonzero(np.isfinite(found))
    if there.size < 2:
        return ""
    first, last = (int(there[choose(found[there])]) for choose in (np.argmin, np.argmax))
    return (
        f"with the number of {axis.text} to a median power of {np.median(found[there]):.1f}, from {found[first]:.1f} "
        f"({inputs.methods[first].label}) to {found[last]:.1f} ({inputs.methods[last].label})"
    )


ANSWERS: dict[str, Callable[[Inputs], str | None]] = {"cost": cost}
