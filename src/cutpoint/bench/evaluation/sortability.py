"""How far data give the order of the variables away: 1/2 says nothing, 1 and 0 give it away altogether.

A. Reisach, C. Seiler, S. Weichwald, "Beware of the simulated DAG!", NeurIPS 2021 (by variance); A. Reisach, M. Tami,
C. Seiler, A. Chambaz, S. Weichwald, "A scale-invariant sorting criterion to find a causal order in additive noise
models", NeurIPS 2023 (by R^2).
"""

from __future__ import annotations

import numpy as np

TIE = 1e-9  # scores closer than this, relative to the larger, are equal but for rounding
RIDGE = 1e-10  # what others determine altogether has an R^2 of 1, and no inverse without it


def var_sortability(values: np.ndarray, dag: np.ndarray) -> float:
    """Return how far variances of values [N, n] grow along true arcs [n, n], from 0 to 1; NaN without arcs."""
    return sortability(values.var(0), dag)


def r2_sortability(values: np.ndarray, dag: np.ndarray) -> float:
    """Return how far the share of a variable's variance that all others explain grows along arcs; NaN without any."""
    return sortability(explained(values), dag)


def explained(values: np.ndarray) -> np.ndarray:
    """Return R^2 of the linear regression of each variable on all others, float64 [n]; 0 of a constant."""
    scaled = values - values.mean(0)
    scaled /= np.where((spread := scaled.std(0)) > 0, spread, 1)
    correlations = scaled.T @ scaled / len(values)
    np.fill_diagonal(correlations, 1 + RIDGE)
    return 1 - 1 / np.diag(np.linalg.inv(correlations))


def sortability(scores: np.ndarray, dag: np.ndarray) -> float:
    """Return how often a score, float64 [n] of at least 0, is lower where a path starts than where it ends, ties half.

    For each length the pairs of variables count that a directed path of so many arcs joins.
    """
    larger = np.maximum(scores[:, None], scores)
    rises = np.where(np.abs(scores - scores[:, None]) <= TIE * larger, 0.5, scores > scores[:, None])
    ordered, pairs, reached = 0.0, 0, dag
    while reached.any():
        ordered, pairs = ordered + float(rises[reached].sum()), pairs + int(reached.sum())
        reached = reached @ dag
    return ordered / pairs if pairs else np.nan
