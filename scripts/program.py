"""Learn a structure with a command from every data set of a batch."""

import os
from functools import partial
from tempfile import TemporaryDirectory

from cutpoint.bench.runs import programs
from cutpoint.bench.runs.discretize import discretize, shared
from cutpoint.bench.runs.jobs import job
from cutpoint.bench.runs.runner import Discretizations, Limits, Task, run_all
from cutpoint.method import method


def tasks(methods, discretizers, command, folder):
    """Return the methods of a job as tasks; without a command of the rule each names its own."""
    for name, plain in methods.items():
        options = dict(plain["options"])
        given = {"command": command or options.pop("command"), "options": options, "folder": folder}
        yield name, Task(partial(programs.learn, **given), discretizers.get(name), named=True)


if __name__ == "__main__":
    with job(snakemake.log[0]), TemporaryDirectory() as base:
        data, about = snakemake.input.data, snakemake.params
        limits = Limits(*about.limits)
        discretizers, name_of = shared({name: method.of(plain) for name, plain in about.methods.items()})
        results = run_all(
            dict(tasks(about.methods, name_of, about.command, os.path.join(base, "data"))),
            data,
            limits,
            Discretizations(discretize(discretizers, data, limits)),
        )
        results.write(**snakemake.output)
