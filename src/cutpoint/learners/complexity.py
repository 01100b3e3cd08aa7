"""The parametric complexity of multinomial distributions, which normalises their maximum likelihood (NML)."""

from functools import cache, lru_cache

import numpy as np
from scipy.special import gammaln, logsumexp, xlogy

# Up to as many records the complexity of two levels is summed; beyond, its expansion is off by less than 1e-6 nats.
SUMMED = 1000
RUNG, ROOM = 64, 2**22  # levels between tables that are kept, and how many numbers of records these may hold


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
    rungs, nearest = _rungs(records), min((levels - 1) // RUNG, ROOM // (records + 1))
    while len(rungs) <= nearest:
        rungs.append(_climbed(*rungs[-1], len(rungs) * RUNG - RUNG + 1, len(rungs) * RUNG + 1))
    table, _ = _climbed(*rungs[nearest], nearest * RUNG + 1, levels)
    table.setflags(write=False)
    return table


@lru_cache(maxsize=2)
def _rungs(records: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return what levels are climbed from: ln R(n, k) and R(n, k + 1) / R(n, k) at k = 1; others are added in use."""
    return [(np.zeros(records + 1), np.exp([0.0, *map(_of_two_levels, range(1, records + 1))]))]


def _climbed(table: np.ndarray, ratio: np.ndarray, low: int, high: int) -> tuple[np.ndarray, np.ndarray]:
    """Return ln R(n, k) and R(n, k + 1) / R(n, k) at k = high from those at k = low."""
    counts, table, product = np.arange(len(table)), table.copy(), np.ones(len(table))
    for k in range(low, high):
        product *= ratio
        ratio = 1.0 + counts / k / ratio
        if k % 16 == 0 or k + 1 == high:  # a ratio is below 10^10, so that no product of 16 overflows
            table += np.log(product)
            product[:] = 1.0
    return table, ratio


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
