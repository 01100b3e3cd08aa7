"""Batches in an environment of their own, where it cannot be made or does not end; a script stands for uv."""

import sys
import time
from dataclasses import replace

import numpy as np
import pytest

from cutpoint.bench.data import parquet, schemas
from cutpoint.bench.runs import functions


@pytest.fixture
def todo(tmp_path):
    parquet.write_data(tmp_path / "data.parquet", ["x"], [(r, np.zeros((2, 1))) for r in range(2)], cell="c")
    return functions.Batch({"mine": ("no.py", {})}, {}, str(tmp_path / "data.parquet"), [], 60.0, 1000.0)


@pytest.fixture
def messages(todo, tmp_path, monkeypatch):
    """Return a function that runs the batch with a text in place of uv, and returns what its runs say."""

    def ran(text):
        (tmp_path / "uv").write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / "uv").chmod(0o755)
        (tmp_path / "needs.txt").write_text("")
        monkeypatch.setenv("UV", str(tmp_path / "uv"))
        runs = functions.run_apart(todo, str(tmp_path / "needs.txt"), str(tmp_path)).runs
        assert [run["status"] for run in runs] == ["error"] * 2
        (message,) = {run["message"] for run in runs}
        return message.removeprefix(f"the environment of {tmp_path / 'needs.txt'} ")

    return ran


TRACEBACK = "Traceback (most recent call last):\n  File x.py, line 1\nModuleNotFoundError: No module named y\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f'printf "{TRACEBACK}\n" >&2; exit 1', "failed with exit code 1: ModuleNotFoundError: No module named y"),
        (
            f'printf "warning: z\n{TRACEBACK}" >&2; exit 1',
            "failed with exit code 1: ModuleNotFoundError: No module named y",
        ),
        ('printf "\nno such package\nhint: z\n" >&2; exit 2', "failed with exit code 2: no such package"),
        ("exit 3", "failed with exit code 3: it left no results"),
        ("exit 0", "failed with exit code 0: it left no results"),
    ],
)
def test_an_environment_that_fails_says_why_in_one_line(messages, text, message):
    assert messages(text) == message


def test_an_environment_that_does_not_end_is_stopped_with_all_it_started(messages, tmp_path, monkeypatch):
    monkeypatch.setattr(functions, "_seconds", lambda todo: 2.0)  # in which a busy machine starts a shell
    monkeypatch.setattr(functions, "STOP_SECONDS", 0.1)
    text = f"trap '' TERM; sleep 600 & echo $! > {tmp_path / 'child'}; wait; sleep 600"
    end = "stopped after 2 s of wall time, the limits of all its runs and 600 s for the environment"
    assert messages(text) == f"was {end}"
    child, limit = int((tmp_path / "child").read_text()), time.monotonic() + 60
    while alive(child):
        assert time.monotonic() < limit
        time.sleep(0.05)


def alive(number):
    try:
        with open(f"/proc/{number}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


INSIDE = f'while [ "$1" != -m ]; do shift; done; exec {sys.executable} "$@"'
LEARN = """
import numpy as np
from cutpoint.learners.learned import Learned

def learn(codes, cardinalities):
    return Learned(dag=np.zeros((1, 1), bool), score=float(cardinalities[0]))
"""


def test_a_batch_goes_to_its_environment_whole_and_keeps_what_it_had(todo, tmp_path, monkeypatch):
    row = {"discretizer": "d", "cell": "c", "status": "ok", "message": "", "variable": "x", "position": 0}
    row |= {"threshold": 0.5, "discretize_seconds": 0.1, "wall_seconds": 0.1, "peak_mb": 1.0}
    path = str(tmp_path / "d.parquet")
    parquet.write_records(path, [row | {"replicate": r} for r in range(2)], schemas.DISCRETIZED)
    for name, text in {"mine.py": LEARN, "uv": f"#!/bin/sh\n{INSIDE}\n", "needs.txt": ""}.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "uv").chmod(0o755)
    monkeypatch.setenv("UV", str(tmp_path / "uv"))
    methods = {name: (str(tmp_path / "mine.py"), {}) for name in ("mine", "other")}
    about = {"methods": methods, "discretizers": dict.fromkeys(methods, "d"), "discretized": [path], "mb": 4000.0}
    whole = replace(todo, **about, codes={"mine": "1", "other": "2"}, wanted=[["c", 0, 0, ["mine"]]])

    def ran(**change):
        return functions.run_apart(replace(whole, **change), str(tmp_path / "needs.txt"), str(tmp_path))

    first = ran()
    (run,) = first.runs
    assert (run["method"], run["replicate"], run["status"], run["score"]) == ("mine", 0, "ok", 2)
    assert [row["threshold"] for row in first.thresholds] == [0.5]
    more = ran(wanted=[["c", 0, 1, ["mine", "other"]]], earlier=first)
    assert [(run["method"], run["replicate"]) for run in more.runs] == [(m, r) for r in (0, 1) for m in methods]
    assert (more.runs[0], more.keys[0]) == (run, first.keys[0])  # kept: it has the times of the first run
    assert len({*more.keys}) == 2  # the data sets are alike
    (tmp_path / "uv").write_text("#!/bin/sh\nexit 3\n")
    lost = ran(wanted=None, earlier=more, codes={"mine": "1", "other": "3"})
    assert [run["status"] for run in lost.runs] == ["ok", "error"] * 2
    assert {run["message"] for run in lost.runs[1::2]} == {
        f"the environment of {tmp_path / 'needs.txt'} failed with exit code 3: it left no results"
    }


def test_all_runs_of_a_batch_may_reach_their_limits(todo):
    two = replace(todo, methods=dict.fromkeys(("mine", "other"), ("no.py", {})))
    assert (functions._seconds(todo), functions._seconds(two)) == (60.0 * 2 + 600, 60.0 * 2 * 2 + 600)
