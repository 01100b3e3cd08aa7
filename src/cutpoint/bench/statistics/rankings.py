"""How far the ranking of methods would change with other replicates.

Ranks are taken in each data set, and then their mean: a mean rank of means over replicates jumps where two are nearly
equal, so that what is left out would not say how far it varies.
"""

from __future__ import annotations

import numpy as np

from cutpoint.statistics.estimates import Statistic


def order_pvalues(ranks: Statistic) -> np.ndarray:
    """Return the two-sided p value that two methods have the same mean rank, float64 [M, M], of mean ranks [M]."""
    tail = (ranks[:, None] - ranks[None]).estimate().tail(0.0)
    return np.asarray(2 * np.minimum(tail, 1 - tail))


def kendall(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return Kendall's tau-b of rankings along the last axis, float64 [..., M] each; NaN where one is constant."""
    upper = np.triu_indices(a.shape[-1], 1)
    x, y = (np.sign(v[..., upper[0]] - v[..., upper[1]]) for v in (a, b))
    with np.errstate(invalid="ignore", divide="ignore"):
        return (x * y).sum(-1) / np.sqrt((x * x).sum(-1) * (y * y).sum(-1))


def halves(present: np.ndarray, rng: np.random.Generator, *, splits: int = 200) -> tuple[np.ndarray, np.ndarray]:
    """Return masks that split the replicates of every cell at random in two halves of equal size.

    Args:
        present: bool [C, R]; of an odd number one replicate is left out, and a cell with a single one has none.
        rng: random generator.
        splits: number of splits S.

    Returns:
        Two bool [S, C, R].
    """
    order = np.where(present, rng.random((splits, *present.shape)), np.inf).argsort(2).argsort(2)
    half = (present.sum(1) // 2)[:, None]
    return order < half, (order >= half) & (order < 2 * half)
