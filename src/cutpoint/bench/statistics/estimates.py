"""One rule for all intervals: leave out one replicate at a time, and Student's t (docs/statistics.md).

    shd = jackknife(values)                     # cell means of values [methods, networks, sizes, replicates]
    shd.mean(2).mean(1).estimate()              # each method over the whole grid: value, low, high
    (shd / shd[bach]).mean(1).estimate(log=True)                   # ratios of means, by size
    jackknife(np.log(values / values[bach])).mean(2).estimate()    # means of log ratios, by network

A statistic is computed once in the sample and once without each replicate of each block. Blocks are independent, so
their variances add; for means and their differences this is the t interval with Satterthwaite's degrees of freedom.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy

LEVEL = 0.95
SAME = 1e-10  # values closer than this, of numbers above 1 relative to them, differ by rounding alone

Unit = tuple[Hashable, Hashable]  # a block and one of its replicates


@dataclass(frozen=True)
class Estimate:
    """Numbers, float64 [...], with their standard errors, on the scale of the logarithm where `log` is set."""

    value: np.ndarray
    error: np.ndarray  # NaN with a single replicate, 0 where all replicates agree
    freedom: np.ndarray  # degrees of freedom of the error; NaN where it is NaN or 0
    fewest: np.ndarray  # replicates of a block
    log: bool = False  # for ratios and other positive numbers

    def interval(self, level: float = LEVEL) -> tuple[np.ndarray, np.ndarray]:
        """Return the ends of the interval, float64 [...] each; NaN where replicates show no spread."""
        reach = scipy.special.stdtrit(self.freedom, 1 - (1 - level) / 2) * self.error
        middle = self._scaled(self.value)
        low, high = middle - reach, middle + reach
        return (np.exp(low), np.exp(high)) if self.log else (low, high)

    @property
    def low(self) -> np.ndarray:
        """Lower end of the 95 % interval, float64 [...]."""
        return self.interval()[0]

    @property
    def high(self) -> np.ndarray:
        """Upper end of the 95 % interval, float64 [...]."""
        return self.interval()[1]

    def tail(self, bound: float | np.ndarray) -> np.ndarray:
        """Return the p value of "the true value is at or above the bound", float64 [...]; 1 - p is that of the other.

        By Student's t. Where all replicates agree it is that of the sign test on the fewest replicates of a block, as
        whole numbers agree by chance; 0 where two methods do not differ at all.
        """
        middle, bound = self._scaled(self.value), self._scaled(np.asarray(bound, float))
        distance = np.where(np.abs(middle - bound) <= SAME, 0.0, middle - bound)
        agree = np.where(np.abs(middle) <= SAME, 0.0, 0.5**self.fewest)
        signs = np.select([distance < 0, distance > 0], [agree, 1 - agree], 0.5)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(self.error == 0, signs, scipy.special.stdtr(self.freedom, distance / self.error))

    def __getitem__(self, place: Any) -> Estimate:
        parts = {name: getattr(self, name)[place] for name in ("value", "error", "freedom", "fewest")}
        return replace(self, **parts)

    def _scaled(self, value: np.ndarray) -> np.ndarray:
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.log(value) if self.log else value


@dataclass(frozen=True)
class Statistic:
    """Numbers in the sample and without each unit, a replicate of a block, in turn.

    NaN in a row says that the number has no such unit: the run failed, or nothing is left without it.
    """

    rows: np.ndarray  # float64 [1 + units, ...], the sample first
    units: tuple[Unit, ...]  # what each further row leaves out

    def map(self, function: Callable[[np.ndarray], np.ndarray]) -> Statistic:
        """Return a function of the numbers that takes and returns rows [1 + units, ...], each by itself.

        It may be any smooth one; for a maximum, compute it in each replicate first, or see that one stands out.
        """
        with np.errstate(invalid="ignore", divide="ignore"):
            return Statistic(np.asarray(function(self.rows)), self.units)

    def mean(self, axis: int) -> Statistic:
        """Return the mean along an axis of the numbers, counted without the rows, over what the sample has."""
        axis = axis + 1 if axis >= 0 else axis
        there = np.isfinite(self.rows[:1])
        return self.map(lambda rows: np.where(there, rows, 0.0).sum(axis) / there.sum(axis))

    def __getitem__(self, place: Any) -> Statistic:
        return self.map(lambda rows: rows[(slice(None), *(place if isinstance(place, tuple) else (place,)))])

    def __sub__(self, other: Statistic) -> Statistic:
        return combine(np.subtract, self, other)

    def __truediv__(self, other: Statistic) -> Statistic:
        return combine(np.divide, self, other)

    def estimate(self, *, log: bool = False) -> Estimate:
        """Return the numbers with their errors; with `log` positive ones are taken on the scale of the logarithm.

        The variance from a block of n units is (n - 1) / n times the sum of squares of (without a unit - sample), and
        the variances v of the blocks give (sum v)^2 / sum(v^2 / (n - 1)) degrees of freedom (Satterthwaite 1946).
        """
        value, rows = self.rows[0], self.map(np.log).rows if log else self.rows
        with np.errstate(invalid="ignore"):
            moved = rows[1:] - rows[0]
            moved[np.abs(moved) <= SAME * np.maximum(np.abs(rows[0]), 1)] = 0.0  # by rounding alone
        count, squares = _by_block([block for block, _ in self.units], moved)
        with np.errstate(invalid="ignore", divide="ignore"):
            variances = np.where(count > 1, squares * (count - 1) / count, np.nan)
            variances[(count == 1) & (squares == 0)] = 0.0  # a single replicate that plays no part
            total = variances.sum(0)
            freedom = total**2 / (variances**2 / np.maximum(count - 1, 1)).sum(0)
        there = np.where(np.isfinite(value) & (len(count) > 0), 1.0, np.nan)
        fewest = count.min(0) if len(count) else np.zeros(value.shape)
        return Estimate(value * there, np.sqrt(total) * there, freedom * there, fewest, log)


def _by_block(blocks: Sequence[Hashable], moved: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the number of units in each block and the sum of their squares, float64 [blocks, ...]; NaN is no unit."""
    place = {block: i for i, block in enumerate(dict.fromkeys(blocks))}
    member = np.zeros((len(place), len(blocks)))
    member[[place[block] for block in blocks], np.arange(len(blocks))] = 1
    none = np.isnan(moved)
    with np.errstate(invalid="ignore"):
        return np.tensordot(member, ~none, 1), np.tensordot(member, np.where(none, 0.0, moved) ** 2, 1)


def combine(function: Callable[..., np.ndarray], *statistics: Statistic) -> Statistic:
    """Return a function of the rows [1 + units, ...] of several statistics, which may be of several grids.

    Units are matched by block and replicate; one that plays no part in a statistic leaves it as it is. Numbers are
    aligned by their last axes.
    """
    units = tuple(dict.fromkeys(unit for each in statistics for unit in each.units))
    axes = max(each.rows.ndim for each in statistics)
    rows = []
    for each in statistics:
        place = {unit: row for row, unit in enumerate(each.units, 1)}
        taken = each.rows[[0, *(place.get(unit, 0) for unit in units)]]
        rows.append(taken.reshape(len(taken), *(1,) * (axes - taken.ndim), *taken.shape[1:]))
    with np.errstate(invalid="ignore", divide="ignore"):
        return Statistic(function(*rows), units)


def above_zero(means: np.ndarray, count: float | np.ndarray) -> np.ndarray:
    """Return means of counts over `count` replicates; 0 becomes half a count in one, so that it has a logarithm.

    It stays below the least other mean, 1 / count.
    """
    return np.where(means == 0, 0.5 / np.maximum(count, 1), means)


def jackknife(
    values: np.ndarray,
    *,
    blocks: np.ndarray | Sequence[Hashable] | None = None,
    replicates: Sequence[Hashable] | None = None,
) -> Statistic:
    """Return the means of cells over their replicates, shape [..., *cells].

    Two methods are compared on the data sets that both have by taking the difference, or the log ratio, of their
    values first.

    Args:
        values: float64 [..., *cells, R], NaN for a run that failed or was not asked for.
        blocks: labels of the cells, an array [*cells] or a list for one axis of cells; cells of one label hold the same
            replicates, which are left out together. Without it the first axis is not one of cells, and every cell is
            a block of its own.
        replicates: labels [R], by which statistics of several grids are joined; 0 to R - 1 without it.
    """
    if blocks is None:
        blocks = np.arange(int(np.prod(values.shape[1:-1]))).reshape(values.shape[1:-1])
    cells = blocks.shape if isinstance(blocks, np.ndarray) else (len(blocks),)
    labels = blocks.ravel().tolist() if isinstance(blocks, np.ndarray) else list(blocks)
    names = range(values.shape[-1]) if replicates is None else replicates
    outer = values.shape[: values.ndim - 1 - len(cells)]
    flat = values.reshape(int(np.prod(outer)), len(labels), values.shape[-1])
    means, left = _left_out(flat)
    units = tuple(dict.fromkeys((labels[c], names[r]) for c, r in np.argwhere(np.isfinite(flat).any(0))))
    place = {unit: row for row, unit in enumerate(units, 1)}
    places = [(place.get((label, name), 0), c, r) for c, label in enumerate(labels) for r, name in enumerate(names)]
    row, cell, replicate = np.array([each for each in places if each[0]], int).reshape(-1, 3).T
    rows = np.repeat(means[None], len(units) + 1, 0)
    rows[row, :, cell] = left[:, cell, replicate].T
    return Statistic(rows.reshape(len(rows), *outer, *cells), units)


def mean(values: np.ndarray, axis: int | tuple[int, ...]) -> np.ndarray:
    """Return the mean of the finite values, float64 of any shape, along some axes; NaN where there is none."""
    finite = np.isfinite(values)
    total = np.where(finite, values, 0.0).sum(axis)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(total / finite.sum(axis))


def _left_out(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return means [M, C] of values [M, C, R], and those without each value, NaN without any or where it is missing."""
    finite = np.isfinite(values)
    total, count = np.where(finite, values, 0.0).sum(2), finite.sum(2)
    with np.errstate(invalid="ignore", divide="ignore"):
        return total / count, (total[..., None] - values) / (count[..., None] - 1)


def winners(values: Statistic, *, lower_is_better: bool = True) -> np.ndarray:
    """Return the methods that no other one beats, bool [M], from their values: a single winner, or those that are tied.

    One method beats another where the interval of their paired difference has no 0, at a level for the M - 1
    comparisons of a method (Bonferroni). Whichever method is truly the best, it is in the set with at least this
    probability (multiple comparisons with the best, Hsu 1984), so a single winner is the wrong one in at most 5 % of
    studies. The answer does not depend on the order of the methods, and equal ones share their fate.
    """
    sample = values.rows[0] if lower_is_better else -values.rows[0]
    tail = (values[:, None] - values[None]).estimate().tail(0.0)
    comparisons = max(np.isfinite(sample).sum() - 1, 1)
    with np.errstate(invalid="ignore"):
        apart = 2 * comparisons * np.minimum(tail, 1 - tail) < 1 - LEVEL
        beaten = apart & (sample[:, None] < sample)
    return np.asarray(np.isfinite(sample) & ~beaten.any(0))
