"""Whether chains have converged: what they say of the same posterior must agree."""

from typing import NamedTuple

import numpy as np

MOST_RHAT, MOST_SPREAD, LEAST_EFFECTIVE = 1.05, 0.1, 200


class Diagnostics(NamedTuple):
    """What is said of chains.

    rhat: split R-hat of the log score (Gelman et al. 2013, "Bayesian data analysis", 11.4); spread: the largest
    difference between chains of the probability of an edge; effective: independent draws of the log score that tell as
    much; draws: of all chains.
    """

    rhat: float
    spread: float
    effective: float
    draws: int

    @classmethod
    def of(cls, scores: np.ndarray, edges: np.ndarray) -> "Diagnostics":
        """Return them from log scores, float64 [chains, draws], and probabilities of edges, float64 [chains, n, n]."""
        halves = scores[:, : scores.shape[1] // 2 * 2].reshape(2 * len(scores), -1).round(6)  # rounding is no variance
        within, total = _variances(halves)
        spread = float((edges.max(axis=0) - edges.min(axis=0)).max(initial=0.0))
        rhat = float(np.sqrt(total / within)) if within > 0 else 1.0 if total == 0 else np.inf
        return cls(rhat, spread, _effective(halves, within, total), scores.size)

    @property
    def converged(self) -> bool:
        """Return whether all are within their limits."""
        return self.rhat <= MOST_RHAT and self.spread <= MOST_SPREAD and self.effective >= LEAST_EFFECTIVE

    def __str__(self) -> str:
        state = "" if self.converged else "not converged: "
        return (
            f"{state}R-hat {self.rhat:.3f}, chains differ by at most {self.spread:.2f} on an edge, "
            f"{self.effective:.0f} effective of {self.draws} draws"
        )


def _variances(halves: np.ndarray) -> tuple[float, float]:
    """Return the variance within chains, float64 [m, draws], and that of all draws."""
    draws = halves.shape[1]
    within = halves.var(axis=1, ddof=1).mean()
    return float(within), float((draws - 1) / draws * within + halves.mean(axis=1).var(ddof=1))


def _effective(halves: np.ndarray, within: float, total: float) -> float:
    """Return the effective number of draws, by Geyer's initial positive pairs of autocorrelations."""
    m, draws = halves.shape
    if total == 0:
        return float(m * draws)
    centred = halves - halves.mean(axis=1, keepdims=True)
    padded = np.fft.rfft(centred, 2 * draws)
    covariance = np.fft.irfft(padded * padded.conj())[:, :draws].mean(axis=0) / draws
    correlation = 1 - (within - covariance) / total
    correlation[0] = 1.0
    pairs = correlation[: draws // 2 * 2].reshape(-1, 2).sum(axis=1)
    negative = np.flatnonzero(pairs < 0)
    return float(m * draws / max(2 * pairs[: negative[0] if len(negative) else len(pairs)].sum() - 1, 1.0))
