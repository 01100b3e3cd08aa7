"""Thresholds by the classes of neighbours: MDLP and MODL against their formulas, written slowly."""

import math
from collections import Counter
from functools import partial
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from references import slow_mdlp

from cutpoint.discretization.binning import equal_frequency
from cutpoint.discretization.class_criteria import divide_by_mdlp, divide_by_modl, divide_by_nml
from cutpoint.discretization.loop import Discretization, Neighbourhood
from cutpoint.discretization.supervised import Supervised, mdlp, modl, nml
from cutpoint.learners.complexity import log_complexities
from cutpoint.learners.greedy import hill_climbing
from cutpoint.learners.scores import bdeu


def labelled(seed, records, levels):
    """Return sorted values with ties and classes that follow some of them, from 0 without gaps."""
    rng = np.random.default_rng(seed)
    x = np.sort(rng.integers(0, levels * 3, records)).astype(float)
    y = np.where(rng.random(records) < 0.15, rng.integers(0, 3, records), np.sin(x).round().astype(int) + 1)
    return x, np.unique(y, return_inverse=True)[1]


def positions_of(x):
    return np.flatnonzero(np.diff(x) > 0) + 1


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32), records=st.integers(2, 80))
def test_mdlp_is_its_slow_twin(seed, records):
    x, y = labelled(seed, records, 5)
    cuts = divide_by_mdlp(y, positions_of(x))
    assert [(x[i - 1] + x[i]) / 2 for i in cuts] == slow_mdlp(x.tolist(), y.tolist())


def code_length(counts, several):
    """Return the stochastic complexity of the classes of a level, by normalized maximum likelihood."""
    size = sum(counts)
    return log_complexities(size, several)[-1] - sum(m * math.log(m / size) for m in counts)


def posterior(counts, several):
    """Return minus the log of a level's share of the posterior: of all shares of classes, and of all their orders."""
    size = sum(counts)
    orders = math.factorial(size) / math.prod(map(math.factorial, counts))
    return math.log(math.comb(size + several - 1, several - 1) * orders)


LISTS = {  # how lists are chosen, what choosing k thresholds costs, and what a level costs
    "nml": (partial(divide_by_nml, resolution=100.0), lambda records, places, k: math.comb(places, k), code_length),
    "modl": (divide_by_modl, lambda records, places, k: math.comb(records + k, k), posterior),
}


@pytest.mark.parametrize("name", LISTS)
@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32), records=st.integers(1, 60), most=st.integers(1, 5))
def test_no_other_list_is_better(name, seed, records, most):
    divide, choices, of_level = LISTS[name]
    x, y = labelled(seed, records, 3)
    several, places = max(y) + 1, positions_of(x)

    def length(cuts):
        levels = (Counter(y[first:last].tolist()).values() for first, last in pairwise([0, *cuts, records]))
        return math.log(choices(records, len(places), len(cuts))) + sum(of_level(each, several) for each in levels)

    every = [some for k in range(most) for some in combinations(places, k)]
    assert length(divide(y, places, max_levels=most).tolist()) == pytest.approx(min(map(length, every)), abs=1e-6)


def test_the_class_is_the_configuration_of_parents_and_children_and_not_of_spouses():
    rng = np.random.default_rng(0)
    x = rng.random(800)
    child, parent, spouse = x > 0.7, x > 0.2, x > 0.5
    values = np.column_stack([x, child, parent, spouse]).astype(float)
    dag = np.zeros((4, 4), bool)
    dag[0, 1] = dag[2, 0] = dag[3, 1] = True
    discrete = np.arange(4) > 0
    for divide in (divide_by_mdlp, divide_by_modl, partial(divide_by_nml, resolution=100.0)):
        discretization = Discretization(values, equal_frequency(values, discrete, bins=2))
        proposal = Supervised(values, discrete, divide, 5).propose(0, Neighbourhood(dag), discretization)
        np.testing.assert_allclose(proposal.thresholds, [0.2, 0.7], atol=0.01)


def test_lists_that_would_be_empty_and_variables_without_neighbours_keep_theirs():
    rng = np.random.default_rng(1)
    values = rng.random((300, 3))
    none = np.zeros(3, bool)
    graph = Neighbourhood(np.array([[0, 1, 0], [0, 0, 0], [0, 0, 0]], bool))
    discretization = Discretization(values, equal_frequency(values, none, bins=3))
    discretizer = Supervised(values, none, divide_by_mdlp, 5)
    assert [discretizer.propose(i, graph, discretization).thresholds for i in range(3)] == [None] * 3


def test_a_variable_is_discretized_no_more_than_max_cycles_times_under_one_graph():
    values = np.random.default_rng(2).random((50, 2))
    none, graph = np.zeros(2, bool), Neighbourhood(np.array([[0, 1], [0, 0]], bool))
    discretization = Discretization(values, equal_frequency(values, none, bins=2))
    discretizer = Supervised(values, none, divide_by_mdlp, 3)
    proposals = []
    for i in range(5):
        # each time another threshold, as two variables could make each other change for ever
        discretizer.divide = lambda classes, positions, i=i: positions[[i]]
        proposals.append(discretizer.propose(0, graph, discretization))
    assert [proposal.thresholds is None for proposal in proposals] == [False, False, False, True, True]
    other = Neighbourhood(graph.dag)
    assert discretizer.propose(0, other, discretization).thresholds is not None


@pytest.mark.parametrize("method", [mdlp, modl, nml])
def test_steps_of_a_dependence_are_found(method):
    rng = np.random.default_rng(3)
    x = rng.random((2000, 1))
    values = np.column_stack([x, np.digitize(x[:, 0], [0.1, 0.6]) + 0.2 * rng.standard_normal(2000)])
    none = np.zeros(2, bool)

    def search(codes, levels):
        return hill_climbing(bdeu(codes, levels))

    learned = method(values, none, initial=equal_frequency(values, none, bins=3), search=search)
    assert learned.dag.sum() == 1
    assert np.abs(learned.thresholds[0] - 0.1).min() < 0.02
    assert np.abs(learned.thresholds[0] - 0.6).min() < 0.02
