"""Methods of other packages through the workflow."""

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
import yaml
from test_workflow_failures import METRICS, metrics, small

from cutpoint.data import parquet
from cutpoint.runs import functions

ROOT = Path(__file__).parents[2]
UV = shutil.which("uv")
PEERS = ["chow_liu", "pyagrum_greedy", "pyagrum_tabu", "pyagrum_miic", "causal_learn_pc", "causal_learn_ges"]


def resolves():
    """Return whether uv has all of pgmpy's environment at hand."""
    command = [UV, "run", "--offline", "--quiet", "--isolated", "--no-project", "--with-requirements"]
    return UV and subprocess.run([*command, ROOT / "envs" / "pgmpy.txt", "true"], capture_output=True).returncode == 0


@pytest.mark.slow
def test_the_peers_learn(workflow, finished, tmp_path):
    there = [("deal", shutil.which("Rscript")), ("pgmpy", resolves())]  # R, and an environment of its own
    names = [*PEERS, "bnlearn_hc", *(name for name, found in there if found)]
    folder = workflow.folder(tmp_path / "run")
    with workflow.edited_yaml("src/cutpoint/studies/fu2005/study.yaml", small):
        done = workflow.run(folder, str(METRICS), extra_methods=f"[{','.join(names)}]", time_limit=120)
    assert done.code == 0, done.text
    found = metrics(folder)
    for name in names:
        row = found[name]
        if name == "bnlearn_hc" and row["status"] == "error":
            assert "the R package bnlearn is missing; install it" in row["message"] or "Rscript" in row["message"]
            continue
        assert (row["status"], row["message"]) == ("ok", "")
        assert row["shd_fu2005"] is not None
        assert row["learn_seconds"] is None or row["learn_seconds"] >= 0
        assert (row["levels"] == 3) == (name not in ("deal", "causal_learn_ges"))


def test_a_missing_uv_is_named(monkeypatch, tmp_path):
    monkeypatch.delenv("UV", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    values = np.zeros((2, 1))
    parquet.write_data(tmp_path / "data.parquet", ["x"], [(0, values)], cell="c")
    todo = functions.Batch({"mine": ("no.py", {})}, {}, [str(tmp_path / "data.parquet")], [], [], 60.0, 1000.0)
    (run,) = functions.run_apart(todo, "requirements.txt", str(tmp_path)).runs
    assert run["status"] == "error"
    assert run["message"] == "no program 'uv' in PATH, which makes the environment of this method; install it"


def test_the_environments_of_programs_have_the_pins_of_the_project():
    project = (ROOT / "pyproject.toml").read_text()
    lines = [line for line in (ROOT / "envs" / "pgmpy.txt").read_text().splitlines() if not line.startswith("#")]
    assert [line for line in lines if f'"{line}"' not in project] == []
    assert "r-bnlearn" in "".join(
        map(str, yaml.safe_load((ROOT / "envs" / "bnlearn.yaml").read_text())["dependencies"])
    )
