"""Codes that depend on each other, for tests of scores and searches."""

import numpy as np


def dependent(seed, rows=200, n=5, levels=3):
    """Codes [rows, n] of which each column copies another one in more than half of the records, and their levels.

    levels: of each of n columns, or of all.
    """
    levels = np.full(n, levels) if np.isscalar(levels) else np.array(levels)
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, levels, (rows, len(levels))).astype(np.int32)
    for j in range(1, len(levels)):
        copy = rng.random(rows) < 0.6
        codes[copy, j] = codes[copy, rng.integers(j)] % levels[j]
    return codes, levels
