"""Draw replicates from a real data set: jackknife or bootstrap samples of its records, or all but a fold of them."""

import numpy as np

from cutpoint.base.seeds import seed_sequence
from cutpoint.data.parquet import open_data, write_data
from cutpoint.data.resampling import folds, redraw, some_records
from cutpoint.runs.jobs import job


def drawn(data, replicate, options, identity):
    """Return the values of one replicate; a fold is that of `cutpoint.data.resampling.folds`.

    Args:
        options: of the resample, with the number of folds of a cross-validation.
        identity: seed, study, data set and name of the resample.
    """
    if options["kind"] == "cross_validation":
        parts = folds(len(data.values), options["folds"], *identity)
        return some_records(data.values, data.discrete, parts != replicate)
    rng = np.random.default_rng(seed_sequence(*identity, replicate, "resample"))
    return redraw(data.values, data.discrete, rng, **options)


def resample(source, output, *, study, name, replicates, options, seed):
    """Write the replicates of a data set; where it is not available, why."""
    file = open_data(source)
    dataset = file.metadata["cell"]
    about = {"study": study, "dataset": dataset, "cell": f"{dataset}-{name}", "resample": name, "seed": seed}
    if not file.available:
        write_data(output, [], [], status=file.metadata["status"], message=file.metadata["message"], **about)
        return
    data = file.read(file.replicates[0])
    about |= {"truth": file.metadata["truth"]} if file.metadata.get("truth") else {}
    blocks = ((r, drawn(data, r, options, (seed, study, dataset, name))) for r in replicates)
    discrete = [name for name, is_discrete in zip(data.variables, data.discrete, strict=True) if is_discrete]
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
