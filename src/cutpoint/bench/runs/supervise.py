"""Run one function in a child process with a limit of time and of memory.

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
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, NoReturn

from cutpoint.base import user_code
from cutpoint.base.errors import DISK_FULL, InputError
from cutpoint.bench.data.status import ERROR, MEMORY, OK, TIMEOUT, Status

LIBC = ctypes.CDLL(None)
BORN_WITH = struct.Struct("d")  # megabytes, ahead of a child's answer


class Run(NamedTuple):
    """How a supervised call ended: what the function returned, None unless ok, and why it is not ok, one line.

    Seconds are those of the child, start-up included; peak_mb resident megabytes above those that it was born with.
    """

    status: Status
    value: Any
    message: str
    cpu_seconds: float
    wall_seconds: float
    peak_mb: float


def call(function: Callable, *args, wall: float, mb: float, poll: float = 0.1) -> Run:
    """Return the run of ``function(*args)``, killed with all that it started at a limit.

    Limits are seconds of wall time and resident megabytes of the child and all that it started, above those that it was
    born with; every `poll` seconds one looks at the memory. The result is pickled. OSError: no space left on a disk.
    """
    ended = _fork(function, args, wall, mb, poll)
    if ended.status == TIMEOUT:
        return ended._replace(message=stopped_after(wall))
    if ended.status == MEMORY and not ended.message:
        return ended._replace(message=f"stopped above {mb:g} MB of memory")
    return ended


def stopped_after(wall: float) -> str:
    """Return the message of a run that reached its limit of wall seconds."""
    return f"stopped after {wall:g} s of wall time"


def _fork(function: Callable, args: tuple, wall: float, mb: float, poll: float) -> Run:
    # A file, not a pipe: nothing to drain while waiting; in memory: no disk that may be full.
    with os.fdopen(os.memfd_create("answer"), "w+b") as box:
        start, limit, others = time.monotonic(), None, _children()
        _adopt_orphans()
        sys.stdout.flush()
        sys.stderr.flush()
        with warnings.catch_warnings():
            # Arrow's idle threads hold no lock that a child needs.
            warnings.filterwarnings("ignore", "This process .* is multi-threaded", DeprecationWarning)
            pid = os.fork()
        if pid == 0:
            _answer(function, args, box)
        try:
            limit = _wait(pid, start + wall, mb, poll, box.fileno())
        finally:  # also on Ctrl-C
            for kill in os.killpg, os.kill:  # a newborn may not lead its group yet
                with contextlib.suppress(ProcessLookupError):
                    kill(pid, signal.SIGKILL)  # not reaped yet, so the number is still its own
            _, code, used = os.wait4(pid, 0)
            _end_orphans(others)
        above = max(0.0, used.ru_maxrss / 1024 - (_born_with_mb(box.fileno()) or 0.0))
        cost = used.ru_utime + used.ru_stime, time.monotonic() - start, above
        if limit:
            return Run(limit, None, "", *cost)
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


def _wait(pid: int, end: float, mb: float, poll: float, box: int) -> Status | None:
    """Wait for the child and return the limit that it reached, if any."""
    ended = os.pidfd_open(pid)
    try:
        while not select.select([ended], [], [], poll)[0]:
            if time.monotonic() > end:
                return TIMEOUT
            now = resident_mb(_descendants(pid))
            if now - (_born_with_mb(box) or now) > mb:
                return MEMORY
        return None
    finally:
        os.close(ended)


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
                # after the name, which may hold anything: its state and its parent
                parents[int(entry.name)] = int(Path(entry.path, "stat").read_bytes().rpartition(b")")[2].split()[1])
    return parents


def _descendants(pid: int) -> list[int]:
    """Return a process and all below it; a supervised one keeps what its children leave behind."""
    found = [pid]
    for one in found:  # grows as it goes
        with contextlib.suppress(OSError):
            for task in Path("/proc", str(one), "task").iterdir():
                found += map(int, (task / "children").read_bytes().split())
    return found


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


def die_with_parent(number: int = signal.SIGKILL) -> None:
    """Have a signal sent to this process when its parent ends."""
    LIBC.prctl(1, number)  # PR_SET_PDEATHSIG


def _answer(function: Callable, args: tuple, box: BinaryIO) -> NoReturn:
    """Write what the call gives, and end the child."""
    os.setpgid(0, 0)
    die_with_parent()
    _adopt_orphans()
    code = 1
    try:
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
        box.write(content)
        box.flush()
        code = 0
    finally:
        os._exit(code)  # no exit handlers, no second flush of the parent's buffers


def one_line(problem: BaseException) -> str:
    """Return an exception as one line: its kind unless it is bad input, its text, and where in a user's own file."""
    kind = "" if isinstance(problem, InputError) else f"{type(problem).__name__}: "
    return " ".join(f"{kind}{problem}{user_code.place_of(problem)}".split())
