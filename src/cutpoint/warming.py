"""Run methods once before their first run, so that packages and kernels are loaded and not timed."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import logging
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from numba import config

from cutpoint import assembly, supervise
from cutpoint.runner import Limits

SECONDS = 60.0  # for a user's own function on the small sample


def warm_all(warm: Callable[[assembly.Row], None], rows: Iterable[assembly.Row], limits: Limits) -> None:
    """Call ``warm`` for every row in this process.

    A user's own function may do anything, so a child tries it first; what fails there is left to its runs,
    each of which has a limit and a status.

    Args:
        warm: `assembly.warm` or `assembly.warm_discretizer`.
        rows: of `methods.yaml`.
        limits: of such a child, which has a minute at most.
    """
    rows = list(rows)
    with compiling_alone(f"{warm.__name__} {rows}"):
        for row in rows:
            if is_own(row):
                tried = supervise.call(warm, row, wall=min(SECONDS, limits.wall), mb=limits.mb)
                if tried.status != "ok":
                    logging.getLogger("cutpoint").info("not warm: %s", tried.message)
                    continue
            try:
                warm(row)
            except Exception as problem:  # its runs will say the same, each with a status
                logging.getLogger("cutpoint").info("not warm: %s", problem)


def is_own(row: assembly.Row) -> bool:
    """Return whether a part of a row is a user's own function, named by where it stands."""
    parts = [row.get(part, "") for part in assembly.PARTS if part != "initial"]
    return any(":" in name for name in (*parts, *row.get("initial", ())))


@contextlib.contextmanager
def compiling_alone(what: str) -> Iterator[None]:
    """Let one of the jobs with the same methods compile their kernels; the others wait and find them in the cache.

    A rule that compiles before all others would do the same, but Snakemake does not look for changes in jobs that
    depend on a job that runs again, not even through an input that is `ancient`.

    Args:
        what: names the methods; once their kernels are compiled nobody waits.
    """
    cache = config.CACHE_DIR  # type: ignore[attr-defined]
    mark = Path(cache, f"compiled-{hashlib.sha256(what.encode()).hexdigest()[:12]}")
    if not cache or mark.exists():
        yield
        return
    mark.parent.mkdir(parents=True, exist_ok=True)
    with open(mark.with_suffix(".lock"), "w") as lock:
        with contextlib.suppress(OSError):  # a file system without locks: some kernels are compiled twice
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
        mark.touch()
