"""Distributions of the levels of one latent variable, record by record, and what their factors are given counts.

What tells the levels of a record apart are M factors: rows of a table that has a column for each of r levels. The last
factor is the density of the value, by bins; the others are families.
rows: int32 [M, N], those of each record; table, counts: float64 [rows, r], entries of a table at most 1 and at least
LEAST ** (1 / M); held: int64 [N], how many records there are like each.
families: int64 [M - 1, 3], the first row of each, the row after its last one, and how many values s its child has: rows
go by configuration and value. The variable's own family is the first and has s = 1. priors: float64 [M - 1], what BDeu
adds to each row, in all levels. middles, spreads: float64 [B], means and variances of the bins.
"""

import math

import numpy as np

from cutpoint.kernels.compiled import jit

NORMAL, SHARED, SKEW = 0, 1, 2  # kinds of densities
LEAST = 1e-280  # of a product of factors
SMALL = 1e-20  # of a product of sums, before its logarithm is taken
FLOOR = 1e-3  # of a deviation
PSEUDO = 2.0  # records of the variance of all levels that are added to each
MOST_SKEW = 0.95  # of a skew normal distribution, below its greatest skewness
FAR = -37.0  # below it the normal distribution function nearly vanishes


@jit
def moments(counts, middles, spreads, kind):
    """Return means, deviations and skewness of the levels, float64 [r] each, from counts by bins."""
    r = counts.shape[1]
    held, means, sums, cubes = np.zeros(r), np.zeros(r), np.zeros(r), np.zeros(r)
    for b in range(middles.size):
        for k in range(r):
            held[k] += counts[b, k]
            means[k] += middles[b] * counts[b, k]
    means /= np.maximum(held, 1e-9)
    for b in range(middles.size):
        for k in range(r):
            away = middles[b] - means[k]
            sums[k] += (away * away + spreads[b]) * counts[b, k]
            cubes[k] += away * away * away * counts[b, k]
    pooled = sums.sum() / held.sum()
    for k in range(r):
        own = pooled if kind == SHARED else (sums[k] + PSEUDO * pooled) / (held[k] + PSEUDO)
        sums[k] = math.sqrt(max(own, FLOOR * FLOOR))
        skewness = cubes[k] / (held[k] + PSEUDO) / (sums[k] * sums[k] * sums[k])
        cubes[k] = min(max(skewness, -MOST_SKEW), MOST_SKEW)
    return means, sums, cubes


@jit
def _log_share(z):
    """Return the logarithm of the normal distribution function."""
    if z > FAR:
        return math.log(0.5 * math.erfc(-z * math.sqrt(0.5)))
    u = 1.0 / (z * z)
    series = 1.0 - u * (1.0 - 3.0 * u * (1.0 - 5.0 * u * (1.0 - 7.0 * u * (1.0 - 9.0 * u))))
    return -0.5 * z * z - math.log(-z * math.sqrt(2.0 * math.pi)) + math.log(series)


@jit
def log_density(counts, middles, spreads, kind, log):
    """Fill in the log densities of the bins given each level, [B, r], less that of the unit, fitted to counts by bins.

    Skew normal distributions are those of these moments (Azzalini 1985).
    """
    means, deviations, skewness = moments(counts, middles, spreads, kind)
    for k in range(means.size):
        mean, scale, delta = means[k], deviations[k], 0.0
        if kind == SKEW:
            root = abs(skewness[k]) ** (2.0 / 3.0)
            delta = math.copysign(
                math.sqrt(math.pi / 2 * root / (root + (2 - math.pi / 2) ** (2.0 / 3.0))), skewness[k]
            )
            scale /= math.sqrt(1 - 2 / math.pi * delta * delta)
        shift, slope, base = delta * math.sqrt(2 / math.pi), delta / math.sqrt(1 - delta * delta), math.log(scale)
        for b in range(middles.size):
            away = middles[b] - mean
            if kind == SKEW:
                z = away / scale + shift
                log[b, k] = -0.5 * z * z - base + _log_share(slope * z) + math.log(2.0)
            else:
                log[b, k] = -0.5 * (away * away + spreads[b]) / (scale * scale) - base


@jit
def _totals(counts, row, values, own):
    """Return the counts over which the probabilities from a row on add up to 1, float64 [r]: of levels, if own."""
    totals = np.zeros(counts.shape[1])
    for j in range(row, row + values):
        for k in range(totals.size):
            totals[k] += counts[j, k]
    if own:
        totals[:] = totals.sum()
    return totals


@jit
def fill(counts, families, priors, middles, spreads, kind, in_bins, least, table):
    """Fill in the factors given counts; return the logarithm that those of the values were divided by, of all records.

    in_bins: float64 [B], the records of each bin; least: of an entry.
    """
    r, first = counts.shape[1], families[-1, 1]
    for f in range(len(families)):
        (begin, end, values), prior = families[f], priors[f] / r
        for row in range(begin, end, values):
            totals = _totals(counts, row, values, f == 0)
            for j in range(row, row + values):
                for k in range(r):
                    total = totals[k] + prior * (r if f == 0 else values)
                    table[j, k] = max((counts[j, k] + prior) / total, least)
    log_density(counts[first:], middles, spreads, kind, table[first:])
    divided = 0.0
    for b in range(middles.size):
        highest = -np.inf
        for k in range(r):
            highest = max(highest, table[first + b, k])
        for k in range(r):
            table[first + b, k] = max(math.exp(table[first + b, k] - highest), least)
        divided += highest * in_bins[b]
    return divided


@jit
def _log_gamma(count, alpha):
    return math.lgamma(count + alpha) - math.lgamma(alpha) if count > 0 else 0.0


@jit
def evidence(counts, table, families, priors):
    """Return the BDeu scores of families with counts, which need not be whole, less the logarithm of their factors."""
    r, score = counts.shape[1], 0.0
    for f in range(len(families)):
        (begin, end, values), prior = families[f], priors[f] / r
        for row in range(begin, end, values):
            for j in range(row, row + values):
                for k in range(r):
                    score += _log_gamma(counts[j, k], prior) - counts[j, k] * math.log(table[j, k])
            totals = _totals(counts, row, values, f == 0)
            for k in range(1 if f == 0 else r):
                score -= _log_gamma(totals[k], prior * (r if f == 0 else values))
    return score


@jit
def _weigh(rows, table, record, weights):
    """Fill in the products of the factors of a record, and return their sum."""
    row = rows[0, record]
    for k in range(weights.size):
        weights[k] = table[row, k]
    for m in range(1, rows.shape[0]):
        row = rows[m, record]
        for k in range(weights.size):
            weights[k] *= table[row, k]
    total = 0.0
    for k in range(weights.size):
        total += weights[k]
    return total


@jit
def draw(rows, table, uniform, codes):
    """Draw the levels of all records by uniform numbers, float64 [N], into the codes, int32 [N]."""
    weights = np.empty(table.shape[1])
    for n in range(codes.size):
        left = uniform[n] * _weigh(rows, table, n, weights)
        level = 0
        while level < weights.size - 1 and left >= weights[level]:
            left -= weights[level]
            level += 1
        codes[n] = level


@jit
def expect(rows, held, table, counts):
    """Add up the distributions of the levels by rows, into counts like the table; return the log-likelihood, nats."""
    weights = np.empty(table.shape[1])
    value, product = 0.0, 1.0
    counts[:] = 0.0
    for n in range(rows.shape[1]):
        total = _weigh(rows, table, n, weights)
        if held[n] == 1:
            product *= total
        else:
            value += held[n] * math.log(total)
        if product < SMALL:
            value += math.log(product)
            product = 1.0
        unit = held[n] / total
        for k in range(weights.size):
            weights[k] *= unit
        for m in range(rows.shape[0]):
            row = rows[m, n]
            for k in range(weights.size):
                counts[row, k] += weights[k]
    return value + math.log(product)
