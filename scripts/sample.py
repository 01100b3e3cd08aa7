"""Draw the records of the networks of a batch, one data set per network, size and replicate."""

from collections.abc import Mapping

from cutpoint.base.seeds import seed_sequence
from cutpoint.bench.data import params
from cutpoint.bench.data.parquet import Part, write_parts
from cutpoint.bench.runs.jobs import job
from cutpoint.networks import network
from cutpoint.networks.network import Network, read_all


def draw(networks: Mapping[str, Network], sample: params.SampleJob) -> Part:
    """Return the codes of all replicates; columns in the order of their sorted names."""
    blocks, each = [], {}
    for r in sample.replicates:
        name = sample.network if sample.network in networks else f"{sample.network}-{r}"
        bayesian = networks[name]
        order = sorted(range(len(bayesian.variables)), key=bayesian.variables.__getitem__)
        variables = [bayesian.variables[i] for i in order]
        sequence = seed_sequence(sample.seed, sample.study, sample.network, sample.n, r, "sample")
        blocks.append((r, network.sample(bayesian, sample.n, sequence)[:, order]))
        each[r] = {
            "variables": dict(zip(variables, variables, strict=True)),
            "truth": name,
            "cardinalities": {v: int(bayesian.cardinalities[i]) for v, i in zip(variables, order, strict=True)},
        }
    variables = sorted({name for about in each.values() for name in about["variables"]})
    about = {"cell": f"{sample.network}-n{sample.n}", "study": sample.study, "seed": sample.seed}
    about |= {"network": sample.network, "n": sample.n}
    return Part(variables, blocks, discrete=variables, each=each, about=about)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        networks = read_all(snakemake.input.networks)
        write_parts(snakemake.output[0], [draw(networks, sample) for sample in snakemake.params.samples])
