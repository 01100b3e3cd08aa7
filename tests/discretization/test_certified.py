"""The certified optimum against all graphs and all lists, and what it says where it is not proven."""

import itertools

import numpy as np
import pytest
from references import enumerate_dags

import cutpoint as cp
from cutpoint.base.errors import InputError
from cutpoint.discretization import certified


def chain(n, seed, rows=120):
    """Return noisy curves, each of the variable before it, float64 [rows, n]."""
    rng, x = np.random.default_rng(seed), np.empty((rows, n))
    for i in range(n):
        x[:, i] = rng.standard_normal(rows) + (2 * np.tanh(2 * x[:, i - 1]) if i else 0)
    return x


def brute_force(values, score, candidates, max_levels, max_parents):
    """Return the highest score of all graphs and lists, by the public score of each."""
    sign = -1 if score == "friedman" else 1
    options = [
        [c[list(s)] for k in range(max_levels) for s in itertools.combinations(range(len(c)), k)] for c in candidates
    ]
    dags = [dag for dag in enumerate_dags(values.shape[1]) if dag.sum(axis=0).max() <= max_parents]
    return max(sign * cp.policy_score(values, cuts, dag, score) for cuts in itertools.product(*options) for dag in dags)


@pytest.mark.parametrize("score", ["steck", "friedman", "monti_total"])
@pytest.mark.parametrize(("max_parents", "seed"), [(2, 0), (1, 1)])
def test_nothing_beats_it_among_all_graphs_and_thresholds(score, max_parents, seed):
    values = chain(3, seed, rows=60)
    candidates = [np.quantile(x, [0.3, 0.6]) for x in values.T]
    best = cp.certify(values, score, candidates=candidates, max_parents=max_parents)
    sign = -1 if score == "friedman" else 1
    assert best.gap == 0
    assert best.score == pytest.approx(sign * cp.policy_score(values, best.thresholds, best.dag, score))
    assert best.score == pytest.approx(brute_force(values, score, candidates, 3, max_parents), abs=1e-6)
    assert best.dag.sum(axis=0).max() <= max_parents


def test_a_proof_without_time_says_its_gap(monkeypatch):
    values = chain(4, 5)
    hurried, whole = cp.certify(values, "steck", candidates=6, seconds=0), cp.certify(values, "steck", candidates=6)
    assert whole.gap == 0
    assert hurried.gap > 0
    assert hurried.score <= whole.score <= hurried.bound
    monkeypatch.setattr(certified, "ROOT", ())  # branches alone lead to the same optimum
    branched = cp.certify(values, "steck", candidates=6)
    assert branched.nodes > 0
    assert branched.score == pytest.approx(whole.score, abs=1e-6)


def test_more_candidates_and_three_parents_are_never_worse():
    values = chain(4, 7)
    few = [np.quantile(x, [0.5]) for x in values.T]
    more = [np.quantile(x, [0.25, 0.5, 0.75]) for x in values.T]
    scores = [cp.certify(values, "friedman", candidates=c, max_parents=p).score for c, p in ((few, 2), (more, 3))]
    assert scores[1] > scores[0]


def test_discrete_columns_keep_their_levels():
    values = chain(3, 2)
    values[:, 1] = np.searchsorted([-1.5, -0.5, 0.5, 1.5], values[:, 1])
    best = cp.certify(values, "steck", candidates=4, discrete=["x1"])
    assert best.thresholds[1].tolist() == [0.5, 1.5, 2.5, 3.5]
    assert best.gap == 0
    assert best.variables == ["x0", "x1", "x2"]


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"values": np.random.default_rng(0).random((20, 9))}, "9 variables, and 8 are the most"),
        ({"score": "monti"}, "score"),
        ({"max_levels": 0}, "max_levels"),
        ({"candidates": 60, "max_levels": 5}, "the scores of families need"),
        ({"candidates": [np.zeros(1)]}, "candidates: 1 lists for 3 variables"),
    ],
)
def test_what_it_cannot_do_is_refused(options, problem):
    with pytest.raises(InputError, match=problem):
        cp.certify(**{"values": chain(3, 0, rows=100), "score": "steck", **options})
