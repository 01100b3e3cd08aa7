"""Learn a structure with a command from every data set of a batch."""

import os
from collections.abc import Iterator, Sequence
from functools import partial
from tempfile import TemporaryDirectory

from cutpoint.bench.data.params import LearnJob
from cutpoint.bench.runs import programs
from cutpoint.bench.runs.jobs import job
from cutpoint.bench.runs.runner import Discretizations, Earlier, Limits, Rows, Task, run_all
from cutpoint.method.method import External


def tasks(todo: LearnJob, code: object, command: Sequence[str] | None, folder: str) -> Iterator[tuple[str, Task]]:
    """Yield the methods of a job as tasks; without a command of the rule each names its own."""
    for name, method in todo.methods.items():
        assert isinstance(method, External)
        options = dict(method.options)
        learn = partial(programs.learn, command=command or options.pop("command"), options=options, folder=folder)
        discretizer = method.discretizer.name if method.discretizer else None
        yield name, Task(learn, discretizer, named=True, code=f"{code} {method}")


if __name__ == "__main__":
    with job(snakemake.log[0]), TemporaryDirectory() as base:
        files, params, todo = snakemake.input, snakemake.params, snakemake.params.todo
        results = run_all(
            dict(tasks(todo, params.code, params.command, os.path.join(base, "data"))),
            files.data,
            Limits.of(snakemake.config),
            Discretizations.read(files.discretized),
            wanted=todo.runs,
            earlier=Earlier(Rows.read(**snakemake.output)),
        )
        results.write(**snakemake.output, limits=todo.limits)
