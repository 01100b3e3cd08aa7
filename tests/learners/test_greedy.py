"""Hill climbing, alone, after each other and with tabu lists, against slow climbers and what they promise."""

from collections import deque
from functools import cache
from itertools import pairwise, takewhile

import numpy as np
import pandas
import pyagrum as gum
import pytest
import references
from families import dependent
from hypothesis import given
from hypothesis import strategies as st

from cutpoint.base.errors import InputError
from cutpoint.kernels import search as kernel
from cutpoint.knowledge.arcs import arcs_within
from cutpoint.learners import scores
from cutpoint.learners.greedy import hill_climbing, tabu
from cutpoint.learners.scores import bdeu, bic, network_score
from cutpoint.method.method import Successive
from cutpoint.networks.network import sample
from cutpoint.networks.random_networks import random_network


class Drawn:
    """A score of small whole numbers at random, so that many moves gain alike and arcs come and go."""

    epsilon = 1.0

    def __init__(self, seed, n=6):
        self.n = n
        self.drawn = cache(lambda *family: float(np.random.default_rng([seed, *family]).integers(9)))

    def family(self, child, parents):
        return self.drawn(child, *map(int, parents))

    def gains(self, child, parents):
        scores = [self.family(child, np.setxor1d(parents, [x])) for x in range(self.n)]
        return np.where(np.arange(self.n) == child, -np.inf, scores) - self.family(child, parents)


def slow_walk(score, max_parents, length):
    """Yield gains and graphs of the best moves, each neighbour scored afresh; the last moves are not undone."""
    dag, recent = np.zeros((score.n, score.n), bool), deque(maxlen=length)
    while True:
        best, chosen, now = -np.inf, None, network_score(score, dag)
        for kind, x, y, arcs in references.neighbours(dag):
            other = np.zeros_like(dag)
            for arc in arcs:
                other[arc] = True
            gain = network_score(score, other) - now
            if gain > best and other.sum(axis=0).max() <= max_parents and (kind, x, y) not in recent:
                best, chosen = gain, (other, kind, x, y)
        dag, kind, x, y = chosen
        recent.append({"add": ("delete", x, y), "delete": ("add", x, y), "reverse": ("reverse", y, x)}[kind])
        yield best, dag


@pytest.mark.parametrize("max_parents", [2, 5])
@pytest.mark.parametrize(("seed", "length"), [(0, 10), (1, 10), (2, 3), (3, 1)])
def test_searches_make_the_moves_of_the_slow_one(seed, length, max_parents):
    score, graphs = Drawn(seed), []
    rising = [dag for _, dag in takewhile(lambda move: move[0] > 1, slow_walk(score, max_parents, 0))]
    assert np.array_equal(hill_climbing(score, max_parents=max_parents).dag, rising[-1])
    limits = {"max_parents": max_parents, "max_worse": 40, "max_steps": 40, "tabu_length": length}
    tabu(score, **limits, after_move=lambda dag: graphs.append(dag))
    for learned, (_, dag) in zip(graphs, slow_walk(score, max_parents, length), strict=False):
        assert np.array_equal(learned, dag)
    assert len(graphs) == 40


@pytest.mark.parametrize(("seed", "n", "share", "dense"), [(1, 10, 0.5, False), (34, 6, 1, True), (0, 10, 1, False)])
def test_no_move_gains_more_than_the_bound_of_its_row(monkeypatch, seed, n, share, dense):
    best_move, pairs = kernel.best_move, np.triu(np.random.default_rng(seed).random((n, n)) < share, 1)

    def checked(*given):
        *before, bounds, tie = given
        for x in range(n):
            assert best_move(*before, np.where(np.arange(n) == x, np.inf, -np.inf), tie)[3] <= bounds[x]
        return best_move(*given)

    monkeypatch.setattr(kernel, "best_move", checked)
    known = {"arcs": arcs_within(pairs | pairs.T, None), "start": np.tril(~np.eye(n, dtype=bool)) if dense else None}
    assert tabu(Drawn(seed, n), tabu_length=3, max_worse=200, max_steps=200, **known).steps == 200


def test_calls_are_counted_as_requested():
    codes, levels = dependent(1, 200, (3,) * 6)
    learned = hill_climbing(bdeu(codes, levels))
    assert learned.calls >= 6 * 5 + 5 * learned.steps
    assert (learned.calls - 30) % 5 == 0


def test_a_search_that_does_not_end_says_so():
    codes, levels = dependent(3, 200, (3,) * 6)
    with pytest.raises(InputError, match="2 moves"):
        hill_climbing(bdeu(codes, levels), max_steps=2)


KINDS = ("bdeu", "bic", "k2", "mdl")


def turns(seed, count):
    """Codes of one table after the other, each with some columns of the one before."""
    rng = np.random.default_rng(seed)
    codes, levels = dependent(seed, 200)
    for _ in range(count):
        yield codes, levels
        codes, levels = codes.copy(), levels.copy()
        for i in np.flatnonzero(rng.random(len(levels)) < rng.random()):
            if rng.random() < 0.5:
                levels[i] += 1  # an empty level changes BDeu, too
            else:
                codes[:, i] = rng.permuted(codes[:, i])


@given(seed=st.integers(0, 500), kind=st.sampled_from(KINDS), search=st.sampled_from([hill_climbing, tabu]))
def test_searches_that_follow_one_another_are_those_alone(seed, kind, search):
    successive, make = Successive(), getattr(scores, kind)
    for codes, levels in turns(seed, 4):
        alone, following = search(make(codes, levels)), search(successive.follow(make(codes, levels)))
        np.testing.assert_array_equal(following.dag, alone.dag)
        assert (following.score, following.calls, following.steps) == (alone.score, alone.calls, alone.steps)
        assert following.evaluations <= following.calls == alone.evaluations


@given(seed=st.integers(0, 500), kind=st.sampled_from(KINDS))
def test_looked_up_gains_are_those_of_columns_that_stayed(seed, kind):
    rng, make, successive = np.random.default_rng(seed), getattr(scores, kind), Successive()
    families = [(child, np.flatnonzero(rng.random(5) < 0.4).tolist()) for child in (0, 4)]
    for number, ((before, old), (codes, levels)) in enumerate(pairwise([(None, None), *turns(seed, 4)])):
        score = successive.follow(make(codes, levels))
        for child, chosen in families:
            parents = [p for p in chosen if p != child]
            start = score.looked_up
            np.testing.assert_array_equal(score.gains(child, parents), make(codes, levels).gains(child, parents))
            stayed = [number > 0 and (before[:, i] == codes[:, i]).all() and old[i] == levels[i] for i in range(5)]
            expected = sum(stayed) - stayed[child] if all(stayed[i] for i in (child, *parents)) else 0
            assert score.looked_up - start == expected


def test_scores_of_another_kind_or_table_are_not_looked_up():
    codes, levels = dependent(3)
    successive = Successive()
    tables = [scores.bdeu(codes, levels), scores.bdeu(codes, levels, ess=2.0), scores.bic(codes, levels)]
    tables += [scores.bic(codes[:50], levels), scores.bic(codes[:50, :4], levels[:4])]
    for score in tables:
        assert hill_climbing(successive.follow(score)).evaluations == hill_climbing(score).calls
    own = object()
    assert successive.follow(own) is own


@given(seed=st.integers(0, 10_000), length=st.integers(0, 12))
def test_no_graph_of_the_list_is_visited_again(seed, length):
    codes, levels = dependent(seed, 80, (3,) * 4)
    visited = [np.zeros((4, 4), bool)]
    options = {"tabu_list": "graphs", "tabu_length": length, "max_worse": 8}
    tabu(bic(codes, levels), **options, after_move=lambda dag: visited.append(dag.copy()))
    for i, graph in enumerate(visited):
        # the list holds the last graphs that were left
        recent = visited[max(0, i - length) : i]
        assert not any(np.array_equal(graph, other) for other in recent)


@pytest.mark.parametrize("name", ["moves", "graphs"])
@pytest.mark.parametrize("seed", range(4))
def test_the_best_graph_is_never_worse_than_that_of_hill_climbing(name, seed):
    codes, levels = dependent(seed, 200, (3,) * 7)
    score = bic(codes, levels)
    learned = tabu(score, tabu_list=name)
    assert learned.score >= hill_climbing(score).score - 1e-6
    assert learned.score == pytest.approx(network_score(score, learned.dag))
    assert 0 < learned.best_step <= learned.steps <= learned.best_step + 10


@pytest.mark.parametrize("compare", ["gain", "score"])
def test_a_new_coding_is_used_from_its_move_on(compare):
    codes, levels = dependent(2, 300, (3,) * 5)
    fine, coarse = bic(codes, levels), bic(np.minimum(codes, 1), np.full(5, 2))

    def change(first, then):
        """Search with one score, and with another from the second move on."""
        moves = []

        def after_move(dag):
            moves.append(dag.copy())
            return then if len(moves) == 2 else None

        return tabu(first, after_move=after_move, compare=compare), moves

    # fine codes score lower for nothing: what counts is what the graph gains under its own codes, unless told otherwise
    without = np.zeros((5, 5), bool)
    for first, then in ((fine, coarse), (coarse, fine)):
        learned, moves = change(first, then)
        score = first if learned.best_step < 2 else then
        assert learned.score == pytest.approx(network_score(score, learned.dag))
        gains = [
            network_score(used, dag) - (network_score(used, without) if compare == "gain" else 0.0)
            for dag, used in zip(moves, [first, *[then] * len(moves)], strict=False)
        ]
        assert np.array_equal(learned.dag, moves[np.argmax(gains)])


@pytest.mark.parametrize("recode", ["renamed", "another variable"])
def test_codes_that_tell_nothing_else_change_nothing(recode):
    codes, levels = dependent(3, 1000, (3,) * 5)
    rng = np.random.default_rng(0)
    codes, levels = np.column_stack([codes, rng.integers(0, 2, 1000)]).astype(np.int32), np.append(levels, 2)
    other, other_levels = levels - 1 - codes, levels
    if recode == "another variable":  # one that depends on nothing gets sixty levels for two
        other, other_levels = codes.copy(), np.append(levels[:-1], 60)
        other[:, -1] = 30 * codes[:, -1] + rng.integers(0, 30, 1000)
    again = iter([bic(other, other_levels)])
    learned, plain = tabu(bic(codes, levels), after_move=lambda dag: next(again, None)), tabu(bic(codes, levels))
    assert np.array_equal(learned.dag, plain.dag)
    assert learned.best_step == plain.best_step > 1


def gum_tabu(codes, levels, length=10, worse=10):
    """Return the arcs that pyAgrum's tabu search finds with BIC."""
    names = [f"v{i}" for i in range(codes.shape[1])]
    template = gum.BayesNet()
    for name, r in zip(names, levels, strict=True):
        template.add(gum.RangeVariable(name, "", 0, int(r) - 1))
    table = gum.BNLearner(pandas.DataFrame(codes, columns=names).astype(str), template)
    table.setNumberOfThreads(1)
    table.useScoreBIC()
    table.useNoPrior()
    table.useLocalSearchWithTabuList(length, worse)
    dag = np.zeros((len(names),) * 2, bool)
    for x, y in table.learnDAG().arcs():
        dag[x, y] = True
    return dag


def test_the_score_is_seldom_below_pyagrums():
    better = 0
    for seed in range(20):
        net = random_network(seed, nodes=(10, 20))
        codes, levels = sample(net, 500, seed), net.cardinalities
        score = bic(codes, levels)
        other = network_score(score, gum_tabu(codes, levels))
        better += tabu(score).score >= other - 1e-6
    assert better >= 15
