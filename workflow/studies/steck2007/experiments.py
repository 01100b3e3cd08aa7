"""The computations behind Figures 1 to 5 and claim S9, and on real data what the sample size and the jackknife change.

Scores of toy data are differences to one level per variable. The exact optimum is the best that coordinate ascent
reaches from several starts, each step of which is exact; the greedy one is what the paper's search comes to.

Experiments on toy data take

    seed: of the run;
    samples: the number of data sets, of each kind where there are several;
    ess: the equivalent sample size, or several;
    max_levels: the most levels of a variable;
    starts: of the exact search, see `optimum`.

Those on real data, `ess` and `deletes`, learn in child processes with the limits, from the first of `datasets` that
could be had, by the one row of `methods`. Their rows say how that ended (`status`, `message`); numbers are None
unless the status is ok.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Annotated, Any

import numpy as np
from annotated_types import Ge, Interval, Len, MinLen
from cutpoint.bench.studies.steck2007 import toy
from cutpoint.bench.studies.steck2007.optimise import optimise_levels
from cutpoint.bench.studies.steck2007.toy import STUDY, Toy
from scipy.special import gammaln

from cutpoint.base.seeds import generator_for, seed_sequence
from cutpoint.bench.data.schemas import Reading
from cutpoint.bench.data.status import OK
from cutpoint.bench.engine.datasets import Data
from cutpoint.bench.runs import supervise
from cutpoint.bench.runs.runner import Limits, warm_all
from cutpoint.data import resampling
from cutpoint.discretization.binning import equal_frequency
from cutpoint.discretization.encoding import cardinalities, encode
from cutpoint.discretization.exact import Exact
from cutpoint.discretization.loop import Discretization, Neighbourhood, learn_discretization
from cutpoint.discretization.objectives import policy_score
from cutpoint.graphs.dags import skeleton
from cutpoint.kernels.blankets import STECK
from cutpoint.method.method import Method
from cutpoint.method.rows import method_of
from cutpoint.options import AboveZero, AtLeast1

Record = dict[str, float | int | str | bool | None]
Thresholds = list[np.ndarray]
AtLeast2 = Annotated[int, Ge(2)]
SampleSizes = Annotated[Sequence[AboveZero], MinLen(1)]  # equivalent
Counts = Annotated[Sequence[AtLeast1], MinLen(1)]
Names = Annotated[Sequence[str], MinLen(1)]
OneName = Annotated[Sequence[str], Len(1, 1)]
Clusters = Annotated[Sequence[Annotated[int, Interval(ge=1, le=toy.MOST)]], MinLen(1)]
RISE = 1e-6
NONE = [np.empty(0), np.empty(0)]
FREE = np.zeros(2, bool)  # no variable is discrete
# Strictly monotone functions of one variable
TRANSFORMATIONS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "exponential": np.exp,
    "cube": lambda x: x**3,
    "logistic": lambda x: 1 / (1 + np.exp(-x)),
    "reversed": lambda x: -x,
}


def score(data: Toy, thresholds: Sequence[np.ndarray], ess: float) -> float:
    """Return L_P minus that of one level per variable, which is -ln Gamma(N) for each."""
    rows, n = data.values.shape
    return policy_score(data.values, thresholds, data.dag, "steck", ess=ess) + n * float(gammaln(rows))


def quantiles(data: Toy, levels: int) -> Thresholds:
    """Return thresholds at quantiles, the same number of levels for both variables."""
    return equal_frequency(data.values, FREE, bins=levels)


def optimum(data: Toy, *, ess: float, max_levels: int, starts: int) -> tuple[Thresholds, float]:
    """Return thresholds with any number of levels, and their score.

    Args:
        data: points and graph.
        ess: equivalent sample size.
        max_levels: the most levels of a variable.
        starts: quantiles with 2, 3, .. levels from which variables are optimised in turn; the first of the best wins.
    """
    method = Exact(data.values, FREE, STECK, ess=ess, max_levels=max_levels)
    best, highest = list(NONE), 0.0
    for levels in range(2, 2 + starts):
        policy = Discretization(data.values, quantiles(data, levels))
        learn_discretization(method, Neighbourhood(data.dag), policy, range(len(FREE)))
        reached = score(data, policy.thresholds, ess)
        if reached > highest + RISE:
            best, highest = policy.thresholds, reached
    return best, highest


def fixed(
    data: Toy, levels: int, *, ess: float, starts: int, sample: object, seed: int, greedy: bool = False
) -> Thresholds:
    """Return thresholds with the same number of levels for both variables; see `optimise_levels`."""
    draws = int(seed_sequence(seed, STUDY, "starts", sample, levels).generate_state(1)[0])
    return optimise_levels(
        data.values, data.dag, [levels] * len(FREE), "steck", ess=ess, starts=starts, seed=draws, greedy=greedy
    )[0]


def clusters(
    seed: int,
    *,
    clusters: Clusters = tuple(range(2, toy.MOST + 1)),
    levels: Counts = tuple(range(2, toy.MOST + 1)),
    samples: AtLeast1 = 10,
    ess: AboveZero = 3.0,
    starts: AtLeast1 = 20,
) -> list[Record]:
    """Score discretizations of clusters on the diagonal by their number of levels (Figure 2).

    Args:
        clusters: how many there are in a panel, 1 to 10.
        levels: of both variables.

    Returns:
        A row per sample, number of clusters and of levels, with the scores of optimised thresholds, `exact` and
        `greedy`, and of thresholds at quantiles.
    """
    rows: list[Record] = []
    for sample in range(samples):
        for k in clusters:
            data = toy.diagonal(seed, sample, k)
            for r in levels:
                exact = fixed(data, r, ess=ess, starts=starts, sample=(sample, k), seed=seed)
                greedy = fixed(data, r, ess=ess, starts=1, sample=(sample, k), seed=seed, greedy=True)
                rows.append({
                    "sample": sample, "clusters": k, "levels": r,
                    "exact": score(data, exact, ess),
                    "greedy": score(data, greedy, ess),
                    "quantile": score(data, quantiles(data, r), ess),
                })  # fmt: skip
    return rows


def dependence(
    seed: int, *, samples: AtLeast1 = 50, ess: AboveZero = 3.0, max_levels: AtLeast2 = 6, starts: AtLeast1 = 8
) -> list[Record]:
    """Discretize independent and dependent clusters into two levels (Figure 3).

    Returns:
        A row per sample, panel and variable: the threshold of two levels, how many records are `below` it and how
        many stand on the `wrong` side of it, by the clusters of the variable; the number of levels of the optimum
        (`free`, at most `max_levels`), and by how much the best three levels of both variables are above
        the best two (`third`).
    """
    rows: list[Record] = []
    for sample in range(samples):
        for panel, data in toy.dependence(seed, sample).items():
            two, three = (fixed(data, r, ess=ess, starts=starts, sample=sample, seed=seed) for r in (2, 3))
            third = score(data, three, ess) - score(data, two, ess)
            free, _ = optimum(data, ess=ess, max_levels=max_levels, starts=max_levels - 1)
            for i in range(2):
                above = data.values[:, i] >= two[i][0]
                wrong = int((above != data.clusters[:, i].astype(bool)).sum())
                wrong = min(wrong, len(above) - wrong)
                rows.append({
                    "sample": sample, "panel": panel, "variable": i, "records": len(above),
                    "threshold": float(two[i][0]), "below": int((~above).sum()), "wrong": wrong,
                    "free": len(free[i]) + 1, "max_levels": max_levels, "third": third,
                })  # fmt: skip
    return rows


def overlap(
    seed: int,
    *,
    samples: AtLeast1 = 50,
    ess: SampleSizes = tuple(range(1, 11)),
    max_levels: AtLeast2 = 10,
    starts: AtLeast1 = 5,
) -> list[Record]:
    """Discretize overlapping clusters under different priors (Figure 4).

    Returns:
        A row per sample and equivalent sample size: the highest score, the levels of both variables and the
        thresholds of Y0 and Y1, parted by blanks.
    """
    rows: list[Record] = []
    for sample in range(samples):
        data = toy.overlapping(seed, sample)
        for alpha in ess:
            thresholds, reached = optimum(data, ess=alpha, max_levels=max_levels, starts=starts)
            rows.append({
                "sample": sample, "ess": float(alpha), "score": reached,
                **{f"levels{i}": len(cuts) + 1 for i, cuts in enumerate(thresholds)},
                **{f"thresholds{i}": " ".join(f"{cut:.6g}" for cut in cuts) for i, cuts in enumerate(thresholds)},
            })  # fmt: skip
    return rows


def sizes(
    seed: int,
    *,
    samples: AtLeast1 = 10,
    records: Counts = (10, 20, 30, 50, 100, 200, 400, 800),
    ess: SampleSizes = (1.0, 3.0),
    max_levels: AtLeast2 = 10,
    starts: AtLeast1 = 5,
) -> list[Record]:
    """Discretize samples of different size of a bivariate normal distribution (Figure 5).

    Args:
        records: sample sizes.

    Returns:
        A row per equivalent sample size, sample size and sample: the highest score and the levels of both
        variables; the variables are `independent` where nothing is above one level per variable.
    """
    rows: list[Record] = []
    for alpha in ess:
        for n in records:
            for sample in range(samples):
                data = toy.normal(seed, sample, n)
                thresholds, reached = optimum(data, ess=alpha, max_levels=min(max_levels, n), starts=starts)
                rows.append({
                    "ess": float(alpha), "records": n, "sample": sample, "score": reached,
                    **{f"levels{i}": len(cuts) + 1 for i, cuts in enumerate(thresholds)},
                    "independent": bool(reached <= RISE),
                })  # fmt: skip
    return rows


def graphs(
    seed: int,
    limits: Limits,
    *,
    methods: Names,
    samples: AtLeast1 = 60,
    records: Annotated[Sequence[AtLeast2], MinLen(1)] = (10, 20, 25, 30, 50, 100),
) -> list[Record]:
    """Count how often two correlated normal variables are learned as independent (Figure 5).

    Unlike in `sizes`, the graph is learned with the thresholds. All samples of a method, a row of methods.yaml, and a
    size are learned from in one child process with the limits.

    Returns:
        A row per method and sample size: how it ended (`status`, `message`), and of how many `samples` the graph has
        no edge (`independent`), None unless the status is ok.
    """
    by_name = {name: method_of(name, {}) for name in methods}
    warm_all(by_name.values())
    rows: list[Record] = []
    for name, method in by_name.items():
        for n in records:
            data = [toy.normal(seed, sample, n).values for sample in range(samples)]
            run = supervise.call(_count_empty, method, data, seconds=limits.seconds, mb=limits.mb)
            rows.append({
                "method": name, "records": n, "status": run.status, "message": run.message, "samples": samples,
                "independent": run.value,
            })  # fmt: skip
    return rows


def _count_empty(method: Method, data: Sequence[np.ndarray]) -> int:
    """Return from how many data sets a method learns a graph without edges."""
    return sum(not np.any(method.learn(np.asfortranarray(values), FREE).cpdag) for values in data)


def invariance(
    seed: int, *, samples: AtLeast1 = 3, ess: AboveZero = 3.0, max_levels: AtLeast2 = 6, starts: AtLeast1 = 3
) -> list[Record]:
    """Score the data of Figure 4 before and after strictly monotone transformations and another order (claim S9).

    Returns:
        A row per sample and change: by how much L_P of the same thresholds (`policy`) and the highest L_P (`optimum`)
        have changed.
    """
    rows: list[Record] = []
    for sample in range(samples):
        data = toy.overlapping(seed, sample)
        thresholds, reached = optimum(data, ess=ess, max_levels=max_levels, starts=starts)
        order = np.random.default_rng(seed_sequence(seed, STUDY, "invariance", sample)).permutation(len(data.values))
        changed = {"order of the records": (Toy(data.values[order], data.dag, data.clusters[order]), thresholds)}
        for name, function in TRANSFORMATIONS.items():
            moved = Toy(function(data.values), data.dag, data.clusters)
            changed[name] = moved, [np.sort(function(cuts)) for cuts in thresholds]
        for name, (other, same) in changed.items():
            highest = optimum(other, ess=ess, max_levels=max_levels, starts=starts)[1]
            rows.append({
                "sample": sample, "change": name, "policy": score(other, same, ess) - reached,
                "optimum": highest - reached,
            })  # fmt: skip
    return rows


def readings(seed: int, *, samples: AtLeast1 = 20, records: AtLeast2 = 25, starts: AtLeast1 = 8) -> list[Record]:
    """Score and learn toy data under other readings of the paper, 5 clusters of Figure 2 and samples of Figure 5.

    Returns:
        A row per supposition: `published`, `ours` and ours as `supposed`, means over samples.
    """
    five, ess = [toy.diagonal(seed, k, 5) for k in range(samples)], 3.0
    greedy = partial(fixed, levels=6, ess=ess, starts=1, seed=seed, greedy=True)
    six = [score(data, greedy(data, sample=(k, 5)), ess) for k, data in enumerate(five)]
    rows: list[Reading] = []
    for what, place in {"one cluster": 0, "two clusters": -2}.items():
        apart = [score(data, extra_levels(data, place), ess) for data in five]
        text = f"Figure 2, five clusters, six levels: the extra ones hold two records, of {what}"
        rows.append(Reading(text, 776.5, float(np.mean(six)), float(np.mean(apart))))
    for other in (1.0, 2.0, 4.0):
        ours, supposed = (score(five[0], quantiles(five[0], 5), alpha) for alpha in (ess, other))
        text = f"Figure 2, five clusters, five levels: alpha is {other:g}, not 3"
        rows.append(Reading(text, 783.9, ours, supposed))
    normal = [toy.normal(seed, k, records) for k in range(samples)]
    best = [optimum(data, ess=ess, max_levels=6, starts=starts)[1] <= RISE for data in normal]
    for method in ("steck2", "steck3"):
        alone = _count_empty(method_of(method, {}), [data.values for data in normal]) / samples
        text = f"Figure 5, share without an edge, N = {records}: the graph is learned too, from {method[-1]} levels on"
        rows.append(Reading(text, 1.0, float(np.mean(best)), alone))
    return [row.over(samples) for row in rows]


def extra_levels(data: Toy, place: int) -> Thresholds:
    """Return six levels: the five clusters, the lowest record of Y0, and the lowest (0) or highest (-2) of Y1."""
    lowest, other = (np.sort(column)[at : at + 2 or None] for column, at in zip(data.values.T, (0, place), strict=True))
    cuts = zip(quantiles(data, 5), (lowest, other), strict=True)
    return [np.sort(np.append(five, pair.mean())) for five, pair in cuts]


def ess(
    seed: int,
    data: Mapping[str, Data],
    limits: Limits,
    *,
    datasets: Names,
    methods: OneName,
    sizes: SampleSizes = (1.0, 3.0, 10.0, 15.0, 25.0, 40.0, 60.0, 100.0, 150.0, 250.0),
    folds: AtLeast2 = 5,
) -> list[Record]:
    """Return the log `score` per held-out record by equivalent sample size, `ess`, and fold, the `sample`."""
    used, rows = _first(data, datasets), list[Record]()
    for size in sizes:
        learner = method_of(methods[0], {"ess": size})
        ended, found = _run(used, limits, learner, _held_out_scores, size, folds, seed)
        scores = found or [None] * folds
        rows += [{**ended, "ess": float(size), "sample": k, "score": each} for k, each in enumerate(scores)]
    return rows


def deletes(
    seed: int,
    data: Mapping[str, Data],
    limits: Limits,
    *,
    datasets: Names,
    methods: OneName,
    delete: Counts = (1, 30, 64),
    samples: AtLeast1 = 100,
) -> list[Record]:
    """Return edges and levels of each variable, `value` of `what`, by how many records a sample leaves out."""
    used, rows = _first(data, datasets), list[Record]()
    names = "edges", "edges that all records give too", *used.variables
    for count in delete:
        ended, found = _run(used, limits, method_of(methods[0], {}), _jackknifed, count, samples, seed)
        numbers = found or [[None] * len(names)] * samples
        rows += [
            {**ended, "delete": count, "sample": k, "what": what, "value": value}
            for k, each in enumerate(numbers)
            for what, value in zip(names, each, strict=True)
        ]
    return rows


def _first(data: Mapping[str, Data], datasets: Names) -> Data:
    """Return the first data set that could be had, the last one where there is none."""
    return next((data[name] for name in datasets if data[name].status == OK), data[datasets[-1]])


def _run(data: Data, limits: Limits, learner: Method, function: Callable, *options: Any) -> tuple[Record, Any]:
    """Return how a function of data and learner ended, and what it returned if it did."""
    if data.status != OK:
        return {"dataset": data.name, "status": data.status, "message": data.message}, None
    warm_all([learner])
    run = supervise.call(function, data, learner, *options, seconds=limits.seconds, mb=limits.mb)
    return {"dataset": data.name, "status": run.status, "message": run.message}, run.value


def _held_out_scores(data: Data, learner: Method, ess: float, folds: int, seed: int) -> list[float]:
    parts, scores = resampling.folds(len(data.values), folds, seed, STUDY, data.name, "ess"), []
    for test in (parts == k for k in range(folds)):
        dag, thresholds = _learned(learner, data.values[~test], data.discrete)
        scores.append(log_density(data, test, dag, thresholds, ess) / int(test.sum()))
    return scores


def _learned(learner: Method, values: np.ndarray, discrete: np.ndarray) -> tuple[np.ndarray, Thresholds]:
    learned = learner.learn(np.asfortranarray(values), discrete)
    assert learned.dag is not None
    assert learned.thresholds is not None
    return learned.dag, learned.thresholds


def log_density(data: Data, test: np.ndarray, dag: np.ndarray, thresholds: Thresholds, ess: float) -> float:
    """Return the log score of test records, bool [N], given the others (Steck and Jaakkola 2007, Eq. 3 to 5).

    The probability of a record's levels is the mean of its Dirichlet posterior. That of a level is divided evenly
    among the training records in it; the density between these is the same for all thresholds and left out.
    """
    codes, levels, total = encode(data.values, thresholds), cardinalities(thresholds), 0.0
    for i, r in enumerate(levels.tolist()):
        parents = np.flatnonzero(dag[:, i])
        prior = ess / float(np.prod(levels[parents], dtype=float))
        families = np.column_stack([np.zeros(len(codes)), codes[:, parents]])
        joint = np.unique(families, axis=0, return_inverse=True)[1].reshape(-1)  # configurations that occur
        counts = np.zeros((joint.max() + 1, r))
        np.add.at(counts, (joint[~test], codes[~test, i]), 1)
        of_parents, code = counts[joint[test]], codes[test, i]
        total += np.log((prior / r + counts[joint[test], code]) / (prior + of_parents.sum(1))).sum()
        total -= 0.0 if data.discrete[i] else np.log(np.maximum(counts.sum(0)[code], 1)).sum()
    return float(total)


def _jackknifed(data: Data, learner: Method, delete: int, samples: int, seed: int) -> list[list[float]]:
    """Return the numbers of `deletes` by sample."""
    whole, rows = skeleton(_learned(learner, data.values, data.discrete)[0]), []
    for k in range(samples):
        rng = generator_for(seed, STUDY, data.name, "deletes", delete, k)
        values = resampling.redraw(data.values, data.discrete, rng, kind="jackknife", delete=delete)
        dag, thresholds = _learned(learner, values, data.discrete)
        edges = dag.sum(), (dag & whole).sum()
        rows.append([float(number) for number in (*edges, *cardinalities(thresholds))])
    return rows


EXPERIMENTS: dict[str, Callable[..., list[Record]]] = {
    "clusters": clusters,
    "dependence": dependence,
    "overlap": overlap,
    "sizes": sizes,
    "graphs": graphs,
    "invariance": invariance,
    "readings": readings,
    "ess": ess,
    "deletes": deletes,
}
