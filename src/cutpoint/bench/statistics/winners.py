"""Which methods may be the best: a winner is named only where all others are surely worse."""

from __future__ import annotations

import numpy as np

from cutpoint.bench.statistics.estimates import LEVEL, Statistic


def winners(values: Statistic, *, lower_is_better: bool = True, level: float = LEVEL) -> np.ndarray:
    """Return the methods that no other one beats, bool [M], from their values: a single winner, or those that are tied.

    One method beats another where the interval of their paired difference has no 0, at a level for the M - 1
    comparisons of a method (Bonferroni). Whichever method is truly the best, it is in the set with at least this
    probability (multiple comparisons with the best, Hsu 1984), so a single winner is the wrong one in at most 5 % of
    studies. The answer does not depend on the order of the methods, and equal ones share their fate.
    """
    sample = values.rows[0] if lower_is_better else -values.rows[0]
    tail = (values[:, None] - values[None]).estimate().tail(0.0)
    comparisons = max(np.isfinite(sample).sum() - 1, 1)
    with np.errstate(invalid="ignore"):
        apart = 2 * comparisons * np.minimum(tail, 1 - tail) < 1 - level
        beaten = apart & (sample[:, None] < sample)
    return np.asarray(np.isfinite(sample) & ~beaten.any(0))
