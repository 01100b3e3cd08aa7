"""How much of the order of the methods is the number of levels that they choose, from the experiment `levels_given`."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from cutpoint.bench.engine.explanations import Explanation, by_size
from cutpoint.bench.engine.inputs import Inputs
from cutpoint.bench.engine.samples import Rows, cube, rows_of
from cutpoint.statistics.estimates import mean

TPR, LEVELS = "tpr_mabrouk2015", "levels"
GIVEN = "levels given"


def by_n(inputs: Inputs, method: str, column: str = TPR) -> dict[float, float]:
    """Return the mean of a column over networks by N, without runs and sizes that have none."""
    rows = [row for row in rows_of(inputs, "levels_given") if row["method"] == method]
    (_, sizes), values = cube(rows, "sample", "n", value=column)
    means = mean(values, 0).tolist() if rows else ()
    return {n: value for n, value in zip(sizes, means, strict=True) if np.isfinite(value)}


def _over_sizes(numbers: Mapping[float, float]) -> float:
    return float(np.mean([*numbers.values()])) if numbers else np.nan


def gain(inputs: Inputs, *, other: str, printed: float) -> Explanation:
    """Return by how many percent the TPR of MGCD is above that of another method, as it is and with the levels given.

    Args:
        inputs: of the study.
        other: the other method; one whose levels cannot be given stays as it is.
        printed: what the text of the paper says of the mean over N.
    """
    names = {row["method"] for row in rows_of(inputs, "levels_given")}
    labels = inputs.labels
    told = f"{other}, {GIVEN}" if f"{other}, {GIVEN}" in names else other
    rates = {name: by_n(inputs, name) for name in ("mgcd", other, f"mgcd, {GIVEN}", told)}
    ours, supposed = (
        100 * (_over_sizes(rates[name]) / _over_sizes(rates[reference]) - 1)
        for name, reference in (("mgcd", other), (f"mgcd, {GIVEN}", told))
    )
    about = {
        "mgcd": by_size(rates["mgcd"]), "other": by_size(rates[other]), "rival": labels.get(other, other),
        "told": "its number cannot be given" if told == other else f"with the true number given {by_size(rates[told])}",
        "given": by_size(rates[f"mgcd, {GIVEN}"]),
        "levels": _over_sizes(by_n(inputs, "mgcd", LEVELS)), "other_levels": _over_sizes(by_n(inputs, other, LEVELS)),
        "true": _over_sizes(by_n(inputs, f"mgcd, {GIVEN}", LEVELS)),
    }  # fmt: skip
    return Explanation(printed, ours, supposed, about)


def ceiling(inputs: Inputs, *, best: str, other: str) -> Explanation:
    """Return the TPR of a method against that of the true codes in the same search, means over N."""
    ours, codes = by_n(inputs, best), by_n(inputs, other)
    about = {"ours": by_size(ours), "codes": by_size(codes)}
    return Explanation(np.nan, _over_sizes(ours), _over_sizes(codes), about)


def with_rates(inputs: Inputs) -> Rows:
    """Return the rows of the experiment that have rates."""
    return [row for row in rows_of(inputs, "levels_given") if row[TPR] is not None]
