"""Constraint-based learners: the PC algorithm with Fisher's Z test.

PC removes edges of the complete graph by tests of conditional independence, orients colliders, and
closes the pattern under Meek's rules (Spirtes, Glymour and Scheines 2001; Fu 2005, III.3.2).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from scipy.special import ndtr, ndtri

from cutpoint.errors import InputError
from cutpoint.graphs import meek
from cutpoint.kernels import pc as kernel
from cutpoint.learned import Learned

CANDIDATES = ("union", "either")


def correlations(values: np.ndarray) -> np.ndarray:
    """Return the correlation matrix of columns, float64 [n, n]; a constant column correlates with none."""
    centred = values - values.mean(axis=0)
    norms = np.sqrt(np.einsum("ij,ij->j", centred, centred))
    constant = (values == values[0]).all(axis=0) | ~(norms > 0)
    scaled = np.where(constant, 0.0, centred / np.where(constant, 1.0, norms))
    matrix = np.clip(scaled.T @ scaled, -1.0, 1.0)
    np.fill_diagonal(matrix, 1.0)
    return matrix


def fisher_z(correlation: np.ndarray, x: int, y: int, given: Sequence[int], records: int) -> float:
    """Return the p-value of independence of x and y given a set, two-sided (Fu 2005, III.3.2).

    Z = 1/2 sqrt(N - |S| - 3) ln((1 + rho) / (1 - rho)). Without degrees of freedom left it is 1, and a
    correlation of 1 or -1 has p-value 0.

    Args:
        correlation: float64 [n, n].
        x: one variable.
        y: the other.
        given: the set S; variables that others in it determine do not matter.
        records: N.
    """
    freedom = records - len(given) - 3
    if freedom <= 0:
        return 1.0
    rho = kernel.partial_correlation(correlation, x, y, np.array(given, np.int64))
    z = math.sqrt(freedom) * math.atanh(min(abs(rho), 1 - 1e-15))
    return float(2 * ndtr(-z))


def critical_correlations(n: int, records: int, alpha: float) -> np.ndarray:
    """Return the largest |rho| that passes for independent, by the size of the set, float64 [n]."""
    freedom = np.arange(records - 3, records - 3 - n, -1, dtype=float)
    quantile = -ndtri(alpha / 2)
    critical = np.full(n, np.inf)
    critical[freedom > 0] = np.tanh(quantile / np.sqrt(freedom[freedom > 0]))
    return critical


def pc_correlations(
    correlation: np.ndarray,
    records: int,
    *,
    alpha: float = 0.05,
    candidates: str = "union",
    stable: bool = False,
) -> Learned:
    """Learn a pattern from a correlation matrix, float64 [n, n], of N records; options as in `pc_fisherz`."""
    if candidates not in CANDIDATES:
        raise InputError(f"candidates: one of {', '.join(CANDIDATES)}, not {candidates!r}")
    if not 0 < alpha < 1:
        raise InputError(f"alpha: a significance level lies between 0 and 1, got {alpha}")
    correlation = np.ascontiguousarray(correlation, float)
    critical = critical_correlations(len(correlation), records, alpha)
    adjacent, where, sets, tests = kernel.skeleton_fisherz(correlation, critical, candidates == "union", stable)
    pattern = meek(kernel.colliders(adjacent, where, sets))
    return Learned(cpdag=pattern, kind="pdag", score_calls=tests, evaluations=tests)


def pc_fisherz(
    values: np.ndarray,
    frozen: np.ndarray,
    *,
    alpha: float = 0.05,
    candidates: str = "union",
    stable: bool = False,
) -> Learned:
    """Learn a pattern by the PC algorithm with Fisher's Z test (Spirtes et al. 2001; Fu 2005, III.3.2).

    Pairs and conditioning sets go in the order of the columns, and the first independence removes an
    edge. Of conflicting colliders the first is kept. Codes of discrete columns count as numbers.

    Args:
        values: float64 [N, n].
        frozen: bool [n]; not used, every column is a number to this test.
        alpha: two-sided significance level.
        candidates: "union" takes conditioning sets from adj(x) | adj(y), "either" from one of the two.
        stable: fix the neighbours while the order of the tests stays (Colombo and Maathuis 2014).

    Returns:
        The pattern in `cpdag`; `score_calls` counts tests.
    """
    if len(values) == 0:
        raise InputError("values: PC needs at least one record")
    return pc_correlations(correlations(values), len(values), alpha=alpha, candidates=candidates, stable=stable)
