"""Edge frequencies over resamples against counting by hand; resamples against closed forms."""

from itertools import combinations

import numpy as np
import pyarrow as pa
import pytest
from cutpoint.bench.studies.steck2007.learned import composite_edges
from hypothesis import given
from hypothesis import strategies as st
from script_tools import script

import cutpoint as cp
from cutpoint.api import edge_confidence
from cutpoint.base.errors import InputError
from cutpoint.base.seeds import seed_sequence
from cutpoint.data.frames import read_table
from cutpoint.data.resampling import bootstrap, jackknife, redraw
from cutpoint.data.table import Arranged
from cutpoint.graphs.frequencies import edge_frequencies
from cutpoint.method.rows import method_of

NAMES = ["a", "b", "c"]


def matrix(*arcs, n=3):
    graph = np.zeros((n, n), bool)
    for i, j in arcs:
        graph[i, j] = True
    return graph


def jackknives(n_records, delete, samples, rng):
    return [jackknife(n_records, rng, delete=delete) for _ in range(samples)]


def random_graphs(seed, count=20, n=5):
    """Return graphs whose pairs have an arc, an undirected edge or nothing."""
    rng = np.random.default_rng(seed)
    return (rng.random((count, n, n)) < rng.random((n, n))) & ~np.eye(n, dtype=bool)


@pytest.fixture(scope="module")
def frame():
    codes = cp.sample(cp.network("asia"), n=300, seed=5)
    values = codes + 0.3 * np.random.default_rng(5).standard_normal(codes.shape)
    columns = {f"v{i}": values[:, i] for i in range(7)}
    return pa.table(columns | {"state": np.array(["no", "yes"])[codes[:, 7]]})


def test_the_jackknife_leaves_out_different_records_and_keeps_the_order(rng):
    kept = jackknives(50, 8, 300, rng)
    for records in kept:
        assert records.shape == (42,)
        assert (np.diff(records) > 0).all()
        assert 0 <= records[0] <= records[-1] < 50
    left_out = 300 - np.bincount(np.concatenate(kept), minlength=50)
    assert left_out.mean() == pytest.approx(48)
    assert left_out.std() == pytest.approx(np.sqrt(300 * 0.16 * 0.84), rel=0.3)


def test_the_bootstrap_draws_with_replacement(rng):
    drawn = [bootstrap(200, rng) for _ in range(50)]
    assert all(records.shape == (200,) and (np.diff(records) >= 0).all() for records in drawn)
    distinct = np.mean([len(np.unique(records)) for records in drawn]) / 200
    assert distinct == pytest.approx(1 - np.exp(-1), abs=0.02)


def test_a_bootstrap_of_fewer_records(rng):
    drawn = bootstrap(10_000, rng, most=500)
    assert drawn.shape == (500,)
    assert len(np.unique(drawn)) > 450  # of 500 draws about 12 fall on a record that was drawn before
    assert drawn[0] < 500 < 9_500 < drawn[-1]
    assert bootstrap(300, rng, most=500).shape == (300,)
    whole, same = (bootstrap(300, np.random.default_rng(1), most=most) for most in (None, 500))
    np.testing.assert_array_equal(whole, same)


@pytest.mark.parametrize("delete", [0, 10, 11, -1])
def test_bad_resamples_are_named(rng, delete):
    with pytest.raises(InputError, match=f"delete: of 10 records between 1 and 9 can be left out, not {delete}"):
        jackknife(10, rng, delete=delete)
    for kind in ("jackknife", "bootstrap"):
        with pytest.raises(InputError, match="records: there are none to draw from"):
            redraw(np.empty((0, 2)), np.zeros(2, bool), rng, kind=kind)


@given(st.integers(0, 10_000))
def test_frequencies_count_each_pair_and_follow_the_order_of_the_variables(seed):
    graphs = random_graphs(seed)
    shares = edge_frequencies(graphs)
    for i, j in combinations(range(5), 2):
        kinds = [(bool(g[i, j]), bool(g[j, i])) for g in graphs]
        assert shares.directed[i, j] * 20 == pytest.approx(kinds.count((True, False)))
        assert shares.directed[j, i] * 20 == pytest.approx(kinds.count((False, True)))
        assert shares.undirected[i, j] * 20 == pytest.approx(kinds.count((True, True)))
        assert shares.adjacent[i, j] * 20 == pytest.approx(20 - kinds.count((False, False)))
    np.testing.assert_allclose(shares.adjacent, shares.directed + shares.directed.T + shares.undirected)
    order = np.random.default_rng(seed).permutation(5)
    permuted = edge_frequencies(graphs[:, order][:, :, order])
    np.testing.assert_array_equal(permuted.directed, shares.directed[np.ix_(order, order)])
    names = np.array(list("vwxyz"))
    lines, others = (
        {(frozenset((r["source"], r["target"])), r["target"] if r["directed"] else None, r["style"]) for r in rows}
        for rows in (composite_edges(shares, names), composite_edges(permuted, names[order]))
    )
    assert lines == others


def composite(kinds, **options):
    """Return the composite edges of a - b from the number of graphs with ->, <-, - and nothing."""
    graphs = [matrix((0, 1)), matrix((1, 0)), matrix((0, 1), (1, 0)), matrix()]
    stack = [graph for graph, count in zip(graphs, kinds, strict=True) for _ in range(count)]
    rows = composite_edges(edge_frequencies(stack), NAMES, **options)
    assert all({row["source"], row["target"]} == {"a", "b"} for row in rows)
    return [(row["source"], row["directed"], row["share"], row["style"]) for row in rows]


def test_lines_and_arrows_of_the_composite_graph():
    assert composite([60, 0, 0, 40]) == [("a", True, 0.6, "solid")]
    assert composite([20, 40, 0, 40]) == [("b", True, 0.6, "solid")]
    assert composite([20, 39, 0, 41]) == [("b", False, 0.59, "solid")]
    assert composite([50, 0, 0, 50]) == [("a", True, 0.5, "dashed")]  # above 50 %, not at it
    assert composite([18, 17, 0, 65]) == [("a", False, 0.35, "dashed")]
    assert composite([34, 0, 0, 66]) == []
    assert composite([20, 0, 80, 0]) == [("a", False, 1, "solid")]  # 60 to 40
    assert composite([40, 0, 60, 0], ratio=2.0) == [("a", True, 1, "solid")]  # 70 to 30
    assert composite([30, 20, 0, 50], solid=0.4, dashed=0.1, ratio=1.5) == [("a", True, 0.5, "solid")]


@pytest.mark.parametrize("resample", ["jackknife", "bootstrap"])
@pytest.mark.parametrize("method", ["eqwidth3", "steck3", "pc_fisherz"])
def test_the_order_of_columns_and_the_number_of_samples_do_not_matter(frame, method, resample):
    shares = edge_confidence(frame, method, resample=resample, samples=4, seed=3)
    again = edge_confidence(frame, method, resample=resample, samples=4, seed=3)
    names = frame.column_names
    order = np.random.default_rng(1).permutation(len(names))
    permuted = edge_confidence(frame.select([names[i] for i in order]), method, resample=resample, samples=4, seed=3)
    for kind in ("adjacent", "directed", "undirected"):
        np.testing.assert_array_equal(getattr(again, kind), getattr(shares, kind))
        np.testing.assert_array_equal(getattr(permuted, kind), getattr(shares, kind)[np.ix_(order, order)])
    assert shares.adjacent.any()
    one = edge_confidence(frame, method, resample=resample, samples=1, seed=3)
    assert (4 * shares.adjacent >= one.adjacent - 1e-9).all()
    other = edge_confidence(frame, method, resample="bootstrap", samples=4, seed=4)
    assert (other.adjacent != shares.adjacent).any()


def test_everything_is_learned_anew_from_each_resample():
    values = np.random.default_rng(0).standard_normal((60, 4)).cumsum(axis=1)
    values[30, 0] = 1e6  # decides the intervals of equal width, unless it is left out
    shares = edge_confidence(values, "eqwidth2", resample="jackknife", delete=20, samples=30, seed=1)
    rows, columns = (np.random.default_rng(seed_sequence(1, "edge_confidence", of)) for of in ("jackknife", "columns"))
    graphs, seen, method = [], Arranged.of(read_table(values, (), ())), method_of("eqwidth2", {})
    for kept in jackknives(60, 20, 30, rows):
        order = columns.permutation(4)
        learned = method.learn(np.asfortranarray(seen.values[kept][:, order]), seen.discrete)
        graphs.append(learned.cpdag[np.ix_(*[np.argsort(order)[seen.back]] * 2)])
    np.testing.assert_array_equal(shares.adjacent, edge_frequencies(graphs).adjacent)
    assert 0 < shares.adjacent[0].max() < 1


def test_options_reach_the_method_and_bad_ones_are_named(frame):
    two = edge_confidence(frame, "eqwidth3", samples=2, bins=2)
    np.testing.assert_array_equal(two.adjacent, edge_confidence(frame, "eqwidth2", samples=2).adjacent)
    for wrong, message in [
        ({"delete": 300, "resample": "jackknife"}, "delete"),
        ({"delete": 3, "resample": "bootstrap"}, "delete: the bootstrap leaves nothing out"),
        ({"seed": -1}, "seed"),
        ({"method": "tetrad_pc"}, "external"),
    ]:
        with pytest.raises(InputError, match=message):
            edge_confidence(frame, **{"method": "eqwidth3"} | wrong)


def test_edge_shares_count_classes_over_good_runs():
    runs = [
        {"cell": "c", "method": m, "replicate": r, "status": "ok", "kind": k}
        for m, k in (("x", "dag"), ("p", "pdag"))
        for r in (0, 1)
    ]
    runs += [{"cell": "c", "method": "x", "replicate": 2, "status": "timeout", "kind": None}]
    one = {"cell": "c", "method": "x", "replicate": 0, "source": "b", "target": "a", "directed": True}
    rows = [one, one | {"method": "p"}, one | {"method": "p", "replicate": 1, "source": "a", "target": "b"}]
    by_method = {row["method"]: row for row in script("edges").edge_shares(runs, rows)}
    pair = {"cell": "c", "source": "a", "target": "b", "runs": 2}
    # a single arc of a DAG has no direction in its class; that of a pattern has
    assert by_method["x"] == pair | {"method": "x", "any": 0.5, "forward": 0.0, "backward": 0.0, "undirected": 0.5}
    assert by_method["p"] == pair | {"method": "p", "any": 1.0, "forward": 0.5, "backward": 0.5, "undirected": 0.0}


def test_a_resample_numbers_the_codes_that_it_has():
    values = np.column_stack([np.arange(6.0), [0, 1, 2, 2, 2, 2]])
    for seed in range(20):
        kept = jackknife(6, np.random.default_rng(seed), delete=2)
        drawn = redraw(values, np.array([False, True]), np.random.default_rng(seed), kind="jackknife", delete=2)
        assert np.array_equal(drawn[:, 0], kept)
        levels = np.unique(values[kept, 1])
        assert np.array_equal(levels[drawn[:, 1].astype(int)], values[kept, 1])
