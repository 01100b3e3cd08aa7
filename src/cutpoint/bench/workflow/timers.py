"""Snakemake's timers: without this, each round of its scheduler starts a chain of them that never ends."""

from __future__ import annotations

import sys
import time
from typing import Any


def wake_when_limited() -> bool:
    """Let Snakemake wake its scheduler by a timer only where its limit of jobs per time has held jobs back.

    Snakemake 9 starts a timer at the end of each round in which jobs are ready, and the timer starts the next round
    (github.com/snakemake/snakemake/issues/3804): each finished job adds a round per second and a thread, until none is
    ready. A round is needed only once the limit lets more jobs start. All other rounds come from jobs that have ended.

    Returns whether Snakemake's scheduler is one that can be changed so.
    """
    cls = getattr(sys.modules.get("snakemake.scheduling.job_scheduler"), "JobScheduler", None)
    schedule = getattr(cls, "_schedule_reevalutation", None)
    if cls is None or schedule is None:
        return False

    def limited(self: Any, delay: float) -> None:
        if _is_needed(self):
            now = time.monotonic()
            if now >= getattr(self, "_next_wake", now):  # else a timer runs already
                self._next_wake = now + delay
                schedule(self, delay)

    if not hasattr(schedule, "waits"):
        limited.waits = True  # type: ignore[attr-defined]
        cls._schedule_reevalutation = limited
    return True


def _is_needed(scheduler: Any) -> bool:
    try:
        limiter = scheduler.job_rate_limiter
        waits = scheduler.workflow.dag.has_unfinished_queue_input_jobs()  # for input that no job makes
        return waits or len(limiter._jobs) >= limiter.max_jobs  # it forgets old ones only when the next round begins
    except AttributeError:  # another Snakemake: as it wants
        return True
