"""Draw replicates from a real data set, for each cell of a batch."""

from typing import TYPE_CHECKING, Any

from cutpoint.base.seeds import generator_for
from cutpoint.bench.data.params import ALL_RECORDS, OWN, ResampleJob
from cutpoint.bench.data.parquet import DataFile, Part, open_data, write_parts
from cutpoint.bench.runs.jobs import job
from cutpoint.data.anonymous import anonymous, canonical_order, canonical_signs, joined
from cutpoint.data.imputation import impute
from cutpoint.data.resampling import folds, redraw, some_records

if TYPE_CHECKING:
    import numpy as np


def resampled(source: DataFile, resample: ResampleJob) -> Part:
    """Return the replicates of a real data set; where it is not available, why.

    Columns have the order and the names of `cutpoint.data.anonymous`, shuffled in each sample: neither what the user
    calls them nor where they stand decides what is learned. Missing cells are filled in from the same sample. A user's
    columns are `turned` as by `cutpoint.learn`.
    """
    whole = resample.options["kind"] == ALL_RECORDS
    about = {"study": resample.study, "dataset": resample.dataset, "resample": resample.name, "seed": resample.seed}
    about["cell"] = resample.dataset if whole else f"{resample.dataset}-{resample.name}"
    if not source.available:
        return Part([], [], about=about | {key: source.metadata[key] for key in ("status", "message")})
    data = source.read(source.replicates[0])
    own = {key: source.metadata[key] for key in ("truth", "knowledge") if source.metadata.get(key)}
    about |= own
    cardinalities, ordered = source.metadata["cardinalities"] if whole else {}, source.metadata.get("ordered", ())
    start = canonical_order(data.values, data.discrete)
    values, discrete = joined(data.values[:, start]), data.discrete[start]
    measured = own.get("knowledge", {}).get("thresholds", ())
    kept = discrete | [data.variables[i] in measured for i in start] | (resample.dataset != OWN)
    blocks, each = [], {}
    for r in resample.replicates:
        sample, order = _replicate(values, discrete, r, resample)
        variables = anonymous([data.variables[i] for i in start[order]])
        signs = canonical_signs(sample, kept)[order]
        blocks.append((r, sample[:, order]))
        each[r] = {
            "variables": variables,
            "discrete": [column for column, flag in zip(variables, discrete[order], strict=True) if flag],
            "ordered": [column for column, v in variables.items() if v in ordered],
            "turned": [column for column, sign in zip(variables, signs, strict=True) if sign < 0],
            "cardinalities": {column: cardinalities[v] for column, v in variables.items() if v in cardinalities},
        }
    return Part([*variables], blocks, each=each, about=about)


def _replicate(
    values: "np.ndarray", discrete: "np.ndarray", replicate: int, resample: ResampleJob
) -> tuple["np.ndarray", Any]:
    """Return the values of a replicate, float64 [M, n], and the indices by which its columns stand in order."""
    identity, options = (resample.seed, resample.study, resample.dataset, resample.name), resample.options
    sample = values
    order: Any = range(len(discrete))
    if options["kind"] != ALL_RECORDS:
        order = generator_for(*identity, replicate, "columns").permutation(len(discrete))
        if options["kind"] == "cross_validation":
            sample = some_records(values, discrete, folds(len(values), options["folds"], *identity) != replicate)
        else:
            sample = redraw(values, discrete, generator_for(*identity, replicate, "resample"), **options)
    if (sample != sample).any():  # NaN
        sample = impute(sample, discrete, generator_for(*identity, replicate, "impute"))
    return sample, order


if __name__ == "__main__":
    with job(snakemake.log[0]):
        sources = {file.metadata["cell"]: file for file in map(open_data, snakemake.input)}
        resamples = snakemake.params.resamples
        write_parts(snakemake.output[0], [resampled(sources[one.dataset], one) for one in resamples])
