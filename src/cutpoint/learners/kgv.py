"""The KGV score: dependence of continuous and discrete columns without discretization.

Bach and Jordan (2003), as stated by Fu (2005, III.3.1): every column is mapped to features by a kernel,
the features are treated as Gaussian, and a family scores its mutual information less an MDL penalty.
"""

import math
from collections.abc import Callable, Sequence
from copy import copy
from typing import Self

import numpy as np
from scipy.linalg import solve_triangular

from cutpoint.base.scaling import exponents
from cutpoint.kernels import kgv as kernel
from cutpoint.learners.scores import Indices, ValueScore
from cutpoint.learners.sizes import check_memory
from cutpoint.options import AboveZero

Rows = Callable[[np.ndarray], np.ndarray]  # of values [M], float64 [k, M]

# A residual trace of 1e-8 N moves J by less than 1e-5 at N = 5000, below the least gain of a search.
_RESIDUAL = 1e-8
LEAST_GAIN = 1e-3
# Far outliers take a pivot each, and one column of N records has few of them.
_CAPACITY = 200
FLOOR = 1e-8  # of pivots
_ROUNDING = 1e-14  # what it leaves in a pivot
_STEP = 1 - 1e-9  # an eigenvalue that is equal to the tolerance is kept, whatever rounding makes of it
_BLOCK = 1 << 23  # numbers of features, or of records by features, that are looked at together


class KGV(ValueScore):
    """The KGV score -J of one data set; the empty graph has 0 and higher is better.

    J(i, pa) = N/2 ln(|R_(i,pa)| / (|R_pa| |R_i|)) + d_pa d_i ln(N) / 2 (Fu 2005, III.3.1). Pivots of the Cholesky
    factors are kept at 1e-8 or more, so that a duplicated column, or more features than records, gives a large finite
    score. All that is kept of the records are the correlations of their features, float64 [D, D], identity within a
    variable. A gain must exceed `epsilon`, 1e-3 or `rounding_of` where that is more.

    sizes: how many features each column has; features: those of the records of a slice, float64 [sum of sizes, M],
    orthonormal rows over all records; starts: int64 [n + 1], where the features of each variable begin; dimensions:
    int64 [n], d_i, how many there are.
    """

    is_corrected = False
    prior_records = 1.0  # that the prior of a slope is worth

    def __init__(self, values: np.ndarray, sizes: Sequence[int], features: Callable[[slice], np.ndarray]):
        self.values, (self.records, self.n) = values, values.shape
        self.dimensions = np.asarray(sizes, np.int64)
        self.starts = np.append(0, np.cumsum(self.dimensions))
        self.correlation = self._correlations(features)
        for first, last in zip(self.starts[:-1], self.starts[1:], strict=True):
            self.correlation[first:last, first:last] = np.eye(last - first)
        self.rounding = rounding_of(self.correlation, self.records)
        self.epsilon = max(LEAST_GAIN, self.rounding)

    def _correlations(self, features: Callable[[slice], np.ndarray]) -> np.ndarray:
        total = int(self.starts[-1])
        block = max(min(self.records, _BLOCK // max(total, 1)), 1)
        check_memory(f"values: {total} features", 24 * total * (total + block), "take fewer variables")
        matrix = np.zeros((total, total))
        for start in range(0, self.records, block):
            rows = features(slice(start, start + block))
            matrix += rows @ rows.T
        return matrix

    def family(self, child: int, parents: Indices) -> float:
        """Return -J(child, parents)."""
        at, (records, corrected, parameter, _) = np.array(sorted(parents), np.int64), self.price()
        log_ratio = kernel.log_determinant(self.correlation, self.starts, child, at, FLOOR)
        count = kernel.parameters(self.dimensions[child], self.dimensions[at].sum(), records, corrected)
        return float(-0.5 * records * log_ratio - parameter * count)

    def gains(self, child: int, parents: Indices, first: int | None = None) -> np.ndarray:
        """Return the gain of toggling each variable in the parents, float64 [n], -inf for the child.

        first: how many variables, the first ones; parents are among them.
        """
        n, at = self.n if first is None else first, np.array(sorted(parents), np.int64)
        gains = kernel.toggle_gains(self.correlation, self.starts, child, at, FLOOR, n, self.price())
        gains[child : child + 1] = -np.inf
        return gains

    def price(self, of_arc: float = 0.0) -> tuple[float, bool, float, float]:
        """Return the records, whether the penalty is that of few, and what a parameter and an arc cost."""
        records = float(self.records)
        return records, self.is_corrected, 0.5 * math.log(records / self.prior_records), of_arc

    def corrected(self) -> Self:
        """Return the score with a penalty that is right for few records, N / (N - d_pa - d_i - 2) times as high.

        That is the corrected BIC of McQuarrie (1999); for many records the factor is 1.
        """
        other = copy(self)
        other.is_corrected = True
        return other

    def reordered(self, order: np.ndarray) -> Self:
        """Return the score of the same variables in another order, int64 [n]."""
        other = copy(self)
        other.values = self.values[:, order]
        rows = np.concatenate([np.arange(self.starts[i], self.starts[i + 1]) for i in order]).astype(np.int64)
        other.correlation = self.correlation[np.ix_(rows, rows)]
        other.dimensions = self.dimensions[order]
        other.starts = np.append(0, np.cumsum(other.dimensions))
        return other


def rounding_of(correlation: np.ndarray, records: int) -> float:
    """Return what rounding may change in a gain, which is N/2 times the change of the logarithm of a pivot.

    It leaves 1e-14 in a pivot, and no pivot is below the least eigenvalue of the correlations, float64 [D, D]: of
    columns that are far from being functions of each other very little, where copies differ by 1e-4 of their spread
    1e-6 N. With more features than records that eigenvalue is 0.
    """
    least = np.linalg.eigvalsh(correlation)[0] if 0 < len(correlation) <= records else 0.0
    return _ROUNDING * records / max(float(least), FLOOR)


def kgv(values: np.ndarray, discrete: np.ndarray, *, width: AboveZero = 0.8, tolerance: AboveZero = 0.01) -> KGV:
    """Return the KGV score of a data set (Bach and Jordan 2003; Fu 2005, III.3.1).

    A continuous column is standardised and has the kernel exp(-(x - y)^2 / (2 width^2)); a discrete one has the kernel
    1 where the codes are equal, 0 elsewhere. Features are the eigenvectors of the centred Gram matrix whose eigenvalue
    is at least tolerance * N. A constant column has none.
    """
    check_memory(f"values: kernels of {len(values)} records", 8 * _CAPACITY * len(values), "take fewer records")
    maps = []
    for column, coded in zip(values.T, discrete, strict=True):
        column = np.ascontiguousarray(column, float)
        rows, rows_of = _indicators(column) if coded else _gaussian_rows(column, width)
        maps.append((rows_of, *_features(rows, tolerance)))

    def features(records: slice) -> np.ndarray:
        parts = (weights @ rows_of(values[records, i]) - offset for i, (rows_of, weights, offset) in enumerate(maps))
        return np.concatenate([*parts, np.empty((0, len(values[records])))])

    return KGV(values, [len(offset) for _, _, offset in maps], features)


def _gaussian_rows(column: np.ndarray, width: float) -> tuple[np.ndarray, Rows]:
    """Return low-rank kernel rows of a column, float64 [k, N], and what makes those of other values."""
    power, rate = exponents(column), 0.5 / width**2
    scaled = np.ldexp(column, -power)
    mean, deviation = scaled.mean(), scaled.std()
    if column.min() == column.max() or not deviation > 0:
        return np.empty((0, column.size)), lambda values: np.empty((0, values.size))
    standard = (scaled - mean) / deviation
    rows, pivots = kernel.incomplete_cholesky(standard, rate, _RESIDUAL, min(column.size, _CAPACITY))
    centres, factor = standard[pivots], rows[:, pivots]

    def rows_of(values: np.ndarray) -> np.ndarray:
        others = (np.ldexp(values, -power) - mean) / deviation
        return solve_triangular(factor, np.exp(-rate * (others - centres[:, None]) ** 2), trans=1)

    return rows, rows_of


def _indicators(column: np.ndarray) -> tuple[np.ndarray, Rows]:
    r = int(column.max()) + 1
    size = 8 * r * (column.size + 3 * r)
    check_memory(f"values: a discrete column with {r} levels", size, "merge levels, or leave the column out")
    levels = np.arange(r)[:, None]

    def rows_of(values: np.ndarray) -> np.ndarray:
        return (values == levels).astype(float)

    return rows_of(column), rows_of


def _features(rows: np.ndarray, tolerance: float) -> tuple[np.ndarray, np.ndarray]:
    """Return weights, [d, k], and an offset, [d, 1]: the orthonormal centred features are weights @ rows - offset."""
    records = rows.shape[1]
    mean = rows.mean(axis=1)
    covariance = rows @ rows.T - records * np.outer(mean, mean)
    eigenvalues, vectors = np.linalg.eigh(covariance)
    kept = eigenvalues >= tolerance * records * _STEP
    weights = (vectors[:, kept] / np.sqrt(eigenvalues[kept])).T
    return weights, (weights @ mean)[:, None]
