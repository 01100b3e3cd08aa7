"""What the study answers, in sentences made from its numbers."""

from __future__ import annotations

from collections.abc import Callable

from cutpoint.studies.calibration import evidence
from cutpoint.studies.calibration.evidence import ADJACENCY, EVERY, LABELS
from cutpoint.studies.inputs import Inputs


def confidence(inputs: Inputs) -> str | None:
    """Say which resamples give the best calibrated confidences, and what a high one is worth."""
    found = {kind: evidence.counted(inputs, ADJACENCY, EVERY, kind) for kind in evidence.resamples(inputs)}
    known = {kind: each for kind, each in found.items() if each is not None}
    if not known:
        return None
    best = min(known, key=lambda kind: known[kind].calibration[0])
    errors = ", ".join(f"{LABELS[kind]} {each.calibration[0]:.3f}" for kind, each in known.items())
    high = ", ".join(f"{LABELS[kind]} {each.trusted[0]:.0%}" for kind, each in known.items())
    return (
        f"Edge confidence: best calibrated over all methods is {LABELS[best]} (calibration error: {errors}); of the "
        f"pairs above 0.9 these are true: {high}."
    )


ANSWERS: dict[str, Callable[[Inputs], str | None]] = {"confidence": confidence}
