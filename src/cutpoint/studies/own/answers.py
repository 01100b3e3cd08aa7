"""What the study answers, in sentences made from its numbers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from cutpoint.base.text import listed
from cutpoint.graphs.metrics import shd
from cutpoint.statistics.draws import mean_interval
from cutpoint.studies.inputs import Inputs
from cutpoint.studies.own import confidence, held_out, outcomes

SURE = 0.9  # mean confidence of an edge that is named
NAMED = 5  # edges at most


def discretization(inputs: Inputs) -> str | None:
    """Say which method foretells records held out best, and how far it is ahead."""
    found = held_out.folds(inputs)
    best = found.best
    if best is None:
        return None
    label = inputs.methods[best].label
    gain, low, high = mean_interval(found.gains[best])
    spread = f" [{low:.2f}, {high:.2f}]" if np.isfinite(low) else ""
    if gain <= 0:
        return f"Your data: no method makes unseen records likelier than a model without edges; the best is {label}."
    alike = [
        m.label
        for i, m in enumerate(inputs.methods)
        # one fold of both has no interval, and tells nothing clearly
        if i != best and found.runs[i] and not mean_interval(found.values[i] - found.values[best])[2] < 0
    ]
    if not low > 0:  # NaN with a single fold
        return (
            f"Your data: {label} makes unseen records likeliest, but not clearly better than no edges: "
            f"{gain:.2f}{spread} nats per record above a model without edges."
        )
    others = f"; not clearly worse: {', '.join(alike)}" if alike else ""
    return (
        f"Your data: {label} makes unseen records likeliest, {gain:.2f}{spread} nats per record above a model without "
        f"edges{others}."
    )


def learner(inputs: Inputs) -> str | None:
    """Say which edges are sure whatever the method."""
    every = confidence.pairs(inputs)
    if not every:
        return None
    shares, names = confidence.middle(inputs), outcomes.data(inputs).variables
    sure = [f"{names[i]} - {names[j]}" for i, j in every if shares[i, j] > SURE]
    more = f" and {len(sure) - NAMED} more" if len(sure) > NAMED else ""
    listed = f": {', '.join(sure[:NAMED])}{more}" if sure else ""
    edges = f"{len(sure) or 'no'} edge{'s' * (len(sure) != 1)}"
    are = "is" if len(sure) == 1 else "are"
    return f"Your data: {edges} {are} in more than {SURE:.0%} of the graphs of all methods and resamples{listed}."


def truth(inputs: Inputs) -> str | None:
    """Say which method is nearest to the true network, where there is one."""
    true = outcomes.truth(inputs)
    found = [(each.method.label, each.graph) for each in outcomes.outcomes(inputs) if each.graph is not None]
    if true is None or not found:
        return None
    far = {label: int(shd(graph, true, "standard")) for label, graph in found}
    least = min(far.values())
    nearest = [label for label, distance in far.items() if distance == least]
    pairs, edges = len(true) * (len(true) - 1) // 2, int((true | true.T).sum()) // 2
    return (
        f"Your data: {listed(nearest)} {'are' if len(nearest) > 1 else 'is'} nearest to the true network, wrong on "
        f"{least} of {pairs} pairs of columns (SHD), of which {edges} {'are' if edges != 1 else 'is'} truly joined."
    )


ANSWERS: dict[str, Callable[[Inputs], str | None]] = {
    "discretization": discretization,
    "learner": learner,
    "truth": truth,
}
