"""Intervals, verdicts and ranks over repeated runs.

Everything works on cubes ``values[method, cell, replicate]`` with NaN where a run failed. A bootstrap draw
is a set of weights on the replicates of each cell, the same for all methods and metrics (paired), so a mean
under all draws is one matrix product. Draw 0 is always the sample itself.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from cutpoint.seeds import seed_sequence

DRAWS = 2000
LEVEL = 0.95
HOLDS, FAILS, UNDECIDED = "holds", "does not hold", "cannot be decided"


def generator(seed: int, *purpose: object) -> np.random.Generator:
    """Return a random generator that depends on the seed and the purpose only."""
    return np.random.default_rng(seed_sequence(seed, *purpose))


def mean(values: np.ndarray, axis: int | tuple[int, ...]) -> np.ndarray:
    """Return the mean of the finite values along axis, NaN where there is none."""
    finite = np.isfinite(values)
    total = np.where(finite, values, 0.0).sum(axis)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(total / finite.sum(axis))


def draw_weights(present: np.ndarray, rng: np.random.Generator, *, draws: int = DRAWS) -> np.ndarray:
    """Return bootstrap weights of the replicates of every cell, the sample itself first.

    Args:
        present: bool [C, R], the replicates that each cell has.
        rng: random generator.
        draws: number of draws D.

    Returns:
        float64 [D + 1, C, R]: how often draw d takes replicate r of cell c; row 0 is 1 where present.
    """
    weights = np.zeros((draws + 1, *present.shape))
    weights[0] = present
    for cell, mask in enumerate(present):
        count = int(mask.sum())
        if count:
            weights[1:, cell, mask] = rng.multinomial(count, np.full(count, 1 / count), size=draws)
    return weights


def cell_means(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the mean over replicates in every draw, of the runs that succeeded.

    Args:
        values: float64 [M, C, R], NaN for a failed run.
        weights: float64 [D, C, R].

    Returns:
        float64 [D, M, C], NaN where a draw holds no successful run.
    """
    finite = np.isfinite(values)
    byreplicate = weights.transpose(1, 0, 2)
    total = byreplicate @ np.where(finite, values, 0.0).transpose(1, 2, 0)
    count = byreplicate @ finite.astype(float).transpose(1, 2, 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        return (total / count).transpose(1, 2, 0)


def normalise(means: np.ndarray, reference: int) -> np.ndarray:
    """Return means [..., M, C] divided by those of the reference method (Fu 2005, V.1.3)."""
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = means / means[..., reference : reference + 1, :]
    return np.where(np.isfinite(ratio), ratio, np.nan)


def interval(draws: np.ndarray, *, level: float = LEVEL) -> tuple[np.ndarray, np.ndarray]:
    """Return the percentile interval along the first axis, NaN where no draw is finite."""
    tail = (1 - level) / 2
    if draws.shape[0] == 0:
        return np.full(draws.shape[1:], np.nan), np.full(draws.shape[1:], np.nan)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        low, high = np.nanquantile(draws, [tail, 1 - tail], axis=0)
    return low, high


@dataclass(frozen=True)
class Verdict:
    """What the draws say of a claim: one of HOLDS, FAILS, UNDECIDED, and the share of draws it is true in."""

    verdict: str
    share: float


def decide(truths: np.ndarray, *, units: int | None) -> Verdict:
    """Return the verdict on a claim from its truth in every draw.

    Args:
        truths: float64 [D], 1 true, 0 false, NaN undefined in that draw (counts for neither side).
        units: what is resampled: the smallest number of replicates in a cell, or of data sets;
            with fewer than two nothing can be decided. None for a claim without chance: exact.
    """
    truths = np.asarray(truths, float).reshape(-1)
    if truths.size == 0 or np.isnan(truths).all():
        return Verdict(UNDECIDED, np.nan)
    true, false = float(np.mean(truths == 1)), float(np.mean(truths == 0))
    if units is None:
        return Verdict(HOLDS if true == 1 else FAILS if false else UNDECIDED, true)
    if units < 2:
        return Verdict(UNDECIDED, true)
    return Verdict(HOLDS if true >= LEVEL else FAILS if false >= LEVEL else UNDECIDED, true)


def every(truths: Sequence[np.ndarray]) -> np.ndarray:
    """Return the conjunction of truths with NaN as unknown: false wins over unknown."""
    stacked = np.asarray(truths, float)
    return np.where((stacked == 0).any(0), 0.0, np.where(np.isnan(stacked).any(0), np.nan, 1.0))


def average_ranks(values: np.ndarray, *, lower_is_better: bool = True) -> np.ndarray:
    """Return ranks within each row of values [B, M], 1 the best, ties averaged."""
    return stats.rankdata(values if lower_is_better else -values, axis=1)


def spearman(a: np.ndarray, b: np.ndarray) -> tuple[float, int]:
    """Return the rank correlation of the pairs where both are finite, and how many there are."""
    both = np.isfinite(a) & np.isfinite(b)
    count = int(both.sum())
    if count < 3 or np.ptp(a[both]) == 0 or np.ptp(b[both]) == 0:
        return np.nan, count
    return float(stats.spearmanr(a[both], b[both]).statistic), count


@dataclass(frozen=True)
class Friedman:
    """Friedman's test of equal ranks with Nemenyi's critical difference (Demsar 2006).

    Attributes:
        kept: int [K], the methods compared (those with a value in most blocks).
        blocks: number of blocks with a value of every method kept.
        ranks: float64 [K], mean rank, 1 the best.
        statistic, pvalue: chi-square of the test.
        difference: mean ranks further apart than this differ at the 5 % level.
    """

    kept: np.ndarray
    blocks: int
    ranks: np.ndarray
    statistic: float
    pvalue: float
    difference: float


def friedman(values: np.ndarray, *, lower_is_better: bool = True, most: float = 0.75) -> Friedman | None:
    """Compare methods over blocks by their ranks.

    A method without a value in more than a quarter of the blocks is left out, then every incomplete block.

    Args:
        values: float64 [B, M], NaN where missing.
        lower_is_better: whether rank 1 is the lowest value.
        most: share of blocks that a method needs.

    Returns:
        None with fewer than three methods or two blocks.
    """
    finite = np.isfinite(values)
    kept = np.flatnonzero(finite.mean(0) >= most) if len(values) else np.array([], int)
    complete = values[finite[:, kept].all(1)][:, kept]
    blocks, methods = complete.shape
    if methods < 3 or blocks < 2:
        return None
    ranks = average_ranks(complete, lower_is_better=lower_is_better)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        test = stats.friedmanchisquare(*complete.T)
    return Friedman(
        kept=kept,
        blocks=blocks,
        ranks=ranks.mean(0),
        statistic=float(test.statistic),
        pvalue=float(test.pvalue),
        difference=critical_difference(methods, blocks),
    )


def critical_difference(methods: int, blocks: int, *, alpha: float = 0.05) -> float:
    """Return Nemenyi's critical difference of mean ranks (Demsar 2006, 3.2.2)."""
    quantile = stats.studentized_range.ppf(1 - alpha, methods, np.inf) / np.sqrt(2)
    return float(quantile * np.sqrt(methods * (methods + 1) / (6 * blocks)))
