"""Draws of graphs from a posterior that is a product over families, and scores of all places of a threshold.

A family is a row of a table, float64 [n, 2^c]: the log weight of child i with the parents of a mask, bit j standing for
candidates[i, j], int64 [n, c]. A graph has one partition into layers: the first are its sources, and each later
variable has a parent in the layer before and none below it. So the graphs of a partition are drawn family by family
(Kuipers and Moffa 2017, "Partition MCMC for inference on acyclic digraphs"). For few variables partitions are drawn
exactly, layer by layer (Talvitie, Vuoksenmaa and Koivisto 2019, "Exact sampling of directed acyclic graphs from
modular distributions"); for more by a Markov chain. Uniform random numbers are given, so that seeds are the caller's.
"""

import math

import numpy as np

from cutpoint.kernels.compiled import jit


@jit
def _log_add(a, b):
    high, low = max(a, b), min(a, b)
    return high if low < high - 40.0 or high == -np.inf else high + math.log1p(math.exp(low - high))


@jit
def _log_subtract(a, b):
    """Return ln(e^a - e^b), -inf where rounding leaves nothing."""
    if b >= a:
        return -np.inf
    return a if b < a - 40.0 else a + math.log1p(-math.exp(b - a))


@jit
def _draw(logs, count, uniform):
    """Draw a place below count by log weights."""
    highest, total, chosen = logs[:count].max(), 0.0, 0
    for k in range(count):
        total += math.exp(logs[k] - highest)
    left = uniform * total
    for k in range(count):
        if left >= 0.0 and logs[k] > highest - 700.0:
            left -= math.exp(logs[k] - highest)
            chosen = k
    return chosen


@jit
def subset_sums(weights):
    """Return the log of the summed weights of all subsets of each mask, float64 [n, 2^c]."""
    sums, width = weights.copy(), 1
    while width < weights.shape[1]:
        for i in range(len(sums)):
            for mask in range(sums.shape[1]):
                if mask & width:
                    sums[i, mask] = _log_add(sums[i, mask], sums[i, mask ^ width])
        width *= 2
    return sums


@jit
def _without(mask, i):
    """Return a mask of all variables as one of all but i."""
    low = mask & ((1 << i) - 1)
    return low | ((mask >> (i + 1)) << i)


@jit
def _joining(sums, above, last, joining):
    """Fill in the log weight of each variable as one of the layer after `last`, above being all layers so far."""
    for i in range(len(sums)):
        if not above >> i & 1:
            every = sums[i, _without(above, i)]
            joining[i] = _log_subtract(every, sums[i, _without(above & ~last, i)]) if above else every


@jit
def _next_layers(sums, above, last, futures, places, lowest, joining, products, logs):
    """Fill in the log weights of all next layers, by mask, and return the log of their sum."""
    rest = ((1 << len(sums)) - 1) & ~above
    _joining(sums, above, last, joining)
    highest, layer = -np.inf, 0
    products[0] = 0.0
    while layer != rest:
        layer = (layer - rest) & rest
        products[layer] = joining[lowest[layer]] + products[layer & (layer - 1)]
        logs[layer] = products[layer] + futures[places[above] + 2 * places[layer]]
        highest = max(highest, logs[layer])
    total, layer = 0.0, 0
    while layer != rest:
        layer = (layer - rest) & rest
        if logs[layer] > highest - 40.0:
            total += math.exp(logs[layer] - highest)
    return highest + math.log(total) if highest > -np.inf else highest


@jit
def _places(n):
    """Return for each mask the sum of 3^i over its members i, and the lowest of them, int64 [2^n].

    Sums of two masks, one within the other, are digits of the pair.
    """
    places, lowest = np.zeros((2, 1 << n), np.int64)
    for mask in range(1, 1 << n):
        while not mask >> lowest[mask] & 1:
            lowest[mask] += 1
        places[mask] = places[mask & (mask - 1)] + 3 ** lowest[mask]
    return places, lowest


@jit
def draw_layers(sums, uniform):
    """Draw partitions exactly; all other variables are the candidates of each, in order.

    sums: of `subset_sums`; uniform: float64 [draws, n]. Gives int64 [draws, n], the layer of each variable. All pairs
    of a last layer and what is above it are summed over once, 3^n numbers in 4^n steps.
    """
    n = len(sums)
    full, (places, lowest) = (1 << n) - 1, _places(n)
    futures = np.zeros(3**n)
    joining, products, logs = np.zeros(n), np.zeros(1 << n), np.zeros(1 << n)
    for above in range(full - 1, 0, -1):
        last = above
        while last:
            at = places[above] + places[last]
            futures[at] = _next_layers(sums, above, last, futures, places, lowest, joining, products, logs)
            last = (last - 1) & above
    layers, masks, weights = np.zeros(uniform.shape, np.int64), np.zeros(1 << n, np.int64), np.zeros(1 << n)
    for k in range(len(uniform)):
        above, last, depth = 0, 0, 0
        while above != full:
            _next_layers(sums, above, last, futures, places, lowest, joining, products, logs)
            rest, layer, count = full & ~above, 0, 0
            while layer != rest:
                layer = (layer - rest) & rest
                masks[count], weights[count] = layer, logs[layer]
                count += 1
            last = masks[_draw(weights, count, uniform[k, depth])]
            for i in range(n):
                if last >> i & 1:
                    layers[k, i] = depth
            above, depth = above | last, depth + 1
    return layers


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
    """Return the log of the summed weights of the graphs of a partition."""
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
            chosen = masks[_draw(logs, count, uniform[i])]
            for j in range(candidates.shape[1]):
                dag[candidates[i, j], i] |= chosen >> j & 1
    return dag


@jit
def _take_out(layers, i):
    """Put a variable in no layer, -1, and return how many layers are left."""
    alone, own, most = True, layers[i], 0
    layers[i] = -1
    for j in range(layers.size):
        alone &= layers[j] != own
    for j in range(layers.size):
        if alone and layers[j] > own:
            layers[j] -= 1
        most = max(most, layers[j] + 1)
    return most


@jit
def _put_in(layers, i, place):
    """Put a variable into layer place / 2 where that is whole, else into a new one between two, or at an end."""
    for j in range(layers.size):
        if place % 2 == 0 and layers[j] >= place // 2:
            layers[j] += 1
    layers[i] = place // 2


@jit
def walk(sums, candidates, layers, variables, uniform):
    """Draw the place of one variable after the other, int64 [steps], in the partition of the others, int64 [n]."""
    trial, logs = layers.copy(), np.zeros(2 * layers.size + 1)
    for step in range(variables.size):
        i = variables[step]
        count = 2 * _take_out(layers, i) + 1
        for place in range(count):
            trial[:] = layers
            _put_in(trial, i, place)
            logs[place] = log_weight(sums, candidates, trial)
        _put_in(layers, i, _draw(logs, count, uniform[step]))


@jit
def _split_sums(cells, size, prior, power, starts, bounds, splits):
    """Add the sum of ln Gamma over cells within levels with one more split at each place, to float64 [M + 1].

    Where a level begins there is no split.
    """
    left, right = np.zeros(size, np.int64), np.zeros(size, np.int64)
    for c in cells:
        left[c] += 1
    sums = np.zeros(left.max() + 2)
    for count in range(1, sums.size):
        sums[count] = math.lgamma(prior + power * count) - math.lgamma(prior)
    logs = np.diff(sums)
    total = 0.0
    for k in range(bounds.size - 1):
        left[:] = 0
        right[:] = 0
        for t in range(starts[bounds[k]], starts[bounds[k + 1]]):
            right[cells[t]] += 1
        for c in range(size):
            total += sums[right[c]]
        change = 0.0
        for m in range(bounds[k], bounds[k + 1]):
            splits[m] = change
            for t in range(starts[m], starts[m + 1]):
                c = cells[t]
                right[c] -= 1
                change += logs[left[c]] - logs[right[c]]
                left[c] += 1
    splits += total


@jit
def _log_share(starts, shares, low, high):
    """Return the log probability of the records of some bins to be there."""
    return (starts[high] - starts[low]) * math.log(shares[high] - shares[low]) if high > low else 0.0


@jit
def split_scores(starts, shares, bounds, levels, columns, cells, families, power):
    """Return the log probability of thresholds with one more at each place, float64 [F + 1, M + 1], or without at 0.

    The first row is that of all, up to a constant; the others are what levels have in each family.

    starts, shares: of `cutpoint.posteriors.thresholds.CutGrid`; bounds: int64 [K + 1], the bins where levels begin, and
    M; levels: by which priors are divided, K or K + 1; columns: float64 [C, 4], of each row of cells, int64 [C, N], by
    rising values: how many there may be, the prior of a cell, its sign, its family; the first is one cell, and has
    none. families: float64 [F, 4]: what else their score has, whether it is less that of the first column, the log
    weight of all that does not depend on the thresholds, the log share of levels. power: as what
    each record counts.
    """
    scores = np.zeros((len(families) + 1, len(starts)))
    splits = np.zeros(len(starts))
    for c in range(len(columns)):
        size, prior, sign, family = columns[c]
        splits[:] = 0.0
        _split_sums(cells[c], int(size), prior / levels, power, starts, bounds, splits)
        scores[int(family)] += sign * splits
    total = 0.0
    for k in range(bounds.size - 1):
        total += _log_share(starts, shares, bounds[k], bounds[k + 1])
    k = 0
    for m in range(len(starts) - 1):
        k += m == bounds[k + 1]
        low, high = bounds[k], bounds[k + 1]
        change = _log_share(starts, shares, low, m) + _log_share(starts, shares, m, high)
        alone = scores[0, m]
        scores[0, m] = alone - power * (total + change - _log_share(starts, shares, low, high))
        for f in range(len(families)):
            rest, is_own, others, share = families[f]
            scores[f + 1, m] += share + rest - is_own * alone
            scores[0, m] += _log_add(others, scores[f + 1, m])
    return scores
