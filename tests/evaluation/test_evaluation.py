"""Metrics of one run against scikit-learn and hand-made cases."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cutpoint.base.errors import InputError
from cutpoint.discretization.encoding import encode
from cutpoint.evaluation import run_metrics
from cutpoint.evaluation.outcomes import dag_of
from cutpoint.graphs.patterns import cpdag
from cutpoint.learners.kgv import kgv

CHAIN = np.array([[0, 1, 0], [0, 0, 1], [0, 0, 0]], bool)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000))
def test_adjusted_rand_equals_scikit_learn(seed):
    metrics = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(seed)
    column = np.round(rng.standard_normal(30), 1)
    found, true = (np.unique(np.round(rng.standard_normal(rng.integers(0, 5)), 1)) for _ in range(2))
    a, b = (encode(column[:, None], [cuts])[:, 0] for cuts in (found, true))
    ours = run_metrics.adjusted_rand(np.sort(column), found, true)
    assert ours == pytest.approx(metrics.adjusted_rand_score(a, b))


def test_thresholds_are_compared_in_standard_deviations():
    values = np.column_stack([np.arange(10.0), np.arange(10.0), np.arange(10) % 2.0])
    true = [np.array([2.5, 6.5]), np.array([4.5]), np.array([0.5])]
    compared = run_metrics.TrueThresholds(values, true, np.array([True, True, False]))
    assert compared.compare(true) == {"threshold_error": 0.0, "level_error": 0.0, "adjusted_rand": 1.0}
    found = compared.compare([np.array([2.5]), np.array([]), np.array([])])
    spread = np.arange(10).std()
    assert found["threshold_error"] == pytest.approx((2.0 / spread + 4.5 / spread) / 2)
    assert found["level_error"] == 1.0


def test_structure_metrics_have_none_for_what_is_undefined():
    found = run_metrics.structure_metrics(np.zeros((3, 3), bool), CHAIN)
    assert found["shd_fu2005"] == 2  # two undirected edges of the pattern are missing
    assert found["tpr_mabrouk2015"] is None
    assert run_metrics.structure_metrics(CHAIN, CHAIN) == run_metrics.structure_metrics(CHAIN, cpdag(CHAIN))


def test_real_metrics_extend_patterns(rng):
    values = rng.standard_normal((60, 3)).cumsum(axis=1)
    score = kgv(values, np.zeros(3, bool))
    from_dag = run_metrics.real_metrics(score, CHAIN, "dag", "m")
    from_pattern = run_metrics.real_metrics(score, cpdag(CHAIN), "pdag", "m")
    assert from_pattern["kgv_gain"] == pytest.approx(from_dag["kgv_gain"], rel=1e-9)
    assert from_pattern["extension_exact"]
    assert from_dag["learned_edges"] == 2


def test_a_cycle_in_a_dag_is_named():
    with pytest.raises(InputError, match=r"mine: .* undirected edge: 0 -- 1$"):
        dag_of(CHAIN | CHAIN.T, "dag", "mine")
    with pytest.raises(InputError, match=r"mine: .* a cycle: 0 -> 1 -> 2 -> 0$"):
        dag_of(np.roll(np.eye(3, dtype=bool), 1, axis=1), "dag", "mine")


def test_seconds_are_the_sum_of_the_stages_that_are_known():
    assert run_metrics.run_columns({"discretize_seconds": 1.0, "learn_seconds": 2.0})["seconds"] == 3.0
    assert run_metrics.run_columns({"discretize_seconds": None, "learn_seconds": 2.0})["seconds"] == 2.0
    assert run_metrics.run_columns({"discretize_seconds": None, "learn_seconds": None})["seconds"] is None
