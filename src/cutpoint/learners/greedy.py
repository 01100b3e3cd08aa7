"""Greedy searches over graphs: hill climbing and tabu search.

Both keep a table of gains, one row a child, and renew only the rows whose
parents changed. They take any `cutpoint.scores.LocalScore`.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np

from cutpoint.errors import InputError
from cutpoint.graphs import is_dag
from cutpoint.kernels import search as kernel
from cutpoint.scores import LocalScore, network_score


@dataclass
class Search:
    """What a search found and what it asked for.

    Attributes:
        dag: bool [n, n].
        score: of the graph.
        calls: family evaluations requested: n (n - 1) at the start, n - 1 for every renewed variable.
        evaluations: families that were scored.
        steps: moves made.
    """

    dag: np.ndarray
    score: float
    calls: int
    evaluations: int
    steps: int


class _Walk:
    """A graph on its way, with the gains of all moves from it."""

    def __init__(self, score: LocalScore, start: np.ndarray | None, max_parents: int | None):
        n = score.n
        self.score = score
        self.dag = np.zeros((n, n), bool) if start is None else np.array(start, bool)
        if not is_dag(self.dag):
            raise InputError("start: the first graph of a search must be acyclic")
        self.max_parents = n if max_parents is None else max_parents
        self.gains = np.empty((n, n))
        self.calls = self.steps = 0
        for child in range(n):
            self._renew(child)

    def _renew(self, child: int) -> None:
        self.gains[child] = self.score.gains(child, np.flatnonzero(self.dag[:, child]))
        self.calls += self.score.n - 1

    def best(self, forbidden: np.ndarray) -> tuple[int, int, int, float]:
        reach = kernel.reachability(self.dag)
        return kernel.best_move(self.dag, self.gains, reach, self.max_parents, forbidden)

    def make(self, kind: int, x: int, y: int) -> None:
        self.dag[x, y] = kind == kernel.ADD
        self._renew(y)
        if kind == kernel.REVERSE:
            self.dag[y, x] = True
            self._renew(x)
        self.steps += 1

    def result(self, dag: np.ndarray) -> Search:
        total = network_score(self.score, dag)
        return Search(dag, total, self.calls, self.calls, self.steps)


def hill_climbing(
    score: LocalScore,
    *,
    start: np.ndarray | None = None,
    max_parents: int | None = None,
    max_steps: int = 100_000,
) -> Search:
    """Climb by the best addition, deletion or reversal of an arc until none gains.

    Args:
        score: of families; its `epsilon` is the least gain of a move.
        start: bool [n, n], the first graph; None is the empty one.
        max_parents: None for no limit.
        max_steps: moves after which the search gives up.

    Raises:
        RuntimeError: when `max_steps` were not enough, as with a score whose rounding exceeds its epsilon.
    """
    walk = _Walk(score, start, max_parents)
    forbidden = np.zeros((3, score.n, score.n), bool)
    while walk.steps < max_steps:
        kind, x, y, gain = walk.best(forbidden)
        if kind == kernel.NONE or gain <= score.epsilon:
            return walk.result(walk.dag)
        walk.make(kind, x, y)
    raise RuntimeError(f"hill climbing did not end within {max_steps} moves")


def tabu(
    score: LocalScore,
    *,
    start: np.ndarray | None = None,
    max_parents: int | None = None,
    tabu_length: int = 10,
    max_worse: int = 10,
    max_steps: int = 100_000,
) -> Search:
    """Climb on through worse graphs, and keep the best one.

    The best legal move is made even where it loses, unless it undoes one of the last
    `tabu_length` moves; the search ends after `max_worse` moves in a row without a new best.

    Args:
        score, start, max_parents: as in `hill_climbing`.
        tabu_length: how many moves cannot be undone.
        max_worse: consecutive moves without a better graph.
        max_steps: moves after which the search ends.
    """
    walk = _Walk(score, start, max_parents)
    undo = {kernel.ADD: kernel.DELETE, kernel.DELETE: kernel.ADD, kernel.REVERSE: kernel.REVERSE}
    recent: deque[tuple[int, int, int]] = deque(maxlen=tabu_length)
    total = highest = 0.0
    best, since = walk.dag.copy(), 0
    while since < max_worse and walk.steps < max_steps:
        forbidden = np.zeros((3, score.n, score.n), bool)
        for move in recent:
            forbidden[move] = True
        kind, x, y, gain = walk.best(forbidden)
        if kind == kernel.NONE:
            break
        walk.make(kind, x, y)
        recent.append((undo[kind], *((y, x) if kind == kernel.REVERSE else (x, y))))
        total, since = total + gain, since + 1
        if total > highest + score.epsilon:
            best, highest, since = walk.dag.copy(), total, 0
    return walk.result(best)
