"""The workflow with bad input and with methods that fail: one clear line, and no study is lost."""

import re
import shutil

import pytest
from workflow_tools import SIMULATED, side_by_side

from cutpoint.data import parquet, schemas

pytestmark = pytest.mark.slow


def check_one_line(done, text):
    """Check that a run failed, and says why without a traceback."""
    assert done.code != 0, done.text
    assert text in done.text
    assert "Traceback" not in done.text


SETTINGS = [
    ({"study": "fu2006"}, "unknown study 'fu2006'; did you mean 'fu2005'?"),
    ({"scale": "quik"}, "unknown scale 'quik'; did you mean 'quick'?"),
    ({"scal": "quick"}, "config: scal: unknown key; did you mean 'scale'?"),
    ({"time_limit": 0}, "config: time_limit: Input should be greater than 0, got 0"),
    ({"seed": "abc"}, "config: seed: Input should be a valid integer"),
    ({"mirror": "no/folder"}, "config: mirror: no such folder: no/folder"),
    ({"files": "{hartemin: x.csv}"}, "config: files.hartemin: unknown data set; did you mean 'hartemink'?"),
    ({"files": "{hartemink: x.csv}"}, "config: files.hartemink: no such file: x.csv"),
]


def test_a_wrong_setting_is_named_before_anything_runs(workflow, tmp_path):
    found = side_by_side(lambda case: workflow.run(tmp_path / "run", **case[0]), SETTINGS)
    for done, (_, text) in zip(found, SETTINGS, strict=True):
        check_one_line(done, f"\ncutpoint: {text}")
        assert done.text.count("\n") <= 4
    assert {path.name for path in (tmp_path / "run").iterdir()} <= {".snakemake"}


ROWS = [
    ({"learner": "hill_climb"}, "methods.yaml: mine: unknown learner 'hill_climb'; did you mean 'hill_climbing'?"),
    ({"discretizer": "no/file.py:f"}, "methods.yaml: mine: no/file.py:f: cannot be imported"),
]


@pytest.mark.parametrize(("row", "text"), ROWS)
def test_a_wrong_row_is_named(workflow, tmp_path, row, text):
    with workflow.edited_yaml("config/methods.yaml", lambda rows: {**rows, "mine": rows["eqwidth3"] | row}):
        check_one_line(workflow.run(tmp_path / "run"), text)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (
            {"methods": ["eqwidth33"]},
            "fu2005.yaml: grids.simulated.methods: unknown 'eqwidth33'; did you mean 'eqwidth3'?",
        ),
        ({"networks": ["alarm", "my/alarm.bif"]}, "networks 'alarm' and 'my/alarm.bif' have one name"),
    ],
)
def test_a_wrong_study_is_named(workflow, tmp_path, change, text):
    def edit(study):
        return study | {
            "scales": {"tiny": {"replicates": 1}},
            "grids": {"simulated": study["grids"]["simulated"] | change},
        }

    with workflow.edited_yaml("src/cutpoint/studies/fu2005/study.yaml", edit):
        check_one_line(workflow.run(tmp_path / "run"), text)


NETWORKS = {
    "torn": (lambda text: text[: len(text) // 2], "torn.bif"),
    "round": (
        lambda text: text.replace(
            "( asia ) {\n  table 0.01, 0.99;", "( asia | dysp ) {\n  (yes) 0.5, 0.5;\n  (no) 0.5, 0.5;"
        ),
        "round.bif: the arcs make a cycle: ",
    ),
    "heavy": (lambda text: text.replace("table 0.01, 0.99;", "table 0.01, 0.98;"), "sum"),
}


def test_a_bad_network_is_named(workflow, tmp_path):
    text = (workflow.clone / "data" / "networks" / "asia.bif").read_text()
    for name, (change, _) in NETWORKS.items():
        (tmp_path / f"{name}.bif").write_text(change(text))
    paths = [f"{name}.bif" for name in NETWORKS]

    def edit(study):
        return study | {"scales": {"tiny": {"replicates": 1, "networks": paths, "n": [50]}}}

    targets = [f"results/fu2005/data/{name}/n50/0-0/discrete.parquet" for name in NETWORKS]
    with workflow.edited_yaml("src/cutpoint/studies/fu2005/study.yaml", edit):
        done = workflow.run(tmp_path / "run", *targets)
    for name, (_, said) in NETWORKS.items():
        line = next(line for line in done.text.splitlines() if line.startswith(f"cutpoint: {tmp_path}/{name}.bif"))
        assert said in line
    check_one_line(done, "cutpoint: ")
    assert list((tmp_path / "run" / "results").rglob("*.*")) == []


def own_file(change):
    rows = [[str((7 * r + 3 * c) % 11 + r / 7) for c in range(32)] for r in range(320)]
    change(rows)
    return "\n".join([",".join(f"g{c}" for c in range(32)), *map(",".join, rows)])


def put(row, column, cell):
    def change(rows):
        rows[row][column] = cell

    return change


def constant(rows):
    for row in rows:
        row[4] = "1.5"


FILES = {
    "text": (put(2, 5, "high"), 'text.csv, line 4, column g5: "high" is not a finite number'),
    "nan": (put(0, 0, "NaN"), 'nan.csv, line 2, column g0: "NaN" is not a finite number'),
    "infinite": (put(0, 31, "inf"), 'infinite.csv, line 2, column g31: "inf" is not a finite number'),
    "constant": (constant, "constant.csv: column g4: constant"),
    "narrow": (lambda rows: rows[9].pop(), "narrow.csv, line 11: 31 columns where 32 are expected"),
}


def test_a_bad_file_of_ones_own_is_named(workflow, tmp_path):
    for name, (change, _) in FILES.items():
        (tmp_path / f"{name}.csv").write_text(own_file(change))
    (tmp_path / "good.csv").write_text(own_file(lambda rows: None))
    target = "results/datasets/hartemink.parquet"

    def run(name):
        return workflow.run(tmp_path / f"run_{name}", target, files=f"{{hartemink: {name}.csv}}")

    names = [*FILES, "good"]
    found = dict(zip(names, side_by_side(run, names), strict=True))
    for name, (_, text) in FILES.items():
        check_one_line(found[name], f"dataset hartemink: {text}")
        assert not (tmp_path / f"run_{name}" / target).exists()
    assert found["good"].code == 0
    assert parquet.open_data(tmp_path / "run_good" / target).read(0).values.shape == (320, 32)


def test_a_mirror_with_another_file_is_named(workflow, tmp_path):
    (tmp_path / "mirror").mkdir()
    (tmp_path / "mirror" / "abalone.data").write_text("M,1\n")
    done = workflow.run(tmp_path / "run", "results/datasets/abalone.parquet", mirror="mirror")
    check_one_line(done, "abalone.data: wrong checksum: expected sha256 de37cdcd")
    assert not (tmp_path / "run" / "results" / "datasets" / "abalone.parquet").exists()


def test_a_broken_data_file_is_named(workflow, finished, tmp_path):
    folder = workflow.folder(tmp_path / "run")
    data = "results/fu2005/data/asia/n100/0-1/sigma0.35/continuous.parquet"
    edges = f"{SIMULATED}/methods/direct/edges.parquet"
    shutil.copytree(finished[0] / "results" / "fu2005" / "data", folder / "results" / "fu2005" / "data")
    (folder / data).write_bytes(b"garbage")
    done = workflow.run(folder, edges, "--rerun-triggers", "mtime")
    check_one_line(done, f"cutpoint: {data}: not a readable Parquet file")
    assert not list((folder / SIMULATED).rglob("*.parquet"))


OWN = """
import os
import time

import numpy as np


def raises(values, frozen):
    raise RuntimeError("out of ideas")


def spins(values, frozen):
    while True:
        pass


def eats(values, frozen):
    blocks = []
    while True:
        blocks.append(np.ones(1_000_000))
        time.sleep(0.01)


def blanks(values, frozen):
    return [np.array([np.nan]) for _ in frozen]


def forgets(values, frozen):
    return [np.array([0.5])]


def flattens(values, frozen):
    return [0.5 for _ in frozen]


def exits(values, frozen):
    os._exit(3)


def thirds(values, frozen, *, share: float = 0.33):
    return [np.unique(np.quantile(column, [share, 1 - share])) for column in values.T]
"""
ENDS = {
    "raises": ("error", "RuntimeError: out of ideas (my/method.py, line 9)"),
    "spins": ("timeout", "stopped after 2 s of wall time"),
    "eats": ("memory", "stopped above 200 MB of memory"),
    "blanks": ("error", "my/method.py:blanks: column asia: [nan] are not finite, increasing numbers"),
    "forgets": ("error", "my/method.py:forgets returned 1 threshold lists for 8 variables"),
    "flattens": ("error", "my/method.py:flattens: column asia: 0.5 is not a list of numbers"),
    "exits": ("error", "ended with exit code 3"),
    "thirds": ("ok", ""),
}


def own_rows(rows):
    base = {"category": "prediscretization", "job": "own", "learner": "hill_climbing", "score": "bdeu"}
    own = {name: base | {"label": name.title(), "discretizer": f"my/method.py:{name}"} for name in ENDS}
    return {name: rows[name] for name in ("eqfreq2", "bach")} | own | {"thirds": own["thirds"] | {"share": 0.3}}


def small(study):
    """One data set, and two of the printed methods."""
    grid = {"networks": ["asia"], "n": [60], "noises": ["sigma0.35"], "methods": ["eqfreq2", "bach"]}
    return study | {"scales": {"tiny": {"replicates": 1}}, "grids": {"simulated": grid}}


def test_failing_methods_of_ones_own_take_nothing_down(workflow, finished, tmp_path):
    folder = workflow.folder(tmp_path / "run")
    (folder / "my").mkdir()
    (folder / "my" / "method.py").write_text(OWN)
    table = folder / "results" / "fu2005" / "tables" / "table_V-4.csv"
    with (
        workflow.edited_yaml("config/methods.yaml", own_rows),
        workflow.edited_yaml("src/cutpoint/studies/fu2005/study.yaml", small),
    ):
        done = workflow.run(folder, table.relative_to(folder), time_limit=2, memory_limit=200)
    assert done.code == 0, done.text
    assert "\nfu2005: 7 of 10 runs did not succeed: 5 error, 1 memory, 1 timeout\n" in done.text
    batch = folder / "results" / "fu2005" / "batches" / "simulated-asia-n60-sigma0.35-0-0"
    for path, schema in (
        (batch / "discretizers" / "own" / "runs.parquet", schemas.RUNS),
        (batch / "methods" / "own" / "runs.parquet", schemas.RUNS),
        (folder / "results" / "fu2005" / "metrics.parquet", schemas.METRICS),
    ):
        rows, _ = parquet.read_records(path, schema)
        ends = {row["method"]: (row["status"], row["message"]) for row in rows}
        assert {name: ends[name] for name in ENDS} == ENDS
    rows = {row["method"]: row for row in rows}
    assert {rows[name]["status"] for name in ("eqfreq2", "bach", "thirds")} == {"ok"}
    assert rows["thirds"]["shd_fu2005"] is not None
    assert rows["raises"]["shd_fu2005"] is None
    text = table.read_text()
    for name, (status, message) in ENDS.items():
        if status != "ok":
            assert re.search(rf"^{name},.*,0,0,1,\"?not available: {re.escape(message)}", text, re.MULTILINE)
    assert re.search("^thirds,Thirds,prediscretization,N = 60,,[0-9.]+,,,1,1,1,,", text, re.MULTILINE)
