"""Replicates of a real data set: jackknife or bootstrap samples of its records, all but a fold, or all of them.

Their columns have the order and the names of `cutpoint.data.anonymous`, shuffled in each sample: neither what the
user calls columns nor where they stand decides what is learned. Missing cells are filled in from the same sample.
"""

from __future__ import annotations

import numpy as np

from cutpoint.base.seeds import generator_for
from cutpoint.bench.data.params import ALL_RECORDS, ResampleJob
from cutpoint.bench.data.parquet import DataFile, Part
from cutpoint.data.anonymous import anonymous, canonical_order
from cutpoint.data.imputation import impute
from cutpoint.data.resampling import folds, redraw, some_records


def resampled(source: DataFile, resample: ResampleJob) -> Part:
    """Return the replicates of a data set; where it is not available, why."""
    whole = resample.options["kind"] == ALL_RECORDS
    about = {"study": resample.study, "dataset": resample.dataset, "resample": resample.name, "seed": resample.seed}
    about["cell"] = resample.dataset if whole else f"{resample.dataset}-{resample.name}"
    if not source.available:
        return Part([], [], about=about | {key: source.metadata[key] for key in ("status", "message")})
    data = source.read(source.replicates[0])
    about |= {key: source.metadata[key] for key in ("truth", "knowledge") if source.metadata.get(key)}
    cardinalities, ordered = source.metadata["cardinalities"] if whole else {}, source.metadata.get("ordered", ())
    start = canonical_order(data.values, data.discrete)
    values, discrete = data.values[:, start], data.discrete[start]
    blocks, each = [], {}
    for r in resample.replicates:
        sample, order = _replicate(values, discrete, r, resample)
        variables = anonymous([data.variables[i] for i in start[order]])
        blocks.append((r, sample[:, order]))
        each[r] = {
            "variables": variables,
            "discrete": [column for column, flag in zip(variables, discrete[order], strict=True) if flag],
            "ordered": [column for column, v in variables.items() if v in ordered],
            "cardinalities": {column: cardinalities[v] for column, v in variables.items() if v in cardinalities},
        }
    return Part([*variables], blocks, each=each, about=about)


def _replicate(
    values: np.ndarray, discrete: np.ndarray, replicate: int, resample: ResampleJob
) -> tuple[np.ndarray, np.ndarray]:
    """Return the values of a replicate, float64 [M, n], and the order of its columns, int64 [n]."""
    identity, options = (resample.seed, resample.study, resample.dataset, resample.name), resample.options
    sample, order = values, np.arange(len(discrete))
    if options["kind"] != ALL_RECORDS:
        order = generator_for(*identity, replicate, "columns").permutation(len(discrete))
        if options["kind"] == "cross_validation":
            sample = some_records(values, discrete, folds(len(values), options["folds"], *identity) != replicate)
        else:
            sample = redraw(values, discrete, generator_for(*identity, replicate, "resample"), **options)
    if np.isnan(sample).any():
        sample = impute(sample, discrete, generator_for(*identity, replicate, "impute"))
    return sample, order
