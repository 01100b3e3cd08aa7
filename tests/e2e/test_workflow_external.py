"""External methods through the workflow: those of other packages, and programs and functions that fail in every way."""

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
import yaml

from cutpoint.data import parquet, schemas
from cutpoint.runs import functions

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]
UV = shutil.which("uv")
METRICS = Path("results/fu2005/batches/simulated-asia-n60-sigma0.35-0-0/metrics.parquet")
PEERS = ["chow_liu", "pyagrum_greedy", "pyagrum_tabu", "pyagrum_miic", "causal_learn_pc", "causal_learn_ges"]

OWN = """
import ctypes
import os
import sys
import time

import numba
import numpy as np

from cutpoint import Learned


@numba.njit
def turn():
    k = 0
    while k >= 0:
        k = (k + 1) % 7
    return k


def segfaults(values, frozen):
    ctypes.string_at(0)


def aborts(values, frozen):
    os.abort()


def leaves(values, frozen):
    sys.exit(4)


def raises(values, frozen):
    raise RuntimeError("out of ideas")


def turns(values, frozen):
    turn()


def eats(values, frozen):
    blocks = []
    while True:
        blocks.append(np.ones(5_000_000))
        time.sleep(0.01)


def circles(values, frozen):
    return Learned(dag=np.roll(np.eye(len(frozen), dtype=bool), 1, axis=1))


def loops(values, frozen):
    return Learned(dag=np.eye(len(frozen), dtype=bool))


def shrinks(values, frozen):
    return Learned(cpdag=np.zeros((2, 2), bool), kind="pdag")


def nothing(values, frozen):
    return None
"""
FUNCTIONS = {
    "segfaults": ("error", "ended by signal SIGSEGV"),
    "aborts": ("error", "ended by signal SIGABRT"),
    "leaves": ("error", "SystemExit: 4"),
    "raises": ("error", "RuntimeError: out of ideas"),
    "turns": ("timeout", "stopped after 4 s of wall time"),
    "eats": ("memory", "stopped above 200 MB of memory"),
    "circles": ("error", "my/method.py:circles: the graph is said to be a DAG and has a cycle: asia -> "),
    "loops": ("error", "my/method.py:loops: an edge from 'asia' to itself"),
    "shrinks": ("error", "my/method.py:shrinks returned a graph of shape (2, 2) for 8 variables"),
    "nothing": ("error", "my/method.py:nothing returned None, not cutpoint.Learned"),
}
HEADER = "echo source,target,directed > edges.csv"
PROGRAMS = {
    "p_crash": ("kill -SEGV $$", "error", "the program ended by signal SIGSEGV"),
    "p_exit": ("echo no data >&2; exit 5", "error", "the program ended with exit code 5: no data"),
    "p_sleep": ("sleep 1000", "timeout", "stopped after 4 s of wall time"),
    "p_eats": ("x=$(head -c 900000000 /dev/zero | tail)", "memory", "stopped above 200 MB of memory"),
    "p_malformed": (f"{HEADER}; echo asia >> edges.csv", "error", "edges.csv, line 2: 1 cells where the header has 3"),
    "p_cycle": (
        f"{HEADER}; for e in asia,tub lung,asia tub,lung; do echo $e,true >> edges.csv; done",
        *("error", "edges.csv: the graph is said to be a DAG and has a cycle: asia -> tub -> lung -> asia"),
    ),
    "p_unknown": (
        f"{HEADER}; echo asia,europe,true >> edges.csv",
        *("error", "edges.csv, line 2, column target: unknown variable 'europe'"),
    ),
    "p_self": (
        f"{HEADER}; echo asia,asia,true >> edges.csv",
        *("error", "edges.csv, line 2, column target: an edge from 'asia' to itself"),
    ),
    "p_nothing": ("true", "error", "the program left no edges.csv"),
    "p_good": (f"{HEADER}; echo asia,tub,true >> edges.csv; grep -q tub,true columns.csv", "ok", ""),
}
ENDS = FUNCTIONS | {name: (status, message) for name, (_, status, message) in PROGRAMS.items()}


def own_rows(rows):
    one = {"category": "direct", "job": "own"}
    own = {name: one | {"label": name, "learner": f"my/method.py:{name}"} for name in FUNCTIONS}
    two = {"category": "external", "rule": "program"}
    ours = {name: two | {"label": name, "command": f"sh my/{name}.sh"} for name in PROGRAMS}
    ours["p_good"] |= {"discretizer": "equal_width", "bins": 2}
    return {name: rows[name] for name in ("eqfreq2", "bach")} | own | ours


def small(study):
    """One data set, and two of the printed methods."""
    grid = {"networks": ["asia"], "n": [60], "noises": ["sigma0.35"], "methods": ["eqfreq2", "bach"]}
    return study | {"scales": {"tiny": {"replicates": 1}}, "grids": {"simulated": grid}}


def metrics(folder):
    rows, _ = parquet.read_records(folder / METRICS, schemas.METRICS)
    return {row["method"]: row for row in rows}


def test_every_failure_ends_in_a_status_and_a_report(workflow, finished, tmp_path):
    folder = workflow.folder(tmp_path / "run")
    (folder / "my").mkdir()
    (folder / "my" / "method.py").write_text(OWN)
    for name, (text, *_) in PROGRAMS.items():
        (folder / "my" / f"{name}.sh").write_text(text)
    with (
        workflow.edited_yaml("config/methods.yaml", own_rows),
        workflow.edited_yaml("src/cutpoint/studies/fu2005/study.yaml", small),
    ):
        done = workflow.run(folder, time_limit=4, memory_limit=200, here=folder)
        assert done.code == 0, done.text
        assert "Nothing to be done" in workflow.plan(folder, time_limit=4, memory_limit=200, here=folder).text
    assert (folder / "results" / "report.html").stat().st_size > 50_000
    found = metrics(folder)
    for name, (status, message) in ENDS.items():
        row = found[name]
        assert row["status"] == status, (name, row["message"])
        assert row["message"].startswith(message), name
        assert "\n" not in row["message"]
        assert (row["shd_fu2005"] is None) == (status != "ok")
    assert found["p_good"]["levels"] == 2
    assert {found[name]["status"] for name in ("eqfreq2", "bach")} == {"ok"}
    log = folder / "logs" / "fu2005" / "learn" / METRICS.parent.name / "program.log"
    assert "p_exit asia-n60-sigma0.35 0: no data" in log.read_text()
    # an edit of a program runs its job again, and a damaged file is the error of its job alone
    with (
        workflow.edited_yaml("config/methods.yaml", own_rows),
        workflow.edited_yaml("src/cutpoint/studies/fu2005/study.yaml", small),
    ):
        damaged = folder / METRICS.parent / "methods" / "program" / "edges.parquet"
        damaged.write_bytes(b"garbage")
        target = (str(METRICS), "--rerun-triggers", "mtime")
        done = workflow.run(folder, *target, time_limit=4, memory_limit=200, here=folder)
        assert done.code == 0, done.text
        found = metrics(folder)
        assert "edges.parquet: not a readable Parquet file" in found["p_good"]["message"]
        assert found["bach"]["status"] == "ok"
        (folder / "my" / "p_good.sh").write_text(f"{HEADER}; echo asia,tub,true >> edges.csv")
        done = workflow.plan(folder, time_limit=4, memory_limit=200, here=folder)
        assert "program:program" in done.jobs


def run_peers(workflow, folder, names):
    with workflow.edited_yaml("src/cutpoint/studies/fu2005/study.yaml", small):
        done = workflow.run(folder, str(METRICS), extra_methods=f"[{','.join(names)}]", time_limit=120)
    assert done.code == 0, done.text
    return metrics(folder)


def test_the_peers_learn(workflow, finished, tmp_path):
    names = [*PEERS, "bnlearn_hc", *(["deal"] if shutil.which("Rscript") else [])]
    found = run_peers(workflow, workflow.folder(tmp_path / "run"), names)
    for name in names:
        row = found[name]
        if name == "bnlearn_hc" and row["status"] == "error":
            assert "the R package bnlearn is missing; install it" in row["message"] or "Rscript" in row["message"]
            continue
        assert (row["status"], row["message"]) == ("ok", "")
        assert row["shd_fu2005"] is not None
        assert (row["levels"] == 3) == (name not in ("deal", "causal_learn_ges"))


def resolves():
    """Return whether uv has all of pgmpy's environment at hand."""
    command = [UV, "run", "--offline", "--quiet", "--isolated", "--no-project", "--with-requirements"]
    return UV and subprocess.run([*command, ROOT / "envs" / "pgmpy.txt", "true"], capture_output=True).returncode == 0


def test_pgmpy_learns_in_an_environment_of_its_own(workflow, finished, tmp_path):
    if not resolves():
        pytest.skip("uv does not have the packages of envs/pgmpy.txt at hand")
    row = run_peers(workflow, workflow.folder(tmp_path / "run"), ["pgmpy"])["pgmpy"]
    assert (row["status"], row["message"]) == ("ok", "")
    assert row["learn_seconds"] > 0
    assert row["levels"] == 3


def test_a_missing_uv_is_named(monkeypatch, tmp_path):
    monkeypatch.delenv("UV", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    values = np.zeros((2, 1))
    parquet.write_data(tmp_path / "data.parquet", ["x"], [(0, values)], cell="c")
    todo = functions.Batch({"mine": ("no.py", {})}, {}, [str(tmp_path / "data.parquet")], [], [], 60.0, 1000.0)
    (run,) = functions.run_apart(todo, "requirements.txt", str(tmp_path)).runs
    assert run["status"] == "error"
    assert run["message"] == "no program 'uv' in PATH, which makes the environment of this method; install it"


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (
            {"rule": "chow_lu"},
            "methods.yaml: chow_liu: rule: no rule 'chow_lu' in workflow/rules/methods; did you mean",
        ),
        ({"rule": "direct"}, "methods.yaml: chow_liu: rule: 'direct' is the job of other methods; choose another"),
        ({"rule": "program"}, "methods.yaml: chow_liu: command: missing; the rule 'program' needs it"),
        ({"bins": 0}, "methods.yaml: chow_liu: bins: "),
        ({"discretizer": "equal_widht"}, "methods.yaml: chow_liu: unknown discretizer 'equal_widht'; did you mean"),
    ],
)
def test_a_wrong_external_row_is_one_line(workflow, tmp_path, change, text):
    def edit(rows):
        return {**rows, "chow_liu": rows["chow_liu"] | change}

    with workflow.edited_yaml("config/methods.yaml", edit):
        done = workflow.plan(tmp_path / "run", extra_methods="[chow_liu]")
    assert done.code != 0
    assert text in done.text
    assert "Traceback" not in done.text


def test_the_environments_of_programs_have_the_pins_of_the_project():
    project = (ROOT / "pyproject.toml").read_text()
    lines = [line for line in (ROOT / "envs" / "pgmpy.txt").read_text().splitlines() if not line.startswith("#")]
    assert [line for line in lines if f'"{line}"' not in project] == []
    assert "r-bnlearn" in "".join(
        map(str, yaml.safe_load((ROOT / "envs" / "bnlearn.yaml").read_text())["dependencies"])
    )
