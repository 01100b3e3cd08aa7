"""What every script of the workflow does around its work: a log, and one line for bad input."""

from __future__ import annotations

import logging
import resource
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from cutpoint.errors import InputError

SPENT = "%.3f CPU seconds"  # the last line of a log; `cutpoint costs` reads it


@contextmanager
def job(log: str) -> Iterator[logging.Logger]:
    """Log to a file; end with one line on bad input, with a traceback in the log on anything else."""
    logging.basicConfig(filename=log, filemode="w", level=logging.INFO, format="%(message)s", force=True)
    logger = logging.getLogger("cutpoint")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # an orderly end: supervised children are killed
    try:
        yield logger
    except InputError as problem:
        logger.error(problem)
        sys.exit(f"cutpoint: {problem}")
    except Exception:
        logger.exception("unexpected")
        raise
    finally:
        logger.info(SPENT, cpu_seconds())


def cpu_seconds() -> float:
    """Return the CPU seconds of this process, its imports included, and of its children that have ended."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime
