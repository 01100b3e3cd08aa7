"""The best thresholds of one variable given its Markov blanket, instead of the greedy ones (Fu 2005, III.2).

With a fixed number of levels the scores of Friedman, Monti and Steck are sums over the levels of one variable, so
that its best list of every length can be computed: see `cutpoint.kernels.exact_levels`. Beside the arguments in
`cutpoint.discretization.rules` the methods take

    candidates: how many of a variable's candidate thresholds are considered at first, see `Exact`; at least max_levels,
        None for all. The cost grows with the square of the candidates.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.discretization.greedy import Greedy, View
from cutpoint.discretization.loop import RISE, Discretization, SearchFunction
from cutpoint.discretization.rules import RULES, learn_by
from cutpoint.kernels.blankets import FRIEDMAN, MONTI
from cutpoint.kernels.exact_levels import best_levels
from cutpoint.kernels.sweep import TIE, table
from cutpoint.learners.learned import Learned
from cutpoint.learners.sizes import check_memory
from cutpoint.options import AboveZero, AtLeast1

CANDIDATES = 5000  # the default of methods, where time counts; with up to 5001 distinct values the result is optimal
PASSES = 10  # rounds in which the candidates around the best thresholds so far are considered
LARGEST_LOG = 745.0  # no float has a logarithm farther from 0


class Exact(Greedy):
    """LearnVariableDP that finds the best list of at most `max_levels` levels.

    Where a column has more candidate thresholds than `candidates` (None for no limit), only as many, evenly spaced by
    rank, are considered, and those of the greedy list and of the one in force; then, until nothing changes, all those
    around the best thresholds. The result is at least as good as the greedy list with the same cap. Other arguments are
    those of `Greedy`.
    """

    def __init__(self, *problem: Any, max_levels: int = 10, candidates: int | None = None, **options: Any):
        super().__init__(*problem, max_levels=max_levels, **options)
        if candidates is not None and candidates < max_levels:
            raise InputError(f"candidates: {max_levels} levels need at least as many candidates, got {candidates}")
        self.candidates = candidates

    def find(self, variable: int, view: View, discretization: Discretization) -> tuple[np.ndarray, int]:
        """Return the positions of the best list and the candidates considered; fill the parts of its score."""
        lists, calls = self.lists(variable, view, discretization)
        new, old = view.families.parts
        self.evaluate(variable, view, discretization.thresholds[variable], old)
        best, score = 0, -np.inf
        for k, positions in enumerate(lists):
            self.evaluate(variable, view, self.columns.cuts(variable, positions), new)
            if new.sum() > score + RISE:
                best, score = k, new.sum()
        self.evaluate(variable, view, self.columns.cuts(variable, lists[best]), new)
        return lists[best], calls

    def lists(self, variable: int, view: View, discretization: Discretization) -> tuple[list[np.ndarray], int]:
        """Return the positions of the best lists of 1, 2, ... levels, each int64, and the candidates considered."""
        allowed = self.columns.candidates(variable)
        levels = np.arange(2, min(self.max_levels, len(allowed) + 1) + 1)
        none = np.empty(0, np.int64)
        if not levels.size:
            return [none], len(allowed)
        if self.candidates is None or len(allowed) <= self.candidates:
            return [none, *self.best(variable, view, allowed, levels)], len(allowed)
        grown, calls = self.grow(variable, view, discretization)
        held = self.columns.levels(variable, discretization.thresholds[variable])[0]
        some = np.rint(np.linspace(0, len(allowed) - 1, self.candidates)).astype(int)
        some = np.union1d(some, np.flatnonzero(np.isin(allowed, np.concatenate([grown, held]))))
        gap = math.ceil(len(allowed) / self.candidates)
        lists: list[np.ndarray] = []
        for _ in range(PASSES):
            fresh = self.best(variable, view, allowed[some], levels)
            calls += len(some)
            if lists and all(map(np.array_equal, fresh, lists)):
                break
            lists = fresh
            around = np.searchsorted(allowed, np.concatenate(lists))[:, None] + np.arange(-gap, gap + 1)
            some = np.unique(np.clip(around, 0, len(allowed) - 1))
        return [none, *lists], calls

    def best(self, variable: int, view: View, allowed: np.ndarray, levels: np.ndarray) -> list[np.ndarray]:
        """Return the positions of the best list of each number of levels, int64 [levels - 1] each.

        allowed: int64 [m], the positions to choose from, increasing; levels: int64 [L], the numbers of levels.
        """
        tables, most = 1 if self.rule == FRIEDMAN else len(levels), int(levels[-1])
        self._check_memory(most, len(allowed), "candidates", (tables * (len(allowed) + 2) + len(levels)) * most)
        places, limits = self.columns.levels(variable, self.columns.cuts(variable, allowed))
        edges = limits if self.rule == MONTI else np.empty(0)
        wide = view.sizes > 1
        cells, sizes = view.columns[0][wide], view.sizes[wide]
        sums, own, scale = self._integers(view, int(places[-1]), levels)
        starts = best_levels(places.astype(np.uint32), edges, cells, sizes, sums, own, scale, int(TIE * scale), levels)
        return [allowed[row[: r - 1] - 1] for r, row in zip(levels, starts, strict=True)]

    def _integers(self, view: View, rows: int, levels: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
        """Return g of every column under each number of levels as the kernel takes it, and its scale."""
        nominal = np.ones(1) if self.rule == FRIEDMAN else levels
        cells, _, _, signs, keys, _ = view.columns
        wide = np.flatnonzero(view.sizes > 1)
        most = np.full(len(signs), rows)
        most[wide] = [np.bincount(cells[c]).max() for c in wide]
        numbers = 2 * len(nominal) * (len(wide) * (int(most[wide].max(initial=0)) + 1) + rows + 1)
        self._check_memory(int(levels[-1]), rows, "records", numbers)
        sums = np.zeros((len(nominal), len(wide), most[wide].max(initial=0) + 1))
        own = np.zeros((len(nominal), rows + 1))
        # What a record can add to a value at most, by the number of levels.
        reach = np.full(len(nominal), 1.0 + LARGEST_LOG * (self.rule == MONTI))
        for g, r in enumerate(nominal):
            for c in range(len(signs)):
                key = keys[c] * r if keys[c] > 0 else keys[c]
                start = table(*self._tables, key, most[c], self.ess)
                values = self._tables[2][start : start + most[c] + 1]
                target = sums[g, np.searchsorted(wide, c)] if view.sizes[c] > 1 else own[g]
                target[: most[c] + 1] += signs[c] * values
                reach[g] += np.abs(np.diff(values)).max()
        scale = 2.0 ** math.floor(61 - math.log2(rows * reach.max()))
        return np.rint(sums * scale).astype(np.int64), np.rint(own * scale).astype(np.int64), scale

    def _check_memory(self, levels: int, count: int, what: str, numbers: int) -> None:
        lists = f"the best lists of up to {levels} levels of {count} {what}"
        check_memory(lists, 8 * numbers, "set max_levels, or candidates, lower")


class WithLevels(Exact):
    """The best list, or the greedy one, with a given number of `levels` for each variable.

    With `greedy` lists are grown by the best threshold, one after the other. Other arguments are those of `Exact`.
    """

    def __init__(self, *problem: Any, levels: Sequence[int], greedy: bool = False, **options: Any):
        super().__init__(*problem, **options)
        self.counts, self.greedy = levels, greedy

    def lists(self, variable: int, view: View, discretization: Discretization) -> tuple[list[np.ndarray], int]:
        """Return the positions of one list, int64 [levels - 1], and the candidates considered."""
        if self.greedy:
            grown, calls = self.grow(variable, view, discretization, max_levels=self.counts[variable], rise=-np.inf)
            return [grown], calls
        allowed = self.columns.candidates(variable)
        return self.best(variable, view, allowed, np.array([self.counts[variable]])), len(allowed)


def friedman_exact(
    values: np.ndarray,
    discrete: np.ndarray,
    *,
    initial: Sequence[np.ndarray],
    search: SearchFunction,
    max_levels: AtLeast1 = 10,
    candidates: AtLeast1 | None = CANDIDATES,
) -> Learned:
    """Learn as `friedman` does, with the thresholds of a variable that make DL_local shortest."""
    options = {"max_levels": max_levels, "candidates": candidates}
    return learn_by(RULES["friedman"], Exact, values, discrete, initial, search, **options)


def monti_exact(
    values: np.ndarray,
    discrete: np.ndarray,
    *,
    initial: Sequence[np.ndarray],
    search: SearchFunction,
    ess: AboveZero = 1.0,
    max_levels: AtLeast1 = 10,
    candidates: AtLeast1 | None = CANDIDATES,
) -> Learned:
    """Learn as `monti` does, with the thresholds of a variable that make its S_Lambda highest."""
    options = {"ess": ess, "max_levels": max_levels, "candidates": candidates}
    return learn_by(RULES["monti"], Exact, values, discrete, initial, search, **options)


def steck_exact(
    values: np.ndarray,
    discrete: np.ndarray,
    *,
    initial: Sequence[np.ndarray],
    search: SearchFunction,
    ess: AboveZero = 1.0,
    max_levels: AtLeast1 = 10,
    levels: AtLeast1 | None = None,
    candidates: AtLeast1 | None = CANDIDATES,
) -> Learned:
    """Learn as `steck` does, with the thresholds of a variable that make L_P highest.

    With `levels` every list that is learned has this number of levels, fewer only where a variable has fewer values
    (Steck and Jaakkola 2007, Figure 6); then max_levels and candidates have no effect. Start from as many: an initial
    list of another length stays where it is better.
    """
    if levels is None:
        options = {"ess": ess, "max_levels": max_levels, "candidates": candidates}
        return learn_by(RULES["steck"], Exact, values, discrete, initial, search, **options)
    counts = [min(levels, len(np.unique(x))) for x in values.T]
    return learn_by(RULES["steck"], WithLevels, values, discrete, initial, search, levels=counts, ess=ess)
