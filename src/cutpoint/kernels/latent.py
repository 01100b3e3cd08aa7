"""Distributions of the levels of one latent variable, record by record.

What tells the levels of a record apart are M factors: rows of a table that has a column for each of r levels.
rows: int32 [M, N], those of each record; table: float64 [rows, r], at most 1 and at least LEAST ** (1 / M).
"""

import math

import numpy as np

from cutpoint.kernels.compiled import jit

LEAST = 1e-280  # of a product of factors
SMALL = 1e-20  # of a product of sums, before its logarithm is taken


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
def expect(rows, table, counts):
    """Add up the distributions of the levels by rows, into counts like the table; return the log-likelihood, nats."""
    weights = np.empty(table.shape[1])
    value, product = 0.0, 1.0
    counts[:] = 0.0
    for n in range(rows.shape[1]):
        total = _weigh(rows, table, n, weights)
        product *= total
        if product < SMALL:
            value += math.log(product)
            product = 1.0
        unit = 1.0 / total
        for k in range(weights.size):
            weights[k] *= unit
        for m in range(rows.shape[0]):
            row = rows[m, n]
            for k in range(weights.size):
                counts[row, k] += weights[k]
    return value + math.log(product)
