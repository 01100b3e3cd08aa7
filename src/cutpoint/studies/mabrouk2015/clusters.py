"""The example of Figure 1: what entropy and clustering make of three clusters of unequal weight."""

from __future__ import annotations

import numpy as np

from cutpoint.discretization.binning import equal_frequency
from cutpoint.discretization.mixtures import ruichu
from cutpoint.statistics.draws import generator

WEIGHTS = (1 / 6, 1 / 3, 1 / 2)
COUNT, NOISE = 3000, 0.12  # records, and standard deviation around the values 1, 2 and 3


def sample(seed: int) -> np.ndarray:
    """Return values 1, 2 and 3 of probabilities WEIGHTS with a little Gaussian noise, float64 [N]."""
    rng = generator(seed, "mabrouk2015", "figure_1")
    return 1.0 + rng.choice(len(WEIGHTS), COUNT, p=WEIGHTS) + NOISE * rng.standard_normal(COUNT)


def thresholds(values: np.ndarray) -> dict[str, np.ndarray]:
    """Return the cut points of "entropy" (equal frequency maximises it for 3 levels) and of "clustering"."""
    column, frozen = values[:, None], np.zeros(1, bool)
    return {"entropy": equal_frequency(column, frozen, bins=len(WEIGHTS))[0], "clustering": ruichu(column, frozen)[0]}


def shares(values: np.ndarray, cuts: np.ndarray) -> np.ndarray:
    """Return the share of the records in each interval, float64 [levels]."""
    return np.bincount(np.searchsorted(cuts, values, side="right"), minlength=len(cuts) + 1) / len(values)
