"""What is simulated: scores of all graphs, removals of thresholds, and how often the search finds the truth.

The thesis shows one sample of each and not its parameters. Networks with parameters that its numbers allow stand in
their place, and the samples say how far chance decides.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import product
from typing import Annotated, Any

import numpy as np
from annotated_types import Interval, MinLen
from cutpoint.bench.studies.tran2013.aggregation import MOST_VALUES, Aggregation, discretizations
from cutpoint.bench.studies.tran2013.graphs import GRAPHS, NODES, TRUE_GRAPH, Arc, adjacency, arcs

from cutpoint.base.seeds import generator_for
from cutpoint.bench.data.schemas import Reading
from cutpoint.learners import scores
from cutpoint.networks.network import Network, sample
from cutpoint.options import AtLeast1

STUDY = "tran2013"
Record = dict[str, float | int | str | bool | None]
ORIGINAL = 3  # values of a variable before its explosion
Counts = Annotated[Sequence[AtLeast1], MinLen(1)]
Values = Annotated[Sequence[Annotated[int, Interval(ge=ORIGINAL, le=MOST_VALUES)]], MinLen(1)]
# Columns of the scores: the function and its options. What is printed is full AIC and BIC, and MDL without the root's
# parameters.
SCORES: dict[str, tuple[Callable[..., scores.DiscreteScore], dict[str, Any]]] = {
    "aic": (scores.aic, {}),
    "aic_full": (scores.aic, {"parameters": "full"}),
    "bic": (scores.bic, {}),
    "bic_full": (scores.bic, {"parameters": "full"}),
    "mdl": (scores.mdl, {}),
    "mdl_rootless": (scores.mdl, {"root_parameters": False}),
}
# Parameters for Tables 2.3 and 3.1, fitted to the entropy and the information of each pair of nodes that print implies:
# value i of node 1 has a probability proportional to DECAY^i; a child copies it with this probability, or is random.
DECAY = 0.72105
COPIED = {"2": (0.33537,) * 6, "3": (0.07957,) * 3 + (0.73999,) * 3}
# Table 5.1: X1 -> X2, the three values of X1 exploded into six
PAIR = [("X1", "X2")]
ARC = adjacency(PAIR, ("X1", "X2"))
# The values of X1 are equally likely. X2 is the same with these probabilities, else one of the other two: fitted to
# DL_local of the full list and of both wrong removals in print.
SAME = (0.48810, 0.76587, 0.66381)
SHARES = (np.array([1 / 3, 2 / 3]), np.array([2 / 7, 4 / 7, 1 / 7]), np.array([1.0]))
# Where the exploded variable X stands; V, W, Z are its neighbours.
PLACES = {"parent": "X>V", "child": "V>X", "between parent and child": "V>X X>W", "one of two parents": "X>W Z>W"}
COPIES = 24  # of each record in an exact explosion
TIE = 1e-6  # information below this, in nats, counts as zero


def random_network(rng: np.random.Generator, pairs: Sequence[Arc], values: dict[str, int]) -> Network:
    """Return a network with random parameters: Dirichlet, the hyperparameters uniform on [0, 5] (Tran 2013, 2.4).

    pairs: the arcs; values: number of values by node, in the order of the variables.
    """
    nodes = tuple(values)
    parents = [tuple(nodes.index(a) for a, b in pairs if b == node) for node in nodes]
    shapes = [(*(values[nodes[p]] for p in pa), values[node]) for node, pa in zip(nodes, parents, strict=True)]
    tables = [rng.dirichlet(rng.uniform(0, 5, shape[-1]), shape[:-1]) for shape in shapes]
    states = tuple(tuple(str(k + 1) for k in range(values[node])) for node in nodes)
    return Network("random", nodes, states, tuple(parents), tuple(tables))


def fitted_network() -> Network:
    """Return graph 8 with parameters that give the scores in print."""
    share = DECAY ** np.arange(6)
    mixed = {node: np.array(copied)[:, None] for node, copied in COPIED.items()}
    children = [copied * np.eye(6) + (1 - copied) / 6 for copied in mixed.values()]
    states = (tuple("123456"),) * 3
    return Network("fitted", NODES, states, ((), (0,), (0,)), (share / share.sum(), *children))


def chosen_network() -> Network:
    """Return X1 -> X2 before the explosion, with parameters that give DL_local in print."""
    same = np.array(SAME)[:, None]
    tables = (np.full(ORIGINAL, 1 / ORIGINAL), np.where(np.eye(ORIGINAL, dtype=bool), same, (1 - same) / 2))
    return Network("chosen", ("X1", "X2"), (tuple("123"),) * 2, ((), (0,)), tables)


def explode(rng: np.random.Generator, column: np.ndarray, shares: Sequence[np.ndarray]) -> np.ndarray:
    """Return a column whose values are replaced by draws from finer, consecutive ones (Tran 2013, 4.2.2).

    column: int [N], values 0..r-1; shares: the probabilities of the finer values, by value.
    """
    inner = [i + np.cumsum(part)[:-1] for i, part in enumerate(shares)]
    ends = np.sort(np.concatenate([*inner, np.arange(1.0, len(shares))]))
    return np.searchsorted(ends, column + rng.random(len(column)), side="right")


def copies(column: np.ndarray, counts: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Return the records that an exact explosion repeats, and their finer values.

    Every record is repeated as often; of the copies of value i, counts[i][s] get its s-th finer value, so that the
    counts are exactly proportional.

    column: int [N], values 0..r-1; counts: positive integers with the same sum for every value.
    """
    first = np.cumsum([0, *map(len, counts)])
    finer = np.array([np.repeat(first[i] + np.arange(len(part)), part) for i, part in enumerate(counts)])
    return np.repeat(np.arange(len(column)), finer.shape[1]), finer[column].ravel()


def true_thresholds(sizes: Sequence[int] | np.ndarray) -> np.ndarray:
    """Return which thresholds between the finer values part two original ones, bool [m - 1]."""
    return np.diff(np.repeat(np.arange(len(sizes)), sizes)) > 0


def groups_text(keep: np.ndarray) -> str:
    """Return "12|3" for the thresholds that a discretization of the values 1, 2, .. keeps."""
    return "1" + "".join(f"|{value}" if kept else str(value) for value, kept in enumerate(keep, 2))


def graph_scores(seed: int, *, records: AtLeast1 = 100_000, samples: AtLeast1 = 20) -> list[Record]:
    """Score the 25 graphs on samples of graph 8 with six values a node (Tables 2.3, 3.1).

    As many samples have `drawn` parameters of their own, as in the thesis, as have those `fitted` to its scores.

    Returns:
        A row per kind of parameters, sample and graph, with the scores as they are printed: the lower the better.
    """
    rows: list[Record] = []
    graphs = [adjacency(pairs) for pairs in GRAPHS]
    for parameters, k in product(("drawn", "fitted"), range(samples)):
        drawn = parameters == "drawn"
        rng = generator_for(seed, STUDY, "graph_scores", *([] if drawn else [parameters]), k)
        network = random_network(rng, GRAPHS[TRUE_GRAPH - 1], dict.fromkeys(NODES, 6)) if drawn else fitted_network()
        codes = sample(network, records, rng)
        values = {
            name: _printed(make(codes, network.cardinalities, **options), graphs, name)
            for name, (make, options) in SCORES.items()
        }
        about: Record = {"parameters": parameters, "sample": k}
        rows += [about | {"graph": i + 1} | {name: values[name][i] for name in values} for i in range(len(graphs))]
    return rows


def _printed(score: scores.DiscreteScore, graphs: Sequence[np.ndarray], name: str) -> list[float]:
    """Return the scores of graphs with the sign and the factor of the thesis."""
    factor = -1.0 if name.startswith("mdl") else -2.0

    @cache
    def family(child: int, parents: tuple[int, ...]) -> float:
        return score.family(child, np.array(parents, int))

    return [factor * math.fsum(family(i, tuple(np.flatnonzero(dag[:, i]))) for i in range(score.n)) for dag in graphs]


def removals(seed: int, *, records: AtLeast1 = 100_000, samples: AtLeast1 = 20) -> list[Record]:
    """Compute DL_local of all discretizations of X1 in X1 -> X2, exploded from three values (Tran 2013, Table 5.1).

    The thesis chose the parameters, and so does this: see `chosen_network`.

    Returns:
        A row per sample and discretization, with DL_local in bits: `dl_full` with r parameters per configuration as
        printed, `dl_free` with r - 1 as in (3.13).
    """
    rows: list[Record] = []
    levels = np.array([sum(map(len, SHARES)), 3])
    for k in range(samples):
        rng = generator_for(seed, STUDY, "removals", k)
        codes = sample(chosen_network(), records, rng)
        codes[:, 0] = explode(rng, codes[:, 0], SHARES)
        full, free = (
            Aggregation(codes, levels, ARC, 0, base=2.0, parameters=kind).lengths() for kind in ("full", "free")
        )
        rows += [
            {"sample": k, "discretization": groups_text(keep), "dl_full": float(a), "dl_free": float(b)}
            for keep, a, b in zip(discretizations(int(levels[0])), full, free, strict=True)
        ]
    return rows


def explosions(
    seed: int,
    *,
    records: AtLeast1 = 1000,
    values: Values = (4, 6, 8, 10),
    weights: Counts = (1, 10, 100, 1000, 10_000),
    samples: AtLeast1 = 10,
) -> list[Record]:
    """Run the one-pass search on counts that are exactly proportional, and list all discretizations.

    The thesis proves that the search is right for enough records, so that the same proportions are taken of more and
    more of them. Tables in which neighbouring original values are not distinct are drawn again.

    values: of the exploded variable, numbers m from 3 to 16; weights: how often the records count; samples: tables of
    each m and place of the variable.

    Returns:
        A row per table and weight: the place of the variable in the graph, m, all records, the comparisons made, and
        whether the search found the true discretization (`recovered`), and the smallest DL_local of all 2^(m-1)
        (`optimal`).
    """
    rows: list[Record] = []
    for place, m, k in product(PLACES, values, range(samples)):
        codes, dag, true = _exploded(generator_for(seed, STUDY, "explosions", place, m, k), PLACES[place], m, records)
        for weight in weights:
            aggregation = Aggregation(codes, codes.max(0) + 1, dag, 0, weight=weight)
            kept = aggregation.one_pass()
            rows.append({
                "place": place, "values": m, "sample": k, "records": weight * len(codes), "comparisons": len(kept),
                "recovered": bool((kept == true).all()), "optimal": aggregation.is_shortest(kept),
            })  # fmt: skip
    return rows


def _exploded(rng: np.random.Generator, text: str, m: int, records: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return codes [N, n] whose first column is exploded into m values, the graph, and the true thresholds."""
    pairs = arcs(text)
    nodes = ["X", *sorted({node for arc in pairs for node in arc} - {"X"})]
    distinct = False
    while not distinct:
        network = random_network(rng, pairs, dict.fromkeys(nodes, ORIGINAL))
        codes = sample(network, records, rng)
        original = Aggregation(codes, network.cardinalities, network.dag, 0)
        distinct = len(original.values) == ORIGINAL and bool((original.losses() > TIE).all())
    sizes = _composition(rng, m, ORIGINAL)
    chosen, finer = copies(codes[:, 0], [_composition(rng, COPIES, size) for size in sizes])
    codes = codes[chosen]
    codes[:, 0] = finer
    return codes, network.dag, true_thresholds(sizes)


def _composition(rng: np.random.Generator, total: int, parts: int) -> np.ndarray:
    """Return random positive integers with a sum."""
    return np.diff(np.concatenate([[0], np.sort(rng.choice(total - 1, parts - 1, replace=False)) + 1, [total]]))


def recovery(
    seed: int,
    *,
    records: Counts = (100, 300, 1000, 3000, 10_000, 30_000, 100_000),
    values: Values = (4, 6, 8, 10, 12),
    samples: AtLeast1 = 200,
) -> list[Record]:
    """Count how often the true discretization is found on sampled data of X1 -> X2, exploded from three values.

    The smaller samples are the first records of the largest; each has its own parameters. values: numbers m, 3 to 16.

    Returns:
        A row per m and sample size: how often one pass, iterated removal and the smallest DL_local of all (`optimum`)
        are the truth.
    """
    rows: list[Record] = []
    for m in values:
        hits = np.array([list(_recovered(seed, m, k, records)) for k in range(samples)])
        for n, counts in zip(records, hits.sum(0), strict=True):
            about: Record = {"values": m, "records": n, "samples": samples}
            rows.append(about | dict(zip(("onepass", "iterated", "optimum"), map(int, counts), strict=True)))
    return rows


def _recovered(seed: int, m: int, k: int, records: Sequence[int]) -> Iterator[tuple[bool, ...]]:
    """Yield for each sample size whether each search finds the truth among the values that occur."""
    rng = generator_for(seed, STUDY, "recovery", m, k)
    codes = sample(random_network(rng, PAIR, {"X1": 3, "X2": 3}), max(records), rng)
    sizes = _composition(rng, m, ORIGINAL)
    codes[:, 0] = explode(rng, codes[:, 0], [rng.dirichlet(np.ones(size)) for size in sizes])
    original = np.repeat(np.arange(len(sizes)), sizes)
    for n in records:
        aggregation = Aggregation(codes[:n], np.array([m, 3]), ARC, 0)
        true = np.diff(original[aggregation.values]) > 0
        best = discretizations(len(aggregation.values))[aggregation.lengths().argmin()]
        yield tuple(bool((kept == true).all()) for kept in (aggregation.one_pass(), aggregation.iterated(), best))


def readings(seed: int, *, records: AtLeast1 = 100_000, samples: AtLeast1 = 20) -> list[Record]:
    """Count parameters and draw networks for Tables 2.3, 3.1 and 5.1 under other readings of the thesis.

    Returns:
        A row per supposition: `published`, `ours` and ours as `supposed`, means over samples.
    """
    states = fitted_network().cardinalities
    free, full = (int(of.sum()) for of in (states - 1, states))
    counted = (1041057.317 - 1040886.085) / (math.log(records) - 2)  # BIC less AIC of graph 1, which has no arcs
    text = "Tables 2.3 and 3.1, parameters of graph 1: r for each parent configuration, not r - 1"
    rows = [Reading(text, counted, free, full)]
    lengths = np.zeros((samples, 2, 2))
    for k in range(samples):
        rng = generator_for(seed, STUDY, "readings", k)
        for i, network in enumerate((chosen_network(), random_network(rng, PAIR, {"X1": 3, "X2": 3}))):
            lengths[k, i] = _full_and_true(network, records, rng)
    chosen, drawn = lengths.mean(0)
    for i, (name, published) in enumerate({"full list": -29841.52, "true discretization": -29929.17}.items()):
        text = f"Table 5.1, DL local of the {name}: parameters are drawn, not chosen"
        rows.append(Reading(text, published, float(chosen[i]), float(drawn[i])))
    return [row.over(samples) for row in rows]


def _full_and_true(network: Network, records: int, rng: np.random.Generator) -> list[float]:
    """Return DL_local with r parameters, as printed, of the full list and of the true one, of the values that occur."""
    codes = sample(network, records, rng)
    codes[:, 0] = explode(rng, codes[:, 0], SHARES)
    sizes = [len(share) for share in SHARES]
    aggregation = Aggregation(codes, np.array([sum(sizes), 3]), ARC, 0, base=2.0, parameters="full")
    original, lengths = np.repeat(np.arange(len(sizes)), sizes)[aggregation.values], aggregation.lengths()
    kept = discretizations(len(original))
    return [float(lengths[(kept == keep).all(1)][0]) for keep in (True, np.diff(original) > 0)]


EXPERIMENTS: dict[str, Callable[..., list[Record]]] = {
    "graph_scores": graph_scores,
    "removals": removals,
    "explosions": explosions,
    "recovery": recovery,
    "readings": readings,
}
