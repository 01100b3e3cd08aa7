"""Make an experiment of a study: a computation that is no grid of data sets and methods."""

from importlib import import_module

from cutpoint.data import parquet
from cutpoint.runs.jobs import job


def run(output, *, study, experiment, seed, options):
    """Write the rows of an experiment."""
    function = import_module(f"cutpoint.studies.{study}.experiments").EXPERIMENTS[experiment]
    rows = function(seed, **options)
    parquet.write_rows(output, rows, study=study, experiment=experiment, seed=seed, options=options)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        run(
            snakemake.output[0],
            study=snakemake.wildcards.study,
            experiment=snakemake.wildcards.experiment,
            seed=snakemake.params.seed,
            options=snakemake.params.options,
        )
