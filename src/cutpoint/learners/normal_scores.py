"""Scores of columns as Gaussian (BIC and BGe), as a Gaussian copula, and of polynomial regression.

A discrete column of r levels stands for r - 1 indicators, but for `gaussian_bic` and `bge`, to which codes are numbers.
In the last two a continuous column counts by the normal quantiles of its ranks, its *normal scores*, so that no
increasing transformation of a column changes a graph.
"""

import math
from collections.abc import Callable
from typing import Self

import numpy as np
from scipy.special import gammaln, ndtri

from cutpoint.base.errors import InputError
from cutpoint.base.scaling import mean_ranks
from cutpoint.kernels import kgv as kernel
from cutpoint.learners.kgv import FLOOR, KGV, LEAST_GAIN, rounding_of
from cutpoint.learners.scores import Indices, ValueScore
from cutpoint.options import AboveZero, AtLeast1

# A direction with less than this share of the largest variance of a variable's indicators is none: they sum to 1.
_RANK = 1e-10


class GaussianBIC(KGV):
    """LL - p ln(N) / 2 of families, p = |parents| + 2: slopes, intercept and variance; higher is better.

    What parents gain is the KGV score of one feature a variable, the standardised column itself:
    -N/2 ln(1 - R^2) less ln(N) / 2 a parent. Partial variances are kept at 1e-8 of a variable's variance or
    more, so that a duplicated column gives a large finite score. `alone` is the score of each variable without parents,
    float64 [n]; of a constant one that of its parameters alone.
    """

    def __init__(self, values: np.ndarray):
        records, columns = len(values), np.ascontiguousarray(values.T, float)
        rows = [centred(column[None]) for column in columns]
        super().__init__(values, *_sized(rows))
        self.alone = np.full(self.n, -math.log(records))
        for i in np.flatnonzero(self.dimensions):
            norm = float(rows[i][0] @ (columns[i] - columns[i][0]))  # a centred row, on which what is taken away is 0
            log_variance = 2 * math.log(abs(norm)) - math.log(records)
            self.alone[i] -= records / 2 * (math.log(2 * math.pi) + log_variance + 1)

    def family(self, child: int, parents: Indices) -> float:
        """Return the score of a child with its parents."""
        return self.alone[child] + super().family(child, parents)

    def reordered(self, order: np.ndarray) -> Self:
        """Return the score of the same variables in another order, int64 [n]."""
        other = super().reordered(order)
        other.alone = self.alone[order]
        return other


def gaussian_bic(values: np.ndarray, discrete: np.ndarray) -> GaussianBIC:
    """Return the BIC score of linear Gaussian networks of a data set.

    Codes of discrete columns count as numbers; a constant column gains nothing, as a child or as a parent.
    """
    return GaussianBIC(values)


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
        self.rounding = rounding_of(self.correlation, self.records)
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
        inside, left = kernel.toggled_determinants(self.correlation, child, at, FLOOR)
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


def degenerate_gaussian(values: np.ndarray, discrete: np.ndarray) -> KGV:
    """Return the degenerate Gaussian score of a data set; the empty graph has 0 and higher is better.

    A discrete column of r levels stands for r - 1 indicators, a continuous one for itself, and all of them together
    count as Gaussian: a family has N/2 ln(|R_i| |R_Pa| / |R_(i,Pa)|) - d_i d_Pa ln(N) / 2, d the numbers of columns,
    which is the difference of the BIC of two Gaussian networks (Andrews, Ramsey and Cooper 2019). With continuous
    columns alone it is `gaussian_bic` up to a constant.
    """
    columns = zip(np.ascontiguousarray(values.T, float), discrete, strict=True)
    return KGV(values, *_sized([indicators(x) if coded else centred(x[None]) for x, coded in columns]))


def indicators(codes: np.ndarray) -> np.ndarray:
    """Return orthonormal rows that span the centred indicators of the levels of a column, float64 [d, N]."""
    return centred((codes == np.unique(codes)[:, None]).astype(float))


def centred(rows: np.ndarray) -> np.ndarray:
    """Return orthonormal rows that span the centred rows, float64 [d, N]."""
    size = np.ptp(rows, axis=1, keepdims=True)
    centred = (rows - rows.mean(axis=1, keepdims=True)) / np.where(size > 0, size, 1.0)
    centred[size[:, 0] == 0] = 0.0
    centred -= centred.mean(axis=1, keepdims=True)
    eigenvalues, vectors = np.linalg.eigh(centred @ centred.T)
    kept = eigenvalues > _RANK * max(eigenvalues.max(initial=0.0), math.ulp(0.0))
    return (vectors[:, kept] / np.sqrt(eigenvalues[kept])).T @ centred


def normal_scores(column: np.ndarray) -> np.ndarray:
    """Return the normal quantiles of (rank - 1/2) / N of a column, both float64 [N]; ties have mean ranks."""
    return ndtri((mean_ranks(column) - 0.5) / len(column))


def copula(values: np.ndarray, discrete: np.ndarray) -> KGV:
    """Return the BIC of Gaussian networks of the normal scores; the empty graph has 0 and higher is better.

    It is the degenerate Gaussian score (Andrews, Ramsey and Cooper 2019) of a Gaussian copula.
    """
    return KGV(values, *_sized([powers(x, coded, 1) for x, coded in zip(values.T, discrete, strict=True)]))


class Polynomial(ValueScore):
    """The BIC of regression on polynomials of the parents; the empty graph has 0 and higher is better.

    N/2 times the logarithm of what parents leave of the variance of a child's normal scores, or of the determinant of
    that of its indicators, less ln(N) / 2 for each slope. Parents add up. Equivalent graphs differ in their scores.

    both: the features of all variables as parents, then those of all as children.
    """

    def __init__(self, both: KGV):
        self.both, self.n, self.values = both, both.n // 2, both.values
        as_parents = both.starts[self.n]
        # those of a child are among those that it has as a parent, which a family never joins
        self.rounding = rounding_of(both.correlation[:as_parents, :as_parents], both.records)
        self.epsilon = both.epsilon = max(LEAST_GAIN, self.rounding)

    def family(self, child: int, parents: Indices) -> float:
        """Return the score of a child with its parents."""
        return self.both.family(self.n + child, parents)

    def gains(self, child: int, parents: Indices) -> np.ndarray:
        """Return the gain of toggling each variable in the parents, float64 [n], -inf for the child."""
        gains = self.both.gains(self.n + child, parents, self.n)
        gains[child] = -np.inf
        return gains

    def reordered(self, order: np.ndarray) -> Self:
        """Return the score of the same variables in another order, int64 [n]."""
        return type(self)(self.both.reordered(np.concatenate([order, order + self.n])))

    def corrected(self) -> Self:
        """Return the score with the penalty of few records, see `cutpoint.learners.kgv.KGV.corrected`."""
        return type(self)(self.both.corrected())


def polynomial(values: np.ndarray, discrete: np.ndarray, *, degree: AtLeast1 = 3) -> Polynomial:
    """Return the BIC of regression of normal scores on polynomials of those of the parents.

    degree: of the polynomials; a discrete parent has an effect for each level.
    """
    rows = [powers(x, coded, most) for most in (degree, 1) for x, coded in zip(values.T, discrete, strict=True)]
    return Polynomial(KGV(np.hstack([values, values]), *_sized(rows)))


def powers(column: np.ndarray, coded: bool, degree: int) -> np.ndarray:
    """Return orthonormal rows of a column, float64 [d, N]: powers of normal scores, or indicators of levels."""
    if coded:
        return indicators(column)
    return centred(np.polynomial.hermite_e.hermevander(normal_scores(column), degree).T[1:])


def centred_powers(column: np.ndarray, coded: bool, degree: int) -> np.ndarray:
    """Return `powers` with a mean square of 1."""
    return powers(column, coded, degree) * np.sqrt(len(column))


def _sized(rows: list[np.ndarray]) -> tuple[list[int], Callable[[slice], np.ndarray]]:
    """Return how many features each column has, and those of some records; rows: those of each column, [d, N]."""
    several = rows or [np.empty((0, 0))]
    return [*map(len, rows)], lambda records: np.concatenate([each[:, records] for each in several])
