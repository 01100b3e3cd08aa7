"""How far the ranking of methods would change with other replicates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from cutpoint.statistics.draws import cell_means, interval, mean
from cutpoint.statistics.ranks import average_ranks

Ranker = Callable[[np.ndarray], np.ndarray]  # weights [D, C, R] to mean ranks [D, M]


@dataclass(frozen=True)
class Stability:
    """The mean ranks of M methods under bootstrap draws.

    Attributes:
        ranks, low, high: float64 [M], mean rank in the sample and its interval.
        first: float64 [M], share of draws in which the method ranks first, shared by those that are equal.
        top: float64 [M], share of draws in which it is among the first k.
        flips: float64 [M, M], share of draws that order a pair otherwise than the sample; a tie in a draw counts half.
        tau: float64 [D], Kendall's tau-b of each draw's ranking and the sample's.
    """

    ranks: np.ndarray
    low: np.ndarray
    high: np.ndarray
    first: np.ndarray
    top: np.ndarray
    flips: np.ndarray
    tau: np.ndarray


def ranker(values: np.ndarray, *, lower_is_better: bool = True, apart: bool = False) -> Ranker:
    """Return the function from weights to mean ranks.

    Args:
        values: float64 [M, C, R], NaN for a failed run; a replicate counts where all methods have a value.
        lower_is_better: whether rank 1 is the lowest value.
        apart: whether each replicate is ranked by itself, or the means of the cells are.
    """
    if apart:
        ranks = average_ranks(values.transpose(1, 2, 0), lower_is_better=lower_is_better)  # [C, R, M]
        whole = np.isfinite(ranks).all(2)
        return lambda weights: cell_means(ranks[whole].T[:, None], weights[:, whole][:, None])[:, :, 0]

    values = np.where(np.isfinite(values).all(0), values, np.nan)

    def rank(weights: np.ndarray) -> np.ndarray:
        means = cell_means(values, weights).transpose(0, 2, 1)
        return mean(average_ranks(means, lower_is_better=lower_is_better), 1)

    return rank


def stability(draws: np.ndarray, *, top: int) -> Stability:
    """Return how stable mean ranks are.

    Args:
        draws: float64 [D + 1, M], mean ranks, those of the sample first.
        top: k of "among the first k".
    """
    sample, drawn = draws[0], draws[1:]
    drawn = drawn[np.isfinite(drawn).all(1)]
    low, high = interval(drawn)
    places = average_ranks(drawn)
    leading = drawn == drawn.min(1, keepdims=True)
    signs, order = np.sign(drawn[:, :, None] - drawn[:, None]), np.sign(sample[:, None] - sample)
    return Stability(
        ranks=sample,
        low=low,
        high=high,
        first=mean(leading / leading.sum(1, keepdims=True), 0),
        top=mean((places <= top).astype(float), 0),
        flips=mean((1 - signs * order) / 2, 0) * (order != 0),
        tau=kendall(drawn, sample[None]),
    )


def kendall(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return Kendall's tau-b of rankings along the last axis, float64 [..., M] each; NaN where one is constant."""
    upper = np.triu_indices(a.shape[-1], 1)
    x, y = (np.sign(v[..., upper[0]] - v[..., upper[1]]) for v in (a, b))
    with np.errstate(invalid="ignore", divide="ignore"):
        return (x * y).sum(-1) / np.sqrt((x * x).sum(-1) * (y * y).sum(-1))


def halves(present: np.ndarray, rng: np.random.Generator, *, splits: int = 200) -> tuple[np.ndarray, np.ndarray]:
    """Return weights that split the replicates of every cell at random in two halves of equal size.

    Args:
        present: bool [C, R]; of an odd number one replicate is left out, and a cell with a single one has none.
        rng: random generator.
        splits: number of splits S.

    Returns:
        Two float64 [S, C, R] with 1 for a replicate in the half.
    """
    order = np.where(present, rng.random((splits, *present.shape)), np.inf).argsort(2).argsort(2)
    half = (present.sum(1) // 2)[:, None]
    return (order < half).astype(float), ((order >= half) & (order < 2 * half)).astype(float)
