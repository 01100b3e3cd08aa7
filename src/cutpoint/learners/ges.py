"""Greedy equivalence search: the best operator on the equivalence class until none gains.

Chickering (2002), "Optimal structure identification with greedy search". Operators are made in the order of XGES
(Nazaret and Blei 2024, "Extremely greedy equivalence search"): a deletion that gains comes before any insertion, and in
the end each deletion that loses is tried with the search that follows it.
"""

import math
from collections.abc import Iterator
from functools import cache, partial
from heapq import merge
from itertools import chain, count, islice
from operator import itemgetter
from typing import NamedTuple, Self

import numpy as np

from cutpoint.graphs.patterns import ones, rows_as_bits
from cutpoint.kernels import classes as kernel
from cutpoint.knowledge.arcs import Arcs, any_arcs
from cutpoint.learners.greedy import Search, check_start
from cutpoint.learners.scores import LocalScore, ordered, stable_order, tie
from cutpoint.options import AtLeast0, Order


class Operator(NamedTuple):
    """An insertion or deletion of the edge between x and y.

    `clique` are the undirected neighbours of y that are among its parents when the gain is taken, without x: of an
    insertion those in NA_YX and T, of a deletion those in NA_YX that are not in H (Chickering 2002, theorems 15, 17).
    Sets of variables are integers whose bit i is variable i.
    """

    loss: float  # minus the gain
    y: int
    place: int  # among the operators at y
    x: int
    clique: int
    inserts: bool


def _family(score: LocalScore, y: int, parents: int) -> float:
    return score.family(y, tuple(ones(parents)))


def _gains(score: LocalScore, y: int, parents: int) -> tuple[list[float], int]:
    """Return the gains of toggling each variable in the parents of y, and the set of those that are positive."""
    gains = score.gains(y, np.array([*ones(parents)], np.int64))
    return gains.tolist(), rows_as_bits((gains > score.epsilon)[None])[0]


class EquivalenceClass:
    """A completed pattern, bool [n, n], with the operators that change it by one edge.

    The gains of all operators at y with one clique are those of toggling each variable in one family of y; they are
    kept by y while no edge changes at y or at a neighbour of it. forbidden: pairs that are not inserted.
    """

    def __init__(self, score: LocalScore, dag: np.ndarray, limit: int, arcs: Arcs | None):
        self.score, self.limit, self.arcs, n = score, limit, arcs, score.n
        self.gains, self.family = cache(partial(_gains, score)), cache(partial(_family, score))  # each computed once
        self.forbidden: set[tuple[int, int]] = set()
        self._operators: list[list[list[tuple]]] = [[[]] * n, [[]] * n]  # deletions and insertions, by y
        self._reached: dict[tuple[int, int], int] = {}  # by y and clique, what paths lead to
        self.to, self.into, self.near, self.scores = [0] * n, [0] * n, [0] * n, [0.0] * n
        self.dag, self.pattern = np.ones((n, n), bool), np.ones((n, n), bool)  # all of which changes
        self.steps = -1
        self.make(np.array(dag, order="C"), math.nan)  # above which is any score

    def copy(self) -> Self:
        """Return the same class, whose changes leave this one alone; what families score is shared."""
        other = object.__new__(type(self))
        vars(other).update({name: one.copy() if type(one) is list else one for name, one in vars(self).items()})
        other.forbidden, other._operators = set(self.forbidden), [one.copy() for one in self._operators]
        return other

    def operators(self, inserts: bool) -> Iterator[Operator]:
        """Yield the valid insertions or deletions by falling gain; of equal gains the first comes first."""
        equal: list[tuple] = []
        apart = tie(self.score)
        for one in chain(merge(*filter(None, self._operators[inserts])), [(math.nan,)]):  # which is equal to none
            if equal and not one[0] <= equal[-1][0] + apart:
                for loss, y, place, x, clique, _ in sorted(equal, key=itemgetter(1, 2)):
                    if not (inserts and self._is_blocked(x, y, clique)):
                        yield Operator(loss, y, place, x, clique, inserts)
                equal.clear()
            equal.append(one)

    def applied(self, operator: Operator) -> np.ndarray | None:
        """Return a graph of the class that a valid operator leads to, None without one that the knowledge allows."""
        _, y, _, x, clique, inserts = operator
        graph = self.pattern.copy()
        if inserts:
            graph[x, y] = True
            graph[y, [*ones(clique)]] = False
        else:
            graph[x, y] = graph[y, x] = False
            for h in ones(self.to[y] & self.into[y] & self.near[x] & ~clique):
                graph[h, y] = False
                if self.pattern[x, h]:
                    graph[h, x] = False
        dag, right, _ = kernel.extension(graph)
        if right and self.arcs is not None:
            dag, right, _ = kernel.extension(self.arcs.oriented(kernel.cpdag(dag)))
            right &= not ((dag & ~self.arcs.allowed).any() or (self.arcs.required & ~dag).any())
        return dag if right and int(dag.sum(axis=0).max(initial=0)) <= self.limit else None

    def climb(self, known: Self | None = None) -> None:
        """Make the best deletion that gains, else the best insertion that gains, until there is none, as in `known`."""
        while any(map(self._make_best, (False, True))):
            if known and self.total == known.total and np.array_equal(self.pattern, known.pattern):
                break

    def _make_best(self, inserts: bool) -> bool:
        for operator in self.operators(inserts):
            if -operator.loss <= self.score.epsilon:
                return False
            if (dag := self.applied(operator)) is not None and self.make(dag, self.total + self.score.epsilon):
                return True
        return False

    def make(self, dag: np.ndarray, above: float) -> bool:
        """Go on with the class of a graph if its score is above a number, and return whether it is.

        Where a score differs within a class, the gain of an operator is not that of the graph that is scored.
        """
        scores, rows = self.scores.copy(), np.flatnonzero((dag != self.dag).any(axis=0))
        for y, parents in zip(rows.tolist(), rows_as_bits(dag.T[rows]), strict=True):
            scores[y] = self.family(y, parents)
        if (total := math.fsum(scores)) <= above:
            return False
        self.steps, self.total, self.scores = self.steps + 1, total, scores
        before, self.dag, self.pattern = self.pattern, dag, kernel.cpdag(dag)
        changed, renewed = before != self.pattern, 0
        from_here = sum(1 << v for v in np.flatnonzero(changed.any(axis=1)).tolist())
        self._reached = {way: reached for way, reached in self._reached.items() if not reached & from_here}
        rows = np.flatnonzero(changed.any(axis=0) | changed.any(axis=1))
        bits = rows_as_bits(self.pattern[rows]), rows_as_bits(self.pattern.T[rows])
        for v, to, into in zip(rows.tolist(), *bits, strict=True):
            renewed |= 1 << v | (to | into if to | into != self.near[v] else 0)
            self.to[v], self.into[v], self.near[v] = to, into, to | into
        for y in ones(renewed):
            operators = sorted(self._at(y))
            for inserts in (False, True):
                self._operators[inserts][y] = [one for one in operators if one[-1] == inserts]
        return True

    def _at(self, y: int) -> Iterator[tuple]:
        """Yield the deletions at y and the insertions that gain which a clique allows, paths or not."""
        undirected = self.to[y] & self.into[y]
        parents, place = self.into[y] & ~undirected, count()
        for clique in self._cliques([*ones(undirected)]):
            size = (parents | clique).bit_count()
            if size > self.limit:
                continue
            gains, free = self.gains(y, parents | clique)
            free &= ~(self.near[y] | 1 << y)
            for v in ones(undirected & ~clique):
                free &= ~self.near[v]
            for x in ones(free) if size < self.limit else ():
                yield -gains[x], y, next(place), x, clique, True
            for x in ones(parents):
                if clique & ~self.near[x] == 0:
                    yield -gains[x], y, next(place), x, clique, False
            for x in ones(clique):
                yield -gains[x], y, next(place), x, clique & ~(1 << x), False

    def _cliques(self, variables: list[int]) -> Iterator[int]:
        """Yield the cliques among some variables, the empty one first, the smaller ones before the larger ones."""
        level = [0]
        while level:
            yield from level
            level = [c | 1 << v for c in level for v in variables if c < 1 << v and c & ~self.near[v] == 0]

    def _is_blocked(self, x: int, y: int, clique: int) -> bool:
        """Tell whether an insertion is forbidden, or a path from y to x without arcs against it avoids the clique."""
        if (y, clique) not in self._reached:
            front = reached = 1 << y
            while front:
                after = 0
                for v in ones(front):
                    after |= self.to[v]
                front = after & ~(reached | clique)
                reached |= front
            self._reached[y, clique] = reached
        return bool(self._reached[y, clique] >> x & 1) or (min(x, y), max(x, y)) in self.forbidden


def ges(
    score: LocalScore,
    *,
    start: np.ndarray | None = None,
    max_parents: AtLeast0 | None = None,
    tries: AtLeast0 = 100,
    order: Order = "stable",
    arcs: Arcs | None = None,
) -> Search:
    """Change the equivalence class by the best insertion or deletion of an edge until none gains.

    Deletions that gain come before insertions. Then each deletion, the best first, is made although it loses, its edge
    is not inserted again, and the search goes on; the class with the higher score stays (Nazaret and Blei 2024).

    Args:
        score: of families, equal for equivalent graphs; where it is not, a gain holds for one graph of the class.
        start: bool [n, n], a graph of the first class; None is the empty one, or the required arcs.
        max_parents: None for no limit.
        tries: deletions that are tried in the end without a better class before the search ends.
        order: as of `cutpoint.learners.boss.boss`.
        arcs: what some graph of each class must and may have; the one that is returned does.
    """
    check_start(start, arcs)
    n = score.n
    columns = stable_order(score) if order == "stable" else np.arange(n)
    arranged = ordered(score).reordered(columns) if order == "stable" else score
    known = any_arcs(n, arcs).reordered(columns)
    first = known.required if start is None else np.asarray(start, bool)[np.ix_(columns, columns)]
    best = EquivalenceClass(arranged, first, known.limit(max_parents), arcs and known)
    best.climb()
    while (better := _escape(best, tries)) is not None:
        best = better
    back = np.argsort(columns)
    calls = (n - 1) * best.gains.cache_info().misses
    return Search(best.dag[np.ix_(back, back)], best.total, calls, calls, best.steps)


def _escape(best: EquivalenceClass, tries: int) -> EquivalenceClass | None:
    """Return the first class with a higher score that one of so many deletions leads to, None without one."""
    deletions = ((one, dag) for one in best.operators(False) if (dag := best.applied(one)) is not None)
    for operator, dag in islice(deletions, tries):
        trial = best.copy()
        trial.forbidden.add((min(operator.x, operator.y), max(operator.x, operator.y)))
        trial.make(dag, -np.inf)
        trial.climb()
        trial.forbidden.clear()
        trial.climb(best)
        if trial.total > best.total + best.score.epsilon:
            return trial
    return None
