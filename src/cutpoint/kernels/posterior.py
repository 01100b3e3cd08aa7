"""Draws of graphs from a posterior that is a product over families, and sums over cells for all places of a threshold.

A family is a row of a table, float64 [n, 2^c]: the log weight of child i with the parents of a mask, bit j standing for
candidates[i, j], int64 [n, c]. A graph has one partition into layers: the first are its sources, and each later
variable has a parent in the layer before and none below it. So the graphs of a partition are drawn family by family,
and partitions by a Markov chain (Kuipers and Moffa 2017, "Partition MCMC for inference on acyclic digraphs"). Uniform
random numbers are given, so that seeds are the caller's.
"""

import math

import numpy as np

from cutpoint.kernels.compiled import jit


@jit
def _log_subtract(a, b):
    """Return ln(e^a - e^b), -inf where rounding leaves nothing."""
    if b >= a:
        return -np.inf
    return a if b < a - 40.0 else a + math.log1p(-math.exp(b - a))


@jit
def _log_add(a, b):
    """Return ln(e^a + e^b)."""
    high, low = max(a, b), min(a, b)
    return high + math.log1p(math.exp(low - high)) if low > -np.inf else high


@jit
def _draw(logs, uniform):
    """Draw a place by log weights."""
    weights = np.exp(logs - logs.max()).cumsum()
    return min(np.searchsorted(weights, uniform * weights[-1], side="right"), logs.size - 1)


@jit
def _parents_above(candidates, layers, i, depth):
    """Return the candidates of a variable in layers before one, and those in the last of them, as masks."""
    above, last = 0, 0
    for j in range(candidates.shape[1]):
        at = layers[candidates[i, j]]
        if at < depth:
            above |= 1 << j
        if at == depth - 1:
            last |= 1 << j
    return above, last


@jit
def draw_parents(weights, candidates, layers, uniform):
    """Draw the graph of a partition, bool [n, n], by uniform numbers, float64 [n]."""
    n = len(weights)
    dag = np.zeros((n, n), np.bool_)
    masks, logs = np.zeros(weights.shape[1], np.int64), np.zeros(weights.shape[1])
    for i in range(n):
        above, last = _parents_above(candidates, layers, i, layers[i])
        mask, count = 0, 0
        while mask != above:
            mask = (mask - above) & above
            if mask & last:
                masks[count], logs[count] = mask, weights[i, mask]
                count += 1
        if count:
            chosen = masks[_draw(logs[:count], uniform[i])]
            for j in range(candidates.shape[1]):
                dag[candidates[i, j], i] |= chosen >> j & 1
    return dag


@jit
def _without(layers, i):
    """Return the layers of all variables but one, numbered from 0, and how many they are; that one has a later one."""
    held = np.zeros(layers.size + 1, np.int64)
    for v in range(layers.size):
        if v != i:
            held[layers[v]] = 1
    ranks = (held.cumsum() - held)[layers]
    ranks[i] = layers.size + 1
    return ranks, held.sum()


@jit
def _place(sums, candidates, layers, count, i, logs):
    """Fill the log weights of partitions by the place of a variable.

    2 k is a layer of its own before layer k of the others, and 2 k + 1 is layer k. sums: float64 [n, 2^c], the log
    weights of all subsets of each mask.
    """
    logs[: 2 * count + 1] = 0.0
    for k in range(count + 1):
        above, last = _parents_above(candidates, layers, i, k)
        own = _log_subtract(sums[i, above], sums[i, above & ~last]) if k else sums[i, 0]
        logs[2 * k : min(2 * k + 2, 2 * count + 1)] += own
    for v in range(len(sums)):
        if v == i:
            continue
        k, bit = layers[v], 0
        for j in range(candidates.shape[1]):
            if candidates[v, j] == i:
                bit = 1 << j
        above, last = _parents_above(candidates, layers, v, k)
        before, joined = above & ~last, above | bit
        now = _log_subtract(sums[v, above], sums[v, before]) if k else sums[v, 0]
        logs[2 * k + 1 : 2 * count + 1] += now
        logs[2 * k] += _log_subtract(sums[v, joined], sums[v, above])
        if k:
            logs[2 * k - 1] += _log_subtract(sums[v, joined], sums[v, before]) if bit else now
            logs[: 2 * k - 1] += _log_subtract(sums[v, joined], sums[v, before | bit]) if bit else now


@jit
def walk(sums, candidates, layers, variables, uniform):
    """Draw the place of one variable after the other, int64 [steps], in the partition of the others; return layers."""
    logs = np.zeros(2 * layers.size + 1)
    for step in range(variables.size):
        i = variables[step]
        layers, count = _without(layers, i)
        _place(sums, candidates, layers, count, i, logs)
        place = _draw(logs[: 2 * count + 1], uniform[step])
        if place % 2 == 0:
            layers += layers >= place // 2
        layers[i] = place // 2
    return layers


@jit
def _add_splits(cells, size, terms, starts, bounds, sign, splits):
    """Add sums over the cells within levels, of terms by count, with one more split at each place, to float64 [places].

    cells: int64 [N], below size, by rising bins; terms: float64 [N + 1], the first 0; the others as in `cut_scores`.
    """
    total = 0.0
    low, high = np.zeros((2, size), np.int64)
    for k in range(bounds.size - 1):
        low[:] = 0
        high[:] = 0
        for c in cells[starts[bounds[k]] : starts[bounds[k + 1]]]:
            high[c] += 1
        for c in range(size):
            total += terms[high[c]]
        change = 0.0
        for m in range(bounds[k], min(bounds[k + 1], splits.size)):
            splits[m] += sign * change
            for c in cells[starts[m] : starts[m + 1]]:
                change += terms[high[c] - 1] - terms[high[c]] + terms[low[c] + 1] - terms[low[c]]
                high[c] -= 1
                low[c] += 1
    splits += sign * total


@jit
def _log_share(starts, shares, low, high):
    """Return the log probability that all records between two bins are there."""
    return (starts[high] - starts[low]) * math.log(shares[high] - shares[low]) if starts[high] > starts[low] else 0.0


@jit
def cut_scores(cells, sizes, signs, rows, terms, families, starts, shares, power, bounds, places):
    """Return the log probabilities of thresholds, with one more at each place; see `thresholds.Conditional.scores`.

    cells: int64 [C, N], of each sum by rising bins; sizes, signs, rows: int64 [C], cells, sign and family of each;
    terms: float64 [C, N + 1], what a cell adds by its count; families: float64 [F, 3]; starts, shares: [M + 1], the
    records and the share below each bin; bounds: int64 [K + 1], the bins where levels begin, and M.
    """
    scores = np.zeros((len(families) + 1, places))
    for j in range(len(cells)):
        _add_splits(cells[j], sizes[j], terms[j], starts, bounds, signs[j], scores[rows[j]])
    for k in range(bounds.size - 1):
        low, high = bounds[k], bounds[k + 1]
        whole = _log_share(starts, shares, low, high)
        scores[0] -= power * whole
        for m in range(low + 1, min(high, places)):
            parts = _log_share(starts, shares, low, m) + _log_share(starts, shares, m, high)
            scores[0, m] -= power * (parts - whole)
    for f in range(len(families)):
        rest, others, share = families[f]
        for m in range(places):
            scores[f + 1, m] += share + rest
            scores[0, m] += _log_add(others, scores[f + 1, m])
    return scores
