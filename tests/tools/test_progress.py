"""What the log of a run says of its progress: counts, the time left by hand, tries that failed, and their logs."""

import errno
import os
from datetime import datetime, timedelta

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cutpoint import cli
from cutpoint.tools import progress

BEGUN = datetime(2026, 11, 21, 20, 51, 57)


class Log:
    """Writes what Snakemake writes."""

    def __init__(self, cores=2, **planned):
        rows = [f"{rule}    {n}" for rule, n in [*planned.items(), ("all", 1), ("total", sum(planned.values()) + 1)]]
        head = [f"Provided cores: {cores} (use --cores to define parallelism)"] if cores else []
        self.lines = [*head, "Job stats:", "job      count", "-----  -------", *rows, "", "Select jobs to execute..."]

    def at(self, seconds, *lines):
        clock = (BEGUN + timedelta(seconds=seconds)).strftime("[%a %b %e %H:%M:%S %Y]")
        self.lines += [clock, *lines]
        return self

    def start(self, seconds, rule, job):
        about = ["    input: x.parquet", f"    log: logs/{rule}.log", f"    jobid: {job}", "    resources: tmpdir=/tmp"]
        return self.at(seconds, f"localrule {rule}:", *about)

    def finish(self, seconds, rule, job):
        return self.at(seconds, f"Finished jobid: {job} (Rule: {rule})", "1 of 9 steps (2%) done")

    def fail(self, seconds, rule, job):
        log = f"    log: logs/{rule}.log (check log file(s) for error details)"
        return self.at(seconds, f"Error in rule {rule}:", "    message: None", f"    jobid: {job}", log)

    def read(self):
        return progress.read(self.lines)


@pytest.fixture
def half():
    """Two of four `learn` done in 10 s and 20 s, one runs since 5 s, one is left, and one `tables` after them."""
    log = Log(learn=4, tables=1).start(0, "learn", 1).start(0, "learn", 2)
    return log.finish(10, "learn", 1).finish(20, "learn", 2).start(20, "learn", 3)


def test_jobs_are_counted_by_rule(half):
    found = half.read()
    assert found.planned == {"learn": 4, "tables": 1}
    assert found.done == {"learn": [10.0, 20.0]}
    assert list(found.running.values()) == [("learn", BEGUN + timedelta(seconds=20))]
    assert found.left() == {"learn": 1, "tables": 1}
    assert not found.ended


def test_the_time_left_by_hand(half):
    found = half.read()  # the mean is 15 s: 10 s of the one that runs, 15 s of the next, 15 s of the tables
    assert found.seconds_left(BEGUN + timedelta(seconds=25)) == pytest.approx((10 + 15 + 15) / 2)
    found.cores = 100
    assert found.seconds_left(BEGUN + timedelta(seconds=25)) == pytest.approx(10)
    assert found.seconds_left(BEGUN + timedelta(seconds=500)) == pytest.approx(30 / 100)
    assert Log(learn=4).start(0, "learn", 1).read().seconds_left(BEGUN) is None


def test_on_a_cluster_the_jobs_that_ran_at_a_time_count():
    log = Log(cores=None, learn=9)
    for job in range(5):
        log.start(job, "learn", job)
    assert log.finish(9, "learn", 0).read().cores == 5


def test_failures_are_listed_with_the_end_of_their_logs(half, tmp_path):
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "learn.log").write_text("".join(f"line {k}\n" for k in range(100)))
    found = half.fail(30, "learn", 3).read()
    assert found.failed == {"3": ("learn", "logs/learn.log")}
    assert not found.running
    said = progress.page(found, tmp_path, BEGUN + timedelta(seconds=40)).splitlines()
    assert said[-progress.LAST - 2 : -progress.LAST] == ["1 failed:", "  learn: logs/learn.log"]
    assert said[-1].strip() == "line 99"


def test_a_job_that_succeeds_when_tried_again_has_not_failed(half):
    found = half.fail(30, "learn", 3).start(31, "learn", 3).finish(41, "learn", 3).read()
    assert found.failed == {}
    assert found.done["learn"] == [10.0, 20.0, 10.0]


def test_the_command_shows_the_last_run(half, tmp_path, capsys):
    logs = tmp_path / ".snakemake" / "log"
    logs.mkdir(parents=True)
    (logs / "2026-11-20T000000.1.snakemake.log").write_text("\n".join(Log(other=3).lines))
    (logs / "2026-11-21T000000.1.snakemake.log").write_text("\n".join([*half.lines, "Complete log(s): x"]))
    assert cli.main(["progress", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert "2 of 5 jobs done (40 %); ended after 20 s" in said
    assert said.splitlines()[1].split() == ["learn", "2", "1", "1", "15", "s"]
    assert "other" not in said


def test_a_folder_without_runs_is_named(tmp_path, capsys):
    assert cli.main(["progress", str(tmp_path)]) == 1
    assert "no .snakemake/log" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("problem", "line"),
    [
        (PermissionError(errno.EACCES, "x", "f"), "cutpoint: f: Permission denied; make it writable for you"),
        (IsADirectoryError(errno.EISDIR, "Is a directory", "f"), "cutpoint: f: Is a directory"),
    ],
)
def test_a_file_that_cannot_be_written_is_one_line(monkeypatch, capsys, problem, line):
    def fails(given):
        raise problem

    monkeypatch.setattr("cutpoint.tools.progress_command.run", fails)
    assert cli.main(["progress"]) == 1
    said = capsys.readouterr().err
    assert said.startswith(line)
    assert said.count("\n") == 1


def test_a_pipe_that_nobody_reads_is_no_bad_input(monkeypatch):
    def fails(given):
        raise BrokenPipeError(errno.EPIPE, "Broken pipe")

    monkeypatch.setattr("cutpoint.tools.progress_command.run", fails)
    with pytest.raises(BrokenPipeError):
        cli.main(["progress"])


@pytest.mark.slow
def test_a_run_ends_with_its_failures_and_their_logs(workflow, tmp_path):
    with workflow.edited(
        "scripts/sample.py", lambda text: text.replace("with job(", "assert False, 'broken'\n    with job(")
    ):
        done = workflow.run(tmp_path, "results/fu2005/data/asia/n100/0-1/discrete.parquet")
    assert done.code == 1
    end = done.text[done.text.rindex("1 failed:") :]
    assert "sample: logs/fu2005/sample/asia-n100-0-1.log" in end
    assert "Error in rule" not in end


def test_the_end_of_a_run_counts_what_did_not_succeed(tmp_path):
    assert progress.closing(["a"], tmp_path) == []
    for study, ends in {"a": ["ok", "error", "timeout", "error"], "b": ["ok"], "c": None}.items():
        path = tmp_path / "results" / study / "metrics.parquet"
        path.parent.mkdir(parents=True)
        pq.write_table(pa.table({"status": ends}), path) if ends else path.write_bytes(b"garbage")
    report = tmp_path / "results" / "report.html"
    line = "a: 3 of 4 runs did not succeed: 2 error, 1 timeout"
    assert progress.closing(["a", "b", "c", "d"], tmp_path) == [line]
    report.touch()
    assert progress.closing(["a", "b"], tmp_path) == [line, f"report: {report}"]
    os.utime(report, (0, 0))
    assert progress.closing(["a", "b"], tmp_path) == [line]  # of a run before
