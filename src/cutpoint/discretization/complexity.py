"""The parametric complexity of multinomial distributions, which normalises their maximum likelihood (NML)."""

from __future__ import annotations

import numpy as np
from scipy.special import gammaln, logsumexp, xlogy


def log_complexities(records: int, levels: int) -> np.ndarray:
    """Return ln R(n, k) of n records in k levels for k = 1, 2, ..., float64 [levels].

    R(n, k) is the sum of the maximised likelihoods of all n records in k levels: R(n, 1) = 1,
    R(n, 2) = sum_h C(n, h) (h / n)^h ((n - h) / n)^(n - h) and R(n, k + 2) = R(n, k + 1) + n / k R(n, k)
    (Kontkanen and Myllymaki 2007, "A linear-time algorithm for computing the multinomial stochastic complexity").

    Args:
        records: n, at least 1.
        levels: the most levels.
    """
    heads = np.arange(records + 1)
    tails = records - heads
    terms = gammaln(records + 1) - gammaln(heads + 1) - gammaln(tails + 1) - xlogy(records, records)
    logs = [0.0, logsumexp(terms + xlogy(heads, heads) + xlogy(tails, tails))]
    while len(logs) < levels:
        logs.append(np.logaddexp(logs[-1], np.log(records / (len(logs) - 1)) + logs[-2]))
    return np.array(logs[:levels])
