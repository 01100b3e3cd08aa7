"""Thresholds between the components of Gaussian mixtures: MGCD (Mabrouk et al. 2015, 3.1-3.5) and Ruichu's method.

A mixture shares its components over the configurations of a Markov blanket, or has a single configuration. EM has many
starts: a few steps on wide bins choose one, narrow bins take it to its optimum, and the last steps are plain EM on all
records. The number of components is that of the best BIC, or for Ruichu of the best ICL.
"""

import math
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

import numpy as np
from scipy.special import entr, softmax

from cutpoint.base.errors import InputError
from cutpoint.base.scaling import midpoints
from cutpoint.discretization.binning import check, per_column
from cutpoint.discretization.encoding import discrete_thresholds
from cutpoint.discretization.loop import Discretization, Neighbourhood, Proposal, StepwiseSearch, learn_stepwise
from cutpoint.kernels import mixture as kernels
from cutpoint.learners.learned import Learned
from cutpoint.options import AtLeast1

# In units of the column's standard deviation.
FLOOR = 1e-3  # of all deviations
NARROW = 1e-2  # of those that a start gets from quantiles

RISE = 1e-5  # per record: EM stops when the log-likelihood gains less
STEPS = 100
SHORT = 12  # steps after which only the best start goes on

# Bins of a column, and the most bins of all configurations that pay, per record. Above it, EM on records takes the
# place of EM on narrow bins; on wide bins configurations are pooled.
WIDE, WIDE_CELLS = 64, 0.5
NARROWEST, NARROW_CELLS = 128, 3.0

MARGIN = 10.0  # how far the BIC on narrow bins may be off: all numbers of components within it are compared exactly
# Shares of the penalty of one more component. The search ends before a number that gains less on wide bins, and
# after one that has a lower BIC and gained less.
HOPELESS, PROMISING = 0.5, 0.25

Criterion = Literal["icl", "bic"]
Start = tuple[np.ndarray, np.ndarray]  # means and deviations, float64 [K]


@dataclass(frozen=True)
class Mixture:
    """A mixture with K shared components, sorted by mean, and the weights of q configurations."""

    means: np.ndarray  # float64 [K]
    deviations: np.ndarray  # float64 [K]
    weights: np.ndarray  # float64 [q, K]; each row sums to 1
    log_likelihood: float  # of the records

    def bic(self, records: int) -> float:
        """Return the log-likelihood less the penalty (Eq. 8); higher is better."""
        q, size = self.weights.shape
        return self.log_likelihood - penalty(q, size, records)


def penalty(q: int, size: int, records: int) -> float:
    """Return half of ln N for each of the q (K - 1) free weights and 2 K means and deviations (Eq. 8)."""
    return 0.5 * (q * (size - 1) + 2 * size) * math.log(records)


class StandardizedValues:
    """The values of one variable, float64 [N], sorted and in units of their standard deviation.

    order: int32 [N], the records by value; x: float64 [N], (sorted - centre) / scale, zeros for a constant column.
    """

    def __init__(self, values: np.ndarray):
        self.order = np.argsort(values, kind="stable").astype(np.int32)
        self.sorted = values[self.order]
        low, high = self.sorted[0], self.sorted[-1]
        self.distinct = 1 + int(np.count_nonzero(self.sorted[1:] > self.sorted[:-1]))
        # Halves, so that nothing overflows; the middle first, so that a large offset does not cost digits.
        middle, reach = 0.5 * low + 0.5 * high, 0.5 * high - 0.5 * low
        unit = (self.sorted - middle) / reach if reach > 0 else np.zeros(values.size)
        mean, deviation = unit.mean(), unit.std() or 1.0
        self.centre, self.scale = middle + reach * mean, reach * deviation
        self.x = (unit - mean) / deviation
        self.bins = cache(self._bins)
        self.quantile_start = cache(self._quantile_start)

    def _bins(self, width: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the bin of each sorted record, int32 [N], and each bin's mean and variance, float64 [width].

        Bins go half by rank and half by value: none is long and none holds many records.
        """
        records, reach = self.x.size, max(self.x[-1] - self.x[0], FLOOR)
        rank = np.arange(records)
        rank[1:][self.sorted[1:] == self.sorted[:-1]] = 0
        share = np.maximum.accumulate(rank) / records + (self.x - self.x[0]) / reach
        places = np.clip(share * (width / 2), 0, width - 1).astype(np.int32)
        held = np.maximum(np.bincount(places, minlength=width), 1)
        middles = np.bincount(places, self.x, width) / held
        return places, middles, np.bincount(places, (self.x - middles[places]) ** 2, width) / held

    def _quantile_start(self, shares: tuple[float, ...]) -> Start:
        """Return the means and deviations of neighbouring groups of records; `shares` of all lie below their ends."""
        groups = np.split(self.x, np.rint(np.array(shares) * self.x.size).astype(int))
        means = np.array([group.mean() if group.size else 0.0 for group in groups])
        return means, np.array([max(group.std(), NARROW) if group.size else 1.0 for group in groups])


class Sample:
    """A column under one set of configurations: where EM runs, in units of `StandardizedValues.x`.

    cells: uint32 [N], the configuration of each *sorted* record, 0 .. q - 1, each of which occurs; None for a single
    one. step, wide_step: the penalty of one more component, and that on wide bins; runs: of EM so far, one per start.
    """

    def __init__(self, column: StandardizedValues, cells: np.ndarray | None = None, q: int = 1):
        self.column, self.q, self.runs = column, q, 0
        self.records = n = column.x.size
        self._limits = FLOOR, RISE * n
        cells = np.zeros(self.records, np.uint32) if cells is None else cells
        grouped = column.x[np.argsort(cells.astype(np.min_scalar_type(q)), kind="stable")]
        bounds = np.append(0, np.cumsum(np.bincount(cells)))
        self._grouped = (grouped, bounds, np.empty((0, 0)), np.empty(0), np.empty(0))
        narrow = q * NARROWEST <= NARROW_CELLS * self.records
        self._narrow = self._binned(cells, q, NARROWEST) if narrow else self._grouped
        self._pools = min(q, max(1, int(WIDE_CELLS * self.records) // WIDE))
        if self._pools < q:
            cells = _pool(grouped, bounds, self._pools)[cells]
        self._wide = self._binned(cells, self._pools, WIDE)
        self.step, self.wide_step = (penalty(p, 2, n) - penalty(p, 1, n) for p in (q, self._pools))

    def _binned(self, cells: np.ndarray, q: int, width: int) -> tuple[np.ndarray, ...]:
        """Return the bins as the kernels expect them in place of records."""
        places, middles, spreads = self.column.bins(width)
        counts = np.bincount(cells.astype(np.int64) * width + places, minlength=q * width)
        return np.empty(0), np.zeros(1, np.int64), counts.reshape(q, width).astype(float), middles, spreads

    def compare(self, starts: list[Start]) -> tuple[Start, float]:
        """Return where a few steps on wide bins lead from the best start, and the log-likelihood there."""
        self.runs += len(starts)
        ends = [(means.copy(), deviations.copy()) for means, deviations in starts]
        weights = np.full((self._pools, len(ends[0][0])), 1.0 / len(ends[0][0]))
        values = [kernels.run(self._wide, *self._limits, SHORT, kernels.GROWTH, *end, weights.copy()) for end in ends]
        best = int(np.argmax(values))
        return ends[best], values[best]

    def approach(self, start: Start) -> Mixture:
        """Return the optimum that EM with longer steps reaches, on narrow bins where they save time."""
        weights = np.full((self.q, len(start[0])), 1.0 / len(start[0]))
        return self._run(self._narrow, kernels.GROWTH, *start, weights)

    def fit(self, start: Mixture) -> Mixture:
        """Run plain EM on all records (Proposition 1).

        Deviations are floored at 1e-3; a component without records keeps its mean and deviation.
        """
        return self._run(self._grouped, 1.0, start.means.copy(), start.deviations.copy(), start.weights.copy())

    def _run(self, data, growth, means, deviations, weights) -> Mixture:
        """Run EM in place and return the mixture with its components sorted."""
        value = kernels.run(data, *self._limits, STEPS, growth, means, deviations, weights)
        order = np.argsort(means, kind="stable")
        return Mixture(means[order], deviations[order], np.ascontiguousarray(weights[:, order]), value)


def information_loss(x: np.ndarray, mixture: Mixture) -> float:
    """Return the entropy of the component given the value, summed over x, float64 [N], in nats, of a single mixture."""
    z = (x[:, None] - mixture.means) / mixture.deviations
    with np.errstate(divide="ignore"):  # a component may have no weight
        logs = np.log(mixture.weights[0]) - np.log(mixture.deviations) - 0.5 * z * z
    return float(entr(softmax(logs, axis=1)).sum())


def choose(
    sample: Sample,
    *,
    min_levels: int = 2,
    max_levels: int = 8,
    previous: Mixture | None = None,
    criterion: Criterion = "bic",
) -> Mixture:
    """Return the best mixture, in units of `StandardizedValues.x`; K never exceeds the distinct values.

    Best is the highest BIC (Eq. 8), or for a sample of one configuration ICL, which is BIC less the information loss.
    The number of components goes up from 2 while the BIC rises, and on over a fall if it is a small one. Each
    number starts from quantiles, from the mixture with one component less, each of whose components is split in
    turn, and from the previous mixture (of the column under other configurations) where it has as many.
    """
    lowest, highest = min(min_levels, sample.column.distinct), min(max_levels, sample.column.distinct)
    fits: list[Mixture] = []
    best, falls, reached, fitted = -math.inf, 0, -math.inf, None
    for size in range(min(2, lowest), highest + 1):
        # the shares of records below the ends of the groups that make starts
        ends = [(0.5,), (0.25,), (0.75,)] if size == 2 else [tuple(k / size for k in range(1, size))]
        starts = [sample.column.quantile_start(shares) for shares in ends]
        if fitted is not None:
            starts += [_split(fitted, k) for k in range(size - 1)]
        if previous is not None and len(previous.means) == size:
            starts.append((previous.means, previous.deviations))
        start, value = sample.compare(starts)
        if fits and value - reached < HOPELESS * sample.wide_step:
            break
        before, reached, fitted = fitted, value, sample.approach(start)
        if size < lowest:
            continue
        fits.append(fitted)
        gain = math.inf if before is None else fitted.log_likelihood - before.log_likelihood
        falls = 0 if fitted.bic(sample.records) > best else falls + 1
        best = max(best, fitted.bic(sample.records))
        if falls > 1 or (falls and gain < PROMISING * sample.step):
            break

    def value_of(fit: Mixture) -> float:
        return fit.bic(sample.records) - (information_loss(sample.column.x, fit) if criterion == "icl" else 0.0)

    values = [value_of(fit) for fit in fits]
    near = [fit for fit, value in zip(fits, values, strict=True) if value >= max(values) - MARGIN]
    return max((sample.fit(fit) for fit in near), key=value_of)


def _split(fitted: Mixture, k: int) -> Start:
    """Return the means and deviations of a mixture with component k cut into the halves of a Gaussian."""
    mean, deviation = fitted.means[k], fitted.deviations[k]
    means, deviations = np.append(fitted.means, mean + 0.8 * deviation), np.append(fitted.deviations, 0.6 * deviation)
    means[k] -= 0.8 * deviation
    deviations[k] *= 0.6
    return means, np.maximum(deviations, FLOOR)


def _pool(grouped: np.ndarray, bounds: np.ndarray, pools: int) -> np.ndarray:
    """Return the pool of each configuration, int64 [q]: those of similar means go together."""
    means = np.add.reduceat(grouped, bounds[:-1]) / np.diff(bounds)
    pool = np.empty(means.size, np.int64)
    pool[np.argsort(means, kind="stable")] = np.arange(means.size) * pools // means.size
    return pool


def cut_points(means: np.ndarray, deviations: np.ndarray) -> np.ndarray:
    """Return the cut points that lose the least mass of neighbouring Gaussians (Mabrouk 2015, Proposition 2).

    The loss of a cut is the mass of the lower Gaussian above it and of the upper one below, least at the root of Eq. 7
    or at an end of the stretch between the means. (The print has the end with the highest loss, a slip of the sign.)
    means: float64 [K], sorted; deviations: float64 [K], positive. Of the K - 1 cuts, not decreasing, the k-th lies in
    [means[k], means[k + 1]].
    """
    distance = np.diff(means)
    unit = np.maximum(np.maximum(deviations[:-1], deviations[1:]), distance)
    d, lower, upper = distance / unit, deviations[:-1] / unit, deviations[1:] / unit
    log_ratio = np.log(deviations[1:] / deviations[:-1])
    # ln of upper to lower density at means[k] + y, times 2 (lower upper)^2: a y^2 + 2 b y + c.
    a = (upper - lower) * (upper + lower)
    b = d * lower**2
    c = -((d * lower) ** 2) - 2.0 * (lower * upper) ** 2 * log_ratio
    slope = b + np.sqrt(np.maximum(b * b - a * c, 0.0))
    y = np.divide(-c, slope, out=np.zeros_like(c), where=slope > 0)
    starts_above = -(d**2) >= 2.0 * upper**2 * log_ratio
    ends_below = d**2 <= 2.0 * lower**2 * log_ratio
    y = np.select([starts_above, ends_below], [0.0, d], y)
    return np.clip(means[:-1] + y * unit, means[:-1], means[1:])


def thresholds(column: StandardizedValues, mixture: Mixture) -> np.ndarray:
    """Return the cut points of a mixture in the column's units, without those that make a level without records.

    They are strictly increasing, and at least one where the mixture has two components: if none divides the records,
    the change of value nearest to the first one.
    """
    cuts = column.centre + column.scale * cut_points(mixture.means, mixture.deviations)
    places, first = np.unique(np.searchsorted(column.sorted, cuts), return_index=True)
    kept = cuts[first[(places > 0) & (places < column.sorted.size)]]
    if kept.size or not cuts.size:
        return kept
    changes = np.flatnonzero(np.diff(column.sorted) > 0) + 1
    middles = midpoints(column.sorted[changes - 1], column.sorted[changes])
    return middles[[np.argmin(np.abs(middles - cuts[0]))]]


def check_levels(values: np.ndarray, min_levels: int, max_levels: int) -> None:
    """Raise an InputError unless min_levels <= max_levels and all values, float64 [N, n], are finite."""
    if min_levels > max_levels:
        raise InputError(f"min_levels {min_levels}, max_levels {max_levels}: 1 <= min_levels <= max_levels must hold")
    check(values)


def ruichu(
    values: np.ndarray,
    discrete: np.ndarray,
    *,
    min_levels: AtLeast1 = 2,
    max_levels: AtLeast1 = 8,
    criterion: Criterion = "icl",
) -> list[np.ndarray]:
    """Cut each variable, alone, between the components of a Gaussian mixture (Ruichu et al. 2013: RGMM).

    Its formulas are not public: here the number of components, between the limits, is that of the best ICL (Biernacki,
    Celeux and Govaert 2000), BIC with 3 K - 1 parameters less the entropy of the component given each value, or with
    the criterion "bic" without that loss. The thresholds are those of MGCD. A level that would hold no record is left
    out; a constant column keeps one level.
    """
    check_levels(values, min_levels, max_levels)

    def cuts(x: np.ndarray) -> np.ndarray:
        sample = Sample(StandardizedValues(x))
        mixture = choose(sample, min_levels=min_levels, max_levels=max_levels, criterion=criterion)
        return thresholds(sample.column, mixture)

    return per_column(values, discrete, cuts)


class Clustering:
    """Learns the thresholds of one variable from the mixture given its Markov blanket.

    Thresholds that were learned under the same blanket (variables and thresholds) are looked up. min_levels and
    max_levels limit the number of components.
    """

    def __init__(self, values: np.ndarray, discrete: np.ndarray, *, min_levels: int = 2, max_levels: int = 8):
        check_levels(values, min_levels, max_levels)
        self._limits: dict[str, Any] = {"min_levels": min_levels, "max_levels": max_levels}
        self._columns = {int(i): StandardizedValues(values[:, i]) for i in np.flatnonzero(~discrete)}
        self._previous: dict[int, Mixture] = {}
        self._results: dict[tuple, tuple[np.ndarray, int]] = {}

    def propose(self, variable: int, graph: Neighbourhood, discretization: Discretization) -> Proposal:
        """Learn the thresholds of one variable; the proposal holds none if the codes stay as they are.

        Its calls are the runs of EM, one for each start; they count again where the result is looked up.
        """
        blanket = graph.blankets[variable]
        key = (variable, blanket, tuple([discretization.keys[v] for v in blanket]))
        if key not in self._results:
            self._results[key] = self._learn(variable, blanket, discretization)
        cuts, calls = self._results[key]
        places = self._columns[variable].sorted.searchsorted
        same = np.array_equal(places(cuts), places(discretization.thresholds[variable]))
        return Proposal(None if same else cuts, calls)

    def _learn(self, variable: int, blanket: tuple[int, ...], discretization: Discretization) -> tuple[np.ndarray, int]:
        column = self._columns[variable]
        sample = Sample(column, *discretization.cells(blanket, column.order))
        mixture = choose(sample, previous=self._previous.get(variable), **self._limits)
        self._previous[variable] = mixture
        return thresholds(column, mixture), sample.runs


def mgcd(
    values: np.ndarray,
    discrete: np.ndarray,
    *,
    search: StepwiseSearch,
    min_levels: AtLeast1 = 2,
    max_levels: AtLeast1 = 8,
) -> Learned:
    """Learn a structure, and thresholds by clustering given the Markov blanket (Mabrouk et al. 2015).

    Algorithm 1 with the mixtures of `Clustering`. The first thresholds are those of an empty graph, in which
    each variable stands alone. Arguments: see `cutpoint.discretization.rules`, for the search
    `cutpoint.discretization.loop`; min_levels and max_levels limit the number of levels of a variable.
    """
    discretizer = Clustering(values, discrete, min_levels=min_levels, max_levels=max_levels)
    cuts = [discrete_thresholds(x) if keep else np.empty(0) for x, keep in zip(values.T, discrete, strict=True)]
    return learn_stepwise(discrete, Discretization(values, cuts), discretizer, search)
