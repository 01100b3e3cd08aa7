"""The two kinds of slips in the printed scores: how parameters are counted, and misprints."""

from __future__ import annotations

import math

import numpy as np
from cutpoint.bench.studies.tran2013 import graphs
from cutpoint.bench.studies.tran2013.misprints import RECORDS, ROUNDING, SCORES, expected, in_scores, misprints

from cutpoint.bench.engine.explanations import Explanation
from cutpoint.bench.engine.inputs import Inputs

UNPRINTED = Explanation(np.nan, np.nan, np.nan, {"printed": np.nan})


def counted(inputs: Inputs, *, graph: int) -> Explanation:
    """Return how many parameters of a graph the printed AIC and BIC tell, beside r - 1 and r per configuration."""
    printed = inputs.printed("table_3.1_scores")
    if not printed:
        return UNPRINTED
    slope = math.log(RECORDS) - 2
    told = {int(key): (row["bic"] - row["aic"]) / slope for key, row in printed.items()}
    agree = [
        sum(abs(value - graphs.parameters(key, full=full)) <= 2 * ROUNDING / slope for key, value in told.items())
        for full in (False, True)
    ]
    about = {"count": len(told), "free": agree[0], "full": agree[1], "graph": graph}
    return Explanation(told[graph], graphs.parameters(graph), graphs.parameters(graph, full=True), about)


def misprinted(inputs: Inputs) -> Explanation:
    """Return the largest difference of a printed score from what the others tell, with and without the misprints."""
    printed = inputs.printed("table_3.1_scores")
    if not printed:
        return UNPRINTED
    right = expected({int(graph): row["bic"] for graph, row in printed.items()})
    errors = [about for _, about in in_scores(printed) if "score" in about]
    wrong = {(about["score"], about["graph"]) for about in errors}
    off = {
        (label, int(graph)): abs(row[name] - right[name][int(graph)])
        for name, label in SCORES.items() for graph, row in printed.items()
    }  # fmt: skip
    rest = max(value for key, value in off.items() if key not in wrong)
    about = {"scores": len(off), "wrong": len(wrong), "errors": sum(1 for _ in misprints(inputs))}
    return Explanation(max(off.values()), np.nan, rest, about)
