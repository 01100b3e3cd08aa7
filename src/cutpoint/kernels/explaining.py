"""Levels of one variable that make the code of another one short, given what else is known of each record.

Records stand in *blocks* between neighbouring candidate thresholds, in *cells*, the configurations of what else is
known, and have a level of the target. With a number of levels fixed, what a list is worth is the sum over its levels of

    sum over cells  [sum over levels of the target  add(n_ck)  -  take(n_c)],    add(0) = take(0) = 0.
"""

import numpy as np

from cutpoint.kernels.compiled import jit

TIE = 1e-7


@jit
def cumulated_counts(blocks, several, numbers, size):
    """Return how many records of each number stand before each block, int64 [M + 1, size]."""
    counts = np.zeros((several + 1, size), np.int64)
    for p in range(blocks.size):
        counts[blocks[p] + 1, numbers[p]] += 1
    for b in range(several):
        counts[b + 1] += counts[b]
    return counts


@jit
def add_between(counts, end, g, sign, values):
    """Add sign * the sum of g over the counts between each earlier block and one to values, float64 [end]."""
    for start in range(end):
        total = 0.0
        for i in range(counts.shape[1]):
            total += g[counts[end, i] - counts[start, i]]
        values[start] += sign * total


@jit
def extend(values, end, best, last):
    """Fill best and last [end, j]: what lists of j + 1 levels before a block are worth, their last starts."""
    best[end, 0] = values[0]
    for start in range(1, end):
        for j in range(1, best.shape[1]):
            total = best[start, j - 1] + values[start]
            better = total > best[end, j] + TIE
            best[end, j] = total if better else best[end, j]
            last[end, j] = start if better else last[end, j]


@jit
def best_lists(blocks, several, target, levels, rest, cells, add, take, most):
    """Find the list of each number of levels, up to `most`, that is worth most.

    blocks: int64 [N], from 0 to several - 1; target, rest: int64 [N], from 0 to levels - 1 and to cells - 1; add, take:
    float64 [N + 1]. Gives what the lists of 1, 2, ... levels are worth, float64 [most], and the blocks that begin after
    a threshold, int64 [most, most - 1], of which that of k levels has k - 1. Of last thresholds whose lists are nearer
    than 1e-7 the lowest is taken.
    """
    joint = cumulated_counts(blocks, several, rest * levels + target, cells * levels)
    within = cumulated_counts(blocks, several, rest, cells)
    best, last = np.full((several + 1, most), -np.inf), np.zeros((several + 1, most), np.int64)
    values = np.empty(several)
    for end in range(1, several + 1):
        values[:end] = 0.0
        add_between(joint, end, add, 1.0, values)
        add_between(within, end, take, -1.0, values)
        extend(values, end, best, last)
    starts = np.zeros((most, most - 1), np.int64)
    for k in range(most):
        end = several
        for j in range(k, 0, -1):
            end = last[end, j]
            starts[k, j - 1] = end
    return best[several].copy(), starts
