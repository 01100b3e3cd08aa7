"""The description length of one variable's thresholds, given its Markov blanket, and what removing some changes.

DL_local of Tran (2013), Eq. 3.13, which is Friedman and Goldszmidt's (1996): the length of the thresholds, of the
number of levels and of the parameters of the families that the variable is in, minus N times their information.
All logarithms are natural.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from scipy.special import xlogy

from cutpoint.discretization.greedy import View
from cutpoint.kernels.blankets import FRIEDMAN
from cutpoint.kernels.removal import TIE, count_levels, information, removal_path, single_losses
from cutpoint.kernels.sweep import penalty


@lru_cache(maxsize=8)
def _x_log_x(rows: int) -> np.ndarray:
    """Return m ln m for m = 0 .. N."""
    counts = np.arange(rows + 1.0)
    return xlogy(counts, counts)


class LocalLength:
    """DL_local of one variable as a function of its levels.

    Args:
        view: of the variable's blanket, under the rule FRIEDMAN.
        distinct: m, the number of values of the variable.
        weight: how often each record counts.

    Attributes:
        slope: parameters that one more level adds.
    """

    def __init__(self, view: View, distinct: int, *, weight: float = 1.0):
        self._cells, _, self._sizes, _, self._signs, _, _ = view.columns
        self._count, self.slope = view.count, view.slope
        self.distinct, self.weight = distinct, weight
        self.rows = self._cells.shape[1]

    def length(self, levels: int, slope: float | None = None) -> float:
        """Return the part that the number of levels decides, up to a constant of the variable and its families.

        levels: k; slope: other than the parameters that one more level adds.
        """
        slope = self.slope if slope is None else float(slope)
        return penalty(FRIEDMAN, levels, self.distinct, slope, self.weight * self.rows)

    def information(self, bounds: np.ndarray) -> float:
        """Return N times the information of a list of levels, up to a constant.

        bounds: int64 [L + 1], record positions 0 .. N.
        """
        _, counts, used = self._counted(bounds)
        return self.weight * information(self._signs, bounds, counts, used, _x_log_x(self.rows))

    def single_losses(self, bounds: np.ndarray) -> np.ndarray:
        """Return what the information loses by the removal of each threshold alone, float64 [L - 1]."""
        runs, counts, used = self._counted(bounds)
        losses = single_losses(self._signs, bounds, runs, counts, used, _x_log_x(self.rows), self._place())
        return self.weight * losses

    def one_pass(self, bounds: np.ndarray, slope: float | None = None) -> np.ndarray:
        """Return whether each threshold stays when it is compared alone with the full list (Tran 2013, 4.2.1).

        All thresholds whose removal does not raise DL_local go at once, after L - 1 comparisons.

        Args:
            bounds: int64 [L + 1], the full list.
            slope: as in `length`.

        Returns:
            bool [L - 1].
        """
        levels = bounds.size - 1
        if levels < 2:
            return np.empty(0, bool)
        saved = self.length(levels, slope) - self.length(levels - 1, slope)
        return self.single_losses(bounds) > saved + TIE

    def iterated(self, bounds: np.ndarray, slope: float | None = None, most: int | None = None) -> np.ndarray:
        """Return whether each threshold stays when the one that loses least is removed, again and again.

        Of all lists on the way to none the one with the smallest DL_local is kept, of equals the one with fewer
        thresholds. A first rise is no end: the length of the policy is largest with half of the thresholds.

        Args:
            bounds: int64 [L + 1], the full list.
            slope: as in `length`.
            most: cap of the levels that are kept.

        Returns:
            bool [L - 1].
        """
        runs, counts, used = self._counted(bounds)
        removed, lost = removal_path(self._signs, bounds, runs, counts, used, _x_log_x(self.rows), self._place())
        left = np.arange(bounds.size - 1, 0, -1)
        lengths = np.array([self.length(int(k), slope) for k in left]) + self.weight * np.cumsum(np.append(0.0, lost))
        lengths[left > (most or math.inf)] = np.inf
        # from the end, so that the shorter of equal lists wins
        steps = int(np.flatnonzero(lengths <= lengths.min() + TIE)[-1])
        keep = np.ones(bounds.size - 2, bool)
        keep[removed[:steps]] = False
        return keep

    def tables(self, bounds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the counts of each level by the cells of all columns, int64 [L, cells], and the cells' signs."""
        level = np.repeat(np.arange(bounds.size - 1), np.diff(bounds))
        found = []
        for size, cells in zip(self._sizes[: self._count].tolist(), self._cells, strict=False):
            joint = level if size == 1 else level * size + cells
            found.append(np.bincount(joint, minlength=(bounds.size - 1) * size).reshape(-1, size))
        signs = np.repeat(self._signs[: self._count], self._sizes[: self._count])
        return np.hstack([np.empty((bounds.size - 1, 0), np.int64), *found]), signs

    def _counted(self, bounds: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return runs, counts and used of a list of levels, see `cutpoint.kernels.removal.count_levels`."""
        runs = np.empty((self._count, self.rows), np.uint32)
        counts = np.empty((self._count, self.rows), np.int32)
        used = np.empty((self._count, bounds.size - 1), np.int64)
        count_levels(self._cells, self._sizes, self._count, bounds, runs, counts, used)
        return runs, counts, used

    def _place(self) -> np.ndarray:
        return np.full(self._sizes[: self._count].max(initial=1), -1, np.int64)
