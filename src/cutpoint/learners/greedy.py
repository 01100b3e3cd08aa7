"""Greedy searches over graphs: hill climbing and tabu search.

Both keep a table of gains, one row a child, and renew only the rows whose
parents changed. They take any `cutpoint.learners.scores.LocalScore`.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Literal

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.graphs.dags import is_dag, topological_order
from cutpoint.kernels import search as kernel
from cutpoint.knowledge.arcs import Arcs, any_arcs
from cutpoint.learners.scores import LocalScore, network_score, ordered, stable_order, tie
from cutpoint.options import AtLeast0, AtLeast1, Order


@dataclass
class Search:
    """The result of a search and the family evaluations that it took; see `cutpoint.network_score`.

    Attributes:
        dag: bool [n, n].
        score: of the graph.
        calls: family evaluations requested: n (n - 1) at the start, n - 1 for every renewed variable, n (n - 1) for a
            stable order.
        evaluations: how many of them were scored rather than looked up, see `DiscreteScore.follow`.
        steps: moves made.
        best_step: the move that led to the graph, 0 for the first graph.
    """

    dag: np.ndarray
    score: float
    calls: int
    evaluations: int
    steps: int
    best_step: int = 0


# after_move(dag): None, or the score to go on with where the data were coded again.
AfterMove = Callable[[np.ndarray], "LocalScore | None"]


class _Walk:
    """A graph on its way, with the gains of all moves from it.

    order: int64 [n], the columns in the order in which moves are looked at, None as they come. In that order stand dag
    and gains, [n, n], forbidden, bool [3, n, n], the moves that are never made, and bounds, float64 [n], which no move
    of an arc from a variable gains more than, see `cutpoint.kernels.search.best_move`.
    """

    def __init__(
        self, score: LocalScore, start: np.ndarray | None, max_parents: int | None, order: Order, arcs: Arcs | None
    ):
        n, known = score.n, any_arcs(score.n, arcs)
        check_start(start, arcs)
        self.order = stable_order(score) if order == "stable" else None
        self.forbidden = _forbidden(known if self.order is None else known.reordered(self.order))
        self.dag = _arranged(np.array(known.required if start is None else start, bool), self.order)
        self.max_parents = known.limit(max_parents)
        self.gains, self.bounds = np.empty((n, n), order="F"), np.full(n, np.inf)
        self.reach, self.counts = np.empty((n, n), bool, order="F"), self.dag.sum(axis=0)
        kernel.find_ancestors(self.reach, self.dag, topological_order(self.dag))
        self.calls, self.steps, self._looked_up = 0 if self.order is None else n * (n - 1), 0, looked_up(score)
        self.use(score)

    def use(self, score: LocalScore) -> None:
        """Go on with a score of other codes of the same columns."""
        self.score = score if self.order is None else ordered(score).reordered(self.order)
        for child in range(score.n):
            self._renew(child)

    @property
    def graph(self) -> np.ndarray:
        """The graph in the order of the columns, bool [n, n]."""
        return _arranged(self.dag, None if self.order is None else np.argsort(self.order))

    @property
    def evaluations(self) -> int:
        return self.calls - (looked_up(self.score) - self._looked_up)

    def _renew(self, child: int) -> None:
        parents = np.flatnonzero(self.dag[:, child])
        self.gains[child] = self.score.gains(child, parents)
        if self.counts[child] < self.max_parents:
            np.maximum(self.bounds, self.gains[child], out=self.bounds, where=~self.reach[child])
        self.bounds[child] = self.bounds[parents] = np.inf
        self.calls += self.score.n - 1

    def best(self, tabu: Sequence[tuple[int, int, int]] = ()) -> tuple[int, int, int, float]:
        """Return kind, x, y and gain of the best move that neither knowledge nor a list of moves forbids."""
        before = [self.forbidden[move] for move in tabu]
        for move in tabu:
            self.forbidden[move] = True
        graph, limits = (self.dag, self.gains, self.reach, self.counts), (self.max_parents, self.forbidden, self.bounds)
        found = kernel.best_move(*graph, *limits, tie(self.score))
        for move, was in zip(tabu, before, strict=True):
            self.forbidden[move], self.bounds[move[1]] = was, np.inf
        return found

    def make(self, kind: int, x: int, y: int) -> None:
        self.dag[x, y] = kind == kernel.ADD
        self.counts[y] += 1 if kind == kernel.ADD else -1
        if kind != kernel.ADD:
            self._part(x, y)
        self._renew(y)
        if kind == kernel.REVERSE:
            self.dag[y, x] = True
            self.counts[x] += 1
            self._renew(x)
        if kind != kernel.DELETE:
            kernel.extend(self.reach, *((x, y) if kind == kernel.ADD else (y, x)))
        self.steps += 1

    def _part(self, x: int, y: int) -> None:
        """Renew what variables reach without an arc x -> y; moves that it forbade may be legal now."""
        after = np.flatnonzero(self.reach[y])
        before = self.reach[:, after]
        kernel.find_ancestors(self.reach, self.dag, after[np.argsort(before.sum(axis=0))])
        self.bounds[after[(before & ~self.reach[:, after]).any(axis=0)]] = np.inf
        self.bounds[self.reach[:, x] & self.dag[:, after].any(axis=1)] = np.inf

    def result(self) -> Search:
        total = network_score(self.score, self.dag)
        return Search(self.graph, total, self.calls, self.evaluations, self.steps, self.steps)


def check_start(start: np.ndarray | None, arcs: Arcs | None) -> None:
    """Raise InputError for a first graph of a search, bool [n, n], that has a cycle, or that arcs do not allow."""
    if start is None:
        return
    if not is_dag(start):
        raise InputError("start: the first graph of a search must be acyclic")
    if arcs is not None:
        arcs.check(start, "start")


def _forbidden(arcs: Arcs) -> np.ndarray:
    """Return the moves that would lose a required arc or make one that is not allowed, bool [3, n, n]."""
    moves = np.empty((3, *arcs.allowed.shape), bool)
    moves[kernel.ADD], moves[kernel.DELETE] = ~arcs.allowed, arcs.required
    moves[kernel.REVERSE] = arcs.required | ~arcs.allowed.T
    return moves


def looked_up(score: LocalScore) -> int:
    """Return how many gains a score has looked up rather than computed."""
    return getattr(score, "looked_up", 0)


def _arranged(dag: np.ndarray, order: np.ndarray | None) -> np.ndarray:
    return dag.copy() if order is None else dag[np.ix_(order, order)]


def hill_climbing(
    score: LocalScore,
    *,
    start: np.ndarray | None = None,
    max_parents: AtLeast0 | None = None,
    max_steps: AtLeast1 = 100_000,
    order: Order = "columns",
    arcs: Arcs | None = None,
) -> Search:
    """Climb by the best addition, deletion or reversal of an arc until none gains.

    Args:
        score: of families; its `epsilon` is the least gain of a move. Of equal gains the first wins, see
            `cutpoint.learners.scores.tie`.
        start: bool [n, n], the first graph; None is the empty one.
        max_parents: None for no limit.
        max_steps: moves after which the search gives up, as a score whose rounding exceeds its epsilon may need.
        order: of the variables, which decides between moves of equal gain: "columns" as they come, "stable" the one of
            `cutpoint.learners.scores`, so that the graph does not depend on it.
        arcs: which the graph must and may have; the required ones are the first graph where no other is.
    """
    walk = _Walk(score, start, max_parents, order, arcs)
    while walk.steps < max_steps:
        kind, x, y, gain = walk.best()
        if kind == kernel.NONE or gain <= score.epsilon:
            return walk.result()
        walk.make(kind, x, y)
    raise InputError(f"max_steps: hill climbing did not end within {max_steps} moves; allow more")


def _without_arcs(score: LocalScore) -> float:
    return network_score(score, np.zeros((score.n, score.n), bool))


def _moves_between(dag: np.ndarray, graph: np.ndarray) -> list[tuple[int, int, int]]:
    """Return the move that leads from one graph to another, if there is one."""
    differing = np.argwhere(graph != dag).tolist()
    if len(differing) == 1:
        return [(kernel.DELETE if dag[x, y] else kernel.ADD, x, y) for x, y in differing]
    if len(differing) == 2 and differing[0] == differing[1][::-1]:
        return [(kernel.REVERSE, x, y) for x, y in differing if dag[x, y] and graph[y, x]]
    return []


def tabu(
    score: LocalScore,
    *,
    start: np.ndarray | None = None,
    max_parents: AtLeast0 | None = None,
    tabu_list: Literal["moves", "graphs"] = "moves",
    tabu_length: AtLeast0 = 10,
    max_worse: AtLeast0 = 10,
    max_steps: AtLeast1 = 100_000,
    order: Order = "columns",
    compare: Literal["gain", "score"] = "gain",
    after_move: AfterMove | None = None,
    arcs: Arcs | None = None,
) -> Search:
    """Climb on through worse graphs, and keep the best one; its score is the one in force at its move.

    The best legal move is made even where it loses, unless the tabu list forbids it; the search ends after
    `max_worse` moves in a row without a new best. Scores of different codes are not comparable, as more levels cost
    entropy whatever the graph: graphs are compared by what each gains on the graph without arcs under its own codes.

    Args:
        score, start, max_parents, order, arcs: as in `hill_climbing`; a stable order is that of the first codes.
        tabu_list: "moves": none of the last moves is undone; "graphs": none of the last graphs is visited again.
        tabu_length: how many moves or graphs the list holds.
        max_worse: consecutive moves without a better graph.
        max_steps: moves after which the search ends.
        compare: "score": graphs under different codes are compared by their scores all the same.
        after_move: see `AfterMove`; for methods that discretize while they search.
    """
    walk = _Walk(score, start, max_parents, order, arcs)
    recent: deque[tuple[tuple[int, int, int], np.ndarray]] = deque(maxlen=tabu_length)  # undone moves, graphs before
    best, since, without_arcs = walk.result(), 0, 0.0
    total = highest = best.score
    if after_move is not None and compare == "gain":
        highest -= (without_arcs := _without_arcs(walk.score))
    while since < max_worse and walk.steps < max_steps:
        back = [[undone] if tabu_list == "moves" else _moves_between(walk.dag, graph) for undone, graph in recent]
        kind, x, y, gain = walk.best([*chain.from_iterable(back)])
        if kind == kernel.NONE:
            break
        takes_back = {kernel.ADD: (kernel.DELETE, x, y), kernel.DELETE: (kernel.ADD, x, y)}.get(kind, (kind, y, x))
        recent.append((takes_back, walk.dag.copy()))
        walk.make(kind, x, y)
        total, since = total + gain, since + 1
        if after_move is not None and (revised := after_move(walk.graph)) is not None:
            walk.use(revised)
            total = network_score(walk.score, walk.dag)
            without_arcs = _without_arcs(walk.score) if compare == "gain" else 0.0
        if total - without_arcs > highest + score.epsilon:
            best, highest, since = Search(walk.graph, total, 0, 0, 0, walk.steps), total - without_arcs, 0
    return replace(best, calls=walk.calls, evaluations=walk.evaluations, steps=walk.steps)
