"""Metrics of runs, adjustment distances among them, against counting by hand and enumerations."""

import re
from itertools import permutations, product

import numpy as np
import pytest
from environments import ROOT
from families import classes
from hypothesis import given
from hypothesis import strategies as st

from cutpoint.base.errors import InputError
from cutpoint.bench.data import parquet
from cutpoint.bench.evaluation import run_metrics
from cutpoint.bench.evaluation.results import dag_of
from cutpoint.bench.evaluation.run_metrics import adjustment_distances, structure_metrics
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


KITE = np.array([[0, 1, 1, 0], [0, 0, 0, 1], [0, 0, 0, 1], [0, 0, 0, 0]], bool)


def joint_of(dag, rng):
    """A joint distribution [2] * n with random conditional probabilities of a DAG."""
    n = len(dag)
    table = np.ones((2,) * n)
    for i in range(n):
        family = [j for j in range(n) if dag[j, i] or j == i]
        one = rng.uniform(0.1, 0.9, [2 if j in family and j != i else 1 for j in range(n)])
        table = table * np.concatenate([1 - one, one], axis=i)
    return table


def margin(joint, kept):
    return joint.sum(tuple(i for i in range(joint.ndim) if i not in kept), keepdims=True)


def adjusted(joint, t, y, parents):
    """P(y | do(t)), float64 [t, y]: the sum over the parents' states of P(y | t, parents) P(parents)."""
    if y in parents:
        return margin(joint, [y]).ravel() * np.ones((2, 1))
    ratio = margin(joint, [t, y, *parents]) / margin(joint, [t, *parents]) * margin(joint, parents)
    table = margin(ratio, [t, y])
    return table.reshape(2, 2) if t < y else table.reshape(2, 2).T


def same(one, other):
    return np.allclose(one, other, rtol=0, atol=1e-12)


def effects(joint, members, t, y):
    """P(y | do(t)) under each DAG of a class, [members, t, y]: the truncated factorization sums to this."""
    return np.array([adjusted(joint, t, y, np.flatnonzero(dag[:, t]).tolist()) for dag in members])


def parent_aid(true, learned, n, rng):
    """The share of pairs whose effect by the learned parents is not that of every DAG of the true class."""
    ours, theirs = (classes(n)[pattern.tobytes()] for pattern in (true, learned))
    joint, other = joint_of(ours[0], rng), joint_of(theirs[0], rng)
    wrong = 0
    for t, y in permutations(range(n), 2):
        real, read = effects(joint, ours, t, y), effects(other, theirs, t, y)
        identified, claimed = (same(each, each[0]) for each in (real, read))
        parents = np.flatnonzero(learned[:, t] & ~learned[t]).tolist()
        right = identified and same(adjusted(joint, t, y, parents), real[0])
        wrong += not right if claimed else identified
    return wrong / (n * (n - 1))


def patterns(n):
    return [cpdag(members[0]) for members in classes(n).values()]


@pytest.mark.parametrize("n", [3, 4])
def test_the_parent_distance_is_that_of_interventions_counted_out(n):
    rng = np.random.default_rng(n)
    pairs = list(product(patterns(n), repeat=2))
    for k in range(len(pairs)) if n == 3 else rng.choice(len(pairs), 500, replace=False):
        true, learned = pairs[k]
        assert adjustment_distances(learned, true)["parent_aid"] == pytest.approx(parent_aid(true, learned, n, rng))


def test_the_ancestor_distance_of_dags_is_that_of_interventions_counted_out():
    """Between complete patterns without undirected edges, whose ancestors of t are known."""
    rng = np.random.default_rng(5)
    single = [members[0] for members in classes(4).values() if len(members) == 1]
    for true, learned in product(single, repeat=2):
        joint, wrong = joint_of(true, rng), 0
        up = np.linalg.matrix_power(np.eye(4) + learned, 4) > 0
        for t, y in permutations(range(4), 2):
            ancestors = [i for i in range(4) if up[i, t] and i != t]
            real = effects(joint, [true], t, y)[0]
            read = adjusted(joint, t, y, ancestors) if up[t, y] else adjusted(joint, t, y, [y])
            wrong += not same(real, read)
        assert adjustment_distances(learned, true)["ancestor_aid"] == pytest.approx(wrong / 12)


@given(st.integers(0, 10_000))
def test_distances_do_not_depend_on_the_order_of_nodes_and_are_0_for_equal_graphs(seed):
    rng, n = np.random.default_rng(seed), 2 + seed % 7
    true, learned = (np.triu(rng.random((n, n)) < 0.4, 1)[np.ix_(*[rng.permutation(n)] * 2)] for _ in range(2))
    order = rng.permutation(n)
    moved = [graph[np.ix_(order, order)] for graph in (learned, true)]
    distances = adjustment_distances(cpdag(learned), true, whole=True)
    assert adjustment_distances(learned, true) == adjustment_distances(*moved) == distances
    distances = adjustment_distances(cpdag(learned), learned)
    assert distances == {"parent_aid": 0, "ancestor_aid": 0, "extension_exact": True}


def test_a_pattern_stands_for_the_class_of_its_extensions():
    arc_kept = np.array([[0, 1, 0], [0, 0, 1], [0, 1, 0]], bool)  # 0 -> 1 - 2, which extends to 0 -> 1 -> 2 alone
    assert adjustment_distances(arc_kept, CHAIN) == adjustment_distances(CHAIN, CHAIN)
    bidirected = KITE | KITE.T  # a cycle of four without a chord: no DAG has this skeleton and no collider
    metrics = structure_metrics(bidirected, KITE)
    assert (metrics["parent_aid"], metrics["ancestor_aid"], metrics["extension_exact"]) == (None, None, False)
    assert metrics["shd_fu2005"] == 2
    assert adjustment_distances(np.zeros((1, 1), bool), np.zeros((1, 1), bool))["parent_aid"] is None
