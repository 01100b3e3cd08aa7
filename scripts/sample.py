"""Draw the records of a network, or of the networks of a family, one data set per replicate."""

from pathlib import Path

from cutpoint.base.seeds import seed_sequence
from cutpoint.bench.data.parquet import write_data
from cutpoint.bench.runs.jobs import job
from cutpoint.networks.network import read_all, sample


def draw(paths, output, *, study, network, n, replicates, seed):
    """Write the codes of all replicates; columns in the order of their sorted names.

    Args:
        paths: one network for all replicates, or one for each.
        network: its name, or that of the family.
    """
    networks = list(read_all(paths).items())
    if len(networks) == 1:
        networks *= len(replicates)
    blocks, each = [], {}
    for r, (name, bayesian) in zip(replicates, networks, strict=True):
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
    write_data(output, variables, blocks, discrete=variables, each=each, study=study, network=network, n=n, seed=seed)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        params, networks = snakemake.params, {Path(path).stem: path for path in snakemake.input.networks}
        for output, about in zip(snakemake.output, params.files, strict=True):
            first, last = about["replicates"]
            draw(
                [networks[name] for name in about["truths"]],
                output,
                study=params.study,
                network=about["network"],
                n=about["n"],
                replicates=range(first, last + 1),
                seed=params.seed,
            )
