"""What the study answers, in sentences made from its numbers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from cutpoint.statistics.draws import mean
from cutpoint.studies.inputs import Inputs
from cutpoint.studies.maua2018.searches import BEST, GRID, KEYS, score_gap
from cutpoint.studies.numbers import MEAN, Columns, grouped


def learner(inputs: Inputs) -> str | None:
    """Say what a better search gains in score and in structure."""
    widened = inputs.with_metrics({**inputs.metrics, "score_gap": score_gap(inputs)})
    gap, shd = (grouped(widened, GRID, KEYS, metric, KEYS) for metric in ("score_gap", "shd_fu2005"))
    searches = list(dict.fromkeys(m.name.rpartition(".")[2] for m in inputs.methods))
    rows = {s: [i for i, m in enumerate(inputs.methods) if m.name.endswith(f".{s}")] for s in searches}
    found = {s: (_mean(gap, r), _mean(shd, r)) for s, r in rows.items() if r and np.isfinite(_mean(shd, r))}
    if BEST not in found or len(found) < 2:
        return None
    parts = [
        f"{name.replace('_', ' ')} {abs(behind):.1f} at SHD {distance:.1f}"
        for name, (behind, distance) in found.items()
        if name != BEST
    ]
    exact = found[BEST][1]
    if exact > min(distance for _, distance in found.values()):
        verdict = "the best score is not the best structure, so here the score and not the search is to blame"
    else:
        verdict = "the best score is the best structure too"
    text = f"Learner: nats below the best graph on average, {', '.join(parts)}; the exact search has SHD {exact:.1f}"
    return f"{text}: {verdict}."


def _mean(columns: Columns, rows: list[int]) -> float:
    return float(mean(columns.values[0, rows, columns.names.index(MEAN)], 0))


ANSWERS: dict[str, Callable[[Inputs], str | None]] = {"learner": learner}
