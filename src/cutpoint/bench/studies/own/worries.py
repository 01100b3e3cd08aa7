"""What in the data, and in how the methods agree, makes their results less sure: a row for each reason to worry."""

from __future__ import annotations

import numpy as np
from scipy import stats

from cutpoint.base.text import first_of
from cutpoint.bench.artefacts.table import Cell, Row
from cutpoint.bench.engine.inputs import Inputs
from cutpoint.bench.engine.tables import Content
from cutpoint.bench.studies.own import confidence
from cutpoint.bench.studies.own.columns import present
from cutpoint.bench.studies.own.outcomes import WHOLE, continuous, data, lost, outcomes
from cutpoint.bench.studies.own.study import NO, YES, jaccard

HEADS = ("In your data", "Worry?", "What to do")
MANY_GAPS = 0.05  # share of the cells
PER_COLUMN = 20  # records for each column below which graphs are mostly chance
TIED, FAR, SAME = 0.1, 5.0, 0.99  # share of one value; interquartile ranges beyond the quartiles; rank correlation
ALIKE, STABLE = 0.5, 0.7  # Jaccard indices of graphs below which they are called different


def worries_table(inputs: Inputs) -> Content:
    """Return for each reason to worry what the data show, whether it is one here, and what helps."""
    if missing := lost(inputs, WHOLE):
        return Content("reason", HEADS, (), missing=missing)
    table, numbers = data(inputs), continuous(data(inputs))
    records, columns = table.values.shape
    gaps = float(np.isnan(table.values).mean())
    values = {table.variables[i]: present(table, i) for i in numbers}
    ties = [name for name, x in values.items() if np.unique(x, return_counts=True)[1].max() > TIED * len(x)]
    far = [name for name, x in values.items() if _beyond(x)]
    twins = _twins(values)
    alike = jaccard(outcomes(inputs))[~np.eye(len(inputs.methods), dtype=bool)]
    stable = np.array([confidence.stability(each) for each in confidence.frequencies(inputs) if each is not None])
    rows = (
        ("Few records", f"records: {records:,}; columns: {columns}", records < PER_COLUMN * columns,
         "Believe edges with high confidence alone; drop columns that you do not need."),
        ("Missing cells", f"cells: {100 * gaps:.1f} %", gaps > MANY_GAPS,
         "Compare missing=impute with missing=drop; cells that are missing for a reason bias both."),
        ("Repeated values", _names(ties), bool(ties),
         "Is it rounding, a limit of detection, or a code? Name codes under discrete."),
        ("Extreme values", _names(far), bool(far),
         "Look at these records; methods that assume a normal density suffer most."),
        ("Columns that say the same", _names(twins), bool(twins),
         "Keep one of each pair: no data tell which of them has the edge."),
        ("Methods disagree", *_shared(alike, "edges in common of two methods", ALIKE),
         "Believe the edges that most methods share: the table of edge confidence."),
        ("Resamples disagree", *_shared(stable, "edges in common of two resamples", STABLE),
         "More records, or fewer columns; quote the confidence of an edge with it."),
    )  # fmt: skip
    cells = [
        (name, (Cell(seen), Cell(YES if worry else NO), Cell(remedy if worry else "-")))
        for name, seen, worry, remedy in rows
    ]
    return Content("reason", HEADS, [Row(name.replace(" ", "_"), name, "", each) for name, each in cells])


def _beyond(x: np.ndarray) -> bool:
    low, high = np.quantile(x, [0.25, 0.75])
    return bool(high > low and ((x < low - FAR * (high - low)) | (x > high + FAR * (high - low))).any())


def _twins(values: dict[str, np.ndarray]) -> list[str]:
    """Return the pairs of continuous columns whose ranks are nearly the same, or nearly reversed."""
    names = [name for name, x in values.items() if len({len(y) for y in values.values()}) == 1 and np.ptp(x) > 0]
    ranks = [stats.rankdata(values[name]) for name in names]
    near = np.abs(np.corrcoef(ranks)) > SAME if len(names) > 1 else np.zeros((len(names),) * 2, bool)
    return [f"{names[i]} and {names[j]}" for i, j in np.argwhere(np.triu(near, 1))]


def _names(names: list[str]) -> str:
    return first_of(names) if names else "none"


def _shared(shares: np.ndarray, what: str, bar: float) -> tuple[str, bool]:
    """Return the mean of the shares in words, and whether it is below a bar."""
    mean = float(shares[np.isfinite(shares)].mean()) if np.isfinite(shares).any() else np.nan
    return f"{what}: {100 * mean:.0f} %" if np.isfinite(mean) else "not measured", mean < bar
