"""What all methods of the loop promise, whatever their rule and their way to find thresholds, and their scores."""

import math
from functools import partial
from itertools import combinations_with_replacement

import numpy as np
import policy_twins as twin
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cutpoint.base.errors import InputError
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


NAMES = ["friedman", "monti", "monti_total", "steck"]


def slow(name, values, thresholds, dag, ess, discrete):
    if name == "friedman":
        return twin.description_length(values, thresholds, dag, discrete)
    return getattr(twin, name)(values, thresholds, dag, ess, discrete)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("ess", [1.0, 3.5])
@pytest.mark.parametrize("seed", range(4))
def test_agrees_with_the_formulas(name, ess, seed):
    rng = np.random.default_rng(seed)
    values, thresholds, dag, discrete = twin.random_case(rng, rows=int(rng.integers(5, 60)), ties=seed % 2 == 0)
    fast = policy_score(values, thresholds, dag, name, ess=ess, discrete=discrete)
    lists = [t.tolist() for t in thresholds]
    assert fast == pytest.approx(slow(name, values.tolist(), lists, dag, ess, discrete), rel=1e-10, abs=1e-8)


@pytest.mark.parametrize("name", NAMES)
def test_many_parents(name):
    rng = np.random.default_rng(3)
    values = rng.standard_normal((40, 10))
    thresholds = [np.quantile(x, np.arange(1, 8) / 8) for x in values.T]
    dag = np.zeros((10, 10), bool)
    dag[:9, 9] = True  # 8 ** 9 configurations
    discrete = np.zeros(10, bool)
    lists = [t.tolist() for t in thresholds]
    expected = slow(name, values.tolist(), lists, dag, 1.0, discrete)
    assert policy_score(values, thresholds, dag, name) == pytest.approx(expected, rel=1e-10)


def mass_of_one_more_record(name):
    """Return the integral of what one more record adds to a score, over its value and state of a level."""
    values = np.array([[0.0, 4.0], [1.0, 12.0], [0.3, 0.0], [0.5, 8.0]])  # the range is held
    thresholds, dag = [np.array([0.4, 0.7]), np.array([5.0])], np.array([[False, True], [False, False]])
    before, points, mass = policy_score(values, thresholds, dag, name), np.linspace(0.0005, 0.9995, 1000), 0.0
    for value, width in ((0.0, 5.0), (12.0, 7.0)):
        after = [policy_score(np.vstack([values, [x, value]]), thresholds, dag, name) for x in points]
        mass += width * np.exp(np.array(after) - before).mean()
    return mass


def test_of_the_two_totals_of_monti_only_one_is_a_density():
    assert mass_of_one_more_record("monti_total") == pytest.approx(1, abs=1e-3)
    assert mass_of_one_more_record("monti") < 0.9


def test_one_level_everywhere():
    values = np.column_stack([np.random.default_rng(0).standard_normal((20, 2)), np.ones(20)])
    none, dag = [np.empty(0)] * 3, np.triu(np.ones((3, 3), bool), 1)
    assert policy_score(values, none, dag, "friedman") == pytest.approx(6 * math.log(3))
    assert policy_score(values, none, dag, "steck") == pytest.approx(-3 * math.lgamma(20))
    spread = np.ptp(values[:, :2], axis=0)  # a constant column has no density
    assert policy_score(values, none, dag, "monti") == pytest.approx(-20 * np.log(spread).sum())


def test_an_empty_level_is_worst_for_steck():
    values = np.random.default_rng(0).standard_normal((20, 2))
    thresholds = [np.array([0.0, 100.0]), np.empty(0)]
    dag = np.zeros((2, 2), bool)
    assert policy_score(values, thresholds, dag, "steck") == -math.inf
    assert math.isfinite(policy_score(values, thresholds, dag, "monti"))


def test_an_unknown_name_is_refused():
    with pytest.raises(InputError, match="friedman, monti, monti_total, steck"):
        policy_score(np.ones((3, 1)), [np.empty(0)], np.zeros((1, 1), bool), "stecks")
