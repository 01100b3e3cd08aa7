"""The tables on toy data: the printed numbers beside ours, and what figures and claims rest on."""

from __future__ import annotations

import numpy as np

from cutpoint.report.artefacts import Cell, Row, Table
from cutpoint.statistics.draws import interval
from cutpoint.studies.inputs import Inputs
from cutpoint.studies.samples import absent, mean_cell, rows_of, scale_of
from cutpoint.studies.steck2007 import evidence
from cutpoint.studies.steck2007.evidence import FEW, KINDS, MANY, OPTIMISED, PANELS

SCORE = "Score: L_P minus that of one level per variable; means over data sets with 95 % intervals."
PRINTED_CLUSTERS = 5
SHAPES = {  # what is said of a panel of Figure 3
    "independent": "equal counts", "dependent": "clusters parted", "low noise": "equal counts",
    "high noise": "clusters parted",
}  # fmt: skip


def table_2(inputs: Inputs) -> Table:
    """Return the scores of Figure 2 that are printed, those of five clusters."""
    printed = {int(key): line["score"] for key, line in inputs.printed("figure_2_scores_5_clusters").items()}
    found = evidence.scores(inputs)
    there = PRINTED_CLUSTERS in found.clusters
    rows = []
    for r in sorted({*printed, *found.levels} - {1}):
        cells = [
            _score(found, kind, r, printed.get(r) if kind in OPTIMISED else None)
            if there
            else Cell(None, printed.get(r))
            for kind in KINDS
        ]
        rows.append(Row(str(r), str(r), "number of levels", tuple(cells)))
    lost = absent(inputs, "clusters") or f"{PRINTED_CLUSTERS} clusters are not among those of this scale"
    return Table(
        name="table_2",
        title="Figure 2: scores of five clusters",
        caption=f"{SCORE} The same number of levels for both variables. The printed scores are those of the greedy "
        "search of the paper.",
        key="levels",
        columns=tuple(_heading(kind) for kind in KINDS),
        rows=tuple(rows),
        scale=scale_of(inputs, "clusters"),
        missing="" if there else lost,
    )


def _heading(kind: str) -> str:
    return "thresholds at quantiles" if kind == "quantile" else f"{KINDS[kind]} optimum"


def _score(found: evidence.Scores, kind: str, levels: int, printed: float | None) -> Cell:
    draws = found.at(kind, PRINTED_CLUSTERS, levels)
    if len(draws) == 1:
        return Cell(published=printed, reason="not run at this scale")
    low, high = interval(draws[1:]) if found.samples > 1 else (np.nan, np.nan)
    return Cell(float(draws[0]), printed, float(low), float(high))


def table_clusters(inputs: Inputs) -> Table:
    """Return what Figure 2 says of every number of clusters."""
    found, columns = evidence.scores(inputs), []
    for kind in OPTIMISED:
        columns += [f"best levels, {kind}", f"one too few, {kind}", f"one too many, {kind}", f"next best, {kind}"]
    columns += ["best levels, quantiles", "divisors and multiples", "local maxima"]
    rows = []
    for k in found.clusters:
        cells = []
        for kind in OPTIMISED:
            true = found.at(kind, k, k)
            others = (found.at(kind, k, k - 1), found.at(kind, k, k + 1), found.best(kind, k, without=k))
            cells += [Cell(found.best_levels(kind, k)), *(_difference(true - each, found.samples) for each in others)]
        peaks = found.peaks("quantile", k)[0]
        local = [r for r, peak in zip(found.levels, peaks, strict=True) if peak]
        cells += [Cell(found.best_levels("quantile", k))]
        cells += [Cell(", ".join(map(str, each)) or "none") for each in (evidence.related(k), local)]
        rows.append(Row(str(k), str(k), "", tuple(cells)))
    return Table(
        name="table_clusters",
        title="The number of levels that the score chooses",
        caption="By the mean score over data sets: the best number of levels; by how much the true number is ahead of "
        "one level less, one more, and the next best number, with 95 % intervals; and, with thresholds at quantiles, "
        "which numbers are local maxima. Negative: the true number is behind.",
        key="clusters",
        columns=tuple(columns),
        rows=tuple(rows),
        scale=scale_of(inputs, "clusters"),
        panels=(("greedy", range(4, 8)), ("exact", range(4)), ("quantiles", range(8, 11))),
        missing=absent(inputs, "clusters"),
    )


def _difference(draws: np.ndarray, samples: int) -> Cell:
    if np.isnan(draws[0]):
        return Cell(reason="not run")
    low, high = interval(draws[1:]) if samples > 1 else (np.nan, np.nan)
    return Cell(float(draws[0]), low=float(low), high=float(high), digits=1)


def table_3(inputs: Inputs) -> Table:
    """Return what Figure 3 shows, over all samples."""
    rows = []
    for panel in PANELS:
        found = evidence.two_levels(inputs, panel)
        for i in range(2 if len(found["below"]) else 0):
            columns = (found["below"], found["equal"], found["apart"], found["free"], found["third"])
            cells = tuple(mean_cell(inputs, each[:, i]) for each in columns)
            rows.append(Row(f"{panel}_{i}", f"{panel}, Y{i}", SHAPES[panel], cells))
    return Table(
        name="table_3",
        title="Figure 3: two levels of independent and of dependent clusters",
        caption="Clusters of 100 and 200 records. Records below the threshold; share of the data sets with equal "
        f"counts (within {100 * evidence.EQUAL:g} % of the records), and with a threshold that parts the clusters (at "
        f"most {100 * evidence.APART:g} % on the wrong side); levels without a constraint; by how much three levels of "
        "both variables are above two.",
        key="panel",
        columns=("below", "equal counts", "clusters parted", "free levels", "third level"),
        rows=tuple(rows),
        scale=scale_of(inputs, "dependence"),
        notes=("The category is what the paper says.", *_capped(inputs)),
        missing=absent(inputs, "dependence"),
    )


def _capped(inputs: Inputs) -> list[str]:
    """Return a sentence on the most levels that the optimum of Table 3 may have, where the rows tell."""
    most = sorted({int(row["max_levels"]) for row in rows_of(inputs, "dependence") if "max_levels" in row})
    return [f"Free levels: at most {n} per variable, the option max_levels." for n in most]


def table_4(inputs: Inputs) -> Table:
    """Return the numbers of Figure 4."""
    found, rows = evidence.prior(inputs), []
    if found is not None:
        shown = {f"{ess:g}": [each[:, a] for each in _prior(found)] for a, ess in enumerate(found.ess)}
        shown["best of each data set"] = [found.chosen(name) for name in ("score", "levels0", "levels1")]
        for name, (score, first, second) in shown.items():
            few = ((first >= FEW) & (first <= MANY)).astype(float)
            cells = tuple(mean_cell(inputs, each) for each in (score, first, second, few))
            rows.append(Row(name, name, "", cells))
    return Table(
        name="table_4",
        title="Figure 4: overlapping clusters",
        caption=f"{SCORE} Levels of both variables, and share of the data sets with {FEW} to {MANY} levels of Y0, by "
        "equivalent sample size.",
        key="equivalent sample size",
        columns=("highest score", "levels of Y0", "levels of Y1", f"{FEW} to {MANY} levels of Y0"),
        rows=tuple(rows),
        scale=scale_of(inputs, "overlap"),
        missing=absent(inputs, "overlap"),
    )


def _prior(found: evidence.Prior) -> tuple[np.ndarray, ...]:
    return found.score, found.levels0, found.levels1


def table_5(inputs: Inputs) -> Table:
    """Return the numbers of Figure 5."""
    found, rows = evidence.sizes(inputs), []
    if found is not None:
        for a, ess in enumerate(found.ess):
            for what, values in (("mean levels", found.levels), ("share learned as independent", found.independent)):
                cells = tuple(mean_cell(inputs, values[:, a, k]) for k in range(len(found.records)))
                rows.append(Row(f"{what}_{ess:g}", f"{what}, equivalent sample size {ess:g}", what, cells))
    return Table(
        name="table_5",
        title="Figure 5: levels against the number of records",
        caption="Bivariate normal samples with correlation 1/sqrt(2); mean over both variables and the data sets, with "
        "95 % intervals. Independent: nothing is above one level per variable.",
        key="measure",
        columns=tuple(f"N = {n}" for n in found.records) if found else (),
        rows=tuple(rows),
        scale=scale_of(inputs, "sizes"),
        missing=absent(inputs, "sizes"),
    )


def table_invariance(inputs: Inputs) -> Table:
    """Return by how much L_P changes under monotone transformations (claim S9)."""
    found = rows_of(inputs, "invariance")
    rows = []
    for change in dict.fromkeys(row["change"] for row in found):
        worst = [max(abs(row[kind]) for row in found if row["change"] == change) for kind in ("policy", "optimum")]
        rows.append(Row(change, change, "", tuple(Cell(f"{each:.2g}") for each in worst)))
    return Table(
        name="table_invariance",
        title="What the score does not depend on",
        caption="Largest change of L_P over data sets of overlapping clusters: of the same policy, and of the highest "
        "that is found; what is left is rounding.",
        key="change",
        columns=("same policy", "optimum"),
        rows=tuple(rows),
        scale=scale_of(inputs, "invariance"),
        missing=absent(inputs, "invariance"),
    )
