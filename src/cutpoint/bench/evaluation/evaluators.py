"""What parents tell about a child: conditional densities of several families, all with the same marginals.

An evaluator says by how much parents change the marginal of their child. Each compares two models that are fitted to
the training records in the same way, with and without the parents, so that only dependence counts; for all values of
the parents the density integrates to 1.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
from scipy.special import log_softmax

from cutpoint.models.curves import logistic_curve, normal_curve


class Evaluator(Protocol):
    """A family of conditional densities, fitted to training records."""

    def gain(self, child: int, parents: Sequence[int]) -> np.ndarray:
        """Return ln p(x | u) - ln g(x) of the child in each test record, float64 [M]; there is at least one parent."""


class LevelTables(NamedTuple):
    """Tables of codes: g(x_i) r(k, u) of the child's level k and the codes u of the parents.

    Of each variable codes, integer [N + M], of the training and then of the test records, and masses, what the marginal
    has in each level; N are the records.
    """

    codes: Sequence[np.ndarray]
    masses: Sequence[np.ndarray]
    records: int

    def gain(self, child: int, parents: Sequence[int]) -> np.ndarray:
        """Return what the parents' codes tell; see `binned_gain`."""
        return binned_gain(self.codes[child], [self.codes[i] for i in parents], self.masses[child], self.records)


class Regressions(NamedTuple):
    """Regressions on features of the parents: least squares in normal scores, logistic ones of codes.

    Of each variable scores [N + M], normal ones of a continuous variable and codes of a discrete one; features, float64
    [N + M, d], what it brings into a regression as a parent; and masses, of a discrete one the marginal, else None.
    """

    scores: Sequence[np.ndarray]
    features: Sequence[np.ndarray]
    masses: Sequence[np.ndarray | None]
    records: int

    def gain(self, child: int, parents: Sequence[int]) -> np.ndarray:
        """Return what the regression tells, mixed with the marginal.

        The marginal has the weight of one record: a prediction from parents costs at most ln(N + 1).
        """
        features = np.hstack([self.features[i] for i in parents])
        gains = regression_gain(self.scores[child], features, self.masses[child], self.records)
        return np.logaddexp(gains + math.log(self.records / (self.records + 1)), -math.log(self.records + 1))


def binned_gain(codes: np.ndarray, parents: Sequence[np.ndarray], masses: np.ndarray, records: int) -> np.ndarray:
    """Return ln p(x | u) - ln g(x) of test records by counts of codes, integer [N + M] each, float64 [M].

    With P(k) = (N_k + G_k) / (N + 1) and P(k | u) = (N_ku + P(k)) / (N_u + 1), the density is g(x) [P(k | u) / P(k)] /
    Z(u), where Z(u) = sum over k of G_k P(k | u) / P(k) makes it integrate to 1. G_k, float64 [r], is the mass of the
    marginal in each level of the child.
    """
    group = _configurations(parents)
    q, r = int(group.max()) + 1, len(masses)
    counts = np.bincount(group[:records] * r + codes[:records], minlength=q * r).reshape(q, r)
    alone = (counts.sum(0) + masses) / (records + 1)
    ratios = (counts / alone + 1) / (counts.sum(1, keepdims=True) + 1)
    return np.log(ratios[group[records:], codes[records:]]) - np.log(ratios @ masses)[group[records:]]


def _configurations(parents: Sequence[np.ndarray]) -> np.ndarray:
    """Return a number for each record's configuration, int64 [N + M], below N + M or the levels of one parent."""
    group, most = np.zeros(len(parents[0]), np.int64), 1
    for codes in parents:
        levels = int(codes.max(initial=0)) + 1
        group, most = group * levels + codes, most * levels
        if most > len(group):  # only those that occur, so that a table of all of them stays small
            seen, group = np.unique(group, return_inverse=True)
            most = len(seen)
    return group


def regression_gain(scores: np.ndarray, features: np.ndarray, masses: np.ndarray | None, records: int) -> np.ndarray:
    """Return ln p(z | w) - ln phi(z) of test records, or ln P(k | w) - ln P(k), float64 [M]; see `Regressions`.

    The first is by least squares on features w, float64 [N + M, d]; the second, for masses P, by logistic regression,
    below -600 for levels not seen.
    """
    tested = scores[records:]
    if masses is None:
        curve = normal_curve(features[:records], scores[:records])
        return curve.gain(curve.predictor(features[records:]), tested)
    curve = logistic_curve(features[:records], scores[:records], len(masses))
    logs = log_softmax(curve.predictor(features[records:]), axis=1)
    return logs[np.arange(len(tested)), tested] - np.log(masses)[tested]
