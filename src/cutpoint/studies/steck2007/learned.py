"""The tables on networks learned from real data: Figures 6 and 7, the equivalent sample size, and costs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from cutpoint.report.artefacts import Cell, Row, Table
from cutpoint.studies.inputs import Inputs
from cutpoint.studies.samples import absent, cube, rows_of
from cutpoint.studies.steck2007 import edges

PRINTED_ESS = 25  # equivalent sample size

COSTS = {
    "learned_edges": ("Edges", 1), "levels": ("Levels", 2), "seconds": ("CPU seconds", 3),
    "discretize_seconds": ("of them thresholds", 3), "score_calls": ("Calls of the score", 0),
}  # fmt: skip


def table_6(inputs: Inputs) -> Table:
    """Return Figure 6: numbers of edges."""
    source, name = edges.column(inputs, "learned_edges"), edges.dataset(inputs)
    spread, printed = edges.spread(inputs), edges.printed_spread(inputs.printed("figure_6_edges"))
    rows = []
    for i, method in enumerate(inputs.methods):
        if not method.name.startswith((*edges.KINDS, edges.BOTH)):
            continue
        about = next((text for kind, text in edges.KINDS.items() if method.name.startswith(kind)), edges.OPTIMISED)
        theirs = printed.get(method.name, (None, None))
        mean = source.cell(i, name, theirs[0], digits=1)
        sd = Cell(spread.get(method.name, (None, None))[1], theirs[1], reason=mean.reason, digits=1)
        rows.append(Row(method.name, method.label, about, (mean, sd)))
    lost = edges.missing(inputs)
    return Table(
        name="table_6",
        title="Figure 6: edges of the learned network",
        caption="Mean and standard deviation over jackknife samples that leave out 30 records; the interval of the "
        "mean is a bootstrap over these samples, which share most of their records.",
        key="method",
        columns=("Edges", "Standard deviation"),
        rows=tuple(rows),
        scale=inputs.scale_of(edges.GRID),
        notes=edges.notes(inputs, lost, "What is printed was learned from the yeast data, 33 variables."),
        missing=lost,
    )


def table_7(inputs: Inputs) -> Table:
    """Return the edges of Figure 7."""
    found = edges.composite(inputs)
    rows = []
    if not isinstance(found, str):
        for edge in sorted(found[1], key=lambda each: -float(each["share"])):
            arrow = "->" if edge["directed"] else "-"
            text = f"{edge['source']} {arrow} {edge['target']}"
            rows.append(Row(f"{edge['source']}_{edge['target']}", text, "", (Cell(edge["share"]), Cell(edge["style"]))))
    count, lost = (0, found) if isinstance(found, str) else (found[2], "")
    return Table(
        name="table_7",
        title="Figure 7: edges of the composite graph",
        caption="Share of the jackknife samples in which two variables are joined; solid above "
        f"{100 * edges.SOLID:g} %, dashed above {100 * edges.DASHED:g} %; an arrow where one direction is at least "
        f"{edges.RATIO:g} times as likely as the other.",
        key="edge",
        columns=("share", "line"),
        rows=tuple(rows),
        scale=replace(inputs.scale, replicates=count),
        notes=edges.notes(inputs, lost),
        missing=lost,
    )


def table_ess(inputs: Inputs) -> Table:
    """Return the cross-validated score of held-out records by equivalent sample size."""
    runs = [row for row in rows_of(inputs, "ess") if row["ess"] is not None]
    (sizes, folds), scores = cube(runs, "ess", "fold", value="score")
    average = scores.mean(1) if runs else np.empty(0)  # NaN where a run has failed
    complete = np.isfinite(average)
    highest = average[complete].max() if complete.any() else np.nan
    rows = []
    for ess, each, mean in zip(sizes, scores, average, strict=True):
        error = float(each.std(ddof=1) / np.sqrt(len(folds)))
        lost = next((run["message"] for run in runs if run["ess"] == ess and run["status"] != "ok"), "")
        numbers = (float(mean), float(mean - highest), error)
        cells = (Cell(reason=lost) if lost else Cell(number) for number in numbers)
        rows.append(Row(f"{ess:g}", f"{ess:g}", "", tuple(cells)))
    notes = [edges.about(inputs, runs[0]["dataset"])] if runs else []
    if complete.any():
        best = f"Over {len(folds)} folds the maximum is at {sizes[int(np.nanargmax(average))]:g}"
        notes.append(f"{best}; the paper found about {PRINTED_ESS}, which Figures 6 and 7 use.")
    return Table(
        name="table_ess",
        title="Equivalent sample size by cross-validation",
        caption="Log score of held-out records per record, mean over folds: probability of the levels, divided by the "
        "training records in each level (Eq. 5); structure and thresholds by the greedy method. Difference to the "
        "maximum, and standard error over the folds.",
        key="equivalent sample size",
        columns=("score", "difference", "standard error"),
        rows=tuple(rows),
        scale=replace(inputs.scale, replicates=1),
        notes=tuple(notes),
        missing="" if rows else _no_data(inputs),
    )


def _no_data(inputs: Inputs) -> str:
    lost = dict.fromkeys(row["message"] or row["status"] for row in rows_of(inputs, "ess"))
    return absent(inputs, "ess") or f"no data set could be had: {'; '.join(lost)}"


def table_cost(inputs: Inputs) -> Table:
    """Return what the methods cost on the data set, and how many levels they choose."""
    name = edges.dataset(inputs)
    sources = [(edges.column(inputs, metric), digits) for metric, (_, digits) in COSTS.items()]
    rows = [
        Row(m.name, m.label, m.category, tuple(s.cell(i, name, digits=digits) for s, digits in sources))
        for i, m in enumerate(inputs.methods)
    ]
    lost = edges.missing(inputs)
    return Table(
        name="table_cost",
        title="Cost of the methods",
        caption="Means over jackknife samples, with 95 % intervals; time depends on the implementation.",
        key="method",
        columns=tuple(heading for heading, _ in COSTS.values()),
        rows=tuple(rows),
        scale=inputs.scale_of(edges.GRID),
        notes=edges.notes(inputs, lost),
        missing=lost,
    )
