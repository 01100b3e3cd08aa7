"""What a run prints, bounded: its first and last lines, which go into the log of the job."""

from __future__ import annotations

import os
from collections import deque
from contextlib import contextmanager

LINES = 20  # kept from the start, and as many from the end
LONGEST = 500  # bytes of a line


class Output:
    """The first and last lines of what a process prints, however much that is."""

    def __init__(self) -> None:
        self._first: list[bytes] = []
        self._last: deque[bytes] = deque(maxlen=LINES)
        self._rest, self._between = b"", 0

    def take(self, printed: bytes) -> None:
        """Take what was printed next."""
        *lines, self._rest = (self._rest + printed).split(b"\n")
        self._rest = self._rest[:LONGEST]
        free = LINES - len(self._first)
        self._first += [line[:LONGEST] for line in lines[:free]]
        later = lines[free:]
        self._between += max(0, len(self._last) + len(later) - LINES)
        self._last.extend(line[:LONGEST] for line in later[-LINES:])

    def lines(self) -> list[str]:
        """Return the lines that are not blank, and how many are left out between the first and the last ones."""
        between = [b"... %d lines left out ..." % self._between] if self._between else []
        texts = (line.decode(errors="replace") for line in (*self._first, *between, *self._last, self._rest))
        return [text.rstrip() for text in texts if text.strip()]


@contextmanager
def silenced():
    """Drop what this process and its children print, as functions of users do where no run is recorded."""
    kept = [os.dup(number) for number in (1, 2)]
    with open(os.devnull, "wb") as nowhere:
        for number in 1, 2:
            os.dup2(nowhere.fileno(), number)
    try:
        yield
    finally:
        for number, file in enumerate(kept, 1):
            os.dup2(file, number)
            os.close(file)
