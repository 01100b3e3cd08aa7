"""Make an experiment of a study: a computation that is no grid of data sets and methods."""

from collections.abc import Iterable
from importlib import import_module
from inspect import signature

from cutpoint.base.errors import InputError
from cutpoint.bench.data import parquet
from cutpoint.bench.data.params import ExperimentJob
from cutpoint.bench.data.status import STARVED
from cutpoint.bench.engine.datasets import read_data
from cutpoint.bench.runs.jobs import job
from cutpoint.bench.runs.runner import Limits


def run(todo: ExperimentJob, datasets: Iterable[str], output: str) -> None:
    """Write the rows of an experiment, which is handed the data sets and the limits of a run where it takes them."""
    study, name, seed, options = todo.study, todo.name, todo.seed, todo.options
    function = import_module(f"cutpoint.bench.studies.{study}.experiments").EXPERIMENTS[name]
    limits = Limits(*todo.limits) if todo.limits else None
    shared = {"data": {data.name: data for data in map(read_data, datasets)}, "limits": limits}
    taken = {key: value for key, value in shared.items() if key in signature(function).parameters}
    rows = function(seed, **taken, **options)
    if starved := sum(row.get("status") == STARVED for row in rows):
        raise InputError(f"{study}, {name}: {starved} runs had too little CPU time; run the same command again")
    parquet.write_rows(output, rows, study=study, experiment=name, seed=seed, options=options)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        run(snakemake.params.todo, snakemake.input.datasets, snakemake.output[0])
