"""Whether one of two methods is better or both are practically equivalent: the Bayesian signed-rank test.

A. Benavoli, F. Mangili, G. Corani, M. Zaffalon, F. Ruggeri, "A Bayesian Wilcoxon signed-rank test based on the
Dirichlet process", ICML 2014; A. Benavoli, G. Corani, J. Demsar, M. Zaffalon, "Time for a change: a tutorial for
comparing multiple classifiers through Bayesian analysis", JMLR 18, 2017, 4.2.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from cutpoint.bench.statistics.planning import MOST

ROPE = float(np.log(1.025))  # of log ratios: methods within 2.5 % are equivalent in practice
PRIOR = 0.5  # weight of the one observation of the prior, a difference of 0
STEPS = 25  # values that stand for a number with an error
BATCH = 1000  # draws that are in memory at a time, with all pairs of networks
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
    differences: np.ndarray, errors: np.ndarray, rng: np.random.Generator, *, rope: float = ROPE, samples: int = SAMPLES
) -> Preference:
    """Return which of two methods is to be preferred.

    Under weights w of a Dirichlet process, each region (below, within, above the rope) has the probability
    sum of w_i w_j over the pairs whose mean (d_i + d_j) / 2 lies in it, half where it lies on an end. The posterior
    probability of a region is the share of draws of w in which it is the most probable. With each draw of w the
    numbers are drawn by their errors, normal ones: what the runs do not tell of these networks they do not tell of
    others.

    Args:
        differences: float64 [P, n], first - second, one per network; NaN where missing.
        errors: float64 [P, n], their standard errors; 0 or NaN for numbers that are taken as they are.
        rng: random generator; all pairs take the same draws.
        rope: half the width of the region, above 0.
        samples: number of draws.
    """
    shares = np.r_[PRIOR, np.ones(differences.shape[1])]
    drawn = rng.standard_gamma(shares, (samples, len(shares)))
    moves = np.column_stack([np.zeros(samples), rng.standard_normal((samples, len(shares) - 1))])
    won = [
        _most_probable(values + moves * scale, drawn, rope)
        for values, scale in zip(_padded(differences), np.nan_to_num(_padded(errors)), strict=True)
    ]
    found = np.isfinite(differences).any(1)
    better, equivalent, worse = np.where(found, np.reshape(won, (-1, 3)).T, np.nan)
    return Preference(better, equivalent, worse, networks_needed(differences, errors, rope=rope))


def _padded(values: np.ndarray) -> np.ndarray:
    """Return numbers by network behind the observation of the prior, which is 0."""
    return np.column_stack([np.zeros(len(values)), values])


def _most_probable(values: np.ndarray, drawn: np.ndarray, rope: float) -> np.ndarray:
    """Return the share of draws in which each region is the most probable, of values and weights [samples, n + 1]."""
    first, second = np.triu_indices(values.shape[1])
    shares, parts = np.zeros(3), max(1, len(values) // BATCH)
    for d, w in zip(np.array_split(values, parts), np.array_split(drawn, parts), strict=True):
        both = w[:, first] * w[:, second] * np.where(first == second, 1.0, 2.0)
        middles = (d[:, first] + d[:, second]) / 2
        below, above = ((both * _above(sign * middles, rope)).sum(1) for sign in (-1, 1))
        masses = np.stack([below, (w @ np.isfinite(d[0])) ** 2 - below - above, above])
        won = masses == masses.max(0)
        shares += (won / won.sum(0)).sum(1)
    return shares / len(values)


def _above(middles: np.ndarray, rope: float) -> np.ndarray:
    """Return which means of two values are above the rope: 1, half on its end; 0 where missing."""
    return np.where(np.isnan(middles), 0.0, np.heaviside(middles - rope, 0.5))


def networks_needed(
    differences: np.ndarray, errors: np.ndarray, *, rope: float = ROPE, probability: float = 0.95
) -> np.ndarray:
    """Return how many networks that differ as these do would make the likeliest region probable enough.

    With h_i the mean over j of (1 if the pair i, j is in the likeliest region, -1 if in the next one), g the mean of h
    and v its variance, the posterior margin of the likeliest region is about normal with mean g and variance 4 v / n,
    so that n = 4 v z^2 / g^2 for the quantile z of the probability. The observation of the prior counts with its
    weight. In the place of a number with an error stand STEPS equally likely ones.

    Args:
        differences: float64 [P, n], NaN where missing.
        errors: float64 [P, n], their standard errors; 0 or NaN for numbers that are taken as they are.
        rope: half the width of the region.
        probability: wanted.

    Returns:
        float64 [P], whole and at least 2; infinite beyond 100,000, NaN without differences.
    """
    steps = scipy.special.ndtri((np.arange(STEPS) + 0.5) / STEPS)
    spread_out = differences[:, :, None] + np.nan_to_num(errors)[:, :, None] * steps
    padded = _padded(spread_out.reshape(len(differences), -1))
    weights = np.isfinite(padded) * np.r_[PRIOR, np.full(padded.shape[1] - 1, 1 / STEPS)]
    weights /= weights.sum(1, keepdims=True)
    middles = (padded[:, :, None] + padded[:, None]) / 2
    below, above = (_above(sign * middles, rope) for sign in (-1, 1))
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
