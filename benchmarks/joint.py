"""Upper bounds of the score of a graph and the thresholds of its variables, and what each choice can reach.

A family chooses a list of thresholds for its child and for each parent: an *entry* is one such choice. A network places
variables in an order, each with an entry whose parents were placed before. Values are added up by log(sum(exp)), which
is no less than the highest; the caller divides them by a temperature, so low that the two are almost equal.

Entries stand by family, rows first[f] .. first[f + 1] - 1: values float64 [E], lists int16 [E, P + 1]; members int64
[F, P + 1], the child first, n where there are fewer parents; masks int64 [F], the parents.
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
def networks(first, members, masks, values, lists, copies, own):
    """Add up all networks, and those that have each entry.

    copies: float64 [n + 1, n, L], added where the family of j takes list l for w, -inf for no such list; own: float64
    [n, 1 << n, L], added where j comes right after a set of variables and has list l.

    Returns the sum; the sums of the networks that have each entry, float64 [E]; the share of those that place j after a
    set with list l, float64 [n, 1 << n, L], and that have list l of a parent w in the family of j, as `copies`.
    """
    n, size, count = own.shape
    through = np.empty(values.size)
    families = np.full(own.shape, -np.inf)
    for f in range(masks.size):
        child = members[f, 0]
        for e in range(first[f], first[f + 1]):
            through[e] = values[e]
            for k in range(members.shape[1]):
                through[e] += copies[members[f, k], child, lists[e, k]]
            here = families[child, masks[f]]
            here[lists[e, 0]] = _sum(here[lists[e, 0]], through[e])
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
    for m in range(size - 2, -1, -1):
        for j in range(n):
            if not m >> j & 1:
                after[m] = _sum(after[m], steps[j, m] + after[m | 1 << j])
                for e in range(count):
                    rest[j, m, e] = before[m] + own[j, m, e] + after[m | 1 << j]
                    placed[j, m, e] = math.exp(rest[j, m, e] + families[j, m, e] - total)
    _spread(rest, False)
    for f in range(masks.size):
        child = members[f, 0]
        for e in range(first[f], first[f + 1]):
            through[e] += rest[child, masks[f], lists[e, 0]]
            if through[e] > total + NOTHING:
                for k in range(1, members.shape[1]):
                    shares[members[f, k], child, lists[e, k]] += math.exp(through[e] - total)
    return total, through, placed, shares


@jit
def selected(first, members, lists, allowed):
    """Return which entries have allowed lists alone, bool [E]; allowed: bool [n + 1, L]."""
    kept = np.ones(len(lists), np.bool_)
    for f in range(len(members)):
        for e in range(first[f], first[f + 1]):
            for k in range(members.shape[1]):
                kept[e] = kept[e] and allowed[members[f, k], lists[e, k]]
    return kept
