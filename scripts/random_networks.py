"""Draw a block of a family of random networks, one file each."""

from pathlib import Path

from cutpoint.base.seeds import seed_sequence
from cutpoint.bench.runs.jobs import job
from cutpoint.networks.network import write_network
from cutpoint.networks.random_networks import random_network


def draw(folder, *, study, family, options, replicates, seed):
    """Write network number r of a family to FAMILY-r.bif."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    for r in replicates:
        sequence = seed_sequence(seed, study, family, str(r), "network")
        write_network(random_network(sequence, name=f"{family}-{r}", **options), Path(folder, f"{family}-{r}.bif"))


if __name__ == "__main__":
    with job(snakemake.log[0]):
        names, params = snakemake.wildcards, snakemake.params
        first, last = params.networks["replicates"]
        draw(
            snakemake.output[0],
            study=names.study,
            family=names.family,
            options=params.networks["options"],
            replicates=range(first, last + 1),
            seed=params.seed,
        )
