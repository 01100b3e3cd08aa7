"""Searches of causal-learn: PC and GES."""

import numpy as np

from cutpoint.learners.learned import Learned
from cutpoint.runs import external
from cutpoint.runs.external import load as load  # called once before the first run


def learn(table, about, *, search="pc", test=None, score=None, alpha=0.05, max_parents=None):
    """Return the pattern that causal-learn finds.

    Args:
        table: float64 [N, n], or codes, int [N, n].
        about: not used.
        search: pc or ges.
        test: of PC: fisherz, gsq or chisq; None is Fisher's Z on values, where it is counted.
        score: of GES: local_score_BIC on values, local_score_BDeu on codes.
        alpha: level of the tests.
        max_parents: of GES.
    """
    if search == "pc" and test in (None, "fisherz"):
        return external.causal_learn_pc(np.asarray(table, float), alpha=alpha)
    varying = np.flatnonzero((table != table[:1]).any(axis=0))
    table = np.ascontiguousarray(table[:, varying])
    pattern = np.zeros((about.size, about.size), bool)
    if varying.size > 1:
        marks = pc(table, alpha, test) if search == "pc" else ges(table, score or "local_score_BIC", max_parents)
        pattern[np.ix_(varying, varying)] = external.pattern_of(marks)
    return Learned(cpdag=pattern, kind="pdag")


def pc(table, alpha, test):
    """Return the endpoint marks that PC finds."""
    from causallearn.search.ConstraintBased.PC import pc

    return pc(table, alpha, test, show_progress=False).G.graph


def ges(table, score, max_parents):
    """Return the endpoint marks that GES finds."""
    from causallearn.search.ScoreBased.GES import ges

    return ges(table.astype(float), score, maxP=max_parents)["G"].graph
