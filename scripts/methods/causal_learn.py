"""Searches of causal-learn (Zheng et al. 2024), the Tetrad group's own Python port: PC, GES and DirectLiNGAM.

PC has its default rules: an unshielded collider is kept against later ones. It is not the Tetrad of 2005, whose
changes to PC are unpublished.
"""

import time

import numpy as np

from cutpoint import InputError, Learned

# Endpoint codes of causal-learn: graph[i, j] is the mark at i of the edge between i and j.
_TAIL = -1


def load():
    """Import causal-learn, once before the first run; return its PC and the name of a Fisher's Z test that counts."""
    try:
        from causallearn.search.ConstraintBased.PC import pc
        from causallearn.utils.cit import FisherZ, register_ci_test
    except ImportError as error:
        raise InputError("the package causal-learn is missing; install it or drop the row") from error

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


def learn(table, about, *, search="pc", test=None, score=None, alpha=0.05, max_parents=None):
    """Return the pattern that causal-learn finds; constant columns have no edges.

    Args:
        table: float64 [N, n], where codes of discrete columns count as numbers, or codes alone, int [N, n].
        about: not used.
        search: pc, ges, or lingam (Shimizu et al. 2011), which assumes linear equations with non-Gaussian errors.
        test: of PC: fisherz, gsq or chisq; None is Fisher's Z on values, where it is counted.
        score: of GES: local_score_BIC on values, local_score_BDeu on codes.
        alpha: two-sided level of the tests.
        max_parents: of GES.

    Returns:
        The pattern, of LiNGAM a graph; with Fisher's Z `score_calls` counts the tests that PC asked for and
        `evaluations` those not in its cache. `learn_seconds` are CPU seconds without the import.

    Raises:
        InputError: causal-learn is not installed.
        ValueError: from causal-learn, for columns that determine one another.
    """
    pc, counted = load()
    pattern = np.zeros((table.shape[1],) * 2, bool)
    varying = np.flatnonzero((table != table[:1]).any(axis=0))
    is_counted = search == "pc" and test in (None, "fisherz")
    learned = Learned(cpdag=pattern, kind="pdag", **({"score_calls": 0, "evaluations": 0} if is_counted else {}))
    if varying.size < 2:
        return learned
    table = np.ascontiguousarray(table[:, varying], float if is_counted else None)
    start = time.process_time()
    if search == "lingam":
        arcs = np.zeros_like(pattern)
        arcs[np.ix_(varying, varying)] = direct_lingam(table.astype(float))
        return Learned(dag=arcs, learn_seconds=time.process_time() - start)
    if search == "ges":
        marks = ges(table, score or "local_score_BIC", max_parents)
    else:
        result = pc(table, alpha, counted if is_counted else test, show_progress=False)
        marks = result.G.graph
        if is_counted:
            learned.score_calls, learned.evaluations = result.test.calls, result.test.evaluations
    pattern[np.ix_(varying, varying)] = pattern_of(marks)
    learned.learn_seconds = time.process_time() - start
    return learned


def direct_lingam(table):
    """Return the arcs that DirectLiNGAM finds, bool [n, n]; its regressions leave weak ones out."""
    from causallearn.search.FCMBased.lingam import DirectLiNGAM

    model = DirectLiNGAM()
    model.fit(table)
    return model.adjacency_matrix_.T != 0


def ges(table, score, max_parents):
    """Return the endpoint marks that GES finds."""
    from causallearn.search.ScoreBased.GES import ges

    return ges(table.astype(float), score, maxP=max_parents)["G"].graph


def pattern_of(marks):
    """Return bool [n, n] adjacency of causal-learn's endpoint marks, int [n, n].

    marks[i, j] = -1 and marks[j, i] = 1 is i -> j; two tails are undirected; two arrowheads, which mean
    conflicting colliders, are undirected here too.
    """
    adjacent = marks != 0
    return adjacent & ((marks == _TAIL) | (marks == marks.T))
