"""The search among few candidate parents against every family scored anew, the exact search and hill climbing."""

import numpy as np
import pytest
from families import grow_and_shrink

import cutpoint as cp
from cutpoint.graphs.dags import skeleton
from cutpoint.kernels import kgv as kernel
from cutpoint.knowledge.arcs import Arcs
from cutpoint.learners.greedy import hill_climbing
from cutpoint.learners.normal_scores import copula
from cutpoint.learners.order import exact
from cutpoint.learners.scores import network_score
from cutpoint.learners.sparse import _Candidates, sparse_gaussian


def lines(seed, records=300, n=6, arcs=7):
    """Return values [records, n] of a random graph of lines, and the graph."""
    rng = np.random.default_rng(seed)
    dag, values = np.zeros((n, n), bool), rng.standard_normal((records, n))
    while dag.sum() < arcs:
        dag[tuple(sorted(rng.choice(n, 2, replace=False)))] = True
    for child in range(n):
        parents = np.flatnonzero(dag[:, child])
        slopes = rng.uniform(0.4, 0.9, len(parents)) * rng.choice([-1, 1], len(parents))
        values[:, child] += values[:, parents] @ slopes
    return values, dag


def mixed(seed):
    values = lines(seed)[0]
    values[:, 2] = np.digitize(values[:, 2], [-0.5, 0.5])
    return copula(values, np.arange(6) == 2).corrected()


@pytest.mark.parametrize("cost", [0.0, 2.0])
def test_the_graph_of_an_order_is_that_of_growing_and_shrinking(cost):
    score = mixed(0)
    among = _Candidates(score, 5, None, cost, None)
    for seed in range(5):
        order = np.random.default_rng(seed).permutation(6)
        chosen, gains = kernel.graph_of_order(among.graph, order, among.limits)
        for place, child in enumerate(order.tolist()):
            before = [x for x in order[:place] if x in among.candidate[among.child == child]]
            expected = grow_and_shrink(score, child, before, cost=cost)
            assert among.candidate[chosen & (among.child == child)].tolist() == expected
            assert gains[child] == pytest.approx(score.family(child, expected) - cost * len(expected))


def test_a_walk_ends_where_no_move_of_one_variable_betters_the_graph_of_the_order():
    among = _Candidates(mixed(1), 5, None, 1.0, None)

    def total(order):
        return kernel.graph_of_order(among.graph, np.array(order), among.limits)[1].sum()

    order = np.random.default_rng(0).permutation(6)
    before, gains = total(order), kernel.graph_of_order(among.graph, order, among.limits)[1]
    assert kernel.walk_among(among.graph, among.used, order, gains, np.ones(6, bool), among.limits) > 0
    assert gains.sum() > before
    assert gains.sum() == pytest.approx(total(order))
    for variable in range(6):
        others = order[order != variable]
        assert max(total(np.insert(others, p, variable)) for p in range(6)) <= gains.sum() + among.limits[-1]


@pytest.mark.parametrize("seed", range(4))
def test_of_few_sparse_variables_the_graph_is_that_of_the_exact_search(seed):
    data = lines(seed, records=2000, arcs=5)[0], np.zeros(6, bool)
    score, found = copula(*data).corrected(), sparse_gaussian(*data, penalty=0.0, restarts=10)
    assert found.score == pytest.approx(network_score(score, found.dag))
    assert found.score == pytest.approx(exact(score, max_parents=5).score)


@pytest.mark.parametrize("seed", range(2))
def test_the_score_is_not_below_that_of_hill_climbing_by_one_percent(seed):
    data = lines(seed, n=50, arcs=100)[0], np.zeros(50, bool)
    assert sparse_gaussian(*data, penalty=0.0).score > 0.99 * hill_climbing(copula(*data).corrected()).score


def test_of_hundreds_of_columns_nearly_all_edges_are_found_and_few_others():
    values, dag = lines(5, records=500, n=300, arcs=400)
    found, true = skeleton(cp.learn(values, "sparse_gaussian").dag), skeleton(dag)
    assert 2 * (found & true).sum() / (found.sum() + true.sum()) > 0.9


def test_knowledge_and_limits_hold():
    values = lines(3)[0]
    none = np.zeros(6, bool)
    known = sparse_gaussian(values, none, penalty=0.0, max_candidates=2).dag
    allowed, required = ~np.eye(6, dtype=bool) & ~known, np.zeros((6, 6), bool)
    required[5, 0] = required[4, 0] = True
    allowed[0, [4, 5]] = False
    arcs = Arcs(allowed | required, required, list("abcdef"))
    learned = sparse_gaussian(values, none, penalty=0.0, arcs=arcs, max_parents=2).dag
    assert not (learned & ~arcs.allowed).any()
    assert learned[required].all()
    assert known.sum(axis=0).max() <= 2 >= learned.sum(axis=0).max()
