"""Best order score search: orders by best moves of single variables, graphs by grow-shrink trees.

Andrews, Ramsey, Sanchez-Romero, Camchong and Kummerfeld (2023), "Fast scalable and accurate discovery of DAGs using
the best order score search and grow-shrink trees". A tree finds one parent set for an order by greedy steps, and misses
two parents of which neither gains alone. All families that were scored on the way are kept, so that afterwards the best
of them that an order allows is found at once, and orders are searched again (Teyssier and Koller 2005).
"""

import math
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.graphs.dags import topological_order
from cutpoint.kernels import boss as kernel
from cutpoint.kernels import orders
from cutpoint.knowledge.arcs import Arcs, any_arcs
from cutpoint.learners.ges import ges
from cutpoint.learners.greedy import AfterMove, Search, check_start, hill_climbing, looked_up
from cutpoint.learners.order import best_dag_of_order, with_parents_first
from cutpoint.learners.parents import ParentSets, best_first
from cutpoint.learners.scores import LocalScore, falling, network_score, ordered, stable_order, tie
from cutpoint.learners.sizes import MEMORY_MB, check_memory, memory
from cutpoint.options import AboveZero, AtLeast0, Order

_NODE = 400  # bytes of a node beside its branches, most of them Python's
_SETS = 500  # parent sets of a variable that orders are searched with, the best ones
_TREE_WALKS = 1  # random orders that trees are grown for; to grow them costs far more than to search the families again
_NEAR_ROOT, _NEAR = 8, 3  # variables whose addition to the required parents, and to any others, is looked at
_TURNS = 50  # searches of one method that discretizes between them
_TABU, _WORSE, _ROUNDS = 50, 300, 10  # of the search of orders: length of the list, swaps without gain, rounds


class GrowShrinkTrees:
    """The parents that each variable gets from any variables before it, with every family scored once.

    Growing adds the variable with the highest gain while one gains more than the epsilon of the score; shrinking then
    removes the one whose removal gains most while one does. Of gains nearer than `cutpoint.learners.scores.tie` the
    first variable wins. The arrays are those of `cutpoint.kernels.boss`.

    arcs: required parents are in each set from the beginning, forbidden ones in none.
    """

    def __init__(self, score: LocalScore, max_parents: int | None, memory_mb: float, arcs: Arcs | None):
        n = score.n
        self.score, self.memory_mb, self.tie, self._most = score, memory_mb, tie(score), memory(memory_mb)
        arcs = any_arcs(n, arcs)
        self.allowed, self.required, self.limit = arcs.allowed, arcs.required, arcs.limit(max_parents)
        self.calls = self.used = 0
        self.children: list[int] = []
        self.parents: list[tuple[int, ...]] = []
        self.shrunk: list[int] = []  # the node after shrinking
        self.removed: list[tuple[int, int, float]] = []  # a node, one of its parents, the gain of its removal
        self.own: list[float] = []  # the score before shrinking
        self.gains: list[np.ndarray] = []  # of toggling each variable
        self.start, self.count, self.values = np.empty(64, np.int64), np.empty(64, np.int64), np.empty(64)
        self.added, self.to, self.grown_from = (np.empty(256, np.int64) for _ in range(3))
        self.gain = np.empty(256)
        self._nodes: dict[tuple[int, tuple[int, ...]], int] = {}
        first = [tuple(np.flatnonzero(self.required[:, i]).tolist()) for i in range(n)]
        self.roots = np.array([self._node(i, first[i], score.family(i, first[i])) for i in range(n)], np.int64)

    def walk(self, order: np.ndarray) -> tuple[np.ndarray, int]:
        """Return an order that no move of a single variable betters, int64 [n], and the number of moves."""
        order, state, least = np.array(order, np.int64), np.zeros(3, np.int64), max(self.score.epsilon, self.tie)
        while self._grow(kernel.walk(*self._arrays(), self.values, self.required, least, order, state)):
            pass
        return order, int(state[2])

    def dag(self, order: np.ndarray) -> np.ndarray:
        """Return the graph of an order, bool [n, n]."""
        while True:
            nodes, missing = kernel.end_nodes(*self._arrays(), order)
            if not self._grow(missing):
                break
        dag = np.zeros((self.score.n, self.score.n), bool)
        for child, node in enumerate(nodes.tolist()):
            dag[[*self.parents[self.shrunk[node]]], child] = True
        return dag

    def look_around(self, child: int, parents: tuple[int, ...]) -> None:
        """Score the families that differ by two variables: one removed or one of the best added, and any other one."""
        node = self._nodes.get((child, parents))
        node = self._node(child, parents, self.score.family(child, parents)) if node is None else node
        gains = self.gains[node]
        near = [p for p in parents if not self.required[p, child]]
        if len(parents) < self.limit:
            free = self.allowed[:, child].copy()
            free[[*parents]] = False
            others = np.flatnonzero(free)
            near += others[falling(gains[others], self.tie)][: _NEAR if parents else _NEAR_ROOT].tolist()
        for x in (x for x in near if math.isfinite(gains[x])):
            self._node(child, tuple(sorted({*parents} ^ {x})), self.own[node] + float(gains[x]))

    def parent_sets(self) -> ParentSets:
        """Return the best families that were scored, at most `_SETS` for each variable, and those of the roots."""
        n, nodes = self.score.n, len(self.own)
        own, children = np.array(self.own), np.array(self.children)
        members = np.fromiter(chain.from_iterable(self.parents), np.int64)
        member_of = np.repeat(np.arange(nodes), np.fromiter(map(len, self.parents), np.int64))
        node, parent, gain = map(np.array, zip(*self.removed, strict=True)) if self.removed else np.empty((3, 0), int)
        branches = slice(self.used)
        source = np.concatenate([np.arange(nodes), self.grown_from[branches], node])
        toggled = np.concatenate([self.added[branches], parent])
        scores = own[source] + np.concatenate([np.zeros(nodes), self.gain[branches], gain])
        useful = scores > own[self.roots][children[source]] + self.score.epsilon
        useful[self.roots] = True
        masks = np.zeros((nodes, max((n + 63) // 64, 1)), np.uint64)
        np.bitwise_or.at(masks, (member_of, members >> 6), _bit(members))
        masks = masks[source]
        masks[np.arange(nodes, len(source)), toggled >> 6] ^= _bit(toggled)
        masks, scores, children = masks[useful], scores[useful], children[source][useful]
        size = np.bitwise_count(masks).sum(axis=1, dtype=np.int64)
        order = np.lexsort((*masks.T, children * (n + 1) + size))
        new = np.ones(len(order), bool)
        new[1:] = (np.diff(masks[order], axis=0) != 0).any(axis=1) | (np.diff(children[order]) > 0)
        order = order[new]
        order = order[best_first(children[order], scores[order], self.score.epsilon)]
        child = children[order]
        rank = np.arange(len(order)) - np.searchsorted(child, child)
        order = order[(rank < _SETS) | (size[order] == self.required.sum(axis=0)[child])]
        first = np.searchsorted(children[order], np.arange(n + 1))
        return ParentSets(first, np.ascontiguousarray(masks[order]), scores[order], self.calls, self.calls)

    def _arrays(self) -> tuple[np.ndarray, ...]:
        return self.roots, self.start, self.count, self.added, self.to

    def _grow(self, missing: np.ndarray) -> bool:
        """Make the nodes of branches, and return whether there were any."""
        rows = sorted({*missing[missing >= 0].tolist()})
        for row in rows:
            node, added = int(self.grown_from[row]), int(self.added[row])
            grown = tuple(sorted((*self.parents[node], added)))
            self.to[row] = self._node(self.children[node], grown, self.own[node] + float(self.gain[row]))
        return len(rows) > 0

    def _node(self, child: int, parents: tuple[int, ...], own: float) -> int:
        """Return the node of a family whose score is `own`, and make it where there is none."""
        node = self._nodes.get((child, parents))
        if node is not None:
            return node
        members, required = np.array(parents, np.int64), self.required[:, child]
        gains = self.score.gains(child, members)
        self.calls += self.score.n - 1
        node = self._nodes[child, parents] = len(self.own)
        self.children.append(child)
        self.parents.append(parents)
        self.own.append(own)
        self.shrunk.append(node)
        self.gains.append(gains)
        joins = self.allowed[:, child] & (gains > self.score.epsilon)
        joins[members] = False
        better = np.flatnonzero(joins) if len(parents) < self.limit else members[:0]
        self._append(node, better[falling(gains[better], self.tie)], gains)
        worst, highest = -1, -np.inf
        for p, gain in zip(parents, gains[members].tolist(), strict=True):
            if not required[p] and math.isfinite(own + gain):
                self.removed.append((node, p, gain))
            if not required[p] and gain > highest + self.tie:
                worst, highest = p, gain
        if highest > self.score.epsilon:
            fewer = self._node(child, tuple(p for p in parents if p != worst), own + float(gains[worst]))
            self.shrunk[node] = self.shrunk[fewer]
        self.values[node] = self.own[self.shrunk[node]]
        return node

    def _append(self, node: int, branches: np.ndarray, gains: np.ndarray) -> None:
        size = 48 * (self.used + branches.size) + (_NODE + 8 * self.score.n) * len(self.own)
        if size > self._most:
            trees = f"trees of {len(self.own)} parent sets"
            check_memory(trees, size, "set max_parents or raise memory_mb", self.memory_mb)
        if node == len(self.start):
            self.start, self.count, self.values = map(_doubled, (self.start, self.count, self.values))
        while self.used + branches.size > len(self.to):
            self.added, self.to, self.grown_from = map(_doubled, (self.added, self.to, self.grown_from))
            self.gain = _doubled(self.gain)
        rows = slice(self.used, self.used + branches.size)
        self.start[node], self.count[node] = self.used, branches.size
        self.added[rows], self.to[rows], self.grown_from[rows], self.gain[rows] = branches, -1, node, gains[branches]
        self.used += branches.size


def _bit(variables: np.ndarray) -> np.ndarray:
    return np.uint64(1) << (variables & 63).astype(np.uint64)


def _doubled(array: np.ndarray) -> np.ndarray:
    return np.concatenate([array, np.empty_like(array)])


def _coded_again(score: LocalScore, after_move: AfterMove, search: Search, options: dict[str, Any]) -> Search:
    """Code the data again after each search and search on; return the best graph with the calls of all searches."""
    seen: set[bytes] = set()
    points, searches = [], [search]
    while search.dag.tobytes() not in seen and len(seen) < _TURNS:
        seen.add(search.dag.tobytes())
        score = after_move(search.dag) or score
        points.append(Search(search.dag, network_score(score, search.dag), 0, 0, 0, len(seen)))
        search = boss(score, start=search.dag, restarts=0, **options)
        searches.append(search)
    calls, evaluations, steps = (sum(getattr(s, key) for s in searches) for key in ("calls", "evaluations", "steps"))
    return replace(max(points, key=lambda s: s.score), calls=calls, evaluations=evaluations, steps=steps)


def boss(
    score: LocalScore,
    *,
    start: np.ndarray | None = None,
    max_parents: AtLeast0 | None = None,
    restarts: AtLeast0 = 40,
    seed: AtLeast0 = 0,
    order: Order = "stable",
    memory_mb: AboveZero = MEMORY_MB,
    after_move: AfterMove | None = None,
    arcs: Arcs | None = None,
) -> Search:
    """Move single variables to their best places in an order until no move betters the graph of the order.

    1. Walks: from the orders of the first graphs and a random one, each variable gets parents from those before it by
       `GrowShrinkTrees` (Andrews et al. 2023, without their backward search at the end).
    2. Orders again: from the ends of the walks and from random orders each variable gets the best parents of all
       families that were scored; best places are followed by swaps of neighbours with a tabu list.
    3. Families that differ by one or two variables from those of the graphs of step 2 are scored, and step 2 goes on
       with them until the best graph does not better.

    Args:
        score: of families; a graph must rise by more than its `epsilon`.
        start: bool [n, n], the first graph beside that of hill climbing; None is that of equivalence search without its
            last phase. The result is never worse than either.
        max_parents: None for no limit.
        restarts: random orders.
        seed: of the random orders.
        order: of the variables: "stable" the one of `cutpoint.learners.scores`, so that the graph does not depend on
            that of the columns, "columns" as they come.
        memory_mb: what the families may hold, about 400 + 8 n bytes for each parent set that is reached and 48 for each
            variable that would gain there.
        after_move: for methods that discretize while they search. Here a move is a whole search: the data are coded
            again and searched from its graph, without random orders, until a graph occurs again. The best graph is that
            with the highest score under the codes that follow from it.
        arcs: which the graph must and may have; no order puts a variable before a parent that is required.

    Returns:
        The best graph; its calls are n - 1 for each parent set that is reached and those of the first searches, its
        evaluations those that were scored rather than looked up, its steps the moves of all walks.
    """
    if min(restarts, seed) < 0:
        raise InputError("restarts and seed must be at least 0")
    options: dict[str, Any] = {"max_parents": max_parents, "arcs": arcs}
    if after_move is not None:
        options |= {"seed": seed, "order": order, "memory_mb": memory_mb}
        return _coded_again(score, after_move, boss(score, start=start, restarts=restarts, **options), options)
    check_start(start, arcs)
    n, before = score.n, looked_up(score)
    columns = stable_order(score) if order == "stable" else np.arange(n)
    arranged = ordered(score).reordered(columns) if order == "stable" else score
    options["arcs"] = None if arcs is None else arcs.reordered(columns)
    searches = [hill_climbing(arranged, **options)]
    if start is None:
        searches.append(ges(arranged, tries=0, order="columns", **options))
    firsts = [search.dag for search in searches]
    if start is not None:
        firsts.append(np.asarray(start, bool)[np.ix_(columns, columns)])
    trees = GrowShrinkTrees(arranged, max_parents, memory_mb, options["arcs"])
    rng = np.random.default_rng(np.random.SeedSequence(seed))
    random = [with_parents_first(rng.permutation(n), trees.required) for _ in range(restarts)]
    graphs, ends, moves = _walk_trees(trees, firsts, random[:_TREE_WALKS])
    best, again = _search_families(trees, graphs, ends + random, _best_of(trees, graphs, firsts[0]))
    place = np.argsort(columns)
    calls = trees.calls + sum(search.calls for search in searches) + (n * (n - 1) if order == "stable" else 0)
    evaluations = calls - (looked_up(score) - before)
    steps = moves + again + sum(search.steps for search in searches)
    return Search(best[np.ix_(place, place)], network_score(arranged, best), calls, evaluations, steps, steps)


def _walk_trees(
    trees: GrowShrinkTrees, firsts: list[np.ndarray], random: list[np.ndarray]
) -> tuple[list[np.ndarray], list[np.ndarray], int]:
    """Walk from the orders of the first graphs and from random ones; return graphs, orders and the number of moves."""
    graphs = [dag for dag in firsts if int(dag.sum(axis=0).max(initial=0)) <= trees.limit]
    begins = [with_parents_first(topological_order(dag), trees.required) for dag in firsts]
    ends, steps = list(begins), 0
    for begin in [*begins, *random]:
        end, moves = trees.walk(begin)
        steps += moves
        ends.append(end)
        graphs.append(trees.dag(end))
    return graphs, ends, steps


def _best_of(trees: GrowShrinkTrees, graphs: list[np.ndarray], first: np.ndarray) -> tuple[np.ndarray, float]:
    """Return the first of the graphs with the highest score, and that score; `first` where there are none."""
    best, highest = first, -np.inf
    for graph in graphs:
        total = network_score(trees.score, graph)
        if total > highest + trees.tie:
            best, highest = graph, total
    return best, highest


def _search_families(
    trees: GrowShrinkTrees, graphs: list[np.ndarray], ends: list[np.ndarray], best: tuple[np.ndarray, float]
) -> tuple[np.ndarray, int]:
    """Search orders with all families that were scored, score those near them, and again until nothing betters.

    graphs, ends: of the walks; best: the best graph so far, with its score. Returns the best graph and the moves.
    """
    (dag, highest), steps = best, 0
    families = {(child, tuple(np.flatnonzero(g[:, child]).tolist())) for g in graphs for child in range(trees.score.n)}
    families |= {(child, trees.parents[root]) for child, root in enumerate(trees.roots)}
    looked_at: set[tuple[int, tuple[int, ...]]] = set()
    for again in range(_ROUNDS):
        for child, parents in sorted(families - looked_at):
            trees.look_around(child, parents)
        looked_at |= families
        sets = trees.parent_sets()
        reached, moves = _search_orders(trees, sets, ends)
        steps, ends, betters = steps + moves, list(reached.values()), False
        for rows, end in reached.items():
            if (total := sets.scores[[*rows]].sum()) > highest + trees.tie:
                dag, highest, betters = best_dag_of_order(sets, end), total, True
        if again and not betters:
            break
        families = {(child, tuple(sets.parents(row).tolist())) for rows in reached for child, row in enumerate(rows)}
    return dag, steps


def _search_orders(
    trees: GrowShrinkTrees, sets: ParentSets, begins: list[np.ndarray]
) -> tuple[dict[tuple[int, ...], np.ndarray], int]:
    """Return the orders that are reached by best moves and swaps, by the rows of their families, and the moves."""
    reached, steps = {}, 0
    for begin in begins:
        end, moves = orders.insert_best(sets.first, sets.masks, sets.scores, begin, trees.required, trees.tie)
        end, swaps = orders.walk(
            sets.first, sets.masks, sets.scores, end, trees.required, _TABU, _WORSE, trees.score.epsilon, trees.tie
        )
        steps += moves + swaps
        reached[tuple(orders.best_rows(sets.first, sets.masks, end).tolist())] = end
    return reached, steps
