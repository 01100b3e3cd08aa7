"""BIC of conditional linear Gaussian networks: no continuous variable is a parent of a discrete one."""

import math
from functools import lru_cache

import numpy as np
from scipy.special import xlogy

from cutpoint.learners.scores import Indices, ValueScore

# Residual variances are kept at this share of the child's variance or more.
_LEAST = 1e-8
_RANK = 1e-10  # a direction with less than this share of the largest variance of parents is none
# Rounding leaves 1e-14 in a variance: relative to the least one, times N/2, it stays below this many times N.
_ROUNDING = 1e-6
_SETS = 256  # sets of discrete variables whose products are at hand


class ConditionalGaussian(ValueScore):
    """LL - p ln(N) / 2 of families, higher is better (Lauritzen and Wermuth 1989; `bic-cg` of bnlearn).

    A discrete child has discrete parents alone and multinomial distributions, p = q (r - 1). A continuous one is, for
    each of the q configurations of its discrete parents, a linear function of its continuous parents C with a variance
    of its own, p = q (|C| + 2). The variance of n_j records is that of the residuals over n_j - |C| - 1, as in bnlearn,
    so that LL is a little below its maximum.

    What cannot be estimated is not a family: its score is -inf where a configuration that occurs has no more than |C| +
    1 records, and where a discrete variable has a continuous parent. Variances are kept at 1e-8 of the child's or more,
    and a constant column gains nothing. Rounding may change a gain by 1e-6 N, `epsilon`: a configuration of few records
    may leave nearly nothing.
    """

    def __init__(self, values: np.ndarray, discrete: np.ndarray):
        self.values, self.discrete = values, np.asarray(discrete, bool)
        self.records, self.n = values.shape
        self.epsilon = self.rounding = _ROUNDING * self.records
        self.codes = {i: np.unique(values[:, i], return_inverse=True)[1] for i in np.flatnonzero(discrete).tolist()}
        self.levels = {i: int(codes.max()) + 1 for i, codes in self.codes.items()}
        scale = values.std(axis=0)
        self.varies = self.discrete | (scale > 1e-14 * np.abs(values).max(axis=0, initial=0.0))
        self.logs = np.log(np.where(self.varies, np.where(scale > 0, scale, 1.0), 1.0))
        self.places = {i: k for k, i in enumerate(np.flatnonzero(~self.discrete & self.varies).tolist())}
        self.columns = (values - values.mean(axis=0))[:, [*self.places]] / scale[[*self.places]]
        self._products = lru_cache(_SETS)(self._products_of)

    def family(self, child: int, parents: Indices) -> float:
        """Return the score of a child with its parents."""
        coded = tuple(sorted(int(p) for p in parents if self.discrete[p]))
        others = [int(p) for p in parents if not self.discrete[p]]
        if self.discrete[child]:
            return -math.inf if others else self._multinomial(child, coded)
        if not self.varies[child]:
            return -len(parents) * math.log(self.records)
        return self._linear(child, coded, sorted(others))

    def _multinomial(self, child: int, coded: tuple[int, ...]) -> float:
        cells, nominal = self._cells(coded)
        joint = np.bincount(cells * self.levels[child] + self.codes[child])
        likelihood = xlogy(joint, joint).sum() - xlogy(counts := np.bincount(cells), counts).sum()
        return float(likelihood) - nominal * (self.levels[child] - 1) / 2 * math.log(self.records)

    def _linear(self, child: int, coded: tuple[int, ...], others: list[int]) -> float:
        """Return the score of a continuous variable; columns are standardised, which the last term takes back."""
        counts, products, nominal = self._products(coded)
        at, size = [self.places[i] for i in others if self.varies[i]], len(others) + 1
        if len(coded) + len(others) > 0 and counts.min() <= size:
            return -math.inf
        y = self.places[child]
        left = products[:, y, y]
        if at:
            left = left - _explained(products[np.ix_(range(len(counts)), at, at)], products[:, at, y])
        variance = np.maximum(left / np.maximum(counts - size, 1), _LEAST)
        likelihood = -(counts * np.log(2 * math.pi * variance)).sum() / 2 - (np.maximum(left, 0.0) / variance).sum() / 2
        penalty = nominal * (size + 1) / 2 * math.log(self.records)
        return float(likelihood - self.records * self.logs[child] - penalty)

    def _cells(self, coded: tuple[int, ...]) -> tuple[np.ndarray, int]:
        """Return the configuration of some discrete variables by record, int64 [N], and how many there can be."""
        cells, nominal = np.zeros(self.records, np.int64), 1
        for i in coded:
            cells = np.unique(cells * self.levels[i] + self.codes[i], return_inverse=True)[1]
            nominal *= self.levels[i]
        return cells, nominal

    def _products_of(self, coded: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray, int]:
        """Return by configuration that occurs the records and the products about the means, [G] and [G, m, m]."""
        cells, nominal = self._cells(coded)
        order, counts = np.argsort(cells, kind="stable"), np.bincount(cells)
        parts = np.split(self.columns[order], np.cumsum(counts)[:-1])
        centred = (part - part.mean(axis=0) for part in parts)
        return counts, np.array([part.T @ part for part in centred]), nominal

    def gains(self, child: int, parents: Indices) -> np.ndarray:
        """Return the gain of toggling each variable in the parents, float64 [n], -inf for the child."""
        now, base = {int(p) for p in parents}, self.family(child, parents)
        toggled = [-math.inf if v == child else self.family(child, sorted(now ^ {v})) - base for v in range(self.n)]
        return np.array(toggled)

    def reordered(self, order: np.ndarray) -> "ConditionalGaussian":
        """Return the score of the same variables in another order, int64 [n]."""
        return ConditionalGaussian(self.values[:, order], self.discrete[order])


def conditional_gaussian(values: np.ndarray, discrete: np.ndarray) -> ConditionalGaussian:
    """Return the BIC of conditional linear Gaussian networks of a data set; see `ConditionalGaussian`."""
    return ConditionalGaussian(np.asarray(values, float), discrete)


def _explained(products: np.ndarray, shared: np.ndarray) -> np.ndarray:
    """Return what parents explain of the sum of squares of a child in each configuration, float64 [G].

    It is a sum of squares along the eigenvectors: a product with a pseudoinverse would lose, where parents are nearly
    equal, more digits than a residual variance has. products: float64 [G, k, k], of the parents; shared: float64 [G,
    k], of the parents with the child.
    """
    values, vectors = np.linalg.eigh(products)
    along = np.einsum("gij,gi->gj", vectors, shared)
    kept = values > _RANK * values[:, -1:]
    return np.where(kept, along**2 / np.where(kept, values, 1.0), 0.0).sum(axis=1)
