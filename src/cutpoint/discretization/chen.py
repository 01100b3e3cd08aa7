"""Bayesian thresholds of one variable given its Markov blanket, and K2 in random orders (Chen et al. 2017).

Chen, Wheeler and Kochenderfer (2017), "Learning discrete Bayesian networks from continuous data", JAIR 59. The log
posterior of a list, in `docs/methods.md`, is a sum over its levels and the gaps between values, so that the best list
of any length follows from one dynamic programme. Levels are those that occur.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from cutpoint.discretization.binning import equal_width
from cutpoint.discretization.class_criteria import log_rising, thinned
from cutpoint.discretization.exact import LARGEST_LOG
from cutpoint.discretization.greedy import Greedy, View
from cutpoint.discretization.loop import RISE, Companion, Discretization, Neighbourhood, Proposal, StepwiseSearch
from cutpoint.kernels.blankets import MONTI
from cutpoint.kernels.exact_levels import best_partition
from cutpoint.kernels.sweep import TIE
from cutpoint.learners.learned import Learned
from cutpoint.options import AtLeast0, AtLeast1

COSTS = ("score_calls", "evaluations", "discretization_calls", "iterations", "discretize_seconds", "learn_seconds")


class Occurring(Discretization):
    """A discretization whose codes number the levels that occur."""

    def replace(self, variable: int, cuts: np.ndarray) -> None:
        """Put new thresholds of one variable, float64 [k], in force."""
        super().replace(variable, cuts)
        occurs = np.bincount(self.codes[variable]) > 0
        if not occurs.all():
            self.codes[variable] = (np.cumsum(occurs) - 1)[self.codes[variable]]
        self.levels[variable] = occurs.sum()


class Bayesian(Greedy):
    """The best thresholds of one variable given its Markov blanket; a variable without one has equal widths.

    bins: levels of equal width of a variable without neighbours; candidates: see `chen`.
    """

    def __init__(self, values: np.ndarray, discrete: np.ndarray, *, bins: int, candidates: int | None):
        super().__init__(values, discrete, MONTI)
        self.candidates = candidates
        self.first = equal_width(values, discrete, bins=bins)
        self._best: dict[tuple, tuple[np.ndarray, int]] = {}

    def propose(self, variable: int, graph: Neighbourhood, discretization: Discretization) -> Proposal:
        """Return the best thresholds of one variable; those of all others are held."""
        families, rate = graph.families[variable], int(discretization.levels.max())
        if families == ((),):
            return Proposal(self.first[variable], 0)
        key = (variable, families, rate, *[discretization.keys[v] for v in graph.blankets[variable]])
        if key not in self._best:
            self._best[key] = self._find(variable, self.view(variable, families, discretization), rate)
        return Proposal(*self._best[key])

    def _find(self, variable: int, view: View, rate: int) -> tuple[np.ndarray, int]:
        positions = thinned(self.columns.candidates(variable), self.candidates)
        if not positions.size:
            return np.empty(0), 0
        x = self.columns.sorted(variable)
        places = np.concatenate([[0], positions, [x.size]]).astype(np.uint32)
        sums, own = counts_terms(view, x.size)
        before, after = gap_terms(x, places, rate)
        reach = np.abs(np.diff(sums)).max(initial=0.0) * len(sums) + np.abs(np.diff(own)).max() + LARGEST_LOG + rate
        scale = 2.0 ** math.floor(60 - math.log2(x.size * reach))
        wide = view.sizes > 1
        sums, own, before, after = (np.rint(part * scale).astype(np.int64) for part in (sums, own, before, after))
        cells, sizes = view.columns[0][wide], view.sizes[wide]
        starts = best_partition(places, cells, sizes, sums, own, before, after, int(TIE * scale))
        return self.columns.cuts(variable, places[starts].astype(np.int64)), len(positions)


def counts_terms(view: View, rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Return what counts add to the value of a level: of each column with several cells, and of the level's records.

    They are float64 [C, N + 1] and [N + 1], by the count.
    """
    _, _, _, signs, keys, families = view.columns
    sizes = view.sizes
    sums, own = [], np.zeros(rows + 1)
    for c in range(len(signs)):
        child = families[c] > 0
        # The levels of a child are the ratio of the configurations with and without it.
        levels = keys[c + 1] / keys[c] if child and signs[c] < 0 else 1.0
        term = signs[c] * log_rising(float(levels), rows)
        if not child:
            own -= log_rising(float(keys[c]), rows)
        if sizes[c] > 1:
            sums.append(term)
        else:
            own += term
    return np.array(sums).reshape(len(sums), rows + 1), own


def gap_terms(x: np.ndarray, places: np.ndarray, rate: int) -> tuple[np.ndarray, np.ndarray]:
    """Return what the limits of a level add to its value: float64 [M] by its first block, [M + 1] by the one after it.

    x: float64 [N], sorted; places: where blocks begin, and N; rate: the most levels of a variable.
    """
    scaled = rate * ((0.5 * x - 0.5 * x[0]) / (0.5 * x[-1] - 0.5 * x[0]))
    inner = places[1:-1]
    gaps = np.maximum(-np.expm1(scaled[inner - 1] - scaled[inner]), np.finfo(float).tiny)
    after = np.concatenate([[0.0], np.log(gaps), [0.0]])
    after[1:] -= scaled[places[1:] - 1]
    return scaled[places[:-1]], after


def discretize_in_turns(
    discretizer: Bayesian, discretization: Discretization, graph: Neighbourhood, order: Sequence[int], max_cycles: int
) -> int:
    """Learn thresholds variable by variable until a cycle changes none; return the candidates considered.

    The discretization is changed in place, under one graph; order: of the continuous variables.
    """
    calls, before = 0, None
    for _ in range(max_cycles):
        if before == discretization.keys:
            break
        before = list(discretization.keys)
        for variable in order:
            proposal = discretizer.propose(variable, graph, discretization)
            calls += proposal.calls
            if (cuts := np.asarray(proposal.thresholds)).tobytes() != discretization.keys[variable]:
                discretization.replace(variable, cuts)
    return calls


def first_levels(values: np.ndarray, discrete: np.ndarray) -> int:
    """Return the levels that variables start with: the most of a discrete one; without any, round(ln n + 1)."""
    most = [len(np.unique(x)) for x in values[:, discrete].T]
    return max(most, default=round(math.log(len(discrete)) + 1))


class _Turns(Companion):
    """Discretizes anew from the first thresholds for each graph of a search in one order of the variables."""

    def __init__(self, discretizer: Bayesian, values: np.ndarray, discrete: np.ndarray, order: np.ndarray, cycles: int):
        super().__init__(Occurring(values, discretizer.first))
        self.discretizer, self.order, self.cycles, self.first = discretizer, order, cycles, self.discretization
        self.places = np.argsort(order)
        self.last_first = [i for i in order[::-1].tolist() if not discrete[i]]

    def discretize(self, dag: np.ndarray) -> bool:
        """Discretize all variables for a graph, bool [n, n] in this order."""
        graph, self.discretization = Neighbourhood(dag[np.ix_(self.places, self.places)]), self.first.copy()
        self.calls += discretize_in_turns(self.discretizer, self.discretization, graph, self.last_first, self.cycles)
        return True

    def coded(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the codes in force and their levels in this order."""
        return self.discretization.codes[self.order].T, self.discretization.levels[self.order]


def chen(
    values: np.ndarray,
    discrete: np.ndarray,
    *,
    search: StepwiseSearch,
    orders: AtLeast1 = 5,
    max_cycles: AtLeast1 = 5,
    candidates: AtLeast1 | None = 1000,
    seed: AtLeast0 = 0,
) -> Learned:
    """Learn graphs and Bayesian thresholds in random orders of the variables, and keep the best (Chen et al. 2017).

    After every move of the search, K2 for the authors, all thresholds are learned anew from equal widths, the variables
    one after the other from the last of the order to the first, in at most `max_cycles` passes. orders: how many are
    drawn; candidates: most candidate thresholds of a variable, evenly spaced by rank, None for all.
    """
    rng = np.random.default_rng(np.random.SeedSequence(seed))
    permutations = [rng.permutation(len(discrete)) for _ in range(orders)]
    discretizer = Bayesian(values, discrete, bins=first_levels(values, discrete), candidates=candidates)
    return learn_in_orders(discretizer, values, discrete, search, permutations, max_cycles)


def learn_in_orders(
    discretizer: Bayesian,
    values: np.ndarray,
    discrete: np.ndarray,
    search: StepwiseSearch,
    orders: Sequence[np.ndarray],
    max_cycles: int,
) -> Learned:
    """Return the best graph of some orders of the variables, int64 [n] each, and its thresholds; see `chen`."""
    results = [_Turns(discretizer, values, discrete, order, max_cycles).learn(search) for order in orders]
    scores = np.array([each.score for each in results], float)
    best = int(np.argmax(scores >= scores.max() - RISE))
    places = np.argsort(orders[best])
    graphs = {name: getattr(results[best], name)[np.ix_(places, places)] for name in ("dag", "cpdag")}
    return replace(results[best], **graphs, **{name: sum(getattr(each, name) for each in results) for name in COSTS})
