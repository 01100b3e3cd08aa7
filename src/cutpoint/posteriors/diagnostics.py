"""Whether chains have converged: what they say of the same posterior must agree."""

from typing import NamedTuple

import numpy as np

MOST_RHAT, MOST_SPREAD, LEAST_EFFECTIVE = 1.05, 0.1, 200


class Diagnostics(NamedTuple):
    """What is said of chains.

    rhat: split R-hat of the log score (Gelman et al. 2013, "Bayesian data analysis", 11.4); spread: the largest
    difference between chains of the probability of an edge; effective: independent draws of the log score that tell as
    much, by Geyer's initial positive pairs of autocorrelations; draws: of all chains.
    """

    rhat: float
    spread: float
    effective: float
    draws: int

    @classmethod
    def of(cls, scores: np.ndarray, edges: np.ndarray) -> "Diagnostics":
        """Return them from log scores, float64 [chains, draws], and probabilities of edges, float64 [chains, n, n]."""
        halves = scores[:, : scores.shape[1] // 4 * 4].reshape(2 * len(scores), -1).round(6)  # rounding is no variance
        draws, spread = halves.shape[1], float(np.ptp(edges, axis=0).max(initial=0.0))
        within = halves.var(axis=1, ddof=1).mean()
        if (total := (draws - 1) / draws * within + halves.mean(axis=1).var(ddof=1)) == 0:
            return cls(1.0, spread, scores.size, scores.size)
        padded = np.fft.rfft(halves - halves.mean(axis=1, keepdims=True), 2 * draws)
        covariance = np.fft.irfft(np.abs(padded) ** 2)[:, :draws].mean(axis=0) / draws
        pairs = (1 - (within - covariance) / total).reshape(-1, 2).sum(axis=1)
        pairs = pairs[: np.argmax(np.append(pairs, -1.0) < 0)]
        effective = float(halves.size / max(2 * pairs.sum() - 1, 1.0))
        return cls(float(np.sqrt(total / within)) if within else np.inf, spread, effective, scores.size)

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
