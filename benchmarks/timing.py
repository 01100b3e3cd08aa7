"""Data and CPU seconds of the benchmarks, with one thread; import it before NumPy."""

import os

for name in ("OMP", "OPENBLAS", "MKL", "NUMBA"):
    os.environ[f"{name}_NUM_THREADS"] = "1"

import gzip
import time
from importlib import resources
from pathlib import Path
from tempfile import TemporaryDirectory

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


def network_of(name):
    """Return a shipped network, or one of pgmpy's examples."""
    if name in cp.network_names():
        return cp.network(name)
    packed = resources.files("pgmpy").joinpath("utils", "example_models", f"{name}.bif.gz")
    with TemporaryDirectory() as folder:
        path = Path(folder, f"{name}.bif")
        path.write_bytes(gzip.decompress(packed.read_bytes()))
        return cp.read_network(path)
