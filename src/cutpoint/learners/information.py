"""Entropy, divergence and mutual information of distributions over finitely many states, in nats."""

import numpy as np
from scipy.special import xlogy


def entropy(p: np.ndarray) -> float:
    """Return H(p) = - sum of p ln p of a distribution, float64 of any shape (Mauá 2018, 2.2)."""
    return float(-xlogy(p, p).sum())


def divergence(p: np.ndarray, q: np.ndarray) -> float:
    """Return KL(p, q) = sum of p ln(p / q), float64 of one shape; infinite where q is 0 and p is not (Mauá 2018, 8)."""
    p, q = np.asarray(p, float), np.asarray(q, float)
    seen = p > 0
    if (q[seen] == 0).any():
        return np.inf
    return float((p[seen] * np.log(p[seen] / q[seen])).sum())


def mutual_information(joint: np.ndarray) -> float:
    """Return I(X, Y) of a joint distribution, float64 [x, y] (Mauá 2018, 2.3)."""
    return divergence(joint, np.outer(joint.sum(1), joint.sum(0)))
