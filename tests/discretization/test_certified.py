"""The certified optimum against all graphs and all lists, and what it says where it is not proven."""

import itertools
import sys

import numpy as np
import pytest
from references import enumerate_dags
from workflow_tools import ROOT

import cutpoint as cp

sys.path.append(str(ROOT / "benchmarks"))
import certified


def chain(n, seed, rows=60):
    """Return noisy curves, each of the variable before it, float64 [rows, n]."""
    x = np.random.default_rng(seed).standard_normal((rows, n))
    for i in range(1, n):
        x[:, i] += 2 * np.tanh(2 * x[:, i - 1])
    return x


def brute_force(values, score, sign, candidates, max_parents):
    """Return the highest score of all graphs and lists, by the public score of each."""
    options = [[c[list(s)] for k in range(3) for s in itertools.combinations(range(len(c)), k)] for c in candidates]
    dags = [dag for dag in enumerate_dags(values.shape[1]) if dag.sum(axis=0).max() <= max_parents]
    return max(sign * cp.policy_score(values, cuts, dag, score) for cuts in itertools.product(*options) for dag in dags)


@pytest.mark.parametrize(("score", "sign"), [("steck", 1), ("friedman", -1), ("monti_total", 1)])
@pytest.mark.parametrize(("max_parents", "seed"), [(2, 0), (1, 1)])
@pytest.mark.parametrize("temperatures", [certified.ROOT, ()])  # branches alone lead to the same optimum
def test_nothing_beats_it_among_all_graphs_and_thresholds(score, sign, max_parents, seed, temperatures, monkeypatch):
    monkeypatch.setattr(certified, "ROOT", temperatures)
    values = chain(3, seed)
    candidates = [np.quantile(x, [0.3, 0.6]) for x in values.T]
    best = certified.certify(values, score, candidates=candidates, max_parents=max_parents)
    assert best.gap == 0
    assert best.score == pytest.approx(sign * cp.policy_score(values, best.thresholds, best.dag, score), abs=1e-6)
    assert best.score == pytest.approx(brute_force(values, score, sign, candidates, max_parents), abs=1e-6)
    assert best.dag.sum(axis=0).max() <= max_parents


def test_a_proof_without_time_says_its_gap():
    values = chain(5, 5, rows=200)
    hurried, whole = (certified.certify(values, "steck", candidates=6, seconds=s) for s in (0, 60))
    assert whole.gap == 0 < hurried.gap
    assert hurried.score <= whole.score <= hurried.bound


def test_discrete_columns_keep_their_levels():
    values = chain(3, 2)
    values[:, 1] = np.searchsorted([-1.5, -0.5, 0.5, 1.5], values[:, 1])
    best = certified.certify(values, "steck", candidates=4, discrete=["x1"])
    assert best.thresholds[1].tolist() == [0.5, 1.5, 2.5, 3.5]
    assert best.gap == 0
