"""Environments of outside programs: uv makes them before the runs, which then need no uv and no network.

The folder of an environment holds ``bin/python`` and, written last, ``environment.json`` with a status: "ok", or
"unavailable" with a message, so that a program that cannot be had costs its own runs and nothing else.
"""

import json
import logging
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import shorten

from cutpoint.base import user_code
from cutpoint.base.errors import DISK_FULL, InputError
from cutpoint.bench.data.status import OK, UNAVAILABLE
from cutpoint.bench.runs.supervise import die_with_parent

log = logging.getLogger("cutpoint")

MARK = "environment.json"
SECONDS = 3600.0  # of wall time to fetch the packages
LONGEST = 300  # characters of what uv says
# What uv writes before a line of an error.
_PREFIX = re.compile(r"^[\s×│├╰─▶]*(?:(?:error|cause|caused by|hint):\s*)?", re.IGNORECASE)


def name_of(requirements: str | Path) -> str:
    """Return the name of the environment of a file of requirements: that of the file without its suffix."""
    return Path(requirements).stem


def make(requirements: str | Path, folder: str | Path) -> str:
    """Make an environment anew and return why that failed, or "".

    Requirements are a text file of names and versions, one a line, or a Python file with their names in its header; see
    `cutpoint.base.user_code.find`. They include what `cutpoint.bench.runs.runner` needs. What the folder held before is
    deleted. An OSError says that a disk is full.
    """
    file, folder = user_code.find(str(requirements)).absolute(), Path(folder).absolute()
    shutil.rmtree(folder, ignore_errors=True)
    reason = _make(file, folder)
    if reason:  # half an environment is of no use
        shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    status = UNAVAILABLE if reason else OK
    (folder / MARK).write_text(json.dumps({"status": status, "message": reason}) + "\n")
    return reason


def python_of(folder: str | Path) -> Path:
    """Return the Python of an environment; an InputError says why there is none, and how to make it."""
    again = f"try again with --forcerun {folder}"
    try:
        mark = json.loads(Path(folder, MARK).read_text())
    except (OSError, ValueError):
        raise InputError(f"{folder}: no complete environment; {again}") from None
    if mark["status"] != OK:
        raise InputError(f"{folder}: no environment: {mark['message']}; {again}")
    python = Path(folder, "bin", "python").absolute()  # a link, by which Python knows the environment
    if not python.exists():
        raise InputError(f"{folder}: its Python {os.path.realpath(python)} is not there; {again}")
    return python


def _make(file: Path, folder: Path) -> str:
    """Make an environment in a folder that is not there; return why that failed, or ""."""
    uv = os.environ.get("UV") or shutil.which("uv")
    if not uv:
        return "no program 'uv' in PATH, which makes it; install it"
    install = ["pip", "install", "--python", str(folder / "bin" / "python"), "--requirements", str(file)]
    # Nodes of a cluster may not see uv's cache, to which a setting could link, and need not write into the folder.
    install += ["--link-mode", "hardlink", "--compile-bytecode"]
    with TemporaryDirectory() as nowhere:  # else the pins of a project around the run folder would hold
        for words in ["venv", "--python", sys.executable, str(folder)], install:
            try:
                code, errors = call([uv, *words, "--quiet", "--project", nowhere], SECONDS)
            except OSError as problem:
                return f"{uv}: cannot be started ({problem.strerror})"
            for line in errors:
                log.info("%s", line)
            if code is None:
                return f"uv was stopped after {SECONDS:g} s of wall time"
            if code:
                if full := [k for k in DISK_FULL for e in errors if f"os error {k}" in e or os.strerror(k) in e]:
                    raise OSError(full[0], os.strerror(full[0]), f"{folder} or the cache of uv")  # try again with room
                return f"{file}: {_reason(errors) or f'uv failed with exit code {code}'}"
    return ""


def _reason(errors: Sequence[str]) -> str:
    """Return what uv says of a failure in one line."""
    parts = [_PREFIX.sub("", line).strip() for line in errors if not line.startswith("warning")]
    return shorten(" ".join(filter(None, parts)).rstrip("."), LONGEST, placeholder="...")


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
