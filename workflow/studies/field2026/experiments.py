"""Real data: how often learned arcs contradict tiers of the columns, and how near graphs of known systems come."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Annotated

import numpy as np
from annotated_types import MinLen

from cutpoint.base.seeds import generator_for
from cutpoint.base.user_code import ROOT
from cutpoint.bench.data.status import OK
from cutpoint.bench.engine.datasets import Data
from cutpoint.bench.evaluation.tiers import TIERS, TierArcs, tier_arcs, tier_numbers
from cutpoint.bench.runs import supervise
from cutpoint.bench.runs.runner import Limits, warm_all
from cutpoint.data.resampling import some_records
from cutpoint.graphs.dags import skeleton
from cutpoint.graphs.metrics import metrics
from cutpoint.graphs.patterns import cpdag
from cutpoint.method.rows import Method, method_of
from cutpoint.networks.network import Network, network, read_network
from cutpoint.options import AtLeast1

STUDY = "field2026"
SYSTEMS = {  # data sets with a graph that is known, by what it is called and its file
    "sachs_all": {"Sachs, 17 arcs": "sachs", "Sachs, 20 arcs": "sachs_20"},
    "chamber": {"Light tunnel": "light_tunnel"},
}
CONDITIONS = (853, 902, 911, 723, 810, 799, 848, 913, 707)  # records of each condition of sachs_all, in their order

Record = dict[str, float | int | str | None]
Names = Annotated[Sequence[str], MinLen(1)]


def tiers(
    seed: int,
    data: Mapping[str, Data],
    limits: Limits,
    *,
    datasets: Names,
    methods: Names,
    samples: AtLeast1 = 5,
    records: AtLeast1 = 1000,
) -> list[Record]:
    """Count learned arcs that lead to an earlier tier, in samples of real data sets with columns in random order.

    Args:
        seed: of samples and orders.
        data: the data sets by name.
        limits: of each run.
        datasets: their names, those of `cutpoint.bench.evaluation.tiers.TIERS`.
        methods: rows of methods.yaml.
        samples: how many of each data set.
        records: of a sample, without replacement, at most nine tenths of those there are.

    Returns:
        A row per data set, method and sample: how the run ended (`status`, `message`), the `edges` between tiers, the
        `arcs` among them, those that have a direction, and how many of these it `breaks`; None unless the status is ok.
        One row of a data set that could not be had, its sample None.
    """
    by_name = {name: method_of(name, {}) for name in methods}
    warm_all(by_name.values())
    rows: list[Record] = []
    for name in datasets:
        for row, method in by_name.items():
            for sample in range(samples) if data[name].status == OK else [None]:
                status, message, learned = data[name].status, data[name].message, None
                if sample is not None:
                    drawn = sampled(data[name], records, generator_for(seed, STUDY, name, sample, "tiers"))
                    run = supervise.call(_counted, drawn, method, seconds=limits.seconds, mb=limits.mb)
                    status, message, learned = run.status, run.message, run.value
                edges, arcs, breaks = learned or (None, None, None)
                rows.append({
                    "dataset": name, "method": row, "sample": sample, "status": status, "message": message,
                    "edges": edges, "arcs": arcs, "breaks": breaks,
                })  # fmt: skip
    return rows


def sampled(data: Data, records: int, rng: np.random.Generator) -> Data:
    """Return some records of a data set without replacement, its columns in random order."""
    count = min(records, len(data.values) * 9 // 10)
    values = some_records(data.values, data.discrete, np.sort(rng.permutation(len(data.values))[:count]))
    order = rng.permutation(len(data.variables))
    return Data(data.name, [data.variables[i] for i in order], values[:, order], data.discrete[order])


def _counted(data: Data, method: Method) -> TierArcs:
    learned = method.learn(np.asfortranarray(data.values), np.asarray(data.discrete, bool))
    assert learned.cpdag is not None
    numbers = tier_numbers(data.variables, [tier.columns for tier in TIERS[data.name]])
    return tier_arcs(learned.cpdag, numbers)


def systems(
    seed: int, data: Mapping[str, Data], limits: Limits, *, datasets: Names, methods: Names, samples: AtLeast1 = 3
) -> list[Record]:
    """Compare learned graphs with those of systems whose graph is known, on nine tenths of their records.

    Args:
        seed: of samples and of the orders of the columns.
        data: the data sets by name.
        limits: of each run.
        datasets: their names, those of `SYSTEMS`. Of sachs_all each of the nine conditions is learned from as well.
        methods: rows of methods.yaml.
        samples: how many of all records of a data set; of a condition one.

    Returns:
        A row per system, true graph, method and sample: how the run ended (`status`, `message`), its `loss`, the SHD
        over the true edges, and `f1_skeleton` and `f1_pattern`; None unless the status is ok. One row of a data set
        that could not be had, its sample None.
    """
    by_name = {name: method_of(name, {}) for name in methods}
    warm_all(by_name.values())
    rows: list[Record] = []
    for name, part, sample in [(each, *one) for each in datasets for one in _parts(data[each], samples)]:
        for row, method in by_name.items():
            status, message, learned = data[name].status, data[name].message, None
            if part is not None:
                drawn = sampled(part, len(part.values), generator_for(seed, STUDY, name, sample, "systems"))
                run = supervise.call(_learned, drawn, method, seconds=limits.seconds, mb=limits.mb)
                status, message, learned = run.status, run.message, run.value
            for about, truth in SYSTEMS[name].items():
                kind = "one condition" if part is not None and len(part.values) < len(data[name].values) else "all"
                scores = {} if learned is None else _scores(learned, drawn.variables, truth)
                rows.append({
                    "system": f"{about}, {kind}" if name == "sachs_all" else about, "method": row,
                    "sample": None if part is None else sample, "status": status, "message": message,
                    **dict.fromkeys(("loss", "f1_skeleton", "f1_pattern")), **scores,
                })  # fmt: skip
    return rows


def _parts(data: Data, samples: int) -> list[tuple[Data | None, int]]:
    """Return the records to learn from, with their numbers: all of them some times, then each condition of Sachs."""
    if data.status != OK:
        return [(None, 0)]
    parts: list[tuple[Data | None, int]] = [(data, sample) for sample in range(samples)]
    if data.name == "sachs_all":
        ends = np.cumsum(CONDITIONS)
        parts += [
            (replace(data, values=data.values[end - count : end]), samples + k)
            for k, (count, end) in enumerate(zip(CONDITIONS, ends, strict=True))
        ]
    return parts


def _learned(data: Data, method: Method) -> np.ndarray:
    learned = method.learn(np.asfortranarray(data.values), np.asarray(data.discrete, bool))
    assert learned.cpdag is not None
    return learned.cpdag


def _scores(pattern: np.ndarray, variables: Sequence[str], truth: str) -> Record:
    true = read_truth(truth)
    measured = metrics(pattern, cpdag(true.dag_of(list(variables))))
    edges = max(int(skeleton(true.dag).sum()) // 2, 1)
    return {
        "loss": measured["shd_standard"] / edges,
        **{name: measured[name] for name in ("f1_skeleton", "f1_pattern")},
    }


def read_truth(name: str) -> Network:
    """Return the true graph of a system: a shipped network or a file of data/truths."""
    path = ROOT / "data" / "truths" / f"{name}.bif"
    return read_network(path) if path.exists() else network(name)


EXPERIMENTS: dict[str, Callable[..., list[Record]]] = {"tiers": tiers, "systems": systems}
