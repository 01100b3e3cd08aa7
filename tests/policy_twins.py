"""Slow twins of the policy scores: written from the formulas, counting with dictionaries."""

import math
from collections import Counter
from itertools import pairwise

import numpy as np
from references import bdeu

from cutpoint.discretization.binning import equal_frequency


def level(x, cuts):
    return sum(1 for t in cuts if t <= x)


def encode(values, thresholds):
    return [[level(x, cuts) for x, cuts in zip(row, thresholds, strict=True)] for row in values]


def parents_of(dag, i):
    return [p for p in range(len(dag)) if dag[p][i]]


def children_of(dag, i):
    return [c for c in range(len(dag)) if dag[i][c]]


def blanket_of(dag, i):
    near = {*parents_of(dag, i), *children_of(dag, i)}
    return near.union(*(parents_of(dag, j) for j in children_of(dag, i))) - {i}


def counts_of(rows, child, parents):
    return Counter((tuple(row[p] for p in parents), row[child]) for row in rows)


def information(rows, child, parents):
    """N I(Y_child; Y_parents) in nats, by its definition."""
    n, cells = len(rows), counts_of(rows, child, parents)
    ours, theirs = (Counter(row[child] for row in rows), Counter(tuple(row[p] for p in parents) for row in rows))
    return sum(m * math.log(m * n / (ours[k] * theirs[c])) for (c, k), m in cells.items())


def entropy(p):
    return 0.0 if p in (0.0, 1.0) else -p * math.log(p) - (1 - p) * math.log(1 - p)


def cut_length(column, k):
    m = len(set(column))
    return 0.0 if m == 1 else (m - 1) * entropy((k - 1) / (m - 1))


def description_length(values, thresholds, dag, discrete):
    rows, r, n = encode(values, thresholds), [len(t) + 1 for t in thresholds], len(dag)
    net = policy = gain = 0.0
    for i in range(n):
        pa = parents_of(dag, i)
        net += math.log(r[i]) + (1 + len(pa)) * math.log(n)
        net += math.log(len(rows)) / 2 * math.prod(r[p] for p in pa) * (r[i] - 1)
        policy += 0.0 if discrete[i] else cut_length([v[i] for v in values], r[i])
        gain += information(rows, i, pa)
    return net + policy - gain


def local_length(values, thresholds, dag, i):
    rows, r = encode(values, thresholds), [len(t) + 1 for t in thresholds]
    pa, ch = parents_of(dag, i), children_of(dag, i)
    free = math.prod(r[p] for p in pa) * (r[i] - 1)
    free += sum(math.prod(r[p] for p in parents_of(dag, j)) * (r[j] - 1) for j in ch)
    gain = information(rows, i, pa) + sum(information(rows, j, parents_of(dag, j)) for j in ch)
    return cut_length([v[i] for v in values], r[i]) + math.log(r[i]) + math.log(len(rows)) / 2 * free - gain


def density(column, cuts):
    low, high = min(column), max(column)
    if low == high:
        return 0.0
    edges = [low, *cuts, high]
    counts = Counter(level(x, cuts) for x in column)
    return sum(m * math.log(1 / (edges[k + 1] - edges[k])) for k, m in counts.items())


def local_monti(values, thresholds, dag, i, ess, discrete):
    rows, r = encode(values, thresholds), [len(t) + 1 for t in thresholds]
    own = 0.0 if discrete[i] else density([v[i] for v in values], thresholds[i])
    return own + sum(bdeu(rows, r, j, parents_of(dag, j), ess) for j in [i, *children_of(dag, i)])


def monti(values, thresholds, dag, ess, discrete):
    return sum(local_monti(values, thresholds, dag, i, ess, discrete) for i in range(len(dag)))


def monti_total(values, thresholds, dag, ess, discrete):
    rows, r = encode(values, thresholds), [len(t) + 1 for t in thresholds]
    densities = [density([v[i] for v in values], t) for i, t in enumerate(thresholds) if not discrete[i]]
    return sum(densities) + sum(bdeu(rows, r, i, parents_of(dag, i), ess) for i in range(len(dag)))


def steck(values, thresholds, dag, ess, discrete):
    rows, r = encode(values, thresholds), [len(t) + 1 for t in thresholds]
    total = sum(bdeu(rows, r, i, parents_of(dag, i), ess) for i in range(len(dag)))
    for i in range(len(dag)):
        if not discrete[i]:
            counts = Counter(row[i] for row in rows)
            total -= sum(math.lgamma(counts[k]) for k in range(r[i]))
    return total


def local_score(name, values, thresholds, dag, i, ess, discrete):
    """What LearnVariableDP maximises for one variable."""
    if name == "friedman":
        return -local_length(values, thresholds, dag, i)
    if name == "monti":
        return local_monti(values, thresholds, dag, i, ess, discrete)
    return steck(values, thresholds, dag, ess, discrete)


def choice_score(name, values, thresholds, dag, i, ess, discrete):
    """What chooses between candidates: information for Friedman, the score itself for the others."""
    if name != "friedman":
        return local_score(name, values, thresholds, dag, i, ess, discrete)
    rows = encode(values, thresholds)
    return sum(information(rows, j, parents_of(dag, j)) for j in [i, *children_of(dag, i)])


def candidates(column):
    x = sorted(set(column))
    return [(a + b) / 2 for a, b in pairwise(x)]


def greedy(name, values, thresholds, dag, i, ess, discrete, most=60):
    """Return the greedy list of variable i and the number of candidates scored.

    Friedman's gains are known but for the level that was divided last (Fu 2005, III.2.1).
    """
    mids, cuts, calls = candidates([v[i] for v in values]), [], 0
    fresh_level = -math.inf, math.inf

    def under(score, mine):
        lists = [mine if v == i else t for v, t in enumerate(thresholds)]
        return score(name, values, lists, dag, i, ess, discrete)

    now = under(local_score, [])
    while len(cuts) + 1 < most:
        best, chosen = -math.inf, None
        for t in mids:
            if t not in cuts:
                calls += name != "friedman" or fresh_level[0] < t < fresh_level[1]
                value = under(choice_score, sorted([*cuts, t]))
                if value > best + 1e-7:
                    best, chosen = value, t
        if chosen is None:
            break
        fresh = under(local_score, sorted([*cuts, chosen]))
        if not fresh > now + 1e-6:
            break
        below, above = [t for t in cuts if t < chosen], [t for t in cuts if t > chosen]
        fresh_level = max(below, default=-math.inf), min(above, default=math.inf)
        cuts, now = sorted([*cuts, chosen]), fresh
    return cuts, calls


def random_case(rng, *, rows, n=5, arcs=0.5, ties=False, discrete=0.3):
    """Return values [N, n], thresholds, dag, discrete: dependent columns, some of them discrete."""
    order = rng.permutation(n)
    dag = np.zeros((n, n), bool)
    values = np.empty((rows, n))
    for place, i in enumerate(order):
        before = order[:place]
        dag[before, i] = rng.random(place) < arcs
        values[:, i] = rng.standard_normal(rows) + 1.5 * values[:, dag[:, i]].sum(axis=1)
    if ties:
        values = np.round(values, rng.integers(0, 2))
    held = rng.random(n) < discrete
    thresholds = []
    for i in range(n):
        if held[i]:
            values[:, i] = rng.integers(0, 3, rows)
            thresholds.append(np.arange(rng.integers(2, 5)) + 0.5)  # the last levels may be empty
        else:
            mids = np.array(candidates(values[:, i].tolist()))
            thresholds.append(np.sort(rng.choice(mids, min(len(mids), rng.integers(0, 4)), replace=False)))
    return values, thresholds, dag, held


def first_case(seed, rows, bins, n=4, **options):
    """Return values, discrete, and thresholds of equal frequency to begin with."""
    values, _, _, discrete = random_case(np.random.default_rng(seed), rows=rows, n=n, arcs=0.7, **options)
    return values, discrete, equal_frequency(values, discrete, bins=bins)
