"""How many replicates, or cells, show a difference of two methods."""

from __future__ import annotations

import numpy as np
import scipy

FAR = 6  # standard errors from 0 beyond which no test errs in the sign
MOST = 100_000  # more cannot be run, and count as infinite
NONE = 1e-9  # a deviation below this share of the difference is rounding; the power of such a test overflows


def power(effect: float, count: int, freedom: int, *, alpha: float = 0.05) -> float:
    """Return the power of a two-sided paired t test.

    Args:
        effect: mean difference over its standard deviation.
        count: of differences.
        freedom: degrees of freedom of the standard deviation.
        alpha: level of the test.
    """
    limit, shift = scipy.stats.t.ppf(1 - alpha / 2, freedom), abs(effect) * np.sqrt(count)
    wrong = scipy.stats.nct.cdf(-limit, freedom, shift) if shift < FAR else 0  # on the other side
    return float(scipy.stats.nct.sf(limit, freedom, shift) + wrong)


def needed(difference: float, deviation: float, *, cells: int = 1, aim: float = 0.8, alpha: float = 0.05) -> float:
    """Return the fewest replicates per cell with which a paired t test finds a mean difference.

    The difference is a mean over cells whose own means stay as they are; the deviation has cells (n - 1) degrees of
    freedom. With cells = 1 this is the ordinary paired t test.

    Args:
        difference: true mean difference.
        deviation: standard deviation of a difference within a cell.
        cells: how many cells the mean goes over.
        aim: power that is wanted.
        alpha: two-sided level.

    Returns:
        At least 2; infinite without a difference or beyond 100,000; NaN where either argument is.
    """
    if not np.isfinite([difference, deviation]).all():
        return np.nan
    if difference == 0:
        return np.inf
    if deviation <= NONE * abs(difference):
        return 2

    def enough(n: int) -> bool:
        return power(difference / deviation, cells * n, cells * (n - 1), alpha=alpha) >= aim

    quantiles = scipy.stats.norm.ppf([1 - alpha / 2, aim]).sum()
    rough = (quantiles * deviation / difference) ** 2 / cells  # by the normal distribution: somewhat too few
    if rough > MOST:
        return np.inf
    n = max(2, int(rough))
    while not enough(n):
        n += 1
    return n
