"""Discretization after every move, against recounting everything, and what its best point promises."""

from functools import partial

import numpy as np
import policy_twins as twin
import pytest

from cutpoint import sample
from cutpoint.bench.simulation.intervals import draw_intervals, in_intervals
from cutpoint.discretization.binning import equal_frequency
from cutpoint.discretization.encoding import cardinalities, encode
from cutpoint.discretization.loop import Discretization, Neighbourhood, Proposal, learn_stepwise
from cutpoint.discretization.rules import friedman, friedman_tabu, monti, steck
from cutpoint.graphs.metrics import shd
from cutpoint.graphs.patterns import cpdag
from cutpoint.learners.greedy import hill_climbing, tabu
from cutpoint.learners.scores import bdeu, bic, network_score
from cutpoint.networks.random_networks import random_network


def search(codes, levels, start=None, after_move=None, max_worse=4):
    def rescore(dag):
        change = after_move(dag)
        return None if change is None else bic(*change)

    return tabu(bic(codes, levels), start=start, after_move=rescore, max_worse=max_worse)


case = partial(twin.first_case, rows=60, bins=4)


def initial_of(values, discrete, policy):
    return [np.arange(values[:, i].max()) + 0.5 if held else policy[i] for i, held in enumerate(discrete)]


def twin_method(values, discrete, initial):
    """The loop with every list learned by recounting; returns what the search found and all policies."""
    policy, history = [list(cuts) for cuts in initial], []
    before = np.zeros((len(policy),) * 2, bool)

    def sweep_twice(dag, waiting):
        changed = False
        for _ in range(2):
            touched = set()
            for i in sorted(waiting):
                fresh, _ = twin.greedy("friedman", values, policy, dag, i, 1.0, discrete)
                trial = [fresh if v == i else t for v, t in enumerate(policy)]
                rise = twin.local_length(values, policy, dag, i) - twin.local_length(values, trial, dag, i)
                if fresh and rise > 1e-6:
                    policy[i] = fresh
                    touched |= {v for v in twin.blanket_of(dag, i) if not discrete[v]}
                    changed = True
            waiting = touched
        history.append([list(cuts) for cuts in policy])
        return changed

    def codes():
        return np.array(twin.encode(values, policy)), np.array([len(t) + 1 for t in policy])

    def families(dag, i):
        return twin.parents_of(dag, i), [(j, twin.parents_of(dag, j)) for j in twin.children_of(dag, i)]

    def after_move(dag):
        nonlocal before
        waiting = {i for i in range(len(dag)) if not discrete[i] and families(dag, i) != families(before, i)}
        before = dag.copy()
        return codes() if sweep_twice(dag, waiting) else None

    sweep_twice(before, {i for i in range(len(policy)) if not discrete[i]})
    return search(*codes(), after_move=after_move), history


@pytest.mark.parametrize("seed", [1, 3, *(pytest.param(k, marks=pytest.mark.slow) for k in (0, 2, 4, 5, 6, 7))])
def test_friedman_after_moves_equals_the_slow_twin(seed):
    values, discrete, policy = case(seed, ties=seed % 2 == 1)
    initial = initial_of(values, discrete, policy)
    learned = friedman_tabu(values, discrete, initial=initial, search=search)
    result, history = twin_method(values, discrete, initial)
    assert np.array_equal(learned.dag, result.dag)
    for mine, theirs in zip(learned.thresholds, history[result.best_step], strict=True):
        np.testing.assert_allclose(mine, theirs)
    assert learned.iterations == result.steps == len(history) - 1
    codes = encode(values, learned.thresholds)
    score = network_score(bic(codes, cardinalities(learned.thresholds)), learned.dag)
    assert learned.score == pytest.approx(score)


def test_the_first_thresholds_hardly_matter():
    rng, patient, distances = np.random.default_rng(0), partial(search, max_worse=10), []
    for seed in range(20):
        network = random_network(seed, nodes=(12, 15))
        intervals = draw_intervals(network.cardinalities, rng, sd=(0.1, 0.5))
        values = in_intervals(sample(network, 5000, rng), intervals, rng)
        discrete = np.zeros(values.shape[1], bool)
        starts = [equal_frequency(values, discrete, bins=k) for k in (2, 3, 4)]
        learned = [friedman_tabu(values, discrete, initial=start, search=patient).dag for start in starts]
        distances.append([shd(cpdag(dag), cpdag(network.dag), "standard") for dag in learned])
    means = np.mean(distances, axis=0)
    assert np.ptp(means) < 1
    assert means.max() < 8


class Recorder:
    """A discretizer that changes nothing but the variables it is told to, and writes down what it was asked."""

    def __init__(self, changing):
        self.variables, self.changing = [], changing

    def propose(self, variable, graph, policy):
        self.variables.append(variable)
        if variable in self.changing and graph.dag.any():
            self.changing.remove(variable)
            return Proposal(policy.thresholds[variable] + 0.01, 1)
        return Proposal(None, 1)


def test_only_what_a_move_concerns_is_discretized_again():
    values = np.random.default_rng(0).standard_normal((50, 5))
    discrete = np.array([False, False, False, False, True])
    policy = Discretization(values.clip(-2, 2), [np.zeros(1)] * 5)

    def variables_after(before, after, changing):
        """The variables asked for after the second of two moves."""
        recorder = Recorder(set())

        def steps(codes, levels, start, after_move):
            after_move(before)
            del recorder.variables[:]
            recorder.changing = changing
            after_move(after)
            return tabu(bic(codes, levels), max_worse=0)

        learn_stepwise(discrete, policy.copy(), recorder, steps)
        return recorder.variables

    chain = np.zeros((5, 5), bool)
    chain[0, 1] = chain[1, 2] = True
    collider = chain.copy()
    collider[3, 2] = True
    # 3 -> 2 changes the families of 2 and 3, and that of 1, which gets 3 as another parent of its child
    assert variables_after(chain, collider, set()) == [1, 2, 3]
    # 1 changes: those that see it are asked once more, though the discrete one is not
    assert variables_after(chain, collider, {1}) == [1, 2, 3, 0, 2, 3]
    assert Neighbourhood(collider).blankets[1] == (0, 2, 3)


METHODS = {"friedman": friedman, "monti": monti, "steck": steck}


def of_rule(codes, levels):
    return hill_climbing(bdeu(codes, levels))


def of_seed(seed, rows=40, **options):
    return twin.first_case(seed, rows, bins=2 + seed % 2, **options)


def twin_policy(name, values, thresholds, dag, discrete):
    """LearnDP by recounting everything; returns thresholds and calls."""
    thresholds, queue, calls = list(thresholds), [i for i in range(len(dag)) if not discrete[i]], 0
    while queue:
        i = queue.pop(0)
        fresh, scored = twin.greedy(name, values, thresholds, dag, i, 1.0, discrete)
        calls += scored
        changed = [fresh if v == i else t for v, t in enumerate(thresholds)]

        def rises(score, old=thresholds, new=changed):
            return score(new) > score(old) + 1e-6

        better = rises(lambda t, i=i: twin.local_score(name, values, t, dag, i, 1.0, discrete))
        if name == "monti":
            better = better and rises(lambda t: twin.monti(values, t, dag, 1.0, discrete))
        if better:
            thresholds = changed
            queue += [v for v in sorted(twin.blanket_of(dag, i)) if not discrete[v] and v not in queue]
    return thresholds, calls


def slow_method(name, values, discrete, initial):
    """LearnHybridBN by recounting; returns dag, thresholds, calls and rounds."""

    def structure(thresholds):
        codes = np.array(twin.encode(values, thresholds))
        return of_rule(codes, np.array([len(t) + 1 for t in thresholds])).dag

    def score(dag, thresholds):
        if name == "friedman":
            return -twin.description_length(values, thresholds, dag, discrete)
        return twin.steck(values, thresholds, dag, 1.0, discrete)

    thresholds, calls, rounds = initial, 0, 0
    dag = structure(thresholds)
    seen = [dag.tolist()]
    while True:
        fresh, scored = twin_policy(name, values, thresholds, dag, discrete)
        calls, rounds, next_dag = calls + scored, rounds + 1, structure(fresh)
        if name == "monti" and next_dag.tolist() in seen:
            return next_dag, fresh, calls, rounds
        if name != "monti" and not score(next_dag, fresh) > score(dag, thresholds) + 1e-6:
            return dag, thresholds, calls, rounds
        dag, thresholds = next_dag, fresh
        seen.append(dag.tolist())


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(k, marks=pytest.mark.slow) for k in (2, 3, 4, 5))])
def test_a_whole_run_agrees_with_the_twin(name, seed):
    values, discrete, initial = of_seed(seed, rows=25 + 5 * seed, ties=seed % 3 == 0)
    learned = METHODS[name](values, discrete, initial=initial, search=of_rule)
    lists = [t.tolist() for t in initial]
    dag, thresholds, calls, rounds = slow_method(name, values.tolist(), discrete, lists)
    np.testing.assert_array_equal(learned.dag, dag)
    for ours, theirs in zip(learned.thresholds, thresholds, strict=True):
        np.testing.assert_allclose(ours, theirs)
    assert (learned.discretization_calls, learned.iterations) == (calls, rounds)
