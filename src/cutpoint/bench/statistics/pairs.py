"""How two methods differ on the same data sets: mean difference, effect sizes and Wilcoxon's signed-rank test.

The data sets are the cells and replicates of cubes ``[cell, replicate]``; one counts where both methods succeeded.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
import scipy

from cutpoint.statistics.estimates import LEVEL, jackknife, mean

EXACT = 50  # blocks up to which the signed-rank test is exact
ALIKE = 1e-5  # a standard deviation below this share of the mean counts as 0: the noncentral t of such effects fails
ROUNDING = 1e-12  # of two values: they differ by rounding alone, and are ties
DECIMALS = 12  # of differences over the largest: closer ones are ties
Estimate = tuple[float, float, float]  # a number and its interval


@dataclass(frozen=True)
class Paired:
    """The differences first - second of two methods.

    Attributes:
        difference: mean over cells of the mean difference, with its interval over replicates.
        effect: Cohen's d_z over data sets, see `cohen_dz`.
        better: probability that the first method is the better one on a data set, ties half; see `wilson`.
        wins, ties, losses: data sets on which the first method is better, equal and worse.
        within: standard deviation over replicates of a cell, pooled over cells.
        between: standard deviation of the cells' mean differences.
        cells: number of cells with a difference.
    """

    difference: Estimate
    effect: Estimate
    better: Estimate
    wins: int
    ties: int
    losses: int
    within: float
    between: float
    cells: int


def paired(first: np.ndarray, second: np.ndarray, *, lower_is_better: bool = True) -> Paired:
    """Compare two methods on the data sets of both.

    Args:
        first, second: float64 [C, R], NaN for a failed run.
        lower_is_better: which of two values wins.
    """
    values = first - second
    values = np.where(np.abs(values) <= ROUNDING * np.maximum(np.abs(first), np.abs(second)), 0.0, values)
    cells = values[np.isfinite(values).any(1)]
    every = values[np.isfinite(values)]
    won = -every if lower_is_better else every
    wins, ties, losses = (int((np.sign(won) == sign).sum()) for sign in (1, 0, -1))
    return Paired(
        difference=mean_difference(values),
        effect=cohen_dz(every),
        better=wilson(wins + ties / 2, len(every)),
        wins=wins,
        ties=ties,
        losses=losses,
        within=pooled_deviation(cells),
        between=float(np.std(mean(cells, 1), ddof=1)) if len(cells) > 1 else np.nan,
        cells=len(cells),
    )


def mean_difference(values: np.ndarray) -> Estimate:
    """Return the mean over cells of differences [C, R], NaN for a failed run, with its interval over replicates."""
    found = jackknife(values[None], blocks=range(len(values))).mean(1)[0].estimate()
    return float(found.value), float(found.low), float(found.high)


def pooled_deviation(cells: np.ndarray) -> float:
    """Return the standard deviation within cells [C, R], pooled over those with two values or more; NaN without one."""
    counts = np.isfinite(cells).sum(1)
    if not (counts > 1).any():
        return np.nan
    squares = np.nansum((cells - mean(cells, 1)[:, None]) ** 2)
    return float(np.sqrt(squares / np.maximum(counts - 1, 0).sum()))


def cohen_dz(values: np.ndarray, *, level: float = LEVEL) -> Estimate:
    """Return the mean of differences [K] over their standard deviation, with its interval.

    The interval inverts the noncentral t distribution (Cumming and Finch 2001); it is exact for independent normal
    differences. NaN with fewer than two differences or equal ones, also where they differ by rounding alone (an effect
    of 100,000 or more).
    """
    count = len(values)
    deviation = float(np.std(values, ddof=1)) if count > 1 else 0.0
    if count < 2 or deviation <= ALIKE * abs(float(np.mean(values))):
        return np.nan, np.nan, np.nan
    effect = float(np.mean(values)) / deviation
    root, tail = np.sqrt(count), (1 - level) / 2
    low, high = (_noncentrality(effect * root, count - 1, share) / root for share in (tail, 1 - tail))
    return effect, low, high


def _noncentrality(t: float, freedom: int, share: float) -> float:
    """Return the noncentrality with which a value above t has probability share."""
    reach = 6 + 6 * abs(t) / np.sqrt(freedom)

    def excess(noncentrality: float) -> float:
        return float(scipy.stats.nct.sf(t, freedom, noncentrality)) - share

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # of far tails, which are 0 or 1
        return float(scipy.optimize.brentq(excess, t - reach, t + reach))


def wilson(successes: float, count: int, *, level: float = LEVEL) -> Estimate:
    """Return a share with Wilson's score interval (1927); NaN where nothing was counted.

    Args:
        successes: how many, half a one for a tie.
        count: of how many.
    """
    if not count:
        return np.nan, np.nan, np.nan
    z = float(scipy.stats.norm.ppf((1 + level) / 2))
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

    Args:
        values: float64 [M, B, R], NaN where missing. The difference in a block is the mean over those of its
            replicates in which both have a value, so that no method gains by a replicate that it failed on.
    """
    methods = len(values)
    pvalues = np.full((methods, methods), np.nan)
    for i in range(methods):
        for j in range(i):
            pvalues[i, j] = pvalues[j, i] = signed_rank(mean(values[i] - values[j], 1))
    return pvalues
