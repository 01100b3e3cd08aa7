"""PC on a Gaussian copula: correlations of the normal values behind the columns, whatever the marginals.

Continuous columns need ranks alone (Harris and Drton 2013); for ordered discrete ones there are other estimates.
"""

from itertools import combinations
from typing import NamedTuple

import numpy as np
from scipy.special import ndtr, ndtri, xlogy

from cutpoint.base.scaling import mean_ranks
from cutpoint.learners.constraint import Candidates, correlations, pc_correlations
from cutpoint.learners.learned import Learned
from cutpoint.options import Probability

LARGEST = 0.999  # of estimated correlations with a discrete column
_LEAST = 1e-12  # probability of a cell
_EIGENVALUE = 1e-3  # least, of a matrix that partial correlations are taken from
_ANGLES, _WEIGHTS = np.polynomial.legendre.leggauss(48)


class Ordered(NamedTuple):
    """A discrete column as a normal variable of which only the level is seen."""

    codes: np.ndarray  # int64 [N], the levels that occur from 0
    cuts: np.ndarray  # float64 [r - 1], where the normal variable changes its level
    densities: np.ndarray  # float64 [r - 1], of the normal variable there

    @classmethod
    def of(cls, column: np.ndarray) -> "Ordered":
        """Return a column, float64 [N]; its cuts are the normal quantiles of the shares below them."""
        codes = np.unique(column, return_inverse=True)[1]
        cuts = ndtri(np.cumsum(np.bincount(codes))[:-1] / len(codes))
        return cls(codes, cuts, np.exp(-(cuts**2) / 2) / np.sqrt(2 * np.pi))

    def information(self) -> float:
        """Return the share of what a normal value tells of a correlation near 0 that its level tells."""
        steps = np.diff(self.densities, prepend=0.0, append=0.0)
        return float((steps**2 / (np.bincount(self.codes) / len(self.codes))).sum())


def rank_correlations(values: np.ndarray) -> np.ndarray:
    """Return 2 sin(pi rho / 6) of Spearman's rho of all pairs of columns, float64 [n, n]; ties have mean ranks.

    For a Gaussian copula it estimates the correlation of the normal variables behind the columns (Harris and Drton
    2013), and no increasing transformation of a column changes it. It need not be positive semidefinite.
    """
    ranks = np.array([*map(mean_ranks, values.T)]).T.reshape(values.shape)
    matrix = 2 * np.sin(np.pi / 6 * correlations(ranks))
    np.fill_diagonal(matrix, 1.0)
    return matrix


def copula_correlations(values: np.ndarray, discrete: np.ndarray) -> np.ndarray:
    """Return estimated correlations of the normal variables of a Gaussian copula, float64 [n, n].

    Of two continuous columns as in `rank_correlations`. Of two discrete ones, whose codes count by their order, the
    polychoric correlation: that of a bivariate normal distribution with the observed margins under which the table is
    most likely (Olsson 1979). Of a continuous and a discrete one r s / sum_k phi(t_k), r the correlation of the codes
    with the normal scores of the ranks, s the standard deviation of the codes and phi(t_k) the normal densities at the
    cuts (Olsson, Drasgow and Dorans 1982; with ranks Goebler et al. 2024). The matrix need not be positive
    semidefinite; a constant column correlates with none.
    """
    matrix = rank_correlations(values)
    ordered = {i: Ordered.of(values[:, i]) for i in np.flatnonzero(discrete).tolist()}
    for i, j in combinations(range(values.shape[1]), 2):
        if i in ordered and j in ordered:
            matrix[i, j] = matrix[j, i] = polychoric(ordered[i], ordered[j])
        elif i in ordered or j in ordered:
            column, other = (i, j) if i in ordered else (j, i)
            matrix[i, j] = matrix[j, i] = polyserial(ordered[column], values[:, other])
    return matrix


def positive(matrix: np.ndarray) -> np.ndarray:
    """Return a positive definite correlation matrix near a symmetric one, float64 [n, n]; one that is so stays.

    Eigenvalues below 0.001 are raised to it and the diagonal scaled to 1 (Rebonato and Jaeckel 1999).
    """
    values, vectors = np.linalg.eigh(matrix)
    if not values.size or values[0] >= _EIGENVALUE:
        return matrix
    raised = (vectors * np.maximum(values, _EIGENVALUE)) @ vectors.T
    scale = np.sqrt(np.diag(raised))
    near = raised / scale / scale[:, None]
    np.fill_diagonal(near, 1.0)
    return (near + near.T) / 2


def polyserial(column: Ordered, x: np.ndarray) -> float:
    """Return the correlation of a discrete column with a continuous one, float64 [N]; see `copula_correlations`."""
    scores = ndtri(mean_ranks(x) / (len(x) + 1))
    spread = scores.std()
    if not (column.cuts.size and spread > 0):
        return 0.0
    shared = ((scores - scores.mean()) * column.codes).mean() / spread
    return float(np.clip(shared / column.densities.sum(), -LARGEST, LARGEST))


def polychoric(one: Ordered, other: Ordered) -> float:
    """Return the correlation of two discrete columns; see `copula_correlations`."""
    from scipy.optimize import minimize_scalar  # takes longer to import than all of this package

    if not (one.cuts.size and other.cuts.size):
        return 0.0
    counts = np.zeros((len(one.cuts) + 1, len(other.cuts) + 1))
    np.add.at(counts, (one.codes, other.codes), 1)

    def deviance(rho: float) -> float:
        cells = np.diff(np.diff(_below(one.cuts, other.cuts, rho), axis=0), axis=1)
        return -float(xlogy(counts, np.maximum(cells, _LEAST)).sum())

    return float(minimize_scalar(deviance, bounds=(-LARGEST, LARGEST), method="bounded", options={"xatol": 1e-6}).x)


def _below(first: np.ndarray, second: np.ndarray, rho: float) -> np.ndarray:
    """Return the bivariate normal distribution at all pairs of cuts, and at the ends: float64 [r + 1, s + 1].

    Phi(h, k; rho) = Phi(h) Phi(k) + 1 / (2 pi) int_0^arcsin(rho) exp(-(h^2 + k^2 - 2 h k sin a) / (2 cos^2 a)) da.
    """
    h, k = first[:, None, None], second[None, :, None]
    half = np.arcsin(rho) / 2
    angles = half * (_ANGLES + 1)
    inside = np.exp(-(h * h + k * k - 2 * h * k * np.sin(angles)) / (2 * np.cos(angles) ** 2))
    grid = np.zeros((len(first) + 2, len(second) + 2))
    grid[1:-1, 1:-1] = ndtr(first)[:, None] * ndtr(second) + half / (2 * np.pi) * (inside @ _WEIGHTS)
    grid[-1, 1:-1], grid[1:-1, -1], grid[-1, -1] = ndtr(second), ndtr(first), 1.0
    return grid


def effective_records(values: np.ndarray, discrete: np.ndarray) -> int:
    """Return how many records of continuous columns tell as much of the correlations as these do.

    Two columns have N e_i e_j, e_i = 1 of a continuous one and of a discrete one the sum over its levels of
    (phi(t_k) - phi(t_(k+1)))^2 / p_k, by which the variance of an estimated correlation near 0 is divided; this is the
    mean over pairs of columns that vary.
    """
    shares = [Ordered.of(x).information() if coded else 1.0 for x, coded in zip(values.T, discrete, strict=True)]
    pairs = [a * b for a, b in combinations([share for share in shares if share > 0], 2)]
    return round(len(values) * float(np.mean(pairs))) if pairs else len(values)


def pc_rank(
    values: np.ndarray,
    discrete: np.ndarray,
    *,
    alpha: Probability = 0.05,
    candidates: Candidates = "union",
    stable: bool = False,
) -> Learned:
    """Learn a pattern by the PC algorithm with Fisher's Z test of rank correlations (Harris and Drton 2013).

    It is `pc_fisherz` for data that a monotone transformation of each column makes Gaussian. Codes of discrete columns
    count by their order. Options are as in `cutpoint.learners.constraint.pc_fisherz`.
    """
    return pc_correlations(rank_correlations(values), len(values), alpha=alpha, candidates=candidates, stable=stable)


def pc_copula(
    values: np.ndarray,
    discrete: np.ndarray,
    *,
    alpha: Probability = 0.05,
    candidates: Candidates = "union",
    stable: bool = False,
) -> Learned:
    """Learn a pattern by the PC algorithm with Fisher's Z test of the correlations of a Gaussian copula.

    It is `pc_rank` where all columns are continuous and the correlations positive definite. Cui, Groot and Heskes
    (2016) draw the correlations of mixed data, and from their spread the records that they are worth, by Gibbs
    sampling; here both have closed forms or are maxima, so that nothing is drawn. Codes of discrete columns count by
    their order. Options are as in `cutpoint.learners.constraint.pc_fisherz`.
    """
    matrix, records = positive(copula_correlations(values, discrete)), effective_records(values, discrete)
    return pc_correlations(matrix, records, alpha=alpha, candidates=candidates, stable=stable)
