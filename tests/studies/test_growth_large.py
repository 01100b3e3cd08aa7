"""The experiment on large data, on small ones."""

import numpy as np
from cutpoint.bench.studies.growth.experiments import PEER, draw, large

from cutpoint.bench.runs import supervise
from cutpoint.bench.runs.runner import Limits
from cutpoint.bench.runs.supervise import Run

SIZES = {"variables": (4, 6), "records": (60, 120)}


def test_methods_and_pyagrum_are_measured_at_all_sizes():
    rows = large(1, Limits(60.0, 2000.0), methods=["eqfreq3"], **SIZES)
    assert {(row["variables"], row["records"]) for row in rows} == {(4, 60), (6, 60), (4, 120)}
    assert {(row["method"], row["status"], row["message"]) for row in rows} == {("eqfreq3", "ok", ""), (PEER, "ok", "")}
    assert all(row["seconds"] > 0 for row in rows)
    assert all(row["peak_mb"] > 8 * row["variables"] * row["records"] / 2**20 for row in rows)


def test_what_does_not_end_is_not_run_at_larger_sizes(monkeypatch):
    monkeypatch.setattr(supervise, "call", lambda *_, **limits: Run("timeout", None, "stopped", 1.0, 1.0, 1.0))
    rows = large(1, Limits(60.0, 2000.0), methods=["eqfreq3"], **SIZES)
    assert {row["status"] for row in rows} == {"timeout"}
    assert {(row["variables"], row["records"]) for row in rows} == {(4, 60)}
    assert {row["seconds"] for row in rows} == {None}


def test_variables_depend_on_near_ones_and_vary_alike():
    values = draw(1, 30, 500)
    assert np.allclose(values.std(axis=0), 1)
    assert np.array_equal(values, draw(1, 30, 500))
    correlation = np.abs(np.corrcoef(values.T))
    assert all(correlation[i, max(0, i - 10) : i].max() > 0.3 for i in range(1, 30))
