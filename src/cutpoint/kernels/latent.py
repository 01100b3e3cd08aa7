"""Posteriors of the levels of one latent variable, record by record.

What tells the levels of a record apart are factors: M rows of a table that has a column for each level.
rows: int32 [M, N], those of each record; table: float64 [rows, r], all of it positive, and at most 1.
"""

import math

import numpy as np

from cutpoint.kernels.compiled import jit

BETWEEN = 8  # factors that are multiplied before the product is divided by its largest element
SMALL = 1e-150  # a product of sums whose logarithm is taken
LEAST = 1e-12  # a share that counts in an entropy


@jit
def _weigh(rows, table, record, weights):
    """Fill in the products of the factors of a record; return their sum, and the log of what they were divided by."""
    row, divided = rows[0, record], 0.0
    for k in range(weights.size):
        weights[k] = table[row, k]
    for m in range(1, rows.shape[0]):
        row = rows[m, record]
        if m % BETWEEN == 0:
            largest = weights.max()
            divided += math.log(largest)
            for k in range(weights.size):
                weights[k] /= largest
        for k in range(weights.size):
            weights[k] *= table[row, k]
    total = 0.0
    for k in range(weights.size):
        total += weights[k]
    return total, divided


@jit
def draw(rows, table, uniform, codes):
    """Draw the levels of all records by uniform numbers, float64 [N], into the codes, int32 [N]."""
    weights = np.empty(table.shape[1])
    for n in range(codes.size):
        left = uniform[n] * _weigh(rows, table, n, weights)[0]
        level = 0
        while level < weights.size - 1 and left >= weights[level]:
            left -= weights[level]
            level += 1
        codes[n] = level


@jit
def expect(rows, table, counts):
    """Add up the distributions of the levels by rows, into counts like the table.

    Returns the log-likelihood, in nats; with no counts, of shape [0, r], the sum of the entropies of the distributions.
    """
    weights = np.empty(table.shape[1])
    value, product = 0.0, 1.0
    entropy = counts.shape[0] == 0
    counts[:] = 0.0
    for n in range(rows.shape[1]):
        total, divided = _weigh(rows, table, n, weights)
        unit = 1.0 / total
        for k in range(weights.size):
            weights[k] *= unit
        if entropy:
            for k in range(weights.size):
                if weights[k] > LEAST:
                    value -= weights[k] * math.log(weights[k])
            continue
        product *= total
        value += divided
        if product < SMALL:
            value += math.log(product)
            product = 1.0
        for m in range(rows.shape[0]):
            row = rows[m, n]
            for k in range(weights.size):
                counts[row, k] += weights[k]
    return value + math.log(product)
