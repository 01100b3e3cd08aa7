"""Run methods once before their first run, so that packages and kernels are loaded and not timed."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable

from cutpoint import assembly, supervise

SECONDS = 60.0  # for a user's own function on the small sample


def warm_all(warm: Callable[[assembly.Row], None], rows: Iterable[assembly.Row], mb: float) -> None:
    """Call ``warm`` for every row in this process.

    A user's own function may do anything, so a child tries it first; what fails there is left to its runs,
    each of which has a limit and a status.

    Args:
        warm: `assembly.warm` or `assembly.warm_discretizer`.
        rows: of `methods.yaml`.
        mb: resident megabytes of such a child.
    """
    for row in rows:
        if assembly.is_own(row):
            tried = supervise.call(warm, row, wall=SECONDS, mb=mb)
            if tried.status != "ok":
                logging.getLogger("cutpoint").info("not warm: %s", tried.message)
                continue
        warm(row)
