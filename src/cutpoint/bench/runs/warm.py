"""Run methods once before their first run, so that packages and kernels are loaded and not timed."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable

from cutpoint.bench.data.status import OK
from cutpoint.bench.runs import supervise
from cutpoint.bench.runs.output import silenced
from cutpoint.bench.runs.runner import Limits
from cutpoint.method.method import Discretizer, Method

SECONDS = 60.0  # of CPU time, for a user's own function on the small sample


def warm_all(methods: Iterable[Method | Discretizer], limits: Limits) -> None:
    """Run methods on a small sample in this process.

    A user's own function may do anything, so a child tries it first, for a minute at most; what fails there is left to
    its runs, each of which has a limit and a status. A shipped search beside it is warmed before, so that its
    compilation does not count towards the limit.
    """
    for method in methods:
        if not method.is_shipped:
            if isinstance(method, Method):
                _warm(method.warm_search)
            tried = supervise.call(method.warm, seconds=min(SECONDS, limits.seconds), mb=limits.mb)
            if tried.status != OK:
                logging.getLogger("cutpoint").info("not warm: %s", tried.message)
                continue
            with silenced():
                _warm(method.warm)
        else:
            _warm(method.warm)


def _warm(warm: Callable[[], None]) -> None:
    try:
        warm()
    except Exception as problem:  # its runs will report it, each with a status
        logging.getLogger("cutpoint").info("not warm: %s", problem)
