"""The exact density of continuous values that stand for the codes of a network, by summing over all codes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import scipy

from cutpoint.bench.simulation.intervals import Intervals
from cutpoint.networks.network import Network

ROWS = 256  # records that are worked on together


def log_density(network: Network, emissions: Sequence[np.ndarray]) -> np.ndarray:
    """Return the log density of records of which each value depends on the code of its variable alone, float64 [N].

    Exact: the sum over the codes of all variables, which are eliminated one after the other, the one that leaves the
    smallest table first.

    Args:
        network: of the codes.
        emissions: float64 [N, r] by variable, the log density of the value for each code; -inf where it is impossible.
    """
    highest = np.array([each.max(1) for each in emissions])
    shifts = np.where(np.isfinite(highest), highest, 0.0)
    found = np.empty(len(emissions[0]))
    for first in range(0, len(found), ROWS):
        rows = slice(first, first + ROWS)
        shares = [np.exp(each[rows] - top[rows, None]) for each, top in zip(emissions, shifts, strict=True)]
        found[rows] = _sum_over_codes(network, shares)
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(found) + shifts.sum(0))


def _sum_over_codes(network: Network, shares: Sequence[np.ndarray]) -> np.ndarray:
    record, sizes = len(shares), network.cardinalities
    factors = [(table[None], (record, *network.parents[i], i)) for i, table in enumerate(network.tables)]
    factors += [(share, (record, i)) for i, share in enumerate(shares)]
    left = set(range(record))
    while left:
        beside = {i: {j for _, axes in factors if i in axes for j in axes} - {i, record} for i in left}
        chosen = min(left, key=lambda i: (np.prod(sizes[list(beside[i])]), i))
        axes = (record, *sorted(beside[chosen]))
        place = {axis: k for k, axis in enumerate((*axes, chosen))}
        inside = [factor for factor in factors if chosen in factor[1]]
        operands = [part for table, names in inside for part in (table, [place[name] for name in names])]
        factors = [factor for factor in factors if chosen not in factor[1]]
        factors.append((np.einsum(*operands, [place[name] for name in axes]), axes))
        left.remove(chosen)
    return np.asarray(np.prod(np.broadcast_arrays(*(table for table, _ in factors)), axis=0))


def around_codes(values: np.ndarray, cardinalities: Sequence[int], sigma: float) -> list[np.ndarray]:
    """Return the log densities of values around each code, float64 [N, r] by variable; see `noise.gaussian`.

    Args:
        values: float64 [N, n].
        cardinalities: the number of codes of each variable.
        sigma: standard deviation, above 0.
    """
    return [
        scipy.stats.norm.logpdf(x[:, None], np.arange(r), sigma) for x, r in zip(values.T, cardinalities, strict=True)
    ]


def inside_intervals(values: np.ndarray, intervals: Sequence[Intervals]) -> list[np.ndarray]:
    """Return the log densities of values in the interval of each code, float64 [N, r]; see `intervals.in_intervals`.

    Args:
        values: float64 [N, n].
        intervals: those of each variable.
    """
    return [_inside(x[:, None], each) for x, each in zip(values.T, intervals, strict=True)]


def _inside(x: np.ndarray, interval: Intervals) -> np.ndarray:
    lower, upper = interval.edges[:-1], interval.edges[1:]
    if interval.shapes.size:
        return np.where(x < upper, scipy.stats.beta.logpdf(x, *interval.shapes, lower, upper - lower), -np.inf)
    if not interval.sds.size:
        return np.where((x >= lower) & (x < upper), -np.log(upper - lower), -np.inf)
    ends = ((edges - interval.means) / interval.sds for edges in (lower, upper))
    return np.where(x < upper, scipy.stats.truncnorm.logpdf(x, *ends, interval.means, interval.sds), -np.inf)
