"""Continuous values of sampled codes, or of equations on the same graph, under names that say nothing of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from cutpoint.bench.data.parquet import DataFile, DataSet, Part
from cutpoint.bench.simulation.column_orders import in_order
from cutpoint.bench.simulation.gaps import with_gaps
from cutpoint.bench.simulation.noise import Origin, make_continuous
from cutpoint.bench.simulation.params import Noise
from cutpoint.data.anonymous import anonymous
from cutpoint.data.imputation import complete, impute
from cutpoint.data.resampling import some_records
from cutpoint.networks.network import Network


def blur(codes: DataFile, networks: Mapping[str, Network], noise: Noise) -> Part:
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
    codes: DataSet, networks: Mapping[str, Network], noise: Noise, replicate: int
) -> tuple[np.ndarray, dict[str, Any]]:
    """Return the values of a replicate, float64 [N, n], and what its file says of it."""
    (study, network, n, _, seed), options = noise.sample, noise.options
    learned = n - round(n * options.get("test", 0))
    states = codes.values[learned:] if noise.part == "test" else codes.values[:learned]
    cardinalities = {v: codes.about["cardinalities"][v] for v in codes.variables}
    truth, origin = networks[codes.about["truth"]], Origin(seed, study, network, n, replicate, noise.part)
    values, thresholds, discrete = make_continuous(states, cardinalities, options, origin, truth)
    if "missing" in options and noise.part == "noise":
        values = _without_gaps(values, np.isin(codes.variables, discrete), origin, **options["missing"])
    order = in_order(truth, options["columns"], origin.of_values("columns"))
    variables, place = anonymous(order), {v: i for i, v in enumerate(codes.variables)}
    about = {
        "variables": variables,
        "truth": codes.about["truth"],
        "thresholds": thresholds and {c: list(thresholds[place[v]]) for c, v in variables.items()},
        "discrete": [column for column, v in variables.items() if v in discrete],
    }
    return values[:, [place[v] for v in order]], about


def _without_gaps(
    values: np.ndarray, discrete: np.ndarray, origin: Origin, *, treatment: str, **gaps: Any
) -> np.ndarray:
    """Return values of which some cells were missing, and were imputed or dropped with their records."""
    gapped = with_gaps(values, origin.of_values("gaps"), **gaps)
    if treatment == "impute":
        return impute(gapped, discrete, origin.of_values("impute"))
    return some_records(values, discrete, np.flatnonzero(complete(gapped)))
