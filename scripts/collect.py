"""Put the metrics or predictions of all batches of a study into one file, in order of identity."""

from collections.abc import Iterable
from typing import Any

from cutpoint.bench.data import parquet, schemas
from cutpoint.bench.evaluation.own_metrics import columns_with
from cutpoint.bench.report.runs import parts_of
from cutpoint.bench.runs.jobs import job


def collect(paths: Iterable[str], output: str, schema: Any, **about: Any) -> None:
    """Write all rows, sorted by what they are, so that the cut into batches leaves no trace."""
    parquet.merge(paths, output, schema, [name for name in schemas.ORDER if name in schema.names], **about)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        about, schema = snakemake.params.about, getattr(schemas, snakemake.params.schema)
        schema = columns_with(about["metrics"]) if schema is schemas.METRICS else schema
        methods = {name: parts_of(row) for name, row in about["methods"].items()}  # their rows may change
        collect(snakemake.input, snakemake.output[0], schema, **about | {"methods": methods})
