"""What all methods of the loop promise, whatever their rule and their way to find thresholds."""

from functools import partial
from itertools import combinations_with_replacement

import numpy as np
import policy_twins as twin
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cutpoint.discretization.binning import equal_frequency
from cutpoint.discretization.encoding import encode
from cutpoint.discretization.exact import Exact, friedman_exact, monti_exact, steck_exact
from cutpoint.discretization.greedy import Greedy
from cutpoint.discretization.loop import Discretization, Neighbourhood, learn_discretization
from cutpoint.discretization.objectives import policy_score
from cutpoint.discretization.rules import RULES, friedman, monti, steck
from cutpoint.discretization.top_down import TopDown, tran_iterated, tran_onepass
from cutpoint.graphs.patterns import cpdag
from cutpoint.learners.greedy import hill_climbing
from cutpoint.learners.scores import bdeu

one_pass, iterated = partial(TopDown, iterated=False), partial(TopDown, iterated=True)
# By name of a method: the method, its rule and what finds the thresholds of a variable.
METHODS = {
    "friedman": (friedman, "friedman", Greedy),
    "monti": (monti, "monti", Greedy),
    "steck": (steck, "steck", Greedy),
    "friedman_exact": (friedman_exact, "friedman", Exact),
    "monti_exact": (monti_exact, "monti", Exact),
    "steck_exact": (steck_exact, "steck", Exact),
    "tran_onepass": (tran_onepass, "friedman", one_pass),
    "tran_iterated": (tran_iterated, "friedman", iterated),
}
each = pytest.mark.parametrize("name", METHODS)
few = settings(max_examples=4)
SEEDS = st.integers(0, 10_000)


def search(codes, levels):
    return hill_climbing(bdeu(codes, levels))


def random_case(seed, rows, n=5):
    """Values, thresholds without an empty level, a graph and the variables of codes."""
    rng = np.random.default_rng(seed)
    values, _, dag, discrete = twin.random_case(rng, rows=rows, n=n, arcs=0.7, ties=seed % 2 == 0)
    return values, equal_frequency(values, discrete, bins=2 + seed % 2), dag, discrete


def discretizer(name, values, discrete):
    _, rule, make = METHODS[name]
    return make(values, discrete, RULES[rule].kernel, RULES[rule].accepts)


@each
@few
@given(seed=SEEDS)
def test_learn_policy_ends_where_no_variable_gains(name, seed):
    values, thresholds, dag, discrete = random_case(seed, 50)
    policy, graph = Discretization(values, thresholds), Neighbourhood(dag)
    continuous = np.flatnonzero(~discrete).tolist()
    used = discretizer(name, values, discrete)
    learn_discretization(used, graph, policy, continuous)
    for method in (used, discretizer(name, values, discrete)):
        assert all(method.propose(i, graph, policy).thresholds is None for i in continuous)
    np.testing.assert_array_equal(policy.codes.T, encode(values, policy.thresholds))


@pytest.mark.parametrize("name", [name for name in METHODS if METHODS[name][1] != "monti"])  # its densities change
@few
@given(seed=SEEDS)
def test_increasing_transformations_change_no_run(name, seed):
    values, initial, _, discrete = random_case(seed, 50)
    learn = METHODS[name][0]
    learned = learn(values, discrete, initial=initial, search=search)
    bent = np.where(discrete, values, np.arctan(values / 3) * 50)
    other = learn(bent, discrete, initial=equal_frequency(bent, discrete, bins=2 + seed % 2), search=search)
    np.testing.assert_array_equal(encode(bent, other.thresholds), encode(values, learned.thresholds))
    np.testing.assert_array_equal(other.dag, learned.dag)


@each
def test_what_a_run_reports(name):
    values, initial, _, discrete = random_case(2, 150, n=6)
    learn, rule, _ = METHODS[name]
    searches, seen = [], set()

    def counted(codes, levels):
        assert codes.tobytes() not in seen  # a search of the same codes is looked up
        seen.add(codes.tobytes())
        searches.append(search(codes, levels))
        return searches[-1]

    learned = learn(values, discrete, initial=initial, search=counted)
    looked_up = learned.iterations + 1 - len(searches)
    assert 0 <= looked_up <= 2
    calls = [result.calls for result in searches]
    more = combinations_with_replacement(calls, looked_up)  # what is looked up was requested, but not computed
    assert learned.score_calls in {sum(calls) + sum(again) for again in more}
    assert learned.evaluations == sum(result.evaluations for result in searches)
    np.testing.assert_array_equal(learned.cpdag, cpdag(learned.dag))
    value = policy_score(values, learned.thresholds, learned.dag, rule, discrete=discrete)
    assert learned.score == pytest.approx(-value if rule == "friedman" else value)
    for i in np.flatnonzero(discrete):
        np.testing.assert_array_equal(learned.thresholds[i], initial[i])


@each
def test_constant_and_discrete_columns_alone_leave_nothing_to_do(name):
    values, discrete = np.column_stack([np.ones(30), np.arange(30) % 3]), np.array([False, True])
    learned = METHODS[name][0](values, discrete, initial=equal_frequency(values, discrete, bins=3), search=search)
    assert learned.discretization_calls == 0
    assert not learned.dag.any()
    assert len(learned.thresholds[0]) == 0
