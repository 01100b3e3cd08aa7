"""The workflow from end to end at the tiny scale: what it leaves behind."""

import csv
import re

import pytest
from fault_tools import read_only
from workflow_tools import SIMULATED, artefacts, expected, records

from cutpoint.base.checking import read_yaml
from cutpoint.bench.data import parquet, schemas
from cutpoint.bench.engine.declaration import study_file

MABROUK = "results/mabrouk2015"
# Of random networks and of predictions: a network, and the file of its batch.
BATCHES = {("random", "metrics"): schemas.METRICS, ("asia", "predictions"): schemas.PREDICTIONS}


def test_a_whole_run_says_what_it_does_and_reports_what_is_not_there(finished):
    folder, done = finished
    assert re.search(r"^fu2005, scale tiny: \d+ runs on \d+ data sets in \d+ batches$", done.text, re.MULTILINE)
    assert not [path for path in folder.rglob(".*.parquet.*")]
    (line,) = [line for line in done.text.splitlines() if line.startswith("report: ")]
    assert line == f"report: {folder}/results/report.html"
    assert "abalone.data: not in mirror" in (folder / "results" / "report.html").read_text()
    _, about = parquet.read_records(folder / "results" / "fu2005" / "metrics.parquet", schemas.METRICS)
    assert (about["scale"], about["seed"]) == ("tiny", 2005)


def test_the_field_runs_at_a_small_scale(workflow, tmp_path):
    folder = workflow.folder(tmp_path / "field")
    done = workflow.run(folder, study="field2026")
    assert done.code == 0, done.text
    rows = parquet.read_table(folder / "results" / "field2026" / "metrics.parquet", ["grid", "status"])[0].to_pylist()
    assert {(row["grid"], row["status"]) for row in rows} == {(grid, "ok") for grid in ("field", "fourth", "few")}
    assert (folder / "results" / "field2026" / "tables" / "table_systems.md").exists()


def results_of(folder, batch, cell, replicate):
    """Return the metrics, edges and thresholds of a data set, without what is measured."""

    def keep(row):
        return (row["cell"], row["replicate"]) == (cell, replicate)

    batch = folder / batch
    kinds = {"edges": schemas.EDGES, "thresholds": schemas.THRESHOLDS}
    outcome = {"metrics": records(batch / "metrics.parquet", schemas.METRICS, keep)}
    methods = {dict(row)["method"] for row in outcome["metrics"]}  # other tests may have added some to a shared run
    for kind, schema in kinds.items():
        paths = (batch / "learned").glob(f"*/{kind}.parquet")
        rows = (row for path in paths for row in records(path, schema, keep))
        outcome[kind] = sorted((row for row in rows if dict(row)["method"] in methods), key=repr)
    return outcome


def test_results_do_not_depend_on_batches_cores_or_place_nor_on_writing_in_the_clone(workflow, finished, tmp_path):
    batch = "results/fu2005/simulated/asia.n100.block1"
    mabrouk = [f"{MABROUK}/simulated/{network}.n200.block1/{kind}.parquet" for network, kind in BATCHES]
    other, here = workflow.folder(tmp_path / "other"), tmp_path / "here"
    here.mkdir()
    options = {"study": None, "studies": "[fu2005,mabrouk2015]", "cores": 1, "here": here, "door": "workflow/Snakefile"}
    files = [f"workflow/studies/{name}/study.yaml" for name in ("fu2005", "mabrouk2015")]
    with workflow.cut(*files, block=1), read_only(workflow.clone):
        done = workflow.run(other, f"{batch}/metrics.parquet", *mabrouk, "--directory", other, **options)
    assert done.code == 0, done.text
    assert list(here.iterdir()) == []
    outcome = results_of(other, batch, "asia-n100-sigma0.35", 1)
    assert outcome == results_of(finished[0], SIMULATED, "asia-n100-sigma0.35", 1)
    methods = read_yaml(study_file("fu2005"))["grids"]["simulated"]["methods"]
    assert {dict(row)["method"] for row in outcome["metrics"]} == {*methods}
    assert {dict(row)["method"] for row in outcome["edges"]} >= {"hartemink", "tetrad_pc"}
    assert outcome["thresholds"]
    for path, ((network, kind), schema) in zip(mabrouk, BATCHES.items(), strict=True):
        rows = records(finished[0] / MABROUK / "simulated" / "all" / f"{kind}.parquet", schema)
        beginning = f"{network}-n200-"
        whole = [row for row in rows if (of := dict(row))["replicate"] == 1 and of["cell"].startswith(beginning)]
        assert records(other / path, schema) == whole
        assert whole
    (path,) = (other / MABROUK / "networks").glob("*/*/*.bif")
    assert path.name == "random-1.bif"
    assert path.read_bytes() == (finished[0] / MABROUK / "networks" / "random" / "block0" / path.name).read_bytes()


CLAIMS = {"mabrouk2015": "M", "steck2007": "S", "tran2013": "T", "maua2018": None, "calibration": "C", "growth": "G"}
CLAIMS |= {"fu2005": "F", "missing": "N"}


@pytest.mark.parametrize("study", CLAIMS)
def test_every_artefact_and_every_verdict_is_there(all_studies, study):
    assert artefacts(all_studies / study) == expected(study)
    for path in (all_studies / study / "tables").glob("*.md"):
        if path.stem == "table_searches" or (study == "tran2013" and path.stem != "table_readings"):
            # others want real data or more runs than tiny ones, or hold what one side alone can tell
            assert "not available" not in path.read_text(), path.name
    with open(all_studies / study / "claims.csv", newline="") as file:
        rows = [row for row in csv.DictReader(file) if not row["part"]]
    assert all(row["verdict"] for row in rows)
    assert bool(rows) == bool(CLAIMS[study])
    assert all(row["claim"].removeprefix(CLAIMS[study]).isdecimal() for row in rows)
    assert study in (all_studies / "report.html").read_text()
