"""Learners of other packages behind the interface of ours; each is imported when it is called."""

from __future__ import annotations

import time

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.learners.learned import Learned

# Endpoint codes of causal-learn: graph[i, j] is the mark at i of the edge between i and j.
_TAIL = -1


def causal_learn_pc(
    values: np.ndarray, frozen: np.ndarray | None = None, *, alpha: float = 0.05, stable: bool = True
) -> Learned:
    """Learn a pattern by causal-learn's PC with Fisher's Z test (Zheng et al. 2024).

    This is the Tetrad group's own Python port with its default rules (an unshielded collider is kept
    against later ones); it is not the Tetrad of 2005, whose changes to PC are unpublished.

    Args:
        values: float64 [N, n].
        frozen: not used; codes of discrete columns count as numbers.
        alpha: two-sided significance level.
        stable: causal-learn's default.

    Returns:
        The pattern in `cpdag`, bidirected edges as undirected ones and constant columns without
        edges; `score_calls` counts the tests that PC asked for, `evaluations` those not in its cache;
        `learn_seconds` are CPU seconds without the import.

    Raises:
        InputError: when causal-learn is not installed.
        ValueError: from causal-learn, for columns that determine one another.
    """
    pc, test = load()
    values = np.ascontiguousarray(values, float)
    varying = np.flatnonzero((values != values[0]).any(axis=0))
    start = time.process_time()
    pattern = np.zeros((values.shape[1],) * 2, bool)
    if varying.size < 2:
        return Learned(cpdag=pattern, kind="pdag", score_calls=0, evaluations=0)
    found = pc(values[:, varying], alpha, test, stable=stable, show_progress=False)
    pattern[np.ix_(varying, varying)] = pattern_of(found.G.graph)
    return Learned(
        cpdag=pattern,
        kind="pdag",
        score_calls=found.test.calls,
        evaluations=found.test.evaluations,
        learn_seconds=time.process_time() - start,
    )


def pattern_of(marks: np.ndarray) -> np.ndarray:
    """Return bool [n, n] adjacency of causal-learn's endpoint marks, int [n, n].

    marks[i, j] = -1 and marks[j, i] = 1 is i -> j; two tails are undirected; two arrowheads, which mean
    conflicting colliders, are undirected here too.
    """
    adjacent = marks != 0
    return adjacent & ((marks == _TAIL) | (marks == marks.T))


def load():
    """Import causal-learn; return its PC and the name of a Fisher's Z test that counts."""
    try:
        from causallearn.search.ConstraintBased.PC import pc
        from causallearn.utils.cit import FisherZ, register_ci_test
    except ImportError as error:
        raise InputError("tetrad_pc: needs the package causal-learn; install it or drop the row") from error

    class CountingFisherZ(FisherZ):
        """Fisher's Z test that knows how often it was asked."""

        def __init__(self, data, **options):
            super().__init__(data, **options)
            self.calls = 0
            self._besides = len(self.pvalue_cache)

        def __call__(self, x, y, given=None):
            self.calls += 1
            return super().__call__(x, y, given)

        @property
        def evaluations(self) -> int:
            """Return how many p-values were computed."""
            return len(self.pvalue_cache) - self._besides

    register_ci_test("fisherz_counted", CountingFisherZ)
    return pc, "fisherz_counted"
