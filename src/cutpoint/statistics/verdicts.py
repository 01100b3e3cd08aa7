"""What the bootstrap draws say about a claim."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cutpoint.statistics.draws import LEVEL

HOLDS, FAILS, UNDECIDED = "holds", "does not hold", "cannot be decided"


@dataclass(frozen=True)
class Verdict:
    """What the draws say about a claim: one of HOLDS, FAILS, UNDECIDED, and the share of draws it is true in."""

    verdict: str
    share: float


def decide(truths: np.ndarray, *, units: int | None) -> Verdict:
    """Return the verdict on a claim from its truth in every draw.

    Args:
        truths: float64 [D], 1 true, 0 false, NaN undefined in that draw (counts for neither side).
        units: what is resampled: the smallest number of replicates in a cell, or of data sets;
            with fewer than two nothing can be decided. None for a claim without chance: exact.
    """
    truths = np.asarray(truths, float).reshape(-1)
    if truths.size == 0 or np.isnan(truths).all():
        return Verdict(UNDECIDED, np.nan)
    true, false = float(np.mean(truths == 1)), float(np.mean(truths == 0))
    if units is None:
        return Verdict(HOLDS if true == 1 else FAILS if false else UNDECIDED, true)
    if units < 2:
        return Verdict(UNDECIDED, true)
    return Verdict(HOLDS if true >= LEVEL else FAILS if false >= LEVEL else UNDECIDED, true)


def every(truths: Sequence[np.ndarray]) -> np.ndarray:
    """Return the conjunction of truths, float64 [D] each, NaN for unknown: false wins over unknown."""
    stacked = np.asarray(truths, float)
    return np.where((stacked == 0).any(0), 0.0, np.where(np.isnan(stacked).any(0), np.nan, 1.0))
