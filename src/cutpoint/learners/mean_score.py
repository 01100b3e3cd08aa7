"""The mean score of several draws of codes; planning can import it without compiled kernels."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np


class MeanScore:
    """The mean of scores of the same variables."""

    def __init__(self, scores: Sequence[Any]):
        self.scores, self.n, self.epsilon = scores, scores[0].n, scores[0].epsilon

    def family(self, child: int, parents: Sequence[int] | np.ndarray) -> float:
        """Return the mean score of a child with its parents."""
        return sum(score.family(child, parents) for score in self.scores) / len(self.scores)

    def gains(self, child: int, parents: Sequence[int] | np.ndarray) -> np.ndarray:
        """Return the mean gain of toggling each variable in the parents, float64 [n], -inf for the child."""
        return np.mean([score.gains(child, parents) for score in self.scores], axis=0)

    def content(self, variable: int) -> bytes:
        """Return what `cutpoint.learners.scores.DiscreteScore.content` does, of all draws."""
        return b"".join(score.content(variable) for score in self.scores)

    def reordered(self, order: np.ndarray) -> Any:
        """Return the score of the same variables in another order, int64 [n]."""
        return MeanScore([score.reordered(order) for score in self.scores])


def mean_over(draws: int, score: Callable[..., Any], codes: np.ndarray, levels: np.ndarray) -> Any:
    """Return the mean of a score over draws of the codes, integer [draws x N, n], one draw below the other."""
    scores = [score(drawn, levels) for drawn in np.split(codes, draws)]
    if draws == 1:
        return scores[0]
    return scores[0].mean_with(scores[1:]) if hasattr(scores[0], "mean_with") else MeanScore(scores)
