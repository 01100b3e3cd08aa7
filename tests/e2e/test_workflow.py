"""The workflow from end to end at the tiny scale: what it leaves behind, and what makes it run again."""

import csv
import re

import pytest
from fault_tools import read_only
from workflow_tools import SIMULATED, artefacts, expected, records

from cutpoint.base.checking import read_yaml
from cutpoint.data import parquet, schemas
from cutpoint.studies.declaration import study_file

pytestmark = pytest.mark.slow
SHOWN = ["all", "report", "show"]
MABROUK = "results/mabrouk2015"


def study():
    return read_yaml(study_file("fu2005"))


def test_a_whole_run_leaves_every_artefact(finished):
    folder, done = finished
    assert re.search(r"^fu2005, scale tiny: \d+ runs on \d+ data sets in \d+ batches$", done.text, re.MULTILINE)
    results = folder / "results" / "fu2005"
    assert artefacts(results) == expected("fu2005")
    assert not [name for name in artefacts(results) if (results / name).stat().st_size < 20]
    assert not [path for path in folder.rglob(".*.parquet.*")]
    (line,) = [line for line in done.text.splitlines() if line.startswith("report: ")]
    assert line == f"report: {folder}/results/report.html"


def test_every_claim_has_a_verdict(finished):
    with open(finished[0] / "results" / "fu2005" / "claims.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["claim"] for row in rows if not row["part"]] == [f"F{k}" for k in range(1, 15)]
    assert all(row["verdict"] for row in rows)


def test_the_report_says_what_is_not_there(finished):
    text = (finished[0] / "results" / "report.html").read_text()
    assert "not available" in text
    assert "abalone.data: not in mirror" in text


def test_metrics_have_every_run(finished):
    rows, about = parquet.read_records(finished[0] / "results" / "fu2005" / "metrics.parquet", schemas.METRICS)
    assert (about["scale"], about["seed"]) == ("tiny", 2005)
    grids = study()["grids"]
    cells = {"simulated": 2 * 2, "sigma": 2 * 2 * 2, "real": 10}
    assert len(rows) == sum(number * len(grids[name]["methods"]) for name, number in cells.items())
    assert {row["status"] for row in rows if row["dataset"]} == {"unavailable"}
    simulated = [row for row in rows if row["network"]]
    assert [(row["method"], row["message"]) for row in simulated if row["status"] != "ok"] == []
    assert all(row["shd_fu2005"] is not None and row["learn_seconds"] is not None for row in simulated)


def results_of(folder, batch, cell, replicate):
    """Return the metrics, edges and thresholds of a data set, without what is measured."""

    def keep(row):
        return (row["cell"], row["replicate"]) == (cell, replicate)

    batch = folder / batch
    kinds = {"edges": schemas.EDGES, "thresholds": schemas.THRESHOLDS}
    found = {"metrics": records(batch / "metrics.parquet", schemas.METRICS, keep)}
    methods = {dict(row)["method"] for row in found["metrics"]}  # other tests may have added some to a shared run
    for kind, schema in kinds.items():
        paths = (batch / "methods").glob(f"*/{kind}.parquet")
        rows = (row for path in paths for row in records(path, schema, keep))
        found[kind] = sorted((row for row in rows if dict(row)["method"] in methods), key=repr)
    return found


def test_results_do_not_depend_on_batches_cores_or_place_nor_on_writing_in_the_clone(workflow, finished, tmp_path):
    cell = "asia-n100-sigma0.35"
    batch = f"results/fu2005/batches/simulated-{cell}-1-1"
    mabrouk = {f"{MABROUK}/metrics.parquet": schemas.METRICS, f"{MABROUK}/predictions.parquet": schemas.PREDICTIONS}
    other, here = workflow.folder(tmp_path / "other"), tmp_path / "here"
    here.mkdir()
    options = {"study": None, "cores": 1, "batch": 1, "door": "workflow/Snakefile", "here": here}
    with read_only(workflow.clone):
        done = workflow.run(other, f"{batch}/metrics.parquet", *mabrouk, "--directory", other, **options)
    assert done.code == 0, done.text
    assert list(here.iterdir()) == []
    found = results_of(other, batch, cell, 1)
    assert found == results_of(finished[0], SIMULATED, cell, 1)
    assert {dict(row)["method"] for row in found["metrics"]} == set(study()["grids"]["simulated"]["methods"])
    assert {dict(row)["method"] for row in found["edges"]} >= {"steck3", "hartemink", "tetrad_pc"}
    assert found["thresholds"]
    for path, schema in mabrouk.items():
        assert records(other / path, schema) == records(finished[0] / path, schema)
    for path in sorted((finished[0] / MABROUK / "networks").iterdir()):
        assert (other / MABROUK / "networks" / path.name).read_bytes() == path.read_bytes()


def test_an_option_and_a_further_row_rerun_their_jobs_alone_and_a_label_none(workflow, finished):
    row = {"label": "BIC", "category": "prediscretization", "discretizer": "equal_width", "bins": 3}
    row |= {"learner": "hill_climbing", "score": "bic"}

    def change(rows):
        changed = {"bach": rows["bach"] | {"width": 0.7}, "friedman2": rows["friedman2"] | {"label": "Friedman"}}
        return {**rows, **changed, "width.bic": row}

    with workflow.edited_yaml("config/methods.yaml", change):
        jobs = workflow.plan(finished[0]).jobs
    grids = [batch.parent.name.split("-")[0] for batch in finished[0].glob("results/fu2005/batches/*/metrics.parquet")]
    printed = study()["grids"]["simulated"]["methods"]  # grids with all printed methods get further rows
    further = [name for name in grids if set(study()["grids"][name]["methods"]) == set(printed)]
    expected = [*SHOWN, "collect", *["evaluate", "learn_direct"] * len(grids), *["learn_width.bic"] * len(further)]
    assert jobs == sorted(expected)
