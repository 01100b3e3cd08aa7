"""Draw the records of the networks of a batch, one data set per network, size and replicate."""

from cutpoint.base.seeds import seed_sequence
from cutpoint.bench.data.parquet import Part, write_parts
from cutpoint.bench.runs.jobs import job
from cutpoint.networks.network import read_all, sample


def draw(networks, *, study, network, n, replicates, seed):
    """Return the codes of all replicates; columns in the order of their sorted names.

    Args:
        networks: by name: one for all replicates, or those of the family.
        network: the name of the one, or of the family.
    """
    blocks, each = [], {}
    for r in replicates:
        name = network if network in networks else f"{network}-{r}"
        bayesian = networks[name]
        order = sorted(range(len(bayesian.variables)), key=bayesian.variables.__getitem__)
        variables = [bayesian.variables[i] for i in order]
        blocks.append((r, sample(bayesian, n, seed_sequence(seed, study, network, n, r, "sample"))[:, order]))
        cardinalities = {v: int(bayesian.cardinalities[i]) for v, i in zip(variables, order, strict=True)}
        each[r] = {
            "variables": dict(zip(variables, variables, strict=True)),
            "truth": name,
            "cardinalities": cardinalities,
        }
    variables = sorted({name for about in each.values() for name in about["variables"]})
    about = {"cell": f"{network}-n{n}", "study": study, "network": network, "n": n, "seed": seed}
    return Part(variables, blocks, discrete=variables, each=each, about=about)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        params, networks, parts = snakemake.params, read_all(snakemake.input.networks), []
        for codes in params.samples:
            first, last = codes["replicates"]
            options = codes | {"replicates": range(first, last + 1), "study": snakemake.wildcards.study}
            parts.append(draw(networks, **options, seed=params.seed))
        write_parts(snakemake.output[0], parts)
