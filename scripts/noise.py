"""Turn sampled codes into continuous values whose true thresholds are known."""

import numpy as np

from cutpoint.jobs import job
from cutpoint.noise import code_thresholds, gaussian
from cutpoint.seeds import seed_sequence
from cutpoint.tables import open_data, write_data


def blur(source, output, *, name, options, seed):
    """Write the continuous values of all replicates of a file of codes."""
    codes = open_data(source)
    about = {key: codes.metadata[key] for key in ("study", "network", "n")}
    identity = (seed, *about.values(), name)
    blocks = [
        (r, gaussian(values, options["sigma"], np.random.default_rng(seed_sequence(*identity, r, "noise"))))
        for r, values in codes
    ]
    cardinalities = [codes.metadata["cardinalities"][variable] for variable in codes.variables]
    thresholds = dict(zip(codes.variables, map(list, code_thresholds(cardinalities)), strict=True))
    about |= {"cell": f"{about['network']}-n{about['n']}-{name}", "noise": name, "sigma": options["sigma"]}
    write_data(output, codes.variables, blocks, seed=seed, thresholds=thresholds, **about)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        blur(
            snakemake.input[0],
            snakemake.output[0],
            name=snakemake.wildcards.noise,
            options=snakemake.params.noise,
            seed=snakemake.params.seed,
        )
