"""Lines between what stands behind ordered scales.

A scale of few steps is a continuous variable seen through thresholds. Of two scales whose variables a third one parts,
the steps still go with each other given the steps of the third, all the more records the clearer, so that a score of
the steps joins too many pairs. The correlations behind the steps (polychoric ones: Olsson 1979) part them.
"""

import math
from copy import copy

import numpy as np
from scipy.special import gammaln

from cutpoint.base.scaling import standardised
from cutpoint.learners.constraint import Ordered, positive
from cutpoint.learners.kgv import KGV
from cutpoint.learners.normal_scores import copula, normal_scores

MOST_STEPS = 12  # of a scale; what has more is close to continuous
_TERMS = 12  # of the series of Hermite polynomials
_STEPS, _MOST, _LEAST_SLOPE = 20, 0.995, 0.2  # of Newton's method; correlations; slopes of the series
# A correlation behind steps that keep a share c of the deviation is less sure. Simulated scales of 4 to 7 steps and 200
# to 5,000 records have as many errors as continuous data where N counts as N c^12; c^4 and c^8 join too many pairs.
_DISCOUNT = 12


def scales(values: np.ndarray, states: np.ndarray) -> np.ndarray:
    """Return which columns, float64 [N, n], are ordered and have 3 to `MOST_STEPS` values, bool [n].

    states: bool [n], columns without an order.
    """
    return np.array([not s and 2 < len(np.unique(x)) <= MOST_STEPS for x, s in zip(values.T, states, strict=True)])


def lines_behind(values: np.ndarray, states: np.ndarray) -> KGV:
    """Return `cutpoint.learners.normal_scores.copula` with the correlations behind the columns that are `scales`.

    Moments of steps are series in the correlation (Lancaster 1957), which Newton's method turns round. Records are
    discounted for what steps hide.
    """
    score, few = copula(values, states), scales(values, states)
    if not few.any():
        return score
    series = np.eye(1, _TERMS).repeat(len(states), axis=0)
    series[few] = [_series(column) for column in values.T[few]]
    behind = copy(score)
    behind.correlation = _behind(score, series, states)
    behind.records = math.ceil(score.records * np.mean(series[:, 0] ** _DISCOUNT))
    return behind


def _series(column: np.ndarray) -> np.ndarray:
    """Return the coefficients of the normalised steps of a column in normalised Hermite polynomials, float64 [terms].

    The first is the correlation of the steps with the variable behind them.
    """
    steps, scores = Ordered.of(column), standardised(normal_scores(column))
    hermite = np.polynomial.hermite_e.hermevander(steps.cuts, _TERMS - 1)
    rises = np.diff(np.unique(scores)) * steps.densities
    return rises @ hermite / np.exp(0.5 * gammaln(np.arange(_TERMS) + 2))


def _behind(score: KGV, series: np.ndarray, states: np.ndarray) -> np.ndarray:
    """Return the correlations of features behind those of a score, float64 [D, D], without negative eigenvalues.

    Indicators of states have no such series; their correlations with steps are divided by what the steps keep.
    """
    owner = np.repeat(np.arange(len(states)), score.dimensions)
    kept, seen = series[owner, 0], score.correlation
    found = np.clip(seen / np.outer(kept, kept), -_MOST, _MOST)
    terms = np.array([np.outer(a, a) for a in np.where(states[owner][:, None], np.eye(1, _TERMS), series[owner]).T])
    for _ in range(_STEPS):
        value, slope = np.zeros_like(found), np.zeros_like(found)
        for k in range(_TERMS, 0, -1):  # Horner's rule, for the series and its slope
            slope = slope * found + k * terms[k - 1]
            value = (value + terms[k - 1]) * found
        found = np.clip(found - (value - seen) / np.maximum(slope, _LEAST_SLOPE), -_MOST, _MOST)
    same = owner[:, None] == owner
    found[same] = np.eye(len(owner))[same]
    found = positive(found)
    found[same] = np.eye(len(owner))[same]
    return found
