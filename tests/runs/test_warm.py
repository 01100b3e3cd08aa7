"""Warming: what is compiled once in a job, and users' functions, which run in children only."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from script_tools import script

from cutpoint.bench.data import parquet
from cutpoint.bench.runs.runner import UNSTEADY, Limits, run_all, warm_all
from cutpoint.method.method import Direct, DiscretizerFunction, Function, Method, Prediscretization

BDEU, CLIMB = Function("cutpoint.learners.scores:bdeu"), Function("cutpoint.learners.greedy:hill_climbing")
MINE = DiscretizerFunction("my.py:f")
SHIPPED = Direct({"learner": CLIMB, "score": Function("cutpoint.learners.kgv:kgv")})
OWN = Prediscretization({"discretizer": MINE, "learner": CLIMB, "score": BDEU})
TOP = """
import os, sys, threading, time
from concurrent.futures import ThreadPoolExecutor
import joblib
import numpy as np
import threaded

POOL, ROOM = ThreadPoolExecutor(2), []

def cut(column):
    return np.quantile(column, [0.5])

def draws(values, discrete):
    return [np.random.rand(1) for _ in values.T]

def seeded(values, discrete, *, seed=0):
    return [values.mean() + np.random.default_rng(seed).random(1) / 10 for _ in values.T]  # within the values
"""
FUNCTION = """
def {}(values, discrete):
    each = map
    {}
    return [*each(cut, values.T)]
"""
OWN_PROCESS = "test_what_a_users_function_leaves_reaches_no_other_run[frames]"
DOES = {  # before it returns the median of each column
    "plain": "pass",
    "pool": "each = POOL.map",
    "loads_threads": "each = threaded.POOL.map",
    "parallel": "each = lambda f, xs: joblib.Parallel(2, prefer='threads')(joblib.delayed(f)(x) for x in xs)",
    "frames": "import polars; polars.DataFrame({'x': values[:, 0]}).lazy().quantile(0.5).collect()",
    "moves": "os.chdir('/')",
    "patches": "np.quantile = lambda column, shares: np.array([0.123])",
    "works": "threading.Thread(target=lambda: [0 for _ in iter(int, 1)]).start()",
    "closes": "print('once'); sys.stdout.close()",
    "grows": "ROOM.append(np.ones(8_000_000)); time.sleep(0.25)",
}


@pytest.fixture
def job(tmp_path):
    """Return a function that runs discretizers of a user as a job does: the runs, and by name the thresholds."""
    (tmp_path / "own.py").write_text(TOP + "".join(FUNCTION.format(*each) for each in DOES.items()))
    (tmp_path / "threaded.py").write_text(
        "from concurrent.futures import ThreadPoolExecutor\nPOOL = ThreadPoolExecutor(8)\n[*POOL.map(abs, range(99))]\n"
    )
    values = np.random.default_rng(1).standard_normal((9, 2))
    parquet.write_data(tmp_path / "data", ["a", "b"], [(r, values + r) for r in range(3)], cell="c")

    def run(*names):
        own = {name: DiscretizerFunction(f"{tmp_path / 'own.py'}:{name}") for name in names}
        tasks = {name: script("discretize").task(each, "") for name, each in own.items()}
        limits = Limits(2.0, 100.0)
        rows = run_all(tasks, tmp_path / "data", limits, warm=lambda: warm_all(own.values()))
        cuts = {name: [row["threshold"] for row in rows.thresholds if row["method"] == name] for name in names}
        return rows.runs, cuts

    run.medians = [cut for r in range(3) for cut in np.median(values, axis=0) + r]
    return run


@pytest.mark.parametrize("name", list(DOES)[1:])
def test_what_a_users_function_leaves_reaches_no_other_run(job, name):
    if name == "frames" and "polars" in sys.modules:  # its threads end in a fork, and a job never has them
        again = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"{__file__}::{OWN_PROCESS}"]
        subprocess.run(again, check=True, cwd=Path(__file__).parents[2], capture_output=True)
        return
    before = os.getcwd(), np.quantile, threading.active_count(), sys.stdout, sys.stdout.closed
    runs, cuts = job(name, "plain")
    assert [run["status"] for run in runs] == ["ok"] * 6, runs
    assert cuts["plain"] == pytest.approx(job.medians)
    assert cuts[name] == cuts["plain"] or name == "patches"  # what is its own fault stays
    assert (os.getcwd(), np.quantile, threading.active_count(), sys.stdout, sys.stdout.closed) == before


def test_a_method_that_draws_at_random_gets_a_seed_and_one_that_takes_none_is_named(job):
    (runs, cuts), (_, again) = job("draws", "seeded", "plain"), job("seeded")
    assert [run["message"] for run in runs if run["replicate"] == 0] == [UNSTEADY, "", ""]
    assert {run["message"] for run in runs if run["replicate"]} == {""}
    assert len({*cuts["seeded"]}) == 3
    assert cuts["seeded"] == again["seeded"]


@pytest.mark.parametrize("learner", [OWN, Direct({"learner": Function("my.py:f")})])
def test_a_job_runs_what_is_shipped_before_and_no_function_of_a_user(monkeypatch, learner):
    seen = []
    monkeypatch.setattr(Method, "warm", lambda method: seen.append(method))
    monkeypatch.setattr(Method, "warm_search", lambda method: seen.append("search"))
    warm_all([learner, MINE, SHIPPED])
    assert seen == ["search"] * (learner is OWN) + [SHIPPED]
    assert script("learn").task(learner, "").own == (learner is not OWN)  # it learns from thresholds that are there


@pytest.mark.parametrize(
    ("functions", "runs"),
    [
        ({"learner": CLIMB, "score": BDEU}, 1),
        ({"learner": MINE, "score": BDEU}, 0),
        ({"learner": CLIMB, "score": MINE}, 0),
        ({"learner": Function("cutpoint.learners.constraint:pc_g2")}, 0),
    ],
)
def test_a_shipped_search_is_compiled_whatever_the_users_part_does(monkeypatch, functions, runs):
    searches = []
    monkeypatch.setattr(Method, "search", lambda method, codes, levels: searches.append(codes.shape))
    Prediscretization(functions | {"discretizer": MINE}).warm_search()
    assert searches == [(300, 5)] * runs
