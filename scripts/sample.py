"""Draw the records of a network, one data set per replicate."""

from cutpoint.jobs import job
from cutpoint.networks import read_network, sample
from cutpoint.seeds import seed_sequence
from cutpoint.tables import write_data


def draw(path, output, *, study, network, n, replicates, seed):
    """Write the codes of all replicates; columns in the order of their sorted names."""
    bayesian = read_network(path)
    order = sorted(range(len(bayesian.variables)), key=bayesian.variables.__getitem__)
    variables = [bayesian.variables[i] for i in order]
    blocks = [
        (r, sample(bayesian, n, seed_sequence(seed, study, network, n, r, "sample"))[:, order]) for r in replicates
    ]
    cardinalities = {name: int(bayesian.cardinalities[i]) for name, i in zip(variables, order, strict=True)}
    about = {"study": study, "network": network, "n": n, "seed": seed, "cardinalities": cardinalities}
    write_data(output, variables, blocks, discrete=variables, **about)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        names = snakemake.wildcards
        first, last = map(int, names.replicates.split("-"))
        draw(
            snakemake.input.network,
            snakemake.output[0],
            study=names.study,
            network=names.network,
            n=int(names.n),
            replicates=range(first, last + 1),
            seed=snakemake.params.seed,
        )
