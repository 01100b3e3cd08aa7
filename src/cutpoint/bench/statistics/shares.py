"""Shares of independent samples in which something holds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from cutpoint.bench.statistics.estimates import LEVEL
from cutpoint.bench.statistics.pairs import wilson


@dataclass(frozen=True)
class Share:
    """A share of counted samples, for which all that agree do not mean certainty."""

    successes: float
    count: int

    @property
    def value(self) -> float:
        """The share, NaN of none."""
        return self.successes / self.count if self.count else np.nan

    def interval(self, level: float = LEVEL) -> tuple[float, float]:
        """Return Wilson's interval (1927)."""
        return wilson(self.successes, self.count, level=level)[1:]

    def tail(self, bound: float) -> float:
        """Return the p value of "the true share is at or above the bound" by the score test that Wilson inverts."""
        if not self.count:
            return np.nan
        distance, error = self.value - bound, np.sqrt(bound * (1 - bound) / self.count)
        return float(scipy.special.ndtr(distance / error) if error else (1 + np.sign(distance)) / 2)
