"""The end of a run: failed jobs with the end of their logs, runs that did not succeed, and the report."""

import os
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cutpoint.workflow import ending


def start(rule, job):
    return [f"localrule {rule}:", "    input: x.parquet", f"    log: logs/{rule}.log", f"    jobid: {job}"]


def fail(rule, job):
    log = f"    log: logs/{rule}.log, logs/b.log (check log file(s) for error details)"
    return [f"Error in rule {rule}:", "    message: None", f"    jobid: {job}", log]


def finish(job):
    return [f"Finished jobid: {job} (Rule: x)", "1 of 9 steps (2%) done"]


LEARN = {"1": ("learn", "logs/learn.log")}
TRIED = [*start("learn", 1), *fail("learn", 1), *start("learn", 1)]


@pytest.mark.parametrize(
    ("lines", "rules", "failed"),
    [
        ([], set(), {}),
        ([*start("learn", 1), *finish(1)], {"learn"}, {}),
        ([*start("learn", 1), *start("noise", 2), *fail("learn", 1)], {"learn", "noise"}, LEARN),
        ([*TRIED, *finish(1)], {"learn"}, {}),
        ([*TRIED, *fail("learn", 1)], {"learn"}, LEARN),
        (["Error in group batch:", "    jobid: 7"], set(), {"7": ("batch", "")}),
    ],
)
def test_jobs_that_failed(lines, rules, failed):
    assert ending.read(lines) == ending.Ended(rules, failed)


def test_failures_are_listed_with_the_end_of_their_logs(tmp_path):
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "learn.log").write_text("".join(f"line {k}\n" for k in range(100)))
    said = ending.failures(ending.read([*start("learn", 3), *fail("learn", 3)]), tmp_path)
    assert said[:2] == ["1 failed:", "  learn: logs/learn.log"]
    assert [said[2], said[-1]] == ["    line 88", "    line 99"]
    assert ending.failures(ending.read(fail("gone", 1)), tmp_path) == ["1 failed:", "  gone: logs/gone.log"]
    assert ending.failures(ending.read([]), Path()) == []


def test_the_end_of_a_run_counts_what_did_not_succeed(tmp_path):
    assert ending.results(["a"], tmp_path) == []
    for study, ends in {"a": ["ok", "error", "timeout", "error"], "b": ["ok"], "c": None}.items():
        path = tmp_path / "results" / study / "metrics.parquet"
        path.parent.mkdir(parents=True)
        pq.write_table(pa.table({"status": ends}), path) if ends else path.write_bytes(b"garbage")
    report = tmp_path / "results" / "report.html"
    line = "a: 3 of 4 runs did not succeed: 2 error, 1 timeout"
    assert ending.results(["a", "b", "c", "d"], tmp_path) == [line]
    report.touch()
    assert ending.results(["a", "b"], tmp_path) == [line, f"report: {report}"]
    os.utime(report, (0, 0))
    assert ending.results(["a", "b"], tmp_path) == [line]  # of an older run


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
