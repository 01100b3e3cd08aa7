"""What every script does around its work: log, also what it took, report bad input in one line, end with its parent."""

from __future__ import annotations

import gc
import logging
import os
import re
import resource
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, NoReturn

from cutpoint.base.errors import line_of
from cutpoint.bench.runs.supervise import LIBC, TICKS, die_with_parent, stat_of

COSTS = re.compile(r"^(\S+) CPU seconds, (\S+) s, (\S+) MB\n*\Z", re.MULTILINE)  # with which a log ends


class Spent(NamedTuple):
    """CPU seconds of a job, its imports and ended children, wall seconds, and megabytes of it and its largest child."""

    cpu: float
    wall: float
    mb: float

    def __str__(self) -> str:
        return "{:.3f} CPU seconds, {:.3f} s, {:.0f} MB".format(*self)

    @classmethod
    def now(cls) -> Spent:
        """Return what this process has taken."""
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        peak = re.search(r"VmHWM:\s*(\d+)", Path("/proc/self/status").read_text())  # ru_maxrss knows that of its parent
        megabytes = ((int(peak[1]) if peak else 0) + children.ru_maxrss) / 1024
        cpu = time.process_time() + children.ru_utime + children.ru_stime
        wall = time.clock_gettime(time.CLOCK_BOOTTIME) - int(stat_of(Path("/proc/self"))[19]) / TICKS
        return cls(cpu, wall, megabytes)

    @classmethod
    def read(cls, log: Path) -> Spent | None:
        """Return what a log ends with, None for a job that did not come to its end."""
        last = COSTS.search(log.read_text("utf-8", "replace"))
        return cls(*map(float, last.groups())) if last else None


@contextmanager
def job(log: str) -> Iterator[logging.Logger]:
    """Log to a file; end with one line on bad input, with a traceback in the log on anything else."""
    gc.freeze()  # what was imported stays: to look through it again and again is a twelfth of what jobs take
    for number in signal.SIGTERM, signal.SIGINT:  # an orderly end: supervised children are killed
        signal.signal(number, _stop)
    die_with_parent(signal.SIGTERM)
    logging.raiseExceptions = False  # a full disk must not crash a job through its log
    logger = logging.getLogger("cutpoint")
    try:
        logging.basicConfig(filename=log, filemode="w", level=logging.INFO, format="%(message)s", force=True)
        yield logger
    except Exception as problem:
        if line := line_of(problem):
            logger.error(line)
            sys.exit(f"cutpoint: {line}")
        logger.exception("unexpected")
        raise
    finally:
        logger.info("%s", Spent.now())
        gc.freeze()  # a process that ends need not look for garbage, which takes up to 0.4 s


def keep(folder: Path) -> None:
    """Have the disk keep what was written, before Snakemake takes it for done; a power cut may leave empty files."""
    number = os.open(folder, os.O_RDONLY)
    LIBC.syncfs(number)
    os.close(number)


def _stop(number: int, _: object) -> NoReturn:
    logging.getLogger("cutpoint").error("stopped by %s; run the same command again", signal.Signals(number).name)
    sys.exit(128 + number)
