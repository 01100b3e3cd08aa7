"""The score of the best of several kinds of models, chosen for each family."""

from collections.abc import Mapping

import numpy as np

from cutpoint.learners.scores import Indices, LocalScore, tie


class Kept:
    """A score whose families and gains are kept, so that several searches compute each once."""

    def __init__(self, score: LocalScore):
        self.score, self.n, self.epsilon, self.rounding = score, score.n, score.epsilon, tie(score)
        self._alone = [score.family(child, ()) for child in range(score.n)]
        self._families: dict[tuple[int, ...], float] = {}
        self._gains: dict[tuple[int, ...], np.ndarray] = {}

    def family(self, child: int, parents: Indices) -> float:
        """Return the score of a child with its parents less that without."""
        key = (child, *sorted(map(int, parents)))
        if key not in self._families:
            self._families[key] = self.score.family(child, key[1:]) - self._alone[child]
        return self._families[key]

    def gains(self, child: int, parents: Indices) -> np.ndarray:
        """Return the gain of toggling each variable in the parents, float64 [n], -inf for the child."""
        key = (child, *sorted(map(int, parents)))
        if key not in self._gains:
            self._gains[key] = self.score.gains(child, np.array(key[1:], np.int64))
        return self._gains[key]


class BestKind:
    """The highest of several scores for each family, each less that of the child without parents.

    All must be log densities or approximate them: less that of the child alone they compare what the parents tell
    of it, whatever its unit. Equivalent graphs may differ in their scores.
    """

    def __init__(self, kinds: Mapping[str, Kept]):
        self.kinds = kinds
        self.n = next(iter(kinds.values())).n
        self.epsilon = max(kind.epsilon for kind in kinds.values())
        self.rounding = max(kind.rounding for kind in kinds.values())

    def family(self, child: int, parents: Indices) -> float:
        """Return the score of a child with its parents, 0 without."""
        return max(kind.family(child, parents) for kind in self.kinds.values())

    def gains(self, child: int, parents: Indices) -> np.ndarray:
        """Return the gain of toggling each variable in the parents, float64 [n], -inf for the child."""
        toggled = [kind.family(child, parents) + kind.gains(child, parents) for kind in self.kinds.values()]
        return np.max(toggled, axis=0) - self.family(child, parents)

    def kind_of(self, child: int, parents: Indices) -> str:
        """Return the name of the first kind whose score of a family is the highest."""
        highest = self.family(child, parents) - self.rounding
        return next(name for name, kind in self.kinds.items() if kind.family(child, parents) >= highest)
