"""The stable order: variables in an order that follows from the data, wherever their columns stand.

Scores are equal for equivalent graphs, and a greedy search takes the first of equal moves, so that its graph depends on
the order in which it looks at the variables (Kitson and Constantinou 2024, "Eliminating variable order instability in
greedy score-based structure learning"; 2025, "Stable structure learning with HC-Stable and Tabu-Stable algorithms").
"""

from typing import Protocol, Self, runtime_checkable

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.learners.scores import LocalScore, tie


@runtime_checkable
class OrderedScore(LocalScore, Protocol):
    """A score that can be put in another order; all of `cutpoint.method.registry` can."""

    def marginal(self, variable: int) -> float:
        """Return the score of a variable without parents; 0 where it would depend on the unit of the variable."""

    def content(self, variable: int) -> bytes:
        """Return all that the score knows of a variable; variables with the same bytes are interchangeable."""

    def reordered(self, order: np.ndarray) -> Self:
        """Return the score of the same variables in another order, int64 [n]: which one stands at each place."""


def stable_order(score: LocalScore) -> np.ndarray:
    """Return the variables by falling score without parents, then by falling mean gain of a single parent, int64 [n].

    In both, neighbours that are nearer than `cutpoint.learners.scores.tie` are equal. What is equal in both is ordered
    by the data themselves, record by record; variables that are equal in all records may change places.
    """
    score = ordered(score)
    by_content = np.array(sorted(range(score.n), key=score.content), np.int64)
    arranged = score.reordered(by_content)  # so that sums are rounded alike, whatever the order was
    alone = _ranks(np.array([arranged.marginal(i) for i in range(score.n)]), tie(score))
    gains = [np.delete(arranged.gains(i, ()), i) for i in range(score.n)]
    gained = _ranks(np.array([float(each.mean()) if each.size else 0.0 for each in gains]), tie(score))
    return by_content[np.lexsort((gained, alone))]


def falling(numbers: np.ndarray, least: float) -> np.ndarray:
    """Return where numbers stand by falling size, int64; neighbours that are nearer than `least` stand as they came."""
    return np.argsort(_ranks(numbers, least), kind="stable")


def _ranks(numbers: np.ndarray, least: float) -> np.ndarray:
    """Return the ranks of numbers, int64 [n], the highest first; neighbours have one rank unless `least` or more apart.

    Were the numbers rounded instead, two that are equal but for the last digit could end on both sides of a step.
    """
    falling = np.argsort(-numbers, kind="stable")
    ordered_numbers, ranks = numbers[falling], np.zeros(len(numbers), np.int64)
    ranks[falling[1:]] = np.cumsum(ordered_numbers[1:] < ordered_numbers[:-1] - least)
    return ranks


def ordered(score: LocalScore) -> OrderedScore:
    """Return a score that can be put in another order; raise an InputError for any other."""
    if not isinstance(score, OrderedScore):
        raise InputError(
            f"order: 'stable' needs a score with marginal, content and reordered, not {type(score).__name__}"
        )
    return score
