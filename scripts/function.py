"""Learn a structure with the function of a Python file from every data set of a batch."""

import json
import os
import signal
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from operator import methodcaller
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from cutpoint.base import user_code
from cutpoint.base.errors import InputError
from cutpoint.bench.data import parquet
from cutpoint.bench.data.params import LearnJob
from cutpoint.bench.runs import environments, functions, supervise
from cutpoint.bench.runs.jobs import job
from cutpoint.bench.runs.runner import Limits, Rows
from cutpoint.method.method import External, Method

START_SECONDS = 600.0  # to import packages, which may stand on a slow disk of a cluster
Runs = dict[str, tuple[str, Mapping[str, Any]]]  # file and options by the name of the method


def by_requirements(
    methods: Mapping[str, Method], file: str | None, requirements: str | None
) -> dict[str | None, Runs]:
    """Return the files and options of methods by the environment that they need; what the rule lacks they name."""
    batches: dict[str | None, Runs] = {}
    for name, method in methods.items():
        assert isinstance(method, External)
        options = dict(method.options)
        run = (file or options.pop("file"), options)
        batches.setdefault(requirements or options.pop("requirements", None), {})[name] = run
    return batches


def run_apart(batch: functions.FunctionRuns, environment: str, folder: str) -> Rows:
    """Run a batch in one process of an environment; where that cannot be used, every run is an error that says why.

    The environment also has what `cutpoint.bench.runs.runner` needs; the folder is for files between the processes.
    """
    job_file, results_file, log_file = (Path(folder, name) for name in ("job.json", "results.json", "log.txt"))
    content = asdict(batch) | {"log": str(log_file), "output": str(results_file)}
    job_file.write_text(json.dumps(content, default=methodcaller("item")))  # of scalars of NumPy
    try:
        python = environments.python_of(environment)
    except InputError as problem:
        return functions.run(batch, problem)
    limit = _seconds(batch)
    code, errors = environments.call(
        [str(python), "-m", functions.__name__, str(job_file)], limit, _variables(python.parent)
    )
    for line in [*(log_file.read_text().splitlines() if log_file.exists() else ()), *errors]:
        functions.log.info("%s", line)
    if code is None:
        parts = f"the limits of all its runs and {START_SECONDS:g} s for its start"
        why = f"the process in {environment} was stopped after {limit:g} s of wall time, {parts}"
        return functions.run(batch, InputError(why))
    if code == -signal.SIGKILL:
        return functions.run(
            batch, supervise.Killed(f"the process in {environment} was killed, most likely for lack of memory")
        )
    if code or not results_file.exists():
        why = _reason(errors) or "it left no results"
        return functions.run(batch, InputError(f"the process in {environment} failed with exit code {code}: {why}"))
    return Rows(**json.loads(results_file.read_text()))


def _seconds(batch: functions.FunctionRuns) -> float:
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


if __name__ == "__main__":
    with job(snakemake.log[0]):
        files, params, rows = snakemake.input, snakemake.params, Rows()
        todo: LearnJob = params.todo
        limits, earlier = Limits.of(snakemake.config), Rows.read(**snakemake.output)
        discretizers = {name: method.discretizer for name, method in todo.methods.items()}
        folders = {Path(path).name: path for path in files.environments}
        for requirements, methods in by_requirements(todo.methods, params.file, params.requirements).items():
            batch = functions.FunctionRuns(
                methods,
                {name: one.name for name, one in discretizers.items() if one and name in methods},
                files.data,
                list(files.discretized),
                limits.seconds,
                limits.mb,
                ours=bool(params.file),
                wanted=[
                    (cell, first, last, [n for n in names if n in methods]) for cell, first, last, names in todo.runs
                ],
                codes={name: f"{params.code} {todo.methods[name]}" for name in methods},
                earlier=earlier,
            )
            with TemporaryDirectory() as folder:
                if requirements:
                    environment = folders[environments.name_of(requirements)]
                    rows.extend(run_apart(batch, environment, folder))
                else:
                    rows.extend(functions.run(batch))
        rows.write(**snakemake.output, limits=todo.limits)
