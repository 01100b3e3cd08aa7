"""Runs on one machine that something happens to: each ends in one clear line, and the next run completes it."""

import os
import shutil
import signal

import pytest
import slurm_tools
import workflow_tools
from fault_tools import DAMAGES, NAPS, Small, children, fill, finish, half_written, kill_group, processes, small_disk

from cutpoint.bench.data import schemas


@pytest.fixture(scope="module")
def small(workflow, tmp_path_factory):
    """The small study, with an undisturbed run of it, which compiles its kernels where nothing has."""
    with (
        workflow.edited_yaml("config/methods.yaml", slurm_tools.naps(workflow, seconds=2.0)),
        workflow.edited_yaml("workflow/studies/fu2005/study.yaml", slurm_tools.small),
    ):
        study = Small(workflow, workflow.folder(tmp_path_factory.mktemp("small") / "run"))
        done = study.run(study.folder)
        assert done.code == 0, done.text
        yield study


def goes_on(small, folder):
    """Check that the same command completes a run."""
    done = small.run(folder)
    assert done.code == 0, done.text
    assert slurm_tools.outcome(folder) == small.outcome
    assert half_written(folder) == []


def test_a_run_that_is_killed_interrupted_robbed_of_a_job_and_of_a_file_goes_on(small, tmp_path):
    folder = tmp_path / "run"
    process = small.begin(folder)
    process.kill()
    finish(process, folder)
    assert list((folder / ".snakemake" / "locks").iterdir())
    assert small.run(folder, "--unlock", cores=0).code == 0  # it says itself that it needs no cores
    check_cut_off(folder)

    process = small.begin(folder)
    kill_group(process, folder)
    done = finish(process, folder)
    assert done.code == 1
    assert "stopped by SIGINT; run the same command again" in done.text
    check_cut_off(folder)

    process = small.begin(folder, *NAPS)
    job = next(pid for pid in processes(folder) if pid != process.pid and children(pid))  # a method is its child
    os.kill(job, signal.SIGTERM)
    done = finish(process, folder)
    assert done.code == 1
    assert "Error in rule discretize" in done.text
    assert "stopped by SIGTERM; run the same command again" in done.text
    assert "\n1 failed:\n  discretize: logs/fu2005/discretize/simulated/asia.n60.block" in done.text
    assert "Traceback" not in done.text
    assert sorted((folder / path).exists() for path in NAPS) == [False, True]
    assert half_written(folder) == []
    check_damage(small, folder)


def check_damage(small, folder):
    """Check that a file which breaks on the disk is named, and made anew; tests/runs/test_faults.py has more damage."""
    (path,) = (path for path in NAPS if (folder / path).exists())
    DAMAGES["flipped"][0](folder / path)
    done = small.run(folder)
    assert done.code == 1
    lines = {line for line in done.text.splitlines() if line.startswith("cutpoint: ")}
    (line,) = (line for line in lines if line.startswith(f"cutpoint: {path}: {DAMAGES['flipped'][1]}"))
    assert line.endswith("; delete it and run again")
    assert "Traceback" not in done.text
    (folder / path).unlink()
    goes_on(small, folder)


def check_cut_off(folder):
    """Check that a run that was cut off in the middle of a method left nothing of it, and may begin again."""
    assert not any((folder / path).exists() for path in NAPS)
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
        expected = "naps.parquet: No space left on device; make room and run the same command again"
        assert [line.rsplit("/", 1)[1] for line in lines] == [expected]
        assert "Traceback" not in done.text
        assert not (folder / NAPS[0]).exists()
        assert half_written(folder) == []
        filler.unlink()
        done = small.run(folder, "--printshellcmds", NAPS[0])
        assert done.code == 0, done.text
        assert done.jobs == ["discretize"]
        here, there = (workflow_tools.records(place / NAPS[0], schemas.DISCRETIZED) for place in (folder, small.folder))
        assert here == there


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
def test_what_a_job_left_before_does_not_stand_for_what_it_failed_to_make(small, tmp_path, end):
    folder = tmp_path / "run"
    shutil.copytree(small.folder, folder)
    (folder / "napping").unlink()
    files = [*NAPS, slurm_tools.METRICS]
    with small.workflow.edited_yaml("config/methods.yaml", lambda rows: rows | {"naps": rows["naps"] | {"share": 0.3}}):
        process = small.begin(folder, *files)
        job = next(pid for pid in processes(folder) if pid != process.pid and children(pid))
        os.kill(job, end)
        done = finish(process, folder)
        assert done.code == 1
        assert half_written(folder) == []
        assert "Restored previous version" not in done.text
        assert "\n1 failed:\n  discretize: logs/fu2005/discretize/simulated/asia.n60.block" in done.text
        assert sorted((folder / path).exists() for path in NAPS) == [False, True]
        done = small.run(folder, *files, "--printshellcmds")
        assert done.code == 0, done.text
        assert done.jobs == ["collect", "discretize", "evaluate", "learn"]
    assert half_written(folder) == []
    cuts, before = (run["thresholds"] for run in (slurm_tools.outcome(folder), small.outcome))
    assert len(cuts) == len(before)
    assert not {*cuts} & {*before}
