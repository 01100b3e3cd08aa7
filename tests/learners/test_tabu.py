"""Tabu search: its lists against plain ones, moves that code the data anew, and pyAgrum's search."""

import numpy as np
import pandas
import pyagrum as gum
import pytest
from families import dependent
from hypothesis import given
from hypothesis import strategies as st

from cutpoint.learners.greedy import TABU_LISTS, hill_climbing, tabu
from cutpoint.learners.scores import bic, network_score
from cutpoint.networks.network import sample
from cutpoint.networks.random_networks import random_network


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


@pytest.mark.parametrize("name", TABU_LISTS)
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
