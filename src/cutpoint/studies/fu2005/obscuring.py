"""The example of Margaritis (2005) that Fu 2005 shows in Figure I-1, drawn anew.

The original points are not printed. Here Y is a triangle wave of X with three periods plus a little noise, so
that within each third of X the values of Y fill the unit interval evenly: a strong dependence that three
equal intervals per axis cannot see. The independent pair is uniform.
"""

from __future__ import annotations

import numpy as np

from cutpoint.statistics.draws import generator

BINS, FINE = 3, 12  # intervals per axis: what a learner sees, and enough to see more
COUNT, NOISE = 1500, 0.02


def samples(seed: int) -> list[tuple[str, np.ndarray]]:
    """Return a dependent and an independent sample, float64 [N, 2] in the unit square."""
    rng = generator(seed, "fu2005", "figure_I-1")
    x = rng.random(COUNT)
    wave = 1 - np.abs((2 * BINS * x) % 2 - 1)
    noisy = wave + NOISE * rng.standard_normal(COUNT)
    y = np.clip(1 - np.abs(1 - np.abs(noisy)), 0, 1)  # reflected at the borders, which keeps it uniform
    return [("dependent", np.column_stack([x, y])), ("independent", rng.random((COUNT, 2)))]


def information(xy: np.ndarray, bins: int) -> float:
    """Return the mutual information in nats of two variables in equal cells of the unit square."""
    edges = np.linspace(0, 1, bins + 1)
    p = np.histogram2d(xy[:, 0], xy[:, 1], bins=[edges, edges])[0] / len(xy)
    independent = p.sum(1, keepdims=True) * p.sum(0, keepdims=True)
    seen = p > 0
    return float((p[seen] * np.log(p[seen] / independent[seen])).sum())
