"""Constraint-based learners: the PC algorithm with Fisher's Z test, also of a Gaussian copula, or with G2.

PC removes edges of the complete graph by tests of conditional independence, orients colliders, and
closes the pattern under Meek's rules (Spirtes, Glymour and Scheines 2001; Fu 2005, III.3.2). Of a copula,
whatever the marginals, continuous columns need ranks alone; for ordered discrete ones there are other estimates.
"""

import math
from itertools import combinations
from typing import Literal, NamedTuple

import numpy as np
from scipy.special import chdtri, ndtr, ndtri, xlogy

from cutpoint.base.scaling import exponents, mean_ranks
from cutpoint.graphs.dags import skeleton
from cutpoint.graphs.patterns import meek
from cutpoint.kernels import pc as kernel
from cutpoint.knowledge.arcs import Arcs, any_arcs
from cutpoint.learners.complexity import m_ln_m
from cutpoint.learners.learned import Learned
from cutpoint.learners.sizes import check_memory, check_tables, counted
from cutpoint.options import NotNegative, Probability

Candidates = Literal["union", "either"]

_BLOCK = 1 << 23  # numbers that correlations look at together
LARGEST = 0.999  # of estimated correlations with a discrete column
_LEAST = 1e-12  # probability of a cell
_EIGENVALUE = 1e-3  # least, of a matrix that partial correlations are taken from
_ANGLES, _WEIGHTS = np.polynomial.legendre.leggauss(48)


def correlations(values: np.ndarray) -> np.ndarray:
    """Return the correlation matrix of columns, float64 [n, n]; a constant column correlates with none.

    Records are taken in blocks, so that little is held beside the values; few make one block.
    """
    records, n = values.shape
    block = max(min(records, _BLOCK // n), 1)
    check_memory(f"values: correlations of {n} variables", 24 * n * (n + block), "take fewer variables")
    powers, starts = exponents(values), range(0, records, block)
    few = np.ldexp(values, -powers) if len(starts) == 1 else None

    def part(start: int) -> np.ndarray:
        return np.ldexp(values[start : start + block], -powers) if few is None else few

    mean = sum(part(k).sum(axis=0) for k in starts) / records
    squares = sum(np.einsum("ij,ij->j", centred, centred) for centred in (part(k) - mean for k in starts))
    constant = (values.min(axis=0) == values.max(axis=0)) | ~(squares > 0)
    norms = np.where(constant, np.inf, np.sqrt(squares))
    matrix = sum(scaled.T @ scaled for scaled in ((part(k) - mean) / norms for k in starts))
    matrix = np.clip(matrix, -1.0, 1.0)
    np.fill_diagonal(matrix, 1.0)
    return matrix


def critical_correlations(n: int, records: int, alpha: float) -> np.ndarray:
    """Return the largest |rho| that passes for independent, by the size of the set, float64 [n].

    A pair is independent given S where Z = 1/2 sqrt(N - |S| - 3) ln((1 + rho) / (1 - rho)) has a two-sided p-value of
    alpha or more (Fu 2005, III.3.2), and where no degrees of freedom are left.
    """
    freedom = records - 3.0 - np.arange(n)
    return np.where(freedom > 0, np.tanh(-ndtri(alpha / 2) / np.sqrt(np.maximum(freedom, 1))), np.inf)


def occurring(codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return codes 0..r-1 of the r levels that occur, as those of `counted`, and r, int64 [n]."""
    dense = np.empty_like(codes)
    for i, column in enumerate(codes.T):
        dense[:, i] = np.unique(column, return_inverse=True)[1]
    return dense, dense.max(axis=0, initial=0) + np.int64(1)


def critical_g2(records: int, levels: int, alpha: float, most_cells: float) -> np.ndarray:
    """Return the largest G2 that passes for independent, by the degrees of freedom, float64; inf for none.

    levels: the most of a variable, for G2 is 2 N ln(levels) at most, which ends the list; most_cells: no test has more
    degrees of freedom.
    """
    largest, most = 2 * records * np.log(levels), 1
    while most < most_cells and chdtri(most, alpha) < largest:
        most *= 2
    return np.concatenate(([np.inf], chdtri(np.arange(1, most + 1), alpha)))


def pc_correlations(
    correlation: np.ndarray,
    records: int,
    *,
    alpha: Probability = 0.05,
    candidates: Candidates = "union",
    stable: bool = False,
    arcs: Arcs | None = None,
) -> Learned:
    """Learn a pattern from a correlation matrix, float64 [n, n], of N records; options as in `pc_fisherz`."""
    correlation = np.ascontiguousarray(correlation, float)
    critical = critical_correlations(len(correlation), records, alpha)
    return _learn(len(correlation), (correlation, critical), None, candidates == "union", stable, arcs)


def _learn(n: int, fisherz: tuple | None, g2: tuple | None, union: bool, stable: bool, arcs: Arcs | None) -> Learned:
    """Return the pattern that one kind of test finds; see `kernels.pc.skeleton`."""
    arcs = any_arcs(n, arcs)
    start = skeleton(arcs.allowed)
    pattern, where, sets, tests = kernel.skeleton(start, skeleton(arcs.required), fisherz, g2, union, stable)
    # no set separates what was never tested, and so no collider follows from it: as if by all variables
    where[~start] = len(sets), len(sets) + n
    pattern = kernel.colliders(arcs.directed(pattern), where, np.concatenate([sets, np.arange(n)]))
    return Learned(cpdag=meek(pattern), kind="pdag", score_calls=tests, evaluations=tests)


def pc_fisherz(
    values: np.ndarray,
    discrete: np.ndarray,
    *,
    alpha: Probability = 0.05,
    candidates: Candidates = "union",
    stable: bool = False,
    arcs: Arcs | None = None,
) -> Learned:
    """Learn a pattern by the PC algorithm with Fisher's Z test (Spirtes et al. 2001; Fu 2005, III.3.2).

    Pairs and conditioning sets go in the order of the columns, and the first independence removes an
    edge. Of conflicting colliders the first is kept. Codes of discrete columns count as numbers.

    Args:
        values: float64 [N, n].
        discrete: bool [n]; not used, every column is a number to this test.
        alpha: two-sided significance level.
        candidates: "union" takes conditioning sets from adj(x) | adj(y), "either" from one of the two.
        stable: fix the neighbours while the order of the tests stays (Colombo and Maathuis 2014).
        arcs: pairs between which none is allowed are no neighbours and required ones are, untested; an edge with one
            allowed direction has it before colliders are sought.

    Returns:
        The pattern in `cpdag`; `score_calls` counts tests.
    """
    matrix = correlations(values)
    return pc_correlations(matrix, len(values), alpha=alpha, candidates=candidates, stable=stable, arcs=arcs)


def pc_g2(
    codes: np.ndarray,
    cardinalities: np.ndarray,
    *,
    alpha: Probability = 0.05,
    candidates: Candidates = "union",
    stable: bool = False,
    min_records_per_cell: NotNegative = 10.0,
    arcs: Arcs | None = None,
) -> Learned:
    """Learn a pattern of discrete data by the PC algorithm with the G2 test (Spirtes et al. 2001, 5.5).

    G2 = 2 N I(x; y | S) in nats. A configuration s of S brings (r_x(s) - 1) (r_y(s) - 1) degrees of freedom, r_x(s)
    being the levels of x that occur with s: empty margins count as structural zeros (causal-learn; "mi-adf" of
    bnlearn), where Spirtes et al. take one off for every empty cell. Without degrees of freedom the p-value is 1. Order
    and conflicts are those of `pc_fisherz`.

    Args:
        codes: integer [N, n], levels 0..r-1.
        cardinalities: int64 [n]; levels may be empty.
        alpha, candidates, stable, arcs: as in `pc_fisherz`.
        min_records_per_cell: a test that has fewer records than this for each of its r_x r_y prod r_s cells is not
            made and the pair taken as dependent (Spirtes et al.; Fienberg asks for 5). With 0 every test is made.

    Returns:
        The pattern in `cpdag`; `score_calls` counts tests.
    """
    dense, levels = occurring(counted(codes, cardinalities)[0])
    check_tables(dense, levels)
    records, n = dense.shape
    most = records / min_records_per_cell if min_records_per_cell else np.inf
    cells = records * math.prod(sorted(levels.tolist())[-2:])
    check_memory("min_records_per_cell: tables", 4 * int(min(most, cells)), "make it higher, or merge levels")
    quantiles = critical_g2(records, int(levels.max(initial=1)), alpha, most)
    test = (dense, levels, m_ln_m(records), quantiles, most)
    return _learn(n, None, test, candidates == "union", stable, arcs)


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
    count by their order. Options are as in `pc_fisherz`.
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
    their order. Options are as in `pc_fisherz`.
    """
    matrix, records = positive(copula_correlations(values, discrete)), effective_records(values, discrete)
    return pc_correlations(matrix, records, alpha=alpha, candidates=candidates, stable=stable)
