"""Missing cells in simulated data, completely at random or at random given columns that are never missing."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from annotated_types import Interval

from cutpoint.data.imputation import complete, impute
from cutpoint.data.resampling import some_records


def with_gaps(
    values: np.ndarray,
    rng: np.random.Generator,
    *,
    mechanism: Literal["mcar", "mar"],
    share: Annotated[float, Interval(gt=0, le=0.5)],
    columns: Annotated[float, Interval(gt=0, le=1)] = 0.5,
) -> np.ndarray:
    """Return values, float64 [N, n], with missing cells, which are NaN; columns contiguous.

    A share of the columns, drawn at random, has missing cells, on average the same share of each; at least one has some
    and one has none. Completely at random (mcar) every cell of them is missing with that probability; at random (mar)
    the probability grows in proportion to the rank of the record in one of the other columns, drawn for each, from 0 to
    twice the share (Rubin 1976), which is at most 0.5.
    """
    rows, n = values.shape
    gapped, order = np.array(values, order="F"), rng.permutation(n)
    count = min(max(round(columns * n), 1), n - 1)
    for i in order[:count]:
        by = values[:, rng.choice(order[count:])]
        chance = np.full(rows, share) if mechanism == "mcar" else share * (2 * np.argsort(np.argsort(by)) + 1) / rows
        gapped[rng.random(rows) < chance, i] = np.nan
    return gapped


def treated(
    gapped: np.ndarray,
    values: np.ndarray,
    discrete: np.ndarray,
    rng: np.random.Generator,
    *,
    treatment: Literal["drop", "impute"],
) -> np.ndarray:
    """Return data with the missing cells filled in, or the values, float64 [N, n], of the records without any."""
    if treatment == "impute":
        return impute(gapped, discrete, rng)
    return some_records(values, discrete, np.flatnonzero(complete(gapped)))
