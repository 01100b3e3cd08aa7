"""Draw replicates from a real data set: jackknife or bootstrap samples of its records, all but a fold, or all of them.

Their columns have the order and the names of `cutpoint.data.anonymous`, shuffled in each sample: neither what the
user calls columns nor where they stand decides what is learned. Missing cells are filled in from the same sample.
"""

import numpy as np

from cutpoint.base.seeds import generator_for, seed_sequence
from cutpoint.bench.data.parquet import Part, open_data, write_parts
from cutpoint.bench.runs.jobs import job
from cutpoint.data.anonymous import anonymous, canonical_order
from cutpoint.data.imputation import impute
from cutpoint.data.resampling import folds, redraw, some_records

ALL_RECORDS = "all-records"  # the data set itself, its columns in canonical order


def replicate_of(values, discrete, replicate, options, identity):
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


def resample(source, *, study, name, replicates, options, seed):
    """Return the replicates of a data set; where it is not available, why.

    Args:
        source: the `DataFile` of the data set.
        name: of the resample.
    """
    dataset = source.metadata["cell"]
    cell = dataset if options["kind"] == ALL_RECORDS else f"{dataset}-{name}"
    about = {"study": study, "dataset": dataset, "cell": cell, "resample": name, "seed": seed}
    if not source.available:
        return Part([], [], about=about | {key: source.metadata[key] for key in ("status", "message")})
    data = source.read(source.replicates[0])
    about |= {key: source.metadata[key] for key in ("truth", "knowledge") if source.metadata.get(key)}
    cardinalities = source.metadata["cardinalities"] if options["kind"] == ALL_RECORDS else {}
    start = canonical_order(data.values, data.discrete)
    values, discrete = data.values[:, start], data.discrete[start]
    blocks, each = [], {}
    for r in replicates:
        sample, order = replicate_of(values, discrete, r, options, (seed, study, dataset, name))
        if np.isnan(sample).any():
            sample = impute(sample, discrete, generator_for(seed, study, dataset, name, r, "impute"))
        variables = anonymous([data.variables[i] for i in start[order]])
        blocks.append((r, sample[:, order]))
        each[r] = {
            "variables": variables,
            "discrete": [column for column, flag in zip(variables, discrete[order], strict=True) if flag],
            "cardinalities": {column: cardinalities[v] for column, v in variables.items() if v in cardinalities},
        }
    return Part([*variables], blocks, each=each, about=about)


if __name__ == "__main__":
    with job(snakemake.log[0]):
        params, parts = snakemake.params, []
        sources = {file.metadata["cell"]: file for file in map(open_data, snakemake.input)}
        for cell in params.resamples:
            first, last = cell["replicates"]
            options = {"name": cell["resample"], "replicates": range(first, last + 1), "options": cell["options"]}
            source = sources[cell["dataset"]]
            parts.append(resample(source, study=snakemake.wildcards.study, **options, seed=params.seed))
        write_parts(snakemake.output[0], parts)
