"""Draw replicates from a real data set, for each cell of a batch."""

from cutpoint.bench.data.parquet import open_data, write_parts
from cutpoint.bench.runs.jobs import job
from cutpoint.bench.simulation.values import resampled

if __name__ == "__main__":
    with job(snakemake.log[0]):
        sources = {file.metadata["cell"]: file for file in map(open_data, snakemake.input)}
        resamples = snakemake.params.resamples
        write_parts(snakemake.output[0], [resampled(sources[one.dataset], one) for one in resamples])
