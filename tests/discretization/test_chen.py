"""Thresholds by Vogel's and by Chen's scores against slow twins and what their authors print."""

import math
import os
from collections import Counter
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from policy_twins import children_of, encode, parents_of
from references import bdeu, counts, random_dag

from cutpoint.base.checking import read_yaml
from cutpoint.data.download import fetch
from cutpoint.data.registry import load_registry, parse
from cutpoint.discretization.binning import equal_frequency
from cutpoint.discretization.chen import Bayesian, Occurring, chen, discretize_in_turns, first_levels, learn_in_orders
from cutpoint.discretization.loop import Discretization, Neighbourhood
from cutpoint.discretization.rules import VogelDiscretizer, vogel_score
from cutpoint.kernels.blankets import STECK
from cutpoint.learners.order import k2_search
from cutpoint.learners.scores import k2

MIRROR = os.environ.get("CUTPOINT_MIRROR")
REGISTRY = Path(__file__).parents[2] / "config" / "datasets.yaml"
AUTHORS = read_yaml(Path(__file__).parent / "chen_authors.yaml")
NAMES, KNOWN, LEARNED = (AUTHORS[key] for key in ("names", "known", "learned"))


def graph_of(families, n=8):
    dag = np.zeros((n, n), bool)
    for *parents, child in families:
        dag[[p - 1 for p in parents], child - 1] = True
    return dag


def search(codes, levels, start, after_move):
    return k2_search(k2(codes, levels), after_move=lambda dag: k2(*after_move(dag)))


@pytest.fixture(scope="module")
def cars():
    if MIRROR is None:
        pytest.skip("no folder with the real files: set CUTPOINT_MIRROR")
    entry = load_registry(REGISTRY)["cars1"]
    table = parse(entry, fetch(entry, mirror=Path(MIRROR)).files)
    values = np.column_stack([table.values[:, table.variables.index(name)] for name in NAMES])
    discrete = np.isin(NAMES, ["cylinders", "model_year", "origin"])
    for i in np.flatnonzero(discrete):
        values[:, i] = np.unique(values[:, i], return_inverse=True)[1]
    return values, discrete


def test_the_authors_thresholds_of_a_known_graph(cars):
    values, discrete = cars
    discretizer = Bayesian(values, discrete, bins=first_levels(values, discrete), candidates=None)
    discretization = Occurring(values, discretizer.first)
    last_first = [family[-1] - 1 for family in reversed(KNOWN["families"]) if not discrete[family[-1] - 1]]
    discretize_in_turns(discretizer, discretization, Neighbourhood(graph_of(KNOWN["families"])), last_first, 8)
    assert {name: discretization.thresholds[NAMES.index(name)].tolist() for name in KNOWN["cuts"]} == KNOWN["cuts"]


def test_the_authors_graph_and_thresholds_of_a_known_order(cars):
    values, discrete = cars
    discretizer = Bayesian(values, discrete, bins=first_levels(values, discrete), candidates=None)
    learned = learn_in_orders(discretizer, values, discrete, search, [np.array(LEARNED["order"]) - 1], 5)
    assert np.array_equal(learned.dag, graph_of(LEARNED["families"]))
    assert {name: learned.thresholds[NAMES.index(name)].tolist() for name in LEARNED["cuts"]} == LEARNED["cuts"]


def posterior(x, cuts, codes, levels, dag, variable):
    """Return the log posterior of the thresholds of one variable as the docstring of the module has it."""
    ordered, rate = sorted(x), max(levels)
    gaps = [(a, b, rate * (b - a) / (ordered[-1] - ordered[0])) for a, b in pairwise(ordered)]
    total = sum(math.log(-math.expm1(-d)) if any(a < t <= b for t in cuts) else -d for a, b, d in gaps)
    codes = np.array(codes)
    codes[:, variable] = [sum(t <= value for t in cuts) for value in x]
    n = range(len(levels))
    parents = [p for p in n if dag[p][variable]]
    j = math.prod(levels[p] for p in parents)
    for row in counts(np.column_stack([codes, np.zeros(len(x), int)]), len(levels), [variable, *parents]).items():
        total += math.lgamma(row[1][0] + 1)
    for level in set(codes[:, variable].tolist()):
        size = int(np.sum(codes[:, variable] == level))
        total += math.lgamma(j) - math.lgamma(size + j)
    for child in (c for c in n if dag[variable][c]):
        for row in counts(codes, child, [p for p in n if dag[p][child]]).values():
            total += math.lgamma(levels[child]) - math.lgamma(sum(row.values()) + levels[child])
            total += sum(math.lgamma(count + 1) for count in row.values())
    return total


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32), ties=st.booleans())
def test_the_thresholds_are_the_best_of_all_lists(seed, ties):
    rng = np.random.default_rng(seed)
    n, rows = 4, int(rng.integers(2, 10))
    values = rng.integers(0, 3, (rows, n)).astype(float)
    values[:, 0] = np.round(rng.exponential(2.0, rows), 0 if ties else 6)
    values = np.column_stack([np.unique(x, return_inverse=True)[1] if i else x for i, x in enumerate(values.T)])
    discrete, dag = np.arange(n) > 0, random_dag(rng, n, 0.7)
    if not (dag[0].any() or dag[:, 0].any()):
        dag[0, 1] = True
    discretizer = Bayesian(values, discrete, bins=3, candidates=None)
    discretization = Occurring(values, discretizer.first)
    codes, levels = discretization.codes.T, discretization.levels.tolist()
    cuts = discretizer.propose(0, Neighbourhood(dag), discretization).thresholds
    distinct = np.unique(values[:, 0])
    middles = (distinct[1:] + distinct[:-1]) / 2
    every = (some for k in range(len(middles) + 1) for some in combinations(middles, k))
    if not middles.size:
        assert not cuts.size
        return
    best = max(posterior(values[:, 0], some, codes, levels, dag, 0) for some in every)
    assert posterior(values[:, 0], cuts.tolist(), codes, levels, dag, 0) == pytest.approx(best, abs=1e-6)


def test_fewer_candidates_are_spread_by_rank_and_all_of_them_are_the_default_for_few_values():
    rng = np.random.default_rng(2)
    values = rng.standard_normal((300, 2))
    values[:, 1] = values[:, 0] > 0.3
    discrete, graph = np.array([False, True]), Neighbourhood(np.triu(np.ones((2, 2), bool), 1))
    lists = []
    for candidates in (None, 1000, 299, 30):
        discretizer = Bayesian(values, discrete, bins=2, candidates=candidates)
        lists.append(discretizer.propose(0, graph, Occurring(values, discretizer.first)))
    assert [proposal.calls for proposal in lists] == [299, 299, 299, 30]
    assert all(np.array_equal(lists[0].thresholds, other.thresholds) for other in lists[1:3])
    assert abs(lists[3].thresholds[0] - 0.3) < 0.2
    assert abs(lists[0].thresholds[0] - 0.3) < 0.02


def test_variables_without_neighbours_have_equal_widths_and_constant_ones_a_single_level():
    rng = np.random.default_rng(4)
    values = np.column_stack([rng.random((200, 2)), np.full(200, 3.0), rng.integers(0, 4, 200)])
    learned = chen(values, np.arange(4) == 3, search=search, orders=2)
    assert not learned.dag[:2].any()
    assert [len(cuts) for cuts in learned.thresholds] == [3, 3, 0, 3]


def test_more_orders_never_have_a_lower_score_and_the_seed_decides():
    rng = np.random.default_rng(5)
    values = rng.standard_normal((150, 5)).cumsum(axis=1)
    none = np.zeros(5, bool)
    scores = [chen(values, none, search=search, orders=k).score for k in (1, 2, 4, 8)]
    assert scores == sorted(scores)
    one, other, again = (chen(values, none, search=search, orders=1, seed=seed) for seed in (1, 2, 1))
    assert np.array_equal(one.dag, again.dag)
    assert not np.array_equal(one.dag, other.dag)


def own_term(levels):
    return sum(m * math.log(1 / m) for m in Counter(levels).values())


def slow_score(values, thresholds, dag, discrete):
    rows, r = encode(values, thresholds), [len(t) + 1 for t in thresholds]
    total = sum(bdeu(rows, r, i, parents_of(dag, i), 1.0) for i in range(len(dag)))
    return total + sum(own_term([row[i] for row in rows]) for i in range(len(dag)) if not discrete[i])


def slow_list(values, thresholds, dag, i):
    """Return the thresholds of one variable, added one by one while its part of the score rises."""
    distinct = sorted(set(values[:, i].tolist()))
    candidates = [(a + b) / 2 for a, b in pairwise(distinct)]

    def score(cuts):
        lists = [*thresholds[:i], sorted(cuts), *thresholds[i + 1 :]]
        rows, r = encode(values.tolist(), lists), [len(t) + 1 for t in lists]
        families = sum(bdeu(rows, r, j, parents_of(dag, j), 1.0) for j in [i, *children_of(dag, i)])
        return families + own_term([row[i] for row in rows])

    cuts, reached = [], score([])
    while len(cuts) < len(candidates):
        scores = {t: score([*cuts, t]) for t in candidates if t not in cuts}
        best = next(t for t in scores if scores[t] > max(scores.values()) - 1e-7)
        if scores[best] <= reached + 1e-6:
            break
        cuts, reached = [*cuts, best], scores[best]
    return sorted(cuts)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_thresholds_and_score_are_their_slow_twins(seed):
    rng = np.random.default_rng(seed)
    values = np.round(rng.standard_normal((25, 3)).cumsum(axis=1), 1)
    values[:, 2] = values[:, 2] > 0
    discrete, dag = np.arange(3) == 2, random_dag(rng, 3, 0.8)
    initial = equal_frequency(values, discrete, bins=2)
    discretization = Discretization(values, initial)
    discretizer = VogelDiscretizer(values, discrete, STECK)
    proposal = discretizer.propose(0, Neighbourhood(dag), discretization)
    expected = slow_list(values, [cuts.tolist() for cuts in initial], dag, 0)
    if proposal.thresholds is None:  # the first list is as good or better
        changed = [np.array(expected), *initial[1:]]
        assert slow_score(values, changed, dag, discrete) <= slow_score(values, initial, dag, discrete) + 1e-5
    else:
        np.testing.assert_allclose(proposal.thresholds, expected)
        discretization.replace(0, proposal.thresholds)
    score = vogel_score(discretization, dag, discrete, 1.0)
    assert score == pytest.approx(slow_score(values, discretization.thresholds, dag, discrete))
