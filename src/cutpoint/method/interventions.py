"""Methods on records of which some variables were set."""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.learners.interventions import InterventionalScore, interventional
from cutpoint.method.method import Direct, Function, Method, Prediscretization


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
