"""Count how often each edge was learned from the resamples of a data set."""

from collections.abc import Collection, Iterable, Mapping

from cutpoint.bench.data import parquet, schemas
from cutpoint.bench.evaluation.results import Results, edge_shares
from cutpoint.bench.runs.jobs import job
from cutpoint.knowledge.knowledge import Knowledge


def count(
    runs: Iterable[str],
    edges: Iterable[str],
    output: str,
    *,
    data: Collection[str],
    datasets: Mapping[str, str],
    built_in_jobs: Collection[str],
) -> None:
    """Write the shares of the good runs that have an edge, by cell, method and pair of variables.

    Args:
        datasets: name of the data set by cell.
        data, built_in_jobs: as `Results` takes them.
    """
    sound, learned = Results(runs, edges, [], built_in_jobs, data).sound()
    counted = [row for row in sound if row["cell"] in datasets]
    contents = (part.metadata.get("knowledge") for path in data for part in parquet.open_parts(path))
    knowledge = next((Knowledge(content) for content in contents if content), None)
    rows = edge_shares(counted, learned, knowledge.oriented if knowledge else None)
    shares = [{"dataset": datasets[row["cell"]], **row} for row in rows]
    parquet.write_records(output, shares, schemas.EDGE_SHARES)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        files, params = snakemake.input, snakemake.params
        options = {"data": files.data, "datasets": params.datasets, "built_in_jobs": params.built_in_jobs}
        count(files.runs, files.edges, snakemake.output[0], **options)
