"""Run methods once before their first run, so that packages and kernels are loaded and not timed."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import logging
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from cutpoint.kernels import compiled
from cutpoint.method.method import Discretizer, Method
from cutpoint.runs import supervise
from cutpoint.runs.runner import Limits

SECONDS = 60.0  # for a user's own function on the small sample


def warm_all(methods: Iterable[Method | Discretizer], limits: Limits) -> None:
    """Run methods on a small sample in this process.

    A user's own function may do anything, so a child tries it first; what fails there is left to its runs,
    each of which has a limit and a status. A shipped search beside it is warmed before, so that its compilation
    does not count towards the limit.

    Args:
        methods: of a job.
        limits: of such a child, which has a minute at most.
    """
    methods = list(methods)
    with compiling_alone(repr(methods)):
        for method in methods:
            if not method.is_shipped:
                if isinstance(method, Method):
                    _warm(method.warm_search)
                tried = supervise.call(method.warm, wall=min(SECONDS, limits.wall), mb=limits.mb)
                if tried.status != "ok":
                    logging.getLogger("cutpoint").info("not warm: %s", tried.message)
                    continue
            _warm(method.warm)


def _warm(warm: Callable[[], None]) -> None:
    try:
        warm()
    except Exception as problem:  # its runs will report it, each with a status
        logging.getLogger("cutpoint").info("not warm: %s", problem)


@contextlib.contextmanager
def compiling_alone(what: str) -> Iterator[None]:
    """Let one of the jobs with the same methods compile their kernels; the others wait and find them in the cache.

    A rule that compiles before all others would do the same, but Snakemake does not look for changes in jobs that
    depend on a job that runs again, not even through an input that is `ancient`.

    Args:
        what: names the methods; once their kernels are compiled nobody waits.
    """
    mark = compiled.folder() / f"compiled-{hashlib.sha256(f'{what} {_kernels()}'.encode()).hexdigest()[:12]}"
    if mark.exists():
        yield
        return
    mark.parent.mkdir(parents=True, exist_ok=True)
    with open(mark.with_suffix(".lock"), "w") as lock:
        with contextlib.suppress(OSError):  # a file system without locks: some kernels are compiled twice
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
        mark.touch()


def _kernels() -> str:
    """Return a digest of the source of all kernels."""
    files = sorted(Path(compiled.__file__).parent.glob("*.py"))
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()
