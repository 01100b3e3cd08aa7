"""The BGe score: the marginal likelihood of a Gaussian network (Geiger and Heckerman 1994)."""

import math

import numpy as np
from scipy.special import gammaln

from cutpoint.base.errors import InputError
from cutpoint.kernels import kgv as kernel
from cutpoint.learners.kgv import rounding_of
from cutpoint.learners.scores import Indices, ValueScore
from cutpoint.options import AboveZero

_FLOOR = 1e-8  # what parents leave of a variable is kept at this share of its entry of R or more


class BGe(ValueScore):
    """The log marginal likelihood of families, higher is better (Kuipers, Moffa and Heckerman 2014).

    The prior is normal-Wishart: the sample mean with equivalent sample size a_mu, and T = t I with a_w, where
    t = a_mu (a_w - n - 1) / (a_mu + 1). With R = T + the sums of squares and products about the means, a family of l
    parents P has

        -N/2 ln pi + 1/2 ln(a_mu / (N + a_mu)) + lnG((N + b) / 2) - lnG(b / 2) + (b + l) / 2 ln t
        + (N + b - 1) / 2 ln |R_P| - (N + b) / 2 ln |R_(P, i)|,    b = a_w - n + l + 1.

    What parents leave of a diagonal entry of R is kept at 1e-8 of it or more: where the unit of copies is so small that
    the prior is lost beside the records, rounding would be all that is left. A gain must exceed `epsilon`, 1e-6 or the
    rounding of `cutpoint.learners.kgv.rounding_of` where that is more.
    """

    def __init__(self, values: np.ndarray, mean_size: float, degrees: float):
        self.values, self.mean_size, self.degrees = values, mean_size, degrees
        self.records, self.n = values.shape
        centred = values - values.mean(axis=0)
        self.prior = mean_size * (degrees - 2) / (mean_size + 1)
        products = centred.T @ centred + self.prior * np.eye(self.n)
        scales = np.sqrt(np.diag(products))
        self.logs = 2 * np.log(scales)
        self.correlation = products / scales / scales[:, None]
        self.rounding = rounding_of(self.correlation, self.records, _FLOOR)
        self.epsilon = max(1e-6, self.rounding)
        self.constant = 0.5 * (math.log(mean_size / (self.records + mean_size)) - self.records * math.log(math.pi))

    def family(self, child: int, parents: Indices) -> float:
        """Return the score of a child with its parents."""
        return float(self._families(child, parents)[child])

    def gains(self, child: int, parents: Indices) -> np.ndarray:
        """Return the gain of toggling each variable in the parents, float64 [n], -inf for the child."""
        families = self._families(child, parents)
        gains = families - families[child]
        gains[child] = -np.inf
        return gains

    def _families(self, child: int, parents: Indices) -> np.ndarray:
        """Return the score with each variable toggled in the parents, and of the parents as they are for the child."""
        at = np.array(sorted(parents), np.int64)
        sign = np.ones(self.n)
        sign[at], sign[child] = -1.0, 0.0
        size = len(at) + sign
        inside, left = kernel.toggled_determinants(self.correlation, child, at, _FLOOR)
        inside += self.logs[at].sum() + sign * self.logs
        left += self.logs[child]
        free, records = self.degrees + size, self.records
        ratio = gammaln((records + free) / 2) - gammaln(free / 2) + (free + size) / 2 * math.log(self.prior)
        return self.constant + ratio - inside / 2 - (records + free) / 2 * left

    def reordered(self, order: np.ndarray) -> "BGe":
        """Return the score of the same variables in another order, int64 [n]."""
        return BGe(self.values[:, order], self.mean_size, self.degrees)


def bge(values: np.ndarray, discrete: np.ndarray, *, mean_size: AboveZero = 1.0, degrees: AboveZero = 3.0) -> BGe:
    """Return the BGe score of a data set; codes of discrete columns count as numbers.

    The prior is that of bnlearn by default, a_mu = 1 and a_w = n + 2. It has a scale, so that the unit of a column is
    not without effect. mean_size: equivalent sample size of the prior mean; degrees: a_w - n + 1, above 2, from the
    equivalent sample size a_w of the prior covariance.
    """
    if degrees <= 2:
        raise InputError(f"bge: mean_size ({mean_size}) must be above 0 and degrees ({degrees}) above 2")
    return BGe(np.asarray(values, float), mean_size, degrees)
