"""EM for Gaussian mixtures whose components are shared by all configurations of a Markov blanket.

    p(x | configuration j) = sum over k of weights[j, k] N(x; means[k], deviations[k])    (Mabrouk 2015, Prop. 1)

The data come in two forms. *Records* are exact: the values grouped by configuration. *Bins* stand in for them
while starts are compared: the column is cut into bins, a bin has one mean and one variance for all
configurations, and counts[j, b] records of configuration j fall into it. Densities are then computed once per
bin instead of once per record. Values are in units of the column's standard deviation.

Densities are relative to the largest one of the same value and at least exp(LOWEST), weights at least LEAST, so that
every total is positive and nothing is denormal. Exponentials and logarithms are written out, to become vectors.
"""

import math

import numpy as np

from cutpoint.kernels import compiled

jit = compiled.jit(fastmath={"contract"})
summing = compiled.jit(fastmath={"contract", "reassoc"})  # in any order

BLOCK = 256
LOWEST = -300.0
LEAST = 1e-150
FEWEST = 1e-8  # a component with fewer records keeps its mean and deviation
GROWTH = 1.2
LOG_TWO_PI = math.log(2.0 * math.pi)
TAYLOR = tuple([1.0 / math.factorial(k) for k in range(8, -1, -1)])
SQRT_HALF_BITS = 0x3FE6A09E667F3BCD
ARTANH = tuple([1.0 / k for k in range(19, 0, -2)])


@jit
def exp_nonpositive(y):
    """Return exp(y) for LOWEST <= y <= 0 as the power 256 of a series; it is off by less than 1e-13."""
    p = 0.0
    for i in range(len(TAYLOR)):
        p = p * (y / 256.0) + TAYLOR[i]
    for _ in range(8):
        p *= p
    return p


@jit
def log_positive(t):
    """Return ln t of a normal t > 0, as n ln 2 plus the series of 2 artanh((m - 1) / (m + 1))."""
    bits = np.float64(t).view(np.int64)
    n = (bits - np.int64(SQRT_HALF_BITS)) >> np.int64(52)
    m = np.int64(bits - (n << np.int64(52))).view(np.float64)
    s, p = (m - 1.0) / (m + 1.0), 0.0
    for i in range(len(ARTANH)):
        p = p * s * s + ARTANH[i]
    return n * math.log(2.0) + 2.0 * s * p


@summing
def dot(a, b, first, last):
    """Return the sum of products of the elements first .. last - 1."""
    total = 0.0
    for i in range(first, last):
        total += a[i] * b[i]
    return total


@jit
def relative_densities(x, spreads, means, deviations, densities, largest):
    """Fill each component's densities of x relative to the largest, and ln of the largest times sqrt(2 pi).

    spreads: a variance about each x; the expected log-density takes the place of the log-density then.
    """
    largest[:] = -1e300
    for k in range(means.size):
        mean, logs = means[k], densities[k]
        offset, factor = -math.log(deviations[k]), -0.5 / (deviations[k] * deviations[k])
        for i in range(x.size):
            d = x[i] - mean
            logs[i] = offset + factor * (d * d + spreads[i])
            largest[i] = max(largest[i], logs[i])
    for k in range(means.size):
        logs = densities[k]
        for i in range(x.size):
            logs[i] = exp_nonpositive(max(logs[i] - largest[i], LOWEST))


@summing
def add_moments(x, spreads, shares, mean, moments):
    """Add the first two moments of x about a component's mean, weighted by its shares."""
    first, second = 0.0, 0.0
    for i in range(x.size):
        d = x[i] - mean
        first += shares[i] * d
        second += shares[i] * (d * d + spreads[i])
    moments[0] += first
    moments[1] += second


@summing
def log_total(counts, totals, largest):
    """Return the log-likelihood up to its constant: the sum of counts (ln total + ln largest)."""
    value = 0.0
    for i in range(totals.size):
        value += counts[i] * (log_positive(totals[i]) + largest[i])
    return value


@jit
def expect_bins(counts, middles, spreads, means, deviations, weights, sizes, moments, room):
    """E-step on bins: fill sizes [q, K] and moments [K, 2] of the components; return the log-likelihood.

    room: float64 [2 K + 2, bins].
    """
    q, K = weights.shape
    densities, shares, largest, totals = room[:K], room[K : 2 * K], room[2 * K], room[2 * K + 1]
    relative_densities(middles, spreads, means, deviations, densities, largest)
    shares[:] = 0.0
    value = 0.0
    for j in range(q):
        here = counts[j]
        totals[:] = 0.0
        for k in range(K):
            weight, density = weights[j, k], densities[k]
            for b in range(totals.size):
                totals[b] += weight * density[b]
        value += log_total(here, totals, largest)
        for b in range(totals.size):
            totals[b] = here[b] / totals[b]
        for k in range(K):
            weight, share = weights[j, k], shares[k]
            sizes[j, k] = weight * dot(densities[k], totals, 0, totals.size)
            for b in range(totals.size):
                share[b] += weight * totals[b]
    moments[:] = 0.0
    for k in range(K):
        density, share = densities[k], shares[k]
        for b in range(totals.size):
            share[b] *= density[b]
        add_moments(middles, spreads, share, means[k], moments[k])
    return value


@jit
def expect_records(x, bounds, means, deviations, weights, sizes, moments, room):
    """E-step on records: fill sizes [q, K] and moments [K, 2] of the components; return the log-likelihood.

    x[bounds[j] : bounds[j + 1]] are the values of configuration j. room: float64 [K + 4, BLOCK].
    """
    K = means.size
    ones, zeros = room[K + 2], room[K + 3]
    ones[:], zeros[:] = 1.0, 0.0
    sizes[:] = 0.0
    moments[:] = 0.0
    value = 0.0
    start = 0
    for first in range(0, x.size, BLOCK):
        n = min(BLOCK, x.size - first)
        here, none = x[first : first + n], zeros[:n]
        shares, largest, totals = room[:K], room[K][:n], room[K + 1][:n]
        relative_densities(here, none, means, deviations, shares, largest)
        totals[:] = 0.0
        last = start
        while bounds[last + 1] < first + n:
            last += 1
        for j in range(start, last + 1):
            low, high = max(0, bounds[j] - first), min(n, bounds[j + 1] - first)
            for k in range(K):
                weight, share = weights[j, k], shares[k]
                for i in range(low, high):
                    share[i] *= weight
                    totals[i] += share[i]
        value += log_total(ones, totals, largest)
        for i in range(n):
            totals[i] = 1.0 / totals[i]
        for k in range(K):
            share = shares[k]
            for i in range(n):
                share[i] *= totals[i]
            add_moments(here, none, share, means[k], moments[k])
        for j in range(start, last + 1):
            low, high = max(0, bounds[j] - first), min(n, bounds[j + 1] - first)
            for k in range(K):
                sizes[j, k] += dot(shares[k], ones, low, high)
        start = last
    return value


@jit
def maximise(sizes, moments, floor, means, deviations, weights):
    """M-step in place (Proposition 1); deviations are at least floor."""
    q, K = weights.shape
    for k in range(K):
        size = sizes[:, k].sum()
        if size > FEWEST:
            shift = moments[k, 0] / size
            means[k] += shift
            deviations[k] = max(math.sqrt(max(moments[k, 1] / size - shift * shift, 0.0)), floor)
    for j in range(q):
        size = sizes[j].sum()
        for k in range(K):
            weights[j, k] = max(sizes[j, k] / size, LEAST)


@jit
def extrapolate(before, stride, floor, means, deviations, weights):
    """Go `stride` times as far from the point before as the EM step went; weights stay above a tenth of EM's."""
    old_means, old_deviations, old_weights = before
    q, K = weights.shape
    for k in range(K):
        means[k] = old_means[k] + stride * (means[k] - old_means[k])
        deviations[k] = max(old_deviations[k] * (deviations[k] / old_deviations[k]) ** stride, floor)
    for j in range(q):
        total = 0.0
        for k in range(K):
            further = old_weights[j, k] + stride * (weights[j, k] - old_weights[j, k])
            weights[j, k] = max(further, 0.1 * weights[j, k], LEAST)
            total += weights[j, k]
        for k in range(K):
            weights[j, k] /= total


@jit
def copy(point, means, deviations, weights):
    """Copy a point; in loops, since numba compiles a check of shapes with every assignment of arrays, for seconds."""
    for k in range(means.size):
        means[k], deviations[k] = point[0][k], point[1][k]
        for j in range(weights.shape[0]):
            weights[j, k] = point[2][j, k]


@jit
def run(data, floor, rise, steps, growth, means, deviations, weights):
    """Run EM in place until the log-likelihood rises by less than `rise`; return it.

    data: x and bounds of `expect_records`, counts, middles and spreads of `expect_bins`; an empty x stands for
    bins. growth > 1 makes the steps longer and longer; one that lowers the log-likelihood is taken back to where
    EM led, so that it never falls.
    """
    x, bounds, counts, middles, spreads = data
    q, K = weights.shape
    sizes, moments = np.empty((q, K)), np.empty((K, 2))
    on_bins = x.size == 0
    room = np.empty((2 * K + 2, middles.size)) if on_bins else np.empty((K + 4, BLOCK))
    before = means.copy(), deviations.copy(), weights.copy()
    plain = means.copy(), deviations.copy(), weights.copy()
    best, stride = -np.inf, 1.0
    step = 0
    while True:
        if on_bins:
            value = expect_bins(counts, middles, spreads, means, deviations, weights, sizes, moments, room)
        else:
            value = expect_records(x, bounds, means, deviations, weights, sizes, moments, room)
        if stride > 1.0 and not value >= best:
            copy(plain, means, deviations, weights)
            stride = 1.0
            continue
        gain = value - best
        best = value
        if step == steps or gain < rise:
            break
        copy((means, deviations, weights), *before)
        maximise(sizes, moments, floor, means, deviations, weights)
        stride *= growth
        step += 1
        if stride > 1.0:
            copy((means, deviations, weights), *plain)
            extrapolate(before, stride, floor, means, deviations, weights)
    records = counts.sum() if on_bins else float(x.size)
    return best - 0.5 * LOG_TWO_PI * records
