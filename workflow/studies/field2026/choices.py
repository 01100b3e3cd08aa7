"""What a method costs that is chosen on some networks and used on others, and how sure that is.

The best of many methods looks better than it is on the networks that chose it. Here each network is left out of the
choice that is judged on it, and a bootstrap over networks repeats the choice in every sample (nested; A. C. Davison and
D. V. Hinkley, Bootstrap Methods and their Application, 1997): a jackknife is not for the place of a minimum.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

SAMPLES, SEED = 1000, 2026  # of the bootstrap


def weights_of(networks: int) -> np.ndarray:
    """Return how often each network is in the sample and in each bootstrap sample, int64 [1 + SAMPLES, K]."""
    rng = np.random.default_rng(SEED)
    drawn = rng.multinomial(networks, np.full(networks, 1 / networks), SAMPLES)
    return np.vstack([np.ones(networks, int), drawn])


def honest(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the mean loss of the best method, chosen without the network on which it is judged, float64 [samples].

    Args:
        values: float64 [M, K], losses of the methods to choose from, finite; one method is no choice.
        weights: int64 [samples, K], see `weights_of`; all copies of a network are left out together.
    """
    totals = values @ weights.T  # [M, samples]
    losses = np.zeros(weights.shape)
    for k in range(values.shape[1]):
        chosen = (totals - values[:, [k]] * weights[:, k]).argmin(0)
        losses[:, k] = values[chosen, k]
    return (losses * weights).sum(1) / weights.sum(1)


def interval(samples: np.ndarray) -> tuple[float, float, float]:
    """Return a number with the ends of its 95 % interval: the sample first, then those of the bootstrap."""
    low, high = np.quantile(samples[1:], [0.025, 0.975])
    return float(samples[0]), float(low), float(high)


def tuned(values: np.ndarray, families: Sequence[Sequence[int]], weights: np.ndarray) -> list[np.ndarray]:
    """Return by how much the setting that is chosen on other networks beats the default, float64 [samples] by family.

    Args:
        values: float64 [M, K].
        families: rows of a default and its other settings, the default first.
        weights: int64 [samples, K].
    """
    return [honest(values[[*rows]], weights) - honest(values[[rows[0]]], weights) for rows in families]
