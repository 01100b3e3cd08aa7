"""Learn a structure with a command from every data set of a batch."""

import os
from functools import partial
from tempfile import TemporaryDirectory

from cutpoint.bench.runs import programs
from cutpoint.bench.runs.jobs import job
from cutpoint.bench.runs.runner import Discretizations, Earlier, Limits, Rows, Task, run_all
from cutpoint.method import method


def tasks(methods, code, command, folder):
    """Return the methods of a job as tasks; without a command of the rule each names its own."""
    for name, plain in methods.items():
        options, discretizer = dict(plain["options"]), method.of(plain).discretizer
        arguments = {"command": command or options.pop("command"), "options": options, "folder": folder}
        function = partial(programs.learn, **arguments)
        yield name, Task(function, discretizer and discretizer.name, named=True, code=f"{code} {plain}")


if __name__ == "__main__":
    with job(snakemake.log[0]), TemporaryDirectory() as base:
        files, params = snakemake.input, snakemake.params
        results = run_all(
            dict(tasks(params.methods, params.code, params.command, os.path.join(base, "data"))),
            files.data,
            Limits.of(snakemake.config),
            Discretizations.read(files.discretized),
            wanted=params.runs,
            earlier=Earlier(Rows.read(**snakemake.output)),
        )
        results.write(**snakemake.output, limits=params.limits)
