"""What in the data, and in how methods agree, makes results less sure; `cutpoint.data.worries` looks at the data."""

from __future__ import annotations

import numpy as np

from cutpoint.bench.artefacts.table import Cell, Row
from cutpoint.bench.engine.inputs import Inputs
from cutpoint.bench.engine.tables import Content
from cutpoint.bench.studies.own import confidence
from cutpoint.bench.studies.own.outcomes import WHOLE, data, lost, outcomes
from cutpoint.bench.studies.own.study import NO, YES, jaccard

HEADS = ("In your data", "Worry?", "What to do")
ALIKE, STABLE = 0.5, 0.7  # Jaccard indices of graphs below which they are called different


def worries_table(inputs: Inputs) -> Content:
    """Return for each reason to worry what the data show, whether it is one here, and what helps; those first."""
    if missing := lost(inputs, WHOLE):
        return Content("reason", HEADS, (), missing=missing)
    table = data(inputs)
    alike = jaccard(outcomes(inputs))[~np.eye(len(inputs.methods), dtype=bool)]
    stable = np.array([confidence.stability(each) for each in confidence.frequencies(inputs) if each is not None])
    rows = (
        *table.worries,
        ("Methods disagree", *_shared(alike, "edges in common of two methods", ALIKE),
         "Believe the edges that most methods share: the table of edge confidence."),
        ("Resamples disagree", *_shared(stable, "edges in common of two resamples", STABLE),
         "More records, or fewer columns; quote the confidence of an edge with it."),
    )  # fmt: skip
    cells = [
        (name, (Cell(seen), Cell(YES if worry else NO), Cell(remedy if worry else "-")))
        for name, seen, worry, remedy in sorted(rows, key=lambda row: not row[2])
    ]
    return Content("reason", HEADS, [Row(name.replace(" ", "_"), name, "", each) for name, each in cells])


def _shared(shares: np.ndarray, what: str, bar: float) -> tuple[str, bool]:
    """Return the mean of the shares in words, and whether it is below a bar."""
    mean = float(shares[np.isfinite(shares)].mean()) if np.isfinite(shares).any() else np.nan
    return f"{what}: {100 * mean:.0f} %" if np.isfinite(mean) else "not measured", mean < bar
