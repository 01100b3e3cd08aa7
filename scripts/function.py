"""Learn a structure with the function of a Python file from every data set of a batch."""

from pathlib import Path
from tempfile import TemporaryDirectory

from cutpoint.bench.runs import environments, functions
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
        files, params, rows = snakemake.input, snakemake.params, Rows()
        limits, earlier = Limits.of(snakemake.config), Rows.read(**snakemake.output)
        discretizers = {name: method.of(plain).discretizer for name, plain in params.methods.items()}
        folders = {Path(path).name: path for path in files.environments}
        for requirements, methods in by_requirements(params.methods, params.file, params.requirements).items():
            todo = functions.Batch(
                methods,
                {name: discretizers[name].name for name in methods if discretizers[name]},
                files.data,
                list(files.discretized),
                limits.seconds,
                limits.mb,
                ours=bool(params.file),
                wanted=[[*place, [name for name in names if name in methods]] for *place, names in params.runs],
                codes={name: f"{params.code} {params.methods[name]}" for name in methods},
                earlier=earlier,
            )
            with TemporaryDirectory() as folder:
                if requirements:
                    environment = folders[environments.name_of(requirements)]
                    rows.extend(functions.run_apart(todo, environment, folder))
                else:
                    rows.extend(functions.run(todo))
        rows.write(**snakemake.output, limits=params.limits)
