"""Learn a structure with the function of a Python file from every data set of a batch."""

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from cutpoint.bench.data.params import LearnJob
from cutpoint.bench.runs import environments, functions
from cutpoint.bench.runs.jobs import job
from cutpoint.bench.runs.runner import Limits, Rows
from cutpoint.method.method import External, Method

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
                    rows.extend(functions.run_apart(batch, environment, folder))
                else:
                    rows.extend(functions.run(batch))
        rows.write(**snakemake.output, limits=todo.limits)
