"""BIC of linear Gaussian networks: dependence of continuous columns without discretization.

Every variable is a linear function of its parents, with an intercept and Gaussian noise of constant variance
(Geiger and Heckerman 1994).
"""

import math
from typing import Self

import numpy as np

from cutpoint.learners.kgv import KGV
from cutpoint.learners.scores import Indices


class GaussianBIC(KGV):
    """LL - p ln(N) / 2 of families, p = |parents| + 2: slopes, intercept and variance; higher is better.

    What parents gain is the KGV score of one feature a variable, the standardised column itself:
    -N/2 ln(1 - R^2) less ln(N) / 2 a parent. Partial variances are kept at 1e-8 of a variable's variance or
    more, so that a duplicated column gives a large finite score. `alone` is the score of each variable without parents,
    float64 [n]; of a constant one that of its parameters alone.
    """

    def __init__(self, values: np.ndarray):
        records = len(values)
        self.alone = np.full(values.shape[1], -math.log(records))
        # of each column that varies: mean, size, mean and length of what these leave
        scales: dict[int, tuple[float, float, float, float]] = {}
        for i, column in enumerate(values.T):
            size, mean = np.ptp(column), np.ascontiguousarray(column).mean()
            centred = (column - mean) / size if size > 0 else np.zeros(records)
            rest = centred.mean()
            centred -= rest
            norm = math.sqrt(centred @ centred)
            if norm > 0:
                scales[i] = mean, size, rest, norm
                log_variance = 2 * (math.log(norm) + math.log(size)) - math.log(records)
                self.alone[i] -= records / 2 * (math.log(2 * math.pi) + log_variance + 1)

        def features(part: slice) -> np.ndarray:
            rows = np.empty((len(scales), len(values[part])))
            for row, (i, (mean, size, rest, norm)) in zip(rows, scales.items(), strict=True):
                row[:] = ((values[part, i] - mean) / size - rest) / norm
            return rows

        super().__init__(values, [int(i in scales) for i in range(values.shape[1])], features)

    def family(self, child: int, parents: Indices) -> float:
        """Return the score of a child with its parents."""
        return self.alone[child] + super().family(child, parents)

    def reordered(self, order: np.ndarray) -> Self:
        """Return the score of the same variables in another order, int64 [n]."""
        other = super().reordered(order)
        other.alone = self.alone[order]
        return other


def gaussian_bic(values: np.ndarray, discrete: np.ndarray) -> GaussianBIC:
    """Return the BIC score of linear Gaussian networks of a data set.

    Codes of discrete columns count as numbers; a constant column gains nothing, as a child or as a parent.
    """
    return GaussianBIC(values)
