"""The workflow on a Slurm of several nodes gives what it gives on one machine."""

import shutil
import tempfile
from pathlib import Path

import pytest
import slurm_tools


@pytest.fixture
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


def test_slurm_gives_what_one_machine_gives(cluster, tmp_path):
    workflow = slurm_tools.clone(tmp_path / "copy", seconds=1)
    local = workflow.run(tmp_path / "local", slurm_tools.METRICS)
    assert local.code == 0, local.text
    process = slurm_tools.on_slurm(workflow, workflow.folder(tmp_path / "slurm"))
    text, _ = process.communicate(timeout=1200)
    assert process.returncode == 0, text

    here, there = (slurm_tools.outcome(tmp_path / name) for name in ("local", "slurm"))
    assert len(here["metrics"]) == 2
    assert here["edges"]
    assert here["thresholds"]
    assert here == there
    jobs = slurm_tools.ended_jobs(cluster)
    assert {job["JobState"] for job in jobs} == {"COMPLETED"}
    assert len({job["NodeList"] for job in jobs}) > 1
    assert len(jobs) == 5  # the data of each batch, its methods, and what collects them
    assert {job["Partition"] for job in jobs} == {"short", "main"}  # by the run time that each asks for
