"""Hill climbing and tabu search against a slow climber and against what they promise."""

import numpy as np
import pytest
import references
from families import dependent

from cutpoint.base.errors import InputError
from cutpoint.graphs.patterns import cpdag
from cutpoint.kernels import search as kernel
from cutpoint.learners.greedy import hill_climbing
from cutpoint.learners.scores import bdeu, network_score


def slow_climb(score, n):
    """Climb over whole graphs, each scored afresh; the best neighbour, the first of equals."""
    dag, total = np.zeros((n, n), bool), None
    total = network_score(score, dag)
    while True:
        best, chosen = total + score.epsilon, None
        for _, _, _, arcs in references.neighbours(dag):
            other = np.zeros((n, n), bool)
            for x, y in arcs:
                other[x, y] = True
            value = network_score(score, other)
            if value > best + 1e-6:
                best, chosen = value, other
        if chosen is None:
            return dag, total
        dag, total = chosen, best


@pytest.mark.parametrize("seed", range(6))
def test_hill_climbing_equals_the_slow_one(seed):
    codes, levels = dependent(seed, 200, (3,) * 4)
    score = bdeu(codes, levels)
    learned = hill_climbing(score)
    dag, total = slow_climb(score, 4)
    assert learned.score == pytest.approx(total, abs=1e-6) == network_score(score, learned.dag)
    assert np.array_equal(cpdag(learned.dag), cpdag(dag))


def test_calls_are_counted_as_requested():
    codes, levels = dependent(1, 200, (3,) * 6)
    learned = hill_climbing(bdeu(codes, levels))
    assert learned.calls >= 6 * 5 + 5 * learned.steps
    assert (learned.calls - 30) % 5 == 0


def test_legal_moves_equal_enumeration(rng):
    for _ in range(30):
        n = 5
        dag = np.triu(rng.random((n, n)) < 0.4, 1)
        order = rng.permutation(n)
        dag = dag[np.ix_(order, order)]
        legal = {(kind, x, y) for kind, x, y, _ in references.neighbours(dag)}
        reach = kernel.reachability(dag)
        for name, kind in (("add", kernel.ADD), ("delete", kernel.DELETE), ("reverse", kernel.REVERSE)):
            for x in range(n):
                for y in range(n):
                    if x == y:
                        continue
                    forbidden = np.ones((3, n, n), bool)
                    forbidden[kind, x, y] = False
                    move = kernel.best_move(dag, np.zeros((n, n), order="F"), reach, n, forbidden, 1e-6)
                    assert (move[0] == kind) == ((name, x, y) in legal)


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
