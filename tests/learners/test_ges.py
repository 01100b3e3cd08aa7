"""Greedy equivalence search against the classes next to a class, found by listing all graphs."""

from functools import cache

import numpy as np
import pytest
from families import make
from hypothesis import given
from hypothesis import strategies as st
from references import enumerate_dags

import cutpoint as cp
from cutpoint.base.errors import InputError
from cutpoint.graphs.dags import is_dag
from cutpoint.graphs.patterns import cpdag
from cutpoint.learners.exact import exact
from cutpoint.learners.ges import EquivalenceClass, Families, ges
from cutpoint.learners.greedy import hill_climbing
from cutpoint.learners.scores import network_score

LEVELS = (2, 3, 2, 2)


@cache
def members():
    """Return the graphs of each class over four variables, by the bytes of its pattern."""
    classes: dict[bytes, list[np.ndarray]] = {}
    for dag in enumerate_dags(4):
        classes.setdefault(cpdag(dag).tobytes(), []).append(dag)
    return classes


def next_to(pattern, inserts):
    """Return the patterns that one arc more, or less, in some graph of a class leads to."""
    classes = set()
    for dag in members()[pattern.tobytes()]:
        for i, j in np.argwhere(~(dag | dag.T) if inserts else dag):
            other = dag.copy()
            other[i, j] = inserts
            if i != j and is_dag(other):
                classes.add(cpdag(other).tobytes())
    return classes


@pytest.mark.parametrize("inserts", [False, True])
@given(place=st.integers(0, 184), kind=st.sampled_from(["bdeu", "bic", "gaussian"]))
def test_valid_operators_lead_to_all_classes_next_to_one_and_their_gains_are_differences(inserts, place, kind):
    score = make(kind, seed=1, levels=LEVELS)
    graphs = list(members().values())[place]
    pattern = cpdag(graphs[0])
    score.epsilon = -np.inf  # so that insertions that lose are listed too
    here = EquivalenceClass(Families(score), graphs[0], 4, None)
    results = {op: here.applied(op) for op in here.operators(inserts)}
    valid = {op: cpdag(other) for op, other in results.items() if other is not None}
    assert {other.tobytes() for other in valid.values()} == next_to(pattern, inserts)
    for op, other in valid.items():
        after = network_score(score, members()[other.tobytes()][0])
        assert -op.loss == pytest.approx(after - network_score(score, graphs[0]), abs=1e-6)


@given(seed=st.integers(0, 500), kind=st.sampled_from(["bdeu", "bic", "gaussian"]))
def test_no_class_next_to_the_result_is_better(seed, kind):
    score = make(kind, seed, levels=LEVELS)
    learned = ges(score)
    assert learned.score == pytest.approx(network_score(score, learned.dag))
    for inserts in (False, True):
        for other in next_to(cpdag(learned.dag), inserts):
            assert network_score(score, members()[other][0]) <= learned.score + score.epsilon
    assert learned.score <= exact(score).score + 1e-6


def test_it_is_seldom_below_hill_climbing_and_mostly_the_optimum():
    lost = [make("bic", seed, 200, (2, 3, 2, 2, 3, 2)) for seed in range(30)]
    totals = [(ges(s).score, hill_climbing(s).score, exact(s, max_parents=None).score) for s in lost]
    assert sum(own >= climbed - 1e-6 for own, climbed, _ in totals) == 30
    assert sum(own >= best - 1e-6 for own, _, best in totals) >= 27


def test_networks_are_learned():
    network = cp.network("child")
    codes = cp.sample(network, n=5000, seed=1)
    assert cp.shd(cp.ges(codes, "bic"), network.dag, "standard") <= 2
    limited = cp.ges(codes, "bic", max_parents=1, tries=0)
    assert limited.dag.sum(axis=0).max() == 1
    mixed = cp.learn(codes + 0.0, "ges_gaussian", discrete=["x0"])
    assert mixed.cpdag.any()


def test_knowledge_holds():
    codes = cp.sample(cp.network("asia"), n=2000, seed=1)
    knowledge = cp.Knowledge(required=["x0 -> x3"], forbidden=["x2 -> x4"], tiers=[["x7"], ["x5"]])
    learned = cp.ges(codes, "bdeu", knowledge=knowledge)
    assert learned.dag[0, 3]
    assert not learned.dag[2, 4] | learned.dag[5, 7]
    assert learned.score >= cp.hill_climb(codes, "bdeu", knowledge=knowledge).score - 5


def test_wrong_input_is_named():
    with pytest.raises(InputError, match="acyclic"):
        ges(make("bic"), start=~np.eye(5, dtype=bool))
