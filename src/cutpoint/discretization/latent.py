"""Latent levels: a value is a noisy reading of its level, which the neighbours in the graph tell too.

Thresholds read a level from the value alone, and read many wrongly where densities of levels overlap. Here the levels
are hidden variables of the network, and each level has a density of values, its *emission*. Gibbs sampling draws the
levels of one variable after the other, from P(level | parents) x density(value | level) x P(children | level, others),
and in turns the graph is learned from the levels drawn. Each record has several draws, over which tables are counted
and scores are means: what one draw shows, nearly the same records may not. Balov (2013, "A categorical network approach
for discovering differentially expressed regulations in cancer") weighs levels by a normal mixture of each variable
alone.

The number of levels of a variable is that of the highest marginal likelihood given its Markov blanket: EM for a number
of levels, the tables integrated out as in BDeu, by the approximation of Cheeseman and Stutz (1996), "Bayesian
classification (AutoClass): theory and results". So it needs no modes of the variable alone.
"""

import math
from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import replace
from itertools import pairwise, product
from typing import Any, Literal, NamedTuple

import numpy as np
from scipy.special import logsumexp

from cutpoint.base.seeds import generator_for
from cutpoint.discretization import mixtures
from cutpoint.discretization.encoding import cardinalities, encode
from cutpoint.discretization.loop import Neighbourhood, SearchFunction
from cutpoint.discretization.objectives import DENSE, configurations
from cutpoint.discretization.rules import steck
from cutpoint.graphs.frequencies import edge_frequencies
from cutpoint.graphs.patterns import cpdag
from cutpoint.kernels import latent as kernels
from cutpoint.knowledge.arcs import Arcs, class_of
from cutpoint.learners.learned import Learned, Uncertainty
from cutpoint.options import AboveZero, AtLeast0, AtLeast1

Density = Literal["normal", "shared", "skew"]
CHOSEN: tuple[Density, ...] = ("normal", "skew")  # from which "best" chooses

BINS = 256  # of a column; a density is computed once for each
MOST_DRAWN = 8000  # draws of all records, where there are not more records
SWEEPS = 6  # over all variables, in each round
CHOICES = (0, 2, 5)  # rounds in which numbers of levels are chosen
WHOLE = 20  # random orders of a search that begins with no graph
EVERY, RESTARTS = 3, 4  # each third round the graph is searched from random orders too
FEWEST = 10  # records of a level that is split
QUANTILES = (0.04, 0.5, 0.96)  # of a level, where it is split
TIE = 1e-6  # of two numbers of levels, and of levels and thresholds, which are the same where each record is certain
KINDS: dict[Density, int] = {"normal": kernels.NORMAL, "shared": kernels.SHARED, "skew": kernels.SKEW}


class Emission:
    """The densities of the values of one variable, float64 [N], given its levels.

    Values are in units of the standard deviation and stand in bins, none of them empty; places: int32 [N], the bin of
    each record; held: int64 [bins], the records of each. Counts are float64 [bins, r], of the records in a bin with a
    level.

    A value that repeats stands for all values that were rounded to it: its records are spread over the gaps to the next
    values, so that no density is higher than the resolution allows.
    """

    def __init__(self, values: np.ndarray, kind: Density, max_levels: int):
        self.kind, self.column = kind, mixtures.StandardizedValues(values)
        bins, middles, spreads = self.column.bins(BINS)
        here, places, self.held = np.unique(bins, return_inverse=True, return_counts=True)
        self.places = np.empty(values.size, np.int32)
        self.places[self.column.order] = places
        widths, self.column.x = _spread(self.column.x)
        self.middles, self.spreads = middles[here], spreads[here] + np.bincount(places, widths**2 / 12) / self.held
        self.most = min(max_levels, self.column.distinct)
        self.alone = mixtures.choose(mixtures.Sample(self.column), min_levels=min(2, self.most), max_levels=self.most)

    def of(self, kind: Density) -> "Emission":
        """Return the densities of another kind."""
        other = copy(self)
        other.kind = kind
        return other

    @property
    def bins(self) -> tuple[np.ndarray, np.ndarray, int]:
        """The bins and the kind of densities in them, as kernels take them."""
        return self.middles, self.spreads, KINDS[self.kind]

    def moments(self, counts: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return means, deviations and skewness of the levels, float64 [r]."""
        return kernels.moments(counts, *self.bins)

    def log_density(self, counts: np.ndarray) -> np.ndarray:
        """Return the log densities of the bins given each level, float64 [bins, r], fitted to counts."""
        kernels.log_density(counts, *self.bins, log := np.empty_like(counts))
        return log

    def penalty(self, levels: int) -> float:
        """Return half of ln N for each parameter of the densities."""
        free = {"normal": 2 * levels, "shared": levels + 1, "skew": 3 * levels}[self.kind]
        return 0.5 * math.log(self.places.size) * free

    def evidence_alone(self) -> float:
        """Return the BIC of the best normal mixture of the variable alone, in the units of `log_density`."""
        one = self.alone
        squares = (self.middles[:, None] - one.means) ** 2 + self.spreads[:, None]
        log = -0.5 * squares / one.deviations**2 - np.log(one.deviations)
        value = float((self.held * logsumexp(log, axis=1, b=one.weights[0])).sum())
        return value - mixtures.penalty(1, len(one.means), self.places.size)

    def cuts(self, counts: np.ndarray) -> np.ndarray:
        """Return where the more probable one of two neighbouring levels changes, in the column's units and rising."""
        x, log = self.middles, self.log_density(counts) + np.log(np.maximum(counts.sum(axis=0), 1e-9))
        means = self.moments(counts)[0]
        cuts = []
        for low, high in pairwise(np.argsort(means, kind="stable")):
            first, last = np.searchsorted(x, means[[low, high]])
            changes = np.flatnonzero(log[first : last + 1, low] <= log[first : last + 1, high])
            if changes.size and first + changes[0] > 0:
                cuts.append(x[first + changes[0] - 1 : first + changes[0] + 1].mean())
        return np.unique(self.column.centre + self.column.scale * np.array(cuts))


def _spread(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the width that each value stands for, and the values spread evenly over these widths, both float64 [N].

    x: float64 [N], sorted. The width of a value that repeats is the mean of the gaps to the next values, else 0.
    """
    values, first, place, counts = np.unique(x, return_index=True, return_inverse=True, return_counts=True)
    gaps = np.diff(values, prepend=values[:1], append=values[-1:])
    gaps[[0, -1]] = gaps[[1, -2]]  # at the ends both gaps are the same
    widths = np.where(counts > 1, (gaps[1:] + gaps[:-1]) / 2, 0.0)[place]
    return widths, x + ((np.arange(x.size) - first[place] + 0.5) / counts[place] - 0.5) * widths


class Fit(NamedTuple):
    """A number of levels after some steps of EM: its log marginal likelihood and the expected counts."""

    evidence: float
    counts: np.ndarray  # float64 [rows, r]


class Blanket:
    """What the blanket and the values tell of the levels of one variable, as factors; see `cutpoint.kernels.latent`.

    Each of the draws of a record counts as a fraction of it.
    """

    def __init__(self, emission: Emission, families: np.ndarray, priors: np.ndarray, rows: np.ndarray, draws: int = 1):
        self.emission, self.families, self.priors, self.rows, self.draws = emission, families, priors, rows, draws
        self.first = int(families[-1, 1])  # row of the first bin
        self.least = kernels.LEAST ** (1 / len(rows))
        self.held = np.ones(rows.shape[1], np.int64)  # how many draws each column of the rows stands for

    def grouped(self) -> "Blanket":
        """Return a blanket for steps of EM, with the columns of rows that differ, if these can be told by a number."""
        size, key, other = self.first + BINS, np.zeros(self.held.size, np.int64), copy(self)
        if size ** len(self.rows) < 1 << 63:
            for row in self.rows:
                key = key * size + row
            _, first, other.held = np.unique(key, return_index=True, return_counts=True)
            other.rows = np.ascontiguousarray(self.rows[:, first])
        return other

    def counts(self, codes: np.ndarray, levels: int) -> np.ndarray:
        """Return the counts of levels, int32 [draws x N], by rows, float64 [rows, r]."""
        cells, size = self.rows * np.int32(levels) + codes, (self.first + self.emission.held.size) * levels
        return np.bincount(cells.ravel(), minlength=size).reshape(-1, levels) / self.draws

    def expected(self, table: np.ndarray) -> tuple[np.ndarray, float]:
        """Return the counts that a table, float64 [rows, r], makes expect, and the log-likelihood."""
        counts = np.empty_like(table)
        value = kernels.expect(self.rows, self.held, table, counts) / self.draws
        return counts / self.draws, value

    def table(self, counts: np.ndarray) -> tuple[np.ndarray, float]:
        """Return the factors given counts, and the logarithm that those of the values were divided by."""
        emission, table = self.emission, np.empty_like(counts)
        divided = kernels.fill(counts, self.families, self.priors, *emission.bins, emission.held, self.least, table)
        return table, divided

    def run(self, counts: np.ndarray, steps: int) -> Fit:
        """Return where steps of EM lead from counts."""
        for _ in range(steps):
            table, divided = self.table(counts)
            counts, value = self.expected(table)
            value += divided
        value += kernels.evidence(counts, table, self.families, self.priors)
        return Fit(value - self.emission.penalty(counts.shape[1]), counts)

    def split(self, fit: Fit) -> Fit | None:
        """Return the best fit with one level more, where a share of the records of a level was set apart by value."""
        table, _ = self.table(fit.counts)
        trials = []
        for k, quantile in product(range(fit.counts.shape[1]), QUANTILES):
            held = fit.counts[self.first :, k]
            if held.sum() < FEWEST:
                continue
            share = np.clip((quantile * held.sum() - held.cumsum() + held) / np.maximum(held, 1e-9), 0, 1)
            parted = np.insert(table, k, table[:, k], axis=1)
            parted[self.first :, k] *= share
            parted[self.first :, k + 1] *= 1 - share
            trials.append(self.expected(np.maximum(parted, self.least))[0])
        return self._best(trials) if trials else None

    def merge(self, fit: Fit) -> Fit:
        """Return the best fit with two neighbouring levels as one."""
        order = np.argsort(self.emission.moments(fit.counts[self.first :])[0], kind="stable")

        def joined(low: int, high: int) -> np.ndarray:
            counts = np.delete(fit.counts, high, axis=1)
            counts[:, low - (low > high)] += fit.counts[:, high]
            return counts

        return self._best(joined(*two) for two in pairwise(order.tolist()))

    def _best(self, trials: Iterable[np.ndarray]) -> Fit:
        """Return where the counts that are best after one step lead."""
        best = max((self.run(counts, 1) for counts in trials), key=lambda fit: fit.evidence)
        return self.run(best.counts, 5)


class Chain:
    """Draws of the levels, int32 [n, draws x N], and the graph that was learned from them; both change in turns.

    first: the `cutpoint.Search` of the codes that it begins with, of which all draws are the same.
    """

    def __init__(
        self,
        emissions: dict[int, Emission],
        codes: np.ndarray,
        levels: np.ndarray,
        search: SearchFunction,
        first: Any,
        rng: np.random.Generator,
        ess: float,
        draws: int = 1,
    ):
        self.emissions, self.codes, self.levels = emissions, np.tile(codes, draws), levels
        self.search, self.rng, self.ess, self.draws = search, rng, ess, draws
        self.calls, self.evaluations = first.calls, first.evaluations
        self.evidences: list[float] = []
        self.graphs: list[np.ndarray] = []
        self.thresholds: list[dict[int, np.ndarray]] = []
        self.result, self.graph = first, Neighbourhood(first.dag)

    def learn(self, **more: Any) -> None:
        """Learn the graph from the levels."""
        self.result = self._search(self.codes, draws=self.draws, **more)
        self.graph = Neighbourhood(self.result.dag)

    def graphs_of_draws(self, late: int) -> list[np.ndarray]:
        """Return the graphs that single draws of the levels give: of one draw a round those of late rounds.

        Their searches begin with the graph of all draws.
        """
        if self.draws == 1:
            return self.graphs[-late:]
        parts = np.split(self.codes, self.draws, axis=1)
        return [self._search(codes, start=self.result.dag, restarts=0).dag for codes in parts]

    def _search(self, codes: np.ndarray, **more: Any) -> Any:
        result = self.search(codes.T, self.levels, **more)
        self.calls += result.calls
        self.evaluations += result.evaluations
        return result

    def run(self, rounds: range) -> None:
        """Draw levels and learn the graph in turns."""
        for turn in rounds:
            if turn in CHOICES:
                for i in self._variables():
                    self.choose(i, 1 if turn == CHOICES[-1] else 2)
            for _ in range(SWEEPS):
                for i in self._variables():
                    self.draw(i)
            self.learn(start=self.result.dag, restarts=RESTARTS if turn % EVERY == EVERY - 1 else 0)
            self._record()

    def draw(self, i: int) -> None:
        """Draw the levels of a variable given all others."""
        blanket = self.blanket(i)
        self._draw(i, blanket, blanket.counts(self.codes[i], self.levels[i]))

    def choose(self, i: int, least: int) -> None:
        """Choose the number of levels of a variable given all others, and draw its levels; their means rise.

        At first it is at least 2: a variable with one level would never have neighbours.
        """
        whole, emission = self.blanket(i), self.emissions[i]
        blanket = whole.grouped()
        fit = blanket.run(whole.counts(self.codes[i], self.levels[i]), 3)
        began = fit.counts.shape[1]
        while fit.counts.shape[1] < emission.most and (trial := blanket.split(fit)):
            if fit.counts.shape[1] >= least and trial.evidence <= fit.evidence + TIE:
                break
            fit = trial
        while least < fit.counts.shape[1] <= began:
            trial = blanket.merge(fit)
            if trial.evidence <= fit.evidence + TIE and fit.counts.shape[1] <= emission.most:
                break
            fit = trial
        self.levels[i] = fit.counts.shape[1]
        means = emission.moments(fit.counts[blanket.first :])[0]
        self._draw(i, whole, np.ascontiguousarray(fit.counts[:, np.argsort(means, kind="stable")]))

    def blanket(self, i: int) -> Blanket:
        """Return what the others tell of a variable."""
        of_variable, first = self.graph.families[i], 0
        rows = np.zeros((len(of_variable) + 1, self.codes.shape[1]), np.int32)
        families, priors = np.empty((len(of_variable), 3), np.int64), np.empty(len(of_variable))
        for m, family in enumerate(of_variable):
            others, s = (family[:-1], int(self.levels[family[-1]])) if m else (family, 1)
            q = used = math.prod(self.levels[[*others]].tolist())
            if q > DENSE:
                rows[m], used = configurations(self.codes.T, self.levels, others)
            for v in family if q <= DENSE else family[len(others) :]:
                rows[m] *= np.int32(self.levels[v])
                rows[m] += self.codes[v]
            rows[m] += first
            families[m], priors[m] = (first, first + used * s, s), self.ess / (q * s)
            first += used * s
        rows[-1] = first + np.tile(self.emissions[i].places, self.draws)
        return Blanket(self.emissions[i], families, priors, rows, self.draws)

    def _variables(self) -> list[int]:
        return self.rng.permutation(list(self.emissions)).tolist()

    def _draw(self, i: int, blanket: Blanket, counts: np.ndarray) -> None:
        table, _ = blanket.table(counts)
        kernels.draw(blanket.rows, table, self.rng.random(self.codes.shape[1]), self.codes[i])

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
            expected, likelihood = blanket.expected(table)
            evidence += likelihood - float((expected * np.log(table)).sum())
            counts = counts[blanket.first :]
            evidence += float((emission.log_density(counts) * counts).sum()) - emission.penalty(counts.shape[1])
            cuts[i] = emission.cuts(counts)
        self.evidences.append(evidence)
        self.graphs.append(self.result.dag)
        self.thresholds.append(cuts)

    def spreads(self, late: int) -> list[np.ndarray]:
        """Return the standard deviations of the thresholds in late rounds that have as many as the last one."""
        spreads = [np.empty(0)] * len(self.levels)
        for i, last in self.thresholds[-1].items():
            spreads[i] = np.std([cuts[i] for cuts in self.thresholds[-late:] if len(cuts[i]) == len(last)], axis=0)
        return spreads


def latent(
    values: np.ndarray,
    discrete: np.ndarray,
    *,
    initial: Sequence[np.ndarray],
    search: SearchFunction,
    arcs: Arcs | None = None,
    emission: Density | Literal["best"] = "best",
    ess: AboveZero = 1.0,
    max_levels: AtLeast1 = 8,
    rounds: AtLeast1 = 16,
    draws: AtLeast1 = 8,
    seed: AtLeast0 = 0,
) -> Learned:
    """Learn a structure over latent levels, or over those of thresholds where latent levels do not pay.

    The chain begins with the levels of Steck's method. What it ends with is returned, if its evidence is above that of
    Steck's levels: the score of their graph, with the values of each variable distributed in its levels as its best
    normal mixture alone has them. If it is not, Steck's thresholds and graph are returned. A discrete variable keeps
    its codes.

    Args:
        values, discrete, initial, search, ess: see `cutpoint.discretization.rules`; ess is of the tables too.
        arcs: what is known of them, for `uncertainty.edges`; the search honours it.
        emission: of a level: "normal" with a deviation of its own, "shared" with one for all levels of a variable,
            "skew" normal, or "best": normal or skew normal, whichever has the higher evidence after half of the rounds.
        max_levels: of a variable; Steck's thresholds have up to 60.
        rounds: in each the levels are drawn six times and the graph is learned once.
        draws: of the levels of each record; fewer where records are more than 1000, one from 8000 on.
        seed: of the random numbers.

    Returns:
        The graph over all draws of the last round. Thresholds are where the more probable one of two neighbouring
        levels changes; the graph is not that of their codes. `score` is the log evidence. `uncertainty.edges` is of the
        graphs that single draws give, all else in `uncertainty` of the last rounds.
    """
    mixtures.check_levels(values, 1, max_levels)
    results: dict[bytes, Any] = {}

    def begin(codes: np.ndarray, levels: np.ndarray) -> Any:  # with a graph of their own, which is searched once
        key = codes.tobytes() + levels.tobytes()
        known = key in results
        results[key] = replace(results[key], evaluations=0) if known else search(codes, levels, restarts=WHOLE)
        return results[key]

    hard = steck(values, discrete, initial=initial, search=begin, ess=ess)
    assert hard.thresholds is not None
    late, draws = max(rounds // 2, 1), max(1, min(draws, MOST_DRAWN // len(values)))
    columns = {i: Emission(values[:, i], "normal", max_levels) for i in np.flatnonzero(~discrete).tolist()}
    codes, levels = np.ascontiguousarray(encode(values, hard.thresholds).T, np.int32), cardinalities(hard.thresholds)
    trials = []
    for kind in CHOSEN if emission == "best" else (emission,):
        emissions, rng = {i: one.of(kind) for i, one in columns.items()}, generator_for(seed, "latent", 0)
        trials.append(Chain(emissions, codes, levels.copy(), search, begin(codes.T, levels), rng, ess, draws))
        of_thresholds = _evidence_of_thresholds(trials[-1])
        trials[-1].run(range(rounds - rounds // 2))
    chain = max(trials, key=lambda one: one.evidences[-1])
    if 2 * chain.evidences[-1] - chain.evidences[0] > of_thresholds + TIE:  # it gets there if it gains as much again
        chain.run(range(rounds - rounds // 2, rounds))
    evidence = float(np.mean(chain.evidences[-late:]))
    alone = sum(one.evidence_alone() for one in columns.values()) + sum(map(_evidence_of_codes, values.T[discrete]))
    hard.score, hard.note = max(evidence, of_thresholds), "parted by thresholds, as latent levels would explain less"
    hard.uncertainty = Uncertainty(None, None, of_thresholds, alone)
    if evidence > of_thresholds + TIE:
        shares = edge_frequencies([class_of(dag, arcs) for dag in chain.graphs_of_draws(late)], of="draws of levels")
        hard.uncertainty, hard.note = Uncertainty(shares, chain.spreads(late), of_thresholds, alone), None
        hard.dag, hard.cpdag, hard.iterations = chain.result.dag, cpdag(chain.result.dag), rounds
        hard.thresholds = [chain.thresholds[-1].get(i, cuts) for i, cuts in enumerate(hard.thresholds)]
    for name, cost in (("score_calls", chain.calls), ("evaluations", chain.evaluations)):
        setattr(hard, name, getattr(hard, name) + cost)
    return hard


def _evidence_of_codes(codes: np.ndarray) -> float:
    """Return the BIC of the shares of codes, float64 [N]."""
    held = np.unique(codes, return_counts=True)[1]
    return float((held * np.log(held / codes.size)).sum()) - 0.5 * (held.size - 1) * math.log(codes.size)


def _evidence_of_thresholds(chain: Chain) -> float:
    """Return the log evidence of the levels where a chain begins, as those of thresholds."""
    value = chain.result.score
    for i, emission in chain.emissions.items():
        held = np.bincount(chain.codes[i]) / chain.draws
        value += emission.evidence_alone() - float((held * np.log(np.maximum(held, 1) / held.sum())).sum())
    return value
