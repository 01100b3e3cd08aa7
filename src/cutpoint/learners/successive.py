"""Scores of one run of a method, of which each looks up what it shares with the one before."""

from typing import Any


class Successive:
    """The last score of a run; the next one follows it, where it can (see `cutpoint.learners.scores.DiscreteScore`)."""

    def __init__(self) -> None:
        self._last: Any = None

    def follow(self, score: Any) -> Any:
        """Return the next score, which looks up what the last one has kept; a score that cannot is left as it is."""
        if hasattr(score, "follow"):
            score.follow(self._last)
            self._last = score
        return score
