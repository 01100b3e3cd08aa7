"""Draw replicates from a real data set: jackknife or bootstrap samples of its records."""

import numpy as np

from cutpoint.jobs import job
from cutpoint.resampling import redraw
from cutpoint.seeds import seed_sequence
from cutpoint.tables import open_data, write_data


def resample(source, output, *, study, name, replicates, options, seed):
    """Write the replicates of a data set; where it is not available, why."""
    file = open_data(source)
    dataset = file.metadata["cell"]
    about = {"study": study, "dataset": dataset, "cell": f"{dataset}-{name}", "resample": name, "seed": seed}
    if not file.available:
        write_data(output, [], [], status=file.metadata["status"], message=file.metadata["message"], **about)
        return
    data = file.read(file.replicates[0])
    blocks = []
    for r in replicates:
        rng = np.random.default_rng(seed_sequence(seed, study, dataset, name, r, "resample"))
        blocks.append((r, redraw(data.values, data.frozen, rng, **options)))
    discrete = [name for name, held in zip(data.variables, data.frozen, strict=True) if held]
    write_data(output, data.variables, blocks, discrete=discrete, **about)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        first, last = map(int, snakemake.wildcards.replicates.split("-"))
        resample(
            snakemake.input[0],
            snakemake.output[0],
            study=snakemake.wildcards.study,
            name=snakemake.wildcards.resample,
            replicates=range(first, last + 1),
            options=snakemake.params.options,
            seed=snakemake.params.seed,
        )
