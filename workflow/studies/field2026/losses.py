"""The loss of every row on every data set: SHD (standard) over the number of true edges."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from cutpoint.bench.data.status import FAILED, OK
from cutpoint.bench.engine.inputs import Inputs, Method, once, with_variables
from cutpoint.bench.engine.numbers import runs_by_data
from cutpoint.data.features import FEATURES

HELD_OUT = {"tables": "held_out_tables", "splines": "held_out_splines"}  # the same judge for all rows


@once
def by_network(inputs: Inputs) -> Inputs:
    """Return inputs in which every network is a replicate, so that intervals are over networks.

    Its metrics have a column `loss`. A run that failed counts as the empty graph there: as many missing edges as there
    are, so that leaving a data set out cannot pay.
    """
    inputs = with_variables(inputs)
    runs = inputs.metrics
    failed = runs["status"].isin(FAILED)
    units = runs["network"] + "-" + runs["replicate"].map("{:.0f}".format)
    metrics = runs.assign(
        network="networks",
        replicate=units.rank(method="dense") - 1,
        status=runs["status"].mask(failed, OK),
        loss=(runs["shd_standard"] / runs["true_edges"]).mask(failed, 1.0),
        unit=units,
    )
    measured = [name for name in MEASURED if name in metrics]
    return inputs.with_metrics(metrics.assign(**{name: metrics[name].mask(failed) for name in measured}))


MEASURED = (
    *("shd_standard", "shd_fu2005", "f1_pattern", "f1_skeleton", "parent_aid", "ancestor_aid", "seconds", "peak_mb"),
    *("threshold_error", "adjusted_rand", "extra", "missing", "learned_edges"),
)


@dataclass(frozen=True, eq=False)
class Losses:
    """The losses of the rows that have one on every data set.

    Attributes:
        methods: the rows.
        mechanisms, sizes: how data come about, and numbers of records.
        networks: their names.
        variables: float64 [K], of each network.
        values: float64 [M, mechanisms, sizes, K], finite.
        seconds: float64 as `values`, CPU seconds; NaN where a run has none.
        held_out: by judge, float64 as `values`, held-out nats; NaN where a run has none.
        features: float64 [mechanisms, sizes, K, F], of the data, see `cutpoint.data.features`.
        runs: how many runs there were, those left out too.
    """

    methods: tuple[Method, ...]
    mechanisms: tuple[str, ...]
    sizes: tuple[int, ...]
    networks: tuple[str, ...]
    variables: np.ndarray
    values: np.ndarray
    seconds: np.ndarray
    held_out: Mapping[str, np.ndarray]
    features: np.ndarray
    runs: int

    def row(self, name: str) -> int | None:
        """Return the place of a method, None where it is not among them."""
        return next((i for i, method in enumerate(self.methods) if method.name == name), None)


def without_network(losses: Losses, k: int) -> Losses:
    """Return the losses on all networks but one."""
    return replace(
        losses,
        networks=(*losses.networks[:k], *losses.networks[k + 1 :]),
        variables=np.delete(losses.variables, k),
        values=np.delete(losses.values, k, -1),
        seconds=np.delete(losses.seconds, k, -1),
        held_out={judge: np.delete(nats, k, -1) for judge, nats in losses.held_out.items()},
        features=np.delete(losses.features, k, 2),
    )


@once
def losses_of(inputs: Inputs, name: str = "factorial") -> Losses:
    """Return the losses of the runs of a grid; references are no methods to choose from."""
    inputs = by_network(inputs)
    runs, keys = inputs.runs(name), ["noise", "n", "replicate"]
    mechanisms, sizes, networks = (sorted(set(runs[key])) for key in keys)
    data_sets = pd.MultiIndex.from_product([mechanisms, sizes, networks], names=keys)
    shape = (len(mechanisms), len(sizes), len(networks))

    def by_data(metric: str) -> np.ndarray:
        table = runs_by_data(inputs, name, metric, ("noise", "n")).reindex(columns=data_sets)
        return table.to_numpy(float).reshape(len(inputs.methods), *shape)

    values = by_data("loss")
    there = np.isfinite(values).any((0, 1, 2))  # networks with any result
    competes = np.array([method.competes for method in inputs.methods], bool)
    kept = np.isfinite(values[..., there]).all((1, 2, 3)) & competes
    described = runs.drop_duplicates(keys, keep="last").set_index(keys).reindex(data_sets)
    last_run = runs.drop_duplicates("replicate", keep="last").sort_values("replicate")[there]
    return Losses(
        tuple(method for method, good in zip(inputs.methods, kept, strict=True) if good),
        tuple(mechanisms),
        tuple(int(n) for n in sizes),
        tuple(last_run["unit"]),
        last_run["variables"].to_numpy(float),
        values[kept][..., there],
        by_data("seconds")[kept][..., there],
        {judge: by_data(nats)[kept][..., there] for judge, nats in HELD_OUT.items() if nats in runs},
        described[[*FEATURES]].to_numpy(float).reshape(*shape, len(FEATURES))[:, :, there],
        len(runs[runs["method"].isin([*inputs.labels])]),
    )
