"""Order-based search: the best graph of an order follows at once, so the search goes over orders.

Teyssier and Koller (2005), "Ordering-based search: a simple and effective algorithm for learning Bayesian
networks"; Maua (2018), 7.3 to 7.5.
"""

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.graphs.dags import topological_order
from cutpoint.kernels import orders as kernel
from cutpoint.knowledge.arcs import Arcs
from cutpoint.learners.greedy import Search, check_start
from cutpoint.learners.parents import MEMORY_MB, ParentSets, candidate_parents, most_parents
from cutpoint.learners.scores import LocalScore, network_score, tie
from cutpoint.options import AboveZero, AtLeast0


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
    required = np.zeros((sets.n, sets.n), bool) if arcs is None else arcs.required
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
