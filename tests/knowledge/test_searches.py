"""Every search honours what is known of the arcs; the exact one finds the best graph that does, against enumeration."""

import numpy as np
import pytest
from families import dependent, make
from hypothesis import given
from hypothesis import strategies as st
from references import enumerate_dags

from cutpoint.base.errors import InputError
from cutpoint.graphs.dags import is_dag
from cutpoint.graphs.patterns import cpdag
from cutpoint.knowledge.arcs import Arcs
from cutpoint.learners import scores
from cutpoint.learners.boss import boss
from cutpoint.learners.constraint import pc_correlations, pc_fisherz, pc_g2
from cutpoint.learners.exact import exact
from cutpoint.learners.ges import ges
from cutpoint.learners.greedy import hill_climbing, tabu
from cutpoint.learners.order import order_search
from cutpoint.learners.scores import network_score

SEARCHES = {
    "hill_climbing": lambda score, **more: hill_climbing(score, **more),
    "hc_stable": lambda score, **more: hill_climbing(score, order="stable", **more),
    "tabu": lambda score, **more: tabu(score, **more),
    "tabu_stable": lambda score, **more: tabu(score, order="stable", **more),
    "tabu_graphs": lambda score, **more: tabu(score, tabu_list="graphs", **more),
    "order_search": lambda score, **more: order_search(score, restarts=3, max_worse=50, **more),
    "boss": lambda score, **more: boss(score, restarts=2, **more),
    "boss_columns": lambda score, **more: boss(score, order="columns", **more),
    "ges": lambda score, **more: ges(score, tries=5, **more),
    "exact": exact,
}


def drawn_arcs(seed, n, limited=True):
    """Return random arcs that some graph honours."""
    rng = np.random.default_rng(seed)
    place = rng.permutation(n)
    ordered = place[:, None] < place
    required = ordered & (rng.random((n, n)) < 0.25)
    required[:, required.sum(axis=0) > 3] = False  # more parents than some searches take
    allowed = (required | (rng.random((n, n)) < 0.6)) & ~required.T
    np.fill_diagonal(allowed, False)
    most = int(required.sum(axis=0).max()) + int(rng.integers(2)) if limited and rng.random() < 0.5 else None
    return Arcs(allowed, required, [f"x{i}" for i in range(n)], most)


def honours(arcs, dag):
    """Return whether a DAG has all that is required, nothing that is not allowed, and not too many parents."""
    few = arcs.max_parents is None or dag.sum(axis=0).max(initial=0) <= arcs.max_parents
    return bool(few and not (dag & ~arcs.allowed).any() and not (arcs.required & ~dag).any())


@given(st.integers(0, 10_000), st.integers(1, 4), st.sampled_from(["bdeu", "bic", "k2", "kgv", "gaussian"]))
def test_the_exact_search_finds_the_best_graph_that_honours_them(seed, n, kind):
    score = make(kind, seed, 60, np.random.default_rng(seed).integers(2, 4, n))
    arcs = drawn_arcs(seed, n)
    best = max(network_score(score, dag) for dag in enumerate_dags(n) if honours(arcs, dag))
    learned = exact(score, max_parents=None, arcs=arcs)
    assert honours(arcs, learned.dag)
    assert learned.score == pytest.approx(best, abs=n * score.epsilon)
    assert network_score(score, learned.dag) == pytest.approx(learned.score)


@given(st.integers(0, 10_000), st.integers(1, 9), st.sampled_from([*SEARCHES]))
def test_no_search_leaves_them(seed, n, search):
    codes, levels = dependent(seed, 80, np.full(n, 2))
    arcs, score = drawn_arcs(seed, n), scores.bdeu(codes, levels)
    learned = SEARCHES[search](score, arcs=arcs)
    assert is_dag(learned.dag)
    assert honours(arcs, learned.dag)
    pattern = arcs.oriented(cpdag(learned.dag))
    assert (learned.dag & ~pattern).sum() == 0  # the graph is one of its pattern
    assert not (pattern & ~pattern.T & ~arcs.allowed).any()
    assert not (arcs.required & pattern.T).any()


@given(st.integers(0, 10_000), st.integers(2, 4))
def test_the_order_search_finds_what_enumeration_finds_on_few_variables(seed, n):
    codes, levels = dependent(seed, 60, np.full(n, 2))
    arcs, score = drawn_arcs(seed, n), scores.bdeu(codes, levels)
    learned = order_search(score, max_parents=None, arcs=arcs)
    assert learned.score == pytest.approx(exact(score, max_parents=None, arcs=arcs).score, abs=n * score.epsilon)


@given(st.integers(0, 10_000), st.integers(2, 4))
def test_the_oriented_pattern_is_the_union_of_the_class_that_honours_them(seed, n):
    arcs = drawn_arcs(seed, n, limited=False)
    allowed = [dag for dag in enumerate_dags(n) if honours(arcs, dag)]
    dag = allowed[seed % len(allowed)]
    alike = [other for other in allowed if np.array_equal(cpdag(other), cpdag(dag))]
    np.testing.assert_array_equal(arcs.oriented(cpdag(dag)), np.any(alike, axis=0))


@given(st.integers(0, 10_000), st.integers(2, 7), st.sampled_from(["fisherz", "g2"]))
def test_pc_has_neighbours_and_directions_as_known(seed, n, test):
    codes, levels = dependent(seed, 200, np.full(n, 2))
    arcs = drawn_arcs(seed, n)
    if test == "g2":
        pattern = pc_g2(codes, levels, arcs=arcs).cpdag
    else:
        pattern = pc_fisherz(codes + np.random.default_rng(seed).normal(size=codes.shape), levels > 9, arcs=arcs).cpdag
    edges, directed = pattern | pattern.T, pattern & ~pattern.T
    assert not (edges & ~(arcs.allowed | arcs.allowed.T)).any()
    assert not (arcs.required & ~directed).any()
    assert not (directed & ~arcs.allowed).any()


def test_what_pc_never_tested_makes_no_collider():
    chain = np.array([[1, 0.7, 0.49], [0.7, 1, 0.7], [0.49, 0.7, 1.0]])  # 0 - 1 - 2, the ends dependent
    allowed = ~np.eye(3, dtype=bool)
    allowed[0, 2] = allowed[2, 0] = False
    pattern = pc_correlations(chain, 1000, arcs=Arcs(allowed, np.zeros((3, 3), bool), list("abc"))).cpdag
    assert np.argwhere(pattern).tolist() == [[0, 1], [1, 0], [1, 2], [2, 1]]


@pytest.mark.parametrize("search", [hill_climbing, tabu, order_search, boss])
def test_a_start_against_them_is_refused(search):
    codes, levels = dependent(0, 60, (2, 2, 2))
    required = np.zeros((3, 3), bool)
    required[0, 1] = True
    arcs = Arcs(~np.eye(3, dtype=bool) & ~required.T, required, list("abc"))
    with pytest.raises(InputError, match=r"start: the graph lacks the arc a -> b"):
        search(scores.bdeu(codes, levels), start=np.zeros((3, 3), bool), arcs=arcs)
    start = required.copy()
    start[1, 2] = True
    assert search(scores.bdeu(codes, levels), start=start, arcs=arcs).dag[0, 1]


def test_a_limit_below_the_required_parents_is_refused():
    codes, levels = dependent(0, 60, (2, 2, 2))
    required = np.zeros((3, 3), bool)
    required[:2, 2] = True
    arcs = Arcs(~np.eye(3, dtype=bool) & ~required.T, required, list("abc"))
    for search in SEARCHES.values():
        with pytest.raises(InputError, match=r"required: 2 of the parents of c, and max_parents is 1"):
            search(scores.bdeu(codes, levels), max_parents=1, arcs=arcs)
