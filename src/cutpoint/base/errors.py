"""Errors that a user can correct, each told in one line."""

import errno
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from cutpoint.base.text import one_line

DISK_FULL = (errno.ENOSPC, errno.EDQUOT)
REFUSED = (errno.EACCES, errno.EPERM, errno.EROFS)
WRITABLE = "make it writable for you, or run in another folder with --directory"


class InputError(ValueError):
    """Invalid input; the message is one line that names the file, column or key and says what to do.

    Examples:
        >>> cp.network("asa")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
            ...
        cutpoint.base.errors.InputError: unknown network 'asa'; did you mean 'asia'? ...
    """

    def __init__(self, *lines: object):
        super().__init__("\n".join(map(one_line, lines)))


@contextmanager
def at(where: object) -> Iterator[None]:
    """Say where it is, before the message, if input turns out to be invalid."""
    try:
        yield
    except InputError as problem:
        raise InputError(f"{where}: {problem}") from None


def line_of(problem: BaseException) -> str | None:
    """Return the line to tell the user, None for a problem that needs a traceback."""
    if isinstance(problem, InputError):
        return str(problem)
    if not isinstance(problem, OSError) or problem.errno not in (*DISK_FULL, *REFUSED):
        return None
    where = problem.filename or f"{os.getcwd()} or {tempfile.gettempdir()}"  # of a write, Python does not know
    full = "make room and run the same command again"
    return f"{where}: {os.strerror(problem.errno)}; {full if problem.errno in DISK_FULL else WRITABLE}"
