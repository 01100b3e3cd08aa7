"""Replicates under names that say nothing: values of sampled codes or of equations."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from cutpoint.bench.data.params import NoiseJob
from cutpoint.bench.data.parquet import DataFile, DataSet, Part
from cutpoint.bench.simulation.columns import in_order, learned_from
from cutpoint.bench.simulation.noise import Origin, make_continuous, without_gaps
from cutpoint.data.anonymous import anonymous
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
