"""Upper bounds of the score of a graph and the thresholds of its variables, and what each choice can reach.

A family chooses a list of thresholds for its child and for each parent: an *entry* is one such choice. A network places
variables in an order, each with an entry whose parents were placed before. Values are added up by log(sum(exp)), which
is no less than the highest; the caller divides them by a temperature, so low that the two are almost equal.

Entries: members and lists, int8 and int16 [P + 1, E], the child first, n where there are fewer parents; masks, int16
[E], of the parents; values, float64 [E].
"""

import math

import numpy as np

from cutpoint.kernels.compiled import jit

NOTHING = -36.0  # e to this power is lost beside 1


@jit
def _sum(a, b):
    """Return log(exp(a) + exp(b))."""
    high, low = max(a, b), min(a, b)
    return high if low == -np.inf or low < high + NOTHING else high + math.log1p(math.exp(low - high))


@jit
def _spread(values, upwards):
    """Add to each set of variables all its subsets, or supersets; float64 [n, 1 << n, L], in place."""
    n, size, lists = values.shape
    for j in range(n):
        for bit in range(n):
            for m in range(size):
                if bit != j and m >> bit & 1 and not m >> j & 1:
                    to, start = (m, m ^ (1 << bit)) if upwards else (m ^ (1 << bit), m)
                    for e in range(lists):
                        values[j, to, e] = _sum(values[j, to, e], values[j, start, e])


@jit
def networks(members, masks, values, lists, copies, own):
    """Add up all networks, and those that have each entry.

    copies: float64 [n + 1, n, L], added where the family of j takes list l for w, -inf for no such list; own: float64
    [n, 1 << n, L], added where j comes right after a set of variables and has list l.

    Returns the sum; the sums of the networks that have each entry, float64 [E], and the highest of those with an arc,
    float64 [n + 1, n]; the share of those that place j after a set with list l, float64 [n, 1 << n, L], and that have
    list l of a parent w in the family of j, as `copies`.
    """
    n, size, count = own.shape
    through = values.copy()
    families = np.full(own.shape, -np.inf)
    for e in range(values.size):
        child = members[0, e]
        for k in range(len(members)):
            through[e] += copies[members[k, e], child, lists[k, e]]
        here = families[child, masks[e]]
        here[lists[0, e]] = _sum(here[lists[0, e]], through[e])
    _spread(families, True)
    before, after, steps = np.full(size, -np.inf), np.full(size, -np.inf), np.full((n, size), -np.inf)
    before[0] = after[size - 1] = 0.0
    for m in range(size):
        for j in range(n):
            if not m >> j & 1:
                for e in range(count):
                    steps[j, m] = _sum(steps[j, m], families[j, m, e] + own[j, m, e])
                before[m | 1 << j] = _sum(before[m | 1 << j], before[m] + steps[j, m])
    total = before[size - 1]
    rest, placed, shares = np.full(own.shape, -np.inf), np.zeros(own.shape), np.zeros(copies.shape)
    arcs = np.full(copies.shape[:2], -np.inf)
    for m in range(size - 2, -1, -1):
        for j in range(n):
            if not m >> j & 1:
                after[m] = _sum(after[m], steps[j, m] + after[m | 1 << j])
                for e in range(count):
                    rest[j, m, e] = before[m] + own[j, m, e] + after[m | 1 << j]
                    placed[j, m, e] = math.exp(rest[j, m, e] + families[j, m, e] - total)
    _spread(rest, False)
    for e in range(values.size):
        child = members[0, e]
        through[e] += rest[child, masks[e], lists[0, e]]
        share = math.exp(through[e] - total) if through[e] > total + NOTHING else 0.0
        for k in range(1, len(members)):
            arcs[members[k, e], child] = max(arcs[members[k, e], child], through[e])
            shares[members[k, e], child, lists[k, e]] += share
    return total, through, arcs, placed, shares
