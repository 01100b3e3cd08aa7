"""Sorted records divided in two, again and again, while a description of their classes gets shorter (MDLP).

Classes are integers from 0; g is float64 [N + 1], m ln m. Of m records, m_c of class c, the entropy times m is
g(m) - sum_c g(m_c). Counts of the J classes, int64 [J], are zeros before and after each use, so that a set of a few
records costs no more than these.
"""

import math

import numpy as np

from cutpoint.kernels.compiled import jit

TIE = 1e-7  # nats


@jit
def count(classes, counts, g):
    """Add records to counts; return how many classes they are of, and the sum of g over these."""
    several, total = 0, 0.0
    for c in classes:
        several += counts[c] == 0
        total += g[counts[c] + 1] - g[counts[c]]
        counts[c] += 1
    return several, total


@jit
def describe(classes, counts, g):
    """Return how many classes the records are of, the sum of g over these, and k times their entropy."""
    several, total = count(classes, counts, g)
    for c in classes:
        counts[c] = 0
    return several, total, several * (g[classes.size] - total) / classes.size


@jit
def fill_costs(classes, allowed, before, after, g, costs):
    """Fill what the classes take to the left and to the right of each place, infinity where none is allowed."""
    m = classes.size
    _, right = count(classes, after, g)
    left = 0.0
    for p in range(1, m):
        c = classes[p - 1]
        left += g[before[c] + 1] - g[before[c]]
        right += g[after[c] - 1] - g[after[c]]
        before[c] += 1
        after[c] -= 1
        costs[p] = g[p] - left + g[m - p] - right if allowed[p] else np.inf
    before[classes] = 0
    after[classes] = 0


@jit
def place_of_division(classes, allowed, before, after, g, costs):
    """Return where a set of records is divided, 0 for nowhere; of gains nearer than 1e-7 the first wins.

    allowed: bool [m], whether a record may be the first of the right part; costs: room for m floats.
    """
    m = classes.size
    fill_costs(classes, allowed, before, after, g, costs)
    lowest = costs[1:m].min() if m > 1 else np.inf
    if lowest == np.inf:
        return 0
    place = 1
    while costs[place] > lowest + TIE:
        place += 1
    k, total, entropies = describe(classes, before, g)
    length = math.log(m - 1) + k * math.log(3) + math.log1p(-2 * 3.0**-k) - entropies
    length += describe(classes[:place], before, g)[2] + describe(classes[place:], before, g)[2]
    return place if g[m] - total - costs[place] > length + TIE else 0


@jit
def divide(classes, allowed, several, g):
    """Return where sorted records are divided, int64, increasing.

    classes: int64 [N], in the order of the values; allowed: bool [N], whether a record may be the first of a level;
    several: J, above all classes.
    """
    records = classes.size
    before, after = np.zeros(several, np.int64), np.zeros(several, np.int64)
    costs, begins = np.empty(records), np.zeros(records, np.bool_)
    # The parts that wait, each behind those to its right.
    ends, waiting, first = np.empty(records + 1, np.int64), 1, 0
    ends[0] = records
    while waiting:
        last = ends[waiting - 1]
        place = place_of_division(classes[first:last], allowed[first:last], before, after, g, costs)
        if place:
            begins[first + place] = True
            ends[waiting] = first + place
            waiting += 1
        else:
            first = last
            waiting -= 1
    return np.flatnonzero(begins)
