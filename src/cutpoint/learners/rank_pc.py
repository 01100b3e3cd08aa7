"""PC on ranks: correlations of a Gaussian copula, whatever the marginals (Harris and Drton 2013)."""

import numpy as np

from cutpoint.base.ranks import mean_ranks
from cutpoint.learners.constraint import Candidates, correlations, pc_correlations
from cutpoint.learners.learned import Learned
from cutpoint.options import Probability


def rank_correlations(values: np.ndarray) -> np.ndarray:
    """Return 2 sin(pi rho / 6) of Spearman's rho of all pairs of columns, float64 [n, n]; ties have mean ranks.

    For a Gaussian copula it estimates the correlation of the normal variables behind the columns (Harris and Drton
    2013), and no increasing transformation of a column changes it. It need not be positive semidefinite.
    """
    ranks = np.array([*map(mean_ranks, values.T)]).T.reshape(values.shape)
    matrix = 2 * np.sin(np.pi / 6 * correlations(ranks))
    np.fill_diagonal(matrix, 1.0)
    return matrix


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
