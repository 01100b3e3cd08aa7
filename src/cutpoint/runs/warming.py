"""Run methods once before their first run, so that packages and kernels are loaded and not timed."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import logging
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from numba import config

from cutpoint.method import assembly, registry
from cutpoint.runs import supervise
from cutpoint.runs.runner import Limits

SECONDS = 60.0  # for a user's own function on the small sample
# Shipped functions in place of a user's own; tabu search goes with every kind of policy.
STAND_INS = {
    "prediscretization": {"discretizer": "equal_width", "learner": "tabu", "score": "bdeu"},
    "integrated": {"learner": "tabu", "score": "bdeu"},
    "direct": {"learner": "tabu", "score": "gaussian_bic"},
}


def warm_all(warm: Callable[[assembly.Row], None], rows: Iterable[assembly.Row], limits: Limits) -> None:
    """Call ``warm`` for every row in this process.

    A user's own function may do anything, so a child tries it first; what fails there is left to its runs,
    each of which has a limit and a status. The shipped parts of such a row are warmed before, so that their
    compilation takes nothing of the limit.

    Args:
        warm: `assembly.warm` or `assembly.warm_discretizer`.
        rows: of `methods.yaml`.
        limits: of such a child, which has a minute at most.
    """
    rows = list(rows)
    with compiling_alone(f"{warm.__name__} {rows}"):
        for row in rows:
            if is_own(row):
                if (twin := shipped_twin(row)) is not None:
                    _warm(warm, twin)
                tried = supervise.call(warm, row, wall=min(SECONDS, limits.wall), mb=limits.mb)
                if tried.status != "ok":
                    logging.getLogger("cutpoint").info("not warm: %s", tried.message)
                    continue
            _warm(warm, row)


def _warm(warm: Callable[[assembly.Row], None], row: assembly.Row) -> None:
    try:
        warm(row)
    except Exception as problem:  # its runs will say the same, each with a status
        logging.getLogger("cutpoint").info("not warm: %s", problem)


def is_own(row: assembly.Row) -> bool:
    """Return whether a part of a row is a user's own function, named by where it stands."""
    return any(":" in name for name in _names(row).values())


def _names(row: assembly.Row) -> dict[str, str]:
    """Return the functions that a row names, by part."""
    given = {part: row[part] for part in assembly.PARTS if part in row}
    return {part: next(iter(name), "") if part == "initial" else name for part, name in given.items()}


def shipped_twin(row: assembly.Row) -> assembly.Row | None:
    """Return a row that runs the shipped parts of a row, with shipped functions in place of a user's own.

    A policy of one's own gives way to a discretizer before the search. Options stay where a part that stays takes
    them.

    Args:
        row: with a function of one's own.

    Returns:
        None where nothing of the row is shipped.
    """
    kept = {part: row[part] for part, name in _names(row).items() if ":" not in name}
    if not kept.keys() - {"initial"}:
        return None
    category = row["category"]
    if category == "integrated" and "policy" not in kept:
        category = "prediscretization"
        kept.pop("initial", None)
    twin = {"category": category, **STAND_INS[category], **kept}
    if assembly.takes_data(twin["learner"]):
        del twin["score"]
    options = assembly.options_of(row)
    functions = [registry.resolve(path) for part, path in assembly.functions_of(twin).items() if part in kept]
    return twin | {key: options[key] for function in functions for key in registry.accepted(function, options)}


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
