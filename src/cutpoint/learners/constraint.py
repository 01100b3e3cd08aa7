"""Constraint-based learners: the PC algorithm with Fisher's Z test or, on discrete data, with G2.

PC removes edges of the complete graph by tests of conditional independence, orients colliders, and
closes the pattern under Meek's rules (Spirtes, Glymour and Scheines 2001; Fu 2005, III.3.2).
"""

import math
from typing import Literal

import numpy as np
from scipy.special import chdtri, ndtri

from cutpoint.base.scaling import exponents
from cutpoint.graphs.patterns import meek
from cutpoint.kernels import pc as kernel
from cutpoint.knowledge.arcs import Arcs
from cutpoint.learners.complexity import m_ln_m
from cutpoint.learners.learned import Learned
from cutpoint.learners.sizes import check_memory, check_tables, counted
from cutpoint.options import NotNegative, Probability

Candidates = Literal["union", "either"]

_BLOCK = 1 << 23  # numbers that correlations look at together


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
    freedom = np.arange(records - 3, records - 3 - n, -1, dtype=float)
    quantile = -ndtri(alpha / 2)
    critical = np.full(n, np.inf)
    critical[freedom > 0] = np.tanh(quantile / np.sqrt(freedom[freedom > 0]))
    return critical


def occurring(codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return codes 0..r-1 of the r levels that occur, as those of `counted`, and r, int64 [n]."""
    dense, levels = np.empty_like(codes), np.empty(codes.shape[1], np.int64)
    for i, column in enumerate(codes.T):
        occurs = np.bincount(column) > 0
        dense[:, i] = (np.cumsum(occurs) - 1)[column]
        levels[i] = occurs.sum()
    return dense, levels


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
    start, kept = ~np.eye(n, dtype=bool), np.zeros((n, n), bool)
    if arcs is not None:
        start, kept = arcs.allowed | arcs.allowed.T, arcs.required | arcs.required.T
    pattern, where, sets, tests = kernel.skeleton(start, kept, fisherz, g2, union, stable)
    if arcs is not None:
        # no set separates what was never tested, and so no collider follows from it: as if by all variables
        where[~start] = len(sets), len(sets) + n
        pattern, sets = arcs.directed(pattern), np.concatenate([sets, np.arange(n)])
    return Learned(
        cpdag=meek(kernel.colliders(pattern, where, sets)), kind="pdag", score_calls=tests, evaluations=tests
    )


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
    return pc_correlations(
        correlations(values), len(values), alpha=alpha, candidates=candidates, stable=stable, arcs=arcs
    )


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
