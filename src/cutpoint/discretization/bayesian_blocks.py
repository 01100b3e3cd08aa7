"""Bayesian blocks: the piecewise constant density with the best posterior (Scargle et al. 2013)."""

import math

import numpy as np

from cutpoint.base.scaling import midpoints, near_one
from cutpoint.discretization.binning import per_column
from cutpoint.options import Probability

TIE = 1e-9  # of a posterior in nats


def bayesian_blocks(values: np.ndarray, discrete: np.ndarray, *, p0: Probability = 0.05) -> list[np.ndarray]:
    """Cut each variable into blocks of constant density (Scargle et al. 2013, "events").

    A threshold may stand halfway between neighbouring values. The blocks are those with the largest sum of
    N_k ln(N_k / width_k) - (4 - ln(73.53 p0 m^(-0.478))), m the number of distinct values (Eqs. 19 and 21);
    p0 is the probability of a threshold where the density is constant.
    """
    return per_column(values, discrete, lambda column: _cuts(column, p0))


def _cuts(column: np.ndarray, p0: float) -> np.ndarray:
    distinct, counts = np.unique(column, return_counts=True)
    if distinct.size == 1:
        return np.empty(0)
    middles = midpoints(distinct[:-1], distinct[1:])
    edges = near_one(np.concatenate([distinct[:1], middles, distinct[-1:]]))
    penalty = 4 - math.log(73.53 * p0 * distinct.size**-0.478)
    return middles[_best_starts(edges, np.concatenate([[0], np.cumsum(counts)]), penalty) - 1]


def _best_starts(edges: np.ndarray, before: np.ndarray, penalty: float) -> np.ndarray:
    """Return where the second block, the third one, ... start among the distinct values, int64 [k].

    A start that is worse than a threshold at the present end stays so at all later ends, for no division lowers the
    likelihood, and is not looked at again (Killick et al. 2012). edges: float64 [m + 1], of the cells around each
    distinct value; before: int64 [m + 1], the records below each edge; penalty: of a block.
    """
    last = len(edges) - 1
    best, chosen = np.zeros(last + 1), np.zeros(last + 1, np.int64)
    starts = np.zeros(0, np.int64)
    for end in range(1, last + 1):
        starts = np.append(starts, end - 1)
        records = before[end] - before[starts]
        widths = np.maximum(edges[end] - edges[starts], np.finfo(float).tiny)
        totals = best[starts] + records * (np.log(records) - np.log(widths))
        highest = totals.max()
        best[end], chosen[end] = highest - penalty, starts[np.argmax(totals >= highest - TIE)]
        starts = starts[totals > best[end] - TIE]
    block_starts, end = [], int(chosen[last])
    while end > 0:
        block_starts.append(end)
        end = int(chosen[end])
    return np.array(block_starts[::-1], np.int64)
