"""Regressions whose noise is not normal with one variance: its variance follows the parents, or it has any shape.

A regression with one normal noise judges by the variance that is left. Where the noise changes with the parents, or is
skewed, the wrong graph may leave less, and more records make it surer. Both scores here are log densities of the child
given its parents, less that of the child alone, so that the right graph gains. They look at the records of each family,
and not at moments alone, which takes longer: they score the pairs among which a search has a choice left.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cache

import numpy as np

from cutpoint.base.scaling import standardised
from cutpoint.base.seeds import generator_for
from cutpoint.learners.normal_scores import centred_powers, normal_scores
from cutpoint.learners.scores import Indices

MOST_RECORDS = 5000  # of more a sample is looked at, and what it tells is multiplied
TIED, FEWEST = 0.05, 30  # share of records with the same value, and different values, of a column without a density
MOST_PARENTS, MOST_OF_CURVES = 8, 5  # of a family; and where products of two take most of the time
LEAST_RECORDS = 5  # for each slope; a family with fewer gains nothing
_LEAST_LEFT = 0.1  # degrees of freedom
_RIDGE = 1e-9
_ROUNDS = 4  # of the regressions of values and of their variance in turns
_WIDEST = 5.0  # logarithm of how far a variance may be from the mean one
_LEAST_NOISE = 1e-5  # variance of what is nearly a function of its parents, on which both say nothing


def tied(values: np.ndarray) -> np.ndarray:
    """Return which columns, float64 [N, n], have many equal values, so that they have no density, bool [n]."""
    counts = [np.unique(column, return_counts=True)[1] for column in values.T]
    records = len(values)
    return np.array([c.max() > TIED * records or len(c) < min(FEWEST, records / 2) for c in counts], bool)


class Regression(ABC):
    """What both scores share: higher is better, and a child without parents has 0.

    values: float64 [N, n]; states: bool [n], columns without an order; pairs: bool [n, n], those that may be joined:
    gains of others are not computed. most_parents: int64 [n], 0 of children without a density, which have no families.
    """

    epsilon = 1e-3
    rounding = 1e-5
    prior_records = 1.0  # that the prior of a slope is worth

    def __init__(self, values: np.ndarray, states: np.ndarray, pairs: np.ndarray, seed: int):
        self.all_records, self.n = values.shape
        if len(values) > MOST_RECORDS:
            values = values[np.sort(generator_for(seed, "noise").choice(len(values), MOST_RECORDS, replace=False))]
        self.values, self.states, self.pairs, self.records = values, states, pairs, len(values)
        self.most_parents = np.where(states | tied(values), 0, MOST_PARENTS)
        # kept, as a search grows one family from each of its members
        self._score = cache(lambda child, parents: self._family(child, [*parents]))

    def family(self, child: int, parents: Indices) -> float:
        """Return the score of a child with its parents."""
        return self._score(child, tuple(sorted(map(int, parents)))) if len(parents) else 0.0

    def gains(self, child: int, parents: Indices) -> np.ndarray:
        """Return the gain of toggling each variable in the parents, float64 [n], -inf for those that never are."""
        before, now = self.family(child, parents), {*map(int, parents)}
        gains = np.full(self.n, -np.inf)
        for x in np.flatnonzero(self.pairs[:, child]).tolist():
            gains[x] = self.family(child, [*now ^ {x}]) - before
        return gains

    @abstractmethod
    def _family(self, child: int, parents: list[int]) -> float:
        """Return the score of a child with one parent or more, which rise."""

    def _penalised(self, log_ratio: float, slopes: int) -> float:
        """Return the log ratio of densities of all records, less half of ln N for each slope; see `KGV.corrected`."""
        records = self.all_records
        left = max(records - slopes - 2, _LEAST_LEFT)
        penalty = 0.5 * slopes * math.log(records / self.prior_records) * records / left
        return log_ratio * records / self.records - penalty


class ChangingVariance(Regression):
    """Normal scores regressed on polynomials and products of those of the parents, with a variance that follows them.

    The logarithm of the variance is a polynomial of the second degree in each parent; both regressions are fitted in
    turns (Harvey 1976).
    """

    def __init__(self, values: np.ndarray, states: np.ndarray, pairs: np.ndarray, seed: int = 0):
        super().__init__(values, states, pairs, seed)
        self.most_parents = np.minimum(self.most_parents, MOST_OF_CURVES)
        self.powers = [centred_powers(x, s, 3) for x, s in zip(self.values.T, states, strict=True)]
        self.spreads = [centred_powers(x, s, 2) for x, s in zip(self.values.T, states, strict=True)]
        self.scores = [standardised(normal_scores(column)) for column in self.values.T]

    def _family(self, child: int, parents: list[int]) -> float:
        rows, spreads = self._rows(parents), with_constant([self.spreads[p] for p in parents])
        slopes = len(rows) + len(spreads) - 2
        if LEAST_RECORDS * slopes > self.records:
            return self._penalised(0.0, slopes)
        y, gram = self.scores[child], spreads @ spreads.T + _RIDGE * self.records * np.eye(len(spreads))
        squares = (y - fitted(rows, y)) ** 2
        mean = squares.mean()
        if mean < _LEAST_NOISE:
            return self._penalised(0.0, slopes)
        best = -0.5 * self.records * math.log(mean)
        middle = math.log(mean)
        log = np.linalg.solve(gram, spreads @ np.log(squares + 1e-3 * mean))
        log[0] += math.log(np.mean(squares / np.exp(log @ spreads)))
        for _ in range(_ROUNDS):
            variance = np.clip(log @ spreads, middle - _WIDEST, middle + _WIDEST)
            weights = np.exp(-variance)
            squares = (y - fitted(rows, y, weights)) ** 2 * weights
            best = max(best, -0.5 * float(variance.sum() + squares.sum() - self.records))
            log += np.linalg.solve(gram, spreads @ (squares - 1))
        return self._penalised(best, slopes)

    def _rows(self, parents: list[int]) -> np.ndarray:
        """Return a constant, the powers of each parent and the products of two, float64 [d, N]."""
        numbers = [self.powers[p][:1] for p in parents if not self.states[p]]
        products = [a * b for i, a in enumerate(numbers) for b in numbers[:i]]
        return with_constant([*(self.powers[p] for p in parents), *products])


class AnyNoise(Regression):
    """Values regressed on lines of those of the parents, with noise of any shape, as LiNGAM has it (Shimizu 2006).

    The densities of noise and of the child alone are estimated by `log_density`.
    """

    def __init__(self, values: np.ndarray, states: np.ndarray, pairs: np.ndarray, seed: int = 0):
        super().__init__(values, states, pairs, seed)
        columns = zip(self.values.T, states, strict=True)
        self.rows = [centred_powers(x, True, 1) if s else standardised(x)[None] for x, s in columns]
        self.alone = [log_density(rows[0]) if m else 0.0 for rows, m in zip(self.rows, self.most_parents, strict=True)]

    def _family(self, child: int, parents: list[int]) -> float:
        rows, y = with_constant([self.rows[p] for p in parents]), self.rows[child][0]
        slopes = len(rows) - 1
        noise = y - fitted(rows, y)
        if LEAST_RECORDS * slopes > self.records or noise.var() < _LEAST_NOISE:
            return self._penalised(0.0, slopes)
        return self._penalised(log_density(noise) - self.alone[child], slopes)


def with_constant(rows: Sequence[np.ndarray]) -> np.ndarray:
    """Return a row of ones and all rows, float64 [d, N]."""
    return np.concatenate([np.ones((1, rows[0].shape[1])), *rows])


def fitted(rows: np.ndarray, y: np.ndarray, weights: np.ndarray | None = None) -> np.ndarray:
    """Return the values of a linear regression of y, float64 [N], on rows, float64 [d, N], with weights of records."""
    roots = np.ones(1) if weights is None else np.sqrt(weights)
    weighed = rows if weights is None else rows * roots
    gram = weighed @ weighed.T + _RIDGE * y.size * np.eye(len(rows))  # of one array BLAS computes a half
    return np.linalg.solve(gram, weighed @ (roots * y)) @ rows


_GRID, _REACH, _SIDE = 0.25, 20.0, 5.0  # in bandwidths: steps, how far beyond most values, and of a kernel
_HEAVY = 0.03  # share of Student's t distribution, 3 degrees of freedom, so that far values cost little
_NORMAL_QUARTILES = 1.349


def log_density(x: np.ndarray) -> float:
    """Return the log density of values, float64 [N], each by a kernel estimate from the others (Silverman 1986).

    It is mixed with a distribution with long tails, and computed on a grid of quarters of the bandwidth.
    """
    least, low, high, most = np.quantile(x, [0.005, 0.25, 0.75, 0.995])
    spread = min(x.std(), (high - low) / _NORMAL_QUARTILES) or x.std()
    width = 1.06 * spread * x.size**-0.2
    z = x / width
    start, stop = max(z.min(), least / width - _REACH), min(z.max(), most / width + _REACH)
    size = int((stop - start) / _GRID) + 2 * int(_SIDE / _GRID)
    places = np.clip((z - start) / _GRID + _SIDE / _GRID, 0, size - 2)
    left = places.astype(int)
    right = places - left
    held = np.bincount(left, 1 - right, size) + np.bincount(left + 1, right, size)
    steps = np.arange(-_SIDE, _SIDE + _GRID, _GRID)
    density = np.convolve(held, np.exp(-0.5 * steps**2) / math.sqrt(2 * math.pi), mode="same")
    of_others = density[left] * (1 - right) + density[left + 1] * right - 1 / math.sqrt(2 * math.pi)
    kernel = np.maximum(of_others, 0) / ((x.size - 1) * width)
    heavy = 2 / (math.pi * math.sqrt(3) * spread * (1 + (x / spread) ** 2 / 3) ** 2)
    return float(np.log((1 - _HEAVY) * kernel + _HEAVY * heavy).sum())
