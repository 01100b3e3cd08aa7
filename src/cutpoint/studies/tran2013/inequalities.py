"""The inequalities of the claims T1 to T4."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from cutpoint.report.claims import Inequality
from cutpoint.studies.claims import truth
from cutpoint.studies.inputs import Inputs
from cutpoint.studies.samples import Rows, cube, means, rows_of
from cutpoint.studies.tran2013 import examples
from cutpoint.studies.tran2013.comparisons import recoveries
from cutpoint.studies.tran2013.misprints import FULL, TRUE
from cutpoint.studies.tran2013.searches import KINDS

MOST = 0.95  # share of the samples that "all" asks for
SPREAD = 1e-9  # relative difference of scores that are equal
SCORES = {
    "aic_full": "AIC", "bic_full": "BIC", "mdl_rootless": "MDL", "aic": "AIC with r - 1 parameters",
    "bic": "BIC with r - 1 parameters", "mdl": "MDL with the roots' parameters",
}  # fmt: skip


def unknown(texts: Iterable[str]) -> list[Inequality]:
    """Return inequalities without a result."""
    return [Inequality(text, np.full(1, np.nan), {}, 0) for text in texts]


def t1(inputs: Inputs) -> list[Inequality]:
    """Say that each score selects the class of the true graph."""
    rows = rows_of(inputs, "graph_scores")
    texts = {
        name: f"{label} selects the class of graph {examples.TRUE_GRAPH} in {MOST:.0%} of the samples"
        for name, label in SCORES.items()
    }
    if not rows:
        return unknown(texts.values())
    found = []
    for name, text in texts.items():
        right = recoveries(rows, name)
        draws = means(inputs, right)
        found.append(Inequality(text, truth(draws >= MOST), {"share": float(draws[0])}, len(right)))
    return found


def t2(inputs: Inputs) -> list[Inequality]:
    """Say that scores are equal within each class."""
    rows = rows_of(inputs, "graph_scores")
    texts = {name: f"{label} is equal within each class" for name, label in SCORES.items()}
    if not rows:
        return unknown(texts.values())
    found = []
    for name, text in texts.items():
        (_, graphs), values = cube(rows, "sample", "graph", value=name)
        parts = [values[:, [graphs.index(graph) for graph in members]] for members in examples.classes()]
        widest = max(float((np.ptp(part, axis=1) / np.abs(part).max(1)).max()) for part in parts)
        found.append(Inequality(text, truth(np.array([widest <= SPREAD])), {"relative difference": widest}, None))
    return found


def t3(inputs: Inputs) -> list[Inequality]:
    """Say that wrong removals stand out and the truth is shortest, by the mean over samples."""
    rows = rows_of(inputs, "removals")
    conventions = {"dl_full": "r parameters, as printed", "dl_free": "r - 1 parameters"}
    texts = (
        "right removals lower DL local",
        "wrong removals raise it",
        "the true discretization is the shortest of all",
    )
    if not rows:
        return unknown(f"{text} ({about})" for about in conventions.values() for text in texts)
    found = []
    for name, about in conventions.items():
        for text, change in zip(texts, _changes(rows, name), strict=True):
            draws = means(inputs, change)
            numbers = {"mean difference": float(draws[0]), "share of samples": float((change < 0).mean())}
            if text == texts[1]:
                draws, numbers = -draws, {**numbers, "share of samples": float((change > 0).mean())}
            found.append(Inequality(f"{text} ({about})", truth(draws < 0), numbers, len(change)))
    return found


def _changes(rows: Rows, name: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return three numbers by sample, each float64 [samples].

    They are the highest change of a right removal and the lowest of a wrong one, against the full list, and the true
    discretization minus the shortest of all others.
    """
    (_, lists), values = cube(rows, "sample", "discretization", value=name)
    full, true = lists.index(FULL), lists.index(TRUE)
    right, wrong = (
        [lists.index(text) for text, kind in KINDS.items() if kind == f"{which} removal"]
        for which in ("right", "wrong")
    )
    change = values - values[:, [full]]
    others = np.delete(values, true, 1).min(1)
    return change[:, right].max(1), change[:, wrong].min(1), values[:, true] - others


def t4(inputs: Inputs) -> list[Inequality]:
    """Say what the search finds on exactly proportional counts, for each number of records."""
    rows = rows_of(inputs, "explosions")
    cost, found = (
        "one pass makes m - 1 comparisons",
        "finds the true discretization, the shortest of all 2^(m - 1), in every table",
    )
    if not rows:
        return unknown((cost, f"it {found}"))
    costs = float(np.mean([row["comparisons"] == row["values"] - 1 for row in rows]))
    parts = [Inequality(cost, _all(costs), {"share": costs, "tables": float(len(rows))}, None)]
    for records in sorted({row["records"] for row in rows}):
        mine = [row for row in rows if row["records"] == records]
        right, shortest = (float(np.mean([row[name] for row in mine])) for name in ("recovered", "optimal"))
        numbers = {"share found": right, "share shortest": shortest, "tables": float(len(mine))}
        parts.append(Inequality(f"with {records:,} records it {found}", _all(right, shortest), numbers, None))
    return parts


def _all(*shares: float) -> np.ndarray:
    """Return whether shares are whole, float64 [1]."""
    return truth(np.array([min(shares) == 1]))
