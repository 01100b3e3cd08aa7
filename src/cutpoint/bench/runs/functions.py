"""Run the function ``learn`` of Python files on every data set of a batch, here or in an environment of its own.

In an environment of its own, see `environments`, one process runs the whole batch, so that its start is paid once:
``python -m cutpoint.bench.runs.functions JOB.json`` there does what `run` does here.
"""

import json
import logging
import os
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from cutpoint.base import user_code
from cutpoint.base.errors import InputError
from cutpoint.bench.data import parquet
from cutpoint.bench.data.params import Wanted
from cutpoint.bench.runs import environments, supervise
from cutpoint.bench.runs.jobs import job
from cutpoint.bench.runs.runner import About, Discretizations, Earlier, Limits, Rows, Task, run_all
from cutpoint.discretization.encoding import cardinalities, encode
from cutpoint.learners.learned import Learned
from cutpoint.method import checks
from cutpoint.method.functions import accepted, resolve

log = logging.getLogger("cutpoint")

START_SECONDS = 600.0  # to import packages, which may stand on a slow disk of a cluster


@dataclass(frozen=True)
class FunctionRuns:
    """What is run: methods with limits of CPU time and memory on the data sets of a file."""

    methods: Mapping[str, tuple[str, Mapping[str, Any]]]  # file and options by name
    discretizers: Mapping[str, str]  # of the methods that learn from codes
    data: str
    discretized: Sequence[str]  # files of thresholds
    seconds: float
    mb: float
    ours: bool = False  # whether a rule of the workflow names the file, not a user's row
    wanted: Wanted | None = None  # on which data sets which methods run; all on all without
    codes: Mapping[str, str] = field(default_factory=dict)  # a digest of what each method computes
    earlier: Rows = field(default_factory=Rows)  # runs that are kept


def learn(
    values: np.ndarray,
    discrete: np.ndarray,
    thresholds: Sequence[np.ndarray] | None,
    *,
    about: About,
    file: str,
    options: Mapping,
    seeded: bool = True,
) -> Learned:
    """Return what the function of a file learns; in a child process, which also imports it.

    With thresholds it is called as ``learn(codes, cardinalities, **options)``, without as ``learn(values, discrete,
    **options)``; seeded: a keyword-only parameter ``seed`` that options leave out is that of the run.
    """
    name = f"{file}:learn"
    function = resolve(name)
    data = (values, discrete) if thresholds is None else (encode(values, thresholds), cardinalities(thresholds))
    start = time.process_time()
    seed = accepted(function, {"seed": about.seed}) if seeded else {}
    learned = checks.structure(function(*data, **{**seed, **options}), about.variables, name)
    if learned.learn_seconds is None:
        learned.learn_seconds = time.process_time() - start
    if thresholds is not None:
        learned.thresholds = list(thresholds)
    return learned


def _refuse(values, discrete, thresholds, *, why: Exception) -> Learned:
    raise why


def run(batch: FunctionRuns, refusal: Exception | None = None) -> Rows:
    """Run a batch in this process and its children; with a refusal every run that is not kept ends with this."""

    def task(name: str) -> Task:
        file, options = batch.methods[name]
        function: Any = partial(learn, file=file, options=options, seeded=not batch.ours)
        if refusal:
            function = partial(_refuse, why=refusal)
        warm = None if refusal or batch.ours else partial(_load, file)
        code, own = batch.codes.get(name, ""), not batch.ours
        return Task(function, batch.discretizers.get(name), named=not refusal, warm=warm, own=own, code=code)

    return run_all(
        {name: task(name) for name in batch.methods},
        batch.data,
        Limits(batch.seconds, batch.mb),
        Discretizations.read(batch.discretized),
        warm=partial(_warm, batch) if batch.ours and not refusal else None,
        wanted=batch.wanted,
        earlier=Earlier(batch.earlier),
    )


def _warm(batch: FunctionRuns) -> None:
    """Import files that are ours in this process and call their ``load``."""
    for file in {file for file, _ in batch.methods.values()}:
        try:
            _load(file)
        except Exception as problem:  # each of its runs gets a status
            log.info("not warm: %s", problem)


def _load(file: str) -> None:
    module = user_code.module_of(file)
    if hasattr(module, "load"):
        module.load()


def run_apart(batch: FunctionRuns, environment: str, folder: str) -> Rows:
    """Run a batch in one process of an environment; where that cannot be used, every run is an error that says why.

    The environment also has what `cutpoint.bench.runs.runner` needs; the folder is for files between the processes.
    """
    job_file, results_file, log_file = (Path(folder, name) for name in ("job.json", "results.json", "log.txt"))
    job_file.write_text(
        json.dumps(asdict(batch) | {"log": str(log_file), "output": str(results_file)}, default=np.generic.item)
    )
    try:
        python = environments.python_of(environment)
    except InputError as problem:
        return run(batch, problem)
    limit = _seconds(batch)
    code, errors = environments.call([str(python), "-m", __name__, str(job_file)], limit, _variables(python.parent))
    for line in [*(log_file.read_text().splitlines() if log_file.exists() else ()), *errors]:
        log.info("%s", line)
    if code is None:
        parts = f"the limits of all its runs and {START_SECONDS:g} s for its start"
        why = f"the process in {environment} was stopped after {limit:g} s of wall time, {parts}"
        return run(batch, InputError(why))
    if code == -signal.SIGKILL:
        return run(batch, supervise.Killed(f"the process in {environment} was killed, most likely for lack of memory"))
    if code or not results_file.exists():
        why = _reason(errors) or "it left no results"
        return run(batch, InputError(f"the process in {environment} failed with exit code {code}: {why}"))
    return Rows(**json.loads(results_file.read_text()))


def _seconds(batch: FunctionRuns) -> float:
    """Return how many wall seconds a process may take for a batch: all runs at their limits, and its start."""
    sets = sum(len(part.replicates or [0]) for part in parquet.open_parts(batch.data))
    return batch.seconds * supervise.BACKSTOP * sets * len(batch.methods) + START_SECONDS


def _variables(programs: Path) -> dict[str, str]:
    """Return the variables of a process in an environment: its programs come first, and it finds this package."""
    paths = {"PATH": str(programs), "PYTHONPATH": str(user_code.PACKAGE.parent)}
    return {name: os.pathsep.join(filter(None, [first, os.environ.get(name)])) for name, first in paths.items()}


def _reason(errors: Sequence[str]) -> str:
    """Return the line that says what went wrong: the last of a traceback, else the first."""
    lines = [line.strip() for line in errors if line.strip()]
    if not lines:
        return ""
    return lines[-1 if any(line.startswith("Traceback (most recent call last)") for line in lines) else 0]


def main(path: str) -> None:
    """Run the batch of a JSON file in this process."""
    content = json.loads(Path(path).read_text())
    output, log_file, earlier = (content.pop(key) for key in ("output", "log", "earlier"))
    with job(log_file):
        batch = FunctionRuns(**content, earlier=Rows(**earlier))
        Path(output).write_text(json.dumps(asdict(run(batch)), default=np.generic.item))


if __name__ == "__main__":
    main(sys.argv[1])
