"""Run methods once before their first run, so that packages and kernels are loaded and not timed."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from cutpoint.bench.data.status import OK
from cutpoint.bench.runs import supervise
from cutpoint.bench.runs.runner import Limits
from cutpoint.bench.runs.supervise import silenced

if TYPE_CHECKING:  # an environment of an outside program lacks what they need
    from cutpoint.method.method import DiscretizerFunction, Method

SECONDS = 60.0  # of CPU time, for a user's own function on the small sample


def warm_all(methods: Iterable[Method | DiscretizerFunction], limits: Limits) -> None:
    """Run methods on a small sample in this process.

    A shipped search beside a user's own function is warmed before, so that its compilation does not count towards the
    limit.
    """
    for method in methods:
        if not method.is_shipped and hasattr(method, "warm_search"):
            warm(method.warm_search, limits, ours=True)
        warm(method.warm, limits, ours=method.is_shipped)


def warm(function: Callable[[], object], limits: Limits, *, ours: bool) -> None:
    """Call a function in this process.

    A user's own may do anything, so a child tries it first, for a minute at most; what fails there is left to its runs,
    each of which has a limit and a status.
    """
    try:
        if ours:
            function()
            return
        tried = supervise.call(function, seconds=min(SECONDS, limits.seconds), mb=limits.mb)
        problem = tried.message
        if tried.status == OK:
            with silenced():
                function()
    except Exception as raised:
        problem = supervise.one_line(raised)
    if problem:
        logging.getLogger("cutpoint").info("not warm: %s", problem)
