"""Latent levels: a value is a noisy reading of its level, which the neighbours in the graph tell too.

Thresholds read a level from the value alone, and read many wrongly where densities of levels overlap. Here the levels
are hidden variables of the network, and each level has a density of values, its *emission*. Gibbs sampling draws the
levels of one variable after the other, from P(level | parents) x density(value | level) x P(children | level, others),
and in turns the graph is learned from the levels drawn. Balov (2013, "A categorical network approach for discovering
differentially expressed regulations in cancer") weighs levels by a normal mixture of each variable alone.

The number of levels of a variable is that of the highest marginal likelihood given its Markov blanket: EM for a number
of levels, the tables integrated out as in BDeu, by the approximation of Cheeseman and Stutz (1996), "Bayesian
classification (AutoClass): theory and results". So it needs no modes of the variable alone.
"""

import math
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from scipy.special import gammaln, log_ndtr, logsumexp

from cutpoint.base.errors import InputError
from cutpoint.base.seeds import generator_for
from cutpoint.discretization import mixtures
from cutpoint.discretization.encoding import cardinalities, encode
from cutpoint.discretization.loop import Neighbourhood, SearchFunction
from cutpoint.discretization.rules import steck
from cutpoint.graphs.frequencies import edge_frequencies
from cutpoint.graphs.metrics import shd
from cutpoint.graphs.patterns import cpdag
from cutpoint.kernels import latent as kernels
from cutpoint.learners.learned import Learned, Uncertainty
from cutpoint.learners.sizes import check_memory
from cutpoint.options import AboveZero, AtLeast0, AtLeast1

Density = Literal["normal", "shared", "skew"]

BINS = 256  # of a column; a density is computed once for each
SWEEPS = 3  # over all variables, in each round
CHOICES = (0, 2, 5)  # rounds in which numbers of levels are chosen
EVERY, RESTARTS = 3, 4  # each third round the graph is searched from random orders too
PSEUDO = 2.0  # records of the variance of all levels that are added to each
CELLS = 8  # configurations for each record; where there are more, those that occur are numbered
FEWEST = 10  # records of a level that is split
TIE = 1e-6  # of two numbers of levels
MOST_SKEW = 0.95  # of a skew normal distribution, below its greatest skewness


class Emission:
    """The densities of the values of one variable, float64 [N], given its levels.

    Values are in units of the standard deviation and stand in bins; places: int32 [N], the bin of each record; held:
    int64 [bins], the records of each. Counts are float64 [bins, r], of the records in a bin with a level.
    """

    def __init__(self, values: np.ndarray, kind: Density, max_levels: int):
        self.kind, self.column = kind, mixtures.Column(values)
        places, self.middles, self.spreads = self.column.bins(BINS)
        self.places = np.empty(values.size, np.int32)
        self.places[self.column.order] = places
        self.held = np.bincount(places, minlength=BINS)
        self.most = min(max_levels, self.column.distinct)
        self.alone = mixtures.choose(mixtures.Sample(self.column), max_levels=self.most)

    def moments(self, counts: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return means and deviations of the levels, float64 [r], and squares around the means, float64 [bins, r]."""
        held = counts.sum(axis=0)
        means = (self.middles[:, None] * counts).sum(axis=0) / np.maximum(held, 1e-9)
        squares = self._squares(means)
        sums = (squares * counts).sum(axis=0)
        pooled = sums.sum() / held.sum()
        own = np.full(means.size, pooled) if self.kind == "shared" else (sums + PSEUDO * pooled) / (held + PSEUDO)
        return means, np.sqrt(np.maximum(own, mixtures.FLOOR**2)), squares

    def log_density(self, counts: np.ndarray) -> np.ndarray:
        """Return the log densities of the bins given each level, float64 [bins, r], fitted to counts."""
        means, deviations, squares = self.moments(counts)
        if self.kind == "skew":
            return self._skew(counts, means, deviations)
        return -0.5 * squares / deviations**2 - np.log(deviations)

    def penalty(self, levels: int) -> float:
        """Return half of ln N for each parameter of the densities."""
        free = {"normal": 2 * levels, "shared": levels + 1, "skew": 3 * levels}[self.kind]
        return 0.5 * math.log(self.places.size) * free

    def evidence_alone(self) -> float:
        """Return the BIC of the best normal mixture of the variable alone, in the units of `log_density`."""
        one = self.alone
        log = -0.5 * self._squares(one.means) / one.deviations**2 - np.log(one.deviations)
        value = float((self.held * logsumexp(log, axis=1, b=one.weights[0])).sum())
        return value - mixtures.penalty(1, len(one.means), self.places.size)

    def cuts(self, counts: np.ndarray) -> np.ndarray:
        """Return where the most probable level changes along the values, in the column's units and rising."""
        log = self.log_density(counts) + np.log(np.maximum(counts.sum(axis=0), 1e-9))
        means = self.moments(counts)[0]
        here = np.flatnonzero(self.held)
        order = np.argsort(means, kind="stable")
        x, log = self.middles[here], log[np.ix_(here, order)]
        cuts = []
        for k in range(len(order) - 1):
            lead = log[:, : k + 1].max(axis=1) - log[:, k + 1 :].max(axis=1)
            between = np.clip(np.searchsorted(x, means[order[[k, k + 1]]]), 1, len(x) - 1)
            low, high = between[0] - 1, between[1]
            falls = np.flatnonzero((lead[low:high] > 0) & (lead[low + 1 : high + 1] <= 0))
            if falls.size:
                at = low + falls[0]
                share = lead[at] / (lead[at] - lead[at + 1])
                cuts.append(x[at] + share * (x[at + 1] - x[at]))
        places = self.column.centre + self.column.scale * np.array(cuts)
        return np.unique(places[(places > self.column.sorted[0]) & (places <= self.column.sorted[-1])])

    def _squares(self, means: np.ndarray) -> np.ndarray:
        return (self.middles[:, None] - means) ** 2 + self.spreads[:, None]

    def _skew(self, counts: np.ndarray, means: np.ndarray, deviations: np.ndarray) -> np.ndarray:
        """Return the log densities of skew normal distributions by their moments (Azzalini 1985)."""
        cubes = ((self.middles[:, None] - means) ** 3 * counts).sum(axis=0) / (counts.sum(axis=0) + PSEUDO)
        skewness = np.clip(cubes / deviations**3, -MOST_SKEW, MOST_SKEW)
        root = np.abs(skewness) ** (2 / 3)
        delta = np.sign(skewness) * np.sqrt(np.pi / 2 * root / (root + (2 - np.pi / 2) ** (2 / 3)))
        scale = deviations / np.sqrt(1 - 2 / np.pi * delta**2)
        z = (self.middles[:, None] - means) / scale + delta * math.sqrt(2 / math.pi)
        return -0.5 * z**2 - np.log(scale) + log_ndtr(delta / np.sqrt(1 - delta**2) * z) + math.log(2)


class Factor(NamedTuple):
    """What one family tells of the levels of a variable: a part of the table of its blanket.

    A child with s values has a row for each configuration of its other parents with each of its values; the family of
    the variable itself (s = 1) has one for each configuration of its parents.
    """

    part: slice  # of the rows
    values: int  # s
    configurations: int  # those that can occur

    def probabilities(self, counts: np.ndarray, ess: float) -> np.ndarray:
        """Return the expected probabilities given counts, both float64 [rows, r]."""
        cube = self._cube(counts, ess)
        return (cube / cube.sum(axis=self._axis, keepdims=True)).reshape(counts.shape)

    def evidence(self, counts: np.ndarray, ess: float) -> float:
        """Return the BDeu score of the family with these counts, which need not be whole."""
        cube, prior = self._cube(counts, ess), self._prior(counts, ess)
        totals, size = cube.sum(axis=self._axis), cube.shape[self._axis]
        cells, rows = (gammaln(cube) - math.lgamma(prior)).sum(), (gammaln(totals) - math.lgamma(prior * size)).sum()
        return float(cells - rows)

    @property
    def _axis(self) -> int:
        return 2 if self.values == 1 else 1

    def _prior(self, counts: np.ndarray, ess: float) -> float:
        return ess / (self.configurations * self.values * counts.shape[1])

    def _cube(self, counts: np.ndarray, ess: float) -> np.ndarray:
        return counts.reshape(-1, self.values, counts.shape[1]) + self._prior(counts, ess)


class Fit(NamedTuple):
    """A number of levels after some steps of EM: its log marginal likelihood and the expected counts."""

    evidence: float
    counts: np.ndarray  # float64 [rows, r]


class Blanket:
    """What the blanket and the values tell of the levels of one variable, as factors; see `cutpoint.kernels.latent`."""

    def __init__(self, emission: Emission, factors: list[Factor], rows: np.ndarray, ess: float):
        self.emission, self.factors, self.rows, self.ess = emission, factors, rows, ess
        self.first = factors[-1].part.stop  # row of the first bin

    def counts(self, codes: np.ndarray, levels: int) -> np.ndarray:
        """Return the counts of levels, int32 [N], by rows, float64 [rows, r]."""
        size = (self.first + BINS) * levels
        cells = self.rows.astype(np.int64) * levels + codes
        return np.bincount(cells.ravel(), minlength=size).reshape(-1, levels).astype(float)

    def table(self, counts: np.ndarray) -> tuple[np.ndarray, float]:
        """Return the factors given counts, and the logarithm that those of the values were divided by."""
        table = np.empty_like(counts)
        for factor in self.factors:
            table[factor.part] = factor.probabilities(counts[factor.part], self.ess)
        log = self.emission.log_density(counts[self.first :])
        highest = log.max(axis=1)
        table[self.first :] = np.maximum(np.exp(log - highest[:, None]), 1e-300)
        return table, float((highest * self.emission.held).sum())

    def run(self, counts: np.ndarray, steps: int) -> Fit:
        """Return where steps of EM lead from counts."""
        for _ in range(steps):
            table, divided = self.table(counts)
            counts = np.empty_like(table)
            value = kernels.expect(self.rows, table, counts) + divided
        for factor in self.factors:
            used = counts[factor.part]
            value += factor.evidence(used, self.ess) - (used * np.log(table[factor.part])).sum()
        return Fit(value - self.emission.penalty(counts.shape[1]), counts)

    def split(self, fit: Fit) -> Fit | None:
        """Return the best fit with one level more, whose values above and below its median were set apart."""
        size, (table, _) = fit.counts.shape[1], self.table(fit.counts)
        weights = np.prod(table[self.rows], axis=0)
        weights /= weights.sum(axis=1, keepdims=True)
        trials = []
        for k in range(size):
            held = fit.counts[self.first :, k]
            if held.sum() < FEWEST:
                continue
            below = held.cumsum() - held
            share = np.clip((0.5 * held.sum() - below) / np.maximum(held, 1e-9), 0, 1)
            moved = weights[:, k] * share[self.emission.places]
            part = np.bincount(self.rows.ravel(), np.tile(moved, len(self.rows)), len(fit.counts))
            counts = np.insert(fit.counts, k, part, axis=1)
            counts[:, k + 1] = np.maximum(counts[:, k + 1] - part, 0)
            trials.append(self.run(counts, 1))
        return self.run(max(trials, key=lambda trial: trial.evidence).counts, 6) if trials else None

    def merge(self, fit: Fit) -> Fit:
        """Return the best fit with two neighbouring levels as one."""
        order = np.argsort(self.emission.moments(fit.counts[self.first :])[0], kind="stable")
        sorted_counts = fit.counts[:, order]
        trials = []
        for k in range(len(order) - 1):
            counts = np.delete(sorted_counts, k + 1, axis=1)
            counts[:, k] += sorted_counts[:, k + 1]
            trials.append(self.run(counts, 1))
        return self.run(max(trials, key=lambda trial: trial.evidence).counts, 3)


class Chain:
    """Levels of all variables, int32 [n, N], and the graph that was learned from them; both change in turns."""

    def __init__(
        self,
        emissions: dict[int, Emission],
        codes: np.ndarray,
        levels: np.ndarray,
        search: SearchFunction,
        rng: np.random.Generator,
        ess: float,
    ):
        self.emissions, self.codes, self.levels = emissions, codes, levels
        self.search, self.rng, self.ess = search, rng, ess
        self.calls = self.evaluations = 0
        self.evidences: list[float] = []
        self.graphs: list[np.ndarray] = []
        self.thresholds: list[dict[int, np.ndarray]] = []
        self.learn()

    def learn(self, **more: Any) -> None:
        """Learn the graph from the levels."""
        self.result = self.search(self.codes.T, self.levels, **more)
        self.calls += self.result.calls
        self.evaluations += self.result.evaluations
        self.graph = Neighbourhood(self.result.dag)

    def run(self, rounds: range) -> None:
        """Draw levels and learn the graph in turns."""
        for turn in rounds:
            if turn in CHOICES:
                for i in self._variables():
                    self.choose(i)
            for _ in range(SWEEPS):
                for i in self._variables():
                    self.draw(i)
            self.learn(start=self.result.dag, restarts=RESTARTS if turn % EVERY == EVERY - 1 else 0)
            self._record()

    def draw(self, i: int) -> None:
        """Draw the levels of a variable given all others."""
        blanket = self.blanket(i)
        self._draw(i, blanket, blanket.counts(self.codes[i], self.levels[i]))

    def choose(self, i: int) -> None:
        """Choose the number of levels of a variable given all others, and draw its levels; their means rise."""
        blanket, emission = self.blanket(i), self.emissions[i]
        fit = blanket.run(blanket.counts(self.codes[i], self.levels[i]), 3)
        began = fit.counts.shape[1]
        while fit.counts.shape[1] < emission.most and (trial := blanket.split(fit)):
            if fit.counts.shape[1] > 1 and trial.evidence <= fit.evidence + TIE:
                break
            fit = trial
        while 2 < fit.counts.shape[1] <= began:
            trial = blanket.merge(fit)
            if trial.evidence <= fit.evidence + TIE:
                break
            fit = trial
        self.levels[i] = fit.counts.shape[1]
        means = emission.moments(fit.counts[blanket.first :])[0]
        self._draw(i, blanket, np.ascontiguousarray(fit.counts[:, np.argsort(means, kind="stable")]))

    def blanket(self, i: int) -> Blanket:
        """Return what the others tell of a variable."""
        factors: list[Factor] = []
        rows: list[np.ndarray] = []
        first = 0
        for family in self.graph.families[i]:
            own = not rows
            cells, used, q = self._configurations(family if own else family[:-1])
            s = 1 if own else int(self.levels[family[-1]])
            rows.append(first + cells * s + (0 if own else self.codes[family[-1]]))
            factors.append(Factor(slice(first, first + used * s), s, q))
            first += used * s
        rows.append(first + self.emissions[i].places)
        check_memory(f"tables of {first} rows", 80 * first * int(self.levels[i]), "set max_parents")
        return Blanket(self.emissions[i], factors, np.array(rows, np.int32), self.ess)

    def _variables(self) -> list[int]:
        return self.rng.permutation(list(self.emissions)).tolist()

    def _draw(self, i: int, blanket: Blanket, counts: np.ndarray) -> None:
        table, _ = blanket.table(counts)
        kernels.draw(blanket.rows, table, self.rng.random(self.codes.shape[1]), self.codes[i])

    def _configurations(self, variables: Sequence[int]) -> tuple[np.ndarray, int, int]:
        """Return the configuration of each record, int64 [N], how many are numbered, and how many can occur."""
        cells, used, q = np.zeros(self.codes.shape[1], np.int64), 1, 1
        for v in variables:
            r = int(self.levels[v])
            cells, used, q = cells * r + self.codes[v], used * r, q * r
            if used > CELLS * cells.size:
                occurring, cells = np.unique(cells, return_inverse=True)
                used = len(occurring)
        return cells, used, q

    def _record(self) -> None:
        """Record the graph, the thresholds, and the log evidence of values and graph.

        The evidence is the score of the graph with the levels drawn and the log density of the values given them, plus
        the entropies of the levels, each given the others: at most the entropy of all.
        """
        evidence, cuts = self.result.score, {}
        for i, emission in self.emissions.items():
            blanket = self.blanket(i)
            counts = blanket.counts(self.codes[i], self.levels[i])
            table, _ = blanket.table(counts)
            evidence += kernels.expect(blanket.rows, table, table[:0])
            counts = counts[blanket.first :]
            evidence += float((emission.log_density(counts) * counts).sum()) - emission.penalty(counts.shape[1])
            cuts[i] = emission.cuts(counts)
        self.evidences.append(evidence)
        self.graphs.append(cpdag(self.result.dag))
        self.thresholds.append(cuts)

    def evidence(self, last: int) -> float:
        """Return the mean log evidence of the last rounds."""
        return float(np.mean(self.evidences[-last:]))


def latent(
    values: np.ndarray,
    discrete: np.ndarray,
    *,
    initial: Sequence[np.ndarray],
    search: SearchFunction,
    emission: Density = "normal",
    ess: AboveZero = 1.0,
    max_levels: AtLeast1 = 8,
    chains: AtLeast1 = 3,
    rounds: AtLeast1 = 8,
    seed: AtLeast0 = 0,
) -> Learned:
    """Learn a structure over latent levels, or over those of thresholds where latent levels do not pay.

    Chains begin in turn with the levels of Steck's method, of a normal mixture of each variable alone, and of the
    first thresholds. The one with the highest evidence is returned, if it is above that of Steck's levels: the score of
    their graph, with the values of each variable distributed in its levels as its best normal mixture alone has them.
    If it is not, Steck's thresholds and graph are returned. A discrete variable keeps its codes.

    Args:
        values, discrete, initial, search, ess: see `cutpoint.discretization.rules`; ess is of the tables too.
        emission: of a level: "normal" with a deviation of its own, "shared" with one for all levels of a variable, or
            "skew" normal.
        max_levels: of a variable.
        chains, rounds: how many are run; in a round the levels are drawn three times and the graph is learned once.
        seed: of the random numbers.

    Returns:
        The graph over the levels that were drawn last. Thresholds are where the most probable level changes; the graph
        is not that of their codes. `score` is the log evidence, `uncertainty` is of the chains.
    """
    if emission not in ("normal", "shared", "skew"):
        raise InputError(f"emission: 'normal', 'shared' or 'skew' is expected, not {emission!r}")
    mixtures.check_levels(values, 1, max_levels)
    hard = steck(values, discrete, initial=initial, search=search, ess=ess, max_levels=max_levels)
    assert hard.thresholds is not None
    continuous = np.flatnonzero(~discrete).tolist()
    emissions = {i: Emission(values[:, i], emission, max_levels) for i in continuous}
    alone = list(hard.thresholds)
    for i, one in emissions.items():
        alone[i] = mixtures.thresholds(one.column, one.alone)
    starts = [hard.thresholds, alone, initial]
    runs = []
    for k in range(chains):
        cuts = starts[k % len(starts)]
        codes = np.ascontiguousarray(encode(values, cuts).T, np.int32)
        runs.append(Chain(emissions, codes, cardinalities(cuts), search, generator_for(seed, "latent", k), ess))
    of_thresholds = _evidence_of_thresholds(runs[0])
    late = max(rounds // 2, 1)
    for run in runs:
        run.run(range(rounds - rounds // 2))
    runs.sort(key=lambda run: -run.evidence(1))
    if 2 * runs[0].evidences[-1] - runs[0].evidences[0] > of_thresholds:  # it gets there if it gains as much again
        for run in runs[: (chains + 1) // 2]:
            run.run(range(rounds - rounds // 2, rounds))
    best = max(runs, key=lambda run: run.evidence(late))
    hard.score, hard.uncertainty = of_thresholds, _uncertainty(runs, best, of_thresholds, late)
    if best.evidence(late) > of_thresholds:
        best.learn(start=best.result.dag)
        hard.score, hard.dag, hard.cpdag = best.evidence(late), best.result.dag, cpdag(best.result.dag)
        hard.thresholds = [best.thresholds[-1].get(i, cuts) for i, cuts in enumerate(hard.thresholds)]
    for name, cost in (("score_calls", "calls"), ("evaluations", "evaluations")):
        setattr(hard, name, getattr(hard, name) + sum(getattr(run, cost) for run in runs))
    return hard


def _evidence_of_thresholds(chain: Chain) -> float:
    """Return the log evidence of the levels where a chain begins, as those of thresholds."""
    value = chain.result.score
    for i, emission in chain.emissions.items():
        held = np.bincount(chain.codes[i])
        value += emission.evidence_alone() - float((held * np.log(np.maximum(held, 1) / held.sum())).sum())
    return value


def _uncertainty(runs: list[Chain], best: Chain, of_thresholds: float, late: int) -> Uncertainty:
    """Return what the last rounds of all chains agree on."""
    rounds = [cuts for run in runs for cuts in run.thresholds[-late:]]
    spreads = [np.empty(0)] * len(best.levels)
    for i, last in best.thresholds[-1].items():
        spreads[i] = np.std([cuts[i] for cuts in rounds if len(cuts[i]) == len(last)], axis=0)
    ends = [run.graphs[-1] for run in runs]
    pairs = [shd(one, other, "standard") for k, one in enumerate(ends) for other in ends[:k]]
    frequencies = edge_frequencies([graph for run in runs for graph in run.graphs[-late:]])
    evidences = [run.evidence(late) for run in runs]
    return Uncertainty(frequencies, spreads, evidences, of_thresholds, float(np.mean(pairs or [0])))
