"""Edge confidences of simulated data sets beside the truth."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Annotated, Any

import numpy as np
from annotated_types import Ge, MinLen

from cutpoint.base.seeds import generator_for, seed_sequence
from cutpoint.bench.simulation.intervals import draw_intervals, in_intervals
from cutpoint.data.resampling import redraw
from cutpoint.graphs.dags import numbered
from cutpoint.graphs.frequencies import EdgeFrequencies, edge_frequencies
from cutpoint.graphs.patterns import cpdag
from cutpoint.method.method import Method
from cutpoint.method.rows import method_of
from cutpoint.networks.network import Network, network, sample
from cutpoint.networks.random_networks import random_network
from cutpoint.options import AtLeast1

STUDY = "calibration"
FAMILY = "random"  # a network of its own for every sample, with the sizes of Mabrouk et al. (2015), section 4
SD = (0.1, 0.5)  # of the values in the interval of a code, in lengths of the interval; ibidem
LIKELY = 0.5  # share of the resamples that have an adjacency from which on its direction is looked at
# In place of a kind of resample; and variables, at most, for the latter: where the posterior draws graphs exactly
ALL_RECORDS, ITSELF, LARGEST = "none", "itself", 12
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
    sure: Sequence[str] = (),
    networks: Names = (FAMILY, "asia", "sachs", "child", "insurance", "alarm"),
    samples: AtLeast1 = 6,
    records: Sizes = (200, 1000),
    resamples: AtLeast1 = 40,
) -> list[Record]:
    """Count how many pairs with each confidence are true adjacencies, and how many directions are right.

    A code becomes a value in an interval of its own, with a truncated normal density: the true graph is then one of
    the values too, as it would not be with noise that blurs the codes. All methods discretize the same resamples.

    sure: methods whose own votes or draws count too, of few variables; networks: shipped ones, or "random" for one a
    sample; records: sample sizes, the smaller samples are the first records of the largest; resamples: of each kind.

    Returns:
        A row per data set, size, method, kind of resample ("none" is the graph of all records, whose confidences are
        0 and 1, "itself" what a method says), feature and confidence: the number of `pairs` and how many of them are
        `true`. See `features`.
    """
    rows: list[Record] = []
    by_name, alone = ({name: method_of(name, {}) for name in names} for names in (methods, sure))
    for name in networks:
        for k in range(samples):
            dag, values = _data(seed, name, k, max(records))
            truth = cpdag(dag)
            for n in records:
                for kind, method, shares in _confidences(
                    by_name, alone, values[:n], resamples, (seed, STUDY, name, k, n)
                ):
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
    methods: Mapping[str, Method], sure: Mapping[str, Method], values: np.ndarray, resamples: int, identity: tuple
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
                graphs[name].append(method.pattern(drawn, continuous, order, names))
        for name, patterns in graphs.items():
            yield kind, name, edge_frequencies(patterns)
    for name, method in sure.items() if len(names) <= LARGEST else ():
        said = method.learn(values, continuous, variables=names).uncertainty
        if said is not None and said.edges is not None:
            yield ITSELF, name, said.edges


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
    likely = joined & (shares.adjacent >= LIKELY)
    return {
        "adjacency": (shares.adjacent[pairs], joined[pairs]),
        "direction": (shares.directed[likely] / shares.adjacent[likely], (truth & ~truth.T)[likely]),
    }


def levels(confidence: np.ndarray, true: np.ndarray) -> list[Record]:
    """Return how many features have each confidence that occurs, and how many of these are true."""
    confidences, place = np.unique(confidence.round(9), return_inverse=True)
    counts = np.bincount(place, minlength=len(confidences)), np.bincount(place[true], minlength=len(confidences))
    return [
        {"confidence": float(level), "pairs": int(pairs), "true": int(right)}
        for level, pairs, right in zip(confidences, *counts, strict=True)
    ]


EXPERIMENTS: dict[str, Callable[..., list[Record]]] = {"reliability": reliability}
