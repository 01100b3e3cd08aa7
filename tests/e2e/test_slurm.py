"""The workflow on a Slurm of several nodes gives what it gives on one machine."""

import shutil
import tempfile
from pathlib import Path

import numpy as np
import pytest
import slurm_tools

import cutpoint as cp
from cutpoint.posteriors import CHAINS


@pytest.fixture(scope="module")
def cluster():
    """A Slurm of three nodes, each with room for one job."""
    pytest.importorskip("snakemake_executor_plugin_slurm", reason="it needs the group cluster")
    folder = Path(tempfile.mkdtemp(prefix="slurm-", dir="/tmp"))  # the path of a socket must be short
    started = slurm_tools.cluster("start-slurm", folder, NODES=3, CPUS=1)
    try:
        if started.returncode:
            pytest.skip(f"no Slurm: {(started.stderr or started.stdout).strip().splitlines()[-1]}")
        yield folder
    finally:
        slurm_tools.cluster("stop-slurm", folder)
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def runs(cluster, tmp_path_factory):
    """A small study and a posterior of a table whose chains go on in jobs of their own, side by side on the cluster."""
    base = tmp_path_factory.mktemp("runs")
    workflow = slurm_tools.clone(base / "copy", seconds=1)
    local = workflow.run(base / "local", slurm_tools.METRICS)
    assert local.code == 0, local.text
    own = {"data": slurm_tools.write_slow(base / "slow.csv"), "study": None, "posterior": True}
    with workflow.edited("scripts/posterior.py", slurm_tools.spread):
        processes = [
            slurm_tools.on_slurm(workflow, workflow.folder(base / "study")),
            slurm_tools.on_slurm(workflow, workflow.folder(base / "own"), target="results/posterior.json", **own),
        ]
        texts = [process.communicate(timeout=1200)[0] for process in processes]
    assert not any(process.returncode for process in processes), texts
    return base


def jobs_of(cluster, folder):
    """Return the jobs of a run, all of which have ended well, on several nodes."""
    jobs = [job for job in slurm_tools.ended_jobs(cluster) if job["WorkDir"] == str(folder)]
    assert {job["JobState"] for job in jobs} == {"COMPLETED"}
    assert len({job["NodeList"] for job in jobs}) > 1
    return jobs


def test_slurm_gives_what_one_machine_gives(cluster, runs):
    here, there = (slurm_tools.outcome(runs / name) for name in ("local", "study"))
    assert len(here["metrics"]) == 2
    assert all(here.values())
    assert here == there
    jobs = jobs_of(cluster, runs / "study")
    assert len(jobs) == 5  # the data of each batch, its methods, and what collects them
    assert {job["Partition"] for job in jobs} == {"short", "main"}  # by the run time that each asks for


def test_chains_of_a_posterior_go_on_on_other_nodes(cluster, runs):
    assert len(jobs_of(cluster, runs / "own")) >= 3 + CHAINS  # begin, chains, meet, and so on, posterior
    model = cp.read_model(runs / "own" / "results" / "posterior.json")
    sure = cp.posterior(cp.read_data(runs / "slow.csv")).uncertainty.edges
    np.testing.assert_allclose(model.confidence.adjacent, sure.adjacent, atol=1e-9)
