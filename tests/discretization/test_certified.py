"""The certified optimum against all graphs and all lists, and what it says where it is not proven."""

import itertools

import numpy as np
import pyarrow as pa
import pytest
from references import enumerate_dags

import cutpoint as cp
from cutpoint.base.errors import InputError
from cutpoint.discretization import certified


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
    candidates = np.quantile(values, [0.3, 0.6], axis=0).T
    best = cp.certify(values, score, candidates=candidates, max_parents=max_parents)
    assert best.gap == 0
    assert best.score == pytest.approx(sign * cp.policy_score(values, best.thresholds, best.dag, score), abs=1e-6)
    assert best.score == pytest.approx(brute_force(values, score, sign, candidates, max_parents), abs=1e-6)
    assert best.dag.sum(axis=0).max() <= max_parents


def test_a_proof_without_time_says_its_gap():
    values = chain(5, 5, rows=200)
    hurried, whole = (cp.certify(values, "steck", candidates=6, seconds=s) for s in (0, 60))
    assert whole.gap == 0 < hurried.gap
    assert hurried.score <= whole.score <= hurried.bound


def test_states_are_kept_and_the_order_of_columns_and_records_changes_nothing():
    x, y, z = chain(3, 2).T
    frame = pa.table({"x": x, "y": np.array(list("abcde"))[np.searchsorted([-1.5, -0.5, 0.5, 1.5], y)], "z": z})
    best = cp.certify(frame, "steck", candidates=4)
    assert best.thresholds[1].tolist() == [0.5, 1.5, 2.5, 3.5]
    assert [str(best).split(",")[i] for i in (0, -1)] == ["<Certified dag: 3 variables", " gap 0>"]
    assert best.fit(frame).variables == ["x", "y", "z"]
    again = cp.certify(frame.select(["z", "x", "y"]).take(np.arange(60)[::-1]), "steck", candidates=4)
    np.testing.assert_array_equal(again.cpdag, best.cpdag[np.ix_([2, 0, 1], [2, 0, 1])])
    assert all(map(np.array_equal, again.thresholds, [best.thresholds[i] for i in (2, 0, 1)]))


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"values": np.random.default_rng(0).random((20, 9))}, "9 variables, and 8 are the most"),
        ({"score": "monti"}, "did you mean 'monti_total'"),
        ({"max_levels": 0}, "certify: max_levels: Input should be greater than or equal to 1, got 0"),
        ({"candidates": 60, "max_levels": 5}, "set candidates, max_levels or max_parents lower"),
        ({"candidates": np.zeros((1, 1))}, "candidates: 1 lists for 3 variables"),
        ({"candidates": [np.zeros(2)] * 3}, "candidates: list 1"),
        ({"ess": 2e6, "score": "monti"}, "ess: an equivalent sample size from 1e-100 to 1e"),  # before all else
    ],
)
def test_what_it_cannot_do_is_refused(options, problem):
    with pytest.raises(InputError, match=problem):
        cp.certify(**{"values": chain(3, 0), "score": "steck", **options})
