"""Scores of columns as Gaussian, as a Gaussian copula, and of polynomial regression.

A discrete column of r levels stands for r - 1 indicators. In all but the first a continuous column counts by the normal
quantiles of its ranks, its *normal scores*, so that no increasing transformation of a column changes a graph.
"""

import math
from typing import Self

import numpy as np
from scipy.special import ndtri

from cutpoint.base.scaling import mean_ranks
from cutpoint.learners.kgv import KGV, least_gain, rounding_of
from cutpoint.learners.scores import Indices, ValueScore
from cutpoint.options import AtLeast1

# A direction with less than this share of the largest variance of a variable's indicators is none: they sum to 1.
_RANK = 1e-10


def degenerate_gaussian(values: np.ndarray, discrete: np.ndarray) -> KGV:
    """Return the degenerate Gaussian score of a data set; the empty graph has 0 and higher is better.

    A discrete column of r levels stands for r - 1 indicators, a continuous one for itself, and all of them together
    count as Gaussian: a family has N/2 ln(|R_i| |R_Pa| / |R_(i,Pa)|) - d_i d_Pa ln(N) / 2, d the numbers of columns,
    which is the difference of the BIC of two Gaussian networks (Andrews, Ramsey and Cooper 2019). With continuous
    columns alone it is `gaussian_bic` up to a constant.
    """
    columns = zip(np.ascontiguousarray(values.T, float), discrete, strict=True)
    return _score_of(values, [indicators(x) if coded else centred(x[None]) for x, coded in columns])


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
    return _score_of(values, _features(values, discrete, 1))


class Polynomial(ValueScore):
    """The BIC of regression on polynomials of the parents; the empty graph has 0 and higher is better.

    N/2 times the logarithm of what parents leave of the variance of a child's normal scores, or of the determinant of
    that of its indicators, less ln(N) / 2 for each slope. Parents add up. Equivalent graphs differ in their scores.

    both: the features of all variables as parents, then those of all as children.
    """

    def __init__(self, both: KGV):
        self.both, self.n = both, both.n // 2
        as_parents = both.starts[self.n]
        # those of a child are among those that it has as a parent, which a family never joins
        self.rounding = rounding_of(both.correlation[:as_parents, :as_parents], both.records)
        self.epsilon = both.epsilon = least_gain(self.rounding)

    def family(self, child: int, parents: Indices) -> float:
        """Return the score of a child with its parents."""
        return self.both.family(self.n + child, parents)

    def gains(self, child: int, parents: Indices) -> np.ndarray:
        """Return the gain of toggling each variable in the parents, float64 [n], -inf for the child."""
        gains = self.both.gains(self.n + child, parents, self.n)
        gains[child] = -np.inf
        return gains

    def content(self, variable: int) -> bytes:
        """Return the values of a variable."""
        return self.both.content(variable)

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
    rows = [*_features(values, discrete, degree), *_features(values, discrete, 1)]
    return Polynomial(_score_of(np.hstack([values, values]), rows))


def _features(values: np.ndarray, discrete: np.ndarray, degree: int) -> list[np.ndarray]:
    """Return orthonormal rows of each column, float64 [d, N]: powers of normal scores, or indicators of levels."""
    columns = zip(values.T, discrete, strict=True)
    return [
        indicators(x) if coded else centred(np.polynomial.hermite_e.hermevander(normal_scores(x), degree).T[1:])
        for x, coded in columns
    ]


def centred_powers(column: np.ndarray, coded: bool, degree: int) -> np.ndarray:
    """Return uncorrelated rows of mean square 1, float64 [d, N]: powers of normal scores, or indicators of levels."""
    return _features(column[:, None], np.array([coded]), degree)[0] * np.sqrt(len(column))


def _score_of(values: np.ndarray, rows: list[np.ndarray]) -> KGV:
    def features(records: slice) -> np.ndarray:
        return np.concatenate([each[:, records] for each in rows] or [np.empty((0, 0))])

    return KGV(values, [len(each) for each in rows], features)
