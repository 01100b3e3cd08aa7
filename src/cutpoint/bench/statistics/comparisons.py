"""Comparisons of methods: pairs on the same data sets, ranks over blocks and which differ, shares of samples.

The data sets are the cells and replicates of cubes ``[cell, replicate]``; one counts where both methods succeeded. J.
Demsar, "Statistical comparisons of classifiers over multiple data sets", JMLR 7, 2006, is the source for ranks.
"""

import warnings
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pandas as pd
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


def average_ranks(values: np.ndarray, *, lower_is_better: bool = True) -> np.ndarray:
    """Return ranks along the last axis of values, float64 [..., M], 1 the best, ties averaged; NaN where any is NaN."""
    return scipy.stats.rankdata(values if lower_is_better else -values, axis=-1)


def spearman(a: np.ndarray, b: np.ndarray) -> tuple[float, int]:
    """Return Spearman's correlation of the pairs, float64 [K] each, where both are finite, and how many there are."""
    both = np.isfinite(a) & np.isfinite(b)
    count = int(both.sum())
    if count < 3 or np.ptp(a[both]) == 0 or np.ptp(b[both]) == 0:
        return np.nan, count
    # not by scipy.stats, which takes a second to import
    return float(pd.DataFrame({0: a[both], 1: b[both]}).corr("spearman").iloc[0, 1]), count


@dataclass(frozen=True)
class Friedman:
    """Friedman's test of equal ranks with Nemenyi's critical difference.

    The statistic is a chi-square, corrected for ties; Iman and Davenport's F is less conservative (Demsar 2006, 3.2.2),
    NaN without any order.
    """

    kept: np.ndarray  # int [K], the methods compared: those with a value in most blocks
    blocks: int  # how many have a value of every method kept
    ranks: np.ndarray  # float64 [K], mean ranks, 1 the best
    statistic: float
    pvalue: float
    f_statistic: float
    f_pvalue: float
    difference: float  # mean ranks further apart differ at the 5 % level


def complete(values: np.ndarray, *, most: float = 0.75) -> tuple[np.ndarray, np.ndarray]:
    """Return which methods and blocks are compared by ranks: int [K] and int [B'] places in values [B, M].

    A method without a value in more than a quarter of the blocks is left out, then every incomplete block.
    """
    finite = np.isfinite(values)
    kept = np.flatnonzero(finite.mean(0) >= most) if len(values) else np.array([], int)
    return kept, np.flatnonzero(finite[:, kept].all(1))


def friedman(values: np.ndarray, *, lower_is_better: bool = True) -> Friedman | None:
    """Compare methods over blocks by their ranks, values [B, M], NaN where missing; see `complete`.

    None with fewer than three methods or two blocks.
    """
    kept, whole = complete(values)
    blocks, methods = len(whole), len(kept)
    if methods < 3 or blocks < 2:
        return None
    blocked = values[np.ix_(whole, kept)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        test = scipy.stats.friedmanchisquare(*blocked.T)
    f, f_pvalue = iman_davenport(float(test.statistic), methods, blocks)
    return Friedman(
        kept=kept,
        blocks=blocks,
        ranks=average_ranks(blocked, lower_is_better=lower_is_better).mean(0),
        statistic=float(test.statistic),
        pvalue=float(test.pvalue),
        f_statistic=f,
        f_pvalue=f_pvalue,
        difference=critical_difference(methods, blocks),
    )


def iman_davenport(chisquare: float, methods: int, blocks: int) -> tuple[float, float]:
    """Return Iman and Davenport's F from Friedman's chi-square, and its p value.

    F = (B - 1) chi2 / (B (M - 1) - chi2) with M - 1 and (M - 1)(B - 1) degrees of freedom; it is infinite where all
    blocks rank the methods alike.
    """
    rest = blocks * (methods - 1) - chisquare
    f = np.inf if abs(rest) < 1e-9 else (blocks - 1) * chisquare / rest
    return float(f), float(scipy.stats.f.sf(f, methods - 1, (methods - 1) * (blocks - 1)))


@lru_cache
def critical_difference(methods: int, blocks: int, *, alpha: float = 0.05) -> float:
    """Return Nemenyi's critical difference of mean ranks (Demsar 2006, 3.2.2)."""
    quantile = scipy.stats.studentized_range.ppf(1 - alpha, methods, np.inf) / np.sqrt(2)
    return float(quantile * np.sqrt(methods * (methods + 1) / (6 * blocks)))


def holm(pvalues: np.ndarray) -> np.ndarray:
    """Return p values, float64 [m], adjusted by Holm's step-down method, in their order; NaN (no test) stays.

    The i-th smallest of m is multiplied by m - i + 1, and none is below one before it (Holm 1979).
    """
    adjusted = np.full(len(pvalues), np.nan)
    tested = np.flatnonzero(np.isfinite(pvalues))
    order = tested[np.argsort(pvalues[tested], kind="stable")]
    steps = pvalues[order] * np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1)
    return adjusted


def holm_pairs(pvalues: np.ndarray) -> np.ndarray:
    """Return a symmetric matrix of p values, float64 [K, K], adjusted by Holm over all its pairs."""
    upper = np.triu_indices(len(pvalues), 1)
    adjusted = np.full(pvalues.shape, np.nan)
    adjusted[upper] = adjusted.T[upper] = holm(pvalues[upper])
    return adjusted


def cliques(ranks: np.ndarray, difference: float) -> list[np.ndarray]:
    """Return the largest groups of methods whose ranks lie within a critical difference, the best first.

    A method that differs from all others is a group of its own.
    """
    order = np.argsort(ranks, kind="stable")
    ends = np.searchsorted(ranks[order], ranks[order] + difference, side="right")
    new = [first for first in range(len(order)) if first == 0 or ends[first] > ends[first - 1]]
    return [order[first : ends[first]] for first in new]
