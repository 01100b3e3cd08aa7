"""Replicates under names that say nothing: values of sampled codes or of equations, or resamples of a data set."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from cutpoint.base.seeds import generator_for
from cutpoint.bench.data.params import ALL_RECORDS, OWN, NoiseJob, ResampleJob
from cutpoint.bench.data.parquet import DataFile, DataSet, Part
from cutpoint.bench.simulation.columns import in_order, learned_from
from cutpoint.bench.simulation.noise import Origin, make_continuous, without_gaps
from cutpoint.data.anonymous import anonymous, canonical_order, canonical_signs, joined
from cutpoint.data.imputation import impute
from cutpoint.data.resampling import folds, redraw, some_records
from cutpoint.method.functions import accepted
from cutpoint.networks.network import Network


def blur(codes: DataFile, networks: Mapping[str, Network], noise: NoiseJob) -> Part:
    """Return the continuous values of some replicates of a sample.

    Codes are those of its network and size. The true networks, by name, choose the variables that stay discrete.
    """
    study, network, n, replicates, seed = noise.sample
    blocks, each = [], {}
    for r in replicates:
        values, each[r] = _data_set(codes.read(r), networks, noise, r)
        blocks.append((r, values))
    columns = sorted({column for about in each.values() for column in about["variables"]})
    about = {"cell": f"{network}-n{n}-{noise.name}", "study": study, "network": network, "n": n, "seed": seed}
    about |= {"noise": noise.name, "sigma": noise.options.get("sigma"), "part": noise.part}
    return Part(columns, blocks, each=each, about=about)


def _data_set(
    codes: DataSet, networks: Mapping[str, Network], noise: NoiseJob, replicate: int
) -> tuple[np.ndarray, dict[str, Any]]:
    """Return the values of a replicate, float64 [N, n], and what its file says of it."""
    (study, network, n, _, seed), options = noise.sample, noise.options
    learned = learned_from(n, **accepted(learned_from, options))
    states = codes.values[learned:] if noise.part == "test" else codes.values[:learned]
    cardinalities = {v: codes.about["cardinalities"][v] for v in codes.variables}
    truth, origin = networks[codes.about["truth"]], Origin(seed, study, network, n, replicate, noise.part)
    values, thresholds, discrete = make_continuous(states, cardinalities, options, origin, truth)
    if noise.part == "noise":
        values = without_gaps(values, np.isin(codes.variables, discrete), origin, **accepted(without_gaps, options))
    order = in_order(truth, origin.of_values("columns"), **accepted(in_order, options))
    variables, place = anonymous(order), {v: i for i, v in enumerate(codes.variables)}
    about = {
        "variables": variables,
        "truth": codes.about["truth"],
        "thresholds": thresholds and {c: list(thresholds[place[v]]) for c, v in variables.items()},
        "discrete": [column for column, v in variables.items() if v in discrete],
    }
    return values[:, [place[v] for v in order]], about


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
    kept = discrete | np.isin([data.variables[i] for i in start], [*measured]) | (resample.dataset != OWN)
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
