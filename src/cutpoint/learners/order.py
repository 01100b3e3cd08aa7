"""Searches by orders of the variables: the best graph of an order follows at once.

Order-based search goes over orders: Teyssier and Koller (2005), "Ordering-based search: a simple and effective
algorithm for learning Bayesian networks"; Maua (2018), 7.3 to 7.5. Dynamic programming over subsets finds the best of
all: Silander and Myllymaki (2006), "A simple approach for finding the globally optimal Bayesian network structure";
Singh and Moore (2005), Koivisto and Sood (2004). K2 takes the order of the columns: Cooper and Herskovits (1992).
"""

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.graphs.dags import topological_order
from cutpoint.kernels import orders as kernel
from cutpoint.knowledge.arcs import Arcs, any_arcs
from cutpoint.learners.greedy import AfterMove, Search, check_start
from cutpoint.learners.parents import MEMORY_MB, ParentSets, candidate_parents, most_parents
from cutpoint.learners.scores import LocalScore, network_score, tie
from cutpoint.learners.sizes import megabytes, memory
from cutpoint.options import AboveZero, AtLeast0

_BYTES = 9  # a score and a last variable of each subset
_LOW = 13  # variables of a block: their tables, 8 << _LOW bytes each, stay in the processor's cache


def best_dag_of_order(sets: ParentSets, order: np.ndarray) -> np.ndarray:
    """Return the best graph in which parents come before their children, bool [n, n].

    sets: candidate parent sets; order: int64 [n], a permutation.
    """
    order = np.asarray(order, np.int64)
    if sorted(order.tolist()) != list(range(sets.n)):
        raise InputError(f"order: a permutation of 0 to {sets.n - 1} is expected")
    dag = np.zeros((sets.n, sets.n), bool)
    for child, row in enumerate(kernel.best_rows(sets.first, sets.masks, order).tolist()):
        dag[sets.parents(row), child] = True
    return dag


def order_search(
    score: LocalScore,
    *,
    start: np.ndarray | None = None,
    max_parents: AtLeast0 | None = None,
    restarts: AtLeast0 = 50,
    tabu_length: AtLeast0 = 50,
    max_worse: AtLeast0 = 2000,
    seed: AtLeast0 = 0,
    memory_mb: AboveZero = MEMORY_MB,
    arcs: Arcs | None = None,
) -> Search:
    """Search orders by swaps of neighbours with a tabu list, from several orders, and keep the best graph.

    A swap changes the parents of two variables. The best swap is made even where it loses, unless these two
    were swapped within the last steps; a walk ends after `max_worse` swaps without a better order, and each
    further one starts from a random order (Teyssier and Koller 2005).

    Args:
        score: of families.
        start: bool [n, n], a graph whose topological order is the first one; None is a random order.
        max_parents: None for what `cutpoint.learners.parents.most_parents` lets fit into the memory.
        restarts: how many random orders follow the first.
        tabu_length: for how many swaps two variables are not swapped again.
        max_worse: consecutive swaps without a better order.
        seed: of the random orders.
        memory_mb: see `cutpoint.learners.parents.candidate_parents`.
        arcs: which the graph must and may have; no order puts a variable before a parent that is required.

    Returns:
        The best graph; its calls are the families of all candidate parent sets, its evaluations those that
        were scored, its steps the swaps of all walks.
    """
    check_start(start, arcs)
    if max_parents is None:
        max_parents = most_parents(score, memory_mb)
    sets = candidate_parents(score, max_parents=max_parents, memory_mb=memory_mb, arcs=arcs)
    required = any_arcs(sets.n, arcs).required
    rng = np.random.default_rng(np.random.SeedSequence(seed))
    best, highest, steps = np.arange(sets.n), -np.inf, 0
    for walk in range(restarts + 1):
        first = rng.permutation(sets.n) if start is None or walk else topological_order(start)
        order, swaps = kernel.walk(
            sets.first, sets.masks, sets.scores, with_parents_first(first, required), required,
            tabu_length, max_worse, score.epsilon, tie(score),
        )  # fmt: skip
        total = sets.scores[kernel.best_rows(sets.first, sets.masks, order)].sum()
        if total > highest + score.epsilon:
            best, highest = order, total
        steps += swaps
    dag = best_dag_of_order(sets, best)
    return Search(dag, network_score(score, dag), sets.calls, sets.evaluations, steps, steps)


def with_parents_first(order: np.ndarray, required: np.ndarray) -> np.ndarray:
    """Return an order, int64 [n], in which each variable waits for its required parents, given by bool [n, n]."""
    if not required.any():
        return order
    waiting, arranged = order.tolist(), []
    while waiting:
        ready = next(i for i in waiting if not required[waiting, i].any())
        waiting.remove(ready)
        arranged.append(ready)
    return np.array(arranged, np.int64)


def exact(
    score: LocalScore, *, max_parents: AtLeast0 | None = 5, memory_mb: AboveZero = MEMORY_MB, arcs: Arcs | None = None
) -> Search:
    """Return a graph with the highest score, of those that honour the knowledge of arcs.

    Every graph has a variable without children, the last one of some order: the best graph of a subset W is that of W
    without x, and x with its best parents in there, for the best x. Time and memory double with each variable: 9 bytes
    for each of the 2^n subsets, 302 MB for 25 variables. Scores nearer than the `epsilon` of the score are equal, and
    the first wins.

    max_parents: None for no limit; memory_mb: what the subsets, and before them the candidate parent sets, may take.
    The calls of the result are the families of all candidate parent sets, its evaluations those that were scored, its
    steps the subsets.
    """
    n = score.n
    # the highest power of 2 that fits, as an integer: as floats these numbers overflow
    fits = (memory(memory_mb) // _BYTES).bit_length() - 1
    if n > fits:
        need, most = f"{n} variables need {megabytes(_BYTES << n)} MB", f"{fits} variables" if fits > 0 else "none"
        raise InputError(f"exact: {need} and memory_mb is {memory_mb:g}; {most} would fit")
    sets = candidate_parents(score, max_parents=max_parents, memory_mb=memory_mb, arcs=arcs)
    best, sink = np.empty(1 << n), np.zeros(1 << n, np.uint8)
    kernel.best_sinks(sets.first, sets.masks, sets.scores, min(n, _LOW), score.epsilon, best, sink)
    last, left = [], (1 << n) - 1
    while left:
        last.append(int(sink[left]))
        left ^= 1 << last[-1]
    dag = best_dag_of_order(sets, np.array(last[::-1], np.int64))
    return Search(dag, network_score(score, dag), sets.calls, sets.evaluations, 1 << n, 1 << n)


def k2_search(score: LocalScore, *, max_parents: AtLeast0 | None = 2, after_move: AfterMove | None = None) -> Search:
    """Give each variable in turn the best of the variables before it as a parent, while the score of its family rises.

    Where the data are coded anew after a parent was added, the next one must beat the score that the family had before,
    under the old codes (Chen et al. 2017). Gains nearer than the `epsilon` of the score are equal, and the first wins.
    max_parents: of a variable, None for no limit; after_move: see `cutpoint.learners.greedy.AfterMove`. The calls of
    the result are the families that were compared.
    """
    n = score.n
    dag, calls, steps = np.zeros((n, n), bool), 0, 0
    for child in range(n):
        reached = score.family(child, ())
        while np.count_nonzero(dag[:, child]) < (n if max_parents is None else max_parents):
            parents = np.flatnonzero(dag[:, child])
            gains = np.where(dag[:child, child], -np.inf, score.gains(child, parents)[:child])
            calls += child - parents.size
            total = score.family(child, parents) + gains.max(initial=-np.inf)
            if not total > reached + score.epsilon:
                break
            dag[np.argmax(gains >= gains.max() - score.epsilon), child] = True
            reached, steps = total, steps + 1
            if after_move is not None and (revised := after_move(dag.copy())) is not None:
                score = revised
    return Search(dag, network_score(score, dag), calls, calls, steps, steps)
