import tracemalloc
from itertools import combinations

import numpy as np
import policy_twins as twin
import pytest
from cutpoint.bench.studies.steck2007.optimise import optimise_levels
from hypothesis import given
from hypothesis import strategies as st

from cutpoint.base.errors import InputError
from cutpoint.discretization.binning import equal_frequency
from cutpoint.discretization.encoding import encode
from cutpoint.discretization.exact import Exact, steck_exact
from cutpoint.discretization.loop import Discretization, Neighbourhood
from cutpoint.discretization.objectives import bdeu_family, log_density, policy_score
from cutpoint.discretization.rules import RULES
from cutpoint.learners.greedy import hill_climbing
from cutpoint.learners.scores import bdeu


def exact(values, discrete, name, **options):
    return Exact(values, discrete, RULES[name].kernel, RULES[name].accepts, **options)


def best_thresholds(values, dag, thresholds, variable, name, *, ess=1.0, discrete=None, **options):
    """Thresholds and scores of 1, 2, ... levels, all other variables held; higher is better.

    The score is minus the description length, S_Lambda of the variable (Monti) or L_P (Steck).
    """
    discrete = np.zeros(values.shape[1], bool) if discrete is None else discrete
    method = exact(values, discrete, name, ess=ess, **options)
    policy, graph = Discretization(values, thresholds), Neighbourhood(dag)
    view = method.view(variable, graph.families[variable], policy)
    best = []
    for positions in method.lists(variable, view, policy)[0]:
        cuts = method.columns.cuts(variable, positions)
        policy.replace(variable, cuts)
        if name == "monti":
            families = (variable, *graph.children[variable])
            score = log_density(policy.values[:, variable], cuts) + sum(
                bdeu_family(policy.codes.T, policy.levels, j, np.flatnonzero(graph.dag[:, j]), ess) for j in families
            )
        else:
            score = policy_score(values, policy.thresholds, graph.dag, name, ess=ess, discrete=discrete)
        best.append((cuts, -score if name == "friedman" else score))
    return best


METHODS = ("friedman", "monti", "steck")
# What variable 0 sees: arcs of a graph over 5 variables.
BLANKETS = {
    "nothing": [],
    "parents": [(1, 0), (2, 0)],
    "children": [(0, 1), (0, 2)],
    "co-parents": [(1, 0), (0, 2), (3, 2), (0, 4), (1, 4), (3, 4)],
}


def few_values(seed, distinct, rows):
    """Values [rows, 5] whose first column has at most so many distinct values, the others depend on it."""
    rng = np.random.default_rng(seed)
    values = rng.standard_normal((rows, 5)).cumsum(axis=1)
    values[:, 0] = np.sort(rng.standard_normal(distinct) * 3)[rng.integers(0, distinct, rows)]
    values[:, 1:] += rng.standard_normal(4) * values[:, :1]
    values[:, 3] = rng.integers(0, 3, rows)
    thresholds = equal_frequency(values, np.arange(5) == 3, bins=2 + seed % 2)
    return values, thresholds, np.arange(5) == 3


def graph_of(name):
    dag = np.zeros((5, 5), bool)
    for i, j in BLANKETS[name]:
        dag[i, j] = True
    return dag


def own_score(name, values, thresholds, dag, discrete, ess, cuts):
    """What the optimum of variable 0 is an optimum of, by the twins."""
    rows, lists = values.tolist(), [list(cuts), *(t.tolist() for t in thresholds[1:])]
    if name == "friedman":
        return -twin.description_length(rows, lists, dag, discrete)
    return twin.local_score(name, rows, lists, dag, 0, ess, discrete)


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("blanket", BLANKETS)
@pytest.mark.parametrize(("seed", "distinct", "rows", "most"), [(1, 7, 7, 7), (2, 8, 30, 20), (4, 9, 9, 5)])
def test_the_best_list_of_every_length_is_that_of_an_enumeration(name, blanket, seed, distinct, rows, most):
    values, thresholds, discrete = few_values(seed, distinct, rows)
    dag, ess = graph_of(blanket), (1.0, 3.0)[seed % 2]
    best_lists = best_thresholds(values, dag, thresholds, 0, name, max_levels=most, ess=ess, discrete=discrete)
    candidates = twin.candidates(values[:, 0].tolist())
    assert len(best_lists) == min(most, len(candidates) + 1)
    for r, (cuts, score) in enumerate(best_lists, 1):
        lists = combinations(candidates, r - 1)
        best = max(own_score(name, values, thresholds, dag, discrete, ess, each) for each in lists)
        assert len(cuts) == r - 1
        assert score == pytest.approx(best, rel=1e-10, abs=1e-8)
        assert own_score(name, values, thresholds, dag, discrete, ess, cuts) == pytest.approx(best, rel=1e-10, abs=1e-8)


def random_case(seed, rows):
    values, thresholds, dag, discrete = twin.random_case(
        np.random.default_rng(seed), rows=rows, n=6, arcs=0.6, ties=seed % 3 == 0
    )
    discrete[0] = False
    # No level may be empty, else any list is better by Steck's score.
    return values, [t if f else equal_frequency(x[:, None], np.array([False]), bins=2)[0]
                    for x, t, f in zip(values.T, thresholds, discrete, strict=True)], dag, discrete  # fmt: skip


def value_of(method, view, positions):
    """The score of a list of variable 0, up to a constant."""
    parts = view.families.parts[0]
    method.evaluate(0, view, method.columns.cuts(0, positions), parts)
    return parts.sum()


@pytest.mark.parametrize("name", METHODS)
@given(seed=st.integers(0, 10_000))
def test_the_greedy_list_is_never_better_and_coarse_candidates_lie_between(name, seed):
    values, thresholds, dag, discrete = random_case(seed, 80)
    policy, graph = Discretization(values, thresholds), Neighbourhood(dag)
    scores = []
    for candidates in (None, 12):
        method = exact(values, discrete, name, max_levels=6, candidates=candidates)
        view = method.view(0, graph.families[0], policy)
        positions, calls = method.find(0, view, policy)
        scores.append(value_of(method, view, positions))
    assert calls >= min(12, method.columns.distinct[0] - 1)
    greedy, _ = method.grow(0, view, policy)
    assert scores[0] >= scores[1] - 1e-6
    assert scores[1] >= value_of(method, view, greedy) - 1e-6
    assert scores[1] >= value_of(method, view, np.empty(0, int)) - 1e-6


def test_equally_good_lists_have_the_lowest_thresholds():
    values = np.column_stack([np.arange(8.0), [0, 0, 1, 1, 1, 1, 0, 0]])
    dag = np.array([[False, True], [False, False]])
    best_lists = best_thresholds(values, dag, [np.empty(0), np.array([0.5])], 0, "friedman", max_levels=3)
    np.testing.assert_array_equal(best_lists[1][0], [1.5])
    np.testing.assert_array_equal(best_lists[2][0], [1.5, 5.5])
    # 2 ln 2 - 3 ln 3 + 3 ln 3 - 4 ln 4 = 6 ln 3 - 6 ln 6, whatever the floats say.
    values = np.column_stack([np.arange(7.0), [1, 0, 0, 1, 1, 0, 1]])
    best_lists = best_thresholds(values, dag, [np.empty(0), np.array([0.5])], 0, "friedman", max_levels=2)
    np.testing.assert_array_equal(best_lists[1][0], [0.5])


def proposal(column, other, **options):
    values = np.column_stack([column, other]).astype(float)
    policy = Discretization(values, [np.empty(0), np.array([0.5])])
    dag = np.array([[False, True], [False, False]])
    method = exact(values, np.array([False, True]), "steck", **options)
    return method.propose(0, Neighbourhood(dag), policy)


def test_the_calls_are_the_candidates_considered():
    column, codes = np.arange(200.0), np.arange(200) // 50 % 2
    exact = proposal(column, codes)
    np.testing.assert_array_equal(exact.thresholds, [49.5, 99.5, 149.5])
    assert exact.calls == 199
    coarse = proposal(column, codes, candidates=10)
    np.testing.assert_array_equal(coarse.thresholds, exact.thresholds)
    assert 10 < coarse.calls < 3000
    constant = proposal(np.ones(200), codes)
    assert (constant.thresholds, constant.calls) == (None, 0)
    assert proposal(column, codes, max_levels=1).thresholds is None


@pytest.mark.parametrize("options", [{"candidates": 5}, {"candidates": 0}, {"ess": 0.0}])
def test_senseless_options_are_refused(options):
    with pytest.raises(InputError, match=next(iter(options))):
        exact(np.ones((3, 1)), np.zeros(1, bool), "steck", **options)


def test_wrong_calls_are_refused():
    values, _, discrete = few_values(1, 5, 20)
    dag = graph_of("parents")
    with pytest.raises(InputError, match="use one of"):
        optimise_levels(values, dag, [2] * 5, "stack")
    with pytest.raises(InputError, match="levels: variable 0 can have 1 to 5"):
        optimise_levels(values, dag, [6, 2, 2, 2, 2], "steck", discrete=discrete)
    with pytest.raises(InputError, match="starts"):
        optimise_levels(values, dag, [2] * 5, "steck", discrete=discrete, starts=0)


def clusters(k, seed=0):
    rng = np.random.default_rng(seed)
    return np.repeat(np.arange(k), 30)[:, None] + 0.05 * rng.standard_normal((30 * k, 2))


ARC = np.array([[False, True], [False, False]])


@pytest.mark.parametrize("greedy", [False, True])
def test_clusters_are_separated(greedy):
    thresholds, score = optimise_levels(clusters(4), ARC, [4, 4], "steck", ess=3.0, starts=3, greedy=greedy)
    np.testing.assert_array_equal(encode(clusters(4), thresholds), np.repeat(np.arange(4), 30)[:, None] * [1, 1])
    assert score == pytest.approx(policy_score(clusters(4), thresholds, ARC, "steck", ess=3.0))


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("levels", [[3, 4], [1, 2], [5, 5]])
def test_levels_together_have_their_number_and_no_single_variable_gains(name, levels):
    values = clusters(4)
    greedy, _ = optimise_levels(values, ARC, levels, name, starts=1, greedy=True)
    thresholds, score = optimise_levels(values, ARC, levels, name, starts=4, seed=1)
    assert [len(t) + 1 for t in thresholds] == [len(t) + 1 for t in greedy] == levels
    value = policy_score(values, thresholds, ARC, name)
    assert score == pytest.approx(-value if name == "friedman" else value)
    if name == "steck":
        for i in range(2):
            best = best_thresholds(values, ARC, thresholds, i, name, max_levels=5)[levels[i] - 1][1]
            assert best == pytest.approx(score, abs=1e-5)


def test_ties_leave_enough_random_levels():
    values = np.column_stack([np.r_[np.zeros(50), np.arange(1, 6)], np.arange(55.0)])
    thresholds, _ = optimise_levels(values, ARC, [4, 3], "steck", starts=2)
    assert [len(t) for t in thresholds] == [3, 2]


@pytest.mark.parametrize(
    ("name", "rows", "what", "options"),
    [
        *[(name, 20_000, "candidates", {"max_levels": 10**9}) for name in METHODS],
        *[(name, 400_000, "records", {"max_levels": 400, "candidates": 400}) for name in ("monti", "steck")],
    ],
)
def test_tables_that_would_not_fit_are_told_before_they_are_made(name, rows, what, options):
    values = np.random.default_rng(0).standard_normal((rows, 2))
    policy, graph = Discretization(values, [np.zeros(1), np.zeros(1)]), Neighbourhood(np.zeros((2, 2), bool))
    method = exact(values, np.zeros(2, bool), name, **options)
    view = method.view(0, graph.families[0], policy)
    allowed = np.arange(1, rows)[: method.candidates]
    levels = np.arange(2, min(method.max_levels, rows) + 1)
    needed = rf"^the best lists of up to \d+ levels of \d+ {what} need about \d+ MB, .*; set max_levels, or candidates"
    tracemalloc.start()
    with pytest.raises(InputError, match=needed):
        method.best(0, view, allowed, levels)
    assert tracemalloc.get_traced_memory()[1] < 2e7
    tracemalloc.stop()


DISCRETE = np.array([False, False, False, True, False])


def search(codes, levels):
    return hill_climbing(bdeu(codes, levels, ess=5.0))


def values_of(seed, rows=120):
    rng = np.random.default_rng(seed)
    values = rng.standard_normal((rows, 5)).cumsum(axis=1)
    values[:, 3] = values[:, 2] > 0
    values[:, 4] = np.clip(np.round(values[:, 4]), -1, 1)  # three distinct values
    return np.asfortranarray(values)


def learn(values, levels, **options):
    initial = equal_frequency(values, DISCRETE, bins=levels)
    return steck_exact(values, DISCRETE, initial=initial, search=search, ess=5.0, levels=levels, **options)


@pytest.mark.parametrize("levels", [1, 2, 5])
@pytest.mark.parametrize("seed", range(2))
def test_every_variable_has_as_many_levels_and_its_best_thresholds(seed, levels):
    values = values_of(seed)
    fit = learn(values, levels)
    counts = [len(cuts) + 1 for cuts in fit.thresholds]
    assert counts == [levels, levels, levels, 2, min(levels, 3)]
    assert fit.dag.any() == (levels > 1)
    assert fit.score == pytest.approx(
        policy_score(values, fit.thresholds, fit.dag, "steck", ess=5.0, discrete=DISCRETE)
    )
    start = equal_frequency(values, DISCRETE, bins=levels)
    assert fit.score >= policy_score(values, start, fit.dag, "steck", ess=5.0, discrete=DISCRETE) - 1e-9
    # more freedom, no lower score under the same graph
    free = [
        best_thresholds(values, fit.dag, fit.thresholds, i, "steck", max_levels=levels, ess=5.0, discrete=DISCRETE)
        for i in (0, 1, 2)
    ]
    assert all(max(score for _, score in lists) >= fit.score - 1e-6 for lists in free)
