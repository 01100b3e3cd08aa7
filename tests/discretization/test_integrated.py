import numpy as np
import policy_twins as twin
import pytest

from cutpoint.discretization.rules import friedman, monti, steck
from cutpoint.learners.greedy import hill_climbing
from cutpoint.learners.scores import bdeu

METHODS = {"friedman": friedman, "monti": monti, "steck": steck}


def search(codes, levels):
    return hill_climbing(bdeu(codes, levels))


def case(seed, rows=40, **options):
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


def twin_method(name, values, discrete, initial):
    """LearnHybridBN by recounting; returns dag, thresholds, calls and rounds."""

    def structure(thresholds):
        codes = np.array(twin.encode(values, thresholds))
        return search(codes, np.array([len(t) + 1 for t in thresholds])).dag

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
    values, discrete, initial = case(seed, rows=25 + 5 * seed, ties=seed % 3 == 0)
    learned = METHODS[name](values, discrete, initial=initial, search=search)
    lists = [t.tolist() for t in initial]
    dag, thresholds, calls, rounds = twin_method(name, values.tolist(), discrete, lists)
    np.testing.assert_array_equal(learned.dag, dag)
    for ours, theirs in zip(learned.thresholds, thresholds, strict=True):
        np.testing.assert_allclose(ours, theirs)
    assert (learned.discretization_calls, learned.iterations) == (calls, rounds)
