"""Order-based search against brute force and what it promises."""

import numpy as np
import pytest
from families import DISCRETE, all_families, dependent, make

from cutpoint.base.errors import InputError
from cutpoint.kernels import orders as kernel
from cutpoint.learners import scores
from cutpoint.learners.greedy import hill_climbing
from cutpoint.learners.order import best_dag_of_order, order_search
from cutpoint.learners.parents import candidate_parents, most_parents
from cutpoint.learners.scores import network_score

WIDE = (3, 2, 3, 4, 2, 3, 2, 3)


def total(sets, order):
    return sets.scores[kernel.best_rows(sets.first, sets.masks, order)].sum()


@pytest.mark.parametrize("kind", [*DISCRETE, "gaussian"])
def test_the_graph_of_an_order_is_its_best(kind):
    score = make(kind, seed=1)
    families = all_families(score, 4)
    sets = candidate_parents(score, max_parents=None)
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(5)
        best = sum(
            max(value for members, value in families[child].items() if set(members) <= set(order[:place].tolist()))
            for place, child in enumerate(order.tolist())
        )
        dag = best_dag_of_order(sets, order)
        assert network_score(score, dag) == pytest.approx(best, abs=5 * score.epsilon)
        place = np.argsort(order)
        assert all(place[x] < place[y] for x, y in np.argwhere(dag))
        complete = place[:, None] < place
        still = order_search(score, start=complete, max_parents=None, restarts=0, max_worse=0)
        assert np.array_equal(still.dag, dag)
        assert still.steps == 0


@pytest.mark.parametrize("seed", range(4))
def test_no_swap_of_neighbours_betters_the_result(seed):
    codes, levels = dependent(seed, levels=WIDE)
    sets = candidate_parents(scores.aic(codes, levels), max_parents=3)
    start = np.random.default_rng(seed).permutation(8)
    order, steps = kernel.walk(sets.first, sets.masks, sets.scores, start, np.zeros((8, 8), bool), 5, 20, 1e-6, 1e-6)
    best = total(sets, order)
    assert steps >= 20
    assert sorted(order.tolist()) == list(range(8))
    assert best >= total(sets, start)
    for p in range(7):
        other = order.copy()
        other[[p, p + 1]] = other[[p + 1, p]]
        assert total(sets, other) <= best + 1e-6


def test_the_seed_decides_and_more_restarts_never_lose():
    score = scores.aic(*dependent(5, levels=WIDE * 2))
    short = {"restarts": 0, "max_worse": 5, "seed": 3}
    once = order_search(score, **short)
    again = order_search(score, **short)
    assert np.array_equal(once.dag, again.dag)
    assert once.steps == again.steps
    assert len({order_search(score, **{**short, "seed": seed}).score for seed in range(5)}) > 1
    more = order_search(score, **{**short, "restarts": 10})
    assert more.score >= once.score
    assert more.steps > once.steps


def test_a_start_is_not_left_for_worse():
    score = scores.bic(*dependent(6, levels=WIDE))
    climbed = hill_climbing(score, max_parents=3)
    learned = order_search(score, start=climbed.dag, restarts=0, max_worse=3)
    assert learned.score >= climbed.score - 1e-6


def test_more_variables_than_a_word_has_bits():
    codes = np.random.default_rng(2).integers(0, 2, (100, 70)).astype(np.int32)
    for j in range(1, 70):
        codes[:80, j] = codes[:80, j - 1]
    score = scores.bic(codes, np.full(70, 2))
    learned = order_search(score, max_parents=1, restarts=3)
    assert learned.score >= hill_climbing(score, max_parents=1).score - 1e-6


def test_without_a_limit_sets_are_as_large_as_memory_allows():
    codes = np.random.default_rng(3).integers(0, 2, (150, 6)).astype(np.int32)
    codes[:, 5] = codes[:, :4].sum(axis=1) % 2
    score = scores.bic(codes, np.full(6, 2))
    assert order_search(score, restarts=3).dag.sum(axis=0).max() == 4 > most_parents(score, memory_mb=0.0055)
    assert order_search(score, restarts=3, memory_mb=0.0055).score < order_search(score, restarts=3).score


def test_wrong_input_is_named():
    score = scores.bic(*dependent(1))
    with pytest.raises(InputError, match="acyclic"):
        order_search(score, start=np.array(1 - np.eye(5), bool))
    sets = candidate_parents(score)
    for order in ([0, 1, 2, 3], [0, 1, 2, 3, 3], [1, 2, 3, 4, 5]):
        with pytest.raises(InputError, match="permutation of 0 to 4"):
            best_dag_of_order(sets, np.array(order))
