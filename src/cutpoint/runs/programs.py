"""Learners that are programs: a folder with a data set as CSV files, a command, and the CSV files that it leaves.

The command runs in the folder, which holds ``data.csv`` (a header of variable names, then records: codes 0..r-1 in
discrete columns, and in all columns after a discretization) and ``columns.csv`` (variable, discrete, levels). Options
follow the command as ``--key value``. It writes ``edges.csv`` (source, target, directed) and, if it can,
``thresholds.csv`` (variable, threshold) and ``costs.csv`` (name, value).
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import shlex
import shutil
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Thread
from typing import IO, Any

import numpy as np

from cutpoint.base import user_code
from cutpoint.base.errors import InputError
from cutpoint.discretization.encoding import encode
from cutpoint.learners.learned import Learned
from cutpoint.runs import program_files
from cutpoint.runs.runner import About
from cutpoint.runs.supervise import die_with_parent

log = logging.getLogger("cutpoint")


def words(command: str | Sequence[str]) -> list[str]:
    """Return the words of a command; those that are files, from the working directory or the clone, are absolute.

    Raises:
        InputError: for no command, or one with an open quote.
    """
    try:
        found = shlex.split(command) if isinstance(command, str) else [str(word) for word in command]
    except ValueError as problem:
        raise InputError(f"command: {problem}: {command}") from None
    return [_place(word) if i or os.sep in word else word for i, word in enumerate(found)]


def _place(word: str) -> str:
    try:
        return str(user_code.find(word).absolute())
    except InputError:
        return word


def digest(path: str | Path) -> str:
    """Return 12 hexadecimal digits for the content of a file."""
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()[:12]


def learn(
    values: np.ndarray,
    frozen: np.ndarray,
    policy: Sequence[np.ndarray] | None,
    *,
    about: About,
    command: str | Sequence[str],
    options: Mapping[str, Any],
    folder: str,
) -> Learned:
    """Return what a program learns from one data set; for a child process.

    Args:
        values: float64 [N, n].
        frozen: bool [n], the variables that hold codes.
        policy: thresholds under which the program gets codes, or None.
        about: the names of the variables, and of the data set for the log.
        command: the program and its first arguments; no shell reads it.
        options: of the row.
        folder: emptied first, and the working directory of the program.

    Raises:
        InputError: naming the exit code and the last line of an error, or the file, line and column that is wrong.
        MemoryError: when the program was killed.
    """
    shutil.rmtree(folder, ignore_errors=True)
    os.mkdir(folder)
    table = values if policy is None else encode(values, policy)
    levels = [about.levels.get(name) for name in about.variables]
    if policy is not None:
        levels = [len(cuts) + 1 for cuts in policy]
    discrete = frozen if policy is None else np.ones(len(frozen), bool)
    program_files.write(folder, about.variables, table, discrete, levels)
    _run([*words(command), *arguments(options)], folder, " ".join(map(str, about.identity.values())))
    learned = program_files.read(folder, about.variables)
    if policy is not None:
        if learned.thresholds is not None:
            raise InputError("thresholds.csv: the program was given codes; leave the file or the row's discretizer out")
        learned.thresholds = list(policy)
    return learned


def arguments(options: Mapping[str, Any]) -> list[str]:
    """Return options as words ``--key value``: true and false for booleans, JSON for lists; null is left out."""
    return [
        word
        for key, value in options.items()
        if value is not None
        for word in (f"--{key}", value if isinstance(value, str) else json.dumps(value))
    ]


def _run(command: list[str], folder: str, name: str) -> None:
    """Run a command to its end; what it says goes into the log."""
    try:
        process = subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            preexec_fn=die_with_parent,
        )
    except FileNotFoundError:
        raise InputError(f"no program {command[0]!r} in PATH; install it, or leave the row out") from None
    except OSError as problem:
        raise InputError(f"{command[0]}: cannot be started ({problem.strerror})") from None
    last = [""]
    streams = ((process.stdout, name, [""]), (process.stderr, name, last))
    readers = [Thread(target=_copy, args=stream, daemon=True) for stream in streams]
    for reader in readers:
        reader.start()
    code = process.wait()
    for reader in readers:
        reader.join(1.0)  # not for ever: what it left in the background may hold them open
    if code == -signal.SIGKILL:
        raise MemoryError("the program was killed, most likely by the system for lack of memory")
    if code:
        how = f"ended by signal {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"
        raise InputError(f"the program {how}{': ' if last[0] else ''}{last[0]}")


def _copy(stream: IO[str], name: str, last: list[str]) -> None:
    for line in stream:
        if line.strip():
            last[:] = [line.strip()]
            log.info("%s: %s", name, line.rstrip())
