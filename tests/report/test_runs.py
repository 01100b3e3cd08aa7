"""All runs of all studies, and the edges that they learned, as users read them."""

import doctest
import json
import logging
from importlib.metadata import version
from types import SimpleNamespace

import numpy as np
import pyarrow.parquet as pq
import pytest
from script_tools import ROOT, script

import cutpoint as cp
from cutpoint.base.checking import read_yaml
from cutpoint.base.errors import InputError
from cutpoint.bench.data import parquet, schemas
from cutpoint.bench.report.runs import parts_of, write_runs
from cutpoint.bench.workflow.config import load
from cutpoint.bench.workflow.lookups import Plan
from cutpoint.method.rows import read_rows

ROW = {"label": "Mine", "category": "prediscretization", "discretizer": "equal_width", "bins": 4, "score": "bic"}


def metrics(folder, study, *methods, contract=None, **about):
    """Write the metrics of a study with a run of each method."""
    rows = [
        {"study": study, "grid": "g", "cell": "asia", "replicate": 0, "method": name, "status": "ok"}
        for name in methods
    ]
    path = folder / study / "metrics.parquet"
    parquet.write_records(path, rows, schemas.METRICS, **{"study": study, "scale": "quick", "seed": 1} | about)
    if contract:
        table = pq.read_table(path)
        content = json.loads(table.schema.metadata[parquet.KEY]) | {"contract": contract}
        pq.write_table(table.replace_schema_metadata({parquet.KEY: json.dumps(content)}), path)


def records(frame):
    """Rows of a frame, None for null."""
    return frame.astype(object).where(frame.notna(), None).to_dict("records")


@pytest.fixture
def folder(tmp_path):
    """Results of two commands: each knew one study."""
    metrics(tmp_path, "fu2005", "bach", methods={"bach": parts_of({"label": "Bach", "category": "direct"})})
    metrics(tmp_path, "new2026", "mine", scale="tiny", seed=7, methods={"mine": parts_of(ROW)})
    return tmp_path


def test_all_studies_of_the_folder_are_known(folder, monkeypatch):
    studies = {row["study"]: row for row in records(cp.results(folder=folder))}
    assert [*studies] == ["fu2005", "new2026"]
    assert [studies["fu2005"][key] for key in ("scale", "seed", "label")] == ["quick", 1, "Bach"]
    assert [studies["new2026"][key] for key in ("scale", "seed", "label")] == ["tiny", 7, "Mine"]
    assert [studies["new2026"][key] for key in ("discretizer", "score_name")] == ["equal_width", "bic"]
    assert json.loads(studies["new2026"]["options"]) == {"bins": 4}
    (folder / "results").symlink_to(folder)
    monkeypatch.chdir(folder)
    (example,) = doctest.DocTestFinder().find(cp.results, globs={})
    assert doctest.DocTestRunner().run(example) == (0, 3)
    assert records(cp.results("fu2005", folder)) == [studies["fu2005"]]
    assert cp.results(["new2026", "fu2005", "new2026"], folder)["study"].tolist() == ["new2026", "fu2005"]
    with pytest.raises(InputError, match=r"no results of 'fu2004'; did you mean 'fu2005'\?"):
        cp.results("fu2004", folder)
    with pytest.raises(InputError, match="no results of a finished study"):
        cp.results(folder=folder / "fu2005")


def test_the_files_have_the_runs_of_all_studies(folder):
    write_runs(folder)
    assert pq.read_table(folder / "runs.parquet").to_pylist() == records(cp.results(folder=folder))
    assert {"runs.csv.gz", "runs.schema.json"} <= {path.name for path in folder.iterdir()}
    (folder / "empty").mkdir()
    write_runs(folder / "empty")
    assert pq.read_table(folder / "empty" / "runs.parquet").column_names == schemas.ALL_RUNS.names


@pytest.mark.parametrize(
    ("about", "why"),
    [({"contract": 1, "methods": {}}, "written for contract 1, not"), ({}, "written by another version of cutpoint")],
)
def test_a_study_of_another_version_is_left_out_with_a_line(folder, caplog, about, why):
    metrics(folder, "old", "bach", **about)
    with caplog.at_level(logging.WARNING, "cutpoint"):
        write_runs(folder)
    (line,) = caplog.messages
    assert line.startswith("the table of all runs is without old: ")
    assert f"old/metrics.parquet: {why}" in line
    assert line.endswith("delete it and run again")
    assert set(pq.read_table(folder / "runs.parquet").column("study").to_pylist()) == {"fu2005", "new2026"}
    with pytest.raises(InputError, match=why):
        cp.results("old", folder)


def test_the_metrics_of_a_study_say_what_its_methods_are(tmp_path):
    settings = read_yaml(ROOT / "config" / "config.yaml") | {"scale": "tiny", "study": "mabrouk2015"}
    rows = Plan(load(settings, ROOT, ROOT)).studies.metadata_of_runs(SimpleNamespace(study="mabrouk2015"))["methods"]
    shipped = read_rows(ROOT / "config" / "methods.yaml")[0]["ruichu"]
    assert parts_of(rows["ruichu"]) == parts_of(shipped)
    assert not {"note", "job", "studies"} & rows["ruichu"].keys()
    metrics(tmp_path, "part", "ruichu")
    methods = {name: parts_of(row) for name, row in rows.items()}
    output = tmp_path / "mabrouk2015" / "metrics.parquet"
    script("collect").collect(
        [tmp_path / "part" / "metrics.parquet"],
        output,
        schemas.METRICS,
        study="s",
        scale="tiny",
        seed=1,
        methods=methods,
    )
    (method,) = records(cp.results("mabrouk2015", tmp_path))
    assert (method["label"], method["discretizer"], method["learner"]) == ("Ruichu", "ruichu", "tabu")


def test_each_run_says_which_version_made_it(folder):
    assert {*cp.results(folder=folder)["version"]} == {version("bn-cutpoint")}


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
def learned_folder(tmp_path):
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


def rows(learned_folder):
    return {tuple(row.values()) for row in cp.edges("s", learned_folder).drop(columns="family").to_dict("records")}


def test_edges_are_between_variables_by_their_names(learned_folder, monkeypatch):
    edges = cp.edges("s", learned_folder)
    assert list(edges) == ["study", "method", "cell", "replicate", "source", "target", "directed", "family"]
    ends = {0: ("smoke", "lung"), 1: ("lung", "smoke")}
    expected = {("s", "bach", cell, r, *ends[r], True) for cell in DATA.values() for r in ends}
    expected |= {("s", "mine", "asia-n9", r, *ends[r], False) for r in ends}
    assert rows(learned_folder) == expected
    assert len(edges) == 6
    (learned_folder / "results").mkdir()
    (learned_folder / "results" / "fu2005").symlink_to(learned_folder / "s")
    monkeypatch.chdir(learned_folder)
    (example,) = doctest.DocTestFinder().find(cp.edges, globs={})
    assert doctest.DocTestRunner().run(example) == (0, 3)


def test_failed_runs_have_no_edges(learned_folder):
    learn(
        learned_folder / "s" / "simulated" / "asia.n9.block0" / "learned" / "mine", "asia-n9", "mine", status="timeout"
    )
    assert {row[1] for row in rows(learned_folder)} == {"bach"}


def test_what_is_missing_is_named(learned_folder):
    with pytest.raises(InputError, match=r"no results of 't'"):
        cp.edges("t", learned_folder)
    mine = learned_folder / "s" / "simulated" / "asia.n9.block0" / "learned" / "mine" / "edges.parquet"
    mine.unlink()
    with pytest.raises(InputError, match=f"{mine}: no such file; run again"):
        cp.edges("s", learned_folder)
    (learned_folder / "s" / "simulated").rename(learned_folder / "elsewhere")
    with pytest.raises(InputError, match=r"the data of the batch simulated/asia\.n9\.block0 are missing; run again"):
        cp.edges("s", learned_folder)
    parquet.write_records(learned_folder / "s" / "metrics.parquet", [], schemas.METRICS)
    with pytest.raises(InputError, match="written by another version of cutpoint; delete it and run again"):
        cp.edges("s", learned_folder)
