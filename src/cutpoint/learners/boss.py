"""Best order score search: orders by best moves of single variables, graphs by grow-shrink trees.

Andrews, Ramsey, Sanchez-Romero, Camchong and Kummerfeld (2023), "Fast scalable and accurate discovery of DAGs using
the best order score search and grow-shrink trees".
"""

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.graphs.dags import is_dag, topological_order
from cutpoint.kernels import boss as kernel
from cutpoint.knowledge.arcs import Arcs
from cutpoint.learners.greedy import Search
from cutpoint.learners.order import with_parents_first
from cutpoint.learners.scores import LocalScore, network_score, tie
from cutpoint.learners.sizes import MEMORY_MB, check_memory
from cutpoint.learners.stable import ordered, stable_order
from cutpoint.options import AboveZero, AtLeast0, Order

_NODE = 400  # bytes of a node beside its branches, most of them Python's


class GrowShrinkTrees:
    """The parents that each variable gets from any variables before it, with every family scored once.

    Growing adds the variable with the highest gain while one gains more than the epsilon of the score; shrinking then
    removes the one whose removal gains most while one does. Of gains nearer than `cutpoint.learners.scores.tie` the
    first variable wins. The arrays are those of `cutpoint.kernels.boss`.

    arcs: required parents are in each set from the beginning, forbidden ones in none.
    """

    def __init__(self, score: LocalScore, max_parents: int | None, memory_mb: float, arcs: Arcs | None):
        n = score.n
        self.score, self.memory_mb = score, memory_mb
        self.allowed = ~np.eye(n, dtype=bool) if arcs is None else arcs.allowed
        self.required = np.zeros((n, n), bool) if arcs is None else arcs.required
        limit = max_parents if arcs is None else arcs.limit(max_parents)
        self.limit = n if limit is None else limit
        self.calls = self.used = 0
        self.children: list[int] = []
        self.parents: list[tuple[int, ...]] = []
        self.shrunk: list[int] = []  # the node after shrinking
        self.own: list[float] = []  # the score before shrinking
        self.start, self.count, self.values = np.empty(64, np.int64), np.empty(64, np.int64), np.empty(64)
        self.added, self.to, self.grown_from = (np.empty(256, np.int64) for _ in range(3))
        self.gain = np.empty(256)
        self._nodes: dict[tuple[int, tuple[int, ...]], int] = {}
        first = [tuple(np.flatnonzero(self.required[:, i]).tolist()) for i in range(n)]
        self.roots = np.array([self._node(i, first[i], score.family(i, first[i])) for i in range(n)], np.int64)

    def best_move(self, others: np.ndarray, variable: int) -> np.ndarray:
        """Return the score of an order of the others, int64 [n - 1], with the variable at each place, float64 [n]."""
        while True:
            scores, missing = kernel.move_scores(
                self.roots, self.start, self.count, self.added, self.to, self.values, others, variable
            )
            if not self._grow(missing):
                return scores

    def dag(self, order: np.ndarray) -> np.ndarray:
        """Return the graph of an order, bool [n, n]."""
        while True:
            nodes, missing = kernel.end_nodes(self.roots, self.start, self.count, self.added, self.to, order)
            if not self._grow(missing):
                break
        dag = np.zeros((self.score.n, self.score.n), bool)
        for child, node in enumerate(nodes.tolist()):
            dag[[*self.parents[self.shrunk[node]]], child] = True
        return dag

    def _grow(self, missing: np.ndarray) -> bool:
        """Make the nodes of branches, and return whether there were any."""
        rows = np.unique(missing[missing >= 0]).tolist()
        for row in rows:
            node, added = int(self.grown_from[row]), int(self.added[row])
            grown = tuple(sorted((*self.parents[node], added)))
            self.to[row] = self._node(self.children[node], grown, self.own[node] + float(self.gain[row]))
        return len(rows) > 0

    def _node(self, child: int, parents: tuple[int, ...], own: float) -> int:
        """Return the node of a family whose score is `own`, and make it where there is none."""
        known = self._nodes.get((child, parents))
        if known is not None:
            return known
        gains = self.score.gains(child, np.array(parents, np.int64))
        self.calls += self.score.n - 1
        node = self._nodes[child, parents] = len(self.own)
        self.children.append(child)
        self.parents.append(parents)
        self.own.append(own)
        self.shrunk.append(node)
        self._append(node, self._branches(child, parents, gains), gains)
        removable = [p for p in parents if not self.required[p, child]]
        if removable:
            best = removable[0]
            for p in removable[1:]:
                best = p if gains[p] > gains[best] + tie(self.score) else best
            if gains[best] > self.score.epsilon:
                fewer = self._node(child, tuple(p for p in parents if p != best), own + float(gains[best]))
                self.shrunk[node] = self.shrunk[fewer]
        self.values[node] = self.own[self.shrunk[node]]
        return node

    def _branches(self, child: int, parents: tuple[int, ...], gains: np.ndarray) -> np.ndarray:
        """Return the variables that may join the parents with a gain, the best first, int64 [k]."""
        if len(parents) >= self.limit:
            return np.empty(0, np.int64)
        can = self.allowed[:, child] & (gains > self.score.epsilon)
        can[[*parents]] = False
        better = np.flatnonzero(can)
        better = better[np.argsort(-gains[better], kind="stable")]
        rank = np.zeros(better.size, np.int64)
        rank[1:] = np.cumsum(gains[better][1:] < gains[better][:-1] - tie(self.score))
        return better[np.lexsort((better, rank))]

    def _append(self, node: int, branches: np.ndarray, gains: np.ndarray) -> None:
        """Append the arrays of a node."""
        size = 40 * (self.used + branches.size) + (_NODE + 8 * self.score.n) * len(self.own)
        check_memory(
            f"trees of {len(self.own)} parent sets", size, "set max_parents or raise memory_mb", self.memory_mb
        )
        if node == len(self.start):
            self.start, self.count, self.values = map(_doubled, (self.start, self.count, self.values))
        while self.used + branches.size > len(self.to):
            self.added, self.to, self.grown_from = map(_doubled, (self.added, self.to, self.grown_from))
            self.gain = _doubled(self.gain)
        rows = slice(self.used, self.used + branches.size)
        self.start[node], self.count[node] = self.used, branches.size
        self.added[rows], self.to[rows], self.grown_from[rows], self.gain[rows] = branches, -1, node, gains[branches]
        self.used += branches.size


def _doubled(array: np.ndarray) -> np.ndarray:
    return np.concatenate([array, np.empty_like(array)])


def boss(
    score: LocalScore,
    *,
    start: np.ndarray | None = None,
    max_parents: AtLeast0 | None = None,
    restarts: AtLeast0 = 10,
    seed: AtLeast0 = 0,
    order: Order = "stable",
    memory_mb: AboveZero = MEMORY_MB,
    arcs: Arcs | None = None,
) -> Search:
    """Move single variables to their best places in an order until no move betters the graph of the order.

    Each variable gets parents from those before it by `GrowShrinkTrees`, not always the best ones. Walks from random
    orders follow the first one, and the best graph is kept. All walks share the trees, so that a family is scored once
    (Andrews et al. 2023, without their backward search at the end).

    Args:
        score: of families; the graph of an order must rise by more than its `epsilon`.
        start: bool [n, n], a graph whose topological order is the first one; None is the order of the variables.
        max_parents: None for no limit.
        restarts: how many random orders follow the first.
        seed: of the random orders.
        order: of the variables: "stable" the one of `cutpoint.learners.stable`, so that the graph does not depend on
            that of the columns, "columns" as they come.
        memory_mb: what the trees may hold, about 400 + 8 n bytes for each parent set that is reached and 40 for each
            variable that would gain there.
        arcs: which the graph must and may have; no order puts a variable before a parent that is required.

    Returns:
        The best graph; its calls are n - 1 for each parent set that is reached, its evaluations those that were scored
        rather than looked up, its steps the moves of all walks.
    """
    if min(restarts, seed) < 0:
        raise InputError("restarts and seed must be at least 0")
    if start is not None and not is_dag(start):
        raise InputError("start: the first graph of a search must be acyclic")
    if arcs is not None and start is not None:
        arcs.check(start, "start")
    n, looked_up = score.n, getattr(score, "looked_up", 0)
    columns = stable_order(score) if order == "stable" else np.arange(n)
    arranged = ordered(score).reordered(columns) if order == "stable" else score
    known = None if arcs is None else arcs.reordered(columns)
    trees = GrowShrinkTrees(arranged, max_parents, memory_mb, known)
    rng = np.random.default_rng(np.random.SeedSequence(seed))
    best, highest, steps = np.zeros((n, n), bool), -np.inf, 0
    for walk in range(restarts + 1):
        first = np.arange(n)
        if walk:
            first = rng.permutation(n)
        elif start is not None:
            first = topological_order(np.asarray(start, bool)[np.ix_(columns, columns)])
        found, moves = _walk(trees, with_parents_first(first, trees.required))
        dag = trees.dag(found)
        total, steps = network_score(arranged, dag), steps + moves
        if walk == 0 or total > highest + tie(score):
            best, highest = dag, total
    place = np.argsort(columns)
    calls = trees.calls + (n * (n - 1) if order == "stable" else 0)
    evaluations = calls - (getattr(score, "looked_up", 0) - looked_up if order == "columns" else 0)
    return Search(best[np.ix_(place, place)], highest, calls, evaluations, steps, steps)


def _walk(trees: GrowShrinkTrees, order: np.ndarray) -> tuple[np.ndarray, int]:
    """Return an order that no move of a single variable betters, int64 [n], and the number of moves."""
    n, moves, since, variable = len(order), 0, 0, 0
    least = max(trees.score.epsilon, tie(trees.score))
    while since < n:
        at = int(np.flatnonzero(order == variable)[0])
        others = np.delete(order, at)
        scores = trees.best_move(others, variable)
        low = np.flatnonzero(trees.required[others, variable]).max(initial=-1) + 1
        high = np.flatnonzero(trees.required[variable, others]).min(initial=n - 1)
        to = at
        for p in range(low, high + 1):
            to = p if scores[p] > scores[to] + least else to
        since += 1
        if to != at:
            order, moves, since = np.insert(others, to, variable), moves + 1, 1
        variable = (variable + 1) % n
    return order, moves
