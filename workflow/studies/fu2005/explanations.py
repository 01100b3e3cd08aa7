"""What may explain the printed numbers that we could not reproduce, from runs of the grids and of the experiments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cutpoint.bench.engine.declaration import MEAN, declared, split
from cutpoint.bench.engine.explanations import Explanation, by_size
from cutpoint.bench.engine.inputs import Inputs, once
from cutpoint.bench.engine.numbers import measure, numbers_of
from cutpoint.bench.engine.samples import Rows, rows_of

SETS = 5  # data sets of a cell in the thesis (V.1.1)
NEAR = 0.25  # relative difference
REFERENCE = "bach"


# Tables V-6 and V-11: sums over data sets


def sums(inputs: Inputs, *, measures: Mapping[str, str], factor: str, rows: str) -> Explanation:
    """Return print against ours and against sums over the data sets of a cell, geometric means over cells.

    Ours are first multiplied by the median of print over ours of the methods whose counting is not in question.

    Args:
        inputs: of the study.
        measures: where a number is printed by the number, such as "calls[500]".
        factor: methods that tell the factor.
        rows: methods that are compared.
    """
    published, ours = _beside(inputs, measures, rows)
    printed, known = _beside(inputs, measures, factor)
    scale = float(np.median(printed / known)) if known.size else np.nan
    near = [int((np.abs(published / (times * scale * ours) - 1) <= NEAR).sum()) for times in (1, SETS)]
    middle, single = _geometric(published), scale * _geometric(ours)
    about = {"factor": scale, "cells": len(ours), "single": near[0], "summed": near[1], "near": 100 * NEAR}
    return Explanation(middle, single, SETS * single, about)


def _beside(inputs: Inputs, measures: Mapping[str, str], rows: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the printed and our numbers of some methods, float64 [K] each, where both are there."""
    pairs = []
    for number, place in measures.items():
        (name, column), (table, key) = split(number), split(place)
        printed, ours = inputs.printed(table), numbers_of(inputs, measure(inputs, name), column)
        for method in declared(inputs.study).members(rows):
            pairs.append((printed.get(method, {}).get(key, np.nan), ours.shown([method])[method]))
    both = np.array(pairs, float)
    published, found = both[np.isfinite(both).all(1)].T
    return published, found


def _geometric(values: np.ndarray) -> float:
    return float(np.exp(np.log(values).mean())) if values.size else np.nan


# Readings of the simulated data: Tables V-4 and V-9


@dataclass(frozen=True)
class Reading:
    """What an experiment gives of one reading.

    Attributes:
        ratios: SHD over that of Bach by N, averaged over networks as in Table V-4.
        edges: extraneous and missing over true edges, by column of Table V-9.
    """

    ratios: Mapping[float, float]
    edges: Mapping[str, float]

    @property
    def mean(self) -> float:
        """The mean over N."""
        return float(np.mean([*self.ratios.values()])) if self.ratios else np.nan

    def error(self, printed: Mapping[str, float]) -> float:
        """Return the mean absolute difference to a row of Table V-9, NaN without a column in common."""
        found = [abs(self.edges[key] - printed[key]) for key in printed if key in self.edges]
        return float(np.mean(found)) if found else np.nan


@once
def reading(inputs: Inputs, name: str) -> Reading:
    """Return what the runs of a reading give; cells without a run that succeeded are left out."""
    rows = [row for row in rows_of(inputs, "readings") if row["shd_fu2005"] is not None]
    mine, reference = ([row for row in rows if row["reading"] == each] for each in (name, REFERENCE))
    shd, base = _means(mine, "shd_fu2005"), _means(reference, "shd_fu2005")
    ratios = {n: [shd[cell] / base[cell] for cell in shd if cell[1] == n and base.get(cell)] for _, n in shd}
    return Reading(
        {n: float(np.mean(each)) for n, each in sorted(ratios.items()) if each},
        {
            f"{network}_{head}": float(
                np.mean([row[key] / row["true_edges"] for row in mine if row["network"] == network])
            )
            for network in sorted({row["network"] for row in mine})
            for head, key in (("extraneous", "extra"), ("missing", "missing"))
        },
    )


def _means(rows: Rows, column: str) -> dict[tuple[Any, Any], float]:
    """Return the mean of a column over samples by network and N."""
    found: dict[tuple[Any, Any], list[float]] = {}
    for row in rows:
        found.setdefault((row["network"], row["n"]), []).append(row[column])
    return {cell: float(np.mean(each)) for cell, each in found.items()}


def other_reading(inputs: Inputs, *, row: str, usual: str, other: str) -> Explanation:
    """Return a printed row of Table V-4, its mean over N, against two readings.

    Args:
        inputs: of the study.
        row: of the printed tables.
        usual: the reading that is ours.
        other: what is supposed.
    """
    shd, edges = (inputs.printed(table).get(row, {}) for table in ("table_V-4_shd", "table_V-9_edges"))
    ours, supposed = reading(inputs, usual), reading(inputs, other)
    about = {
        "sizes": by_size(supposed.ratios), "ours": by_size(ours.ratios),
        "printed": by_size({n: shd[f"n{n}"] for n in supposed.ratios if f"n{n}" in shd}),
        "error": supposed.error(edges), "usual": ours.error(edges),
    }  # fmt: skip
    return Explanation(shd.get(MEAN, np.nan), ours.mean, supposed.mean, about)


def nearest(inputs: Inputs, *, row: str, readings: Sequence[str], network: str) -> Explanation:
    """Return a printed row of Table V-4 against the reading whose edges are nearest to those of Table V-9.

    Args:
        inputs: of the study.
        row: of the printed tables, and the method that stands for it.
        readings: those that are tried.
        network: whose extraneous and missing edges are named.
    """
    edges = inputs.printed("table_V-9_edges").get(row, {})
    errors = {name: reading(inputs, name).error(edges) for name in readings}
    tried = {name: error for name, error in errors.items() if np.isfinite(error)}
    best = min(tried, key=lambda name: tried[name], default="")
    heads = [f"{network}_{head}" for head in ("extraneous", "missing")]
    extra, missing = (reading(inputs, best).edges.get(head, np.nan) for head in heads)
    about = {
        "tried": len(tried), "best": best, "error": tried.get(best, np.nan), "extra": extra, "missing": missing,
        "printed_extra": edges.get(heads[0], np.nan), "printed_missing": edges.get(heads[1], np.nan),
    }  # fmt: skip
    printed = inputs.printed("table_V-4_shd").get(row, {}).get(MEAN, np.nan)
    return Explanation(printed, _shd(inputs).get(row, np.nan), reading(inputs, best).mean, about)


def _shd(inputs: Inputs) -> dict[str, float]:
    """Return the mean over N of the normalised SHD of the methods of the paper, as in Table V-4."""
    return numbers_of(inputs, measure(inputs, "shd")).shown(declared(inputs.study).members("printed"))


def by_alpha(inputs: Inputs, *, usual: str, other: str) -> Explanation:
    """Return PC's printed mean in Table V-4 against two levels of significance, with its rank among the methods."""
    made = other_reading(inputs, row="pc_fisherz", usual=usual, other=other)
    rest = np.array([value for name, value in _shd(inputs).items() if name != "pc_fisherz" and np.isfinite(value)])
    about = {
        **made.about, "methods": len(rest) + 1, "two": _shd(inputs).get("eqfreq2", np.nan),
        "rank": 1 + int((rest < made.supposed).sum()), "usual_rank": 1 + int((rest < made.ours).sum()),
    }  # fmt: skip
    return Explanation(made.printed, made.ours, made.supposed, about)


def ceiling(inputs: Inputs, *, other: str) -> Explanation:
    """Return the lowest mean of a method in Table V-4 against what the true codes give."""
    found = {name: value for name, value in _shd(inputs).items() if np.isfinite(value)}
    best = min(found, key=lambda name: found[name], default="")
    printed = {name: line[MEAN] for name, line in inputs.printed("table_V-4_shd").items()}
    codes = reading(inputs, other)
    about = {"sizes": by_size(codes.ratios), "best": inputs.labels.get(best, ""), "ours": found.get(best, np.nan)}
    return Explanation(min(printed.values(), default=np.nan), found.get(best, np.nan), codes.mean, about)


# Real data: PC in Table V-11


def both_families(inputs: Inputs) -> Explanation:
    """Return PC's printed score over that of Bach against its DAG, and against every edge in both families."""
    gains: dict[str, dict[str, Any]] = {}
    for row in rows_of(inputs, "both_families"):
        if row["gain"] is not None:
            gains.setdefault(row["dataset"], {})[row["method"]] = row
    sets = [each for each in gains.values() if {REFERENCE, "pc_fisherz"} <= set(each) and each[REFERENCE]["gain"]]
    ratios = np.array(
        [[each["pc_fisherz"][key] / each[REFERENCE]["gain"] for key in ("gain", "both")] for each in sets]
    )
    dag, both = ratios.mean(0).tolist() if len(sets) else (np.nan, np.nan)
    highest = float(ratios[:, 0].max()) if len(sets) else np.nan
    printed = inputs.printed("table_V-11_real").get("pc_fisherz", {}).get("score", np.nan)
    return Explanation(printed, dag, both, {"sets": len(sets), "highest": highest, "both": both})


# Rows of the experiment


def ratios_to_bach(inputs: Inputs) -> Rows:
    """Return the rows of the readings with the numbers of Tables V-4 and V-9, those of runs that succeeded."""
    rows = [row for row in rows_of(inputs, "readings") if row["shd_fu2005"] is not None]
    base = _means([row for row in rows if row["reading"] == REFERENCE], "shd_fu2005")
    return [
        {
            **row, "ratio": row["shd_fu2005"] / base[row["network"], row["n"]],
            **{key: row[key] / row["true_edges"] for key in ("extra", "missing")},
        }
        for row in rows if base.get((row["network"], row["n"]))
    ]  # fmt: skip
