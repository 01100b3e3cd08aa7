"""Runs on one machine that something happens to: each ends in one clear line, and the next run completes it."""

import os
import shutil
import signal

import pytest
import slurm_tools
import workflow_tools
from fault_tools import (
    BATCHES,
    DAMAGES,
    NAPS,
    Small,
    children,
    fill,
    finish,
    half_written,
    kill_group,
    processes,
    read_only,
    small_disk,
)

from cutpoint.data import schemas

pytestmark = pytest.mark.slow
ROW = {"label": "Naps", "category": "prediscretization", "learner": "hill_climbing", "score": "bdeu", "seconds": 2.0}


@pytest.fixture(scope="module")
def small(workflow, finished, tmp_path_factory):
    """The small study, with an undisturbed run of it; ``finished`` has compiled its kernels."""
    method = workflow.clone / "naps.py"
    method.write_text(slurm_tools.METHOD)
    row = ROW | {"discretizer": f"{method}:naps"}
    with (
        workflow.edited_yaml("config/methods.yaml", lambda rows: {"naps": row, "bach": rows["bach"]}),
        workflow.edited_yaml("src/cutpoint/studies/fu2005/study.yaml", slurm_tools.small),
    ):
        found = Small(workflow, workflow.folder(tmp_path_factory.mktemp("small") / "run"))
        done = found.run(found.folder)
        assert done.code == 0, done.text
        yield found


def goes_on(small, folder):
    """Check that the same command completes a run, and return it."""
    done = small.run(folder)
    assert done.code == 0, done.text
    assert slurm_tools.outcome(folder) == small.outcome
    assert half_written(folder) == []
    return done


def test_a_run_that_is_killed_interrupted_and_robbed_of_a_job_goes_on(small, tmp_path):
    folder = tmp_path / "run"
    process = small.begin(folder)
    process.kill()
    finish(process, folder)
    second = small.run(folder)
    assert second.code == 1
    assert "Directory cannot be locked" in second.text
    assert "It can be removed with the --unlock argument" in second.text
    assert "Traceback" not in second.text
    assert small.run(folder, "--unlock").code == 0
    check_cut_off(folder)

    process = small.begin(folder)
    kill_group(process, folder)
    done = finish(process, folder)
    assert done.code == 1
    assert "Terminating processes on user request" in done.text
    assert "stopped by SIGINT; run the same command again" in done.text
    check_cut_off(folder)

    process = small.begin(folder, *NAPS)
    job = next(pid for pid in processes(folder) if pid != process.pid and children(pid))  # a method is its child
    os.kill(job, signal.SIGTERM)
    done = finish(process, folder)
    assert done.code == 1
    assert "Error in rule discretize_naps" in done.text
    assert "stopped by SIGTERM; run the same command again" in done.text
    assert "\n1 failed:\n  discretize_naps: logs/fu2005/discretize/" in done.text
    assert "Traceback" not in done.text
    assert sorted((folder / path).exists() for path in NAPS) == [False, True]
    assert half_written(folder) == []
    assert goes_on(small, folder).jobs.count("discretize_naps") == 1


def check_cut_off(folder):
    """Check that a run that was cut off in the middle of a method left nothing of it, and may begin again."""
    assert not (folder / NAPS[0]).exists()
    assert half_written(folder) == []
    (folder / "napping").unlink()


def test_a_full_disk_is_one_line(small, tmp_path):
    folder = tmp_path / "run"
    with small_disk(folder, "64m"):
        process = small.begin(folder, NAPS[0])
        filler = fill(folder)
        done = finish(process, folder)
        assert done.code == 1
        lines = [line for line in done.text.splitlines() if line.startswith("cutpoint: ")]
        expected = "thresholds.parquet: No space left on device; make room and run the same command again"
        assert [line.rsplit("/", 1)[1] for line in lines] == [expected]
        assert "Traceback" not in done.text
        assert not list((folder / BATCHES[0]).rglob("*.parquet"))
        assert half_written(folder) == []
        filler.unlink()
        done = small.run(folder, NAPS[0])
        assert done.code == 0, done.text
        assert done.jobs == ["discretize_naps"]
        kinds = {"runs": schemas.RUNS, "thresholds": schemas.THRESHOLDS}
        for kind, schema in kinds.items():
            found = [place / NAPS[0] for place in (folder, small.folder)]
            here, there = (workflow_tools.records(path.with_stem(kind), schema) for path in found)
            assert here == there


# A file of each of two batches that breaks: different jobs read them. Other damage is in tests/runs/test_faults.py.
BROKEN = {NAPS[0]: "flipped", f"{BATCHES[1]}/methods/direct/edges.parquet": "truncated"}


def test_a_damaged_file_is_named_and_made_anew(small, tmp_path):
    folder = tmp_path / "run"
    shutil.copytree(small.folder, folder)
    for path in (slurm_tools.METRICS, *(f"{batch}/metrics.parquet" for batch in BATCHES)):
        (folder / path).unlink()  # of what is finished nothing is read again
    for path, damage in BROKEN.items():
        DAMAGES[damage][0](folder / path)
    done = small.run(folder)
    assert done.code == 1
    lines = [line for line in done.text.splitlines() if line.startswith("cutpoint: ")]
    for path, damage in BROKEN.items():
        (line,) = {line for line in lines if line.startswith(f"cutpoint: {path}: {DAMAGES[damage][1]}")}
        assert line.endswith("; delete it and run again")
        (folder / path).unlink()
    assert "Traceback" not in done.text
    goes_on(small, folder)


def test_a_read_only_clone_compiles_and_runs(small, tmp_path):
    clone = workflow_tools.copy_repository(tmp_path / "clone")
    for name in ("methods.yaml", "studies/fu2005.yaml"):
        shutil.copy(small.workflow.clone / "config" / name, clone / "config" / name)
    with read_only(clone):
        elsewhere = workflow_tools.Workflow(clone, small.workflow.mirror, small.workflow.ready)
        target = f"{BATCHES[0]}/methods/direct/edges.parquet"
        done = elsewhere.run(tmp_path / "run", target, batch=1)
    assert done.code == 0, done.text
    assert list((tmp_path / "run" / ".snakemake" / "numba").rglob("*.nbc"))
    places = (tmp_path / "run", small.folder)
    found, expected = (workflow_tools.records(folder / target, schemas.EDGES) for folder in places)
    assert found == expected
