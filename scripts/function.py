"""Learn a structure with the function of a Python file from every data set of a batch."""

from pathlib import Path
from tempfile import TemporaryDirectory

from cutpoint.bench.runs import environments, functions
from cutpoint.bench.runs.discretize import discretize, shared
from cutpoint.bench.runs.jobs import job
from cutpoint.bench.runs.runner import Limits, Rows
from cutpoint.method import method


def by_requirements(methods, file, requirements):
    """Return the files and options of methods by the environment that they need; what the rule lacks they name."""
    batches = {}
    for name, plain in methods.items():
        options = dict(plain["options"])
        run = (file or options.pop("file"), options)
        batches.setdefault(requirements or options.pop("requirements", None), {})[name] = run
    return batches


if __name__ == "__main__":
    with job(snakemake.log[0]):
        data, about, rows = list(snakemake.input.data), snakemake.params, Rows()
        discretizers, name_of = shared({name: method.of(plain) for name, plain in about.methods.items()})
        discretized = discretize(discretizers, data, Limits(*about.limits))
        folders = {Path(path).name: path for path in snakemake.input.environments}
        for requirements, methods in by_requirements(about.methods, about.file, about.requirements).items():
            todo = functions.Batch(methods, name_of, data, discretized, *about.limits, ours=bool(about.file))
            with TemporaryDirectory() as folder:
                if requirements:
                    environment = folders[environments.name_of(requirements)]
                    rows.extend(functions.run_apart(todo, environment, folder))
                else:
                    rows.extend(functions.run(todo))
        rows.write(**snakemake.output)
