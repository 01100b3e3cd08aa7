"""Run a command to its end, within a limit of time."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress

from cutpoint.bench.runs.supervise import die_with_parent

STOP_SECONDS = 10.0  # for an orderly end


def call(
    command: Sequence[str], seconds: float, variables: Mapping[str, str] | None = None
) -> tuple[int | None, list[str]]:
    """Return the exit code of a command, None where it had to be stopped, and the lines of its stderr.

    After so many seconds of wall time it is stopped, with all that it started. The variables of its environment come
    beside those of this process. An OSError says that it cannot be started.
    """
    with subprocess.Popen(
        command,
        env={**os.environ, **(variables or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        preexec_fn=die_with_parent,
        start_new_session=True,
    ) as process:
        try:
            errors = process.communicate(timeout=seconds)[1]
        except BaseException as problem:  # also on Ctrl-C
            _stop(process)
            if not isinstance(problem, subprocess.TimeoutExpired):
                raise
            return None, (problem.stderr or b"").decode(errors="replace").splitlines()
        return process.returncode, errors.splitlines()


def _stop(process: subprocess.Popen) -> None:
    """End a process and all that it started; the runs of a batch end in an orderly way."""
    for number in signal.SIGTERM, signal.SIGKILL:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with suppress(subprocess.TimeoutExpired):
            process.wait(STOP_SECONDS)
