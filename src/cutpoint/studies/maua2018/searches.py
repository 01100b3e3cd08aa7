"""Discretizations crossed with scores and searches: what a better search is worth, and what it costs."""

from __future__ import annotations

import numpy as np

from cutpoint.report.artefacts import Table
from cutpoint.studies.inputs import Inputs
from cutpoint.studies.numbers import MEAN, grouped
from cutpoint.studies.tables import Column, of_methods

GRID, KEYS = "searches", ("network", "n")
BEST = "exact"
SHOWN = {  # metric: title of the panel, decimals
    "score_gap": ("Score below that of the exact search, nats", 2),
    "shd_fu2005": ("SHD, a missing or extra directed edge counts 2", 1),
    "seconds": ("CPU seconds of discretization and learning", 3),
    "score_calls": ("Families that the search asked for", 0),
}


def table_searches(inputs: Inputs) -> Table:
    """Return a row for each discretization, score and search."""
    widened = inputs.with_metrics({**inputs.metrics, "score_gap": score_gap(inputs)})
    panels = []
    for metric, (title, digits) in SHOWN.items():
        source = grouped(widened, GRID, KEYS, metric, KEYS)
        names = [name for name in source.names if name != MEAN]
        heads = [f"{network.capitalize()}, N = {int(n)}" for network, n in names] + ["Mean"]
        columns = [
            Column(f"{title.split(',')[0]}, {head}", source, name, digits=digits)
            for head, name in zip(heads, [*names, MEAN], strict=True)
        ]
        panels.append((title, columns))
    return of_methods(
        widened,
        panels,
        name="table_searches",
        title="Discretizations, scores and searches",
        caption="Means over replicates with 95 % bootstrap intervals; the exact search finds the best graph with at "
        "most five parents a variable, which the others are held to too: it tells apart what the score and what the "
        "search are to blame for.",
        scale=inputs.scale_of(GRID),
        missing=inputs.missing(GRID),
    )


def score_gap(inputs: Inputs) -> np.ndarray:
    """Return how much each run's score is below that of the exact search on the same codes, NaN where there is none."""
    table = inputs.metrics
    identity = list(zip(table["method"], table["cell"], table["replicate"], strict=True))
    good = {key: float(s) for key, s, ok in zip(identity, table["score"], table["status"], strict=True) if ok == "ok"}
    gaps = []
    for method, cell, replicate in identity:
        best = good.get((f"{method.rpartition('.')[0]}.{BEST}", cell, replicate), np.nan)
        gaps.append(best - good.get((method, cell, replicate), np.nan))
    return np.array(gaps, float)
