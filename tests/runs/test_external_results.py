"""What jobs of other programs leave: each breach of the contract is the error of its own runs."""

import json
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from fault_tools import DAMAGES
from script_tools import script

from cutpoint.base import user_code
from cutpoint.base.errors import InputError
from cutpoint.bench.data import parquet, schemas
from cutpoint.bench.engine.inputs import read_inputs
from cutpoint.bench.evaluation.results import Results

NAMES = ["a", "b", "c"]
KEY = {"method": "mine", "cell": "x", "replicate": 0}
RUN = KEY | {"status": "ok", "message": "", "kind": "dag", "levels": 2.0}
EDGE = KEY | {"source": "a", "target": "b", "directed": True}
CUT = KEY | {"variable": "a", "position": 0, "threshold": 0.5}
SCHEMAS = {"runs": schemas.RUNS, "edges": schemas.EDGES, "thresholds": schemas.THRESHOLDS}


def job(folder, runs=(RUN,), edges=(EDGE,), thresholds=(CUT,)):
    for name, rows in (("runs", runs), ("edges", edges), ("thresholds", thresholds)):
        parquet.write_records(folder / f"{name}.parquet", rows, SCHEMAS[name])
    return folder


def results(*folders, built_in_jobs=()):
    return Results(*([folder / f"{name}.parquet" for folder in folders] for name in SCHEMAS), built_in_jobs)


def run(outcomes, method="mine"):
    return outcomes.run((method, "x", 0))


@pytest.fixture
def other(tmp_path):
    rows = [{**row, "method": "other"} for row in (RUN, EDGE, CUT)]
    return job(tmp_path / "other", *([row] for row in rows))


def test_good_rows_come_back(tmp_path, other):
    read = results(job(tmp_path / "mine"), other)
    assert run(read)["status"] == "ok"
    assert np.argwhere(read.graph(("mine", "x", 0), NAMES)).tolist() == [[0, 1]]
    assert [cuts.tolist() for cuts in read.thresholds(("mine", "x", 0), NAMES)] == [[0.5], [], []]
    assert [row["method"] for row in read.sound()[0]] == ["mine", "other"]


@pytest.mark.parametrize("wrong", [{"runs": [RUN, RUN]}, {"edges": [EDGE, EDGE]}])
def test_wrong_rows_are_errors_of_their_own_runs(tmp_path, other, wrong):
    """tests/golden/errors/results.csv has what else may be wrong with them."""
    read = results(job(tmp_path / "mine", **wrong), other)
    assert [row["method"] for row in read.sound()[0] if row["status"] == "ok"] == ["other"]


@pytest.mark.parametrize("name", SCHEMAS)
@pytest.mark.parametrize(("damage", "text"), [DAMAGES["flipped"], (lambda path: path.unlink(), "no such file")])
def test_a_damaged_file_is_named(tmp_path, other, name, damage, text):
    path = job(tmp_path / "mine") / f"{name}.parquet"
    damage(path)
    read = results(tmp_path / "mine", other)
    assert run(read)["status"] == "error"
    assert f"{path}: {text}" in run(read)["message"]
    assert "\n" not in run(read)["message"]
    assert run(read, "other")["status"] == "ok"


def batches(folder):
    """Two batches of two replicates, all with one edge; the edges of the first are no Parquet file."""
    jobs = []
    for name, replicates in (("first", (0, 1)), ("second", (2, 3))):
        rows = [[row | {"replicate": r} for r in replicates] for row in (RUN, EDGE, CUT)]
        jobs.append(job(folder / name / "methods" / "mine", *rows))
    (jobs[0] / "edges.parquet").write_bytes(b"junk")
    return jobs


def count(folders, output, built_in_jobs=()):
    files = ([folder / f"{name}.parquet" for folder in folders] for name in ("runs", "edges"))
    script("edges").count(*files, output, data=[], datasets={"x": "cars"}, built_in_jobs=built_in_jobs)
    return parquet.read_records(output, schemas.EDGE_SHARES)[0]


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_the_damage_of_one_batch_is_not_that_of_another(tmp_path, order):
    folders = batches(tmp_path)
    ordered = [folders[k] for k in order]
    read = results(*ordered)
    ends = [read.run(("mine", "x", r)) for r in range(4)]
    assert [end["status"] for end in ends] == ["error", "error", "ok", "ok"]
    assert str(folders[0] / "edges.parquet") in ends[0]["message"]
    (share,) = count(ordered, tmp_path / "shares.parquet")
    assert (share["runs"], share["any"]) == (2, 1.0)


def test_a_damaged_file_of_our_own_jobs_is_no_result(tmp_path):
    """Of no reader: each ends with the name of the file."""
    folders = batches(tmp_path)
    text = "edges.parquet: not a readable Parquet file .*; delete it and run again"
    with pytest.raises(InputError, match=text):
        results(*folders, built_in_jobs=["mine"])
    with pytest.raises(InputError, match=text):
        count(folders, tmp_path / "shares.parquet", ["mine"])
    parquet.write_records(tmp_path / "metrics.parquet", [], schemas.METRICS)
    files = {f"learned_{name}": [folder / f"{name}.parquet" for folder in folders] for name in SCHEMAS}
    files |= {"metrics": tmp_path / "metrics.parquet", "networks": [], "datasets": [], "published": [], "methods": []}
    with pytest.raises(InputError, match=text):
        read_inputs("fu2005", built_in_jobs=["mine"], scale="quick", seed=1, **files)
    read = read_inputs("fu2005", built_in_jobs=[], scale="quick", seed=1, **files).results
    assert read.run(("mine", "x", 2))["status"] == "ok"


def test_types_of_another_program(tmp_path):
    path = tmp_path / "edges.parquet"
    about = {"cutpoint": json.dumps({"contract": parquet.CONTRACT})}
    columns = {name: [value] for name, value in EDGE.items()}
    wide = pa.table(
        columns | {"method": pa.array(["mine"]).dictionary_encode(), "replicate": pa.array([0], pa.int64())}
    )
    pq.write_table(wide.replace_schema_metadata(about), path)
    assert parquet.read_records(path, schemas.EDGES)[0] == [EDGE | {"family": None}]
    pq.write_table(pa.table(columns | {"directed": ["false"]}).replace_schema_metadata(about), path)
    with pytest.raises(InputError, match=r"edges.parquet: column 'directed': string where bool is expected"):
        parquet.read_records(path, schemas.EDGES)


causal_learn = user_code.module_of("scripts/methods/causal_learn.py")


def chain_and_collider(records=800):
    """Return a constant column 0, 1 -> 2 -> 3 and 4 -> 6 <- 5."""
    rng = np.random.default_rng(3)
    values = rng.standard_normal((records, 7))
    values[:, 0] = 1.0
    values[:, 2] += values[:, 1]
    values[:, 3] += values[:, 2]
    values[:, 6] += values[:, 4] + values[:, 5]
    return values


def test_endpoint_marks():
    marks = np.array([[0, -1, -1, 1], [1, 0, 0, 0], [-1, 0, 0, 0], [1, 0, 0, 0]])
    assert np.argwhere(causal_learn.pattern_of(marks)).tolist() == [[0, 1], [0, 2], [0, 3], [2, 0], [3, 0]]


def test_directions_and_counts(capfd):
    pytest.importorskip("causallearn")
    learned = causal_learn.learn(chain_and_collider(), np.zeros(7, bool), alpha=0.001)
    expected = [[1, 2], [2, 1], [2, 3], [3, 2], [4, 6], [5, 6]]
    assert np.argwhere(learned.cpdag).tolist() == expected
    assert learned.kind == "pdag"
    assert 15 <= learned.evaluations <= learned.score_calls
    assert learned.learn_seconds >= 0
    assert capfd.readouterr() == ("", "")


def test_without_two_varying_columns_there_is_nothing_to_test():
    pytest.importorskip("causallearn")
    learned = causal_learn.learn(chain_and_collider()[:, :2], np.zeros(2, bool))
    assert not learned.cpdag.any()
    assert learned.score_calls == 0


def test_a_missing_package_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "causallearn.search.ConstraintBased.PC", None)
    with pytest.raises(InputError, match="causal-learn"):
        causal_learn.learn(chain_and_collider(), np.zeros(7, bool))
