"""How values are measured: on a skewed scale, between limits, with few digits, as answers or counts, with gaps."""

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from annotated_types import Interval

from cutpoint.data.imputation import impute
from cutpoint.data.resampling import some_records
from cutpoint.options import AboveZero, BelowOne, Range

UpToTwo = Annotated[float, Interval(ge=0, le=2)]
NO_THRESHOLDS = np.empty(0)
MOST_BEYOND, MOST_SKEWED = 0.9, 2.0  # share of the records beyond the limits, and skewness
FARTHEST_ANSWER = 1.5  # standard deviations from the mean, where the first and the last answer begin
RATE_SPREAD = 0.7  # standard deviation of the logarithm of the rate of counts


@dataclass(frozen=True, kw_only=True)
class Measurement:
    """How a column is measured; what is not named leaves the values as they are.

    The skewness s is drawn for each column with a random sign: in standard deviations z from the mean a value becomes
    (exp(s z) - 1) / s, a shifted lognormal scale, on which levels spread the more the farther out they lie.
    """

    skew: Range | None = None  # range of the skewness, above 0
    below: BelowOne = 0.0  # share of the records at the lower limit of detection, which is their value
    above: BelowOne = 0.0  # and at the upper one
    error: UpToTwo = 0.0  # standard deviation of normal errors, in those of the column
    step: UpToTwo = 0.0  # distance of two neighbouring values, in standard deviations of the column; 0 for all digits
    answers: Annotated[int, Interval(ge=2, le=12)] | None = None  # 0, 1, ...: steps of equal width on the scale
    counts: AboveZero | None = None  # mean rate of Poisson counts; its logarithm follows the value

    def scales(self, n: int, rng: np.random.Generator) -> np.ndarray:
        """Draw the skewness of n columns, float64 [n]; zeros where the scale is not skewed."""
        sizes, signs = rng.random(n), rng.choice([-1.0, 1.0], n)
        if self.skew is None:
            return np.zeros(n)
        return signs * (self.skew[0] + (self.skew[1] - self.skew[0]) * sizes)


def measure(
    x: np.ndarray,
    how: Measurement,
    skew: float,
    thresholds: np.ndarray = NO_THRESHOLDS,
    rng: np.random.Generator | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Return what is seen of a column, float64 [N], and its thresholds on the same scale, whose skew is 0 for none.

    A change of scale keeps every level. Limits and rounding do not: thresholds beyond a limit cannot be found, and near
    a threshold rounding moves records to the next level. rng: of counts, which have no true thresholds.
    """
    seen, cuts = x, thresholds
    if skew and (spread := float(x.std())) > 0:
        centre = float(x.mean())
        seen = np.expm1(skew * (x - centre) / spread) / skew
        cuts = np.expm1(skew * (thresholds - centre) / spread) / skew
    if how.below or how.above:
        lowest, highest = _limits(seen, how.below, how.above)
        seen = np.clip(seen, lowest, highest)
    if how.step:
        step = how.step * float(seen.std())
        seen = np.round(seen / step) * step if step > 0 else seen
    if how.answers:
        places = seen.mean() + seen.std() * np.linspace(-FARTHEST_ANSWER, FARTHEST_ANSWER, how.answers - 1)
        seen, cuts = (np.searchsorted(places, each).astype(float) for each in (seen, cuts))
        cuts = np.unique(cuts) - 0.5
    if how.counts and rng is not None:
        rates = np.exp(RATE_SPREAD * (seen - seen.mean()) / (seen.std() or 1.0))
        seen = rng.poisson(how.counts * rates / rates.mean()).astype(float)
    return seen, cuts


def _limits(x: np.ndarray, below: BelowOne, above: BelowOne) -> tuple[float, float]:
    """Return the values that so many records are at or below, and at or above: the extremes for none."""
    ordered = np.sort(x)
    lowest, highest = round(below * len(x)), round(above * len(x))
    return float(ordered[max(lowest - 1, 0)]), float(ordered[len(x) - max(highest, 1)])


def with_gaps(
    values: np.ndarray,
    rng: np.random.Generator,
    *,
    mechanism: Literal["mcar", "mar"],
    share: Annotated[float, Interval(gt=0, le=0.5)],
    columns: Annotated[float, Interval(gt=0, le=1)] = 0.5,
) -> np.ndarray:
    """Return values, float64 [N, n], with missing cells, which are NaN; columns contiguous.

    A share of the columns, drawn at random, has missing cells, on average the same share of each; at least one has some
    and one has none. Completely at random (mcar) every cell of them is missing with that probability; at random (mar)
    the probability grows in proportion to the rank of the record in one of the other columns, drawn for each, from 0 to
    twice the share (Rubin 1976), which is at most 0.5.
    """
    rows, n = values.shape
    gapped, order = np.array(values, order="F"), rng.permutation(n)
    count = min(max(round(columns * n), 1), n - 1)
    for i in order[:count]:
        by = values[:, rng.choice(order[count:])]
        chance = np.full(rows, share) if mechanism == "mcar" else share * (2 * np.argsort(np.argsort(by)) + 1) / rows
        gapped[rng.random(rows) < chance, i] = np.nan
    return gapped


def treated(
    gapped: np.ndarray,
    values: np.ndarray,
    discrete: np.ndarray,
    rng: np.random.Generator,
    *,
    treatment: Literal["drop", "impute"],
) -> np.ndarray:
    """Return data with the missing cells filled in, or the values, float64 [N, n], of the records without any."""
    if treatment == "impute":
        return impute(gapped, discrete, rng)
    return some_records(values, discrete, ~np.isnan(gapped).any(axis=1))
