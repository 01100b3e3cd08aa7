"""The table of all runs knows every study in the folder of results, whichever command ran it."""

import doctest
import json
import logging
from importlib.metadata import version
from types import SimpleNamespace

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
