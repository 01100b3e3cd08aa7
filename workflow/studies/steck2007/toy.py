"""The two-dimensional data of section 6, drawn anew for every sample.

What the paper does not print is fixed here once: clusters have the distance 1 and a standard deviation of 0.05.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cutpoint.base.seeds import generator_for

STUDY = "steck2007"
MOST, SIZE, NOISE = 10, 100, 0.05  # clusters, points in each, their standard deviation
EDGE = np.array([[False, True], [False, False]])  # Y0 -> Y1
EMPTY = np.zeros((2, 2), bool)
# Figure 3: two clusters; the standard deviation of Y0 inside them, and of Y1 around Y0
SIZES, SPREAD, LOW, HIGH = (100, 200), 0.1, 0.002, 0.2
OVERLAP, MEANS = 0.35, (0, 0, 1, 1)  # Figure 4: standard deviation of Y0, and its means in the clusters


@dataclass(frozen=True)
class Toy:
    """Points and the graph that they are judged with.

    Attributes:
        values: float64 [N, 2], Y0 and Y1.
        dag: bool [2, 2].
        clusters: int [N, 2], the cluster in which each variable is.
    """

    values: np.ndarray
    dag: np.ndarray
    clusters: np.ndarray


def diagonal(seed: int, sample: int, clusters: int = MOST) -> Toy:
    """Return clusters on the diagonal, independent noise on both axes (Figures 1 and 2).

    Fewer clusters are the first of all.
    """
    rng = generator_for(seed, STUDY, "diagonal", sample)
    centres = np.repeat(np.arange(MOST), SIZE)[:, None]
    values = centres + NOISE * rng.standard_normal((len(centres), 2))
    kept = clusters * SIZE
    return Toy(values[:kept], EDGE, np.broadcast_to(centres, values.shape)[:kept])


def dependence(seed: int, sample: int) -> dict[str, Toy]:
    """Return the data of Figure 3 by panel: two clusters of different size in either variable.

    In the first two the clusters of Y0 and Y1 are independent or the same; in the others Y1 is Y0 with little or
    much noise.
    """
    rng = generator_for(seed, STUDY, "dependence", sample)
    same = np.repeat(np.arange(2), SIZES)
    apart = rng.permutation(same)
    noise = NOISE * rng.standard_normal((len(same), 2))
    y0 = same + SPREAD * rng.standard_normal(len(same))
    error = rng.standard_normal(len(same))
    both = np.column_stack([same, same])
    mixed = np.column_stack([same, apart])
    return {
        "independent": Toy(mixed + noise, EMPTY, mixed),
        "dependent": Toy(both + noise, EDGE, both),
        "low noise": Toy(np.column_stack([y0, y0 + LOW * error]), EDGE, both),
        "high noise": Toy(np.column_stack([y0, y0 + HIGH * error]), EDGE, both),
    }


def overlapping(seed: int, sample: int) -> Toy:
    """Return four clusters that Y1 separates and Y0 does not (Figure 4)."""
    rng = generator_for(seed, STUDY, "overlapping", sample)
    clusters = np.repeat(np.column_stack([MEANS, np.arange(len(MEANS))]), SIZE, axis=0)
    return Toy(clusters + np.array([OVERLAP, NOISE]) * rng.standard_normal(clusters.shape), EDGE, clusters)


def normal(seed: int, sample: int, records: int) -> Toy:
    """Return a bivariate normal sample with correlation 1 / sqrt(2) (Figure 5)."""
    rng = generator_for(seed, STUDY, "normal", records, sample)
    y0, error = rng.standard_normal((2, records))
    # Y0 plus as much noise has that correlation; the score sees ranks only, so that no scale matters.
    return Toy(np.column_stack([y0, y0 + error]), EDGE, np.zeros((records, 2), int))
