"""What the thesis leaves open, read in other ways: its numbers, ours, and ours under each supposition."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Annotated, Any

import numpy as np
from annotated_types import MinLen

from cutpoint.base.seeds import generator_for
from cutpoint.bench.data.schemas import Reading
from cutpoint.bench.engine.declaration import folder_of
from cutpoint.bench.simulation.columns import ColumnOrder, in_order
from cutpoint.bench.simulation.noise import gaussian
from cutpoint.data.csv_files import read_csv
from cutpoint.discretization.binning import equal_frequency
from cutpoint.discretization.greedy import Greedy, local_rise
from cutpoint.discretization.rules import RULES, learn_by
from cutpoint.graphs.metrics import compare, shd
from cutpoint.graphs.patterns import cpdag
from cutpoint.learners.learned import Learned
from cutpoint.method.rows import method_of
from cutpoint.networks.network import network, sample
from cutpoint.options import AtLeast1

STUDY = "fu2005"
NETWORKS = ("alarm", "child", "hailfinder", "insurance")
SIGMA = 0.35  # standard deviation of the noise around the codes (Fu 2005, V.1.1)
Record = dict[str, float | int | str | bool | None]
BINS = ("2", "3")
INTEGRATED = tuple(name + bins for name in ("friedman", "monti", "steck") for bins in BINS)
DISCRETIZING = (*(name + bins for name in ("eqfreq", "eqwidth") for bins in BINS), *INTEGRATED)
RUNS = 5  # of the thesis in each cell
LABELS: dict[str, Callable[[int], list[int]]] = {  # where each node of a learned graph stands in the truth
    "shifted by one": lambda n: [*range(1, n), 0],
    "numbers sorted as text": lambda n: sorted(range(n), key=str),
}


def printed(table: str, row: str, column: str = "mean") -> float:
    """Return a published number."""
    rows = read_csv(folder_of(STUDY) / "printed" / f"{table}.csv")
    return next(float(each[column]) for each in rows if each["method"] == row)


class ThesisRuns:
    """Data sets of every network, size and sample, and what methods learn of them; numbers are means over samples."""

    def __init__(self, seed: int, networks: Sequence[str], records: Sequence[int], samples: int):
        self.seed, self.networks, self.records, self.samples = seed, networks, records, samples
        self.data, self.learned = cache(self._data), cache(self._learned)

    def _data(self, name: str, n: int, k: int, order: ColumnOrder) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return values and codes [N, n], and the true DAG, their columns in an order."""
        truth, rng = network(name), generator_for(self.seed, STUDY, "readings", name, n, k)
        codes = sample(truth, n, rng)
        values, names = gaussian(codes, SIGMA, rng), in_order(truth, rng, columns=order)
        places = [truth.variables.index(each) for each in names]
        return np.asfortranarray(values[:, places]), codes[:, places], truth.dag[np.ix_(places, places)]

    def _learned(self, method: str, order: ColumnOrder = "shuffled", rule: str = "", **options: Any) -> list[tuple]:
        """Return what a method learns of every data set, beside the true DAG."""
        run = method_of(method, options)
        cells = [(name, n, k) for name in self.networks for n in self.records for k in range(self.samples)]
        pairs = []
        for values, codes, dag in (self.data(*cell, order) for cell in cells):
            free = np.zeros(values.shape[1], bool)
            if rule == "codes":
                result = run.learn(np.asfortranarray(codes, float), ~free)
            elif rule == "local":
                result = _by_local_score(run, values, free, bins=int(method[-1]))
            else:
                result = run.learn(values, free)
            pairs.append((result, dag))
        return pairs

    def mean(self, of: Callable[[Learned, np.ndarray], float], method: str, **options: Any) -> np.ndarray:
        """Return the mean of a number over samples, float64 [networks, sizes]."""
        numbers = [of(*pair) for pair in self.learned(method, **options)]
        return np.reshape(numbers, (len(self.networks), len(self.records), -1)).mean(2)

    def ratio(self, method: str, labels: str = "", **options: Any) -> np.ndarray:
        """Return SHD over that of Bach in the same order of the columns, mean over networks, as Table V-4, [sizes]."""
        order = {key: value for key, value in options.items() if key == "order"}
        named = LABELS.get(labels, lambda n: [*range(n)])

        def distance(learned: Learned, dag: np.ndarray) -> float:
            return _distance(replace(learned, cpdag=_relabelled(learned, named(len(dag)))), dag)

        return (self.mean(distance, method, **options) / self.mean(_distance, "bach", **order)).mean(0)

    def calls(self, of: Callable[[Learned, np.ndarray], float], method: str, over: str, **options: Any) -> np.ndarray:
        """Return calls over those of another method, mean over networks, [sizes]."""
        return (self.mean(of, method, **options) / self.mean(of, over)).mean(0)

    def off(self, **options: Any) -> float:
        """Return how far the methods that discretize are from Table V-4, the median over methods and N in percent."""
        ours = np.array([self.ratio(name, **options) for name in DISCRETIZING])
        theirs = [[printed("table_V-4_shd", name, f"n{n}") for n in self.records] for name in DISCRETIZING]
        return float(100 * np.median(np.abs(ours / theirs - 1)))

    def edges_off(self, **options: Any) -> float:
        """Return how far Bach is from his row of Table V-9, the mean absolute difference."""
        ours = [self.mean(of, "bach", **options).mean(1) for of in (_extraneous, _missing)]
        kinds = ("extraneous", "missing")
        theirs = [[printed("table_V-9_edges", "bach", f"{name}_{kind}") for name in self.networks] for kind in kinds]
        return float(np.abs(np.array(ours) - theirs).mean())


def _relabelled(learned: Learned, places: list[int]) -> np.ndarray:
    assert learned.cpdag is not None
    return learned.cpdag[np.ix_(places, places)]


def _distance(learned: Learned, dag: np.ndarray) -> float:
    return shd(learned.cpdag, cpdag(dag), "fu2005")


def _extraneous(learned: Learned, dag: np.ndarray) -> float:
    return compare(learned.cpdag, dag)["extra"] / dag.sum()


def _missing(learned: Learned, dag: np.ndarray) -> float:
    return compare(learned.cpdag, dag)["missing"] / dag.sum()


def _score_calls(learned: Learned, dag: np.ndarray) -> float:
    return learned.score_calls or 0


def _cuts(learned: Learned, dag: np.ndarray) -> float:
    return learned.discretization_calls or 0


def _by_local_score(run: Any, values: np.ndarray, free: np.ndarray, bins: int) -> Learned:
    """Run Monti's method with new thresholds accepted by the score of their own families alone."""
    rule, first = replace(RULES["monti"], accepts=local_rise), equal_frequency(values, free, bins=bins)
    return learn_by(rule, Greedy, values, free, first, run.search, ess=1.0, max_levels=60)


def readings(
    seed: int,
    *,
    networks: Annotated[Sequence[str], MinLen(1)] = NETWORKS,
    records: Annotated[Sequence[AtLeast1], MinLen(1)] = (500, 1000, 5000),
    samples: AtLeast1 = 3,
) -> list[Record]:
    """Learn from data like those of Table V-4 under other readings of the thesis.

    Returns:
        A row per supposition: `published`, `ours` and ours as `supposed`; a difference from print has 0 in print.
    """
    runs = ThesisRuns(seed, networks, records, samples)
    return [row.over(samples) for of in (_of_all, _of_methods, _of_calls) for row in of(runs)]


def _of_all(runs: ThesisRuns) -> Iterator[Reading]:
    off, ours = "Table V-4, methods that discretize, median difference from print in %", runs.off()
    yield Reading(f"{off}: equivalent sample size 10", 0.0, ours, runs.off(ess=10))
    for order in ("declared", "topological"):
        yield Reading(f"{off}: columns in {order} order", 0.0, ours, runs.off(order=order))
    bach, ours = "Table V-9, Bach, mean difference from print", runs.edges_off()
    for key, value in (("width", 0.5), ("width", 1.5), ("tolerance", 0.001), ("tolerance", 0.03)):
        yield Reading(f"{bach}: {key} of the kernel {value:g}", 0.0, ours, runs.edges_off(**{key: value}))


def _of_methods(runs: ThesisRuns) -> Iterator[Reading]:
    def read(name: str, what: str, method: str, **options: Any) -> Reading:
        ours, supposed = (float(runs.ratio(method, **each).mean()) for each in ({}, options))
        return Reading(f"Table V-4, {name}: {what}", printed("table_V-4_shd", method), ours, supposed)

    for labels in LABELS:
        yield read("Hartemink", f"labels of the learned graph {labels}", "hartemink", labels=labels)
    for place, key, values in (("start", "initial", (20, 60)), ("end", "bins", (2, 4))):
        for value in values:
            yield read("Hartemink", f"{value} levels at the {place}", "hartemink", **{key: value})
    for alpha in (0.01, 1e-4, 1e-6):
        yield read("PC", f"alpha {alpha:g}", "pc_fisherz", alpha=alpha)
    for bins in BINS:
        yield read(f"Monti{bins}", "thresholds accepted by their own families alone", f"monti{bins}", rule="local")
    yield read("Steck2", "the true states in place of thresholds", "steck2", rule="codes")


def _of_calls(runs: ThesisRuns) -> Iterator[Reading]:
    for bins in BINS:
        rules: tuple[dict[str, Any], ...] = ({}, {"rule": "local"})
        ours, supposed = (float(runs.calls(_cuts, f"monti{bins}", "friedman3", **rule).mean()) for rule in rules)
        published = printed("table_V-7_discretization_calls", f"monti{bins}")
        text = f"Table V-7, Monti{bins}: thresholds accepted by their own families alone"
        yield Reading(text, published, ours, supposed)
    names = (*INTEGRATED, "pc_fisherz")
    theirs = [[printed("table_V-6_calls", name, f"n{n}") for n in runs.records] for name in names]
    calls = [runs.calls(_score_calls, name, "bach") for name in names]
    published, ours = (float(np.exp(np.log(each).mean())) for each in (theirs, calls))
    text = "Table V-6, integrated methods and PC, geometric mean: sums over five data sets"
    yield Reading(text, published, ours, RUNS * ours)


EXPERIMENTS: dict[str, Callable[..., list[Record]]] = {"readings": readings}
