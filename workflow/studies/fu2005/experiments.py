"""What may explain printed numbers that we could not reproduce: Fu's comparison, read or made in other ways."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Annotated, Any, NamedTuple

import numpy as np
from annotated_types import Ge, MinLen

from cutpoint.base.seeds import generator_for, seed_sequence
from cutpoint.bench.engine.inputs import Data
from cutpoint.bench.evaluation.run_metrics import real_metrics
from cutpoint.bench.runs import supervise
from cutpoint.bench.runs.runner import Limits
from cutpoint.bench.runs.warm import warm_all
from cutpoint.bench.simulation.noise import gaussian
from cutpoint.graphs.dags import skeleton
from cutpoint.graphs.metrics import metrics
from cutpoint.learners.kgv import kgv, kgv_gain
from cutpoint.method.method import Method
from cutpoint.method.rows import method_of
from cutpoint.networks.network import network, sample
from cutpoint.options import AboveZero, AtLeast1

STUDY = "fu2005"
TRUE_CODES = "true codes"
# A row of methods.yaml, and the options that replace its own, by what a run of it is called
READINGS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "bach": ("bach", {}),
    "hartemink": ("hartemink", {}),
    **{f"hartemink, {k} initial levels": ("hartemink", {"initial": k}) for k in (20, 60)},
    **{f"hartemink, {k} levels": ("hartemink", {"bins": k}) for k in (2, 4)},
    **{f"pc, alpha {alpha:g}": ("pc_fisherz", {"alpha": alpha}) for alpha in (0.05, 1e-2, 1e-4, 1e-6, 1e-8, 1e-12)},
    "pc, either": ("pc_fisherz", {"candidates": "either"}),
    **{f"pc, G2 on {k} bins": ("pc_g2", {"bins": k}) for k in (2, 3)},
    TRUE_CODES: ("eqfreq3", {}),  # codes stay as they are, and three bins are not used
}
MISLABELLED = "hartemink"  # whose graph is compared with the truth under other labels too
SHOWN_OF, TRUE = "child", "true thresholds"
SHOWN = ("BirthAsphyxia", "LungFlow", "CardiacMixing", "Disease")  # with 2, 3, 4 and 6 levels
COUNTS = ("shd_fu2005", "extra", "missing", "true_edges")

Record = dict[str, float | int | str | bool | None]
Names = Annotated[Sequence[str], MinLen(1)]
Records = Annotated[int, Ge(2)]
Sizes = Annotated[Sequence[Annotated[int, Ge(2)]], MinLen(1)]


class Simulated(NamedTuple):
    """Records of a network, their columns in random order.

    Attributes:
        codes: int32 [N, n].
        values: float64 [N, n], codes with noise.
        order: int64 [n], the place in the file of the network of each column.
    """

    codes: np.ndarray
    values: np.ndarray
    order: np.ndarray

    def first(self, records: int) -> Simulated:
        """Return the first records."""
        return Simulated(np.asfortranarray(self.codes[:records]), np.asfortranarray(self.values[:records]), self.order)


def simulate(seed: int, name: str, k: int, records: int, sigma: float) -> Simulated:
    """Return a data set as those of Fu V.1.1."""
    purpose = STUDY, name, k, "readings"
    codes = sample(network(name), records, seed_sequence(seed, *purpose, "records"))
    values = gaussian(codes, sigma, generator_for(seed, *purpose, "noise"))
    order = generator_for(seed, *purpose, "columns").permutation(codes.shape[1])
    return Simulated(codes[:, order], values[:, order], order)


def labels(n: int, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """Return under which number each of n variables may have been compared with the truth, int64 [n], by the slip."""
    return {
        "labels shifted by one": np.roll(np.arange(n), 1),
        "labels sorted as text": np.array(sorted(range(n), key=lambda i: str(i + 1))),
        "random labels": rng.permutation(n),
    }


def relabelled(graph: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Return a graph, bool [n, n], in which variable i stands where variable places[i] stood."""
    return graph[np.ix_(places, places)]


def readings(
    seed: int,
    limits: Limits,
    *,
    methods: Names,
    networks: Names = ("alarm", "child", "hailfinder", "insurance"),
    records: Sizes = (500, 1000, 5000),
    samples: AtLeast1 = 2,
    sigma: AboveZero = 0.35,
) -> list[Record]:
    """Learn from simulated data with other options, and compare with the truth under other labels.

    Each method runs in a child process; its columns stand in random order. Labels are those of the file of the network.

    Args:
        seed: of the run.
        limits: of each of these runs.
        methods: rows of methods.yaml; of `READINGS` those that are readings of them are run.
        networks: shipped ones.
        records: sample sizes; the smaller samples are the first records of the largest.
        samples: data sets of each network.
        sigma: standard deviation of the noise.

    Returns:
        A row per data set, size and reading: how the run ended (`status`, `message`), and SHD as the paper counts it,
        extra, missing and true edges, None unless the status is ok.
    """
    known = {name: method_of(row, options) for name, (row, options) in READINGS.items() if row in methods}
    warm_all(known.values(), limits)
    rows: list[Record] = []
    for name in networks:
        for k in range(samples):
            data, truth = simulate(seed, name, k, max(records), sigma), network(name).dag
            wrong = labels(len(truth), generator_for(seed, STUDY, name, k, "labels"))
            for n in records:
                about: Record = {"network": name, "n": n, "sample": k}
                for reading, method in known.items():
                    run = supervise.call(_pattern, method, data.first(n), reading, wall=limits.wall, mb=limits.mb)
                    outcome = {"status": run.status, "message": run.message}
                    slips = wrong if reading == MISLABELLED else {}
                    rows += [about | outcome | counts for counts in _compared(reading, run.value, truth, slips)]
    return rows


def _pattern(method: Method, data: Simulated, reading: str) -> np.ndarray:
    """Return what a method learns, bool [n, n], the variables in the order of the network."""
    coded = reading == TRUE_CODES
    values = data.codes.astype(float, order="F") if coded else data.values
    pattern = method.learn(values, np.full(values.shape[1], coded)).cpdag
    assert pattern is not None
    return relabelled(pattern, np.argsort(data.order))


def _compared(
    reading: str, pattern: np.ndarray | None, truth: np.ndarray, slips: Mapping[str, np.ndarray]
) -> Iterator[Record]:
    """Yield the counts of a learned graph, None without one, as it is and under other labels."""
    places = {reading: np.arange(len(truth)), **{f"{reading}, {slip}": each for slip, each in slips.items()}}
    for name, each in places.items():
        counts = metrics(relabelled(pattern, each), truth) if pattern is not None else {}
        yield {"reading": name, **{key: counts.get(key) for key in COUNTS}}


def both_families(
    seed: int, data: Mapping[str, Data], limits: Limits, *, datasets: Names, methods: Names
) -> list[Record]:
    """Score learned graphs as DAGs, and with every edge in the families of both its ends, by the score of Bach.

    Args:
        seed: of the run; nothing is drawn.
        data: the data sets by name.
        limits: of the run of a method on one of them.
        datasets: their names.
        methods: rows of methods.yaml.

    Returns:
        A row per data set and method: how the run ended (`status`, `message`), and the gain over the empty graph of
        the DAG (`gain`) and of every edge counted twice (`both`), None unless the status is ok.
    """
    known = {name: method_of(name, {}) for name in methods}
    warm_all(known.values(), limits)
    rows: list[Record] = []
    for name in datasets:
        for row, method in known.items():
            status, message, gains = data[name].status, data[name].message, None
            if status == "ok":
                run = supervise.call(_gains, data[name], method, row, wall=limits.wall, mb=limits.mb)
                status, message, gains = run.status, run.message, run.value
            gain, both = gains or (None, None)
            rows.append({
                "dataset": name, "method": row, "status": status, "message": message, "gain": gain, "both": both,
            })  # fmt: skip
    return rows


def _gains(data: Data, method: Method, name: str) -> tuple[float, float]:
    """Return the gains of what a method learns, as a DAG and with every edge in both families."""
    discrete = np.asarray(data.discrete, bool)
    learned, score = method.learn(np.asfortranarray(data.values), discrete), kgv(data.values, discrete)
    graph = learned.cpdag if learned.dag is None else learned.dag
    assert graph is not None
    return real_metrics(score, graph, learned.kind, name)["kgv_gain"], kgv_gain(score, skeleton(graph))


def columns(
    seed: int, limits: Limits, *, methods: Names, records: Records = 1000, sigma: AboveZero = 0.35
) -> list[Record]:
    """Learn from one data set of the network `SHOWN_OF`, and return the thresholds of a few of its columns.

    Args:
        seed: of the run.
        limits: of the run of a method.
        methods: rows of methods.yaml that have thresholds.
        records: in the data set.
        sigma: standard deviation of the noise.

    Returns:
        A row per column of `SHOWN` and method: how the run ended (`status`, `message`), and its `thresholds` with
        spaces between them, None unless the status is ok; before them a row of `TRUE` with the thresholds between the
        codes, which alone has the `values` of the column.
    """
    known = {name: method_of(name, {}) for name in methods}
    warm_all(known.values(), limits)
    data, shown = simulate(seed, SHOWN_OF, 0, records, sigma), network(SHOWN_OF)
    runs = {
        name: supervise.call(_thresholds, made, data, wall=limits.wall, mb=limits.mb) for name, made in known.items()
    }
    rows: list[Record] = []
    for name in SHOWN:
        i = shown.variables.index(name)
        true, values = np.arange(1, len(shown.states[i])) - 0.5, data.values[:, data.order.tolist().index(i)]
        about: Record = {"variable": name}
        rows.append({**about, "method": TRUE, **_ended("ok", "", true), "values": _text(values)})
        for method, run in runs.items():
            cuts = None if run.value is None else run.value[i]
            rows.append({**about, "method": method, **_ended(run.status, run.message, cuts), "values": None})
    return rows


def _ended(status: str, message: str, cuts: np.ndarray | None) -> Record:
    return {"status": status, "message": message, "thresholds": None if cuts is None else _text(cuts)}


def _text(numbers: np.ndarray) -> str:
    return " ".join(f"{number:.6g}" for number in numbers)


def _thresholds(method: Method, data: Simulated) -> list[np.ndarray]:
    """Return the thresholds that a method learns, the variables in the order of the network."""
    found = method.learn(data.values, np.zeros(data.values.shape[1], bool)).thresholds
    assert found is not None
    return [found[place] for place in np.argsort(data.order)]


EXPERIMENTS: dict[str, Callable[..., list[Record]]] = {
    "readings": readings,
    "both_families": both_families,
    "columns": columns,
}
