"""The graph with the highest score of all, by dynamic programming over subsets of the variables.

Silander and Myllymaki (2006), "A simple approach for finding the globally optimal Bayesian network
structure"; also Singh and Moore (2005), Koivisto and Sood (2004).
"""

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.kernels import orders as kernel
from cutpoint.knowledge.arcs import Arcs
from cutpoint.learners.greedy import Search
from cutpoint.learners.order import best_dag_of_order
from cutpoint.learners.parents import MEMORY_MB, candidate_parents
from cutpoint.learners.scores import LocalScore, network_score
from cutpoint.learners.sizes import megabytes, memory
from cutpoint.options import AboveZero, AtLeast0

_BYTES = 9  # a score and a last variable of each subset
_LOW = 13  # variables of a block: their tables, 8 << _LOW bytes each, stay in the processor's cache


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
        raise InputError(
            f"exact: {n} variables need {megabytes(_BYTES << n)} MB and memory_mb is {memory_mb:g};"
            f" {f'{fits} variables' if fits > 0 else 'none'} would fit"
        )
    sets = candidate_parents(score, max_parents=max_parents, memory_mb=memory_mb, arcs=arcs)
    best, sink = np.empty(1 << n), np.zeros(1 << n, np.uint8)
    kernel.best_sinks(sets.first, sets.masks, sets.scores, min(n, _LOW), score.epsilon, best, sink)
    order = np.empty(n, np.int64)
    left = (1 << n) - 1
    for place in range(n - 1, -1, -1):
        order[place] = sink[left]
        left ^= 1 << int(order[place])
    dag = best_dag_of_order(sets, order)
    return Search(dag, network_score(score, dag), sets.calls, sets.evaluations, 1 << n, 1 << n)
