"""Learned edges are between variables, though the files of methods name columns."""

import doctest

import numpy as np
import pytest

import cutpoint as cp
from cutpoint.base.errors import InputError
from cutpoint.bench.data import parquet, schemas

COLUMNS = {0: {"V01": "smoke", "V02": "lung"}, 1: {"V01": "lung", "V02": "smoke"}}  # by replicate
DATA = {"simulated/asia.n9.block0": "asia-n9", "real/datasets": "heart"}  # cells by the folders of their batches
JOBS = {"simulated/asia.n9.block0": ["direct", "mine"], "real/datasets": ["direct"]}


def learn(home, cell, method, *, status="ok", directed=True):
    """Write what a job of a method leaves: V01 -> V02 on each of two data sets."""
    keys = [{"method": method, "cell": cell, "replicate": r} for r in COLUMNS]
    kind = "dag" if directed else "pdag"
    runs = [key | {"status": status, "kind": kind} for key in keys]
    edges = [key | {"source": "V01", "target": "V02", "directed": directed} for key in keys]
    parquet.write_records(home / "runs.parquet", runs, schemas.RUNS)
    parquet.write_records(home / "edges.parquet", edges, schemas.EDGES)


@pytest.fixture
def folder(tmp_path):
    """A finished run of two batches, beside what earlier runs left."""
    for home, cell in {**DATA, "simulated/all": "asia-n9"}.items():
        values = [(r, [[1.0, 2.0], [3.0, 4.0]]) for r in COLUMNS]
        each = {r: {"variables": names} for r, names in COLUMNS.items()}
        path = tmp_path / "s" / home / "values.parquet"
        parquet.write_data(path, ["V01", "V02"], [(r, np.array(x)) for r, x in values], each=each, cell=cell)
        learn(path.parent / "learned" / "direct", cell, "bach")
        learn(path.parent / "learned" / "built_in", cell, "bach")  # at another scale
    learn(tmp_path / "s" / "simulated" / "asia.n9.block0" / "learned" / "mine", "asia-n9", "mine", directed=False)
    parquet.write_records(tmp_path / "s" / "metrics.parquet", [], schemas.METRICS, jobs=JOBS)
    return tmp_path


def rows(folder):
    return {tuple(row.values()) for row in cp.edges("s", folder).drop(columns="family").to_dict("records")}


def test_edges_are_between_variables_by_their_names(folder, monkeypatch):
    edges = cp.edges("s", folder)
    assert list(edges) == ["study", "method", "cell", "replicate", "source", "target", "directed", "family"]
    ends = {0: ("smoke", "lung"), 1: ("lung", "smoke")}
    expected = {("s", "bach", cell, r, *ends[r], True) for cell in DATA.values() for r in ends}
    expected |= {("s", "mine", "asia-n9", r, *ends[r], False) for r in ends}
    assert rows(folder) == expected
    assert len(edges) == 6
    (folder / "results").mkdir()
    (folder / "results" / "fu2005").symlink_to(folder / "s")
    monkeypatch.chdir(folder)
    (example,) = doctest.DocTestFinder().find(cp.edges, globs={})
    assert doctest.DocTestRunner().run(example) == (0, 3)


def test_failed_runs_have_no_edges(folder):
    learn(folder / "s" / "simulated" / "asia.n9.block0" / "learned" / "mine", "asia-n9", "mine", status="timeout")
    assert {row[1] for row in rows(folder)} == {"bach"}


def test_what_is_missing_is_named(folder):
    with pytest.raises(InputError, match=r"no results of 't'"):
        cp.edges("t", folder)
    mine = folder / "s" / "simulated" / "asia.n9.block0" / "learned" / "mine" / "edges.parquet"
    mine.unlink()
    with pytest.raises(InputError, match=f"{mine}: no such file; run again"):
        cp.edges("s", folder)
    (folder / "s" / "simulated").rename(folder / "elsewhere")
    with pytest.raises(InputError, match=r"the data of the batch simulated/asia\.n9\.block0 are missing; run again"):
        cp.edges("s", folder)
    parquet.write_records(folder / "s" / "metrics.parquet", [], schemas.METRICS)
    with pytest.raises(InputError, match="written by another version of cutpoint; delete it and run again"):
        cp.edges("s", folder)
