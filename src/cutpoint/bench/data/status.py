"""How a run ends, as the column ``status`` of results says it."""

from typing import Literal

OK: Literal["ok"] = "ok"
TIMEOUT: Literal["timeout"] = "timeout"  # stopped at the limit of CPU time
STARVED: Literal["starved"] = "starved"  # a loaded machine gave it too little CPU time: run again the next time
MEMORY: Literal["memory"] = "memory"  # stopped at the limit of memory
ERROR: Literal["error"] = "error"
UNAVAILABLE: Literal["unavailable"] = "unavailable"  # no data, or no program
Status = Literal["ok", "timeout", "memory", "error", "starved", "unavailable"]
FAILED = (TIMEOUT, MEMORY, ERROR)  # the method was run and left no graph
STATUSES = (OK, *FAILED, STARVED, UNAVAILABLE)
