"""Make continuous values of sampled codes, or of equations on the same graph, under names that say nothing of them."""

from cutpoint.bench.data.parquet import open_parts, write_parts
from cutpoint.bench.runs.jobs import job
from cutpoint.bench.simulation.values import blur
from cutpoint.networks.network import read_all

if __name__ == "__main__":
    with job(snakemake.log[0]):
        networks = read_all(snakemake.input.networks)
        codes = {(part.metadata["network"], part.metadata["n"]): part for part in open_parts(snakemake.input.codes)}
        parts = [blur(codes[one.sample.network, one.sample.n], networks, one) for one in snakemake.params.noises]
        write_parts(snakemake.output[0], parts)
