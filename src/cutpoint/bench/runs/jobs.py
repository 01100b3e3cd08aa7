"""What every script does around its work: write a log, report bad input in one line, end with its parent."""

from __future__ import annotations

import gc
import logging
import resource
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

from cutpoint.base.errors import line_of
from cutpoint.bench.runs.supervise import die_with_parent

SPENT = "%.3f CPU seconds"  # the last line of a log; tools/costs.py reads it


@contextmanager
def job(log: str) -> Iterator[logging.Logger]:
    """Log to a file; end with one line on bad input, with a traceback in the log on anything else."""
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
        logger.info(SPENT, cpu_seconds())
        gc.freeze()  # a process that ends need not look for garbage, which takes up to 0.4 s


def _stop(number: int, _: object) -> NoReturn:
    logging.getLogger("cutpoint").error("stopped by %s; run the same command again", signal.Signals(number).name)
    sys.exit(128 + number)


def cpu_seconds() -> float:
    """Return the CPU seconds of this process, its imports included, and of its children that have ended."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime
