"""Tran's method: thresholds by removal from the full list, under Friedman and Goldszmidt's description length.

Tran (2013), chapter 4: a variable starts with a threshold between all its values, given its Markov blanket. Lists are
compared by DL_local (Eq. 3.13): the length of the thresholds, of the number of levels and of the parameters of the
families that the variable is in, minus N times their information, in nats.
Beside the arguments in `cutpoint.discretization.rules` the methods take

    start_levels: the most levels of the full list, by equal frequency; None for one per distinct value.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from cutpoint.discretization.binning import equal_frequency
from cutpoint.discretization.greedy import Greedy, View
from cutpoint.discretization.loop import Discretization, SearchFunction
from cutpoint.discretization.rules import RULES, learn_by
from cutpoint.kernels.blankets import FRIEDMAN
from cutpoint.kernels.removal import TIE, removal_path, single_losses
from cutpoint.kernels.sweep import penalty
from cutpoint.learners.complexity import m_ln_m
from cutpoint.learners.learned import Learned
from cutpoint.options import AtLeast1


class LocalLength:
    """DL_local of one variable as a function of its levels, from its view under the rule FRIEDMAN.

    distinct: m, the number of values of the variable; weight: how often each record counts. The attribute `slope`, the
    parameters that one more level adds, may be changed.
    """

    def __init__(self, view: View, distinct: int, *, weight: float = 1.0):
        numbered = zip(view.columns[0], view.columns[2], view.sizes, strict=False)
        self._cells = [np.full_like(cells, first) if size == 1 else cells + first for cells, first, size in numbered]
        self._signs, self.slope = np.repeat(view.columns[3], view.sizes), view.slope
        self.distinct, self.weight = distinct, weight
        self.rows = view.columns[0].shape[1]

    def length(self, levels: int) -> float:
        """Return the part that the number of levels decides, up to a constant of the variable and its families."""
        return penalty(FRIEDMAN, levels, self.distinct, self.slope, self.weight * self.rows)

    def information(self, bounds: np.ndarray) -> float:
        """Return N times the information of a list of levels, up to a constant.

        bounds: int64 [L + 1], record positions 0 .. N.
        """
        _, g, _, cells, counts, _ = self._counted(bounds)
        return self.weight * float(self._signs[cells] @ g[counts])

    def single_losses(self, bounds: np.ndarray) -> np.ndarray:
        """Return what the information loses by the removal of each threshold alone, float64 [L - 1]."""
        return self.weight * single_losses(*self._counted(bounds))

    def one_pass(self, bounds: np.ndarray) -> np.ndarray:
        """Return whether each threshold stays when it is compared alone with the full list (Tran 2013, 4.2.1).

        All thresholds whose removal does not raise DL_local go at once, after L - 1 comparisons. bounds: int64 [L + 1],
        the full list; the result is bool [L - 1].
        """
        levels = bounds.size - 1
        if levels < 2:
            return np.empty(0, bool)
        saved = self.length(levels) - self.length(levels - 1)
        return self.single_losses(bounds) > saved + TIE

    def iterated(self, bounds: np.ndarray, most: int | None = None) -> np.ndarray:
        """Return whether each threshold stays when the one that loses least is removed, again and again.

        Of all lists on the way to none the one with the smallest DL_local is kept, of equals the one with fewer
        thresholds. bounds: int64 [L + 1], the full list; most: cap of the levels that are kept; the result is
        bool [L - 1].
        """
        removed, lost = removal_path(*self._counted(bounds))
        left = np.arange(bounds.size - 1, 0, -1)
        lengths = np.array([self.length(int(k)) for k in left]) + self.weight * np.cumsum(np.append(0.0, lost))
        lengths[left > (most or math.inf)] = np.inf
        # from the end, so that the shorter of equal lists wins
        steps = int(np.flatnonzero(lengths <= lengths.min() + TIE)[-1])
        keep = np.ones(bounds.size - 2, bool)
        keep[removed[:steps]] = False
        return keep

    def tables(self, bounds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the counts of each level by the cells of all columns, int64 [L, cells], and the cells' signs."""
        joint, size = self._joint(bounds), (bounds.size - 1) * self._signs.size
        return np.bincount(joint, minlength=size).reshape(bounds.size - 1, -1), self._signs

    def _joint(self, bounds: np.ndarray) -> np.ndarray:
        """Return level times cells plus cell of each record in each column, int64."""
        level = np.repeat(np.arange(bounds.size - 1) * self._signs.size, np.diff(bounds))
        return np.concatenate([level[:0], *(level + cells for cells in self._cells)])

    def _counted(self, bounds: np.ndarray) -> tuple[np.ndarray, ...]:
        """Return a list of levels as `cutpoint.kernels.removal.single_losses` takes it."""
        joint, counts = np.unique(self._joint(bounds), return_counts=True)
        levels, cells = np.divmod(joint, max(self._signs.size, 1))
        used = np.bincount(levels, minlength=bounds.size - 1)
        return self._signs, m_ln_m(self.rows), np.cumsum(used) - used, cells, counts, used


class TopDown(Greedy):
    """LearnVariableDP from the full list by removal, and the comparison with the old one.

    Removals go on one by one if `iterated`, else all are decided at once. start_levels: the most levels to start from,
    by equal frequency, None for all distinct values; max_levels: cap of the levels that the iterated search keeps.
    """

    def __init__(
        self,
        values: np.ndarray,
        discrete: np.ndarray,
        *rule: Any,
        iterated: bool,
        start_levels: int | None = None,
        **options: Any,
    ):
        super().__init__(values, discrete, *rule, **options)
        self._iterated = iterated
        self._starts = {i: self._start(i, values[:, i], start_levels) for i in np.flatnonzero(~discrete).tolist()}

    def _start(self, variable: int, column: np.ndarray, most: int | None) -> np.ndarray:
        """Return the record positions 0 .. N of the levels of the full list."""
        data = self.columns
        if most is not None and most < data.distinct[variable]:
            cuts = equal_frequency(column[:, None], np.zeros(1, bool), bins=most)[0]
            return data.levels(variable, cuts)[0]
        return np.concatenate([[0], data.candidates(variable), [column.size]])

    def find(self, variable: int, view: View, discretization: Discretization) -> tuple[np.ndarray, int]:
        """Return the positions of the thresholds that stay and the candidates scored; fill the parts of the score."""
        local, start = LocalLength(view, int(self.columns.distinct[variable])), self._starts[variable]
        keep = local.iterated(start, most=self.max_levels) if self._iterated else local.one_pass(start)
        positions, levels = start[1:-1][keep], start.size - 1
        new, old = view.families.parts
        self.evaluate(variable, view, self.columns.cuts(variable, positions), new)
        self.evaluate(variable, view, discretization.thresholds[variable], old)
        return positions, levels * (levels - 1) // 2 if self._iterated else levels - 1


def tran_onepass(
    values: np.ndarray,
    discrete: np.ndarray,
    *,
    initial: Sequence[np.ndarray],
    search: SearchFunction,
    start_levels: AtLeast1 | None = 60,
) -> Learned:
    """Learn as `friedman` does, with thresholds by removals that are decided all at once (Tran 2013, 4.2.1).

    Each threshold of the full list is removed that alone does not raise DL_local: right where neighbouring values tell
    exactly the same about the blanket.
    """
    options = {"iterated": False, "start_levels": start_levels}
    return learn_by(RULES["friedman"], TopDown, values, discrete, initial, search, **options)


def tran_iterated(
    values: np.ndarray,
    discrete: np.ndarray,
    *,
    initial: Sequence[np.ndarray],
    search: SearchFunction,
    start_levels: AtLeast1 | None = None,
    max_levels: AtLeast1 = 60,
) -> Learned:
    """Learn as `friedman` does, with thresholds by removals that are decided one by one (after Tran 2013, 4.2.1).

    The threshold that loses the least information is removed until none is left, and of all lists on the way the one
    with the smallest DL_local and at most `max_levels` levels is kept.
    """
    options = {"iterated": True, "start_levels": start_levels, "max_levels": max_levels}
    return learn_by(RULES["friedman"], TopDown, values, discrete, initial, search, **options)
