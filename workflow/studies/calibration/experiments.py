"""Edge confidences and held-out likelihoods of simulated data sets beside the truth."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Annotated, Any

import numpy as np
from annotated_types import Ge, Gt, MinLen

from cutpoint.base.seeds import generator_for, seed_sequence
from cutpoint.bench.data.parquet import DataSet
from cutpoint.bench.evaluation.held_out import INNER, OWN, SHARED, TRUTH, HeldOutFold
from cutpoint.bench.simulation.density import around_codes, inside_intervals, log_density
from cutpoint.bench.simulation.intervals import draw_intervals, in_intervals
from cutpoint.bench.simulation.noise import code_thresholds, gaussian
from cutpoint.data.anonymous import canonical_order
from cutpoint.data.resampling import folds, redraw
from cutpoint.graphs.dags import numbered
from cutpoint.graphs.frequencies import EdgeFrequencies, edge_frequencies
from cutpoint.graphs.patterns import cpdag
from cutpoint.method.method import Method
from cutpoint.method.reordered import pattern
from cutpoint.method.rows import method_of
from cutpoint.networks.network import Network, network, sample
from cutpoint.networks.random_networks import random_network
from cutpoint.options import AtLeast1

STUDY = "calibration"
FAMILY = "random"  # a network of its own for every sample, with the sizes of Mabrouk et al. (2015), section 4
SD = (0.1, 0.5)  # of the values in the interval of a code, in lengths of the interval; ibidem
LIKELY = 0.5  # share of the resamples that have an adjacency from which on its direction is looked at
ALL_RECORDS = "none"
GENERATOR = "generator"  # in place of a graph: the density that the records were drawn from
AROUND, INSIDE = "around codes", "in intervals"
CHOSEN = "log_likelihood"
COLUMNS = (CHOSEN, *SHARED, OWN)
RESAMPLES: Mapping[str, Mapping[str, Any]] = {  # options of `cutpoint.data.resampling.redraw`
    "jackknife10": {"kind": "jackknife", "share": 0.1},
    "jackknife50": {"kind": "jackknife", "share": 0.5},
    "bootstrap": {"kind": "bootstrap"},
}

Record = dict[str, float | int | str | bool | None]
Names = Annotated[Sequence[str], MinLen(1)]
Sizes = Annotated[Sequence[Annotated[int, Ge(2)]], MinLen(1)]


def reliability(
    seed: int,
    *,
    methods: Names = ("eqfreq3", "friedman3", "steck3", "bach", "pc_fisherz"),
    networks: Names = (FAMILY, "asia", "sachs", "child", "insurance", "alarm"),
    samples: AtLeast1 = 6,
    records: Sizes = (200, 1000),
    resamples: AtLeast1 = 40,
) -> list[Record]:
    """Count how many pairs with each confidence are true adjacencies, and how many directions are right.

    A code becomes a value in an interval of its own, with a truncated normal density: the true graph is then one of
    the values too, as it would not be with noise that blurs the codes. Methods see the same resamples, and discretize
    each anew.

    Args:
        seed: of the run.
        methods: rows of methods.yaml that run in this process.
        networks: shipped ones, or "random" for random networks.
        samples: data sets of each network.
        records: sample sizes; the smaller samples are the first records of the largest.
        resamples: of each kind.

    Returns:
        A row per data set, size, method, kind of resample ("none" is the graph of all records, whose confidences are
        0 and 1), feature and confidence: the number of `pairs` and how many of them are `true`. See `features`.
    """
    rows: list[Record] = []
    known = {name: method_of(name, {}) for name in methods}
    for name in networks:
        for k in range(samples):
            dag, values = _data(seed, name, k, max(records))
            truth = cpdag(dag)
            for n in records:
                for kind, method, shares in _confidences(known, values[:n], resamples, (seed, STUDY, name, k, n)):
                    about: Record = {"network": name, "sample": k, "records": n, "method": method, "resample": kind}
                    rows += [
                        about | {"feature": feature, **level}
                        for feature, (confidence, true) in features(shares, truth).items()
                        for level in levels(confidence, true)
                    ]
    return rows


def _data(seed: int, name: str, k: int, records: int) -> tuple[np.ndarray, np.ndarray]:
    """Return a true graph and continuous records, the variables in random order."""
    source: Network = (
        random_network(seed_sequence(seed, STUDY, name, k, "network")) if name == FAMILY else network(name)
    )
    codes = sample(source, records, seed_sequence(seed, STUDY, name, k, "records"))
    rng = generator_for(seed, STUDY, name, k, "noise")
    values = in_intervals(codes, draw_intervals(source.cardinalities, rng, sd=SD), rng)
    order = generator_for(seed, STUDY, name, k, "columns").permutation(len(source.variables))
    return source.dag[np.ix_(order, order)], np.asfortranarray(values[:, order])


def _confidences(
    methods: Mapping[str, Method], values: np.ndarray, resamples: int, identity: tuple[Any, ...]
) -> Iterator[tuple[str, str, EdgeFrequencies]]:
    """Yield the kind of resample, the method and how often it joined each pair, the graph of all records first."""
    continuous = np.zeros(values.shape[1], bool)
    values = np.asfortranarray(values)
    names = numbered(len(continuous))
    seed, *purpose = identity
    for kind, draws in {ALL_RECORDS: 1, **dict.fromkeys(RESAMPLES, resamples)}.items():
        graphs: dict[str, list[Any]] = {name: [] for name in methods}
        rng, orders = generator_for(seed, *purpose, kind), generator_for(seed, *purpose, kind, "columns")
        for _ in range(draws):
            drawn, order = values, np.arange(len(continuous))
            if kind != ALL_RECORDS:
                drawn, order = redraw(values, continuous, rng, **RESAMPLES[kind]), orders.permutation(order)
            for name, method in methods.items():
                graphs[name].append(pattern(method, drawn, continuous, order, names))
        for name, patterns in graphs.items():
            yield kind, name, edge_frequencies(patterns)


def features(shares: EdgeFrequencies, truth: np.ndarray) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Return confidences and whether what they say is true, float64 [K] and bool [K], by feature.

    "adjacency": all pairs of variables; the share of the resamples that join them. "direction": both directions of the
    true adjacencies that at least half of the resamples have, so that only the direction is in question; the share
    that has this arc among the resamples that join the pair; true where the arc is compelled in the true CPDAG.

    Args:
        shares: of the resamples.
        truth: bool [n, n], the true CPDAG.
    """
    joined = truth | truth.T
    pairs = np.triu_indices(len(truth), 1)
    asked = joined & (shares.adjacent >= LIKELY)
    return {
        "adjacency": (shares.adjacent[pairs], joined[pairs]),
        "direction": (shares.directed[asked] / shares.adjacent[asked], (truth & ~truth.T)[asked]),
    }


def levels(confidence: np.ndarray, true: np.ndarray) -> list[Record]:
    """Return how many features have each confidence that occurs, and how many of these are true."""
    confidences, place = np.unique(confidence.round(9), return_inverse=True)
    counts = np.bincount(place, minlength=len(confidences)), np.bincount(place[true], minlength=len(confidences))
    return [
        {"confidence": float(level), "pairs": int(pairs), "true": int(right)}
        for level, pairs, right in zip(confidences, *counts, strict=True)
    ]


def likelihood(
    seed: int,
    *,
    methods: Names = ("eqfreq3", "friedman3", "steck3", "bach", "pc_fisherz"),
    networks: Names = ("asia", "sachs", "child"),
    samples: AtLeast1 = 4,
    records: AtLeast1 = 1000,
    sigma: Annotated[float, Gt(0)] = 0.35,
) -> list[Record]:
    """Judge graphs on new records as own data are judged, beside the true graph and the true density.

    Values stand around the codes of a network with normal noise, or in an interval of their own for each code. The true
    density is exact in both: the network's, summed over all codes. The true graph comes with the true thresholds. It is
    one of the codes: where these overlap, values are not quite independent given values, so that a denser graph may
    predict better.

    Args:
        seed: of the run.
        methods: rows of methods.yaml that run in this process.
        networks: shipped ones.
        samples: data sets of each network and kind of values.
        records: that are learned from; as many others are predicted.
        sigma: of the noise around codes.

    Returns:
        A row per data set and graph: gains over no edges in nats per record, `log_likelihood` under the evaluator that
        the training records chose, and under each; None of what there is not.
    """
    known = {name: method_of(name, {}) for name in methods}
    rows: list[Record] = []
    for name in networks:
        for values in (AROUND, INSIDE):
            for k in range(samples):
                about: Record = {"network": name, "values": values, "sample": k, "records": records}
                rows += [about | row for row in _judged(known, (seed, STUDY, name, values, k), records, sigma)]
    return rows


Simulated = tuple[np.ndarray, list[np.ndarray], list[np.ndarray]]


def _simulated(source: Network, identity: tuple[Any, ...], records: int, sigma: float) -> Simulated:
    """Return values, what each tells of its code (see `log_density`), and the true thresholds."""
    codes, rng = sample(source, records, seed_sequence(*identity, "records")), generator_for(*identity, "noise")
    if AROUND in identity:
        values = gaussian(codes, sigma, rng)
        emissions = around_codes(values, source.cardinalities.tolist(), sigma)
        return values, emissions, code_thresholds(source.cardinalities)
    intervals = draw_intervals(source.cardinalities, rng, sd=SD)
    values = in_intervals(codes, intervals, rng)
    return values, inside_intervals(values, intervals), [each.edges[1:-1] for each in intervals]


def _judged(methods: dict[str, Method], identity: tuple[Any, ...], records: int, sigma: float) -> list[Record]:
    seed, _, name, *_ = identity
    source = network(name)
    values, emissions, thresholds = _simulated(source, identity, 2 * records, sigma)
    true = float(log_density(source, emissions)[records:].sum())
    continuous = np.zeros(values.shape[1], bool)
    order = canonical_order(values, continuous)  # that of the fold
    values = values[:, order]
    inner = folds(records, INNER, seed, *identity[1:])
    held = np.arange(2 * records) >= records
    names = numbered(len(order))
    fold = HeldOutFold(DataSet(names, names, values, continuous, {}), held, inner, {}, {})
    dag = source.dag[np.ix_(order, order)]
    graphs = {TRUTH: fold.judged(cpdag(dag), [thresholds[i] for i in order])}
    for label, method in methods.items():
        learned = method.learn(np.asfortranarray(values[:records]), continuous)
        assert learned.cpdag is not None
        graphs[label] = fold.judged(learned.cpdag, learned.thresholds)
    graphs[GENERATOR] = {CHOSEN: true}
    alone = fold.about["independence"]
    return [
        {"graph": graph, **{name: (found[name] - alone) / records if name in found else None for name in COLUMNS}}
        for graph, found in graphs.items()
    ]


EXPERIMENTS: dict[str, Callable[..., list[Record]]] = {"reliability": reliability, "likelihood": likelihood}
