"""The methods side by side: what they found, how far they agree, and how far from the true network they are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cutpoint.graphs.dags import skeleton
from cutpoint.graphs.metrics import shd
from cutpoint.report.artefacts import Cell, Row, Table
from cutpoint.statistics.draws import interval
from cutpoint.studies.inputs import Grid, Inputs, grid
from cutpoint.studies.own import confidence, held_out
from cutpoint.studies.own.descriptions import DIRECT
from cutpoint.studies.own.outcomes import (
    CONFIDENCE,
    NO_TRUTH,
    WHOLE,
    Outcome,
    basis,
    continuous,
    data,
    lost,
    outcomes,
    truth,
)

SURE = (0.5, 0.9)  # confidence above which edges are counted
STRUCTURE = {  # metric: heading, decimals
    "shd_fu2005": ("SHD, directed 2", 1),
    "shd_standard": ("SHD", 1),
    "tpr_standard": ("TPR", 2),
    "fpr_standard": ("FPR", 3),
    "precision_skeleton": ("Precision", 2),
    "recall_skeleton": ("Recall", 2),
    "f1_skeleton": ("F1", 2),
}
RATES = (
    "SHD: every wrong pair counts 1. SHD, directed 2: a missing or extra directed edge counts 2 and a wrong direction "
    "1. TPR: right edges over true edges; it counts directions, so that an edge with a wrong one is not right. FPR: "
    "extra edges over pairs without a true edge. Precision, Recall and F1 are of adjacencies, whatever the direction, "
    "so that Recall may be above TPR.",
    "Brackets: where the middle 95 % of the resamples lie. They say how much the result moves with the records, not "
    "how far the mean may be off.",
)


def jaccard(a: np.ndarray, b: np.ndarray) -> float:
    """Return the share of the pairs joined in either skeleton, bool [n, n], that both join; NaN without any."""
    either = int((a | b).sum())
    return int((a & b).sum()) / either if either else np.nan


def _alike(found: Sequence[Outcome]) -> np.ndarray:
    """Return the Jaccard index of every pair of methods, float64 [M, M], NaN where either has no graph."""
    shown = [None if each.graph is None else skeleton(each.graph) for each in found]
    return np.array([[np.nan if a is None or b is None else jaccard(a, b) for b in shown] for a in shown])


def table_methods(inputs: Inputs) -> Table:
    """Return the outcome of every method in one row."""
    found, alike = outcomes(inputs), _alike(outcomes(inputs))
    runs, folds = grid(inputs, WHOLE, "dataset"), held_out.folds(inputs)
    rows = [
        Row(each.method.name, each.method.label, each.method.category,
            (Cell(each.status), *_graph(inputs, each), _seconds(runs, i, each), held_out.gain_cell(folds, i),
             _agreement(alike, i, each), *_sure(inputs, i, each)))
        for i, each in enumerate(found)
    ]  # fmt: skip
    failed = [f"{each.method.label}: {each.status}, {each.reason}" for each in found if each.status != "ok"]
    return Table(
        name="table_methods",
        title="The methods on the whole data",
        caption="Edges of the equivalence class that each method learned from all records, and what speaks for it: "
        "how likely it makes records that it has not seen (nats per record, 95 % interval over folds), how far the "
        "other methods find the same edges, and how sure its edges are.",
        key="method",
        columns=(
            "Status", "Edges", "Directed", "Undirected", "Levels", "CPU seconds", "Held-out gain", "Agreement",
            *(f"Confidence > {share:g}" for share in SURE),
        ),
        rows=tuple(rows),
        scale=basis(inputs, WHOLE),
        notes=(
            "Levels: mean over the continuous columns, - of a method without thresholds. Held-out gain: log-likelihood "
            "per record above that of the model without edges. Agreement: mean over the other methods of the share of "
            "edges in either graph that are in both, whatever their direction. Confidence: share of the edges that are "
            "in more than that share of the graphs of resamples.",
            *([f"Failed: {'; '.join(failed)}."] if failed and not lost(inputs, WHOLE) else []),
        ),
        missing=lost(inputs, WHOLE),
    )  # fmt: skip


def _graph(inputs: Inputs, found: Outcome) -> list[Cell]:
    """Return the numbers of edges, directed and undirected ones, and the mean number of levels."""
    if found.graph is None:
        return [Cell(reason=found.reason)] * 4
    both = int((found.graph & found.graph.T).sum()) // 2
    arcs = int((found.graph & ~found.graph.T).sum())
    columns = continuous(data(inputs))
    if found.thresholds is None or not columns:
        levels = Cell(DIRECT)
    else:
        levels = Cell(float(np.mean([len(found.thresholds[i]) + 1 for i in columns])), digits=1)
    return [Cell(arcs + both), Cell(arcs), Cell(both), levels]


def _seconds(runs: Grid, i: int, found: Outcome) -> Cell:
    value = runs.cube("seconds")[i].ravel()
    return Cell(float(value[0]) if value.size else None, reason=found.reason or "not measured", digits=3)


def _agreement(alike: np.ndarray, i: int, found: Outcome) -> Cell:
    others = np.delete(alike[i], i)
    others = others[np.isfinite(others)]
    return Cell(float(others.mean()) if len(others) else None, reason=found.reason or "nothing to compare with")


def _sure(inputs: Inputs, i: int, found: Outcome) -> list[Cell]:
    """Return which share of a method's edges is surer than each of `SURE`."""
    shares = confidence.frequencies(inputs)[i]
    if found.graph is None or shares is None or not found.graph.any():
        why = found.reason or (confidence.reason(inputs, i) if shares is None else "no edges")
        return [Cell(reason=why)] * len(SURE)
    edges = shares.adjacent[np.triu(found.graph | found.graph.T)]
    runs = confidence.resamples(inputs)
    return [
        Cell(float((edges > least).mean()), runs=shares.resamples, expected=int(runs.present.sum())) for least in SURE
    ]


def table_agreement(inputs: Inputs) -> Table:
    """Return how far each two methods agree on the whole data."""
    found, alike = outcomes(inputs), _alike(outcomes(inputs))
    rows = []
    for i, a in enumerate(found):
        near = [Cell(float(alike[i, j]), reason=_why(a, b)) for j, b in enumerate(found)]
        far = [_distance(a, b) for b in found]
        rows.append(Row(a.method.name, a.method.label, a.method.category, (*near, *far)))
    count, labels = len(found), [each.method.label for each in found]
    return Table(
        name="table_agreement",
        title="Agreement of the methods",
        caption="Look for groups of methods that find the same graph: an edge on which unlike methods agree is no "
        "artefact of one of them. All learned from the whole data.",
        key="method",
        columns=(*(f"{label}, Jaccard" for label in labels), *(f"{label}, SHD" for label in labels)),
        rows=tuple(rows),
        scale=basis(inputs, WHOLE),
        notes=(
            "Jaccard: edges in both graphs as a share of the edges in either, whatever their direction; 1 is the same "
            "skeleton. SHD: pairs of columns on which the two equivalence classes differ (an edge, or its direction); "
            "0 is the same class.",
        ),
        panels=(
            ("Share of common edges (Jaccard)", range(count)),
            ("Distance of the equivalence classes (SHD)", range(count, 2 * count)),
        ),
        missing=lost(inputs, WHOLE),
    )


def _why(a: Outcome, b: Outcome) -> str:
    return a.reason or b.reason or "neither has an edge"


def _distance(a: Outcome, b: Outcome) -> Cell:
    if a.graph is None or b.graph is None:
        return Cell(reason=_why(a, b))
    return Cell(shd(a.graph, b.graph, "standard"))


def table_structure(inputs: Inputs) -> Table:
    """Return how far each method is from the true network."""
    lacking = lost(inputs, WHOLE) or ("" if truth(inputs) is not None else NO_TRUTH)
    heads = [heading for heading, _ in STRUCTURE.values()]
    rows = []
    for i, m in enumerate(inputs.methods):
        whole = [_one(inputs, i, metric, digits) for metric, (_, digits) in STRUCTURE.items()]
        means = [_mean(inputs, i, metric, digits) for metric, (_, digits) in STRUCTURE.items()]
        rows.append(Row(m.name, m.label, m.category, (*whole, *means)))
    return Table(
        name="table_structure",
        title="Distance to the true network",
        caption="Equivalence classes learned against that of the true network: low SHD and FPR, and all else high, "
        "is good.",
        key="method",
        columns=(*heads, *(f"{head}, mean" for head in heads)),
        rows=() if lacking else tuple(rows),
        scale=basis(inputs, CONFIDENCE),
        notes=() if lacking else RATES,
        panels=()
        if lacking
        else (
            ("Learned from the whole data", range(len(heads))),
            ("Means over the resamples", range(len(heads), 2 * len(heads))),
        ),
        missing=lacking,
    )


def _one(inputs: Inputs, i: int, metric: str, digits: int) -> Cell:
    runs = grid(inputs, WHOLE, "dataset")
    value = runs.cube(metric)[i].ravel()
    return Cell(float(value[0]) if value.size else None, reason=runs.reason(i, [0] if value.size else []),
                digits=digits)  # fmt: skip


def _mean(inputs: Inputs, i: int, metric: str, digits: int) -> Cell:
    if why := lost(inputs, CONFIDENCE):
        return Cell(reason=why)
    runs = confidence.resamples(inputs)
    values = runs.cube(metric)[i].ravel()
    values = values[np.isfinite(values)]
    low, high = interval(values) if len(values) > 1 else (np.nan, np.nan)
    middle, expected = float(values.mean()) if len(values) else None, int(runs.present.sum())
    return Cell(middle, None, float(low), float(high), len(values), expected, runs.reason(i, [0]), digits)
