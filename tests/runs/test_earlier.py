"""What a job runs, and which of its earlier runs it keeps."""

import os
from dataclasses import replace

import numpy as np
import pytest
from fault_tools import DAMAGES
from hypothesis import given
from hypothesis import strategies as st

from cutpoint.bench.data import parquet, schemas
from cutpoint.bench.data.parquet import DataSet, Part
from cutpoint.bench.runs import finished, supervise
from cutpoint.bench.runs.finished import earlier
from cutpoint.bench.runs.runner import Discretizations, Earlier, Limits, Rows, Task, key_of, run_all
from cutpoint.learners.learned import Learned

LIMITS = Limits(60.0, 4000.0)


def data_file(folder, shift=0.0):
    """Write three data sets of two cells, and one that is not there; the second data set of x differs by `shift`."""
    values = np.random.default_rng(1).standard_normal((5, 2))
    gone = Part([], [], about={"cell": "gone", "status": "unavailable", "message": "not public"})
    x = Part(["a", "b"], [(0, values), (1, values + 1 + shift)], about={"cell": "x"})
    y = Part(["c"], [(4, values[:, :1])], about={"cell": "y"})
    parquet.write_parts(folder / "data.parquet", [x, y, gone])
    return str(folder / "data.parquet")


def files(folder):
    return {kind: str(folder / f"{kind}.parquet") for kind in ("runs", "edges", "thresholds")}


class Counted:
    """A method that says in a file that it ran; each time it finds another score."""

    def __init__(self, folder, problem=None):
        self.file, self.problem = folder / "ran", problem

    def __call__(self, values, discrete, thresholds):
        with self.file.open("a") as file:
            file.write("x")
        if self.problem:
            raise self.problem
        n = len(discrete)
        dag = np.triu(np.ones((n, n), bool), 1)
        cuts = [np.zeros(1)] * n if thresholds is None else thresholds
        return Learned(dag=dag, thresholds=cuts, score=os.path.getsize(self.file))

    def count(self):
        """Return how often it ran since it was asked last."""
        count = os.path.getsize(self.file) if self.file.exists() else 0
        self.file.unlink(missing_ok=True)
        return count


def places(rows):
    return [(run["method"], run["cell"], run["replicate"]) for run in rows.runs]


ALL = [("x", 0), ("x", 1), ("y", 4), ("gone", 0)]


def test_without_a_word_all_methods_run_on_all_data_sets(tmp_path):
    learn = Counted(tmp_path)
    rows = run_all({"m": Task(learn), "o": Task(learn)}, data_file(tmp_path), LIMITS)
    assert places(rows) == [(method, *place) for place in ALL for method in "mo"]
    assert [run["status"] for run in rows.runs] == ["ok"] * 6 + ["unavailable"] * 2
    assert rows.runs[-1]["message"] == "not public"
    assert learn.count() == 6
    assert rows.keys == [""] * 8  # nothing is known of the code


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ([], []),
        ([("x", 0, 1, ["m"])], [("m", "x", 0), ("m", "x", 1)]),
        ([("y", 0, 3, ["m"]), ("y", 5, 9, ["m"])], []),
        ([("gone", 0, 4, ["o"]), ("z", 0, 4, ["m"])], [("o", "gone", 0)]),
    ],
)
def test_what_is_wanted_runs_and_each_run_once(tmp_path, wanted, expected):
    learn, warmed = Counted(tmp_path), []
    tasks = {"m": Task(learn), "o": Task(learn)}
    rows = run_all(tasks, data_file(tmp_path), LIMITS, warm=lambda: warmed.append(1), wanted=wanted)
    assert places(rows) == expected
    there = [place for place in expected if place[1] != "gone"]
    assert (learn.count(), warmed) == (len(there), [1] * bool(there))


@pytest.fixture
def job(tmp_path):
    """Return a function that runs a job as its script does, and how often its method ran."""
    learn = Counted(tmp_path)

    def ran(code="1", names=("m",), shift=0.0, discretizations=None, problem=None, wanted=None, limits="some"):
        learn.problem = problem
        tasks = {name: Task(learn, discretizations and "d", code=code) for name in names}
        earlier, path = Earlier(Rows.read(**files(tmp_path))), data_file(tmp_path, shift)
        rows = run_all(tasks, path, LIMITS, discretizations, wanted=wanted, earlier=earlier)
        rows.write(**files(tmp_path), limits=limits)
        return rows, learn.count()

    return ran


def written(folder):
    return [parquet.read_records(folder / f"{kind}.parquet", getattr(schemas, kind.upper())) for kind in files(folder)]


def test_a_job_that_runs_again_keeps_what_it_had(tmp_path, job):
    rows, count = job()
    assert (count, len(rows.edges), len(rows.thresholds)) == (3, 2, 5)
    assert [bool(key) for key in rows.keys] == [True] * 3 + [False]
    before = written(tmp_path)
    again, count = job()
    assert count == 0
    assert written(tmp_path) == before
    assert [run.get("score") for run in again.runs] == [run.get("score") for run in rows.runs]
    assert again.keys == rows.keys


def test_only_what_is_new_runs(job):
    first, _ = job(wanted=[("x", 0, 0, ["m"])])
    more, count = job(wanted=[("x", 0, 1, ["m"])])
    assert (count, more.keys[:1], places(more)) == (1, first.keys, [("m", "x", 0), ("m", "x", 1)])
    beside, count = job(names=("n", "m"), wanted=[("x", 0, 1, ["n", "m"])])
    assert (count, len(beside.runs)) == (2, 4)
    less, count = job(wanted=[("x", 1, 1, ["m"])])
    assert (count, places(less)) == (0, [("m", "x", 1)])
    _, count = job(wanted=[("x", 0, 1, ["m"])])
    assert count == 1  # what was left out is gone


def test_another_code_runs_all_again(job):
    first, _ = job()
    second, count = job(code="2")
    assert count == 3
    assert not {*first.keys} & {*second.keys} - {""}
    assert job(code="2")[1] == 0
    assert job(code="")[1] == 3  # what is not known may have changed
    assert job(code="")[1] == 3


def test_other_data_run_again_and_those_beside_them_do_not(job):
    first, _ = job()
    second, count = job(shift=1e-9)
    assert count == 1
    assert [a == b for a, b in zip(first.keys, second.keys, strict=True)] == [True, False, True, True]


def test_what_did_not_end_well_runs_again(job):
    rows, count = job(problem=ValueError("no"))
    assert ([run["status"] for run in rows.runs], count) == (["error"] * 3 + ["unavailable"], 3)
    rows, count = job()
    assert ([run["status"] for run in rows.runs], count) == (["ok"] * 3 + ["unavailable"], 3)
    assert job(problem=ValueError("no"))[1] == 0


def test_a_run_that_was_killed_runs_again_until_it_was_so_three_times(tmp_path, job):
    ends, before = [], "60 s, 4000 MB"
    for _ in range(4):
        rows, count = job(problem=supervise.Killed("gone"), wanted=[("x", 0, 0, ["m"])], limits=before)
        after = finished.limits(tmp_path / "runs.parquet", (60, 4000))
        ends.append((count, rows.runs[0]["status"], rows.runs[0]["message"], after != before))
        before = after
    again = "; run the same command again"
    texts = [f"gone, 1 time{again}", f"gone, 2 times{again}", "gone, 3 times", "gone, 4 times"]
    assert ends == [(1, "killed", text, text.endswith(again)) for text in texts]
    rows, _ = job(problem=supervise.Killed("gone"), wanted=[("x", 0, 0, ["m"])], code="2")
    assert rows.runs[0]["message"] == texts[0]


def test_a_forced_job_keeps_nothing(job, monkeypatch):
    first, _ = job()
    monkeypatch.setenv(finished.ANEW, "1")
    assert finished.ANEW == "CUTPOINT_ANEW"
    again, count = job()
    assert (count, again.keys) == (3, first.keys)
    monkeypatch.setenv(finished.ANEW, "")
    assert job()[1] == 0


@pytest.mark.parametrize("damage", [*DAMAGES, "missing", "of a rule of the user's"])
@pytest.mark.parametrize("kind", ["runs", "edges", "thresholds"])
def test_a_damaged_file_is_no_earlier_run(tmp_path, job, kind, damage):
    first, _ = job()
    path = earlier(tmp_path / f"{kind}.parquet")
    if damage in DAMAGES:
        DAMAGES[damage][0](path)
    elif damage == "missing":
        path.unlink()
    else:
        content = parquet.read_records(path, getattr(schemas, kind.upper()))[0]
        parquet.write_records(path, content, getattr(schemas, kind.upper()))  # without keys
    again, count = job()
    assert count == (0 if damage.startswith("of") and kind != "runs" else 3)
    assert again.keys == first.keys


def discretized(cut, status="ok"):
    """Return what a discretizer found on the data sets of x and y."""
    about = {"discretizer": "d", "status": status, "message": "", "discretize_seconds": 0.5, "peak_mb": 1.0}
    rows = []
    for cell, replicate, columns in (("x", 0, "ab"), ("x", 1, "ab"), ("y", 4, "c")):
        about_run = about | {"cell": cell, "replicate": replicate, "wall_seconds": 0.25}
        cuts = [{"variable": name, "position": 0, "threshold": cut} for name in columns]
        none = [{"variable": None, "position": None, "threshold": None}]
        rows += [about_run | row for row in (cuts if status == "ok" and cut is not None else none)]
    return Discretizations(rows)


def test_other_thresholds_run_again(job):
    first, count = job(discretizations=discretized(0.0))
    assert (count, {row["threshold"] for row in first.thresholds}) == (3, {0.0})
    assert job(discretizations=discretized(0.0))[1] == 0
    second, count = job(discretizations=discretized(0.1))
    assert (count, {row["threshold"] for row in second.thresholds}) == (3, {0.1})
    assert second.runs[0]["discretize_seconds"] == 0.5
    none, count = job(discretizations=discretized(None))
    assert (count, none.thresholds) == (3, [])
    assert job(discretizations=discretized(None))[1] == 0


def test_a_method_ends_as_its_discretizer_did(job):
    job(discretizations=discretized(0.0))
    for _ in range(2):
        rows, count = job(discretizations=discretized(None, status="timeout"))
        assert ([run["status"] for run in rows.runs], count) == (["timeout"] * 3 + ["unavailable"], 0)
        assert rows.runs[0]["discretize_seconds"] == 0.5
    assert job(discretizations=discretized(0.0))[1] == 3


DATA = DataSet(["a", "b"], ["a", "b"], np.zeros((3, 2)), np.zeros(2, bool), {})
CUTS = st.none() | st.lists(st.lists(st.floats(allow_nan=False), max_size=3), min_size=2, max_size=2)


def key(code, cuts):
    return key_of(code, DATA, cuts and [np.array(one, float) for one in cuts])


@given(st.tuples(st.text(min_size=1), CUTS), st.tuples(st.text(min_size=1), CUTS))
def test_a_key_is_that_of_code_and_thresholds(one, other):
    assert len(key(*one)) == 16
    assert (key(*one) == key(*other)) == (str(one) == str(other))


def test_what_is_not_known_has_no_key():
    assert key_of("", DATA) == ""
    assert key_of("1", None) == ""
    assert key_of("1", DATA) != key_of("1", replace(DATA, values=np.ones((3, 2))))
    assert key_of("1", DATA) != key_of("1", DATA, [np.array([])] * 2)
