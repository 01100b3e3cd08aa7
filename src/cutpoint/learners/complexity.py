"""The parametric complexity of multinomial distributions, which normalises their maximum likelihood (NML)."""

from functools import cache, lru_cache

import numpy as np
from scipy.special import gammaln, logsumexp, xlogy

# Up to as many records the complexity of two levels is summed; beyond, its expansion is off by less than 1e-6 nats.
SUMMED = 1000


def log_complexities(records: int, levels: int) -> np.ndarray:
    """Return ln R(n, k) of n >= 1 records in k levels for k = 1, 2, ..., float64 [levels].

    R(n, k) is the sum of the maximised likelihoods of all n records in k levels: R(n, 1) = 1,
    R(n, 2) = sum_h C(n, h) (h / n)^h ((n - h) / n)^(n - h) and R(n, k + 2) = R(n, k + 1) + n / k R(n, k)
    (Kontkanen and Myllymaki 2007, "A linear-time algorithm for computing the multinomial stochastic complexity").
    """
    logs = [0.0, _of_two_levels(records)]
    while len(logs) < levels:
        logs.append(np.logaddexp(logs[-1], np.log(records / (len(logs) - 1)) + logs[-2]))
    return np.array(logs[:levels])


@lru_cache(maxsize=8)
def m_ln_m(records: int) -> np.ndarray:
    """Return m ln m for m = 0 .. N, float64 [N + 1]; it is not to be changed."""
    counts = np.arange(records + 1.0)
    return xlogy(counts, counts)


@lru_cache(maxsize=64)
def complexity_table(records: int, levels: int) -> np.ndarray:
    """Return ln R(n, k) of n = 0, 1, ... `records` and k = `levels`, float64 [records + 1] that cannot be changed."""
    counts, table, ratio = np.arange(records + 1.0), np.zeros(records + 1), _ratios(records)
    for k in range(1, levels):
        table += np.log(ratio)
        ratio = 1.0 + counts / k / ratio  # of R(n, k + 2) to R(n, k + 1)
    table.setflags(write=False)
    return table


@lru_cache(maxsize=2)
def _ratios(records: int) -> np.ndarray:
    """Return R(n, 2) of n = 0, 1, ... `records`."""
    return np.exp([0.0, *map(_of_two_levels, range(1, records + 1))])


@cache
def _of_two_levels(records: int) -> float:
    """Return ln R(n, 2), beyond `SUMMED` records by Szpankowski's (1998) expansion."""
    if records > SUMMED:
        n = records * np.pi
        return float(0.5 * np.log(n / 2) + np.sqrt(8 / (9 * n)) + (3 * np.pi - 16) / (36 * n))
    heads = np.arange(records + 1)
    tails = records - heads
    terms = gammaln(records + 1) - gammaln(heads + 1) - gammaln(tails + 1) - xlogy(records, records)
    return float(logsumexp(terms + xlogy(heads, heads) + xlogy(tails, tails)))
