"""Put the metrics or predictions of all batches of a study into one file, in order of identity."""

from cutpoint.bench.data import parquet, schemas
from cutpoint.bench.report.runs import parts_of
from cutpoint.bench.runs.jobs import job


def collect(paths, output, schema, **about):
    """Write all rows, sorted by what they are, so that the cut into batches leaves no trace."""
    parquet.merge(paths, output, schema, [name for name in schemas.ORDER if name in schema.names], **about)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        about = {
            "study": snakemake.wildcards.study,
            "scale": snakemake.params.scale,
            "seed": snakemake.params.seed,
            "methods": {name: parts_of(row) for name, row in snakemake.params.methods.items()},  # their rows may change
            "jobs": snakemake.params.jobs,
        }
        collect(snakemake.input, snakemake.output[0], getattr(schemas, snakemake.params.schema), **about)
