"""Draws of graphs from a posterior that is a product over families, and sums over cells for all places of a threshold.

A family is a row of a table, float64 [n, 2^c]: the log weight of child i with the parents of a mask, bit j standing for
candidates[i, j], int64 [n, c]. A graph has one partition into layers: the first are its sources, and each later
variable has a parent in the layer before and none below it. So graphs are drawn layer by layer, as each layer is as
probable as all that may follow it (Kuipers and Moffa 2015, "Uniform random generation of large acyclic digraphs").
Of many variables the families of a few are drawn at once, given those of all others. Uniform random numbers are given,
so that seeds are the caller's.
"""

import math

import numpy as np

from cutpoint.kernels.compiled import jit


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
def _before(candidates, dag, members):
    """Return which members of a block come before the candidates of a mask, as bits, int64 [k, 2^c].

    A member comes before another variable where it is a parent, or before a parent that is no member.
    """
    before, changed = np.zeros(len(dag), np.int64), True
    before[members] = 1 << np.arange(members.size)
    is_member = before > 0
    while changed:
        changed = False
        for v in range(len(dag)):
            for p in range(len(dag)):
                if dag[p, v] and not is_member[v] and before[p] & ~before[v]:
                    before[v] |= before[p]
                    changed = True
    held = np.zeros((members.size, 1 << candidates.shape[1]), np.int64)
    for k in range(members.size):
        for j in range(candidates.shape[1]):
            for mask in range(1 << j):
                held[k, mask | 1 << j] = held[k, mask] | before[candidates[members[k], j]]
    return held


@jit
def _sum_subsets(weights, held, k):
    """Return ln of the sum of the weights of the k-th member that have but some members before it, float64 [2^k]."""
    sums, units = np.full((2, 1 << len(held)), -np.inf)
    for mask in range(weights.size):
        units[held[k, mask]] = max(units[held[k, mask]], weights[mask])
    shares = np.zeros(sums.size)
    for mask in range(weights.size):
        if weights[mask] > -np.inf:
            shares[held[k, mask]] += math.exp(weights[mask] - units[held[k, mask]])
    for members in range(sums.size):
        if shares[members] > 0 and not members >> k & 1:
            sums[members] = units[members] + math.log(shares[members])
    for j in range(len(held)):
        for members in range(sums.size):
            if members >> j & 1:
                sums[members] = _log_add(sums[members], sums[members ^ 1 << j])
    return sums


@jit
def _next_layers(sums, totals, thirds, placed, logs):
    """Fill the log weights of all that may follow, by the next layer, did none of it need the last one.

    Layers are the subsets of the members left, of which there are 2^m; return m.
    """
    logs[0], size, left, layers = 0.0, 1, 0, np.zeros(logs.size, np.int64)
    for k in range(len(sums)):
        if not placed >> k & 1:
            for t in range(size):
                logs[size + t], layers[size + t] = logs[t] + sums[k, placed], layers[t] + 2 * thirds[1 << k]
            size, left = 2 * size, left + 1
    for t in range(size):
        logs[t] += totals[thirds[placed] + layers[t]] if t else -np.inf
    return left


@jit
def _needing(sums, powers, inverse, placed, last, shares):
    """Fill the share of the families of each member left that need the last layer."""
    left, before = 0, placed & ~last
    for k in range(len(sums)):
        if not placed >> k & 1:
            few = powers[before, k] * inverse[placed, k]
            if powers[before, k] < 1e-290:
                change = sums[k, before] - sums[k, placed]
                few = math.exp(change) if change > -40.0 else 0.0  # else nothing of 1 - few
            shares[left] = 1.0 - few if few < 1.0 - 1e-11 else 0.0
            left += 1


@jit
def _sum_layers(sums, powers, inverse, thirds):
    """Return the log weights of all that may follow members and the last layer of them, float64 [3^k].

    In the number of a place the digit of a member is 1, and 2 in the last layer.
    """
    k, totals = len(sums), np.zeros(3 ** len(sums))
    logs, weights, rest, shares = np.empty(1 << k), np.empty(1 << k), np.empty(1 << k), np.empty(k)
    for placed in range((1 << k) - 2, 0, -1):
        left, last = _next_layers(sums, totals, thirds, placed, logs), placed
        unit = logs[: 1 << left].max()
        for t in range(1 << left):
            weights[t] = math.exp(logs[t] - unit) if logs[t] > -np.inf else 0.0
        while last:
            _needing(sums, powers, inverse, placed, last, shares)
            half, share = 1 << left - 1, shares[left - 1]
            for t in range(half):
                rest[t] = weights[t] + share * weights[t + half]
            for j in range(left - 2, -1, -1):
                for t in range(1 << j):
                    rest[t] += shares[j] * rest[t + (1 << j)]
            totals[thirds[placed] + thirds[last]] = unit + np.log(rest[0])
            last = (last - 1) & placed
    return totals


@jit
def _draw_parents(weights, held, placed, last, uniform):
    """Draw the mask of a family by log weights, float64 [2^c], of members placed before, one in the last layer."""
    masks, count = np.empty(weights.size, np.int64), 0
    for mask in range(weights.size):
        if weights[mask] > -np.inf and not held[mask] & ~placed and (held[mask] & last or not placed):
            masks[count] = mask
            count += 1
    return masks[_draw(weights[masks[:count]], uniform)]


@jit
def draw_families(weights, candidates, dag, blocks, uniform):
    """Draw the families of the members of blocks, one block after the other, given those of all other variables.

    blocks: int64 [B, k]; uniform: float64 [B, draws, 2 k]. Return the graphs of the last block, bool [draws, n, n].
    """
    k, (n, c) = blocks.shape[1], candidates.shape
    thirds, sums, logs, shares = np.zeros(1 << k, np.int64), np.empty((k, 1 << k)), np.empty(1 << k), np.empty(k)
    for j in range(k):
        thirds[1 << j : 2 << j] = thirds[: 1 << j] + 3**j
    for b in range(len(blocks)):
        members, dags = blocks[b], np.zeros((uniform.shape[1], n, n), np.bool_)
        held = _before(candidates, dag, members)
        for m in range(k):
            sums[m] = _sum_subsets(weights[members[m]], held, m)
        powers = np.ascontiguousarray(np.exp(sums - sums[:, -1:]).T)  # 0 where this is too little for a float
        inverse = 1.0 / np.maximum(powers, 1e-300)
        totals = _sum_layers(sums, powers, inverse, thirds)
        _next_layers(sums, totals, thirds, 0, logs)
        sources = np.exp(logs - logs.max()).cumsum()  # the weights of first layers, of all graphs that are drawn
        for d in range(len(dags)):
            dags[d] = dag
            placed, last, luck = 0, 0, uniform[b, d]
            for depth in range(k):
                if placed:
                    left = _next_layers(sums, totals, thirds, placed, logs)
                    _needing(sums, powers, inverse, placed, last, shares)
                    for j in range(left):
                        share = np.log(shares[j])
                        for t in range(1 << left):
                            logs[t] += share if t >> j & 1 else 0.0
                    chosen = _draw(logs[: 1 << left], luck[depth]) if left else 0
                else:
                    chosen = min(np.searchsorted(sources, luck[0] * sources[-1], side="right"), sources.size - 1)
                layer = 0
                for m in range(k):
                    if not placed >> m & 1:
                        layer |= (chosen & 1) << m
                        chosen >>= 1
                for m in range(k):
                    if layer >> m & 1:
                        i = members[m]
                        mask = _draw_parents(weights[i], held[m], placed, last, luck[k + m])
                        for j in range(c):
                            dags[d, candidates[i, j], i] = mask >> j & 1
                placed, last = placed | layer, layer
        dag = dags[-1]
    return dags


@jit
def _cells(codes, levels, order, members, cells):
    """Fill the configuration of some variables, bits of members, of each record in an order; return how many occur."""
    cells[:], count = 0, 1
    for x in range(levels.size):
        if members >> x & 1:
            numbers, count = np.full(count * levels[x], -1), 0
            for k in range(order.size):
                place = cells[k] * levels[x] + codes[order[k], x]
                if numbers[place] < 0:
                    numbers[place] = count
                    count += 1
                cells[k] = numbers[place]
    return count


@jit
def _add_splits(cells, size, terms, starts, bounds, splits):
    """Add sums over the cells within levels, of terms by count, with one more split at each place, to float64 [places].

    cells: int64 [N], below size, by rising bins; terms: float64 [N + 1], the first 0; the others as in `draw_cuts`.
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
            splits[m] += change
            for c in cells[starts[m] : starts[m + 1]]:
                change += terms[high[c] - 1] - terms[high[c]] + terms[low[c] + 1] - terms[low[c]]
                high[c] -= 1
                low[c] += 1
    splits += total


@jit
def _log_share(starts, shares, low, high):
    """Return the log probability that all records between two bins are there."""
    return (starts[high] - starts[low]) * math.log(shares[high] - shares[low]) if starts[high] > starts[low] else 0.0


@jit
def _cut_scores(cells, sizes, terms, rows, columns, families, starts, shares, power, cuts, more):
    """Return the log probabilities of thresholds, with `more` at each place; see `draw_cuts`.

    They are float64 [F + 1, M or 1]: of all, up to a constant, -inf at taken places; of levels in families. families:
    float64 [F, 3], what else the score by levels has, and the log weights of all that does not depend on thresholds,
    and of levels.
    """
    bounds, bins = np.zeros(cuts.size + 2, np.int64), starts.size - 1
    bounds[1:-1], bounds[-1] = cuts, bins
    levels, places = cuts.size + 1 + more, bins if more else 1
    scores, splits = np.zeros((len(families) + 1, places)), np.zeros((len(cells), places))
    done = np.zeros(len(cells), np.bool_)
    for column in np.append(0, columns[:2].ravel()):
        if not done[column]:
            done[column] = True
            _add_splits(cells[column], sizes[column], terms[rows[column, levels]], starts, bounds, splits[column])
    scores[0] += splits[0] - math.lgamma(bins) + math.lgamma(levels) + math.lgamma(bins - levels + 1)
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
            scores[f + 1, m] = splits[columns[0, f], m] - splits[columns[1, f], m] + share + rest
            scores[0, m] += _log_add(others, scores[f + 1, m])
    if more:
        scores[0, bounds[:-1]] = -np.inf
    return scores


@jit
def draw_cuts(codes, levels, sets, columns, terms, rows, weights, order, starts, shares, cuts, power, uniform):
    """Draw thresholds in steps, and then which families have the variable; return rising places and bool [F].

    In a step any one threshold is left out, or none; then one more is drawn among all places, or none. The first is as
    probable as not, and sure where there may be no more thresholds.

    codes: uint16 [N, n]; levels: int64 [n]; sets: int64 [C], variables as bits, the first without any; columns: int64
    [3, F], the set whose cells within levels add to the score of a family by levels, that whose cells are taken off,
    and that whose cells are one with all levels as one (of a child its others and itself, its others, and itself; of
    the variable its parents, none, and its parents); terms: float64 [K, N + 1], what a cell adds by its count; rows:
    int64 [C, L + 1], the row of them for the cells of a set by levels; weights: float64 [F, 4], the log weights of
    other kinds in a family, of levels, and of both without the variable; order: int64 [N], the records by rising bins;
    starts, shares: [M + 1], the records and the share below each bin; uniform: float64 [steps + F, 3].
    """
    cells, sizes = np.empty((sets.size, order.size), np.int64), np.empty(sets.size, np.int64)
    totals, families, without = np.zeros(sets.size), np.empty((len(weights), 3)), np.empty(len(weights))
    for c in range(sets.size):
        sizes[c] = _cells(codes, levels, order, sets[c], cells[c])
        for records in np.bincount(cells[c]):
            totals[c] += terms[rows[c, 1], records]  # with all levels as one
    for f in range(len(weights)):
        (plus, minus, alone), (others, of_levels, less, less_of_levels) = columns[:, f], weights[f]
        rest = totals[0] - totals[alone]
        without[f] = _log_add(less, less_of_levels + totals[plus] - totals[minus] + rest)
        families[f] = rest, _log_add(others, without[f]), of_levels
    given, steps = (cells, sizes, terms, rows, columns, families, starts, shares, power), len(uniform) - len(weights)
    most = min(rows.shape[1], starts.size) - 2
    for out, which, luck in uniform[:steps]:
        fewer = np.delete(cuts, int(which * cuts.size)) if cuts.size == most or out < 0.5 else cuts
        scores = _cut_scores(*given, fewer, 1)[0] - math.log(fewer.size + 1)
        if fewer.size:  # place 0 is that of no threshold
            scores[0] = _cut_scores(*given, fewer, 0)[0, 0] - (math.log(2) if fewer.size + 1 == most else 0.0)
        place = _draw(scores, luck)
        cuts = np.sort(np.append(fewer, place)) if place else fewer
    of_levels, held = _cut_scores(*given, cuts, 0)[1:, 0], np.empty(len(weights), np.bool_)
    for f in range(len(weights)):
        log_odds = max(min(_log_add(weights[f, 0], of_levels[f]) - without[f], 700.0), -700.0)
        held[f] = uniform[steps + f, 0] * (1 + math.exp(-log_odds)) < 1
    return cuts, held
