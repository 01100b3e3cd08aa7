"""What the study answers, in sentences made from its numbers."""

from __future__ import annotations

from collections.abc import Callable

from cutpoint.studies.inputs import Inputs
from cutpoint.studies.samples import absent
from cutpoint.studies.steck2007 import evidence


def levels(inputs: Inputs) -> str | None:
    """Say how often the score has its highest value at the true number of levels."""
    if absent(inputs, "clusters"):
        return None
    found = evidence.scores(inputs)
    right = {kind: sum(found.best_levels(kind, k) == k for k in found.clusters) for kind in evidence.KINDS}
    total = len(found.clusters)
    return (
        f"Levels: with k well-separated clusters Steck's score is highest at k levels for {right['exact']} of {total} "
        f"values of k when the thresholds are exact, for {right['greedy']} when they are greedy and for "
        f"{right['quantile']} at quantiles."
    )


ANSWERS: dict[str, Callable[[Inputs], str | None]] = {"levels": levels}
