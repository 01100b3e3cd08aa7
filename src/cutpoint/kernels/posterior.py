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
def _draw(logs, uniform):
    """Draw a place by log weights."""
    weights = np.exp(logs - logs.max()).cumsum()
    return min(np.searchsorted(weights, uniform * weights[-1], side="right"), logs.size - 1)


@jit
def _parents_above(candidates, layers, i):
    """Return the candidates of a variable in the layers before its own, and those in the last of them, as masks."""
    above, last = 0, 0
    for j in range(candidates.shape[1]):
        depth = layers[candidates[i, j]]
        if depth < layers[i]:
            above |= 1 << j
        if depth == layers[i] - 1:
            last |= 1 << j
    return above, last


@jit
def log_weight(sums, candidates, layers):
    """Return the log of the summed weights of the graphs of a partition; sums: those of all subsets of each mask."""
    total = 0.0
    for i in range(len(sums)):
        above, last = _parents_above(candidates, layers, i)
        total += _log_subtract(sums[i, above], sums[i, above & ~last]) if layers[i] else sums[i, 0]
    return total


@jit
def draw_parents(weights, candidates, layers, uniform):
    """Draw the graph of a partition, bool [n, n], by uniform numbers, float64 [n]."""
    n = len(weights)
    dag = np.zeros((n, n), np.bool_)
    masks, logs = np.zeros(weights.shape[1], np.int64), np.zeros(weights.shape[1])
    for i in range(n):
        above, last = _parents_above(candidates, layers, i)
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
def _ranked(keys):
    """Return the layers of variables that rising keys part, int64 [n], numbered from 0."""
    held = np.zeros(keys.max() + 1, np.int64)
    held[keys] = 1
    return (held.cumsum() - 1)[keys]


@jit
def walk(sums, candidates, layers, variables, uniform):
    """Draw the place of one variable after the other, int64 [steps], in the partition of the others; return layers."""
    logs = np.zeros(2 * layers.size + 1)
    for step in range(variables.size):
        i = variables[step]
        keys = layers + 1
        keys[i] = 0
        keys = 2 * _ranked(keys) - 1  # of the layers without i; even ones are between these
        count = keys.max() + 2
        for place in range(count):
            keys[i] = place
            logs[place] = log_weight(sums, candidates, _ranked(keys))
        keys[i] = _draw(logs[:count], uniform[step])
        layers = _ranked(keys)
    return layers


@jit
def split_sums(cells, size, terms, starts, bounds, places):
    """Return sums over the cells within levels, of terms by count, with one more split at each place, float64 [places].

    cells: int64 [N], below size, by rising bins; terms: float64 [N + 1], the first 0; starts: int64 [M + 1], the
    records below each bin; bounds: int64 [K + 1], the bins where levels begin, and M. At these there is no split.
    """
    splits, steps, total = np.zeros(places), np.diff(terms), 0.0
    low, high = np.zeros((2, size), np.int64)
    for k in range(bounds.size - 1):
        low[:] = 0
        high[:] = 0
        for c in cells[starts[bounds[k]] : starts[bounds[k + 1]]]:
            total += steps[high[c]]
            high[c] += 1
        change = 0.0
        for m in range(bounds[k], min(bounds[k + 1], places)):
            splits[m] = change
            for c in cells[starts[m] : starts[m + 1]]:
                high[c] -= 1
                change += steps[low[c]] - steps[high[c]]
                low[c] += 1
    return splits + total
