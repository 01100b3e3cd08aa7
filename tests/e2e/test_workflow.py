"""The workflow from end to end at the tiny scale: what it leaves behind, and what makes it run again."""

import csv

import pytest
import yaml
from workflow_tools import SIMULATED, records, side_by_side

from cutpoint.data import parquet, schemas

pytestmark = pytest.mark.slow
ARTEFACTS = ["all", "claims_fu2005", "figures_fu2005", "report", "tables_fu2005"]
AFTER_RUNS = sorted([*ARTEFACTS, *["evaluate"] * 3, "collect"])
EDGES_OF_BACH = f"{SIMULATED}/methods/direct/edges.parquet"


def study(workflow):
    return yaml.safe_load((workflow.clone / "src" / "cutpoint" / "studies" / "fu2005" / "study.yaml").read_text())


def test_a_whole_run_leaves_every_artefact(workflow, finished):
    folder, done = finished
    assert done.code == 0, done.text
    assert "fu2005, scale tiny: 220 runs on 22 data sets in 3 batches" in done.text
    results = folder / "results" / "fu2005"
    about = study(workflow)
    expected = {
        results / "tables" / f"{n}.{kind}" for n in about["tables"] for kind in ("csv", "md", "tex", "json", "html")
    }
    expected |= {results / "figures" / f"{n}.{kind}" for n in about["figures"] for kind in ("pdf", "svg", "png")}
    assert not [path.name for path in expected if not path.is_file() or path.stat().st_size < 20]
    written = {path for name in ("tables", "figures") for path in (results / name).iterdir()}
    assert written == expected
    assert not [path for path in folder.rglob(".*.parquet.*")]


def test_every_claim_has_a_verdict(finished):
    with open(finished[0] / "results" / "fu2005" / "claims.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["claim"] for row in rows if not row["part"]] == [f"F{k}" for k in range(1, 15)]
    assert all(row["verdict"] for row in rows)


def test_the_report_says_what_is_not_there(finished):
    text = (finished[0] / "results" / "report.html").read_text()
    assert "not available" in text
    assert "abalone.data: not in mirror" in text


def test_metrics_have_every_run(workflow, finished):
    rows, about = parquet.read_records(finished[0] / "results" / "fu2005" / "metrics.parquet", schemas.METRICS)
    assert (about["scale"], about["seed"]) == ("tiny", 2005)
    grids = study(workflow)["grids"]
    cells = {"simulated": 2 * 2, "sigma": 2 * 2 * 2, "real": 10}
    assert len(rows) == sum(number * len(grids[name]["methods"]) for name, number in cells.items())
    assert {row["status"] for row in rows if row["dataset"]} == {"unavailable"}
    simulated = [row for row in rows if row["network"]]
    assert [(row["method"], row["message"]) for row in simulated if row["status"] != "ok"] == []
    assert all(row["shd_fu2005"] is not None and row["learn_seconds"] is not None for row in simulated)


def test_a_finished_run_has_nothing_to_do(workflow, finished):
    done = workflow.plan(finished[0])
    assert done.code == 0
    assert "Nothing to be done" in done.text


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


def test_results_do_not_depend_on_batches_cores_or_place(workflow, finished, tmp_path):
    cell = "asia-n100-sigma0.35"
    batch = f"results/fu2005/batches/simulated-{cell}-1-1"
    done = workflow.run(workflow.folder(tmp_path / "other"), f"{batch}/metrics.parquet", cores=1, batch=1)
    assert done.code == 0, done.text
    found = results_of(tmp_path / "other", batch, cell, 1)
    assert found == results_of(finished[0], SIMULATED, cell, 1)
    assert len(found["metrics"]) == 14
    assert {dict(row)["method"] for row in found["edges"]} >= {"steck3", "hartemink", "tetrad_pc"}
    assert len(found["thresholds"]) > 50


def test_another_seed_gives_another_result(workflow, finished, tmp_path):
    done = workflow.run(workflow.folder(tmp_path / "other"), EDGES_OF_BACH, seed=7)
    assert done.code == 0, done.text
    found = [records(folder / EDGES_OF_BACH, schemas.EDGES) for folder in (finished[0], tmp_path / "other")]
    assert found[0] != found[1]
    data = "results/fu2005/data/asia/n100/0-1/sigma0.35/continuous.parquet"
    first, second = (parquet.open_data(folder / data) for folder in (finished[0], tmp_path / "other"))
    assert (first.metadata["seed"], second.metadata["seed"]) == (2005, 7)
    assert (first.read(0).values != second.read(0).values).all()


def test_it_starts_from_anywhere(workflow, tmp_path):
    for name in ("first", "second", "mine"):
        (tmp_path / name).mkdir()
    places = [
        {"here": tmp_path / "first"},
        {"here": tmp_path / "second", "door": "workflow/Snakefile"},
        {"here": workflow.clone, "door": None},
        {"mirror": "mine"},  # with --directory, the user's own paths stand where the user does
    ]
    for place, done in zip(
        places, side_by_side(lambda place: workflow.plan(tmp_path / "run", **place), places), strict=True
    ):
        assert done.code == 0, done.text
        assert len(done.jobs) == 41
        inside = place.get("here") == workflow.clone
        path = "data/networks/asia.bif" if inside else f"{workflow.clone}/data/networks/asia.bif"
        assert f"input: {path}\n" in done.text


def changed(name, **keys):
    return lambda rows: {**rows, name: rows[name] | keys}


def test_a_label_reruns_nothing_computed(workflow, finished):
    with workflow.edited_yaml("config/methods.yaml", changed("bach", label="Bach and Jordan", note="new")):
        assert workflow.plan(finished[0]).jobs == ARTEFACTS


def test_an_option_reruns_its_job(workflow, finished):
    with workflow.edited_yaml("config/methods.yaml", changed("bach", width=0.7)):
        assert workflow.plan(finished[0]).jobs == sorted([*AFTER_RUNS, *["learn:direct"] * 3])


def test_an_edit_of_a_method_reruns_its_job(workflow, finished):
    def edit(text):
        return text.replace("\n    return ", "\n    added = 1\n    return ")

    with workflow.edited("src/cutpoint/discretization/rules.py", edit):
        jobs = workflow.plan(finished[0]).jobs
    assert jobs == sorted([*AFTER_RUNS, *["learn:integrated"] * 3])


def test_a_line_of_the_registry_reruns_nothing(workflow, finished):
    line = '"bic":'
    with workflow.edited("src/cutpoint/method/registry.py", lambda text: text.replace(line, f'"new": "a.b:c", {line}')):
        assert not workflow.plan(finished[0]).jobs


def test_a_further_row_runs_itself_only(workflow, finished):
    row = {"label": "BIC", "category": "prediscretization", "discretizer": "equal_width", "bins": 3}
    row |= {"learner": "hill_climbing", "score": "bic"}
    with workflow.edited_yaml("config/methods.yaml", lambda rows: {**rows, "width_bic": row}):
        jobs = workflow.plan(finished[0]).jobs
    expected = [*AFTER_RUNS, *["learn:width_bic"] * 2]  # not of the grid that picks a few methods
    expected.remove("evaluate")
    assert jobs == sorted(expected)
