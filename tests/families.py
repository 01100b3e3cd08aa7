"""Dependent codes, their scores and all their parent sets: for tests of scores and learners."""

from functools import cache
from itertools import combinations

import numpy as np
from references import by_class

from cutpoint.graphs.patterns import cpdag
from cutpoint.learners import scores
from cutpoint.learners.greedy import Search
from cutpoint.learners.kgv import kgv
from cutpoint.learners.normal_scores import bge, gaussian_bic
from cutpoint.learners.scores import tie

DISCRETE = ["bic", "bdeu", "k2", "mdl", "aic", "log_likelihood"]
LEVELS = (2, 3, 2, 4, 3)


def dependent(seed, rows=120, levels=LEVELS):
    """Codes [rows, n] of which each column copies another one in more than half of the records, and their levels."""
    levels = np.array(levels)
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, levels, (rows, len(levels))).astype(np.int32)
    for j in range(1, len(levels)):
        copy = rng.random(rows) < 0.6
        codes[copy, j] = codes[copy, rng.integers(j)] % levels[j]
    return codes, levels


def make(kind, seed=0, rows=120, levels=LEVELS):
    """Return a score of dependent data; where it is continuous, only the first variable is discrete."""
    codes, levels = dependent(seed, rows, levels)
    if hasattr(scores, kind):
        return getattr(scores, kind)(codes, levels)
    first = np.arange(len(levels)) == 0
    values = codes + np.random.default_rng(seed).standard_normal(codes.shape) * ~first / 3
    return {"gaussian": gaussian_bic, "kgv": kgv, "bge": bge}[kind](values, first)


def beyond(values, discrete):
    """Thresholds of two columns that part nothing, but for one."""
    return [[values[:, 0].min(), 0.0, 1e9], [1e9]]


@cache
def classes(n):
    """Return the DAGs of n nodes by the bytes of their completed pattern."""
    return by_class(n, lambda dag: cpdag(dag).tobytes())


def all_families(score, max_parents):
    """Return for each child a dict from each parent set to its score, smaller sets first."""
    others = [[x for x in range(score.n) if x != child] for child in range(score.n)]
    sets = [[m for size in range(max_parents + 1) for m in combinations(each, size)] for each in others]
    return [{members: score.family(child, members) for members in each} for child, each in enumerate(sets)]


def grow_and_shrink(score, child, before, limit=None, cost=0.0):
    """Return the parents of a child among the variables before it, every family scored anew and each arc at a cost."""
    parents = []

    def best(candidates, toggled):
        totals = [score.family(child, sorted(toggled(x))) - cost * len(toggled(x)) for x in candidates]
        gains = [total - score.family(child, parents) + cost * len(parents) for total in totals]
        chosen = None
        for x, gain in zip(candidates, gains, strict=True):
            if gain > score.epsilon and (chosen is None or gain > chosen[1] + tie(score)):
                chosen = x, gain
        return None if chosen is None else chosen[0]

    while limit is None or len(parents) < limit:
        x = best([x for x in sorted(before) if x not in parents], lambda x, now=parents: [*now, x])
        if x is None:
            break
        parents = sorted([*parents, x])
    while (x := best(list(parents), lambda x, now=parents: [p for p in now if p != x])) is not None:
        parents.remove(x)
    return parents


def empty_search(score):
    """Return the graph without arcs, as a user's own learner might."""
    return Search(np.zeros((score.n, score.n), bool), 0.0, 0, 0, 0)
