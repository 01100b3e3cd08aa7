"""Smoothed marginals of single variables: what all methods share in the held-out log-likelihood."""

import math
from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
from scipy.special import ndtr, ndtri

from cutpoint.base.errors import InputError
from cutpoint.base.scaling import exponents, near_one

CENTRES = 256  # most kernels of a density; groups of neighbouring records share one
ROWS = 4096  # values that are worked on together, so that memory stays small
LARGEST = 1e300  # of a value in units of the spread
NARROW = 1e-6  # bins below this share of the bandwidth have the mass density times width
TINY = 1e-300  # least mass of a bin
PARAMETERS = ("_exponent", "_median", "_spread", "_bandwidth", "_centres", "_deviations", "_weights", "_outliers")


class SmoothDensity:
    """A density g of a continuous variable, from finite values, that is above 0 everywhere.

    It has N / (N + 1) of its mass in a Gaussian kernel density with Silverman's (1986) bandwidth 0.9 A N^(-1/5), A =
    min(standard deviation, interquartile range / 1.349), and 1 / (N + 1) in a Cauchy distribution at the median with
    scale A, so that an outlier costs nats in the log of its distance. From 257 records on, 256 groups of neighbours
    stand for them, each by a Gaussian with the group's mean and the variance of group and kernel. Where half of the
    records or more are equal, A is the standard deviation; where all are, it is their absolute value, or 1.
    """

    def __init__(self, values: np.ndarray):
        records = len(values)
        if not records:
            raise InputError("values: a density needs at least one record")
        self._exponent = int(exponents(values))
        scaled = near_one(values)
        quarter, self._median, three_quarters = np.quantile(scaled, [0.25, 0.5, 0.75])
        deviation = float(scaled.std()) if scaled.min() < scaled.max() else 0.0
        self._spread = min(deviation, (three_quarters - quarter) / 1.349 or deviation) or abs(self._median) or 1.0
        ordered = np.sort(self._unit(values))
        groups = min(records, CENTRES)
        starts = np.arange(groups) * records // groups
        sizes = np.diff(starts, append=records)
        self._bandwidth = 0.9 * records**-0.2
        self._centres = np.add.reduceat(ordered, starts) / sizes
        variances = np.add.reduceat((ordered - np.repeat(self._centres, sizes)) ** 2, starts) / sizes
        self._deviations = np.sqrt(self._bandwidth**2 + variances)
        self._weights = sizes / (records + 1)
        self._outliers = 1 / (records + 1)

    @property
    def parameters(self) -> dict[str, Any]:
        """Return what the density is made of, as numbers and arrays; `restored` makes it of them again."""
        return {key: vars(self)[key] for key in PARAMETERS}

    @classmethod
    def restored(cls, parameters: Mapping[str, Any]) -> "SmoothDensity":
        """Return the density of which `parameters` were taken, lists in place of arrays."""
        density = cls(np.zeros(1))
        for key in PARAMETERS:
            value = parameters[key]
            setattr(density, key, np.array(value, float) if isinstance(value, list) else value)
        return density

    def _unit(self, values: np.ndarray) -> np.ndarray:
        """Return values in units of the spread from the median."""
        with np.errstate(over="ignore"):
            scaled = np.ldexp(values, -self._exponent)
            return np.clip((scaled - self._median) / self._spread, -LARGEST, LARGEST)

    def log_density(self, values: np.ndarray) -> np.ndarray:
        """Return ln g of values, float64 [N]; in nats."""
        return self._log_density(self._unit(values)) - math.log(self._spread) - self._exponent * math.log(2)

    def _log_density(self, x: np.ndarray) -> np.ndarray:
        kernels = np.empty(len(x))
        heights = self._weights / (self._deviations * math.sqrt(2 * math.pi))
        for rows in _blocks(len(x)):
            with np.errstate(over="ignore"):
                kernels[rows] = np.exp(-0.5 * self._distances(x[rows, None]) ** 2) @ heights
        with np.errstate(divide="ignore"):
            return np.logaddexp(np.log(kernels), math.log(self._outliers / math.pi) - 2 * np.log(np.hypot(1.0, x)))

    def _distances(self, x: np.ndarray) -> np.ndarray:
        """Return how many deviations x, of which the last axis is one long, is above the centres of the kernels."""
        return (x - self._centres) / self._deviations

    def _tails(self, x: np.ndarray, sides: np.ndarray) -> np.ndarray:
        """Return the mass below each x where its side is 1 and above it where it is -1, each to full precision."""
        masses = np.empty(len(x))
        for rows in _blocks(len(x)):
            masses[rows] = ndtr(self._distances(x[rows, None]) * sides[rows, None]) @ self._weights
        return masses + self._outliers / math.pi * np.arctan2(1.0, -sides * x)

    def normal_scores(self, values: np.ndarray) -> np.ndarray:
        """Return z = Phi^-1(G(x)), float64 [N], standard normal under g; G is the distribution function."""
        x = self._unit(values)
        sides = np.where(x > 0, -1.0, 1.0)
        return sides * ndtri(self._tails(x, sides))

    @cached_property
    def _grid(self) -> tuple[np.ndarray, np.ndarray]:
        """Return values at and between the centres of the kernels, and their normal scores."""
        centres, aside = self._centres, 1.5 * self._deviations
        x = np.unique(np.concatenate([centres, centres - aside, centres + aside, (centres[1:] + centres[:-1]) / 2]))
        x = np.concatenate([x[0] - 3 * aside[:1], x, x[-1] + 3 * aside[-1:]])
        values = np.ldexp(x * self._spread + self._median, self._exponent)
        return values, self.normal_scores(values)

    def near_scores(self, values: np.ndarray) -> np.ndarray:
        """Return `normal_scores` of values of any shape, interpolated, so that `quantiles` takes them back."""
        return np.interp(values, *self._grid)

    def quantiles(self, scores: np.ndarray) -> np.ndarray:
        """Return the values whose `near_scores` these are, of any shape; they end where the kernels do."""
        return np.interp(scores, *self._grid[::-1])

    def masses(self, thresholds: np.ndarray) -> np.ndarray:
        """Return the mass of g in every bin, float64 [k + 1], above 0; `thresholds` are k sorted values."""
        edges = np.concatenate([[-np.inf], self._unit(thresholds), [np.inf]])
        below, above = (self._tails(edges, np.full(len(edges), side)) for side in (1.0, -1.0))
        masses = np.where(edges[:-1] >= 0, above[:-1] - above[1:], below[1:] - below[:-1])
        # the difference of two masses has no digits left where a bin is narrow
        narrow = np.diff(edges) < NARROW * self._bandwidth
        middles = 0.5 * edges[:-1][narrow] + 0.5 * edges[1:][narrow]
        masses[narrow] = np.exp(self._log_density(middles)) * np.diff(edges)[narrow]
        return np.maximum(masses, TINY)

    def draw(self, low: float, high: float, n: int, rng: np.random.Generator) -> np.ndarray:
        """Return n values, float64 [n], of g between two numbers, which may be infinite: by component and inversion."""
        a, b = self._unit(np.array([low, high]))
        ends = self._distances(np.array([[a], [b]]))
        mirrored = ends[0] > 0  # below 0 the normal distribution function has all its digits
        below, upto = ndtr(np.sort(np.where(mirrored, -ends, ends), axis=0))
        angles = np.arctan([a, b])
        masses = np.append((upto - below) * self._weights, self._outliers / math.pi * (angles[1] - angles[0]))
        if not masses.sum() > TINY:
            return rng.uniform(low, high, n)
        component, shares = rng.choice(len(masses), n, p=masses / masses.sum()), rng.random(n)
        x = np.tan(angles[0] + shares * (angles[1] - angles[0]))
        kernels = component < len(self._centres)
        chosen = component[kernels]
        normal = ndtri(below[chosen] + shares[kernels] * (upto - below)[chosen])
        x[kernels] = self._centres[chosen] + self._deviations[chosen] * np.where(mirrored[chosen], -normal, normal)
        values = np.ldexp(np.clip(x, a, b) * self._spread + self._median, self._exponent)
        return np.clip(values, low, np.nextafter(high, -np.inf))


def shares(codes: np.ndarray, prior: np.ndarray) -> np.ndarray:
    """Return the shares of levels in codes 0..r-1 with one more record, spread by a prior, float64 [r], all above 0."""
    return (np.bincount(codes, minlength=len(prior)) + prior) / (len(codes) + 1)


def _blocks(size: int) -> list[slice]:
    return [slice(first, first + ROWS) for first in range(0, size, ROWS)]
