"""Which row to take for data of one kind, what is as good, and which kind data are of.

A loss is a number of which less is better, such as the structural Hamming distance over the number of true edges.
Networks are the units: an interval says how far another draw of networks would move a number.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cutpoint.statistics.estimates import Estimate, Statistic, jackknife

MARGIN = 0.025  # of a loss: what is nearer to the best is as good
SURE = 0.975  # probability of what a 95 % interval leaves on one side
LEAST = 5  # networks: from fewer nothing is advised


@dataclass(frozen=True)
class Recommended:
    """The row to take on data of one kind.

    Attributes:
        best: the row with the lowest score.
        as_good: the others that are not surely worse and whose mean loss is within the margin, the lowest first.
        loss: of every row, [M].
        above: of every row less that of the best, paired by network, [M].
        networks: how many there were.
    """

    best: int
    as_good: tuple[int, ...]
    loss: Estimate
    above: Estimate
    networks: int

    @property
    def not_surely_worse(self) -> np.ndarray:
        """Which rows are not surely worse than the best, itself among them, bool [M]."""
        return ~(self.above.tail(0.0) > SURE)


def over_networks(losses: np.ndarray) -> Statistic:
    """Return the mean of losses [M, networks] over networks, [M]."""
    return jackknife(losses[:, None], blocks=["networks"])[:, 0]


def recommended(losses: np.ndarray, scores: np.ndarray | None = None, *, margin: float = MARGIN) -> Recommended:
    """Return which row to take.

    A row is surely worse where the 95 % interval of its paired difference from the best is above 0. The best is the
    first of those with the lowest score.

    Args:
        losses: float64 [M, networks] on data of the kind, finite.
        scores: float64 [M], what the best is chosen by, such as `pooled`; the mean losses without it.
        margin: in units of the loss.
    """
    means = over_networks(losses)
    best = int(np.argmin(means.rows[0] if scores is None else scores))
    above = (means - means[best]).estimate()
    near = above.value <= margin
    surely = above.tail(0.0) > SURE
    order = np.argsort(means.rows[0], kind="stable").tolist()
    as_good = tuple(row for row in order if row != best and near[row] and not surely[row])
    return Recommended(best, as_good, means.estimate(), above, losses.shape[1])


def pooled(losses: np.ndarray, alike: np.ndarray) -> np.ndarray:
    """Return the score of every row on data of each kind, float64 [M, kinds, sizes].

    A few networks cannot tell hundreds of rows apart: the lowest of their means is low by chance. The score is the mean
    of three losses, on the networks that are alike, on all networks of the kind and size, and on all data of the kind.

    Args:
        losses: float64 [M, kinds, sizes, networks].
        alike: bool [networks]; where none is, all of them are taken.
    """
    own = losses[..., alike if alike.any() else slice(None)].mean(-1)
    return (own + losses.mean(-1) + losses.mean((2, 3))[:, :, None]) / 3


def nearest(features: np.ndarray, centres: np.ndarray, spread: np.ndarray) -> np.ndarray:
    """Return for each row of features [..., F] which of the centres [..., C, F] is nearest, int64 [...]."""
    return distances(features, centres, spread).argmin(-1)


def distances(features: np.ndarray, centres: np.ndarray, spread: np.ndarray) -> np.ndarray:
    """Return how far features [..., F] are from each of the centres [..., C, F], float64 [..., C].

    Distances are Euclidean in units of the spread of each feature, float64 [F]; what does not vary does not count. A
    feature that data or a centre lack, NaN, is left out for both.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        squares = ((features[..., None, :] - centres) / spread) ** 2
    return np.sqrt(np.where(np.isfinite(squares), squares, 0.0).sum(-1))


def centres_of(features: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean of the features of each kind over networks, and their spread within kinds.

    Args:
        features: float64 [kinds, sizes, networks, F]; NaN for data that were not there.

    Returns:
        float64 [kinds, sizes, F] and [F], the root mean square of the deviations from these means.
    """
    there = np.isfinite(features)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.where(there, features, 0.0).sum(2) / there.sum(2)
        squares = np.where(there, features - means[:, :, None], 0.0) ** 2
        spread = np.sqrt(squares.sum((0, 1, 2)) / there.sum((0, 1, 2)))
    return means, spread
