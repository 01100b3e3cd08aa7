"""Intervals of values for the codes of a network, so that the true thresholds are known: the edges between them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import scipy

from cutpoint.base.errors import InputError

FARTHEST = 9.0  # the end of latent normal values, which no sample reaches


@dataclass(frozen=True, eq=False)
class Intervals:
    """What the codes of one variable with r states become.

    Code k becomes a value of [edges[k], edges[k + 1]), float64 [r + 1], so that the true thresholds are the inner
    edges. The density inside is uniform; or a normal one with means and sds, float64 [r], truncated; or a beta one with
    shapes, float64 [2, r]. Parameters of the other densities are empty.
    """

    edges: np.ndarray
    means: np.ndarray = field(default_factory=lambda: np.empty(0))
    sds: np.ndarray = field(default_factory=lambda: np.empty(0))
    shapes: np.ndarray = field(default_factory=lambda: np.empty(0))


def draw_intervals(
    cardinalities: Iterable[int],
    rng: np.random.Generator,
    *,
    lengths: Sequence[float] = (0.5, 2.0),
    sd: Sequence[float] | None = None,
    shapes: Sequence[float] | None = None,
) -> list[Intervals]:
    """Draw consecutive intervals from 0 on, and what is inside them (Mabrouk et al. 2015, section 4).

    Lengths are uniform in a range, means uniform in their interval, standard deviations the length of the interval
    times a uniform number of the range ``sd``; logarithms of both ``shapes`` of a beta density are uniform, so that
    levels are skewed to either side and spread differently. Without either the density is uniform. What is taken from
    ``rng`` does not depend on the ranges: the same state of it with another ``sd`` gives the same edges and means.
    """
    return [_draw(rng.random((3, int(r))), lengths, sd, shapes) for r in cardinalities]


def latent_intervals(codes: np.ndarray, cardinalities: Iterable[int]) -> list[Intervals]:
    """Return intervals that make each variable standard normal, as far as a sample of codes [N, n] tells.

    A level is read from a latent normal value: the thresholds stand at the normal quantiles of the shares of the
    levels, and the density inside is the normal one. No mode and no gap of a marginal density shows a threshold. Half a
    record is added to each level, so that no interval is empty.
    """
    return [_latent(np.bincount(column, minlength=r) + 0.5) for column, r in zip(codes.T, cardinalities, strict=True)]


def _latent(counts: np.ndarray) -> Intervals:
    inner = scipy.special.ndtri(counts.cumsum()[:-1] / counts.sum())
    edges = np.concatenate([[-FARTHEST], inner, [FARTHEST]])
    return Intervals(edges, np.zeros(len(counts)), np.ones(len(counts)))


def _draw(
    uniform: np.ndarray, lengths: Sequence[float], sd: Sequence[float] | None, shapes: Sequence[float] | None
) -> Intervals:
    widths = lengths[0] + (lengths[1] - lengths[0]) * uniform[0]
    edges = np.concatenate([[0.0], widths.cumsum()])
    if sd is not None:
        means = edges[:-1] + widths * uniform[1]
        return Intervals(edges, means, widths * (sd[0] + (sd[1] - sd[0]) * uniform[2]))
    if shapes is not None:
        return Intervals(edges, shapes=shapes[0] * (shapes[1] / shapes[0]) ** uniform[1:])
    return Intervals(edges)


def in_intervals(codes: np.ndarray, intervals: Sequence[Intervals], rng: np.random.Generator) -> np.ndarray:
    """Return a value in the interval of each code [N, n], independent given the codes; columns contiguous.

    Each takes one uniform number of ``rng``, column by column.
    """
    values = rng.random(codes.shape[::-1]).T
    for i, interval in enumerate(intervals):
        if codes.size and not 0 <= codes[:, i].min() <= codes[:, i].max() < len(interval.edges) - 1:
            raise InputError(f"column {i} has codes outside its {len(interval.edges) - 1} intervals")
        values[:, i] = _inside(codes[:, i], interval, values[:, i])
    return values


def _inside(codes: np.ndarray, interval: Intervals, uniform: np.ndarray) -> np.ndarray:
    """Return the quantiles of the distributions in the intervals of some codes, float64 [N]."""
    lower, upper = interval.edges[:-1], interval.edges[1:]
    if interval.sds.size:
        below = scipy.special.ndtr((lower - interval.means) / interval.sds)
        inside = scipy.special.ndtr((upper - interval.means) / interval.sds) - below
        quantiles = scipy.special.ndtri(below[codes] + inside[codes] * uniform)
        values = interval.means[codes] + interval.sds[codes] * quantiles
    elif interval.shapes.size:
        values = lower[codes] + (upper - lower)[codes] * scipy.special.betaincinv(*interval.shapes[:, codes], uniform)
    else:
        values = lower[codes] + (upper - lower)[codes] * uniform
    # rounding can lead to the upper edge or beyond, and a quantile of 0 or 1 to infinity
    return np.clip(values, lower[codes], np.nextafter(upper, lower)[codes])
