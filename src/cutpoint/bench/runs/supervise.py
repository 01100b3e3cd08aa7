"""Run functions in a child process with limits of CPU time and of memory.

The child is forked, so that it starts with imported packages and loaded kernels; Linux only (`pidfd_open`, `/proc` with
lists of children, `prctl`). Before the first call the parent must have set thread counts to one and must not have run a
threaded third-party learner: OpenMP hangs in a fork of a process that used it. Of what a run prints, the first and last
lines go into the log of the job.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import logging
import os
import pickle
import resource
import select
import signal
import socket
import struct
import sys
import time
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from cutpoint.base import text, user_code
from cutpoint.base.errors import DISK_FULL, InputError
from cutpoint.bench.data import status as ends
from cutpoint.bench.data.status import AGAIN, ERROR, KILLED, MEMORY, OK, STARVED, TIMEOUT, Status

LINES = 20  # kept from the start, and as many from the end
LONGEST = 500  # bytes of a line


class Output:
    """The first and last lines of what a process prints, however much that is."""

    def __init__(self) -> None:
        self._first: list[bytes] = []
        self._last: deque[bytes] = deque(maxlen=LINES)
        self._rest, self._between = b"", 0

    def take(self, printed: bytes) -> None:
        """Take what was printed next."""
        *lines, self._rest = (self._rest + printed).split(b"\n")
        self._rest = self._rest[:LONGEST]
        free = LINES - len(self._first)
        self._first += [line[:LONGEST] for line in lines[:free]]
        later = lines[free:]
        self._between += max(0, len(self._last) + len(later) - LINES)
        self._last.extend(line[:LONGEST] for line in later[-LINES:])

    def lines(self) -> list[str]:
        """Return the lines that are not blank, and how many are left out between the first and the last ones."""
        between = [b"... %d lines left out ..." % self._between] if self._between else []
        texts = (line.decode(errors="replace") for line in (*self._first, *between, *self._last, self._rest))
        return [text.rstrip() for text in texts if text.strip()]


LIBC = ctypes.CDLL(None)
WARMING = 60.0  # CPU seconds at most for a first call on a small sample
BACKSTOP = 5  # times the limit of CPU seconds: the wall seconds after which a run is stopped whatever it does
LOOKS, PAUSE = 5, 0.01  # at what a call has left at work, and seconds between them
CHUNK = 2**16  # bytes, what a pipe holds
TICKS = os.sysconf("SC_CLK_TCK")  # of the clock of a process, in a second
CPU_SPENT = "stopped after {seconds:g} s of CPU time"
ASLEEP = "stopped after {wall:g} s of wall time, asleep for most of them"
TOO_LITTLE = f"no more than {{cpu:.3g}} s of CPU time in {{wall:g}} s of wall time{AGAIN}"
TOO_MUCH = "stopped above {mb:g} MB of memory"
COSTS = struct.Struct("4d")  # of a child, ahead of its answer: CPU seconds before and after, MB at birth and at most


class Killed(Exception):
    """Something that a function has started was killed by something else than a limit."""


class Run(NamedTuple):
    """How a supervised call ended: what the function returned, None unless ok, and why it is not ok, one line.

    Seconds are those of the call; peak_mb resident megabytes above those that its process was born with; output the
    first and last lines that it and what it started have printed, see `Output`.
    """

    status: Status
    value: Any
    message: str
    cpu_seconds: float
    wall_seconds: float
    peak_mb: float
    output: Sequence[str] = ()


def call(function: Callable, *args, seconds: float, mb: float, poll: float = 0.1) -> Run:
    """Return the run of ``function(*args)`` in a child of its own, see `calls`; if killed it is called again at once.

    After `MOST` times it stays killed, with their number.
    """
    runs = (next(calls([partial(function, *args)], seconds=seconds, mb=mb, poll=poll)) for _ in range(ends.MOST))
    for run in runs:
        if run.status != KILLED:
            return run
    return run._replace(message=ends.killed_once_more(run.message, ends.MOST - 1))


def calls(
    functions: Sequence[Callable[[], Any]],
    *,
    seconds: float,
    mb: float,
    used: Sequence[float] = (),
    poll: float = 0.1,
    warm: Callable[[], object] | None = None,
    own: bool = False,
) -> Iterator[Run]:
    """Yield the run of each function, killed with all that it started at a limit.

    One child calls them in turn, so that a short one does not pay for a fork; after one that did not return, or left
    something at work, another child calls the rest. Each child calls `warm` before, until this does not return. Of a
    user's `own` functions one that fails behind another is called again in a child of its own. Limits are CPU seconds,
    less those `used` before a call, and resident megabytes above those that the child was born with, of the child and
    all that it started; every `poll` seconds one looks at them. So the load of a machine does not decide. A run that
    goes on for `BACKSTOP` times as many wall seconds is `timeout` if it was asleep for most of them, and else
    `starved`. The result is pickled. OSError: no space left on a disk.
    """
    child = None
    try:
        for k in range(len(functions)):
            limits = seconds, used[k] if used else 0.0, mb, poll
            if not child:
                child, warm = _warmed(functions[k:], warm, limits, own)
            run = child.call(*limits)
            if own and run.status in (ERROR, MEMORY) and child.called > 1:
                child.close()
                child = _Child(functions[k:])
                run = child.call(*limits)
            if child.is_spent():
                child.close()
                child = None
            yield run
    finally:  # also on Ctrl-C
        if child:
            child.close()


def _warmed(functions, warm, limits, own) -> tuple[_Child, Callable | None]:
    """Return a child that calls functions, and how to warm the next one: not at all where this one did not return."""
    if not warm:
        return _Child(functions), None
    child, (seconds, _, mb, poll) = _Child([warm, *functions], own), limits
    run = child.call(min(seconds, WARMING), 0.0, mb, poll)
    if run.status != OK:
        logging.getLogger("cutpoint").info("not warm: %s", run.message)
    if not child.is_spent():
        return child, warm
    child.close()
    return _Child(functions), None


class _Child:
    """A forked process that calls functions in turn, each when it is told to; `usage` is set once it has ended.

    If it loads, what the first one leaves counts as memory that the child was born with.
    """

    def __init__(self, functions: Sequence[Callable[[], Any]], loads: bool = False):
        # A file, not a pipe: nothing to drain while waiting; in memory: no disk that may be full.
        self._box, self._others = os.memfd_create("answer"), _children()
        self.usage: resource.struct_rusage | None = None
        self.called = 0
        _adopt_orphans()
        sys.stdout.flush()
        sys.stderr.flush()
        self._pipe, end = os.pipe()
        self._line, line = socket.socketpair()
        with warnings.catch_warnings():
            # Arrow's idle threads hold no lock that a child needs.
            warnings.filterwarnings("ignore", "This process .* is multi-threaded", DeprecationWarning)
            self._pid = os.fork()
        if self._pid == 0:
            _answer(functions, self._box, end, line, loads)
        os.close(end)
        line.close()
        os.set_blocking(self._pipe, False)
        self._ended = os.pidfd_open(self._pid)

    def call(self, seconds: float, used: float, mb: float, poll: float) -> Run:
        """Return the run of the next function; a child in which it did not return has ended."""
        start, output, code = time.monotonic(), Output(), 0
        self.called += 1
        os.ftruncate(self._box, 0)
        with contextlib.suppress(OSError):  # it was killed from outside
            self._line.send(b"1")
        returned, limit = self._wait(seconds - used, seconds * BACKSTOP, mb, poll, output)
        if not returned:
            code = self._kill()
        with contextlib.suppress(BlockingIOError):
            while printed := os.read(self._pipe, CHUNK):
                output.take(printed)
        before, after, born_with, peak = self._costs() or (0.0,) * 4
        if self.usage:
            after, peak = self.usage.ru_utime + self.usage.ru_stime, self.usage.ru_maxrss / 1024
        cost = after - before, time.monotonic() - start, max(0.0, peak - born_with), output.lines()
        if not limit and cost[0] > seconds - used:  # it ended between two looks
            limit = TIMEOUT, CPU_SPENT
        if not limit and os.fstat(self._box).st_size > mb * 2**20:  # what would be read here, beside no limit
            limit = MEMORY, TOO_MUCH
        if limit:
            numbers = {"seconds": seconds, "cpu": cost[0], "wall": seconds * BACKSTOP, "mb": mb}
            return Run(limit[0], None, limit[1].format(**numbers), *cost)
        if code:
            status, message = _death(os.waitstatus_to_exitcode(code))
            return Run(status, None, message, *cost)
        try:
            with os.fdopen(os.dup(self._box), "rb") as box:
                box.seek(COSTS.size)
                status, value, message = pickle.load(box)
        except Exception as problem:
            empty = "ended its process before it returned a result"
            return Run(ERROR, None, empty if isinstance(problem, EOFError) else one_line(problem), *cost)
        if status == "disk full":  # not the method's fault: raise, do not record a status
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), value)
        return Run(status, value, message, *cost)

    def is_spent(self) -> bool:
        """Tell whether the child has ended, or a call has left something in it that is still at work after a while."""
        for _ in range(LOOKS):
            if self.usage:
                return True
            if _are_asleep(_descendants(self._pid), self._pid):
                return False
            time.sleep(PAUSE)
        return True

    def close(self) -> None:
        """Kill the child and all that it started."""
        if not self.usage:
            self._kill()
        for number in self._box, self._pipe, self._ended, self._line.detach():
            os.close(number)

    def _kill(self) -> int:
        for kill in os.killpg, os.kill:  # a newborn may not lead its group yet
            with contextlib.suppress(ProcessLookupError):
                kill(self._pid, signal.SIGKILL)  # not reaped yet, so the number is still its own
        _, code, self.usage = os.wait4(self._pid, 0)
        _end_orphans(self._others)
        return code

    def _costs(self) -> tuple[float, ...] | None:
        head = os.pread(self._box, COSTS.size, 0)  # by the child, which knows it best; nothing before it has begun
        return COSTS.unpack(head) if len(head) == COSTS.size else None

    def _wait(
        self, seconds: float, wall: float, mb: float, poll: float, output: Output
    ) -> tuple[bool, tuple[Status, str] | None]:
        """Wait for the call, take what it prints, and return whether it returned, and the limit that it reached."""
        end, looks, asleep = time.monotonic() + wall, 0, 0
        look, line = time.monotonic() + poll, self._line.fileno()
        watched = [self._ended, line, self._pipe]
        while True:
            ready = select.select(watched, [], [], max(0.0, look - time.monotonic()))[0]
            if self._pipe in ready:
                printed = os.read(self._pipe, CHUNK)
                output.take(printed)
                if not printed:  # all have closed it
                    watched.remove(self._pipe)
            if line in ready:
                with contextlib.suppress(OSError):
                    if self._line.recv(1):
                        return True, None
                watched.remove(line)
            elif self._ended in ready:
                return False, None
            if time.monotonic() < look:
                continue
            look = time.monotonic() + poll
            processes = _descendants(self._pid)
            looks, asleep = looks + 1, asleep + _are_asleep(processes)
            if time.monotonic() > end:
                return False, (TIMEOUT, ASLEEP) if asleep > looks / 2 else (STARVED, TOO_LITTLE)
            if not (costs := self._costs()):
                continue
            if _cpu_seconds(processes) - costs[0] > seconds:
                return False, (TIMEOUT, CPU_SPENT)
            if resident_mb(processes) - costs[2] > mb:
                return False, (MEMORY, TOO_MUCH)


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
                parents[int(entry.name)] = int(stat_of(Path(entry.path))[1])
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
        return KILLED, "killed from outside, most likely by the system for lack of memory"
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
            ticks += sum(map(int, stat_of(Path("/proc", str(number)))[11:15]))
    return ticks / TICKS


def _are_asleep(processes: Iterable[int], but: int = 0) -> bool:
    """Tell whether all threads of some processes, but one, wait for something else than a processor or a disk."""
    with contextlib.suppress(OSError):  # one has just ended
        threads = (thread for number in processes for thread in Path("/proc", str(number), "task").iterdir())
        return all(stat_of(thread)[0] in (b"S", b"Z") for thread in threads if thread.name != str(but))
    return False


def stat_of(process: Path) -> list[bytes]:
    """Return what the system says of a process or thread, after its name, which may hold anything."""
    return (process / "stat").read_bytes().rpartition(b")")[2].split()


def die_with_parent(number: int = signal.SIGKILL) -> None:
    """Have a signal sent to this process when its parent ends."""
    LIBC.prctl(1, number)  # PR_SET_PDEATHSIG


def _answer(functions: Sequence[Callable[[], Any]], box: int, end: int, line: socket.socket, loads: bool) -> NoReturn:
    """Call functions, write what each gives, and end the child, which prints into the end of a pipe."""
    os.setpgid(0, 0)
    die_with_parent()
    _adopt_orphans()
    code = 1
    try:
        os.dup2(end, 1)
        os.dup2(end, 2)
        sys.stdout = sys.stderr = os.fdopen(1, "w", 1, errors="backslashreplace", closefd=False)
        born_with = 0.0
        for i, function in enumerate(functions):
            line.recv(1)
            with contextlib.suppress(OSError, AttributeError):  # the peak begins anew, without what is free
                LIBC.malloc_trim(0)
                Path("/proc/self/clear_refs").write_text("5")
            before, now = _spent()
            born_with = now if i <= loads else born_with
            os.pwrite(box, COSTS.pack(before, 0.0, born_with, 0.0), 0)
            content = _content(function)
            with contextlib.suppress(Exception):  # whatever a method has put in its place
                sys.stdout.flush()
            with os.fdopen(os.dup(box), "wb") as file:
                file.seek(0)
                after, peak = _spent()
                file.write(COSTS.pack(before, after, born_with, peak) + content)
            line.send(b"1")
        code = 0
    finally:
        os._exit(code)  # no exit handlers, no second flush of the parent's buffers


def _spent() -> tuple[float, float]:
    """Return the CPU seconds of this process and its children that have ended, and the peak of its megabytes."""
    own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    seconds = own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime
    return seconds, max(own.ru_maxrss, children.ru_maxrss) / 1024


def _content(function: Callable[[], Any]) -> bytes:
    """Return the status, the value and the message of a call, pickled."""
    try:
        return pickle.dumps((OK, function(), ""))
    except MemoryError as problem:
        return pickle.dumps((MEMORY, None, one_line(problem)))
    except Killed as problem:
        return pickle.dumps((KILLED, None, str(problem)))
    except BaseException as problem:  # a method may also call sys.exit
        if isinstance(problem, OSError) and problem.errno in DISK_FULL:
            return pickle.dumps(("disk full", problem.filename, ""))
        return pickle.dumps((ERROR, None, one_line(problem)))


def one_line(problem: BaseException) -> str:
    """Return an exception as one line: its kind unless it is bad input, its text, and where in a user's own file."""
    kind = "" if isinstance(problem, InputError) else f"{type(problem).__name__}: "
    return text.one_line(" ".join(f"{kind}{problem}".split())) + user_code.place_of(problem)
