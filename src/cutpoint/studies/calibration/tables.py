"""All tables of the study by the name of their artefact."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from cutpoint.report.artefacts import Cell, Row, Table
from cutpoint.statistics.draws import interval
from cutpoint.studies.calibration import evidence
from cutpoint.studies.calibration.evidence import ADJACENCY, DIRECTION, EVERY, EXPERIMENT, LABELS, Counted
from cutpoint.studies.calibration.measures import BINS
from cutpoint.studies.inputs import Inputs
from cutpoint.studies.samples import absent, scale_of

MEASURES = {  # attribute of `Counted`: name, decimals
    "brier": ("Brier score", 4),
    "calibration": ("calibration error", 4),
    "areas": ("AUC", 3),
    "high": ("number above 0.9", 0),
    "trusted": ("true above 0.9", 3),
    "found": ("found above 0.9", 3),
    "overstated": ("overstated by", 3),
    "density": ("edges per true one", 2),
}
OF_DIRECTIONS = tuple(name for name in MEASURES if name != "density")
NO_PAIRS = "no such pairs"


def table_calibration(inputs: Inputs) -> Table:
    """Return what the confidences of each method and kind of resample are worth."""
    panels: list[tuple[str, str, int | None, Iterable[str]]] = [("Adjacencies", ADJACENCY, None, MEASURES)]
    panels += [(f"Adjacencies, N = {n}", ADJACENCY, n, MEASURES) for n in evidence.sizes(inputs)]
    panels += [("Directions of true adjacencies that half of the resamples have", DIRECTION, None, OF_DIRECTIONS)]
    columns: list[str] = []
    bounds = []
    for title, _, records, names in panels:
        part = title.partition(" of ")[0]
        start = len(columns)
        columns += [f"{MEASURES[name][0]} ({part.lower() if records is None else f'N = {records}'})" for name in names]
        bounds.append((title, range(start, len(columns))))
    rows = []
    for method, label in {EVERY: "All methods", **evidence.methods(inputs)}.items():
        for kind in (*evidence.resamples(inputs), evidence.ALL_RECORDS):
            cells = [
                _cell(evidence.counted(inputs, feature, method, kind, records), name)
                for _, feature, records, names in panels
                for name in names
            ]
            rows.append(Row(f"{method}.{kind}", f"{label}, {LABELS[kind]}", label, tuple(cells)))
    missing = absent(inputs, EXPERIMENT)
    return Table(
        name="table_calibration",
        title="What an edge confidence is worth",
        caption="Confidence: the share of resamples whose CPDAG has an edge. Brier score: mean squared distance to the "
        "truth. Calibration error: mean gap between confidence and share of true pairs, by bins of 0.1. AUC: how often "
        "a true pair has the higher confidence of two, mean over data sets. Above 0.9: how many have such a "
        "confidence, the share of true pairs among them, and how many of the true pairs these are. Overstated: "
        "mean confidence less share of true pairs, of those above 0.5. 95 % bootstrap intervals over data sets.",
        key="method and resamples",
        columns=tuple(columns),
        rows=() if missing else tuple(rows),
        scale=scale_of(inputs, EXPERIMENT),
        notes=("The graph of all records has the confidences 0 and 1.",),
        panels=tuple(bounds),
        missing=missing,
    )


def _cell(found: Counted | None, name: str) -> Cell:
    return _number(getattr(found, name), found.units, MEASURES[name][1]) if found else Cell(reason=NO_PAIRS)


def _number(draws: np.ndarray, units: int, digits: int) -> Cell:
    if np.isnan(draws[0]):
        return Cell(reason=NO_PAIRS)
    low, high = interval(draws[1:]) if units > 1 else (np.nan, np.nan)
    return Cell(float(draws[0]), None, float(low), float(high), digits=digits)


def table_reliability(inputs: Inputs) -> Table:
    """Return numbers of pairs, mean confidence and share of true adjacencies by bin of confidence."""
    columns: list[str] = []
    bounds, makers = [], []
    named = evidence.methods(inputs)
    for n in evidence.sizes(inputs):
        for quantity, cell in QUANTITIES.items():
            bounds.append((f"{quantity.capitalize()}, N = {n}", range(len(columns), len(columns) + len(named))))
            columns += [f"{label}, {quantity}, N = {n}" for label in named.values()]
            makers += [(method, n, cell) for method in named]
    rows = []
    for kind in evidence.resamples(inputs):
        for b in range(BINS + 1):
            cells = [
                cell(evidence.counted(inputs, ADJACENCY, method, kind, records), b) for method, records, cell in makers
            ]
            rows.append(Row(f"{kind}.{b}", f"{LABELS[kind]}, {bin_label(b)}", LABELS[kind], tuple(cells)))
    return Table(
        name="table_reliability",
        title="Reliability of edge confidences",
        caption="Pairs of variables by the share of resamples whose CPDAG joins them: how many there are over all data "
        "sets, their mean confidence, and the share that is joined in the true graph, with 95 % bootstrap intervals "
        "over data sets.",
        key="resamples and confidence",
        columns=tuple(columns),
        rows=tuple(rows),
        scale=scale_of(inputs, EXPERIMENT),
        panels=tuple(bounds),
        missing=absent(inputs, EXPERIMENT),
    )


def bin_label(b: int) -> str:
    """Return what the confidences of a bin are."""
    return "0" if b == 0 else f"above {(b - 1) / BINS:g} to {b / BINS:g}"


def _pairs(found: Counted | None, b: int) -> Cell:
    return Cell(int(found.sums[0, b, 0])) if found else Cell(reason=NO_PAIRS)


def _confidence(found: Counted | None, b: int) -> Cell:
    if found is None or found.sums[0, b, 0] == 0:
        return Cell(reason=NO_PAIRS)
    return Cell(float(found.sums[0, b, 1] / found.sums[0, b, 0]), digits=3)


def _share(found: Counted | None, b: int) -> Cell:
    return _number(found.shares[:, b], found.units, 3) if found else Cell(reason=NO_PAIRS)


QUANTITIES: dict[str, Callable[[Counted | None, int], Cell]] = {
    "pairs": _pairs,
    "mean confidence": _confidence,
    "share true": _share,
}
TABLES: dict[str, Callable[[Inputs], Table]] = {
    "table_calibration": table_calibration,
    "table_reliability": table_reliability,
}
