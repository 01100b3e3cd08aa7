"""How much of the order of the methods is the choice of the number of levels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated

import numpy as np
from annotated_types import Ge, MinLen

from cutpoint.base.seeds import generator_for, seed_sequence
from cutpoint.bench.runs import supervise
from cutpoint.bench.runs.runner import Limits
from cutpoint.bench.runs.warm import warm_all
from cutpoint.bench.simulation.intervals import draw_intervals, in_intervals
from cutpoint.graphs.metrics import metrics
from cutpoint.method.method import Method
from cutpoint.method.rows import method_of
from cutpoint.networks.network import sample
from cutpoint.networks.random_networks import random_network
from cutpoint.options import AtLeast1

STUDY = "mabrouk2015"
SD = (0.1, 0.5)  # of the values in the interval of a code, in lengths of the interval
GIVEN = ("mgcd", "ruichu")  # rows with the options min_levels and max_levels
TRUE_CODES = "true codes"
RATES = ("tpr_mabrouk2015", "fpr_mabrouk2015", "shd_standard")

Record = dict[str, float | int | str | bool | None]
Names = Annotated[Sequence[str], MinLen(1)]
Sizes = Annotated[Sequence[Annotated[int, Ge(2)]], MinLen(1)]


def levels_given(
    seed: int,
    limits: Limits,
    *,
    methods: Names,
    levels: Annotated[int, Ge(2)] = 3,
    records: Sizes = (1000, 5000),
    samples: AtLeast1 = 10,
) -> list[Record]:
    """Learn from random networks with the true number of levels given, and from the true codes.

    All variables have the same number of levels; else the data are those of the structure grid. The search of the true
    codes is that of all rows. Each method runs in a child process.

    Args:
        seed: of the run.
        limits: of each of these runs.
        methods: rows of methods.yaml.
        levels: of every variable.
        records: sample sizes; the smaller samples are the first records of the largest.
        samples: random networks.

    Returns:
        A row per network, size and method: how the run ended (`status`, `message`), the rates as the paper defines
        them, the standard SHD and the mean number of levels, None unless the status is ok (a graph without edges has
        no rates).
    """
    known = {name: method_of(name, {}) for name in methods}
    limit = {"min_levels": levels, "max_levels": levels}
    known |= {f"{name}, levels given": method_of(name, limit) for name in methods if name in GIVEN}
    known[TRUE_CODES] = method_of(methods[0], {})
    warm_all(known.values(), limits)
    rows: list[Record] = []
    for k in range(samples):
        codes, values, truth = _data(seed, k, max(records), levels)
        for n in records:
            for name, method in known.items():
                coded = name == TRUE_CODES
                shown = np.asfortranarray((codes if coded else values)[:n])
                run = supervise.call(_learned, method, shown, coded, wall=limits.wall, mb=limits.mb)
                pattern, average = run.value or (None, None)
                rates = metrics(pattern, truth) if pattern is not None else {}
                finite = {key: value for key, value in rates.items() if np.isfinite(value)}
                rows.append({
                    "sample": k, "n": n, "method": name, "status": run.status, "message": run.message,
                    **{key: finite.get(key) for key in RATES}, "levels": average,
                })  # fmt: skip
    return rows


def _data(seed: int, k: int, records: int, levels: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return codes and values, float64 [N, n], and the true graph; random networks have no order of their columns."""
    purpose = STUDY, "levels_given", k
    source = random_network(seed_sequence(seed, *purpose, "network"), domains=(levels, levels))
    codes = sample(source, records, seed_sequence(seed, *purpose, "records"))
    intervals = draw_intervals(source.cardinalities, generator_for(seed, *purpose, "intervals"), sd=SD)
    return codes.astype(float), in_intervals(codes, intervals, generator_for(seed, *purpose, "noise")), source.dag


def _learned(method: Method, values: np.ndarray, coded: bool) -> tuple[np.ndarray, float]:
    """Return what a method learns, bool [n, n], and its mean number of levels."""
    learned = method.learn(values, np.full(values.shape[1], coded))
    assert learned.cpdag is not None
    assert learned.thresholds is not None
    return learned.cpdag, float(np.mean([len(cuts) + 1 for cuts in learned.thresholds]))


EXPERIMENTS: dict[str, Callable[..., list[Record]]] = {"levels_given": levels_given}
