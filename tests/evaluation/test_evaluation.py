"""Metrics of one run against slow twins and hand-made cases."""

import re

import numpy as np
import pytest
from environments import ROOT
from hypothesis import given
from hypothesis import strategies as st

from cutpoint.base.errors import InputError
from cutpoint.bench.data import parquet
from cutpoint.bench.evaluation import run_metrics
from cutpoint.bench.evaluation.results import dag_of
from cutpoint.discretization.encoding import encode
from cutpoint.graphs.patterns import cpdag
from cutpoint.learners.kgv import kgv
from cutpoint.networks.network import Network

CHAIN = np.array([[0, 1, 0], [0, 0, 1], [0, 0, 0]], bool)


def rand_of_pairs(a, b):
    """The adjusted Rand index from the pairs of records that both, one or neither of two partitions join."""
    upper = np.triu_indices(len(a), 1)
    one, other = ((x[:, None] == x)[upper] for x in (a, b))
    both, neither, first, second = (m.sum() for m in (one & other, ~one & ~other, one & ~other, ~one & other))
    scale = (both + first) * (first + neither) + (both + second) * (second + neither)
    return 2 * (both * neither - first * second) / scale if scale else 1.0


@given(st.integers(0, 10_000))
def test_adjusted_rand_is_that_of_pairs(seed):
    rng = np.random.default_rng(seed)
    column = np.round(rng.standard_normal(30), 1)
    learned, true = (np.unique(np.round(rng.standard_normal(rng.integers(0, 5)), 1)) for _ in range(2))
    a, b = (encode(column[:, None], [cuts])[:, 0] for cuts in (learned, true))
    assert run_metrics.adjusted_rand(np.sort(column), learned, true) == pytest.approx(rand_of_pairs(a, b))


def test_thresholds_are_compared_in_standard_deviations():
    values = np.column_stack([np.arange(10.0), np.arange(10.0), np.arange(10) % 2.0])
    true = [np.array([2.5, 6.5]), np.array([4.5]), np.array([0.5])]
    compared = run_metrics.TrueThresholds(values, true, np.array([True, True, False]))
    assert compared.compare(true) == {"threshold_error": 0.0, "level_error": 0.0, "adjusted_rand": 1.0}
    metrics = compared.compare([np.array([2.5]), np.array([]), np.array([])])
    spread = np.arange(10).std()
    assert metrics["threshold_error"] == pytest.approx((2.0 / spread + 4.5 / spread) / 2)
    assert metrics["level_error"] == 1.0


def test_structure_metrics_have_none_for_what_is_undefined():
    metrics = run_metrics.structure_metrics(np.zeros((3, 3), bool), CHAIN)
    assert metrics["shd_fu2005"] == 2  # two undirected edges of the pattern are missing
    assert metrics["tpr_mabrouk2015"] is None
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


class Outcomes:
    """The chain and one threshold, of runs of any status and kind."""

    def __init__(self, **run):
        self._run = {"status": "ok", "message": "", "kind": "dag", "levels": 2.0} | run

    def run(self, key):
        assert key == ("m", "c", 0)
        return self._run

    def graph(self, key, variables):
        return CHAIN

    def thresholds(self, key, variables):
        return [np.array([0.5])] * 3


def case(folder, own=None, **about):
    """A case of three variables; simulated where the network is named, else real."""
    values = np.random.default_rng(0).standard_normal((40, 3)).cumsum(axis=1)
    each = {0: {"truth": "net", "thresholds": {"a": [0.5], "b": [], "c": []}}} if about.get("network") else None
    parquet.write_data(folder / "d.parquet", ["a", "b", "c"], [(0, values)], each=each or {}, cell="c", **about)
    tables = (np.ones(1), *(np.ones((1, 1)) for _ in "bc"))
    net = Network("net", ("c", "b", "a"), (("x",),) * 3, ((1,), (2,), ()), tables[::-1])
    file = parquet.open_data(folder / "d.parquet")
    return run_metrics.MetricsCase({"cell": "c", "replicate": 0}, file, {"net": net}, own=own)


def test_a_simulated_case_has_distances_and_thresholds(tmp_path):
    row = case(tmp_path, network="net", n=40, noise="s", sigma=0.1).row("m", Outcomes())
    assert (row["method"], row["cell"], row["replicate"], row["network"], row["n"]) == ("m", "c", 0, "net", 40)
    assert (row["shd_fu2005"], row["level_error"], row["status"]) == (0, 2 / 3, "ok")
    direct = case(tmp_path, network="net").row("m", Outcomes(levels=None))
    assert "level_error" not in direct
    assert direct["shd_standard"] == 0


def test_a_real_case_has_a_gain_and_its_records(tmp_path):
    row = case(tmp_path).row("m", Outcomes())
    assert (row["dataset"], row["n"], row["learned_edges"]) == ("c", 40, 2)
    assert "shd_fu2005" not in row


@pytest.mark.parametrize("network", ["net", None])
def test_a_run_that_failed_or_has_no_graph_has_no_metrics(tmp_path, network):
    example = case(tmp_path, network=network)
    slow = example.row("m", Outcomes(status="timeout", message="over 60 s"))
    assert (slow["status"], slow["message"]) == ("timeout", "over 60 s")
    blind = example.row("m", Outcomes(kind=None))
    assert (blind["status"], blind["message"]) == ("error", "m: no graph")
    assert not {"shd_fu2005", "kgv_gain"} & {*slow, *blind}


FAULTS = "def nothing(learned, true):\n    return float('nan')\ndef fault(learned, true):\n    learned[0, 0] = True\n"


def test_metrics_of_a_user_stand_behind_the_others(tmp_path):
    (code,) = re.findall(r"(?s)```py\n(.*?)```", (ROOT / "docs" / "add.md").read_text())
    path = tmp_path / "mine.py"
    path.write_text(FAULTS + code)
    own = {name: {"metric": f"{path}:{name}", "options": {}} for name in ("hub_error", "nothing", "fault")}
    row = case(tmp_path, own, network="net").row("m", Outcomes())
    assert (row["hub_error"], row["nothing"], row["fault"], row["status"]) == (0.0, None, None, "ok")
    assert row["message"] == f"fault: ValueError: assignment destination is read-only ({path}, line 4)"
    assert "hub_error" not in case(tmp_path, own).row("m", Outcomes())  # without a true graph
