"""Make an experiment of a study: a computation that is no grid of data sets and methods."""

from importlib import import_module
from inspect import signature

from cutpoint.base.errors import InputError
from cutpoint.bench.data import parquet
from cutpoint.bench.data.status import STARVED
from cutpoint.bench.engine.datasets import read_data
from cutpoint.bench.runs.jobs import job
from cutpoint.bench.runs.runner import Limits


def run(output, *, study, experiment, seed, options, datasets=(), limits=None):
    """Write the rows of an experiment, which is handed the data sets and the limits of a run where it takes them."""
    function = import_module(f"cutpoint.bench.studies.{study}.experiments").EXPERIMENTS[experiment]
    shared = {"data": {data.name: data for data in map(read_data, datasets)}, "limits": limits}
    taken = {name: value for name, value in shared.items() if name in signature(function).parameters}
    rows = function(seed, **taken, **options)
    if starved := sum(row.get("status") == STARVED for row in rows):
        raise InputError(f"{study}, {experiment}: {starved} runs had too little CPU time; run the same command again")
    parquet.write_rows(output, rows, study=study, experiment=experiment, seed=seed, options=options)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        run(
            snakemake.output[0],
            study=snakemake.wildcards.study,
            experiment=snakemake.wildcards.experiment,
            seed=snakemake.params.seed,
            options=snakemake.params.options,
            datasets=snakemake.input.datasets,
            limits=snakemake.params.limits and Limits(*snakemake.params.limits),
        )
