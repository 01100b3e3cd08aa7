"""The loss of every method on every data set: SHD (standard) over the number of true edges, networks as replicates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from cutpoint.bench.data.status import FAILED, OK
from cutpoint.bench.engine.inputs import Inputs, MethodLabel, once, with_variables

MEASURED = (
    *("shd_standard", "shd_fu2005", "f1_pattern", "f1_skeleton", "parent_aid", "ancestor_aid", "seconds", "peak_mb"),
    *("threshold_error", "adjusted_rand", "extra", "missing", "learned_edges"),
)
DATA = ("unit", "n", "noise", "draw")  # which data set a run is of
PLAIN = "as it is"


@once
def by_network(inputs: Inputs) -> Inputs:
    """Return inputs in which every network, or family of random ones, is a replicate, so that intervals are over them.

    Its metrics have a column `loss`. A run that failed counts as the empty graph there: as many missing edges as there
    are, so that leaving a data set out cannot pay. Noises are told apart by `mechanism` and `measurement`.
    """
    inputs = with_variables(inputs)
    runs = inputs.metrics
    failed = runs["status"].isin(FAILED)
    noise = runs["noise"].astype(str)
    measurement = noise.str.extract("_(rounded|ties|skewed|noisy)$")[0]
    mechanism = noise.str.replace("_(rounded|ties|skewed|noisy)$", "", regex=True)
    units = runs["network"].astype(str)
    metrics = runs.assign(
        network="networks",
        draw=runs["replicate"],
        replicate=units.rank(method="dense") - 1,
        status=runs["status"].mask(failed, OK),
        loss=(runs["shd_standard"] / runs["true_edges"]).mask(failed, 1.0),
        unit=units,
        mechanism=mechanism,
        measurement=measurement.fillna(PLAIN),
        group=units.map(_group),
    )
    if "extension_exact" in metrics:  # a pattern that stands for no class of DAGs gives no effect: all are wrong
        inexact = metrics["extension_exact"].eq(False).fillna(False).astype(bool)
        metrics = metrics.assign(parent_aid=metrics["parent_aid"].mask(inexact, 1.0))
    measured = [name for name in MEASURED if name in metrics]
    return inputs.with_metrics(metrics.assign(**{name: metrics[name].mask(failed) for name in measured}))


def _group(network: str) -> str:
    """Return the sort of a network: its strength for random ones."""
    family = network.rsplit("_", 1)
    return family[1] if len(family) == 2 and family[1] in ("weak", "strong") else "published"


def averaged(inputs: Inputs, grid: str, cells: Sequence[str]) -> Inputs:
    """Return means of the runs on the data sets of a grid, by network and by some columns.

    Methods of other grids that ran on all of these data sets take part, so that all methods have the same ones.
    """
    inputs = by_network(inputs)
    table = inputs.metrics
    there = table.loc[table["grid"] == grid, [*DATA]].drop_duplicates()
    runs = table.merge(there, on=[*DATA]).drop_duplicates([*DATA, "method"])
    counts, own = runs["method"].value_counts(), {*table.loc[table["grid"] == grid, "method"]}
    runs = runs[runs["method"].isin([name for name, count in counts.items() if name in own or count == len(there)])]
    keys = ["method", "network", "replicate", "unit", *cells]
    numeric = [name for name in ("loss", *MEASURED, "true_edges", "variables") if name in runs]
    good = runs[runs["status"] == OK]
    means = good.groupby(keys, sort=False, observed=True)[numeric].mean().reset_index()
    every = runs.groupby(keys, sort=False, observed=True)["status"].first().reset_index()
    merged = every.merge(means, on=keys, how="left")
    merged["status"] = merged["status"].mask(merged["loss"].notna(), OK)
    cell = pd.Series(["-".join(map(str, each)) for each in merged[[*cells]].itertuples(index=False)], merged.index, str)
    metrics = merged.assign(grid=grid, cell=cell, noise=cell, study=inputs.study.name)
    if "n" not in cells:
        metrics["n"] = 0
    names = {*metrics["method"]}
    return inputs.with_metrics(metrics, methods=[method for method in inputs.methods if method.name in names])


@dataclass(frozen=True, eq=False)
class Losses:
    """The losses of the methods that have one on every kind of data and network.

    Attributes:
        methods: references among them.
        mechanisms, sizes, networks: names of the data types, numbers of records, names of the networks.
        values: float64 [M, mechanisms, sizes, K]; NaN where a reference knows nothing of a mechanism.
    """

    methods: tuple[MethodLabel, ...]
    mechanisms: tuple[str, ...]
    sizes: tuple[int, ...]
    networks: tuple[str, ...]
    values: np.ndarray

    def row(self, name: str) -> int | None:
        """Return the place of a method, None where it is not among them."""
        return next((i for i, method in enumerate(self.methods) if method.name == name), None)


def losses_of(inputs: Inputs, metric: str = "loss") -> Losses:
    """Return a metric of all methods on the data sets of the thinned grid, means over measurements."""
    inputs = averaged(inputs, "fourth", ("n", "mechanism"))
    runs = inputs.metrics
    mechanisms, sizes, networks = (sorted({*runs[key]}) for key in ("mechanism", "n", "unit"))
    table = runs.pivot_table(metric, "method", ["mechanism", "n", "unit"], dropna=False)
    columns = pd.MultiIndex.from_product([mechanisms, sizes, networks])
    values = table.reindex(index=[method.name for method in inputs.methods], columns=columns).to_numpy(float)
    values = values.reshape(len(inputs.methods), len(mechanisms), len(sizes), len(networks))
    kept = [i for i, method in enumerate(inputs.methods) if not method.competes or np.isfinite(values[i]).all()]
    if metric != "loss":
        kept = list(range(len(inputs.methods)))
    methods = tuple(inputs.methods[i] for i in kept)
    return Losses(methods, tuple(mechanisms), tuple(map(int, sizes)), tuple(networks), values[kept])
