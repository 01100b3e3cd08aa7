"""Run one function in a child process with a limit of CPU time and of memory.

The child is forked, so that it starts with imported packages and loaded
kernels; Linux only (`pidfd_open`, `/proc` with lists of children, `prctl`). Before the first call the
parent must have set thread counts to one and must not have run a threaded
third-party learner: OpenMP hangs in a fork of a process that used it.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import pickle
import resource
import select
import signal
import struct
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, NoReturn

from cutpoint.base import user_code
from cutpoint.base.errors import DISK_FULL, InputError
from cutpoint.bench.data.status import ERROR, MEMORY, OK, STARVED, TIMEOUT, Status
from cutpoint.bench.runs.output import Output

LIBC = ctypes.CDLL(None)
BACKSTOP = 5  # times the limit of CPU seconds: the wall seconds after which a run is stopped whatever it does
CHUNK = 2**16  # bytes, what a pipe holds
TICKS = os.sysconf("SC_CLK_TCK")  # of the clock of a process, in a second
CPU_SPENT = "stopped after {seconds:g} s of CPU time"
ASLEEP = "stopped after {wall:g} s of wall time, asleep for most of them"
TOO_LITTLE = "too little CPU time in {wall:g} s of wall time; run the same command again"
TOO_MUCH = "stopped above {mb:g} MB of memory"
BORN_WITH = struct.Struct("d")  # megabytes, ahead of a child's answer


class Run(NamedTuple):
    """How a supervised call ended: what the function returned, None unless ok, and why it is not ok, one line.

    Seconds are those of the child, start-up included; peak_mb resident megabytes above those that it was born with;
    output the first and last lines that it and what it started have printed, see `Output`.
    """

    status: Status
    value: Any
    message: str
    cpu_seconds: float
    wall_seconds: float
    peak_mb: float
    output: Sequence[str] = ()


def call(function: Callable, *args, seconds: float, mb: float, used: float = 0.0, poll: float = 0.1) -> Run:
    """Return the run of ``function(*args)``, killed with all that it started at a limit.

    Limits are CPU seconds, less those `used` before, and resident megabytes above those that the child was born with,
    of the child and all that it started; every `poll` seconds one looks at them. So the load of a machine does not
    decide. A run that goes on for `BACKSTOP` times as many wall seconds is `timeout` if it was asleep for most of them,
    and else `starved`. The result is pickled. OSError: no space left on a disk.
    """
    # A file, not a pipe: nothing to drain while waiting; in memory: no disk that may be full.
    with os.fdopen(os.memfd_create("answer"), "w+b") as box:
        start, limit, others, output = time.monotonic(), None, _children(), Output()
        _adopt_orphans()
        sys.stdout.flush()
        sys.stderr.flush()
        pipe, end = os.pipe()
        with warnings.catch_warnings():
            # Arrow's idle threads hold no lock that a child needs.
            warnings.filterwarnings("ignore", "This process .* is multi-threaded", DeprecationWarning)
            pid = os.fork()
        if pid == 0:
            _answer(function, args, box, end)
        os.close(end)
        try:
            limit = _wait(pid, seconds - used, seconds * BACKSTOP, mb, poll, box.fileno(), pipe, output)
        finally:  # also on Ctrl-C
            for kill in os.killpg, os.kill:  # a newborn may not lead its group yet
                with contextlib.suppress(ProcessLookupError):
                    kill(pid, signal.SIGKILL)  # not reaped yet, so the number is still its own
            _, code, usage = os.wait4(pid, 0)
            _end_orphans(others)
            _drain(pipe, output)
        cpu = usage.ru_utime + usage.ru_stime
        above = max(0.0, usage.ru_maxrss / 1024 - (_born_with_mb(box.fileno()) or 0.0))
        cost = cpu, time.monotonic() - start, above, output.lines()
        if not limit and cpu > seconds - used:  # it ended between two looks
            limit = TIMEOUT, CPU_SPENT
        if not limit and os.fstat(box.fileno()).st_size > mb * 2**20:  # what would be read here, beside no limit
            limit = MEMORY, TOO_MUCH
        if limit:
            return Run(limit[0], None, limit[1].format(seconds=seconds, wall=seconds * BACKSTOP, mb=mb), *cost)
        if code:
            status, message = _death(os.waitstatus_to_exitcode(code))
            return Run(status, None, message, *cost)
        box.seek(BORN_WITH.size)
        try:
            status, value, message = pickle.load(box)
        except Exception as problem:
            empty = "ended its process before it returned a result"
            return Run(ERROR, None, empty if isinstance(problem, EOFError) else one_line(problem), *cost)
        if status == "disk full":  # not the method's fault: raise, do not record a status
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), value)
        return Run(status, value, message, *cost)


def _wait(
    pid: int, seconds: float, wall: float, mb: float, poll: float, box: int, pipe: int, output: Output
) -> tuple[Status, str] | None:
    """Wait for the child, take what it prints, and return the limit that it reached, if any, and the message."""
    ended, end, looks, asleep = os.pidfd_open(pid), time.monotonic() + wall, 0, 0
    look, open_pipes = time.monotonic() + poll, [pipe]
    try:
        while True:
            ready = select.select([ended, *open_pipes], [], [], max(0.0, look - time.monotonic()))[0]
            if pipe in ready:
                printed = os.read(pipe, CHUNK)
                output.take(printed)
                if not printed:  # all have closed it
                    open_pipes.clear()
            if ended in ready:
                return None
            if time.monotonic() < look:
                continue
            look = time.monotonic() + poll
            processes = _descendants(pid)
            looks, asleep = looks + 1, asleep + _are_asleep(processes)
            if _cpu_seconds(processes) > seconds:
                return TIMEOUT, CPU_SPENT
            if time.monotonic() > end:
                return (TIMEOUT, ASLEEP) if asleep > looks / 2 else (STARVED, TOO_LITTLE)
            now = resident_mb(processes)
            if now - (_born_with_mb(box) or now) > mb:
                return MEMORY, TOO_MUCH
    finally:
        os.close(ended)


def _drain(pipe: int, output: Output) -> None:
    """Take what is left in a pipe, all of whose writers have ended, and close it."""
    os.set_blocking(pipe, False)
    with contextlib.suppress(BlockingIOError):
        while printed := os.read(pipe, CHUNK):
            output.take(printed)
    os.close(pipe)


def _born_with_mb(box: int) -> float | None:
    """Return what the child wrote into its box first: what it had of its parent's memory; None if it did not yet.

    A child says it itself, because what its parent holds at another moment may be tens of megabytes off.
    """
    head = os.pread(box, BORN_WITH.size, 0)
    return BORN_WITH.unpack(head)[0] if len(head) == BORN_WITH.size else None


def _adopt_orphans() -> None:
    """Become the parent of what this process's descendants leave behind, so that none is lost from sight."""
    LIBC.prctl(36, 1)  # PR_SET_CHILD_SUBREAPER


def _children() -> set[int]:
    """Return the children of this process."""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:  # none, as nearly always: nothing to look for
        return set()
    return {number for number, parent in _parents().items() if parent == os.getpid()}


def _end_orphans(others: set[int]) -> None:
    """Kill what a child left behind in sessions of its own."""
    while left := _children() - others:
        for number in left:
            with contextlib.suppress(ProcessLookupError, ChildProcessError):
                os.kill(number, signal.SIGKILL)
                os.waitpid(number, 0)


def _parents() -> dict[int, int]:
    """Return the parent of each process."""
    parents = {}
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                parents[int(entry.name)] = int(_stat(Path(entry.path))[1])
    return parents


def _descendants(pid: int) -> list[int]:
    """Return a process and all below it; a supervised one keeps what its children leave behind."""
    processes = [pid]
    for one in processes:  # grows as it goes
        with contextlib.suppress(OSError):
            for task in Path("/proc", str(one), "task").iterdir():
                processes += map(int, (task / "children").read_bytes().split())
    return processes


def _death(code: int) -> tuple[Status, str]:
    if code == -signal.SIGKILL:
        return MEMORY, "killed from outside, most likely by the system for lack of memory"
    if code < 0:
        return ERROR, f"ended by signal {signal.Signals(-code).name}"
    return ERROR, f"ended with exit code {code}"


def resident_mb(processes: Iterable[int]) -> float:
    """Return the resident megabytes of some processes."""
    pages = 0
    for number in processes:
        with contextlib.suppress(OSError, IndexError):
            pages += int(Path("/proc", str(number), "statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20


def _cpu_seconds(processes: Iterable[int]) -> float:
    """Return the CPU seconds of some processes and of their children that have ended."""
    ticks = 0
    for number in processes:
        with contextlib.suppress(OSError):
            ticks += sum(map(int, _stat(Path("/proc", str(number)))[11:15]))
    return ticks / TICKS


def _are_asleep(processes: Iterable[int]) -> bool:
    """Tell whether all threads of some processes wait for something else than a processor or a disk."""
    with contextlib.suppress(OSError):  # one has just ended
        threads = (thread for number in processes for thread in Path("/proc", str(number), "task").iterdir())
        return all(_stat(thread)[0] in (b"S", b"Z") for thread in threads)
    return False


def _stat(process: Path) -> list[bytes]:
    """Return what the system says of a process or thread, after its name, which may hold anything."""
    return (process / "stat").read_bytes().rpartition(b")")[2].split()


def die_with_parent(number: int = signal.SIGKILL) -> None:
    """Have a signal sent to this process when its parent ends."""
    LIBC.prctl(1, number)  # PR_SET_PDEATHSIG


def _answer(function: Callable, args: tuple, box: BinaryIO, end: int) -> NoReturn:
    """Write what the call gives, and end the child, which prints into the end of a pipe."""
    os.setpgid(0, 0)
    die_with_parent()
    _adopt_orphans()
    code = 1
    try:
        os.dup2(end, 1)
        os.dup2(end, 2)
        sys.stdout = sys.stderr = os.fdopen(1, "w", 1, errors="backslashreplace", closefd=False)
        box.write(BORN_WITH.pack(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024))
        box.flush()
        try:
            content = pickle.dumps((OK, function(*args), ""))
        except MemoryError as problem:
            content = pickle.dumps((MEMORY, None, one_line(problem)))
        except BaseException as problem:  # a method may also call sys.exit
            if isinstance(problem, OSError) and problem.errno in DISK_FULL:
                content = pickle.dumps(("disk full", problem.filename, ""))
            else:
                content = pickle.dumps((ERROR, None, one_line(problem)))
        with contextlib.suppress(Exception):  # whatever a method has put in its place
            sys.stdout.flush()
        box.write(content)
        box.flush()
        code = 0
    finally:
        os._exit(code)  # no exit handlers, no second flush of the parent's buffers


def one_line(problem: BaseException) -> str:
    """Return an exception as one line: its kind unless it is bad input, its text, and where in a user's own file."""
    kind = "" if isinstance(problem, InputError) else f"{type(problem).__name__}: "
    return " ".join(f"{kind}{problem}{user_code.place_of(problem)}".split())
