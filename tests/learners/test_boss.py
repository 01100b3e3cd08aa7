"""Searches over orders and over classes against enumeration, other packages and what they promise."""

from functools import wraps

import numpy as np
import pytest
from families import DISCRETE, classes, dependent, grow_and_shrink, make
from hypothesis import given
from hypothesis import strategies as st

import cutpoint as cp
from cutpoint.base.errors import InputError
from cutpoint.graphs.dags import is_dag, skeleton
from cutpoint.graphs.patterns import cpdag
from cutpoint.kernels import orders
from cutpoint.learners import scores
from cutpoint.learners.boss import GrowShrinkTrees, boss, kernel
from cutpoint.learners.ges import EquivalenceClass, ges
from cutpoint.learners.greedy import hill_climbing
from cutpoint.learners.order import best_dag_of_order, exact, order_search
from cutpoint.learners.parents import candidate_parents
from cutpoint.learners.scores import network_score, tie
from cutpoint.method.functions import resolve
from cutpoint.method.registry import CONTINUOUS_SCORES
from cutpoint.method.rows import check_row, method_rows

KINDS = [*DISCRETE, "fnml", "gaussian", "kgv"]
LEVELS = (2, 3, 2, 4, 3, 2, 2)


def projected(score, order, limit=None):
    dag = np.zeros((score.n, score.n), bool)
    for place, child in enumerate(order.tolist()):
        dag[grow_and_shrink(score, child, order[:place].tolist(), limit), child] = True
    return dag


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("limit", [None, 2])
def test_the_graph_of_an_order_is_that_of_growing_and_shrinking(kind, limit):
    score = make(kind, seed=2, rows=300, levels=LEVELS)
    trees = GrowShrinkTrees(score, limit, 100, None)
    for seed in range(5):
        order = np.random.default_rng(seed).permutation(7)
        assert np.array_equal(trees.dag(order), projected(score, order, limit))


@pytest.mark.parametrize("kind", KINDS)
def test_the_scores_of_a_move_are_those_of_the_orders(kind):
    score = make(kind, seed=3, rows=200, levels=LEVELS)
    trees, order = GrowShrinkTrees(score, None, 100, None), np.random.default_rng(0).permutation(7)
    for variable in range(7):
        others = order[order != variable]
        expected = [network_score(score, projected(score, np.insert(others, p, variable))) for p in range(7)]
        while trees._grow((moves := kernel.move_scores(*trees._arrays(), trees.values, others, variable))[1]):
            pass
        np.testing.assert_allclose(moves[0], expected, atol=1e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_parent_sets_are_those_that_were_scored(kind):
    score = make(kind, seed=2, rows=300, levels=LEVELS)
    trees = GrowShrinkTrees(score, 3, 100, None)
    trees.dag(np.arange(7))
    trees.look_around(2, (0, 4))
    sets = trees.parent_sets()
    for child in range(7):
        rows = range(sets.first[child], sets.first[child + 1])
        families = [tuple(sets.parents(row).tolist()) for row in rows]
        assert len(set(families)) == len(families)
        assert () in families
        assert child != 2 or {(0,), (4,), (0, 4)} - set(families) <= {
            f for f in [(0,), (4,), (0, 4)] if score.family(2, f) <= score.family(2, ()) + score.epsilon
        }
        expected = [score.family(child, family) for family in families]
        np.testing.assert_allclose(sets.scores[rows.start : rows.stop], expected, atol=1e-6)
        assert (np.diff(expected) < score.epsilon + 1e-6).all()


@given(st.integers(0, 10_000), st.integers(1, 7))
def test_no_place_of_an_order_is_better_than_the_one_inserted_at(seed, n):
    score = make("bic", seed, 100, np.random.default_rng(seed).integers(2, 4, n))
    sets, order = candidate_parents(score, max_parents=None), np.random.default_rng(seed).permutation(n)

    def total(order):
        return network_score(score, best_dag_of_order(sets, order))

    fixed = np.zeros((n, n), bool)
    fixed[order[0], order[-1]] = n > 1
    end, moves = orders.insert_best(sets.first, sets.masks, sets.scores, order, fixed, tie(score))
    assert total(end) >= total(order) - 1e-9
    assert (moves == 0) == np.array_equal(order, end)
    for variable in range(n):
        others = end[end != variable]
        for p in range(n):
            moved = np.insert(others, p, variable)
            if not fixed[np.ix_(moved, moved)][np.tril_indices(n)].any():
                assert total(moved) <= total(end) + tie(score) + 1e-6


@given(st.integers(0, 10_000), st.integers(1, 7), st.sampled_from(["bdeu", "bic", "gaussian"]))
def test_no_move_betters_the_result_and_none_is_above_the_optimum(seed, n, kind):
    score = make(kind, seed, 100, np.random.default_rng(seed).integers(2, 4, n))
    learned = boss(score, order="columns")
    assert learned.score == pytest.approx(network_score(score, learned.dag))
    assert learned.score <= exact(score, max_parents=None).score + n * score.epsilon
    assert boss(score, order="columns", start=learned.dag).score >= learned.score - n * score.epsilon


def test_it_seldom_misses_the_optimum():
    hits = 0
    for seed in range(40):
        score = scores.bic(*dependent(seed, 300, LEVELS))
        best, learned = exact(score, max_parents=None).score, boss(score)
        assert learned.score >= best - 0.001 * abs(best)
        hits += learned.score > best - 1e-6
    assert hits >= 38


@pytest.mark.parametrize(
    ("search", "few", "more"), [(boss, {"restarts": 3}, 6), (order_search, {"restarts": 0, "max_worse": 5}, 10)]
)
def test_the_seed_decides_and_more_restarts_never_lose(search, few, more):
    score = scores.aic(*dependent(5, levels=(3, 2, 3, 4, 2, 3, 2, 3) * 2))
    once, again = (search(score, **few, seed=3) for _ in range(2))
    assert np.array_equal(once.dag, again.dag)
    assert (once.steps, once.calls, once.evaluations) == (again.steps, again.calls, again.evaluations)
    longer = search(score, **few | {"restarts": more}, seed=3)
    assert longer.score >= once.score - 1e-6
    assert longer.steps > once.steps
    assert search is boss or len({search(score, **few, seed=seed).score for seed in range(5)}) > 1


@pytest.mark.parametrize("method", ["gaussian_bic", "bge", "degenerate_gaussian", "conditional_gaussian", "kgv"])
def test_mixed_columns_with_every_score_of_values(method):
    codes, _ = dependent(4, 300, (2, 3, 2, 3, 2))
    values = codes + np.random.default_rng(4).normal(size=codes.shape) * [0, 0, 1, 1, 1]
    discrete = np.arange(5) < 2
    score = resolve(CONTINUOUS_SCORES[method])(values, discrete)
    best = exact(score, max_parents=None).score
    assert boss(score).score == pytest.approx(best, abs=5 * score.epsilon)


def test_wrong_input_is_named():
    score = scores.bic(*dependent(1))
    with pytest.raises(InputError, match="at least 0"):
        boss(score, restarts=-1)
    with pytest.raises(InputError, match=r"trees of 1 parent sets need about .* set max_parents or raise memory_mb"):
        boss(score, memory_mb=1e-4)
    assert boss(score, max_parents=1).dag.sum(axis=0).max() <= 1


def test_data_that_are_coded_again_are_searched_until_a_graph_occurs_again():
    codes, levels = dependent(3, 300)
    coded = [scores.bic(codes[40 * k :], levels) for k in range(4)]
    graphs: list[np.ndarray] = []

    def after_move(dag):
        graphs.append(dag)
        return coded[len(graphs)] if len(graphs) < 4 else None

    learned = boss(coded[0], after_move=after_move)
    in_force = [*coded[1:], *[coded[3]] * len(graphs)]
    totals = [network_score(score, dag) for score, dag in zip(in_force, graphs, strict=False)]
    assert learned.best_step == 1 + int(np.argmax(totals))
    assert learned.score == max(totals)
    assert np.array_equal(learned.dag, graphs[learned.best_step - 1])
    assert len({dag.tobytes() for dag in graphs}) == len(graphs)


@pytest.mark.parametrize("row", ["friedman3", "monti3", "steck3", "modl3", "nml3", "mdlp3", "vogel3", "mgcd"])
def test_integrated_methods_search_over_orders_from_the_graph_of_the_round_before(row, monkeypatch):
    began = []
    whole = boss

    @wraps(whole)
    def recorded(score, **options):
        began.append((options.get("start"), options.get("restarts")))
        result = whole(score, **options)
        assert result.score >= hill_climbing(score, order="stable").score - 1e-6  # from the same thresholds
        return result

    monkeypatch.setattr("cutpoint.learners.boss.boss", recorded)
    settings = {
        k: v for k, v in method_rows()[row].items() if k not in ("tabu_list", "tabu_length", "max_worse", "compare")
    }
    values = np.random.default_rng(1).standard_normal((120, 4)).cumsum(axis=1)
    learned = check_row(settings | {"learner": "boss"}, row).learn(values, np.zeros(4, bool))
    assert is_dag(learned.dag)
    assert skeleton(learned.dag).any()
    assert began[0][0] is None
    first = began[2 * (row == "mgcd") :]  # there the first search, with random orders, stands within the whole one
    assert all(restarts == 0 for _, restarts in first)
    assert all(start is not None for start, _ in first[row != "mgcd" :])
    assert first


STATES = (2, 3, 2, 2)


def next_to(pattern, inserts):
    """Return the patterns that one arc more, or less, in some graph of a class leads to."""
    near = set()
    for dag in classes(4)[pattern.tobytes()]:
        for i, j in np.argwhere(~(dag | dag.T) if inserts else dag):
            other = dag.copy()
            other[i, j] = inserts
            if i != j and is_dag(other):
                near.add(cpdag(other).tobytes())
    return near


@pytest.mark.parametrize("inserts", [False, True])
@given(place=st.integers(0, 184), kind=st.sampled_from(["bdeu", "bic", "gaussian"]))
def test_valid_operators_lead_to_all_classes_next_to_one_and_their_gains_are_differences(inserts, place, kind):
    score = make(kind, seed=1, levels=STATES)
    graphs = list(classes(4).values())[place]
    pattern = cpdag(graphs[0])
    score.epsilon = -np.inf  # so that insertions that lose are listed too
    here = EquivalenceClass(score, graphs[0], 4, None)
    results = {op: here.applied(op) for op in here.operators(inserts)}
    valid = {op: cpdag(other) for op, other in results.items() if other is not None}
    assert {other.tobytes() for other in valid.values()} == next_to(pattern, inserts)
    for op, other in valid.items():
        after = network_score(score, classes(4)[other.tobytes()][0])
        assert -op.loss == pytest.approx(after - network_score(score, graphs[0]), abs=1e-6)


@given(seed=st.integers(0, 500), kind=st.sampled_from(["bdeu", "bic", "gaussian"]))
def test_no_class_next_to_the_result_is_better(seed, kind):
    score = make(kind, seed, levels=STATES)
    learned = ges(score)
    assert learned.score == pytest.approx(network_score(score, learned.dag))
    for inserts in (False, True):
        for other in next_to(cpdag(learned.dag), inserts):
            assert network_score(score, classes(4)[other][0]) <= learned.score + score.epsilon
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
