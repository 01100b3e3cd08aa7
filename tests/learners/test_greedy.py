"""Hill climbing and tabu search against a slow climber and against what they promise."""

from collections import deque
from functools import cache
from itertools import takewhile

import numpy as np
import pytest
import references
from families import dependent

from cutpoint.base.errors import InputError
from cutpoint.kernels import search as kernel
from cutpoint.knowledge.arcs import arcs_within
from cutpoint.learners.greedy import hill_climbing, tabu
from cutpoint.learners.scores import bdeu, network_score


class Drawn:
    """A score of small whole numbers at random, so that many moves gain alike and arcs come and go."""

    epsilon = 1.0

    def __init__(self, seed, n=6):
        self.n = n
        self.drawn = cache(lambda *family: float(np.random.default_rng([seed, *family]).integers(9)))

    def family(self, child, parents):
        return self.drawn(child, *map(int, parents))

    def gains(self, child, parents):
        scores = [self.family(child, np.setxor1d(parents, [x])) for x in range(self.n)]
        return np.where(np.arange(self.n) == child, -np.inf, scores) - self.family(child, parents)


def slow_walk(score, max_parents, length):
    """Yield gains and graphs of the best moves, each neighbour scored afresh; the last moves are not undone."""
    dag, recent = np.zeros((score.n, score.n), bool), deque(maxlen=length)
    while True:
        best, chosen, now = -np.inf, None, network_score(score, dag)
        for kind, x, y, arcs in references.neighbours(dag):
            other = np.zeros_like(dag)
            for arc in arcs:
                other[arc] = True
            gain = network_score(score, other) - now
            if gain > best and other.sum(axis=0).max() <= max_parents and (kind, x, y) not in recent:
                best, chosen = gain, (other, kind, x, y)
        dag, kind, x, y = chosen
        recent.append({"add": ("delete", x, y), "delete": ("add", x, y), "reverse": ("reverse", y, x)}[kind])
        yield best, dag


@pytest.mark.parametrize("max_parents", [2, 5])
@pytest.mark.parametrize(("seed", "length"), [(0, 10), (1, 10), (2, 3), (3, 1)])
def test_searches_make_the_moves_of_the_slow_one(seed, length, max_parents):
    score, graphs = Drawn(seed), []
    rising = [dag for _, dag in takewhile(lambda move: move[0] > 1, slow_walk(score, max_parents, 0))]
    assert np.array_equal(hill_climbing(score, max_parents=max_parents).dag, rising[-1])
    limits = {"max_parents": max_parents, "max_worse": 40, "max_steps": 40, "tabu_length": length}
    tabu(score, **limits, after_move=lambda dag: graphs.append(dag))
    for learned, (_, dag) in zip(graphs, slow_walk(score, max_parents, length), strict=False):
        assert np.array_equal(learned, dag)
    assert len(graphs) == 40


@pytest.mark.parametrize(("seed", "n", "share", "dense"), [(1, 10, 0.5, False), (34, 6, 1, True), (0, 10, 1, False)])
def test_no_move_gains_more_than_the_bound_of_its_row(monkeypatch, seed, n, share, dense):
    best_move, pairs = kernel.best_move, np.triu(np.random.default_rng(seed).random((n, n)) < share, 1)

    def checked(*given):
        *before, bounds, tie = given
        for x in range(n):
            assert best_move(*before, np.where(np.arange(n) == x, np.inf, -np.inf), tie)[3] <= bounds[x]
        return best_move(*given)

    monkeypatch.setattr(kernel, "best_move", checked)
    known = {"arcs": arcs_within(pairs | pairs.T, None), "start": np.tril(~np.eye(n, dtype=bool)) if dense else None}
    assert tabu(Drawn(seed, n), tabu_length=3, max_worse=200, max_steps=200, **known).steps == 200


def test_calls_are_counted_as_requested():
    codes, levels = dependent(1, 200, (3,) * 6)
    learned = hill_climbing(bdeu(codes, levels))
    assert learned.calls >= 6 * 5 + 5 * learned.steps
    assert (learned.calls - 30) % 5 == 0


def test_a_start_and_a_limit_of_parents_are_kept():
    codes, levels = dependent(3, 200, (3,) * 6)
    score = bdeu(codes, levels)
    free = hill_climbing(score)
    again = hill_climbing(score, start=free.dag)
    assert again.steps == 0
    assert np.array_equal(again.dag, free.dag)
    assert hill_climbing(score, max_parents=1).dag.sum(0).max() <= 1
    cycle = np.zeros((6, 6), bool)
    cycle[0, 1] = cycle[1, 0] = True
    with pytest.raises(InputError, match="acyclic"):
        hill_climbing(score, start=cycle)


def test_a_search_that_does_not_end_says_so():
    codes, levels = dependent(3, 200, (3,) * 6)
    with pytest.raises(InputError, match="2 moves"):
        hill_climbing(bdeu(codes, levels), max_steps=2)
