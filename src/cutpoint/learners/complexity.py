"""The parametric complexity of multinomial distributions, which normalises their maximum likelihood (NML)."""

from functools import cache, lru_cache

import numpy as np
from scipy.special import gammaln, logsumexp, xlogy

# Up to as many records the complexity of two levels is summed; beyond, its expansion is off by less than 1e-6 nats.
SUMMED = 1000
STEP = 16  # levels whose ratios are multiplied before a logarithm is taken
KEPT_EACH = 5000  # with more records fewer levels are kept


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
    table = _ladder(records).table(levels)
    table.setflags(write=False)
    return table


class _Ladder:
    """ln R(n, k) of n = 0, 1, ... `records` for any k: from the nearest k below that was kept, about 5 kB a level.

    R(n, k + 1) / R(n, k) follows from the ratio before; logarithms of products are taken every `STEP` levels.
    """

    def __init__(self, records: int):
        self._counts = np.arange(records + 1.0)
        self._gap = STEP * max(1, records // KEPT_EACH)
        ratios = np.exp([0.0, *map(_of_two_levels, range(1, records + 1))])
        self._kept = [(np.zeros(records + 1), ratios)]  # ln R(n, 1), R(n, 2) / R(n, 1)

    def table(self, levels: int) -> np.ndarray:
        rungs = (levels - 1) // self._gap
        while len(self._kept) <= rungs:
            first = 1 + (len(self._kept) - 1) * self._gap
            self._kept.append(self._climb(*self._kept[-1], first, first + self._gap))
        return self._climb(*self._kept[rungs], 1 + rungs * self._gap, levels)[0]

    def _climb(self, table: np.ndarray, ratio: np.ndarray, first: int, last: int) -> tuple[np.ndarray, np.ndarray]:
        """Return ln R(n, last) and R(n, last + 1) / R(n, last) from those of `first`."""
        table, product = table.copy(), np.ones(len(table))
        for k in range(first, last):
            product *= ratio
            ratio = 1.0 + self._counts / k / ratio
            if k % STEP == 0 or k == last - 1:
                table += np.log(product)
                product[:] = 1.0
        return table, ratio


_ladder = lru_cache(maxsize=2)(_Ladder)


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
