"""How often learned arcs contradict background knowledge: the tiers of real data sets."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated

import numpy as np
from annotated_types import MinLen

from cutpoint.base.seeds import generator_for
from cutpoint.bench.data.status import OK
from cutpoint.bench.data.tiers import TIERS
from cutpoint.bench.engine.datasets import Data
from cutpoint.bench.evaluation.tiers import TierArcs, tier_arcs, tier_numbers
from cutpoint.bench.runs import supervise
from cutpoint.bench.runs.runner import Limits
from cutpoint.bench.runs.warm import warm_all
from cutpoint.data.resampling import some_records
from cutpoint.method.rows import Method, method_of
from cutpoint.options import AtLeast1

STUDY = "field2026"

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
        datasets: their names, those of `cutpoint.bench.data.tiers.TIERS`.
        methods: rows of methods.yaml.
        samples: how many of each data set.
        records: of a sample, without replacement, at most nine tenths of those there are.

    Returns:
        A row per data set, method and sample: how the run ended (`status`, `message`), the `edges` between tiers, the
        `arcs` among them, those that have a direction, and how many of these it `breaks`; None unless the status is ok.
        One row of a data set that could not be had, its sample None.
    """
    by_name = {name: method_of(name, {}) for name in methods}
    warm_all(by_name.values(), limits)
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


EXPERIMENTS: dict[str, Callable[..., list[Record]]] = {"tiers": tiers}
