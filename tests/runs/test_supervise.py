"""Supervised calls: every way to end, and what is left over."""

import gc
import mmap
import os
import signal
import subprocess
import sys
import time
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

from cutpoint.base.errors import InputError
from cutpoint.bench.runs import runner, supervise
from cutpoint.learners.learned import Learned


def call(function, *args, wall=5.0, mb=500.0):
    return supervise.call(function, *args, wall=wall, mb=mb)


def test_a_result_comes_back():
    run = call(lambda a, b: a + b, 1, 2)
    assert (run.status, run.value, run.message) == ("ok", 3, "")
    assert run.wall_seconds > 0


def spin():
    while True:
        pass


def test_a_time_limit_ends_a_loop():
    run = call(spin, wall=0.1)
    assert run.status == "timeout"
    assert "0.1 s" in run.message
    assert run.cpu_seconds > 0


def test_the_limit_of_a_whole_run_is_named_where_its_discretization_took_some():
    class Discretizations:
        def run(self, discretizer, identity):
            return {"status": "ok", "message": "", "discretize_seconds": 0.3, "wall_seconds": 0.9, "peak_mb": 1.0}

        def thresholds(self, discretizer, identity, variables):
            return [np.array([0.5])]

    values, discrete = np.zeros((3, 1)), np.zeros(1, bool)
    data = SimpleNamespace(values=values, discrete=discrete, columns=["V01"], variables=["a"], about={})
    task = runner.Task(lambda values, discrete, policy: spin(), "d")
    thresholds = runner._thresholds(task, data, {}, Discretizations())
    run = runner._run(task, data, {}, runner.Limits(1.0, 500.0), Discretizations(), thresholds, runner.Rows())
    assert (run["status"], run["message"]) == ("timeout", "stopped after 1 s of wall time")


def grow():
    blocks = []
    while True:
        blocks.append(np.ones(1_000_000))
        time.sleep(0.005)


def test_a_memory_limit_ends_a_child():
    run = call(grow, mb=100.0, wall=20.0)
    assert run.status == "memory"
    assert "100 MB" in run.message


def test_the_memory_of_a_program_in_a_session_of_its_own_counts():
    program = "import time; x = bytearray(300_000_000); time.sleep(60)"

    def start():
        subprocess.Popen([sys.executable, "-c", program], start_new_session=True)
        time.sleep(60)

    assert call(start, mb=150.0, wall=50.0).status == "memory"


@pytest.mark.parametrize("seconds", [0.0, 60.0])
def test_nothing_is_left_over_in_a_session_of_its_own(tmp_path, seconds):
    mark = tmp_path / "pid"

    def start():
        if os.fork() == 0:
            os.setsid()
            mark.write_text(str(os.getpid()))
            time.sleep(60)
        while not (mark.exists() and mark.read_text()):
            time.sleep(0.01)
        time.sleep(seconds)

    assert call(start, wall=5.0, mb=4000.0).status == ("timeout" if seconds else "ok")
    assert not os.path.exists(f"/proc/{mark.read_text()}")


@pytest.mark.parametrize(
    ("function", "status", "text"),
    [
        (lambda: 1 / 0, "error", "ZeroDivisionError: division by zero"),
        (lambda: np.empty(10**15), "memory", "Unable to allocate"),
        (lambda: os._exit(7), "error", "exit code 7"),
        (lambda: os._exit(0), "error", "ended its process before it returned a result"),
        (lambda: os.kill(os.getpid(), signal.SIGTERM), "error", "SIGTERM"),
        (lambda: os.kill(os.getpid(), signal.SIGKILL), "memory", "from outside"),
        (lambda: lambda: 1, "error", "pickle"),
        (lambda: sys.exit(3), "error", "SystemExit: 3"),
    ],
)
def test_every_failure_has_a_status_and_a_message(function, status, text):
    run = call(function)
    assert run.status == status
    assert text in run.message
    assert "\n" not in run.message
    assert run.value is None


def filled(mb):
    """Return new memory; an array may get what the parent has freed and the system still counts."""
    memory = mmap.mmap(-1, mb * 2**20)
    for start in range(0, len(memory), mmap.PAGESIZE):
        memory[start] = 1
    return memory


def test_peak_memory_is_above_the_parent():
    def peaks():
        gc.collect()  # else it may come in a child, which then has less than it was born with
        return call(lambda: None).peak_mb, call(lambda: len(filled(40))).peak_mb

    with filled(80):
        before = peaks()
    for idle, busy in before, peaks():  # whatever the parent has given back since
        assert idle < 20
        assert 30 < busy < 70


@pytest.mark.parametrize("number", [True, "3", 2.5, 2**63, object(), float("nan")])
def test_a_count_that_is_no_whole_number_is_refused_in_the_child(number):
    with pytest.raises(InputError, match=r"the method returned score_calls=.*; a whole number is expected"):
        runner._check_costs(Learned(score_calls=number))


def test_costs_are_plain_numbers():
    learned = Learned(score_calls=np.float64(3.0), score=Fraction(1, 2), iterations=np.int8(2))
    runner._check_costs(learned)
    costs = learned.score_calls, learned.score, learned.iterations
    assert costs == (3, 0.5, 2)
    assert [type(cost) for cost in costs] == [int, float, int]
