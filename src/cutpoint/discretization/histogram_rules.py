"""Levels of equal width whose number follows from a rule for histograms."""

import math
from collections.abc import Callable

import numpy as np

from cutpoint.base.scaling import near_one
from cutpoint.discretization.binning import per_column, width_cuts
from cutpoint.options import AtLeast1


def sturges(values: np.ndarray, discrete: np.ndarray, *, max_levels: AtLeast1 = 60) -> list[np.ndarray]:
    """Cut each variable into about log2(N) + 1 levels of equal width (Sturges 1926).

    Thresholds are the inner edges of `numpy.histogram_bin_edges`; with more than `max_levels` levels they are wider.
    """
    return _by_width(values, discrete, lambda x: _reach(x) / (math.log2(x.size) + 1), max_levels)


def scott(values: np.ndarray, discrete: np.ndarray, *, max_levels: AtLeast1 = 60) -> list[np.ndarray]:
    """Cut each variable into levels of width (24 sqrt(pi) / N)^(1/3) standard deviations (Scott 1979).

    `max_levels` is as of `sturges`.
    """
    return _by_width(values, discrete, lambda x: (24 * math.sqrt(math.pi) / x.size) ** (1 / 3) * x.std(), max_levels)


def freedman_diaconis(values: np.ndarray, discrete: np.ndarray, *, max_levels: AtLeast1 = 60) -> list[np.ndarray]:
    """Cut each variable into levels of width 2 N^(-1/3) interquartile ranges (Freedman and Diaconis 1981).

    Where half of the records or more are equal that range may be 0 and there is one level, as in NumPy. `max_levels` is
    as of `sturges`.
    """
    return _by_width(
        values, discrete, lambda x: 2 * np.subtract(*np.percentile(x, [75, 25])) * x.size ** (-1 / 3), max_levels
    )


def _reach(column: np.ndarray) -> float:
    return float(column.max() - column.min())


def _by_width(
    values: np.ndarray, discrete: np.ndarray, width: Callable[[np.ndarray], float], max_levels: int
) -> list[np.ndarray]:
    """Return the inner edges of as many equal intervals of each column as the width that a rule gives asks for."""

    def cuts(column: np.ndarray) -> np.ndarray:
        scaled = near_one(column)
        size = width(scaled)
        levels = min(math.ceil(min(_reach(scaled) / size, max_levels)), max_levels) if size > 0 else 1
        return width_cuts(column, max(levels, 1))

    return per_column(values, discrete, cuts)
