"""What every discretizer of a single pass promises, equal bins, and those that know a target."""

import math
from collections import Counter
from functools import partial
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from references import slow_mdlp

from cutpoint.base.errors import InputError
from cutpoint.base.scaling import midpoints
from cutpoint.discretization.binning import MOST_BINS, equal_frequency, equal_width
from cutpoint.discretization.class_criteria import divide_by_mdlp, divide_by_modl, divide_by_nml
from cutpoint.discretization.density_ladder import density_ladder
from cutpoint.discretization.encoding import COMPARED, encode, encode_column
from cutpoint.discretization.hartemink import hartemink
from cutpoint.discretization.histograms import bayesian_blocks, freedman_diaconis, kmeans, mdl_histogram, scott, sturges
from cutpoint.discretization.loop import Discretization, Neighbourhood
from cutpoint.discretization.mixtures import ruichu
from cutpoint.discretization.supervised import Supervised, mdlp, modl, nml
from cutpoint.learners.complexity import log_complexities
from cutpoint.learners.greedy import hill_climbing
from cutpoint.learners.scores import bdeu

BY_BINS = [equal_width, equal_frequency, hartemink, kmeans]
BY_RULE = [sturges, scott, freedman_diaconis, bayesian_blocks, mdl_histogram]
DISCRETIZERS = [*BY_BINS, *BY_RULE, density_ladder, ruichu]
# By the order of the values alone.
BY_RANK = [equal_frequency, hartemink]

each = pytest.mark.parametrize("method", DISCRETIZERS)
tables = arrays(np.float64, st.tuples(st.integers(1, 20), st.just(2)), elements=st.integers(-6, 6).map(float))


@pytest.mark.parametrize("method", BY_RANK)
@given(values=tables, bins=st.integers(1, 6))
def test_increasing_transformations_change_no_code(method, values, bins):
    none, bent = np.zeros(2, bool), np.exp(values) + values**3
    codes = [encode(x, method(x, none, bins=bins)) for x in (values, bent)]
    assert np.array_equal(*codes)


@each
def test_discrete_columns_keep_their_codes(method):
    codes = np.random.default_rng(3).integers(0, 5, (60, 2)).astype(float)
    thresholds = method(codes, np.array([True, False]))
    assert np.array_equal(encode(codes, thresholds)[:, 0], codes[:, 0])


@each
def test_constant_columns_and_single_records_get_one_level(method):
    values = np.column_stack([np.full(40, 2.5), np.full(40, 1e300), np.random.default_rng(9).normal(size=40)])
    thresholds = method(values, np.zeros(3, bool))
    assert [cuts.size for cuts in thresholds[:2]] == [0, 0]
    assert method not in BY_BINS or thresholds[2].size == 2
    assert method(np.array([[2.0]]), np.array([False]))[0].size == 0


@each
@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("kind", ["tail", "spike", "huge", "adjacent", "two"])
def test_thresholds_rise_inside_the_range_of_awkward_columns(method, kind):
    rng = np.random.default_rng(7)
    column = {
        "tail": np.append(rng.standard_normal(99), 1e200),
        "spike": np.where(rng.random(200) < 0.97, 1.0, rng.random(200)),
        "huge": rng.choice([-8e307, 0.0, 8e307], 50),
        "adjacent": rng.choice([1.0, np.nextafter(1.0, 2)], 50),
        "two": rng.choice([0.0, 1.0], 50),
    }[kind]
    (cuts,) = method(column[:, None], np.array([False]))
    assert (np.diff(cuts) > 0).all()
    assert ((cuts > column.min()) & (cuts <= column.max())).all()


@each
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_values_that_are_not_finite_are_named(method, value):
    with pytest.raises(InputError, match="column 1 holds NaN or infinite values"):
        method(np.array([[1.0, value], [2.0, 3.0]]), np.zeros(2, bool))


finite = st.floats(-1e6, 1e6, allow_subnormal=False)
columns = arrays(np.float64, st.integers(1, 40), elements=finite)
ties = arrays(np.float64, st.integers(1, 40), elements=st.integers(0, 6).map(float))
bins = st.integers(1, 6)


def cuts(method, x, k):
    return method(np.asarray(x, float)[:, None], np.array([False]), bins=k)[0]


def slow_frequency(x, k):
    ordered = sorted(x)
    changes = [c for c in range(1, len(x)) if ordered[c - 1] < ordered[c]]
    places = set()
    for j in range(1, k):
        rank = round(j * len(x) / k)
        if changes:
            places.add(min(changes, key=lambda c: (abs(c - rank), c)))
    return [(ordered[c - 1] + ordered[c]) / 2 for c in sorted(places)]


def slow_width(x, k):
    low, high = min(x), max(x)
    return [low + (high - low) * j / k for j in range(1, k)] if high > low else []


@given(st.one_of(columns, ties), bins)
def test_equal_frequency_is_its_slow_twin(x, k):
    np.testing.assert_allclose(cuts(equal_frequency, x, k), slow_frequency(list(x), k), rtol=1e-12)


@given(ties, bins)
def test_equal_width_is_its_slow_twin(x, k):
    np.testing.assert_allclose(cuts(equal_width, x, k), slow_width(list(x), k), rtol=1e-12)


def test_midpoints_of_adjacent_and_of_huge_floats_separate():
    left = np.array([1.0, -1.0, 0.0, 5e-324, -1.7e308, 1.7e308, 1.0])
    right = np.array([np.nextafter(1.0, 2), np.nextafter(-1.0, 0), 5e-324, 1e-323, 1.7e308, 1.79e308, 2.0])
    middle = midpoints(left, right)
    assert ((left < middle) & (middle <= right)).all()
    assert middle[-1] == 1.5


@given(st.one_of(columns, ties), st.integers(1, 10**30))
def test_more_levels_than_records_are_as_many_as_records(x, more):
    np.testing.assert_array_equal(cuts(equal_frequency, x, len(x) + more), cuts(equal_frequency, x, len(x)))
    np.testing.assert_array_equal(cuts(equal_frequency, x, len(x)), slow_frequency(list(x), len(x) + 1))


@given(st.integers(MOST_BINS + 1, 10**30))
def test_levels_of_equal_width_are_limited_before_they_are_made(k):
    with pytest.raises(InputError, match=f"bins is {k}: give at most 65535 levels of equal width"):
        cuts(equal_width, [1.0, 2.0], k)


@given(columns, st.integers(0, 2 * COMPARED))
def test_codes_count_the_thresholds_up_to_a_value(x, count):
    thresholds = np.unique(np.concatenate([x, np.linspace(-1, 1, 70)]))[:count]
    assert encode_column(x, thresholds).tolist() == [sum(t <= value for t in thresholds) for value in x]


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
