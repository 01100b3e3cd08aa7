"""The BGe score: the marginal likelihood of a Gaussian network (Geiger and Heckerman 1994)."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import gammaln

from cutpoint.base.errors import InputError
from cutpoint.learners.scores import Indices
from cutpoint.options import AboveZero


class BGe:
    """The log marginal likelihood of families, higher is better (Kuipers, Moffa and Heckerman 2014).

    The prior is normal-Wishart: the sample mean with equivalent sample size a_mu, and T = t I with a_w, where
    t = a_mu (a_w - n - 1) / (a_mu + 1). With R = T + the sums of squares and products about the means, a family of l
    parents P has

        -N/2 ln pi + 1/2 ln(a_mu / (N + a_mu)) + lnG((N + b) / 2) - lnG(b / 2) + (b + l) / 2 ln t
        + (N + b - 1) / 2 ln |R_P| - (N + b) / 2 ln |R_(P, i)|,    b = a_w - n + l + 1.

    Args:
        values: float64 [N, n].
        mean_size: a_mu.
        degrees: a_w - n + 1, above 2.
    """

    epsilon = 1e-6

    def __init__(self, values: np.ndarray, mean_size: float, degrees: float):
        self.values, self.mean_size, self.degrees = values, mean_size, degrees
        self.records, self.n = values.shape
        centred = values - values.mean(axis=0)
        self.prior = mean_size * (degrees - 2) / (mean_size + 1)
        self.products = centred.T @ centred + self.prior * np.eye(self.n)
        self.constant = 0.5 * (math.log(mean_size / (self.records + mean_size)) - self.records * math.log(math.pi))

    def family(self, child: int, parents: Indices) -> float:
        """Return the score of a child with its parents."""
        at = np.array(sorted(parents), np.int64)
        return float(self._score(len(at), self._log_determinant(at), self._log_determinant(np.append(at, child))))

    def gains(self, child: int, parents: Indices) -> np.ndarray:
        """Return the gain of toggling each variable in the parents, float64 [n], -inf for the child."""
        at = np.array(sorted(parents), np.int64)
        base, inside = self.family(child, at), self._log_determinant(at)
        # Variances and covariances with the child that are left given the parents.
        slopes = np.linalg.solve(self.products[np.ix_(at, at)], self.products[at])
        variances = np.diag(self.products) - np.einsum("pj,pj->j", self.products[at], slopes)
        shared = self.products[child] - self.products[child, at] @ slopes
        free = np.setdiff1d(np.arange(self.n), np.append(at, child))
        pairs = variances[free] * variances[child] - shared[free] ** 2
        gains = np.full(self.n, -np.inf)
        gains[free] = self._score(len(at) + 1, inside + np.log(variances[free]), inside + np.log(pairs)) - base
        for parent in at:
            gains[parent] = self.family(child, at[at != parent]) - base
        return gains

    def _score(self, parents: int, without: np.ndarray | float, whole: np.ndarray | float) -> np.ndarray | float:
        """Return the score of a family from the log determinants of its parents and of all of it."""
        free, records = self.degrees + parents, self.records
        ratio = gammaln((records + free) / 2) - gammaln(free / 2) + (free + parents) / 2 * math.log(self.prior)
        return self.constant + ratio + (records + free - 1) / 2 * without - (records + free) / 2 * whole

    def _log_determinant(self, at: np.ndarray) -> float:
        return float(np.linalg.slogdet(self.products[np.ix_(at, at)])[1])

    def marginal(self, variable: int) -> float:
        """Return 0, for the score of a variable alone would tell its unit."""
        return 0.0

    def content(self, variable: int) -> bytes:
        """Return the values of a variable."""
        return self.values[:, variable].tobytes()

    def reordered(self, order: np.ndarray) -> BGe:
        """Return the score of the same variables in another order, int64 [n]."""
        return BGe(self.values[:, order], self.mean_size, self.degrees)


def bge(values: np.ndarray, discrete: np.ndarray, *, mean_size: AboveZero = 1.0, degrees: AboveZero = 3.0) -> BGe:
    """Return the BGe score of a data set.

    The prior is that of bnlearn by default, a_mu = 1 and a_w = n + 2. It has a scale, so that the unit of a column is
    not without effect.

    Args:
        values: float64 [N, n].
        discrete: bool [n], True where the column holds codes, which count as numbers.
        mean_size: equivalent sample size of the prior mean.
        degrees: a_w - n + 1, above 2, from the equivalent sample size a_w of the prior covariance.

    Raises:
        InputError: when there are no records or an option is out of range.
    """
    if len(values) == 0:
        raise InputError("values: the BGe score needs at least one record")
    if not (mean_size > 0 and degrees > 2):
        raise InputError(f"bge: mean_size ({mean_size}) must be above 0 and degrees ({degrees}) above 2")
    return BGe(np.asarray(values, float), mean_size, degrees)
