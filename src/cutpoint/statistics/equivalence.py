"""Whether one of two methods is better or both are practically equivalent: the Bayesian signed-rank test.

A. Benavoli, F. Mangili, G. Corani, M. Zaffalon, F. Ruggeri, "A Bayesian Wilcoxon signed-rank test based on the
Dirichlet process", ICML 2014; A. Benavoli, G. Corani, J. Demsar, M. Zaffalon, "Time for a change: a tutorial for
comparing multiple classifiers through Bayesian analysis", JMLR 18, 2017, 4.2.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from cutpoint.statistics.planning import MOST

ROPE = float(np.log(1.025))  # of log ratios: methods within 2.5 % are equivalent in practice
PRIOR = 0.5  # weight of the one observation of the prior, a difference of 0
SAMPLES = 20_000  # a probability is off by 0.0035 at most (one standard error)


@dataclass(frozen=True)
class Preference:
    """Posterior probabilities of P pairs of methods.

    Attributes:
        better, equivalent, worse: float64 [P], that the first method has the lower values, that they are within the
            region of practical equivalence, that it has the higher ones; they sum to 1, NaN without differences.
        needed: float64 [P], how many networks would make the likeliest of the three 95 % probable, see
            `networks_needed`.
    """

    better: np.ndarray
    equivalent: np.ndarray
    worse: np.ndarray
    needed: np.ndarray


def preferences(
    differences: np.ndarray, rng: np.random.Generator, *, rope: float = ROPE, samples: int = SAMPLES
) -> Preference:
    """Return which of two methods is to be preferred.

    Under weights w of a Dirichlet process, each region (below, within, above the rope) has the probability
    sum of w_i w_j over the pairs whose mean (d_i + d_j) / 2 lies in it, half where it lies on an end. The posterior
    probability of a region is the share of draws of w in which it is the most probable.

    Args:
        differences: float64 [P, n], first - second, one per network; NaN where missing.
        rng: random generator; all pairs take the same draws.
        rope: half the width of the region, above 0.
        samples: number of draws.
    """
    padded = np.column_stack([np.zeros(len(differences)), differences])
    there = np.isfinite(padded)
    shares = np.r_[PRIOR, np.ones(padded.shape[1] - 1)]
    drawn = rng.standard_gamma(shares, (samples, len(shares)))
    first, second = np.triu_indices(len(shares))
    both = drawn[:, first] * drawn[:, second] * np.where(first == second, 1.0, 2.0)
    below, above = (_beyond(sign * padded, rope)[:, first, second] for sign in (-1, 1))
    masses = np.stack([both @ side.T for side in (below, above)])  # [2, samples, P]
    total = (drawn @ there.T) ** 2
    masses = np.stack([masses[0], total - masses.sum(0), masses[1]])
    won = masses == masses.max(0)
    better, equivalent, worse = np.where(there[:, 1:].any(1), (won / won.sum(0)).mean(1), np.nan)
    return Preference(better, equivalent, worse, networks_needed(differences, rope=rope))


def _beyond(values: np.ndarray, rope: float) -> np.ndarray:
    """Return which means of two values are above the rope, float64 [P, n, n]: 1, half on its end; 0 where missing."""
    middles = (values[:, :, None] + values[:, None]) / 2
    return np.where(np.isnan(middles), 0.0, np.heaviside(middles - rope, 0.5))


def networks_needed(differences: np.ndarray, *, rope: float = ROPE, probability: float = 0.95) -> np.ndarray:
    """Return how many networks that differ as these do would make the likeliest region probable enough.

    With h_i the mean over j of (1 if the pair i, j is in the likeliest region, -1 if in the next one), g the mean of h
    and v its variance, the posterior margin of the likeliest region is about normal with mean g and variance 4 v / n,
    so that n = 4 v z^2 / g^2 for the quantile z of the probability. The observation of the prior counts with its
    weight.

    Args:
        differences: float64 [P, n], NaN where missing.
        rope: half the width of the region.
        probability: wanted.

    Returns:
        float64 [P], whole and at least 2; infinite beyond 100,000, NaN without differences.
    """
    padded = np.column_stack([np.zeros(len(differences)), differences])
    weights = np.isfinite(padded) * np.r_[PRIOR, np.ones(padded.shape[1] - 1)]
    weights /= weights.sum(1, keepdims=True)
    below, above = (_beyond(sign * padded, rope) for sign in (-1, 1))
    sides = np.stack([below, 1 - below - above, above])
    means = np.einsum("pj,spij->spi", weights, sides)
    order = np.argsort(np.einsum("pi,spi->sp", weights, means), axis=0, kind="stable")
    pairs = np.arange(len(padded))
    lead = means[order[2], pairs] - means[order[1], pairs]
    middle = (weights * lead).sum(1)
    spread = (weights * (lead - middle[:, None]) ** 2).sum(1)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.ceil(4 * spread * (scipy.special.ndtri(probability) / middle) ** 2)
    found = np.where(found > MOST, np.inf, np.maximum(found, 2))
    return np.where(np.isfinite(differences).any(1), found, np.nan)
