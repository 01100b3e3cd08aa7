"""The score of the best of several kinds of models, chosen for each family."""

from collections.abc import Mapping
from functools import cache

import numpy as np

from cutpoint.learners.scores import Indices, LocalScore, tie


class Kept:
    """A score whose families and gains are kept, so that several searches compute each once.

    max_parents: int64 [n], or one for all; a family with more has the score -inf; None for no limit.
    """

    def __init__(self, score: LocalScore, max_parents: np.ndarray | int | None = None):
        self.max_parents = np.full(score.n, score.n if max_parents is None else max_parents)
        self.score, self.n, self.epsilon, self.rounding = score, score.n, score.epsilon, tie(score)
        alone = [score.family(child, ()) for child in range(score.n)]
        self._family = cache(lambda child, parents: score.family(child, parents) - alone[child])
        self._gains = cache(lambda child, parents: score.gains(child, np.array(parents, np.int64)))

    def family(self, child: int, parents: Indices) -> float:
        """Return the score of a child with its parents less that without."""
        too_many = len(parents) > self.max_parents[child]
        return -np.inf if too_many else self._family(child, tuple(sorted(map(int, parents))))

    def gains(self, child: int, parents: Indices) -> np.ndarray:
        """Return the gain of toggling each variable in the parents, float64 [n], -inf for the child."""
        return self._gains(child, tuple(sorted(map(int, parents))))

    def toggled(self, child: int, parents: Indices) -> np.ndarray:
        """Return the score of the family with each variable toggled in the parents, float64 [n], -inf for the child."""
        if len(parents) < self.max_parents[child]:
            return self.family(child, parents) + self.gains(child, parents)
        scores = np.full(self.n, -np.inf)
        for x in parents:
            scores[x] = self.family(child, [p for p in parents if p != x])
        return scores


class BestKind:
    """The highest of several scores for each family, each less that of the child without parents.

    All must be log densities or approximate them: less that of the child alone they compare what the parents tell
    of it, whatever its unit. Equivalent graphs may differ in their scores. costs: of each arc, float64 [n, n].
    """

    def __init__(self, kinds: Mapping[str, Kept], costs: np.ndarray | None = None):
        self.kinds, self.costs = kinds, costs
        self.n = next(iter(kinds.values())).n
        self.epsilon = max(kind.epsilon for kind in kinds.values())
        self.rounding = max(kind.rounding for kind in kinds.values())

    def family(self, child: int, parents: Indices) -> float:
        """Return the score of a child with its parents, 0 without."""
        highest = max(kind.family(child, parents) for kind in self.kinds.values())
        return highest if self.costs is None else highest - float(self.costs[[*parents], child].sum())

    def gains(self, child: int, parents: Indices) -> np.ndarray:
        """Return the gain of toggling each variable in the parents, float64 [n], -inf for the child."""
        scores = np.array([kind.toggled(child, parents) for kind in self.kinds.values()])
        before = max(kind.family(child, parents) for kind in self.kinds.values())
        gains = scores.max(axis=0) - before
        if self.costs is not None:
            gains -= np.where(np.isin(np.arange(self.n), [*parents]), -1, 1) * self.costs[:, child]
        return gains

    def kind_of(self, child: int, parents: Indices) -> str:
        """Return the name of the first kind whose score of a family is the highest."""
        scores = {name: kind.family(child, parents) for name, kind in self.kinds.items()}
        return next(name for name, score in scores.items() if score >= max(scores.values()) - self.rounding)
