"""What parents tell of a child without levels: regressions on the normal scores of the parents.

A continuous variable counts by its normal scores z under its smoothed marginal (`cutpoint.models.density`), a discrete
one by an indicator of each state. The child follows the sum of what its parents bring: straight lines, or splines.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import ndtr, softmax

from cutpoint.models import regression

LINE, CURVE, TABLE = "line", "curve", "table"  # how the parents of a family act
FLOOR = 1e-3  # of the standard deviation of a residual, in normal scores
NEVER = -700.0  # intercept of a state that never occurs


@dataclass(frozen=True, eq=False)
class FamilyCurve:
    """The distribution of a child given its parents, by regression on their features.

    A continuous child has the normal scores N(a + b'w, spread^2), a discrete one the probabilities softmax(a + b'w).
    The marginal of the child has the weight of one record beside it, so that parents cost at most ln(N + 1) nats.
    """

    kind: str  # `LINE` or `CURVE`
    slopes: np.ndarray  # b, float64 [d] of a continuous child and [d, r] of a discrete one
    intercept: np.ndarray  # a, float64 [] or [r]
    spread: float | None  # of a continuous child, None of a discrete one
    records: int  # N, those that it was fitted to

    def plain(self) -> dict[str, Any]:
        """Return the curve as numbers and lists, of which `FamilyCurve.of` makes it again."""
        numbers = {"slopes": self.slopes.tolist(), "intercept": self.intercept.tolist()}
        return {"kind": self.kind} | numbers | {"spread": self.spread, "records": self.records}

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> "FamilyCurve":
        """Return the curve of which `plain` is."""
        slopes, intercept = np.array(plain["slopes"], float), np.array(plain["intercept"], float)
        spread = None if plain["spread"] is None else float(plain["spread"])
        return cls(str(plain["kind"]), slopes, intercept, spread, int(plain["records"]))

    def predictor(self, features: np.ndarray) -> np.ndarray:
        """Return a + b'w of features, float64 [M, d]: [M], or [M, r] of a discrete child."""
        return features @ self.slopes + self.intercept

    def gain(self, predictor: np.ndarray, scores: np.ndarray) -> np.ndarray:
        """Return ln p(z | w) - ln phi(z) of a continuous child's normal scores, float64 [M], before the mixture."""
        assert self.spread is not None
        return 0.5 * (scores**2 - ((scores - predictor) / self.spread) ** 2) - math.log(self.spread)

    def shares(self, predictor: np.ndarray, edges: np.ndarray, alone: np.ndarray) -> np.ndarray:
        """Return the probability of each level, float64 [..., r], from the predictor, [...] or [..., r].

        edges: normal scores of the thresholds of a continuous child, [r - 1]; alone: shares without parents, [r].
        """
        if self.spread is None:
            given = softmax(predictor, axis=-1)
        else:
            below = ndtr((edges - predictor[..., None]) / self.spread)
            given = np.diff(below, prepend=0.0, append=1.0, axis=-1)
        return (self.records * given + alone) / (self.records + 1)


def features_of(scores: np.ndarray, states: int, kind: str) -> np.ndarray:
    """Return what a parent brings, float64 [M, d]: normal scores or their splines, or indicators of `states` codes."""
    if states:
        return (scores[:, None] == np.arange(states)).astype(float)
    return regression.splines(scores) if kind == CURVE else scores[:, None]


def normal_curve(features: np.ndarray, scores: np.ndarray, kind: str = LINE) -> FamilyCurve:
    """Return the least-squares curve of a continuous child's normal scores, float64 [N], on features [N, d].

    What the regression N(z; a + b'w, s^2) gains over the normal N(z; m, v) fitted without parents is multiplied to
    phi(z), and the product brought to mass 1: a normal with precision 1 + 1/s^2 - 1/v. So only dependence counts.
    """
    slopes, intercept = regression.linear(features, scores)
    left = max(float(np.mean((scores - features @ slopes - intercept) ** 2)), FLOOR**2)
    alone = max(float(scores.var()), FLOOR**2)
    precision = max(1 + 1 / left - 1 / alone, 1.0)
    middle = (intercept / left - scores.mean() / alone) / precision
    return FamilyCurve(kind, slopes / left / precision, np.asarray(middle), precision**-0.5, len(scores))


def logistic_curve(
    features: np.ndarray, codes: np.ndarray, states: int, kind: str = LINE, tolerance: float = 1e-12
) -> FamilyCurve:
    """Return the multinomial logistic curve of a discrete child's codes, integer [N], on features; see `logistic`."""
    seen, places = np.unique(codes, return_inverse=True)
    slopes, intercept = np.zeros((features.shape[1], states)), np.full(states, NEVER)
    slopes[:, seen], intercept[seen] = regression.logistic(features, places, len(seen), tolerance)
    return FamilyCurve(kind, slopes, intercept, None, len(codes))
