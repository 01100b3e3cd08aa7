"""What the paper leaves open, read in other ways: its numbers, ours, and ours under each supposition."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Annotated, Any

import numpy as np
from annotated_types import MinLen

from cutpoint.base.seeds import generator_for, seed_sequence
from cutpoint.bench.data.schemas import Reading
from cutpoint.bench.simulation.intervals import draw_intervals, in_intervals
from cutpoint.graphs.metrics import compare
from cutpoint.method.rows import method_of
from cutpoint.networks.network import sample
from cutpoint.networks.random_networks import random_network
from cutpoint.options import AtLeast1

STUDY, MGCD = "mabrouk2015", "mgcd"
SD = (0.1, 0.5)  # of the values in the interval of a code, in lengths of the interval
Record = dict[str, float | int | str | bool | None]
GAINS = {"ruichu": ("Ruichu", 10.0), "friedman_tabu": ("Friedman", 40.0)}  # of MGCD in print, in percent of TPR


class PaperRuns:
    """Data sets of every size and network, and what methods learn of them."""

    def __init__(self, seed: int, records: Sequence[int], samples: int):
        self.seed, self.records, self.samples = seed, records, samples
        self.data, self.rate = cache(self._data), cache(self._rate)

    def _data(self, n: int, k: int) -> tuple[np.ndarray, np.ndarray]:
        """Return values [N, n] of a random network, and its DAG."""
        truth = random_network(seed_sequence(self.seed, STUDY, "readings", k))
        codes = sample(truth, n, seed_sequence(self.seed, STUDY, "readings", k, n))
        rng = generator_for(self.seed, STUDY, "readings", k, "noise")
        return np.asfortranarray(in_intervals(codes, draw_intervals(truth.cardinalities, rng, sd=SD), rng)), truth.dag

    def _rate(self, method: str, **options: Any) -> float:
        """Return the mean over sizes of the mean TPR of the paper; graphs without edges have none."""
        first = {"initial": {"equal_frequency": options.pop("start")}} if "start" in options else {}
        run, means = method_of(method, options | first), []
        for n in self.records:
            pairs = [(run.learn(values, np.zeros(len(dag), bool)), dag) for values, dag in self._sets(n)]
            counts = [compare(learned.cpdag, dag) for learned, dag in pairs]
            means.append(np.mean([c["right"] / c["learned_edges"] for c in counts if c["learned_edges"]]))
        return float(np.mean(means))

    def _sets(self, n: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        return (self.data(n, k) for k in range(self.samples))

    def gain(self, other: str, mine: dict[str, Any], theirs: dict[str, Any]) -> float:
        """Return by how many percent the TPR of MGCD is above that of another method, with options of either."""
        return 100 * (self.rate(MGCD, **mine) / self.rate(other, **theirs) - 1)


def readings(
    seed: int, *, records: Annotated[Sequence[AtLeast1], MinLen(1)] = (1000, 5000), samples: AtLeast1 = 20
) -> list[Record]:
    """Learn from data like those of Figure 3 under other readings of the paper.

    Returns:
        A row per supposition: `published`, `ours` and ours as `supposed`, the gain of MGCD in TPR, in percent.
    """
    return [row.over(samples) for row in _readings(PaperRuns(seed, records, samples))]


def _readings(runs: PaperRuns) -> Iterator[Reading]:
    def read(other: str, what: str, *, mine: dict[str, Any] | None = None, **theirs: Any) -> Reading:
        label, published = GAINS[other]
        ours, supposed = runs.gain(other, {}, {}), runs.gain(other, mine or {}, theirs)
        return Reading(f"TPR gain of MGCD over {label}, %: {what}", published, ours, supposed)

    for levels in (2, 3):
        yield read("friedman_tabu", f"he starts from {levels} levels, not 4", start=levels)
    for levels in (2, 3, 4):
        what = f"he starts from {levels} levels and compares raw scores"
        yield read("friedman_tabu", what, start=levels, compare="score")
    yield read("ruichu", "levels by BIC alone", criterion="bic")
    for other in GAINS:
        yield read(other, "MGCD compares gains", mine={"compare": "gain"})
        yield read(other, "MGCD has at most five levels", mine={"max_levels": 5})


EXPERIMENTS: dict[str, Callable[..., list[Record]]] = {"readings": readings}
