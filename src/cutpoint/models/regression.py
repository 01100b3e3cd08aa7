"""Linear and multinomial logistic regression with a ridge, and the splines of an additive one."""

from __future__ import annotations

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.optimize import minimize
from scipy.special import log_softmax, ndtri

RIDGE = 1.0  # penalty RIDGE / 2 |slopes|^2; the intercept has none. It is worth one record of unit variance.

# Quantiles of the normal distribution at which splines have knots: Harrell's (2015, section 2.4.6) for 7 of them
QUANTILES = (0.025, 0.1833, 0.3417, 0.5, 0.6583, 0.8167, 0.975)


def splines(scores: np.ndarray) -> np.ndarray:
    """Return the natural cubic splines that are sqrt(K) at one of the K knots and 0 at the others, float64 [N, K].

    Beyond the outer knots they are straight lines. The ridge of a function is the mean of its squares at the knots.
    """
    knots = ndtri(QUANTILES)
    basis = CubicSpline(knots, np.sqrt(len(knots)) * np.eye(len(knots)), bc_type="natural")
    inside = np.clip(scores, knots[0], knots[-1])
    return np.asarray(basis(inside) + basis(inside, 1) * (scores - inside)[:, None])


def linear(features: np.ndarray, child: np.ndarray) -> tuple[np.ndarray, float]:
    """Return the slopes [d] and intercept that minimise |child - a - features b|^2 + RIDGE |b|^2, features [N, d]."""
    means, middle = features.mean(0), child.mean()
    centred = features - means
    slopes = np.linalg.solve(centred.T @ centred + RIDGE * np.eye(features.shape[1]), centred.T @ (child - middle))
    return slopes, float(middle - means @ slopes)


def logistic(
    features: np.ndarray, codes: np.ndarray, levels: int, tolerance: float = 1e-12
) -> tuple[np.ndarray, np.ndarray]:
    """Return slopes [d, r] and intercepts [r] of the multinomial logistic regression of codes on features [N, d].

    They minimise minus the log-likelihood plus RIDGE / 2 times the sum of squared slopes, over all r levels alike, so
    that the order of the levels does not matter. Each of the levels 0..r-1 occurs among the codes [N]. The search ends
    when a step lowers the loss of a record by no more than `tolerance` of it.
    """
    indicators = (codes[:, None] == np.arange(levels)).astype(float)
    rows, counts = _grouped(features, indicators)
    records, d, means = len(features), features.shape[1], features.mean(0)
    design, counts = np.vstack([(rows - means).T, np.ones(len(rows))]), np.ascontiguousarray(counts.T)
    held, penalty = counts.sum(0), np.append(np.full(d, RIDGE), 0.0)[:, None]

    # einsum, as BLAS would start threads for these small products, and they wait for each other
    def loss(flat: np.ndarray) -> tuple[float, np.ndarray]:
        slopes = flat.reshape(d + 1, levels)
        logs = log_softmax(np.einsum("dn,dr->rn", design, slopes), axis=0)
        gradient = np.einsum("dn,rn->dr", design, held * np.exp(logs) - counts) + penalty * slopes
        total = 0.5 * (penalty * slopes**2).sum() - (logs * counts).sum()
        return total / records, gradient.ravel() / records

    start = np.zeros((d + 1, levels))
    start[-1] = np.log(indicators.mean(0))
    optimum = minimize(loss, start.ravel(), jac=True, method="L-BFGS-B", options={"gtol": 1e-6, "ftol": tolerance})
    best = optimum.x.reshape(d + 1, levels)
    return best[:-1], best[-1] - means @ best[:-1]


def _grouped(features: np.ndarray, indicators: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows of features that differ, and the sums of indicators over each, where all features are 0 or 1."""
    bits = features != 0
    if (features != bits).any():
        return features, indicators
    packed = np.ascontiguousarray(np.packbits(bits, axis=1))
    _, first, group = np.unique(packed.view(f"V{packed.shape[1]}").ravel(), return_index=True, return_inverse=True)
    counts = np.stack([np.bincount(group, each, len(first)) for each in indicators.T], axis=1)
    return features[first], counts
