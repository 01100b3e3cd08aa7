"""From how many records on two correlated variables are no longer learned as independent (Figure 5, claim S7)."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from cutpoint.bench.engine.explanations import Explanation, by_size
from cutpoint.bench.engine.inputs import Inputs
from cutpoint.bench.engine.samples import cube, rows_of


def switch(shares: Mapping[float, float]) -> float:
    """Return the smallest N from which on fewer than half of the samples are independent, NaN where there is none."""
    some = [n for n, share in shares.items() if share >= 0.5]
    later = [n for n in shares if not some or n > max(some)]
    return float(min(later, default=np.nan))


def few_records(inputs: Inputs, *, method: str, ess: float, printed: float) -> Explanation:
    """Return that N of the best joint thresholds of a graph with the edge, and of the graph that a method learns.

    Args:
        inputs: of the study.
        method: row of the experiment `graphs`.
        ess: equivalent sample size of the experiment `sizes`.
        printed: N that the paper names.
    """
    rows = [row for row in rows_of(inputs, "sizes") if row["ess"] == ess]
    (_, sizes), values = cube(rows, "sample", "records", value="independent")
    optimum = dict(zip(sizes, values.mean(0).tolist(), strict=True)) if rows else {}
    learned = {
        row["records"]: row["independent"] / row["samples"]
        for row in rows_of(inputs, "graphs")
        if row["method"] == method and row["independent"] is not None
    }
    about = {"optimum": by_size(optimum), "learned": by_size(learned), "samples": len(values) if rows else np.nan}
    about["graphs"] = max((row["samples"] for row in rows_of(inputs, "graphs")), default=np.nan)
    return Explanation(printed, switch(optimum), switch(learned), about)
