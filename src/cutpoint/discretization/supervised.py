"""Thresholds of a variable that tell its neighbours in a graph apart, as those of a feature tell a class.

Methods for features of a classifier need a class. Here it is the configuration of the variable's parents and children
under their present thresholds, those that occur. Structure and thresholds are learned in turns, as in
`cutpoint.discretization.loop`, but nothing that both raise holds the rounds together: under one graph a variable is
discretized at most `max_cycles` times, and the rounds end when a graph comes back. A variable without neighbours, or
whose new list is empty, keeps its thresholds, for with one level it could never have a neighbour again.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from scipy.special import gammaln, xlogy

from cutpoint.discretization.complexity import complexity_table
from cutpoint.discretization.greedy import SortedColumns
from cutpoint.discretization.loop import (
    Discretization,
    Neighbourhood,
    Proposal,
    SearchFunction,
    State,
    learn_hybrid,
    until_graph_repeats,
)
from cutpoint.discretization.objectives import steck_score
from cutpoint.kernels.blankets import compact, refine
from cutpoint.kernels.exact_levels import best_levels
from cutpoint.learners.learned import Learned
from cutpoint.options import AboveZero, AtLeast0, AtLeast1

TIE = 1e-7  # nats

# divide(classes, positions): classes int64 [N] from 0 in the order of the values, positions int64 [m] where a threshold
# may stand, increasing; returns those where one stands, increasing.
Divide = Callable[[np.ndarray, np.ndarray], np.ndarray]


class Supervised:
    """Learns the thresholds of one variable given the configurations of its neighbours.

    Args:
        values: float64 [N, n].
        discrete: bool [n].
        divide: the rule.
        max_cycles: how often a variable is discretized under one graph.
    """

    def __init__(self, values: np.ndarray, discrete: np.ndarray, divide: Divide, max_cycles: int):
        self.columns = SortedColumns(values, discrete)
        self.divide, self.max_cycles = divide, max_cycles
        self._graph: Neighbourhood | None = None
        self._times: Counter[int] = Counter()

    def propose(self, variable: int, graph: Neighbourhood, discretization: Discretization) -> Proposal:
        """Learn the thresholds of one variable; the proposal holds none where the old ones stay."""
        if graph is not self._graph:
            self._graph, self._times = graph, Counter()
        self._times[variable] += 1
        neighbours = sorted({*graph.parents[variable], *graph.children[variable]})
        if not neighbours or self._times[variable] > self.max_cycles:
            return Proposal(None, 0)
        positions = np.flatnonzero(self.columns.allowed[variable])
        chosen = self.divide(self._classes(variable, neighbours, discretization), positions)
        cuts = self.columns.middles[variable][chosen]
        stays = not cuts.size or np.array_equal(cuts, discretization.thresholds[variable])
        return Proposal(None if stays else cuts, len(positions))

    def _classes(self, variable: int, neighbours: Sequence[int], discretization: Discretization) -> np.ndarray:
        """Return the configuration of the neighbours by record, int64 [N], in the order of the variable's values."""
        order = self.columns.order[variable]
        cells, size = np.zeros(order.size, np.uint32), 1
        for v in neighbours:
            size = refine(cells, size, discretization.codes[v], discretization.levels[v], order, cells)
        compact(cells, size)
        return cells.astype(np.int64)


def divide_by_mdlp(classes: np.ndarray, positions: np.ndarray) -> np.ndarray:
    """Divide where it tells most of the class, again and again while a description of the classes gets shorter.

    A set of m records with entropy H and k classes is divided in two if m H - m_1 H_1 - m_2 H_2 is above
    ln(m - 1) + ln(3^k - 2) - k H + k_1 H_1 + k_2 H_2, in nats (Fayyad and Irani 1993). Of gains nearer than 1e-7 the
    first wins.
    """
    waiting, found = [(0, len(classes))], []
    while waiting:
        first, last = waiting.pop()
        inside = positions[(positions > first) & (positions < last)] - first
        if inside.size and (place := _division(classes[first:last], inside)):
            found.append(first + place)
            waiting += [(first, first + place), (first + place, last)]
    return np.array(sorted(found), np.int64)


def _division(classes: np.ndarray, positions: np.ndarray) -> int:
    """Return where a set of records is divided, 0 for nowhere."""
    m, counts = len(classes), np.bincount(classes)
    before, after = _rank_in_class(classes), counts[classes]
    after = after - before
    # m ln m of every class to the left and to the right of each place, by what each record adds.
    left = np.cumsum(xlogy(before + 1, before + 1) - xlogy(before, before))[positions - 1]
    right = xlogy(counts, counts).sum() - np.cumsum(xlogy(after, after) - xlogy(after - 1, after - 1))[positions - 1]
    rest = m - positions
    costs = xlogy(positions, positions) - left + xlogy(rest, rest) - right
    k = int(np.argmax(costs <= costs.min() + TIE))
    place = int(positions[k])
    whole = xlogy(m, m) - xlogy(counts, counts).sum()
    length = math.log(m - 1) + _log_choices(counts) - _classes_times_entropy(counts)
    for part in (classes[:place], classes[place:]):
        length += _classes_times_entropy(np.bincount(part))
    return place if whole - costs[k] > length + TIE else 0


def _rank_in_class(classes: np.ndarray) -> np.ndarray:
    """Return how many earlier records are of the same class, int64 [m]."""
    order = np.argsort(classes, kind="stable")
    ordered = classes[order]
    ranks = np.empty(len(classes), np.int64)
    ranks[order] = np.arange(len(classes)) - np.searchsorted(ordered, ordered)
    return ranks


def _log_choices(counts: np.ndarray) -> float:
    """Return ln(3^k - 2) of the k classes that occur."""
    k = np.count_nonzero(counts)
    return k * math.log(3) + math.log1p(-2 * 3.0**-k)


def _classes_times_entropy(counts: np.ndarray) -> float:
    m = counts.sum()
    return float(np.count_nonzero(counts) * (xlogy(m, m) - xlogy(counts, counts).sum()) / m)


def divide_by_modl(
    classes: np.ndarray, positions: np.ndarray, *, max_levels: int = 10, candidates: int | None = 1000
) -> np.ndarray:
    """Divide by the thresholds of all that have the highest posterior probability (MODL; Boullé 2006).

    Of N records of J classes in I levels it has the lowest ln C(N + I - 1, I - 1) + sum over levels of
    ln C(N_i + J - 1, J - 1) + ln(N_i! / prod_j N_ij!), by dynamic programming.

    Args:
        classes, positions: see `Divide`.
        max_levels: cap of I.
        candidates: most positions that are considered, evenly spaced by rank; None for all.
    """
    positions = thinned(positions, candidates)
    counts, several = np.arange(len(classes) + 1), int(classes.max()) + 1
    own = gammaln(several) - gammaln(counts + several)
    lists = best_lists(classes, positions, max_levels, gammaln(counts + 1), own)
    lengths = np.array([modl_length(classes, cuts) for cuts in lists])
    return lists[int(np.argmax(lengths <= lengths.min() + TIE))]


def divide_by_nml(
    classes: np.ndarray, positions: np.ndarray, *, max_levels: int = 10, resolution: float = 5.0
) -> np.ndarray:
    """Divide so that the classes have the shortest code by normalised maximum likelihood (MIIC; Cabeli et al. 2020).

    Of J classes in I levels it has the highest sum over levels of sum_j N_ij ln(N_ij / N_i) - ln R(N_i, J), less
    ln C(m, I - 1) for the choice among m positions, by dynamic programming; R is that of
    `cutpoint.discretization.complexity`.

    Args:
        classes, positions: see `Divide`.
        max_levels: cap of I.
        resolution: no more than this times N^(1/3) positions are considered, evenly spaced by rank.
    """
    positions = thinned(positions, max(1, round(resolution * len(classes) ** (1 / 3))))
    lists = best_lists(classes, positions, max_levels, *_nml_terms(classes))
    lengths = np.array([nml_length(classes, cuts, len(positions)) for cuts in lists])
    return lists[int(np.argmax(lengths <= lengths.min() + TIE))]


def nml_length(classes: np.ndarray, positions: np.ndarray, candidates: int) -> float:
    """Return what `divide_by_nml` minimises, in nats, of the list with thresholds at these positions, int64 [I - 1]."""
    by_cell, by_level = _nml_terms(classes)
    chosen = len(positions)
    total = gammaln(candidates + 1) - gammaln(chosen + 1) - gammaln(candidates - chosen + 1)
    for part in np.split(classes, positions):
        total -= by_cell[np.bincount(part)].sum() + by_level[len(part)]
    return float(total)


def _nml_terms(classes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    counts = np.arange(len(classes) + 1)
    return xlogy(counts, counts), -xlogy(counts, counts) - complexity_table(len(classes), int(classes.max()) + 1)


def thinned(positions: np.ndarray, most: int | None) -> np.ndarray:
    """Return no more than so many positions, int64 [m], evenly spaced by rank; None for all."""
    if most is None or len(positions) <= most:
        return positions
    return positions[np.rint(np.linspace(0, len(positions) - 1, most)).astype(int)]


def best_lists(
    classes: np.ndarray, positions: np.ndarray, max_levels: int, by_cell: np.ndarray, by_level: np.ndarray
) -> list[np.ndarray]:
    """Return the positions of the best list of 1, 2, ... levels, int64 [levels - 1] each.

    Args:
        classes, positions: see `Divide`.
        max_levels: cap of the levels.
        by_cell: float64 [N + 1], what a number of records of one class adds to the value of a level.
        by_level: float64 [N + 1], what a number of records of all classes adds.
    """
    records, several = len(classes), int(classes.max()) + 1
    levels = np.arange(1, min(max_levels, len(positions) + 1) + 1)
    reach = np.abs(np.diff(by_cell)).max() + np.abs(np.diff(by_level)).max() + 1.0
    scale = 2.0 ** math.floor(60 - math.log2(records * reach))
    sums, own = (np.rint(scale * terms).astype(np.int64) for terms in (by_cell, by_level))
    places = np.concatenate([[0], positions, [records]]).astype(np.uint32)
    starts = best_levels(
        places, np.empty(0), classes[None].astype(np.uint32), np.array([several]), sums[None, None], own[None],
        scale, int(TIE * scale), levels,
    )  # fmt: skip
    return [places[row[: k - 1]].astype(np.int64) for k, row in zip(levels, starts, strict=True)]


def modl_length(classes: np.ndarray, positions: np.ndarray) -> float:
    """Return what MODL minimises, in nats, of the list with thresholds at these positions, int64 [I - 1]."""
    records, several, levels = len(classes), int(classes.max()) + 1, len(positions) + 1
    total = gammaln(records + levels) - gammaln(levels) - gammaln(records + 1)
    for part in np.split(classes, positions):
        total += gammaln(len(part) + several) - gammaln(several) - gammaln(np.bincount(part) + 1).sum()
    return float(total)


def mdlp(
    values: np.ndarray,
    discrete: np.ndarray,
    *,
    initial: Sequence[np.ndarray],
    search: SearchFunction,
    max_cycles: AtLeast1 = 5,
    warm_start: bool = False,
    max_iterations: AtLeast0 = 100,
) -> Learned:
    """Learn a structure, and thresholds by MDLP with the neighbours as the class (Fayyad and Irani 1993).

    `score` is Steck's L_P, which nothing here maximises. Arguments: see `Supervised` and
    `cutpoint.discretization.rules`.
    """
    return _learn(divide_by_mdlp, values, discrete, initial, search, max_cycles, warm_start, max_iterations)


def modl(
    values: np.ndarray,
    discrete: np.ndarray,
    *,
    initial: Sequence[np.ndarray],
    search: SearchFunction,
    max_levels: AtLeast1 = 10,
    candidates: AtLeast1 | None = 1000,
    max_cycles: AtLeast1 = 5,
    warm_start: bool = False,
    max_iterations: AtLeast0 = 100,
) -> Learned:
    """Learn a structure, and the most probable thresholds with the neighbours as the class (Boullé 2006).

    `score` is Steck's L_P, which nothing here maximises. Arguments: see `Supervised`,
    `divide_by_modl` and `cutpoint.discretization.rules`.
    """
    divide = partial(divide_by_modl, max_levels=max_levels, candidates=candidates)
    return _learn(divide, values, discrete, initial, search, max_cycles, warm_start, max_iterations)


def nml(
    values: np.ndarray,
    discrete: np.ndarray,
    *,
    initial: Sequence[np.ndarray],
    search: SearchFunction,
    max_levels: AtLeast1 = 10,
    resolution: AboveZero = 5.0,
    max_cycles: AtLeast1 = 5,
    warm_start: bool = False,
    max_iterations: AtLeast0 = 100,
) -> Learned:
    """Learn a structure, and thresholds by MIIC's criterion with the neighbours as the class (Cabeli et al. 2020).

    MIIC itself discretizes anew for each pair of variables. `score` is Steck's L_P, which nothing here maximises.
    Arguments: see `Supervised`, `divide_by_nml` and `cutpoint.discretization.rules`.
    """
    divide = partial(divide_by_nml, max_levels=max_levels, resolution=resolution)
    return _learn(divide, values, discrete, initial, search, max_cycles, warm_start, max_iterations)


def _learn(
    divide: Divide,
    values: np.ndarray,
    discrete: np.ndarray,
    initial: Sequence[np.ndarray],
    search: SearchFunction,
    max_cycles: int,
    warm_start: bool,
    max_iterations: int,
) -> Learned:
    discretization = Discretization(values, initial)
    discretizer = Supervised(discretization.values, discrete, divide, max_cycles)

    def score(state: State) -> float:
        codes, levels = state.discretization.codes.T, state.discretization.levels
        return steck_score(codes, levels, state.graph.dag, discrete, 1.0)

    return learn_hybrid(
        discrete, discretization, discretizer, search, score,
        rule=until_graph_repeats(), warm_start=warm_start, max_iterations=max_iterations,
    )  # fmt: skip
