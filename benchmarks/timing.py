"""Data and CPU seconds of the benchmarks, with one thread; import it before NumPy."""

import os

for name in ("OMP", "OPENBLAS", "MKL", "NUMBA"):
    os.environ[f"{name}_NUM_THREADS"] = "1"

import time

import numpy as np

import cutpoint as cp
from cutpoint.bench.simulation.noise import gaussian

SEED = 2005


def cpu(function, repeat, enough=5.0):
    """Return the least CPU seconds of up to `repeat` calls, fewer when one takes `enough`, and the last result."""
    least, result = np.inf, None
    for _ in range(repeat):
        start = time.process_time()
        result = function()
        least = min(least, time.process_time() - start)
        if least > enough:
            break
    return least, result


def noisy_codes(network, n, sigma=0.35):
    """Return records of a network with Gaussian noise around their codes, float64 [n, variables]."""
    return np.asfortranarray(gaussian(cp.sample(network, n, seed=SEED), sigma, np.random.default_rng(SEED)))
