"""On which limits a job depends that has left results: other ones run it again only where a run did not succeed."""

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from fault_tools import DAMAGES
from hypothesis import given
from hypothesis import strategies as st

from cutpoint.bench.data import parquet, schemas
from cutpoint.bench.data.status import AGAIN, STATUSES
from cutpoint.bench.runs.finished import limits

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
