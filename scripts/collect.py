"""Put the metrics of all batches of a study into one file, in order of identity."""

from cutpoint import schemas, tables
from cutpoint.jobs import job

IDENTITY = ("grid", "cell", "replicate", "method")


def collect(paths, output, **about):
    """Write all rows, sorted by what they are, so that the cut into batches leaves no trace."""
    rows = [row for path in paths for row in tables.read_records(path, schemas.METRICS)[0]]
    rows.sort(key=lambda row: tuple(row[name] for name in IDENTITY))
    tables.write_records(output, rows, schemas.METRICS, **about)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        about = {
            "study": snakemake.wildcards.study,
            "scale": snakemake.params.scale,
            "seed": snakemake.params.seed,
        }
        collect(snakemake.input, snakemake.output[0], **about)
