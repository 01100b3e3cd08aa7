"""What is said at the end of a run."""

import os
from types import SimpleNamespace

import pytest

from cutpoint.bench.data import parquet, schemas
from cutpoint.bench.runs.jobs import Spent
from cutpoint.bench.workflow import hooks


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def job(rule, output, *log):
    return SimpleNamespace(rule=SimpleNamespace(name=rule), output=[output], log=log, is_group=lambda: False)


def test_failed_jobs_come_with_the_last_lines_of_their_logs(folder):
    (folder / "learn.log").write_text("\n".join(f"line {k}" for k in range(20)) + f"\n{Spent(1, 2, 3)}\n")
    (folder / "there").write_text("")
    group = SimpleNamespace(
        jobs=[job("learn", "a", "learn.log"), job("sample", "there", "x.log")], is_group=lambda: True
    )
    lines = hooks.failed_jobs([job("show", "b", "show.log"), group])
    tail = [f"    line {k}" for k in range(20 - hooks.LAST, 20)]
    assert lines == ["2 failed:", "  learn: learn.log", *tail, "  show: show.log"]
    assert hooks.failed_jobs([]) == []


def metrics(folder, *statuses, why=lambda r: {}):
    path = folder / "results" / "mine" / "metrics.parquet"
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = [{"study": "mine", "grid": "g", "cell": "c", "replicate": r, "method": "m", "status": status, **why(r)}
            for r, status in enumerate(statuses)]  # fmt: skip
    parquet.write_records(path, rows, schemas.METRICS)
    return path


def test_runs_that_did_not_succeed_are_counted(folder):
    metrics(folder, "ok", "timeout", "error", "error")
    (folder / "results" / "report.html").write_text("")
    lines = hooks.failed_runs(["mine", "other"], start=0)
    assert lines == ["mine: 3 of 4 runs did not succeed: 2 error, 1 timeout", f"report: {folder}/results/report.html"]


def test_why_runs_did_not_succeed_is_said_in_short(folder):
    messages = ("stopped after 600 s", "out of memory " * 9, "out of memory " * 9)
    metrics(folder, "timeout", "error", "error", "error", why=lambda r: {"message": [*messages, "other"][r]})
    (line,) = hooks.failed_runs(["mine"], start=0)
    left = ("out of memory " * 9)[: hooks.LONGEST].rsplit(" ", 1)[0]
    assert line.startswith(f"mine: 4 of 4 runs did not succeed: 3 error ({left[:60]}")
    assert line.endswith("...; 1 other reason), 1 timeout (stopped after 600 s)")
    names = [f"set{r % 12:02}" for r in range(24)]
    metrics(folder, *["unavailable"] * 24, why=lambda r: {"message": f"file {r}: not in mirror", "dataset": names[r]})
    (line,) = hooks.failed_runs(["mine"], start=0)
    assert line.endswith(f": 24 unavailable (no data of {', '.join(names[:10])} and 2 more)")


def test_a_file_of_the_future_is_named(folder):
    path = metrics(folder, "ok")
    assert hooks.of_the_future() == []
    os.utime(path, (2**32, 2**32))
    (line,) = hooks.of_the_future()
    assert line.startswith("results/mine/metrics.parquet: of a time in the future; `touch` it")


def test_good_runs_damaged_files_and_what_was_there_before_are_left_out(folder):
    path = metrics(folder, "error")
    os.utime(path, (1, 1))
    assert hooks.failed_runs(["mine"], start=2) == []
    metrics(folder, "ok", "ok", why=lambda r: {"message": "odd" * r})
    assert hooks.failed_runs(["mine"], start=0) == ["mine: m: odd"]
    metrics(folder, "ok")
    assert hooks.failed_runs(["mine"], start=0) == []
    path.write_bytes(b"garbage")
    assert hooks.failed_runs(["mine"], start=0) == []
