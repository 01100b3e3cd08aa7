"""Columns as what is known of their thresholds lets methods see them, so that every method honours it.

Records between two neighbouring allowed thresholds are one cell, and a method sees the mean of the cell for each of
them. Under a least share of the records in each level cells are joined from below until they have it. A column with
fixed thresholds is a discrete one. The number of levels is mended afterwards, see `CellColumn.restored`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.base.scaling import midpoints

if TYPE_CHECKING:  # a job without knowledge need not import what checks it
    from cutpoint.knowledge.knowledge import Knowledge, KnownThresholds

MOST_CELLS = 1_000_000  # of a grid


class CellColumn:
    """The cells of one column: `values`, float64 [N], the mean of each record's cell, and `edges`, allowed thresholds.

    means, counts: float64 and int64 [k + 1], of the records in each cell between k edges.
    """

    def __init__(self, values: np.ndarray, allowed: KnownThresholds, where: str):
        self.allowed, self.where = allowed, where
        distinct = np.unique(values)
        between = midpoints(distinct[:-1], distinct[1:])
        edges = between if allowed.grid is None else _multiples(values, allowed, where)
        edges = edges[np.unique(np.searchsorted(edges, values, side="right"))[1:] - 1]
        if allowed.least_share is not None:
            edges = _with_share(values, edges, math.ceil(allowed.least_share * len(values) - 1e-9))
        self.edges = edges
        cells = np.searchsorted(edges, values, side="right")
        self.counts = np.bincount(cells, minlength=len(edges) + 1)
        self.means = np.bincount(cells, values, len(edges) + 1) / self.counts
        self.values = self.means[cells] if allowed.grid or allowed.least_share else values
        if len(self.counts) < (least := max(allowed.least_levels or 1, 2)):
            raise InputError(f"{where}: {least} levels are needed, and the values allow {len(self.counts)}")

    def restored(self, cuts: np.ndarray) -> np.ndarray:
        """Return thresholds of `values`, float64 [k], as those of the column, with as many levels as are known.

        While there are too many levels the two neighbours that have the fewest records together are joined; while there
        are too few, the threshold that parts the largest piece off a level, the smaller one of its two, is added.
        """
        if self.allowed.grid or self.allowed.least_share:
            places = np.unique(np.searchsorted(self.means, cuts))
            cuts = self.edges[places[(places > 0) & (places < len(self.means))] - 1]
        chosen = list(cuts)
        while len(chosen) + 1 > (self.allowed.most_levels or math.inf):
            records = self._records(np.array(chosen))
            del chosen[int(np.argmin(records[:-1] + records[1:]))]
        while len(chosen) + 1 < (self.allowed.least_levels or 1):
            chosen = sorted([*chosen, self._best_split(np.array(chosen))])
        return np.array(chosen, float)

    def _records(self, cuts: np.ndarray) -> np.ndarray:
        return np.bincount(np.searchsorted(cuts, self.means, side="right"), self.counts, len(cuts) + 1)

    def _best_split(self, cuts: np.ndarray) -> float:
        below = np.cumsum(self.counts)[:-1]  # records below each edge
        ends = np.concatenate([[0], np.cumsum(self._records(cuts))])
        level = np.searchsorted(cuts, self.edges, side="right")
        pieces = np.minimum(below - ends[level], ends[level + 1] - below)
        return float(self.edges[int(np.argmax(pieces))])


class Cells:
    """The columns of a data set, float64 [N, n], as methods see them, fixed thresholds as codes, and back."""

    def __init__(self, knowledge: Knowledge, values: np.ndarray, discrete: np.ndarray, variables: Sequence[str]):
        from cutpoint.knowledge.knowledge import KnownThresholds

        knowledge.check(variables, discrete)
        self.values, self.discrete = np.array(values, float, order="F"), discrete.copy()
        self._fixed: dict[int, np.ndarray] = {}
        self._columns: dict[int, CellColumn] = {}
        most = knowledge.content.max_levels
        free = np.flatnonzero(~discrete & (np.ptp(values, axis=0) > 0)).tolist() if most else []
        others = {variables[i]: KnownThresholds.model_validate({}) for i in free}
        for name, allowed in (others | knowledge.content.thresholds).items():
            i = list(variables).index(name)
            if most and allowed.most_levels is None:
                allowed = allowed.model_copy(update={"most_levels": most})
            if allowed.fixed is not None:
                self._fixed[i] = np.array(allowed.fixed, float)
                codes = np.searchsorted(self._fixed[i], values[:, i], side="right")
                self.values[:, i], self.discrete[i] = np.unique(codes, return_inverse=True)[1], True
            else:
                self._columns[i] = CellColumn(values[:, i], allowed, f"{knowledge.source}: thresholds.{name}")
                self.values[:, i] = self._columns[i].values

    def restored(self, thresholds: Sequence[np.ndarray]) -> list[np.ndarray]:
        """Return thresholds of these columns as thresholds of the data: n sorted float64 arrays."""
        columns, lists = self._columns, [self._fixed.get(i, cuts) for i, cuts in enumerate(thresholds)]
        return [columns[i].restored(x) if i in columns else x for i, x in enumerate(lists)]


def _multiples(values: np.ndarray, allowed: KnownThresholds, where: str) -> np.ndarray:
    """Return the thresholds of a grid in the range of the values, as floats with the decimals of step and origin."""
    step, origin = Decimal(str(allowed.grid)), Decimal(str(allowed.origin))
    first, last = (math.floor((Decimal(float(end)) - origin) / step) for end in (values.min(), values.max()))
    if last - first > MOST_CELLS:
        raise InputError(f"{where}.grid: {last - first} multiples of {allowed.grid:g} are too many; take a wider grid")
    return np.array([float(origin + k * step) for k in range(first, last + 1)])


def _with_share(values: np.ndarray, edges: np.ndarray, least: int) -> np.ndarray:
    """Return the lowest edges between which at least so many records stand."""
    below = np.searchsorted(np.sort(values), edges)
    kept, last = [], 0
    for edge, count in zip(edges, below.tolist(), strict=True):
        if count - last >= least and len(values) - count >= least:
            kept.append(edge)
            last = count
    return np.array(kept)
