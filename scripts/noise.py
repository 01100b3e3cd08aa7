"""Make continuous values of sampled codes, or of equations on the same graph, under names that say nothing of them."""

from collections.abc import Iterable, Iterator

from cutpoint.bench.data.parquet import Part, open_parts, write_parts
from cutpoint.bench.runs.jobs import job
from cutpoint.bench.simulation.params import Noise
from cutpoint.bench.simulation.values import blur
from cutpoint.networks.network import read_all


def parts(codes: str, networks: Iterable[str], noises: Iterable[Noise]) -> Iterator[Part]:
    """Yield the values of each cell."""
    sources, true = (
        {(file.metadata["network"], file.metadata["n"]): file for file in open_parts(codes)},
        read_all(networks),
    )
    for noise in noises:
        yield blur(sources[noise.sample.network, noise.sample.n], true, noise)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        files = snakemake.input
        write_parts(snakemake.output[0], [*parts(files.codes, files.networks, snakemake.params.noises)])
