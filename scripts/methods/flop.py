"""FLOP (Wienöbst, Henckel and Weichwald 2025) by its authors' package: a search over orders by a Gaussian BIC."""

import time

import numpy as np

from cutpoint import Learned


def load():
    """Import flopsearch, once before the first run."""
    import flopsearch  # noqa: F401


def learn(values, discrete, *, penalty=2.0, restarts=50):
    """Return the pattern that FLOP finds; columns with one value have no edges.

    Args:
        values: float64 [N, n], where codes of discrete columns count as numbers; standardised here, as the authors do.
        discrete: not used.
        penalty: factor of the BIC's penalty; the authors recommend 2.
        restarts: of the local search, from a random change that no seed fixes.
    """
    import flopsearch

    used = np.flatnonzero((values != values[:1]).any(axis=0))
    pattern = np.zeros((values.shape[1],) * 2, bool)
    if used.size < 2:
        return Learned(cpdag=pattern, kind="pdag")
    table = values[:, used]
    table = (table - table.mean(axis=0)) / table.std(axis=0)
    start = time.process_time()
    pattern[np.ix_(used, used)] = flopsearch.flop(table, penalty, restarts=restarts) > 0
    return Learned(cpdag=pattern, kind="pdag", learn_seconds=time.process_time() - start)
