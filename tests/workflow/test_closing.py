"""What is said at the end of a run, and on which limits jobs that have left results depend."""

import json
import os
from types import SimpleNamespace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from fault_tools import DAMAGES
from hypothesis import given
from hypothesis import strategies as st

from cutpoint.bench.data import parquet, schemas
from cutpoint.bench.data.status import AGAIN, STATUSES
from cutpoint.bench.runs.finished import limits
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


BEFORE, NOW, PRESENT = "60 s, 1000 MB", "7.5 s, 200 MB", (7.5, 200.0)


def write(path, *statuses, **about):
    runs = [{"method": "m", "cell": "c", "replicate": i, "status": status, "message": f"x{AGAIN}"}
            for i, status in enumerate(statuses)]  # fmt: skip
    parquet.write_records(path, runs, schemas.RUNS, **about)
    return str(path)


def test_the_present_ones_are_said_where_there_are_no_results(tmp_path):
    assert limits(str(tmp_path / "runs"), PRESENT) == NOW
    assert limits(str(tmp_path / "runs"), (60, 1000.0)) == BEFORE


@given(st.lists(st.sampled_from(STATUSES), max_size=5))
def test_other_limits_matter_if_and_only_if_a_run_did_not_succeed(tmp_path_factory, statuses):
    path = write(tmp_path_factory.mktemp("job") / "runs", *statuses, limits=BEFORE)
    assert (limits(path, PRESENT) == BEFORE) == all(status in ("ok", "unavailable") for status in statuses)


@pytest.mark.parametrize("stopped", ["starved", "killed"])
def test_a_job_with_a_stopped_run_runs_again_until_none_is_left(tmp_path, stopped):
    path, before = str(tmp_path / "runs"), NOW
    for _ in range(3):
        write(path, stopped, "ok", limits=before)
        before, last = limits(path, PRESENT), before
        assert before != last
    write(path, "timeout", "ok", limits=before)
    assert limits(path, PRESENT) == before


def test_files_of_thresholds_say_it_too(tmp_path):
    row = {"discretizer": "d", "cell": "c", "replicate": 0, "status": "ok"}
    parquet.write_records(tmp_path / "d", [row], schemas.DISCRETIZED, limits=BEFORE)
    assert limits(str(tmp_path / "d"), PRESENT) == BEFORE
    parquet.write_records(tmp_path / "d", [row, row | {"status": "error"}], schemas.DISCRETIZED, limits=BEFORE)
    assert limits(str(tmp_path / "d"), PRESENT) == NOW


@pytest.mark.parametrize("damage", sorted({*DAMAGES} - {"version"}))  # with another contract the code is another one
def test_damaged_results_depend_on_the_present_ones(tmp_path, damage):
    path = write(tmp_path / "runs", *["ok"] * 50, limits=BEFORE)
    DAMAGES[damage][0](tmp_path / "runs")
    assert limits(path, PRESENT) == NOW


@pytest.mark.parametrize("metadata", [None, {}, [], "text", 3, {"contract": 3}])
def test_results_of_a_rule_of_the_users_depend_on_the_present_ones(tmp_path, metadata):
    about = {} if metadata is None else {parquet.KEY: json.dumps(metadata)}
    pq.write_table(pa.table({"status": ["ok"]}).replace_schema_metadata(about), tmp_path / "runs")
    assert limits(str(tmp_path / "runs"), PRESENT) == NOW
