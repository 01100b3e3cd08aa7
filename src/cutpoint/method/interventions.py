"""Methods on records of which some variables were set: the term of a family leaves out those that set its child.

Cooper and Yoo (1999), "Causal discovery from a mixture of experimental and observational data"; Hauser and Bühlmann
(2012), "Characterization and greedy learning of interventional Markov equivalence classes of directed acyclic graphs".
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.learners.scores import Indices, LocalScore, ordered, tie
from cutpoint.method.method import Direct, Function, Method, Prediscretization


class InterventionalScore:
    """A score whose families are those of several scores, each of the records in which the child was not set.

    scores: of some records each, None for no record, where no graph gains anything; of: int64 [n], which of them a
    child has; targets: bool [N, n], in which records a variable was set.
    """

    def __init__(self, scores: Sequence[LocalScore | None], of: np.ndarray, targets: np.ndarray):
        self.scores, self.of, self.targets, self.n = scores, of, targets, len(of)
        some = [score for score in scores if score is not None]
        self.epsilon = max((score.epsilon for score in some), default=1e-6)
        self.rounding = max(map(tie, some), default=0.0)
        self.has_units = any(getattr(score, "has_units", False) for score in some)

    def family(self, child: int, parents: Indices) -> float:
        """Return the score of a child with its parents."""
        score = self.scores[self.of[child]]
        return 0.0 if score is None else score.family(child, parents)

    def gains(self, child: int, parents: Indices) -> np.ndarray:
        """Return the gain of toggling each variable in the parents, float64 [n], -inf for the child."""
        score = self.scores[self.of[child]]
        return np.where(np.arange(self.n) == child, -np.inf, 0.0) if score is None else score.gains(child, parents)

    def content(self, variable: int) -> bytes:
        """Return all that the scores know of a variable."""
        parts = [ordered(score).content(variable) for score in self.scores if score is not None]
        return b"".join([*parts, self.targets[:, variable].tobytes()])

    def reordered(self, order: np.ndarray) -> "InterventionalScore":
        """Return the score of the same variables in another order, int64 [n]."""
        scores = [None if score is None else ordered(score).reordered(order) for score in self.scores]
        return InterventionalScore(scores, self.of[order], self.targets[:, order])


def interventional(score_of: Callable[[np.ndarray], LocalScore], targets: np.ndarray) -> InterventionalScore:
    """Return the score of records of which some variables were set, by `targets`, bool [N, n].

    score_of: the score of some of the records, bool [N].
    """
    sets, of = np.unique(targets, axis=1, return_inverse=True)
    scores = [score_of(~chosen) if not chosen.all() else None for chosen in sets.T]
    return InterventionalScore(scores, of.reshape(-1), targets)


@dataclass(frozen=True)
class ScoreOfInterventions(Function):
    """A function that returns the score of data, whose families leave out records that set their child."""

    targets: np.ndarray = field(kw_only=True)  # bool [N, n]

    def __call__(self, *arrays: Any, **more: Any) -> InterventionalScore:
        """Return the score of records [N, n], of which a second array [n] says more."""
        records, about = arrays
        plain = super().__call__
        return interventional(lambda rows: plain(np.asfortranarray(records[rows]), about, **more), self.targets)


def with_interventions(method: Method, name: str, targets: np.ndarray) -> Method:
    """Return a method that knows which variables of its records were set, bool [N, n].

    It needs a score that adds up over families, and a search over graphs, for those of a class differ under
    interventions. An integrated method would need the same of its thresholds, and is refused.
    """
    score, learner = method.functions.get("score"), method.functions.get("learner")
    if not isinstance(method, Prediscretization | Direct) or score is None or learner is None:
        hint = "'eqfreq3' or 'gaussian_bic', with learner='boss'"
        raise InputError(f"{name}: interventions: needs a search with a score of codes or values, such as {hint}")
    if learner.path == "cutpoint.learners.ges:ges":
        raise InputError(f"{name}: interventions: ges searches classes that they split; take boss or hill_climbing")
    of_targets = ScoreOfInterventions(score.path, score.options, targets=targets)
    return replace(method, functions={**method.functions, "score": of_targets})
