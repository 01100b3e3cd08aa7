"""Methods that are added: those of other packages, and what `cutpoint new-method` writes, all in one run."""

import csv
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import environments
import pytest
import yaml
from workflow_tools import only

from cutpoint.bench.commands.new_method import LANGUAGES
from cutpoint.bench.data import parquet, schemas

ROOT = Path(__file__).parents[2]
UV = shutil.which("uv")
METRICS, TABLES = "results/fu2005/metrics.parquet", "results/fu2005/tables"
SHIPPED = ["eqfreq3", "bach"]
PEERS = ["chow_liu", "pyagrum_greedy", "pyagrum_tabu", "pyagrum_miic", "causal_learn_pc", "causal_learn_ges"]
NEW = {"thirds": ["--kind", "discretizer"], "mine": ["--kind", "direct"]} | {
    f"by_{language}": ["--kind", "external", "--language", language]
    for language in LANGUAGES
    if language != "r" or shutil.which("Rscript")
}


def resolves():
    """Return whether uv has all of pgmpy's environment at hand."""
    command = [UV, "run", "--offline", "--quiet", "--isolated", "--no-project", "--with-requirements"]
    return UV and subprocess.run([*command, ROOT / "envs" / "pgmpy.txt", "true"], capture_output=True).returncode == 0


def small(study):
    """Two data sets, and two of the printed methods."""
    grid = {"networks": ["asia"], "n": [200], "noises": ["sigma0.35"], "methods": SHIPPED}
    return only(study, grid, replicates=2)


def call(workflow, *words):
    """Run a module in the root of the copy, with its package."""
    env = os.environ | {"PYTHONPATH": str(workflow.clone / "src")}
    return subprocess.run([sys.executable, "-m", *words], cwd=workflow.clone, env=env, capture_output=True, text=True)


@pytest.fixture(scope="module")
def peers():
    """The rows of methods of other packages whose programs are there; of R it is said what is missing."""
    there = [("deal", shutil.which("Rscript")), ("pgmpy", resolves())]  # R, and an environment of its own
    return [*PEERS, "bnlearn_hc", *(name for name, installed in there if installed)]


@pytest.fixture(scope="module")
def added(workflow, peers, tmp_path_factory):
    """A run of all of them: its folder."""
    folder = workflow.folder(tmp_path_factory.mktemp("added") / "run")
    with (
        workflow.edited("config/methods.yaml", str),  # new methods add rows to it
        workflow.edited_yaml("workflow/studies/fu2005/study.yaml", small),
    ):
        for name, words in NEW.items():
            done = call(workflow, "cutpoint", "new-method", name, *words)
            assert done.returncode == 0, done.stderr
        try:
            done = workflow.run(folder, METRICS, TABLES, extra_methods=f"[{','.join(peers)}]", time_limit=120)
            assert done.code == 0, done.text
            yield folder
        finally:
            for place in ("methods", "workflow/rules/methods", "scripts/methods"):
                for path in (path for name in NEW for path in (workflow.clone / place).glob(f"{name}.*")):
                    path.unlink()


def test_the_peers_learn(added, peers):
    rows, _ = parquet.read_records(added / METRICS, schemas.METRICS)
    for row in (row for row in rows if row["method"] in peers):
        name = row["method"]
        if name == "bnlearn_hc" and row["status"] == "error":
            assert "the R package bnlearn is missing; install it" in row["message"] or "Rscript" in row["message"]
            continue
        assert (row["status"], row["message"]) == ("ok", "")
        assert row["shd_fu2005"] is not None
        assert row["learn_seconds"] is None or row["learn_seconds"] >= 0
        assert (row["levels"] == 3) == (name not in ("deal", "causal_learn_ges"))
    assert {row["method"] for row in rows} == {*SHIPPED, *peers, *NEW}


def test_new_methods_stand_in_every_table(added):
    with open(added / TABLES / "table_V-4.csv", newline="") as file:
        cells = {row["method"]: row for row in csv.DictReader(file)}
    for name in NEW:
        assert cells[name]["reproduced"]
        assert (cells[name]["runs"], cells[name]["runs_expected"]) == ("2", "2")


def test_new_methods_are_tested_by_name(workflow, added):
    """As docs/add.md says."""
    for test in ("conftest.py", "slow.txt", "method/test_registry_properties.py"):
        (workflow.clone / "tests").mkdir(exist_ok=True)
        shutil.copy(ROOT / "tests" / test, workflow.clone / "tests")
    tested = call(workflow, "pytest", "tests", "-k", "thirds")
    assert tested.returncode == 0, tested.stdout
    assert "2 passed" in tested.stdout


def test_the_environments_of_programs_have_the_pins_of_the_project():
    project = dict(re.findall(r'"([a-z0-9-]+)==([^"]+)"', (ROOT / "pyproject.toml").read_text()))
    for path in environments.FILES.values():
        pins = dict(re.findall(r'^(?:#     ")?([a-z0-9-]+)==([^"\s]+)"?,?$', path.read_text(), re.MULTILINE))
        assert {name: pin for name, pin in pins.items() if pin != project.get(name, pin)} == {}, path
        assert {"cloudpickle", "numpy", "pyarrow"} <= pins.keys(), path
    assert "r-bnlearn" in str(yaml.safe_load((ROOT / "envs" / "bnlearn.yaml").read_text())["dependencies"])
