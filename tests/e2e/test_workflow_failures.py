"""Methods of users that fail: each run ends in a status and a message, and no study is lost.

One of each kind of end; tests/runs and tests/method have the rest of what discretizers, learners and programs do wrong.
"""

import re
from pathlib import Path

import pytest
import yaml
from workflow_tools import only

from cutpoint.bench.data import parquet, schemas

METRICS = Path("results/fu2005/simulated/asia.n60.block0/metrics.parquet")
LEARNERS = """
import ctypes
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

def segfaults(values, discrete):
    ctypes.string_at(0)

def turns(values, discrete):
    turn()

def eats(values, discrete):
    blocks = []
    while True:
        blocks.append(np.ones(1_000_000))
        time.sleep(0.01)

def circles(values, discrete):
    return Learned(dag=np.roll(np.eye(len(discrete), dtype=bool), 1, axis=1))
"""
LEARNED = {
    "segfaults": ("error", "ended by signal SIGSEGV"),
    "turns": ("timeout", "stopped after 3 s of CPU time"),
    "eats": ("memory", "stopped above 200 MB of memory"),
    "circles": ("error", "my/learn.py:circles: a DAG is expected, and the graph has a cycle: asia -> "),
}
HEADER = "echo source,target,directed > edges.csv"
PROGRAMS = {
    "p_exit": ("echo no data >&2; exit 5", "error", "the program ended with exit code 5: no data"),
    "p_sleep": ("sleep 1000", "timeout", "stopped after 15 s of wall time, asleep for most of them"),
    "p_malformed": (f"{HEADER}; echo V01 >> edges.csv", "error", "edges.csv, line 2: 1 cells where the header has 3"),
    "p_good": (f"{HEADER}; echo V01,V07,true >> edges.csv; grep -q V07,true columns.csv", "ok", ""),
}
NEEDS = {"f_needs": ("error", "results/environments/needs: no environment: ")}
DISCRETIZERS = """
import numpy as np


def raises(values, discrete):
    raise RuntimeError("out of ideas")


def spins(values, discrete):
    while True:
        pass


def thirds(values, discrete, *, share: float = 0.33):
    return [np.unique(np.quantile(column, [share, 1 - share])) for column in values.T]
"""
DISCRETIZED = {
    "raises": ("error", "RuntimeError: out of ideas (my/cuts.py, line 6)"),
    "spins": ("timeout", "stopped after 3 s of CPU time"),
    "thirds": ("ok", ""),
}
ENDS = DISCRETIZED | LEARNED | NEEDS | {name: (status, message) for name, (_, status, message) in PROGRAMS.items()}


def own_rows():
    cuts = {"category": "prediscretization", "job": "cuts", "learner": "hill_climbing", "score": "bdeu"}
    mine = {name: cuts | {"label": name.title(), "discretizer": f"my/cuts.py:{name}"} for name in DISCRETIZED}
    mine["thirds"] |= {"share": 0.3}
    learn = {"category": "direct", "job": "learn"}
    mine |= {name: learn | {"label": name, "learner": f"my/learn.py:{name}"} for name in LEARNED}
    program = {"category": "external", "rule": "program"}
    mine |= {name: program | {"label": name, "command": f"sh my/{name}.sh"} for name in PROGRAMS}
    needs = {"file": "my/learn.py", "requirements": "my/needs.txt"}
    mine |= {name: {"label": name, "category": "external", "rule": "function"} | needs for name in NEEDS}
    mine["p_good"] |= {"discretizer": "equal_width", "bins": 2}
    return mine


def small(study):
    """One data set, its first column asia, and two of the printed methods."""
    grid = {"networks": ["asia"], "n": [60], "noises": ["sigma0.35"], "methods": ["eqfreq2", "bach"]}
    noises = {"sigma0.35": study["noises"]["sigma0.35"] | {"columns": "alphabetical"}}
    return only(study, grid, replicates=1) | {"noises": study["noises"] | noises}


@pytest.fixture(scope="module")
def failed(workflow, tmp_path_factory):
    """A run of all these methods: its folder and what it said."""
    folder = workflow.folder(tmp_path_factory.mktemp("failures") / "run")
    (folder / "my").mkdir()
    (folder / "my" / "cuts.py").write_text(DISCRETIZERS)
    (folder / "my" / "learn.py").write_text(LEARNERS)
    (folder / "my" / "needs.txt").write_text("no package has such a name\n")
    (folder / "methods").mkdir()
    (folder / "methods" / "mine.yaml").write_text(yaml.safe_dump(own_rows()))
    for name, (text, *_) in PROGRAMS.items():
        (folder / "my" / f"{name}.sh").write_text(text)
    with workflow.edited_yaml("workflow/studies/fu2005/study.yaml", small):
        done = workflow.run(folder, time_limit=3, memory_limit=200, here=folder)
    assert done.code == 0, done.text
    return folder, done


def test_every_failure_has_its_status_and_message(failed):
    rows, _ = parquet.read_records(failed[0] / METRICS, schemas.METRICS)
    runs = {row["method"]: row for row in rows}
    for name, (status, message) in ENDS.items():
        row = runs[name]
        assert row["status"] == status, (name, row["message"])
        assert row["message"].startswith(message), name
        assert "\n" not in row["message"]
        assert (row["shd_fu2005"] is None) == (status != "ok")
    assert runs["p_good"]["levels"] == 2
    assert {runs[name]["status"] for name in ("eqfreq2", "bach")} == {"ok"}
    assert runs["f_needs"]["message"].endswith("; try again with --forcerun results/environments/needs")
    log = failed[0] / "logs" / "fu2005" / "external" / "simulated" / METRICS.parent.name / "program.log"
    assert "p_exit asia-n60-sigma0.35 0: no data" in log.read_text()


def test_failures_are_counted_at_the_end_and_reported(failed):
    folder, done = failed
    bad = [status for status, _ in ENDS.values() if status != "ok"]
    (line,) = [line for line in done.text.splitlines() if line.startswith("fu2005: ") and "did not succeed" in line]
    assert line.startswith(f"fu2005: {len(bad)} of {len(ENDS) + 2} runs did not succeed: ")
    for kind in sorted(set(bad)):
        reasons = {message for status, message in ENDS.values() if status == kind}
        (beginning,) = re.findall(rf"\b{bad.count(kind)} {kind} \((.*?)(?:; \d+ other reasons?)?\)(?:, \d|$)", line)
        assert any(beginning.removesuffix("...") in reason for reason in reasons)
    assert (folder / "results" / "report.html").stat().st_size > 50_000
