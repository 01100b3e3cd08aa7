"""What the study answers, in sentences made from its numbers."""

from __future__ import annotations

from collections.abc import Callable

from cutpoint.studies import sentences
from cutpoint.studies.columns import MEAN
from cutpoint.studies.fu2005 import evidence
from cutpoint.studies.fu2005.additions import ranked
from cutpoint.studies.inputs import Inputs

NAMES = {"prediscretization": "binning before learning", "integrated": "integrated method", "direct": "direct method"}


def discretization(inputs: Inputs) -> str | None:
    """Say which method recovers the structure best, and what a poor choice costs."""
    result = ranked(inputs, "simulated")
    if result is None:
        return None
    shd = evidence.by_size(inputs, "shd_fu2005", None)
    kept = [int(i) for i in result.kept]
    first, last = kept[result.ranks.argmin()], kept[result.ranks.argmax()]
    change = sentences.change(shd, first, last)
    return (
        f"Discretization: over {result.blocks} cells of simulated data "
        f"{sentences.ranking(inputs, result, what='recovers the structure best')}. Its distance to the true graph "
        f"(SHD) is {change} that of {inputs.methods[last].label}, the last."
    )


def cost(inputs: Inputs) -> str | None:
    """Say what the best method of each category costs at the largest N."""
    shd, seconds = (evidence.by_size(inputs, metric, None) for metric in ("shd_fu2005", "seconds"))
    sizes = [name for name in shd.names if name != MEAN]
    if not sizes:
        return None
    n, found = max(sizes), []
    for category, called in NAMES.items():
        rows = [i for i, method in enumerate(inputs.methods) if method.category == category]
        row = sentences.best(shd, rows, n)
        if row is not None and n in seconds.names:
            price, distance = sentences.value(seconds, row, n, 3), sentences.value(shd, row, n, 1)
            found.append(f"the best {called} ({inputs.methods[row].label}) costs {price} CPU s at SHD {distance}")
    return f"Cost: at N = {n:g} {', '.join(found)}." if found else None


ANSWERS: dict[str, Callable[[Inputs], str | None]] = {"discretization": discretization, "cost": cost}
