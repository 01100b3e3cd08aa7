"""Draw the random networks of a study, one file each."""

from pathlib import Path

from cutpoint.base.seeds import seed_sequence
from cutpoint.bench.runs.jobs import job
from cutpoint.networks.network import write_network
from cutpoint.networks.random_networks import random_network


def draw(paths, *, study, families, seed):
    """Write network number r of a family to the file FAMILY-r.bif."""
    for path in map(Path, paths):
        family, _, number = path.stem.rpartition("-")
        sequence = seed_sequence(seed, study, family, number, "network")
        write_network(random_network(sequence, name=path.stem, **families[family]), path)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        given = snakemake.params
        draw(snakemake.output, study=given.study, families=given.families, seed=given.seed)
