"""How a run ends, as the column ``status`` of results says it."""

import re
from typing import Literal

OK: Literal["ok"] = "ok"
TIMEOUT: Literal["timeout"] = "timeout"  # stopped at the limit of CPU time
MEMORY: Literal["memory"] = "memory"  # stopped at the limit of memory
ERROR: Literal["error"] = "error"
STARVED: Literal["starved"] = "starved"  # a loaded machine gave it too little CPU time: run again the next time
KILLED: Literal["killed"] = "killed"  # by something else than its limits: run again, at most `MOST` times in all
UNAVAILABLE: Literal["unavailable"] = "unavailable"  # no data, or no program
Status = Literal["ok", "timeout", "memory", "error", "starved", "killed", "unavailable"]
FAILED = (TIMEOUT, MEMORY, ERROR)  # the method was run and left no graph
STATUSES = (OK, *FAILED, STARVED, KILLED, UNAVAILABLE)
MOST = 3
AGAIN = "; run the same command again"  # the end of the message of a run that the same command runs again
TIMES = re.compile(rf", ([0-9]+) times?(?:{AGAIN})?$")


def times_killed(message: str | None) -> int:
    """Return how often a run was killed, from the message of its row."""
    times = TIMES.search(message or "")
    return int(times[1]) if times else 0


def killed_once_more(message: str, before: int) -> str:
    """Return the message of a run that was killed again, after so many times."""
    return f"{message}, {before + 1} time{'s' * (before > 0)}{AGAIN * (before + 1 < MOST)}"
