"""Supervised calls: every way to end, and what is left over."""

import gc
import mmap
import os
import resource
import signal
import subprocess
import sys
import time
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutpoint.base.errors import InputError
from cutpoint.bench.runs import runner, supervise
from cutpoint.bench.runs.supervise import Output
from cutpoint.learners.learned import Learned


def call(function, *args, seconds=5.0, mb=500.0):
    return supervise.call(function, *args, seconds=seconds, mb=mb)


def spin():
    while True:
        pass


def test_one_child_calls_functions_until_one_does_not_return():
    def say(word):
        print(word)
        return os.getpid()

    def ends(word):
        print(word)
        os._exit(3)

    functions = [partial(say, "a"), partial(say, "b"), lambda: 1 / 0, partial(ends, "c"), spin, partial(say, "d")]
    others = supervise._children()
    runs = list(supervise.calls(functions, seconds=0.5, mb=500.0))
    assert [run.status for run in runs] == ["ok", "ok", "error", "error", "timeout", "ok"]
    assert [run.output for run in runs] == [["a"], ["b"], [], ["c"], [], ["d"]]
    assert runs[0].value == runs[1].value != runs[5].value
    assert all(run.wall_seconds > 0 for run in runs)
    assert supervise._children() == others


def test_what_calls_before_have_used_does_not_count():
    def use(mb, seconds):
        memory, end = filled(mb), time.process_time() + seconds
        while time.process_time() < end:
            pass
        return len(memory)

    functions = [partial(use, mb, 0.2) for mb in (1, 60, 1, 1)]
    runs = list(supervise.calls(functions, seconds=0.4, mb=100.0, used=[0.0, 0.0, 0.0, 0.3], poll=0.01))
    assert [run.status for run in runs] == ["ok", "ok", "ok", "timeout"]
    assert all(0.2 <= run.cpu_seconds < 0.3 for run in runs[:3])
    assert [round(run.peak_mb, -1) for run in runs[:3]] == [0, 60, 0]
    assert runs[3].message == "stopped after 0.4 s of CPU time"  # the limit of the whole run


def busy(seconds, core):
    os.sched_setaffinity(0, {core})
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def test_the_load_of_a_machine_does_not_decide():
    core = min(os.sched_getaffinity(0))
    turn = f"import os, time\nos.sched_setaffinity(0, {{{core}}}), print(flush=True)\nwhile time.process_time() < 9: 0"
    others = [subprocess.Popen([sys.executable, "-c", turn], stdout=subprocess.PIPE) for _ in range(2)]
    assert [other.stdout.readline() for other in others] == [b"\n", b"\n"]  # both turn
    run = call(busy, 0.5, core, seconds=0.7)
    for other in others:
        other.kill()
        other.communicate()
    assert run.status == "ok", run.message
    assert run.cpu_seconds < 0.7 < run.wall_seconds


@pytest.mark.parametrize(
    ("wait", "status", "message"),
    [
        (lambda: time.sleep(60), "timeout", "stopped after 0.5 s of wall time, asleep for most of them"),
        (lambda: os.kill(os.getpid(), signal.SIGSTOP), "starved", "no more than 0."),
    ],
)
def test_a_run_without_cpu_time_was_asleep_or_starved(wait, status, message):
    run = call(wait, seconds=0.1)
    assert run.status == status
    assert run.message.startswith(message)
    assert run.cpu_seconds < 0.1


def test_the_cpu_time_of_children_counts_also_of_those_that_have_ended():
    program = "import time\nwhile time.process_time() < 0.3: pass"

    def start():
        for _ in range(100):
            subprocess.run([sys.executable, "-c", program])

    run = call(start, seconds=1.0)
    assert (run.status, run.message) == ("timeout", "stopped after 1 s of CPU time")


def test_what_a_run_prints_is_bounded(capfd):
    def chatty():
        print("first")
        os.system("seq 500000; echo é >&2")
        for _ in range(500_000):
            print("line " * 40)
        sys.stderr.write("x" * 10_000_000 + "\nlast")

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    run = call(chatty, seconds=60.0, mb=50.0)
    assert run.status == "ok", run.message
    assert (len(run.output), run.output[0], run.output[1], run.output[-1]) == (42, "first", "1", "last")
    assert run.output[20] == "... 999963 lines left out ..."
    assert run.output[-2] == "x" * 500
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 10 * 1024
    assert capfd.readouterr() == ("", "")


@given(st.lists(st.binary(max_size=30).map(lambda text: text.replace(b"ab", b"\n")), max_size=60))
def test_it_does_not_matter_in_which_pieces_it_is_printed(pieces):
    whole, parts = Output(), Output()
    whole.take(b"".join(pieces))
    for piece in pieces:
        parts.take(piece)
    assert parts.lines() == whole.lines()


def test_a_result_that_is_larger_than_the_limit_is_not_read():
    run = supervise.call(lambda: bytes(40_000_000), seconds=20.0, mb=30.0, poll=10.0)
    assert (run.status, run.message) == ("memory", "stopped above 30 MB of memory")


def test_the_memory_of_a_program_in_a_session_of_its_own_counts():
    program = "import time; x = bytearray(300_000_000); time.sleep(60)"

    def start():
        subprocess.Popen([sys.executable, "-c", program], start_new_session=True)
        time.sleep(60)

    assert call(start, mb=150.0, seconds=50.0).status == "memory"


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

    assert call(start, seconds=1.0, mb=4000.0).status == ("timeout" if seconds else "ok")
    assert not os.path.exists(f"/proc/{mark.read_text()}")


@pytest.mark.parametrize(
    ("function", "status", "text"),
    [
        (lambda: 1 / 0, "error", "ZeroDivisionError: division by zero"),
        (lambda: np.empty(10**15), "memory", "Unable to allocate"),
        (lambda: os._exit(7), "error", "exit code 7"),
        (lambda: os._exit(0), "error", "ended its process before it returned a result"),
        (lambda: os.kill(os.getpid(), signal.SIGTERM), "error", "SIGTERM"),
        (lambda: os.kill(os.getpid(), signal.SIGKILL), "killed", "lack of memory, 3 times"),
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


def test_what_was_killed_once_is_called_again(tmp_path):
    def once():
        if not any(tmp_path.iterdir()):
            (tmp_path / "mark").touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return 1

    assert call(once).value == 1


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


@pytest.mark.parametrize("number", [True, "3", 2.5, 2**63, -1, float("inf"), object(), float("nan")])
def test_a_count_that_is_no_whole_number_is_refused_in_the_child(number):
    with pytest.raises(InputError, match=r"the method returned score_calls=.*; a whole number is expected"):
        runner._check_costs(Learned(score_calls=number))


def test_costs_are_plain_numbers():
    learned = Learned(score_calls=np.float64(3.0), score=Fraction(1, 2), iterations=np.int8(2))
    runner._check_costs(learned)
    costs = learned.score_calls, learned.score, learned.iterations
    assert costs == (3, 0.5, 2)
    assert [type(cost) for cost in costs] == [int, float, int]
