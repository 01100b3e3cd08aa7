"""The exact search against enumeration, never below the others; searches over orders and K2's."""

from functools import cache

import numpy as np
import pytest
from families import DISCRETE, LEVELS, all_families, dependent, make
from hypothesis import given
from hypothesis import strategies as st
from references import enumerate_dags
from references import k2 as k2_family

from cutpoint.base.errors import InputError
from cutpoint.graphs.dags import is_dag
from cutpoint.kernels import orders as kernel
from cutpoint.learners import scores
from cutpoint.learners.greedy import hill_climbing
from cutpoint.learners.order import best_dag_of_order, exact, k2_search, order_search
from cutpoint.learners.parents import candidate_parents, most_parents
from cutpoint.learners.scores import bdeu, k2, network_score


@cache
def parent_masks(n):
    """Return the parents of each variable in every DAG, one bit a parent, int64 [DAGs, n]."""
    return np.array([(1 << np.arange(n)) @ dag for dag in enumerate_dags(n)])


def best_of_all(score, max_parents=None):
    """Return the highest score of any DAG."""
    n = score.n
    limit = n - 1 if max_parents is None else max_parents
    table = np.full((n, 1 << n), -np.inf)
    for child, family in enumerate(all_families(score, limit)):
        for members, value in family.items():
            table[child, sum(1 << p for p in members)] = value
    return table[np.arange(n), parent_masks(n)].sum(axis=1).max()


@pytest.mark.parametrize("kind", [*DISCRETE, "gaussian", "kgv"])
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_nothing_beats_it_among_all_graphs_of_five_variables(kind, seed):
    score = make(kind, seed)
    learned = exact(score)
    assert is_dag(learned.dag)
    assert learned.score == pytest.approx(network_score(score, learned.dag))
    assert learned.score == pytest.approx(best_of_all(score), abs=10 * score.epsilon)


@pytest.mark.parametrize("max_parents", [0, 1, 2])
def test_the_limit_of_parents_is_kept_and_used(max_parents):
    score = make("aic", 4)
    learned = exact(score, max_parents=max_parents)
    assert learned.dag.sum(axis=0).max() <= max_parents
    assert learned.score == pytest.approx(best_of_all(score, max_parents), abs=1e-5)
    assert learned.steps == 2**5


@pytest.mark.parametrize("low", [0, 1, 3, 6])
def test_blocks_change_nothing(low):
    sets = candidate_parents(scores.aic(*dependent(8, levels=(*LEVELS[:4], 2, 3, 2))), max_parents=None)
    whole, blocks = np.empty(2**7), np.empty(2**7)
    sinks = np.zeros((2, 2**7), np.uint8)
    kernel.best_sinks(sets.first, sets.masks, sets.scores, 7, 1e-6, whole, sinks[0])
    kernel.best_sinks(sets.first, sets.masks, sets.scores, low, 1e-6, blocks, sinks[1])
    assert blocks == pytest.approx(whole, abs=1e-5)
    assert all(subset >> sink & 1 for subset, sink in enumerate(sinks[1].tolist()) if subset)


def test_one_variable_and_constant_columns():
    assert exact(scores.bic(*dependent(1, levels=(3,)))).dag.tolist() == [[False]]
    codes, levels = dependent(1)
    codes[:, 2], levels[2] = 0, 1
    learned = exact(scores.bdeu(codes, levels))
    assert not learned.dag[2].any()
    assert not learned.dag[:, 2].any()


def test_too_many_variables_are_refused_before_anything_starts():
    codes = np.zeros((10, 40), np.int32)
    score = scores.bic(codes, np.full(40, 2))
    with pytest.raises(InputError, match=r"40 variables need 9895605 MB .* 28 variables would fit"):
        exact(score)
    small = scores.bic(*dependent(1))
    with pytest.raises(InputError, match=r"5 variables need 0.00029 MB and memory_mb is 1e-06; none would fit"):
        exact(small, memory_mb=1e-6)
    exact(small, memory_mb=0.1)


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
    sets = candidate_parents(scores.bic(*dependent(1)))
    for order in ([0, 1, 2, 3], [0, 1, 2, 3, 3], [1, 2, 3, 4, 5]):
        with pytest.raises(InputError, match="permutation of 0 to 4"):
            best_dag_of_order(sets, np.array(order))


def slow(codes, cardinalities, most):
    """Return the parents of every variable, one after the other by the score of the whole family."""
    sets = []
    for child in range(codes.shape[1]):
        parents, reached = [], k2_family(codes, cardinalities, child, [])
        while len(parents) < most:
            scores = {
                p: k2_family(codes, cardinalities, child, [*parents, p]) for p in range(child) if p not in parents
            }
            best = next((p for p in scores if scores[p] > max(scores.values()) - 1e-6), None)
            if best is None or scores[best] <= reached + 1e-6:
                break
            parents, reached = [*parents, best], scores[best]
        sets.append(sorted(parents))
    return sets


@given(seed=st.integers(0, 2**32), most=st.integers(0, 3))
def test_it_is_its_slow_twin(seed, most):
    rng = np.random.default_rng(seed)
    levels = rng.integers(1, 4, 4)
    codes = rng.integers(0, levels, (12, 4))
    codes[:, 3] = np.minimum(codes[:, 0] + codes[:, 1], levels[3] - 1)
    learned = k2_search(k2(codes, levels), max_parents=most)
    assert [np.flatnonzero(learned.dag[:, i]).tolist() for i in range(4)] == slow(codes, levels, most)
    assert learned.score == pytest.approx(
        sum(k2_family(codes, levels, i, np.flatnonzero(learned.dag[:, i])) for i in range(4))
    )
    assert learned.steps == learned.best_step == learned.dag.sum()


def test_after_a_move_the_score_to_beat_is_that_of_the_move():
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 2, (60, 3))
    codes[:, 2] = codes[:, 0] ^ (rng.random(60) < 0.1)
    levels = np.full(3, 2)
    graphs = []
    # From the first move on the last variable is constant: its families score 0, above all that was reached.
    constant = k2(codes * [1, 1, 0], np.array([2, 2, 1]))

    def after_move(dag):
        graphs.append(dag)
        return constant

    learned = k2_search(k2(codes, levels), after_move=after_move)
    assert [np.argwhere(dag).tolist() for dag in graphs] == [[[0, 2]], [[0, 2], [1, 2]]]
    assert learned.score == pytest.approx(constant.family(0, ()) + constant.family(1, ()))


def test_parents_come_first_and_their_number_has_no_limit_of_its_own():
    rng = np.random.default_rng(3)
    codes = rng.integers(0, 2, (400, 5))
    codes[:, 4] = codes[:, :4].sum(axis=1) > 1
    levels = np.full(5, 2)
    assert k2_search(bdeu(codes, levels), max_parents=None).dag[:, 4].sum() == 4
    assert k2_search(bdeu(codes, levels), max_parents=2).dag[:, 4].sum() == 2
    assert not np.tril(k2_search(bdeu(codes, levels)).dag).any()
