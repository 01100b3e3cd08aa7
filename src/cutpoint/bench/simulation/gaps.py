"""Missing cells in simulated data, completely at random or at random given columns that are never missing."""

from __future__ import annotations

import numpy as np


def with_gaps(
    values: np.ndarray, rng: np.random.Generator, *, mechanism: str, share: float, columns: float = 0.5
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
