"""Simulated replicates with known means, and how often intervals of them cover."""

import numpy as np

from cutpoint.bench.statistics.estimates import jackknife

LEVELS = {"cell": 1, "network": 3, "grid": 12}  # cells that the mean goes over
SIZES = np.geomspace(20, 140, 12)  # errors of structure that networks of 20 to 56 variables have


def _counts(rng, shape, ratio=1.0, common=0.0):
    """Counts such as SHD, lognormal with a standard deviation of 20 % before they are rounded."""
    means = SIZES[: shape[1], None] * ratio * np.exp(rng.normal(0, 0.2, shape) - 0.02 + common)
    return rng.poisson(means).astype(float)


def _pair(rng, shape):
    """Two methods that share most of what differs between replicates, the second with 10 % more errors."""
    common = rng.normal(0, 0.3, shape)
    return _counts(rng, shape, common=common - 0.045), _counts(rng, shape, 1.1, common=common - 0.045)


def simulated(kind, cells, replicates, trials, rng):
    """Return values [trials, cells, replicates] and their true mean over the cells."""
    shape = (trials, cells, replicates)
    spread = np.geomspace(1, 10, cells)[:, None]
    one_wild = np.where(np.arange(cells) == cells - 1, 10.0, 1.0)[:, None]
    kinds = {
        "normal": lambda: (rng.normal(size=shape), 0),
        "gamma, skewness 1": lambda: (rng.gamma(4, size=shape), 4),
        "lognormal counts": lambda: (_counts(rng, shape), SIZES[:cells].mean()),
        "half zeros": lambda: (rng.gamma(4, size=shape) * (rng.random(shape) < 0.5), 2),
        "standard deviations 1 to 10": lambda: (spread * rng.normal(size=shape), 0),
        "correlated methods": lambda: (np.subtract(*_pair(rng, shape)), -0.1 * SIZES[:cells].mean()),
        "70 % zeros": lambda: (rng.gamma(4, size=shape) * (rng.random(shape) < 0.3), 1.2),
        "one cell of ten times the spread": lambda: (one_wild * rng.normal(size=shape), 0),
        "exponential, skewness 2": lambda: (rng.exponential(size=shape), 1),
    }
    return kinds[kind]()


USUAL = ("normal", "gamma, skewness 1", "lognormal counts", "half zeros")
USUAL += ("standard deviations 1 to 10", "correlated methods")
HARD = ("70 % zeros", "one cell of ten times the spread", "exponential, skewness 2")


def coverage(kind, level, replicates, trials, rng):
    """Return the share of 95 % intervals that cover, of those there are, and the share of studies without one."""
    values, truth = simulated(kind, LEVELS[level], replicates, trials, rng)
    return _share(*jackknife(values).mean(1).estimate().interval(), truth)


def ratio_coverage(level, replicates, trials, rng):
    """The same for the mean over cells of the ratio of two methods' means, on the logarithmic scale."""
    first, second = (jackknife(each) for each in _pair(rng, (trials, LEVELS[level], replicates)))
    return _share(*(second / first).mean(1).estimate(log=True).interval(), 1.1)


def bootstrap_coverage(kind, level, replicates, trials, rng):
    """The same for percentiles of bootstrap draws, the same draws in all trials."""
    values, truth = simulated(kind, LEVELS[level], replicates, trials, rng)
    equal = np.full(replicates, 1 / replicates)
    weights = rng.multinomial(replicates, equal, size=(400, values.shape[1])) / replicates
    return _share(*np.quantile(np.einsum("tcr,dcr->dtc", values, weights).mean(2), [0.025, 0.975], axis=0), truth)


def _share(low, high, truth):
    stated = np.isfinite(low)
    return ((low <= truth) & (truth <= high))[stated].mean(), 1 - stated.mean()
