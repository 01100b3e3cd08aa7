"""The numbers of a table by plain loops: ratios of means over networks, with intervals, where runs failed."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t
from synthetic import Maker, inputs

from cutpoint.base.errors import InputError
from cutpoint.bench.artefacts.table import RunScale
from cutpoint.bench.engine.inputs import replicates, typed
from cutpoint.bench.engine.numbers import measure, runs_by_data


@pytest.fixture(scope="module")
def example():
    """A simulated study in which a sixth of the runs failed."""
    whole = inputs(Maker(5, 0.2).simulated(replicates=4), replicates=4)
    lost = np.random.default_rng(1).random(len(whole.metrics)) < 1 / 6
    return whole.with_metrics(whole.metrics.assign(status=whole.metrics["status"].mask(lost, "timeout")))


def mean(values):
    return sum(values) / len(values)


def by_loops(runs, method, n):
    """Value and interval of the mean over networks of the SHD over Bach's, both means over their replicates."""
    shd = {}
    for row in runs:
        if row["grid"] == "simulated" and row["n"] == n and row["status"] == "ok":
            shd.setdefault((row["method"], row["network"]), {})[row["replicate"]] = row["shd_fu2005"]
    networks = [w for name, w in shd if name == method and ("bach", w) in shd]

    def ratio(network, without=None):
        parts = [[x for r, x in shd[name, network].items() if r != without] for name in (method, "bach")]
        return mean(parts[0]) / mean(parts[1]) if all(parts) else np.nan

    value, variance, parts = mean([ratio(w) for w in networks]), 0.0, 0.0
    for network in networks:
        both = sorted(shd[method, network].keys() & shd["bach", network].keys())
        moved = [np.log(mean([ratio(w, r if w == network else None) for w in networks])) - np.log(value) for r in both]
        part = (len(both) - 1) / len(both) * sum(x**2 for x in moved) if len(both) > 1 else np.nan
        variance, parts = variance + part, parts + part**2 / (len(both) - 1 or 1)
    reach = t.ppf(0.975, variance**2 / parts) * np.sqrt(variance) if parts else np.nan
    return value, value * np.exp(-reach), value * np.exp(reach)


def test_ratios_are_those_of_loops(example):
    columns, runs = measure(example, "shd"), example.metrics.to_dict("records")
    for method in example.methods:
        if method.name in ("bach", "mine_1"):
            continue
        for n in (500, 1000, 5000):
            ratios = columns[n].spread.loc[method.name].tolist()
            assert ratios == pytest.approx(by_loops(runs, method.name, n), nan_ok=True), (method.name, n)


def test_cells_that_are_not_told_apart_are_an_error(example):
    with pytest.raises(InputError, match=r"fu2005: grid simulated: cells: \[network\]: these columns do not tell"):
        runs_by_data(example, "simulated", "shd_fu2005", ("network",))


def test_replicates_are_counted_by_grid():
    def count(*runs, grids=()):
        rows = [(g, w, r) for g, w, number in runs for r in range(number)]
        names = ("grid", "network", "replicate")
        return replicates(typed(pd.DataFrame(rows, columns=names)), grids)

    assert count(("simulated", "asia", 5), ("sigma", "asia", 5), ("real", None, 1)) == 5
    assert count(("real", None, 1)) == 1
    assert count(("c", "asia", 25), ("b", "random", 70), ("a", "random", 70)) == "70 (a, b), 25 (c)"
    assert count(("c", "asia", 25), ("b", "random", 70), grids=("c",)) == 25
    text = "Published scale; 70 (a), 25 (c) replicates per cell; seed 1."
    assert str(RunScale("published", 1, "70 (a), 25 (c)")) == text
