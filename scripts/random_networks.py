"""Draw a block of a family of random networks, one file each."""

from pathlib import Path

from cutpoint.base.seeds import seed_sequence
from cutpoint.bench.data.params import FamilyJob
from cutpoint.bench.runs.jobs import job
from cutpoint.networks.network import write_network
from cutpoint.networks.random_networks import random_network


def draw(folder: str, family: FamilyJob) -> None:
    """Write network number r of a family to FAMILY-r.bif."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    for r in family.replicates:
        name = f"{family.name}-{r}"
        sequence = seed_sequence(family.seed, family.study, family.name, str(r), "network")
        write_network(random_network(sequence, name=name, **family.options), Path(folder, f"{name}.bif"))


if __name__ == "__main__":
    with job(snakemake.log[0]):
        draw(snakemake.output[0], snakemake.params.family)
