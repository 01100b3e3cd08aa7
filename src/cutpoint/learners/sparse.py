"""A search for sparse graphs of many variables, in which each has few candidate parents.

What a search over orders costs grows with the square of the variables or faster, as any of them may be a parent of any
other. Here each has at most some dozens of candidates, which growing and shrinking among all variables finds. Who moves
in an order then changes only its own family and those that have it as a candidate.
"""

import math

import numpy as np

from cutpoint.graphs.patterns import cpdag
from cutpoint.kernels import kgv as kernel
from cutpoint.knowledge.arcs import Arcs, any_arcs
from cutpoint.learners.kgv import FLOOR, KGV
from cutpoint.learners.learned import Learned
from cutpoint.learners.normal_scores import copula
from cutpoint.learners.order import with_parents_first
from cutpoint.learners.scores import network_score, tie
from cutpoint.options import AtLeast0, AtLeast1, UpToOne


class _Candidates:
    """The candidate parents of each variable, and the gains of families of them.

    The arrays are those of `cutpoint.kernels.kgv.walk_among`.
    """

    def __init__(self, score: KGV, most: int, max_parents: int | None, arc_cost: float, arcs: Arcs | None):
        self.n = n = score.n
        arcs = any_arcs(n, arcs)
        allowed, self.required = arcs.allowed, arcs.required
        self.limits = arcs.limit(max_parents), FLOOR, score.price(arc_cost), max(score.epsilon, tie(score))
        data, free = (score.correlation, score.starts), (most, FLOOR, score.price(), self.limits[-1])
        found = np.zeros((n, n), bool)
        for i in range(n):
            found[:, i] = kernel.best_parents(*data, i, allowed[:, i], self.required[:, i], *free)[0]
        also = found.T & allowed & ~found  # who depends on a variable may be its parent too
        found |= also & (np.cumsum(also, axis=0) <= most - found.sum(axis=0))
        self.child, self.candidate = np.nonzero(found.T)
        begin, by = np.searchsorted(self.child, np.arange(n + 1)), np.argsort(self.candidate, kind="stable")
        self.graph = *data, begin, self.candidate, self.required[self.candidate, self.child]
        self.used = np.searchsorted(self.candidate[by], np.arange(n + 1)), self.child[by], by

    def walk(self, order: np.ndarray) -> tuple[np.ndarray, float, int]:
        """Return the graph of the order that best moves lead to, bool [n, n], its gain, and the moves."""
        order = with_parents_first(order, self.required)
        gains = kernel.graph_of_order(self.graph, order, self.limits)[1]
        moves = kernel.walk_among(self.graph, self.used, order, gains, np.ones(self.n, bool), self.limits)
        dag, (chosen, gains) = np.zeros((self.n, self.n), bool), kernel.graph_of_order(self.graph, order, self.limits)
        dag[self.candidate[chosen], self.child[chosen]] = True
        return dag, float(gains.sum()), moves


def sparse_gaussian(
    values: np.ndarray,
    discrete: np.ndarray,
    *,
    max_candidates: AtLeast1 = 30,
    max_parents: AtLeast0 | None = None,
    penalty: UpToOne = 1.0,
    restarts: AtLeast0 = 2,
    seed: AtLeast0 = 0,
    arcs: Arcs | None = None,
) -> Learned:
    """Learn a sparse graph of hundreds or thousands of variables by lines between their normal scores.

    1. Candidates: growing and shrinking among all variables; whoever has a variable as a candidate is a candidate of it
       too, where there is room.
    2. From the order of the columns and from random ones each variable moves to its best place until none gains. Of
       its candidates before it, growing and shrinking take its parents, as in `cutpoint.learners.boss`.

    The score is `cutpoint.learners.normal_scores.copula` with the penalty of few records, less penalty * ln(n) for each
    arc: among many variables some go with any other by chance (extended BIC, Chen and Chen 2008).

    Args:
        values, discrete: float64 [N, n] and bool [n], columns that hold codes.
        max_candidates: parents that a variable may have one of at all.
        max_parents: of a variable; None for no limit.
        penalty: 0 is the BIC, 1 the most that the extended BIC takes.
        restarts, seed: random orders that a walk begins with, beside that of the columns.
        arcs: which the graph must and may have.
    """
    score = copula(values, discrete).corrected()
    arc_cost = penalty * math.log(max(score.n, 1))
    candidates = _Candidates(score, max_candidates, max_parents, arc_cost, arcs)
    rng = np.random.default_rng(np.random.SeedSequence(seed))
    dag, highest, steps = candidates.walk(np.arange(score.n))
    for _ in range(restarts):
        other, gain, moves = candidates.walk(rng.permutation(score.n))
        steps += moves
        if gain > highest + candidates.limits[-1]:
            dag, highest = other, gain
    total = network_score(score, dag) - arc_cost * int(dag.sum())
    return Learned(cpdag=cpdag(dag), dag=dag, score=total, iterations=steps)
