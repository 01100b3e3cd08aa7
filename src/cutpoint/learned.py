"""What a structure learner returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from cutpoint.errors import InputError


@dataclass
class Learned:
    """A learned structure, its discretization and what it cost.

    Attributes:
        cpdag: bool [n, n], the completed partially directed graph (the pattern itself for PC);
            both ``cpdag[i, j]`` and ``cpdag[j, i]`` true is an undirected edge; None for a discretizer.
        dag: bool [n, n], or None for a learner that returns a pattern.
        kind: "dag" where ``dag`` is given, "pdag" for a pattern.
        thresholds: one sorted float64 array per variable, or None for a direct method.
        score: the value that the search maximised, or None.
        score_calls: family evaluations or independence tests that the search requested.
        evaluations: how many of them were computed and not looked up.
        discretization_calls: candidate thresholds scored.
        iterations: rounds of an integrated method, steps of a search.
        discretize_seconds, learn_seconds: CPU seconds of the two stages.
    """

    cpdag: np.ndarray | None = None
    dag: np.ndarray | None = None
    kind: Literal["dag", "pdag"] = "dag"
    thresholds: list[np.ndarray] | None = None
    score: float | None = None
    score_calls: int | None = None
    evaluations: int | None = None
    discretization_calls: int | None = None
    iterations: int | None = None
    discretize_seconds: float | None = None
    learn_seconds: float | None = None


def as_learned(value: Any) -> Learned:
    """Return what a method gave, if it is a `Learned`.

    Raises:
        InputError: for anything else.
    """
    if not isinstance(value, Learned):
        raise InputError(f"the method returned {type(value).__name__}, not cutpoint.Learned")
    return value
