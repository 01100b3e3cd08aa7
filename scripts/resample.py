"""Draw replicates from a real data set: jackknife or bootstrap samples of its records, all but a fold, or all of them.

Their columns have the order and the names of `cutpoint.data.anonymous`, shuffled in each sample: neither what the
user calls columns nor where they stand decides what is learned. Missing cells are filled in from the same sample.
"""

import numpy as np

from cutpoint.base.seeds import generator_for, seed_sequence
from cutpoint.bench.data.parquet import open_data, write_data
from cutpoint.bench.runs.jobs import job
from cutpoint.data.anonymous import anonymous, canonical_order
from cutpoint.data.imputation import impute
from cutpoint.data.resampling import folds, redraw, some_records

ALL_RECORDS = "all-records"  # the data set itself, its columns in canonical order


def drawn(values, discrete, replicate, options, identity):
    """Return the values of one replicate and the order of its columns.

    Args:
        options: of the resample, with the number of folds of a cross-validation.
        identity: seed, study, data set and name of the resample.
    """
    if options["kind"] == ALL_RECORDS:
        return values, np.arange(len(discrete))
    order = np.random.default_rng(seed_sequence(*identity, replicate, "columns")).permutation(len(discrete))
    if options["kind"] == "cross_validation":
        parts = folds(len(values), options["folds"], *identity)
        return some_records(values, discrete, parts != replicate), order
    rng = np.random.default_rng(seed_sequence(*identity, replicate, "resample"))
    return redraw(values, discrete, rng, **options), order


def resample(source, output, *, study, name, replicates, options, seed):
    """Write the replicates of a data set; where it is not available, why."""
    file = open_data(source)
    dataset = file.metadata["cell"]
    cell = dataset if options["kind"] == ALL_RECORDS else f"{dataset}-{name}"
    about = {"study": study, "dataset": dataset, "cell": cell, "resample": name, "seed": seed}
    if not file.available:
        write_data(output, [], [], status=file.metadata["status"], message=file.metadata["message"], **about)
        return
    data = file.read(file.replicates[0])
    about |= {key: file.metadata[key] for key in ("truth", "knowledge") if file.metadata.get(key)}
    known = file.metadata["cardinalities"] if options["kind"] == ALL_RECORDS else {}
    start = canonical_order(data.values, data.discrete)
    values, discrete = data.values[:, start], data.discrete[start]
    blocks, each = [], {}
    for r in replicates:
        sample, order = drawn(values, discrete, r, options, (seed, study, dataset, name))
        if np.isnan(sample).any():
            sample = impute(sample, discrete, generator_for(seed, study, dataset, name, r, "impute"))
        variables = anonymous([data.variables[i] for i in start[order]])
        blocks.append((r, sample[:, order]))
        each[r] = {
            "variables": variables,
            "discrete": [column for column, flag in zip(variables, discrete[order], strict=True) if flag],
            "cardinalities": {column: known[v] for column, v in variables.items() if v in known},
        }
    write_data(output, [*variables], blocks, each=each, **about)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        params = snakemake.params
        for source, output, about in zip(snakemake.input, snakemake.output, params.files, strict=True):
            first, last = about["replicates"]
            resample(
                source,
                output,
                study=params.study,
                name=about["resample"],
                replicates=range(first, last + 1),
                options=about["options"],
                seed=params.seed,
            )
