"""Run the function ``learn`` of Python files on every data set of a batch, here or in an environment of its own.

With requirements, one process of that environment runs the whole batch, so that its start is paid once:
``python -m cutpoint.batch JOB.json`` there does what `run` does here.
"""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from shutil import which
from typing import Any

import numpy as np

from cutpoint import own, registry, returned, supervise
from cutpoint.encoding import cardinalities, encode
from cutpoint.errors import InputError
from cutpoint.jobs import job
from cutpoint.learned import Learned
from cutpoint.runner import About, Limits, Policies, Results, Task, run_all

log = logging.getLogger("cutpoint")


@dataclass(frozen=True)
class Batch:
    """What is run.

    Attributes:
        methods: file and options by the name of the method.
        discretizers: that of a method, if it learns from codes.
        data, policy_runs, policy_thresholds: files.
        wall, mb: limits of each run.
    """

    methods: Mapping[str, tuple[str, Mapping[str, Any]]]
    discretizers: Mapping[str, str]
    data: Sequence[str]
    policy_runs: Sequence[str]
    policy_thresholds: Sequence[str]
    wall: float
    mb: float


def learn(
    values: np.ndarray,
    frozen: np.ndarray,
    policy: Sequence[np.ndarray] | None,
    *,
    about: About,
    file: str,
    options: Mapping,
) -> Learned:
    """Return what the function of a file learns; in a child process, which also imports it.

    Args:
        values: float64 [N, n].
        frozen: bool [n], the variables that hold codes.
        policy: with one the function is called as ``learn(codes, cardinalities, **options)``, without as
            ``learn(values, frozen, **options)``.
        about: the names of the variables.
        file: the Python file.
        options: keyword arguments.
    """
    name = f"{file}:learn"
    function = registry.resolve(name)
    given = (values, frozen) if policy is None else (encode(values, policy), cardinalities(policy))
    start = time.process_time()
    learned = returned.structure(function(*given, **options), about.variables, name)
    if learned.learn_seconds is None:
        learned.learn_seconds = time.process_time() - start
    if policy is not None:
        learned.thresholds = list(policy)
    return learned


def _refuse(values, frozen, policy, *, why: str) -> Learned:
    raise InputError(why)


def run(batch: Batch, refusal: str | None = None) -> Results:
    """Run a batch in this process and its children; with a refusal every run is an error that says so."""

    def task(name: str) -> Task:
        file, options = batch.methods[name]
        if refusal:
            return Task(partial(_refuse, why=refusal))
        return Task(partial(learn, file=file, options=options), batch.discretizers.get(name), named=True)

    return run_all(
        {name: task(name) for name in batch.methods},
        batch.data,
        Limits(batch.wall, batch.mb),
        Policies(batch.policy_runs, batch.policy_thresholds),
        warm=None if refusal else partial(_warm, batch),
    )


def _warm(batch: Batch) -> None:
    """Import the files in this process and call their ``load``, where a child shows that this ends well."""
    for file in {file for file, _ in batch.methods.values()}:
        tried = supervise.call(_load, file, wall=min(60.0, batch.wall), mb=batch.mb)
        if tried.status == "ok":
            _load(file)
        else:  # its runs will say the same
            log.info("not loaded: %s", tried.message)


def _load(file: str) -> None:
    module = own.module_of(file)
    if hasattr(module, "load"):
        module.load()


def run_apart(batch: Batch, requirements: str, folder: str) -> Results:
    """Run a batch in one process of an environment that uv makes from a file of requirements.

    Args:
        batch: what to run.
        requirements: names and versions, one a line; also what `cutpoint.runner` needs.
        folder: for the files between the two processes.
    """
    given, found, said = (Path(folder, name) for name in ("job.json", "results.json", "log.txt"))
    given.write_text(json.dumps(asdict(batch) | {"log": str(said), "output": str(found)}))
    uv = os.environ.get("UV") or which("uv")
    if not uv:
        return run(batch, "no program 'uv' in PATH, which makes the environment of this method; install it")
    command = [uv, "run", "--quiet", "--isolated", "--no-project", "--python", sys.executable]
    command += ["--with-requirements", str(own.find(requirements).absolute()), "python", "-m", __name__, str(given)]
    path = os.pathsep.join(filter(None, [str(own.PACKAGE.parent), os.environ.get("PYTHONPATH")]))
    ended = subprocess.run(
        command,
        env={**os.environ, "PYTHONPATH": path},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        preexec_fn=supervise.die_with_parent,
    )
    for line in [*(said.read_text().splitlines() if said.exists() else ()), *ended.stderr.splitlines()]:
        log.info("%s", line)
    if ended.returncode or not found.exists():
        last = next((line.strip() for line in ended.stderr.splitlines() if line.strip()), "it left no results")
        return run(batch, f"the environment of {requirements} failed with exit code {ended.returncode}: {last}")
    return Results(**json.loads(found.read_text()))


def _plain(value: Any) -> Any:
    """Return a scalar of NumPy as Python's."""
    return value.item()


def main(path: str) -> None:
    """Run the batch of a JSON file in this process."""
    given = json.loads(Path(path).read_text())
    output, said = given.pop("output"), given.pop("log")
    with job(said):
        Path(output).write_text(json.dumps(asdict(run(Batch(**given))), default=_plain))


if __name__ == "__main__":
    main(sys.argv[1])
