"""Programs of others: what they are told, and each breach of the contract is the error of its own runs."""

import json
import shutil
import sys

import networkx as nx
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from fault_tools import DAMAGES
from policy_twins import encode, information
from script_tools import script

from cutpoint.base import user_code
from cutpoint.base.errors import InputError
from cutpoint.bench.data import parquet, schemas
from cutpoint.bench.engine.inputs import read_inputs
from cutpoint.bench.evaluation.results import Results
from cutpoint.bench.runs import programs, supervise
from cutpoint.bench.runs.runner import About

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


COLUMNS = ["a b", "c,d", 'e"f', "g"]
TREE = "awk -f scripts/methods/chow_liu.awk --"
RSCRIPT = shutil.which("Rscript")


@pytest.fixture
def values():
    rng = np.random.default_rng(3)
    values = rng.standard_normal((200, 4))
    values[:, 1] += values[:, 0]
    values[:, 3] = (values[:, 1] + values[:, 3]) > 0
    return values


def learn(values, tmp_path, command, policy=None, **options):
    about = About({"method": "m", "cell": "c", "replicate": 3}, COLUMNS, COLUMNS, {})
    discrete = np.arange(4) == 3
    return programs.learn(
        values, discrete, policy, about=about, command=command, options=options, folder=str(tmp_path / "data")
    )


def shell(text):
    return ["sh", "-c", text]


def edges(*lines):
    text = "\\n".join(["source,target,directed", *lines])
    return shell(f"printf '%b\\n' '{text}' > edges.csv")


def test_a_program_gets_the_data_and_the_options(values, tmp_path, capfd):
    command = shell('echo "$@"; echo oh >&2; echo source,target,directed > edges.csv')
    learned = learn(values, tmp_path, [*command, "name"], alpha=0.5, fast=True, label="x y", none=None, sizes=[1, 2])
    assert learned.dag.shape == (4, 4)
    assert learned.learn_seconds is None
    assert capfd.readouterr() == ("--alpha 0.5 --fast true --label x y --sizes [1, 2]\n", "oh\n")
    lines = (tmp_path / "data" / "data.csv").read_text().splitlines()
    assert lines[0] == '"a b"'.strip('"') + ',"c,d","e""f",g'
    read = np.array([line.split(",") for line in lines[1:]], float)
    np.testing.assert_array_equal(read, values)
    assert (tmp_path / "data" / "columns.csv").read_text().splitlines()[1:] == [
        *("a b,false,", '"c,d",false,', '"e""f",false,', "g,true,2")
    ]


def test_codes_after_a_discretization(values, tmp_path):
    policy = [np.array([0.0]), np.array([-1.0, 1.0]), np.array([]), np.array([0.5])]
    learned = learn(values, tmp_path, edges("g,a b,true"), policy)
    assert [cuts.tolist() for cuts in learned.thresholds] == [cuts.tolist() for cuts in policy]
    lines = (tmp_path / "data" / "data.csv").read_text().splitlines()
    assert {line.split(",")[1] for line in lines[1:]} == {"0", "1", "2"}
    levels = [line.split(",")[-2:] for line in (tmp_path / "data" / "columns.csv").read_text().splitlines()[1:]]
    assert levels == [["true", "2"], ["true", "3"], ["true", "1"], ["true", "2"]]


def test_what_a_program_may_leave(values, tmp_path):
    text = (
        "printf 'source,target,directed\\na b,g,TRUE\\ng,\"c,d\",0\\n' > edges.csv;"
        "printf 'variable,threshold\\na b,-1\\na b,1.5\\n' > thresholds.csv;"
        "printf 'name,value\\nlearn_seconds,0.5\\nscore_calls,7\\nscore,\\n' > costs.csv"
    )
    learned = learn(values, tmp_path, shell(text))
    assert learned.kind == "pdag"
    assert np.argwhere(learned.cpdag).tolist() == [[0, 3], [1, 3], [3, 1]]
    assert [cuts.tolist() for cuts in learned.thresholds] == [[-1, 1.5], [], [], []]
    assert (learned.learn_seconds, learned.score_calls, learned.score) == (0.5, 7, None)


def test_thresholds_beside_a_discretizer_are_refused(values, tmp_path):
    command = shell("echo source,target,directed > edges.csv; echo variable,threshold > thresholds.csv")
    with pytest.raises(InputError, match="the program was given codes"):
        learn(values, tmp_path, command, [np.array([])] * 4)


def test_a_killed_program_is_no_error_of_its_own(values, tmp_path):
    with pytest.raises(supervise.Killed, match="the program was killed"):
        learn(values, tmp_path, shell("kill -KILL $$"))


@pytest.mark.parametrize("seed", range(3))
def test_chow_liu_is_a_maximum_spanning_tree(seed, tmp_path):
    rng = np.random.default_rng(seed)
    values = rng.standard_normal((120, 4)) @ rng.uniform(-1, 1, (4, 4))
    values[:, 3] = values[:, 3] > 0
    policy = [np.quantile(column, [0.3, 0.7]) for column in values.T[:3]] + [np.array([0.5])]
    learned = learn(values, tmp_path, TREE, policy)
    codes = encode(values, policy)
    full = nx.Graph()
    for i in range(4):
        for j in range(i):
            full.add_edge(i, j, weight=information(codes, i, [j]) / 120)
    tree = nx.maximum_spanning_tree(full)
    assert learned.kind == "pdag"
    assert {frozenset(pair) for pair in np.argwhere(learned.cpdag).tolist()} == set(map(frozenset, tree.edges))
    assert learned.score == pytest.approx(tree.size("weight"))
    assert learned.score_calls == 6


@pytest.mark.skipif(not RSCRIPT, reason="Rscript is not installed")
@pytest.mark.parametrize("script", ["deal", "bnlearn"])
def test_r_reads_its_scripts(script, tmp_path):
    code = "invisible(parse(commandArgs(TRUE)))"
    with pytest.raises(InputError, match="left no edges"):
        learn(np.zeros((2, 4)), tmp_path, [RSCRIPT, "-e", code, f"scripts/methods/{script}.R"])
