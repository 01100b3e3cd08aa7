"""Greedy equivalence search: the best operator on the equivalence class until none gains.

Chickering (2002), "Optimal structure identification with greedy search". Operators are made in the order of XGES
(Nazaret and Blei 2024, "Extremely greedy equivalence search"): a deletion that gains comes before any insertion, and in
the end each deletion that loses is tried with the search that follows it.
"""

from collections.abc import Iterator
from typing import NamedTuple, Self

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.graphs.dags import is_dag
from cutpoint.graphs.patterns import consistent_extension, cpdag
from cutpoint.knowledge.arcs import Arcs
from cutpoint.learners.greedy import Search
from cutpoint.learners.scores import LocalScore, network_score, tie
from cutpoint.learners.stable import ordered, stable_order
from cutpoint.options import AtLeast0, Order


class Operator(NamedTuple):
    """An insertion or deletion of the edge between x and y.

    `clique` are the undirected neighbours of y that are among its parents when the gain is taken, without x: of an
    insertion those in NA_YX and T, of a deletion those in NA_YX that are not in H (Chickering 2002, theorems 15, 17).
    """

    gain: float
    inserts: bool
    x: int
    y: int
    clique: tuple[int, ...]


class EquivalenceClass:
    """A completed pattern, bool [n, n], with the operators that change it by one edge.

    The gains of all operators at y with one clique are those of toggling each variable in one family of y; they are
    kept by y while no edge changes at y or at a neighbour of it. forbidden: pairs that are not inserted.
    """

    def __init__(self, score: LocalScore, dag: np.ndarray, limit: int, arcs: Arcs | None, families: dict):
        self.score, self.limit, self.arcs, self.families = score, limit, arcs, families
        self.forbidden: set[tuple[int, int]] = set()
        self._operators: list[tuple[bytes, list[Operator]]] = [(b"", [])] * score.n
        self.steps, self.total = 0, network_score(score, dag)
        self.use(dag)

    def use(self, dag: np.ndarray) -> None:
        """Put the class of a graph in force, and list the operators at the variables where something has changed."""
        pattern = cpdag(dag)
        self.dag, self.pattern, self.adjacent = dag, pattern, pattern | pattern.T
        for y in range(self.score.n):
            near = np.flatnonzero(self.adjacent[y])
            seen = pattern[:, y].tobytes() + pattern[y].tobytes() + self.adjacent[near].tobytes()
            if seen != self._operators[y][0]:
                self._operators[y] = seen, [*self._at(y)]

    def copy(self) -> Self:
        """Return the same class, whose changes leave this one alone; families are shared."""
        other = object.__new__(type(self))
        vars(other).update(vars(self))
        other.forbidden, other._operators = set(self.forbidden), list(self._operators)
        return other

    def gains(self, y: int, parents: tuple[int, ...]) -> np.ndarray:
        """Return the gains of toggling each variable in the parents of y, float64 [n]."""
        if (y, parents) not in self.families:
            self.families[y, parents] = self.score.gains(y, np.array(parents, np.int64))
        return self.families[y, parents]

    def operators(self, inserts: bool) -> list[Operator]:
        """Return the insertions or deletions, valid or not, by falling gain; of equal gains the first comes first."""
        found = [one for _, some in self._operators for one in some if one.inserts == inserts]
        gains = np.array([one.gain for one in found])
        falling = np.argsort(-gains, kind="stable")
        rank = np.zeros(falling.size, np.int64)
        rank[1:] = np.cumsum(gains[falling][1:] < gains[falling][:-1] - tie(self.score))
        return [found[i] for i in falling[np.lexsort((falling, rank))]]

    def made(self, operator: Operator) -> np.ndarray | None:
        """Return a graph of the class that an operator leads to, None where it is not valid or none is allowed."""
        _, inserts, x, y, clique = operator
        if inserts and ((min(x, y), max(x, y)) in self.forbidden or self._reaches(y, x, clique)):
            return None
        graph = self.pattern.copy()
        if inserts:
            graph[x, y] = True
            graph[y, [*clique]] = False
        else:
            graph[x, y] = graph[y, x] = False
            common = np.flatnonzero(self.pattern[y] & self.pattern[:, y] & self.adjacent[x])
            for h in np.setdiff1d(common, clique).tolist():
                graph[h, y] = False
                if self.pattern[x, h]:
                    graph[h, x] = False
        dag, exact = consistent_extension(graph)
        return self.dag_of(dag) if exact else None

    def dag_of(self, dag: np.ndarray) -> np.ndarray | None:
        """Return a graph of a graph's class that honours the limit of parents and the knowledge, None without one."""
        right = True
        if self.arcs is not None:
            dag, right = consistent_extension(self.arcs.oriented(cpdag(dag)))
            right &= not ((dag & ~self.arcs.allowed).any() or (self.arcs.required & ~dag).any())
        return dag if right and int(dag.sum(axis=0).max(initial=0)) <= self.limit else None

    def climb(self) -> None:
        """Make the best deletion that gains, else the best insertion that gains, until there is none."""
        while any(map(self._make_best, (False, True))):
            pass

    def _make_best(self, inserts: bool) -> bool:
        for operator in self.operators(inserts):
            if operator.gain <= self.score.epsilon:
                return False
            if (dag := self.made(operator)) is not None and self.make(dag, self.total + self.score.epsilon):
                return True
        return False

    def make(self, dag: np.ndarray, above: float) -> bool:
        """Go on with the class of a graph if its score is above a number, and return whether it is.

        Where a score differs within a class, the gain of an operator is not that of the graph that is scored.
        """
        total = network_score(self.score, dag)
        if total <= above:
            return False
        self.steps, self.total = self.steps + 1, total
        self.use(dag)
        return True

    def _at(self, y: int) -> Iterator[Operator]:
        """Yield the operators at y that a clique allows, whether or not a path forbids them."""
        undirected = self.pattern[y] & self.pattern[:, y]
        parents = np.flatnonzero(self.pattern[:, y] & ~undirected)
        for clique in self._cliques(np.flatnonzero(undirected).tolist()):
            family = tuple(sorted((*parents.tolist(), *clique)))
            if len(family) > self.limit:
                continue
            gains = self.gains(y, family)
            outside = undirected.copy()
            outside[[*clique]] = False
            if len(family) < self.limit:
                free = ~self.adjacent[y] & ~(self.adjacent & outside).any(axis=1)
                free[y] = False
                for x in np.flatnonzero(free & np.isfinite(gains)).tolist():
                    yield Operator(float(gains[x]), True, x, y, clique)
            for x in parents.tolist():
                if self.adjacent[x, [*clique]].all():
                    yield Operator(float(gains[x]), False, x, y, clique)
            for x in clique:
                yield Operator(float(gains[x]), False, x, y, tuple(v for v in clique if v != x))

    def _cliques(self, variables: list[int]) -> Iterator[tuple[int, ...]]:
        """Yield the cliques among some variables, the empty one first, the smaller ones before the larger ones."""
        level: list[tuple[int, ...]] = [()]
        while level:
            yield from level
            level = [
                (*clique, v)
                for clique in level
                for v in variables
                if (not clique or v > clique[-1]) and self.adjacent[v, [*clique]].all()
            ]

    def _reaches(self, start: int, end: int, blocked: tuple[int, ...]) -> bool:
        """Return whether a path without arcs against it goes from one variable to another around the blocked ones."""
        open_ = np.ones(self.score.n, bool)
        open_[[*blocked]] = False
        reached = np.zeros(self.score.n, bool)
        front = np.array([start])
        while front.size:
            reached[front] = True
            front = np.flatnonzero(self.pattern[front].any(axis=0) & open_ & ~reached)
        return bool(reached[end])


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
    if start is not None and not is_dag(start):
        raise InputError("start: the first graph of a search must be acyclic")
    if arcs is not None and start is not None:
        arcs.check(start, "start")
    n = score.n
    columns = stable_order(score) if order == "stable" else np.arange(n)
    arranged = ordered(score).reordered(columns) if order == "stable" else score
    known = None if arcs is None else arcs.reordered(columns)
    limit = max_parents if known is None else known.limit(max_parents)
    first = np.zeros((n, n), bool) if known is None else known.required
    first = first if start is None else np.asarray(start, bool)[np.ix_(columns, columns)]
    families: dict = {}
    best = EquivalenceClass(arranged, first, n if limit is None else limit, known, families)
    best.climb()
    failed = 0
    while failed < tries:
        failed, better = _escape(best, tries, failed)
        if better is None:
            break
        best, failed = better, 0
    back = np.argsort(columns)
    calls = (n - 1) * len(families)
    return Search(best.dag[np.ix_(back, back)], best.total, calls, calls, best.steps)


def _escape(best: EquivalenceClass, tries: int, failed: int) -> tuple[int, EquivalenceClass | None]:
    """Return how many deletions were tried in vain, and the first class with a higher score that one leads to."""
    for operator in best.operators(False):
        if failed == tries:
            break
        if (dag := best.made(operator)) is None:
            continue
        trial = best.copy()
        trial.forbidden.add((min(operator.x, operator.y), max(operator.x, operator.y)))
        trial.make(dag, -np.inf)
        trial.climb()
        trial.forbidden.clear()
        trial.climb()
        if trial.total > best.total + best.score.epsilon:
            return failed, trial
        failed += 1
    return failed, None
