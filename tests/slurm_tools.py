"""Run the workflow on a Slurm of our own: the cluster, a small study for it, and what came out."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import workflow_tools
from workflow_tools import Workflow, only

from cutpoint.bench.data import schemas

SLURM = Path(__file__).with_name("slurm")
METRICS = "results/fu2005/metrics.parquet"
# A discretizer that says when it works, takes its time, and much memory where it finds a file "hungry".
METHOD = """
import time
from pathlib import Path

import numpy as np


def naps(values, discrete, *, seconds: float = 0.0, share: float = 0.5):
    Path("napping").touch()
    taken = np.ones(225_000_000) if Path("hungry").exists() else None
    time.sleep(seconds)
    return [np.quantile(column, [share]) for column in values.T]
"""


def cluster(script: str, *arguments, **environment) -> subprocess.CompletedProcess:
    """Call start-slurm or stop-slurm."""
    command = ["env", *(f"{key}={value}" for key, value in environment.items()), str(SLURM / script)]
    return subprocess.run([*command, *map(str, arguments)], capture_output=True, text=True)


def small(study: dict) -> dict:
    """Return a study of one cell and the one method, in batches for several jobs."""
    grid = {"networks": ["asia"], "n": [60], "noises": ["sigma0.35"], "methods": ["naps"]}
    return only(study, grid, replicates=2) | {"block": 1}


def spread(script: str) -> str:
    """Return the script of the posterior with chains that go on in jobs of their own at once."""
    changed = re.sub("(?m)^ALONE = .*", "ALONE = 0.0", script)
    assert changed != script
    return changed


def write_slow(path: Path) -> Path:
    """Write a table whose chains do not agree after one round, and return its path."""
    a, b, c = np.random.default_rng(6).standard_normal((3, 400))
    np.savetxt(path, np.column_stack([a, a + b, a * (a + b) + c]), delimiter=",", header="a,b,c", comments="")
    return path


def naps(workflow: Workflow, seconds: float) -> Callable[[dict], dict]:
    """Write the method into the copy of the repository, and return a function that adds its row to others."""
    method = workflow.clone / "naps.py"
    method.write_text(METHOD)
    row = {"label": "Naps", "category": "prediscretization", "discretizer": f"{method}:naps", "seconds": seconds}
    row |= {"learner": "hill_climbing", "score": "bdeu"}
    return lambda rows: rows | {"naps": row}


def on_slurm(workflow: Workflow, folder: Path, *arguments, target=METRICS, **settings) -> subprocess.Popen:
    """Start the small study, or another target, on the cluster by the profile, with quicker looks at its jobs."""
    profile = workflow.clone / "profiles" / "slurm"
    quick = ["--slurm-init-seconds-before-status-checks", "2", "--slurm-partition-config", profile / "partitions.yaml"]
    options = ["--profile", profile, *quick, target, *arguments]
    return workflow.start(folder, *options, cores=1, **settings)


def outcome(folder: Path) -> dict[str, list[tuple]]:
    """Return metrics, edges and thresholds of a run without what is measured, in an order of their own."""
    rows = {"metrics": workflow_tools.records(folder / METRICS, schemas.METRICS)}
    for kind, schema in (("edges", schemas.EDGES), ("thresholds", schemas.THRESHOLDS)):
        paths = (folder / "results" / "fu2005").glob(f"*/*/learned/*/{kind}.parquet")
        rows[kind] = sorted((row for path in paths for row in workflow_tools.records(path, schema)), key=repr)
    return rows


def ended_jobs(folder: Path) -> list[dict[str, str]]:
    """Return what Slurm wrote of each job that has ended, in the order of their ends."""
    lines = (folder / "log" / "jobcomp.txt").read_text().splitlines()
    return [dict(part.split("=", 1) for part in line.split() if "=" in part) for line in lines]


def clone(folder: Path, seconds: float) -> Workflow:
    """Return a copy of the repository in a folder, prepared for the small study."""
    workflow = Workflow.make(folder)
    workflow_tools.write_yaml(workflow.clone / "config" / "methods.yaml", naps(workflow, seconds))
    workflow_tools.write_yaml(workflow.clone / "workflow" / "studies" / "fu2005" / "study.yaml", small)
    subprocess.run([sys.executable, "-m", "compileall", "-q", str(workflow.clone / "src")], check=True)
    return workflow
