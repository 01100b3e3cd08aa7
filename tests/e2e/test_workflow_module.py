"""The workflow as a module of another Snakemake project: the example of docs/module."""

import csv
import shutil
from pathlib import Path

import pytest
import yaml
from workflow_tools import SIMULATED, records

from cutpoint.data import parquet, schemas

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]
EDGES_OF_BACH = f"{SIMULATED}/methods/direct/edges.parquet"
METRICS = "cutpoint/results/fu2005/metrics.parquet"


def project(workflow, folder, drop=(), **settings):
    """Copy the example, with the path of the clone put in and settings changed."""
    shutil.copytree(ROOT / "docs" / "module", folder, dirs_exist_ok=True)
    text = (folder / "Snakefile").read_text()
    door = workflow.clone / "workflow" / "Snakefile"
    assert '"../../workflow/Snakefile"' in text
    (folder / "Snakefile").write_text(text.replace("../../workflow/Snakefile", str(door)))
    given = yaml.safe_load((folder / "config.yaml").read_text())["cutpoint"]
    given |= {"mirror": str(workflow.mirror), **settings}
    given = {key: value for key, value in given.items() if key not in drop}
    (folder / "config.yaml").write_text(yaml.safe_dump({"cutpoint": given}))
    return folder


def run(workflow, folder, *arguments):
    """Run the example as its user does, in its folder and with nothing but its own files."""
    return workflow.run(folder, *arguments, door=None, here=folder, scale=None, study=None, mirror=None)


def plan(workflow, folder, *arguments):
    return run(workflow, folder, "--dry-run", *arguments)


def test_a_project_goes_on_with_the_results(workflow, finished, tmp_path):
    folder = project(workflow, workflow.folder(tmp_path / "mine"))
    shutil.copytree(finished[0] / "results", folder / "cutpoint" / "results")
    (folder / METRICS).unlink()
    done = run(workflow, folder)
    assert done.code == 0, done.text
    assert done.jobs == ["best", "cutpoint_collect"]
    rows, _ = parquet.read_records(folder / METRICS, schemas.METRICS)
    same = [row for row in rows if (row["grid"], row["sigma"]) == ("simulated", 0.35)]
    known = [row for row in same if row["shd_fu2005"] is not None]
    assert len(known) < sum(row["shd_fu2005"] is not None for row in rows)  # others are at other noise levels
    with open(folder / "best.csv", newline="") as file:
        best = list(csv.DictReader(file))
    assert {row["method"] for row in best} == {row["method"] for row in known}
    assert sum(int(row["runs"]) for row in best) == len(known)
    means = [float(row["mean_shd"]) for row in best]
    assert means == sorted(means)
    first = [row["shd_fu2005"] for row in known if row["method"] == best[0]["method"]]
    assert means[0] == pytest.approx(sum(first) / len(first))


def test_rules_and_results_of_the_module_have_its_prefix(workflow, finished, tmp_path):
    folder = project(workflow, workflow.folder(tmp_path / "mine"))
    shutil.copytree(finished[0] / "results", folder / "cutpoint" / "results")
    report, edges = folder / "cutpoint" / "results" / "report.html", folder / "cutpoint" / EDGES_OF_BACH
    report.unlink()
    done = run(workflow, folder, "cutpoint_all")
    assert done.code == 0, done.text
    assert done.jobs == ["cutpoint_all", "cutpoint_report"]
    assert report.stat().st_size > 100_000
    edges.unlink()
    done = run(workflow, folder, f"cutpoint/{EDGES_OF_BACH}")
    assert done.code == 0, done.text
    assert done.jobs == ["cutpoint_learn:direct"]
    assert records(edges, schemas.EDGES) == records(finished[0] / EDGES_OF_BACH, schemas.EDGES)
    known = {"Snakefile", "config.yaml", "best.py", "best.csv", "cutpoint", "logs", "results", ".snakemake"}
    assert {path.name for path in folder.iterdir()} <= known


def test_the_example_plans_all_in_its_own_folder(workflow):
    folder = workflow.clone / "docs" / "module"
    shutil.copytree(ROOT / "docs" / "module", folder)
    done = plan(workflow, folder)
    assert done.code == 0, done.text
    assert done.jobs[0] == "best"
    assert done.jobs.count("cutpoint_evaluate") == 3
    assert f"input: {METRICS}" in done.text


def test_missing_keys_are_named_in_one_line(workflow, tmp_path):
    done = plan(workflow, project(workflow, tmp_path, drop=("seed", "batch", "scale")))
    assert done.code != 0
    assert "cutpoint: config: scale, seed, batch: missing\n" in done.text
    assert "Traceback" not in done.text


def test_the_config_of_the_module_replaces_that_of_the_file(workflow, tmp_path):
    done = plan(workflow, project(workflow, tmp_path, batch=1), "cutpoint_all")
    assert done.code == 0, done.text
    assert "fu2005, scale tiny" in done.text
    assert done.jobs.count("cutpoint_evaluate") == 22
