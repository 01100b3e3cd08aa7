"""The workflow as a module of another Snakemake project: the example of docs/module."""

import csv
import shutil
from pathlib import Path

import pytest
import yaml
from workflow_tools import SIMULATED, artefacts, expected, records

from cutpoint.bench.data import parquet, schemas

ROOT = Path(__file__).parents[2]
EDGES_OF_BACH = f"{SIMULATED}/learned/direct/edges.parquet"
METRICS = "cutpoint/results/fu2005/metrics.parquet"


def project(workflow, folder):
    """Copy the example, with the path of the clone put in."""
    shutil.copytree(ROOT / "docs" / "module", folder, dirs_exist_ok=True)
    text = (folder / "Snakefile").read_text()
    door = workflow.clone / "workflow" / "Snakefile"
    assert '"../../workflow/Snakefile"' in text
    (folder / "Snakefile").write_text(text.replace("../../workflow/Snakefile", str(door)))
    config = yaml.safe_load((folder / "config.yaml").read_text())["cutpoint"]
    config |= {"mirror": str(workflow.mirror)}
    (folder / "config.yaml").write_text(yaml.safe_dump({"cutpoint": config}))
    return folder


def test_a_project_goes_on_with_rules_and_results_behind_a_prefix(workflow, finished, tmp_path):
    folder = project(workflow, workflow.folder(tmp_path / "mine"))
    shutil.copytree(finished[0] / "results", folder / "cutpoint" / "results")
    edges = folder / "cutpoint" / EDGES_OF_BACH
    edges.unlink()
    targets = ("best", "cutpoint_all", f"cutpoint/{EDGES_OF_BACH}")
    # as its user does, in its folder and with nothing but its own files
    done = workflow.run(folder, *targets, door=None, here=folder, scale=None, study=None, mirror=None)
    assert done.code == 0, done.text
    assert "fu2005, scale tiny" in done.text  # config/config.yaml of the clone says published
    after = ["cutpoint_collect", "cutpoint_evaluate", "cutpoint_learn_direct", "cutpoint_report", "cutpoint_show"]
    assert done.jobs == ["best", "cutpoint_all", *after]
    assert records(edges, schemas.EDGES) == records(finished[0] / EDGES_OF_BACH, schemas.EDGES)
    assert artefacts(folder / "cutpoint" / "results" / "fu2005") == expected("fu2005")
    names = {"Snakefile", "config.yaml", "best.py", "best.csv", "cutpoint", "logs", "results", ".snakemake"}
    assert {path.name for path in folder.iterdir()} <= names
    check_means(folder)


def check_means(folder):
    """Check the table of the example against the metrics that it was made from."""
    rows, _ = parquet.read_records(folder / METRICS, schemas.METRICS)
    same = [row for row in rows if (row["grid"], row["sigma"]) == ("simulated", 0.35)]
    good = [row for row in same if row["shd_fu2005"] is not None]
    assert len(good) < sum(row["shd_fu2005"] is not None for row in rows)  # others are at other noise levels
    with open(folder / "best.csv", newline="") as file:
        best = list(csv.DictReader(file))
    assert {row["method"] for row in best} == {row["method"] for row in good}
    assert sum(int(row["runs"]) for row in best) == len(good)
    means = [float(row["mean_shd"]) for row in best]
    assert means == sorted(means)
    first = [row["shd_fu2005"] for row in good if row["method"] == best[0]["method"]]
    assert means[0] == pytest.approx(sum(first) / len(first))
