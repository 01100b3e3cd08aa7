"""What parents tell of a child without levels: regressions on the normal scores of the parents.

A continuous variable counts by its normal scores z under its smoothed marginal, a discrete one by an indicator of each
state. The child follows the sum of what its parents bring: straight lines, or splines.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.optimize import minimize
from scipy.special import log_softmax, ndtr, ndtri, softmax

LINE, CURVE, TABLE = "line", "curve", "table"  # how the parents of a family act
FLOOR = 1e-3  # of the standard deviation of a residual, in normal scores
NEVER = -700.0  # intercept of a state that never occurs
RIDGE = 1.0  # penalty RIDGE / 2 |slopes|^2; the intercept has none. It is worth one record of unit variance.

# Quantiles of the normal distribution at which splines have knots: Harrell's (2015, section 2.4.6) for 7 of them
QUANTILES = (0.025, 0.1833, 0.3417, 0.5, 0.6583, 0.8167, 0.975)


@dataclass(frozen=True, eq=False)
class FamilyCurve:
    """The distribution of a child given its parents, by regression on their features.

    A continuous child has the normal scores N(a + b'w, spread^2), a discrete one the probabilities softmax(a + b'w).
    The marginal of the child has the weight of one record beside it, so that parents cost at most ln(N + 1) nats.
    """

    kind: str  # `LINE` or `CURVE`
    slopes: np.ndarray  # b, float64 [d] of a continuous child and [d, r] of a discrete one
    intercept: np.ndarray  # a, float64 [] or [r]
    spread: float | None  # of a continuous child, None of a discrete one
    records: int  # N, those that it was fitted to

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> "FamilyCurve":
        """Return the curve whose attributes these are, lists in place of arrays."""
        return cls(**{**plain, **{key: np.array(plain[key], float) for key in ("slopes", "intercept")}})

    def predictor(self, features: np.ndarray) -> np.ndarray:
        """Return a + b'w of features, float64 [M, d]: [M], or [M, r] of a discrete child."""
        return features @ self.slopes + self.intercept

    def gain(self, predictor: np.ndarray, scores: np.ndarray) -> np.ndarray:
        """Return ln p(z | w) - ln phi(z) of a continuous child's normal scores, float64 [M], before the mixture."""
        assert self.spread is not None
        return 0.5 * (scores**2 - ((scores - predictor) / self.spread) ** 2) - math.log(self.spread)

    def shares(self, predictor: np.ndarray, edges: np.ndarray, alone: np.ndarray) -> np.ndarray:
        """Return the probability of each level, float64 [..., r], from the predictor, [...] or [..., r].

        edges: normal scores of the thresholds of a continuous child, [r - 1]; alone: shares without parents, [r].
        """
        if self.spread is None:
            given = softmax(predictor, axis=-1)
        else:
            below = ndtr((edges - predictor[..., None]) / self.spread)
            given = np.diff(below, prepend=0.0, append=1.0, axis=-1)
        return (self.records * given + alone) / (self.records + 1)


def features_of(scores: np.ndarray, states: int, kind: str) -> np.ndarray:
    """Return what a parent brings, float64 [M, d]: normal scores or their splines, or indicators of `states` codes."""
    if states:
        return (scores[:, None] == np.arange(states)).astype(float)
    return splines(scores) if kind == CURVE else scores[:, None]


def normal_curve(features: np.ndarray, scores: np.ndarray, kind: str = LINE) -> FamilyCurve:
    """Return the least-squares curve of a continuous child's normal scores, float64 [N], on features [N, d].

    What the regression N(z; a + b'w, s^2) gains over the normal N(z; m, v) fitted without parents is multiplied to
    phi(z), and the product brought to mass 1: a normal with precision 1 + 1/s^2 - 1/v. So only dependence counts.
    """
    slopes, intercept = linear(features, scores)
    left = max(float(np.mean((scores - features @ slopes - intercept) ** 2)), FLOOR**2)
    alone = max(float(scores.var()), FLOOR**2)
    precision = max(1 + 1 / left - 1 / alone, 1.0)
    middle = (intercept / left - scores.mean() / alone) / precision
    return FamilyCurve(kind, slopes / left / precision, np.asarray(middle), precision**-0.5, len(scores))


def logistic_curve(
    features: np.ndarray, codes: np.ndarray, states: int, kind: str = LINE, tolerance: float = 1e-12
) -> FamilyCurve:
    """Return the multinomial logistic curve of a discrete child's codes, integer [N], on features; see `logistic`."""
    seen, places = np.unique(codes, return_inverse=True)
    slopes, intercept = np.zeros((features.shape[1], states)), np.full(states, NEVER)
    slopes[:, seen], intercept[seen] = logistic(features, places, len(seen), tolerance)
    return FamilyCurve(kind, slopes, intercept, None, len(codes))


def splines(scores: np.ndarray) -> np.ndarray:
    """Return the natural cubic splines that are sqrt(K) at one of the K knots and 0 at the others, float64 [N, K]."""
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

    They minimise minus the log-likelihood plus RIDGE / 2 times the sum of squared slopes, over all r levels alike. Each
    of these occurs among the codes [N]. The search ends when a step lowers the loss by no more than `tolerance` of it.
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
