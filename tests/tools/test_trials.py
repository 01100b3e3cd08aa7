"""Trials of real tables, on tables that are written here."""

from dataclasses import replace

import numpy as np
import pytest
import trials

import cutpoint as cp


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("a.csv: column k: looks like a row number; set drop=[k] or continuous=[k]", ["drop=[k]"]),
        ("a.csv: column a b: free text; correct it, or set 'drop=[a b]'", ["drop=[a b]"]),
        ("2 columns:\n  x\nto leave out, add after the file: drop=[x,y] missing=drop", ["drop=[x,y]", "missing=drop"]),
        ("a.csv: 3 rows are too few; at least 10 are needed", []),
    ],
)
def test_what_a_refusal_proposes(message, words):
    assert trials.proposed(message) == words


@pytest.fixture
def table(tmp_path):
    """A table whose serial number is refused, x -> y, and z beside them."""
    x, noise, z = np.random.default_rng(0).normal(size=(3, 200))
    lines = [f"{k},{a:.3f},{2 * a + b:.3f},{c:.3f}" for k, (a, b, c) in enumerate(zip(x, noise, z, strict=True), 1)]
    path = tmp_path / "made.csv"
    path.write_text("\n".join(["serial,x,y,z", *lines]))
    return path


def test_a_refusal_is_followed_to_a_network_whose_edge_acts(table):
    found = trials.attempt(table, [], table.with_suffix(".json"))
    assert {key: found[key] for key in ("outcome", "tries", "columns", "edges", "dead", "unlevelled")} == {
        "outcome": "result", "tries": 2, "columns": 3, "edges": 1, "dead": 0, "unlevelled": 0,
    }  # fmt: skip


def test_a_table_over_its_budget_is_a_timeout_and_a_failure_a_crash(table, tmp_path, monkeypatch):
    def endless(*_):
        while True:
            pass

    monkeypatch.setattr(trials, "attempt", endless)
    assert trials.tried(table, [], 1, tmp_path)["outcome"] == "timeout"
    monkeypatch.setattr(trials, "attempt", lambda *_: 1 / 0)
    assert trials.tried(table, [], 1, tmp_path)["message"] == "ZeroDivisionError: division by zero"


def test_an_edge_is_dead_where_the_table_is_the_same_for_all_levels():
    x, y = np.random.default_rng(0).normal(size=(2, 100))
    values = np.stack([x, x + 0.1 * y, y], axis=1)
    graph = np.zeros((3, 3), bool)
    graph[0, 1] = graph[2, 1] = True
    learned = cp.learn(values, "eqfreq3")
    learned.dag, learned.cpdag = graph, graph
    model = learned.fit(values)
    first, table, last = model.network.tables
    same = np.broadcast_to(table.mean(axis=1, keepdims=True), table.shape)  # whatever the level of x2
    model = replace(model, network=replace(model.network, tables=(first, same, last)))
    edges = [{"source": "x0", "target": "x1"}, {"source": "x2", "target": "x1"}, {"source": "x0", "target": "x2"}]
    assert trials.acting(model, edges) == {"dead": 2, "unlevelled": 0}


def test_the_summary_counts_runs_and_edges():
    run = {"outcome": "result", "edges": "4", "dead": "1", "unlevelled": "1", "many_levels": "2", "warnings": "0"}
    runs = [run | {"seconds": "1.5"}, {"outcome": "no model", "seconds": "3"}]
    rows = dict(trials.summary({"before": runs}))
    assert rows["result"] == rows["no model"] == "1"
    assert rows["dead edges"] == "1 (25.0%)"
    assert rows["CPU seconds, all tables"] == "4"


def test_runs_of_the_same_tables_are_compared():
    runs = {"before": [{"table": "a"}, {"table": "b"}], "after": [{"table": "b"}, {"table": "c"}]}
    assert trials.of_the_same(runs) == {"before": [{"table": "b"}], "after": [{"table": "b"}]}
