"""How two methods differ on the same data sets: mean difference, wins, Wilcoxon's signed-rank test; shares.

The data sets are the cells and replicates of cubes ``[cell, replicate]``; one counts where both methods succeeded.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from cutpoint.bench.statistics.estimates import LEVEL, jackknife, mean

EXACT = 50  # blocks up to which the signed-rank test is exact
ROUNDING = 1e-12  # of two values: they differ by rounding alone, and are ties
DECIMALS = 12  # of differences over the largest: closer ones are ties
Estimate = tuple[float, float, float]  # a number and its interval


@dataclass(frozen=True)
class Paired:
    """The mean difference first - second of two methods with its interval, and which is better how often."""

    difference: Estimate
    wins: int
    ties: int
    losses: int


def paired(first: np.ndarray, second: np.ndarray, *, lower_is_better: bool = True) -> Paired:
    """Compare two methods on the data sets of both, float64 [C, R] each, NaN for a failed run."""
    values = first - second
    values = np.where(np.abs(values) <= ROUNDING * np.maximum(np.abs(first), np.abs(second)), 0.0, values)
    every = values[np.isfinite(values)]
    signs = np.sign(-every if lower_is_better else every)
    return Paired(mean_difference(values), *(int((signs == sign).sum()) for sign in (1, 0, -1)))


def mean_difference(values: np.ndarray) -> Estimate:
    """Return the mean over cells of differences [C, R], NaN for a failed run, with its interval over replicates."""
    estimate = jackknife(values[None], blocks=range(len(values))).mean(1)[0].estimate()
    return float(estimate.value), float(estimate.low), float(estimate.high)


def wilson(successes: float, count: int, *, level: float = LEVEL) -> Estimate:
    """Return a share with Wilson's score interval (1927), a tie being half a success; NaN where nothing was counted."""
    if not count:
        return np.nan, np.nan, np.nan
    z = float(scipy.special.ndtri((1 + level) / 2))
    share = successes / count
    middle = (share + z**2 / (2 * count)) / (1 + z**2 / count)
    reach = z / (1 + z**2 / count) * np.sqrt(share * (1 - share) / count + z**2 / (4 * count**2))
    return share, float(max(middle - reach, 0)), float(min(middle + reach, 1))


def signed_rank(values: np.ndarray) -> float:
    """Return the two-sided p value of Wilcoxon's signed-rank test that differences [K] are symmetric about 0.

    Ranks of zeros are split between both signs (Demsar 2006, 3.1.3; Pratt 1959). Exact, also with ties, up to 50 finite
    differences, else by the normal distribution. NaN without any.
    """
    finite = values[np.isfinite(values)]
    if not len(finite) or not finite.any():
        return 1.0 if len(finite) else np.nan
    finite = np.round(finite / np.abs(finite).max(), DECIMALS)
    if len(finite) > EXACT:
        return float(scipy.stats.wilcoxon(finite, zero_method="zsplit", method="asymptotic").pvalue)
    doubled = np.rint(2 * scipy.stats.rankdata(np.abs(finite))).astype(int)  # ranks of ties are halves
    moving = doubled[finite != 0]
    shares = np.ones(1)
    for rank in moving:
        shares = (np.pad(shares, (0, rank)) + np.pad(shares, (rank, 0))) / 2
    positive = int(moving[finite[finite != 0] > 0].sum())
    below, above = shares[: positive + 1].sum(), shares[positive:].sum()
    return float(min(1.0, 2 * min(below, above)))


def signed_rank_pairs(values: np.ndarray) -> np.ndarray:
    """Return the p value of `signed_rank` for each pair of methods, float64 [M, M] with NaN on the diagonal.

    Values are float64 [M, B, R], NaN where missing. The difference in a block is the mean over those of its replicates
    in which both have a value, so that no method gains by a replicate that it failed on.
    """
    methods = len(values)
    pvalues = np.full((methods, methods), np.nan)
    for i in range(methods):
        for j in range(i):
            pvalues[i, j] = pvalues[j, i] = signed_rank(mean(values[i] - values[j], 1))
    return pvalues


@dataclass(frozen=True)
class Share:
    """A share of counted samples, for which all that agree do not mean certainty."""

    successes: float
    count: int

    @property
    def value(self) -> float:
        """The share, NaN of none."""
        return self.successes / self.count if self.count else np.nan

    def interval(self, level: float = LEVEL) -> tuple[float, float]:
        """Return Wilson's interval (1927)."""
        return wilson(self.successes, self.count, level=level)[1:]

    def tail(self, bound: float) -> float:
        """Return the p value of "the true share is at or above the bound" by the score test that Wilson inverts."""
        if not self.count:
            return np.nan
        distance, error = self.value - bound, np.sqrt(bound * (1 - bound) / self.count)
        return float(scipy.special.ndtr(distance / error) if error else (1 + np.sign(distance)) / 2)
