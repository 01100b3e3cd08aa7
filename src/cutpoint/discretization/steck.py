"""Steck and Jaakkola's method: thresholds by predictive scoring on the finest grid (Fu 2005, III.2.3)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from cutpoint.discretization.greedy import Greedy, MakeDiscretizer
from cutpoint.discretization.loop import Policy, SearchFunction, State, learn_hybrid
from cutpoint.discretization.objectives import steck_score
from cutpoint.kernels.blankets import STECK
from cutpoint.learners.learned import Learned
from cutpoint.options import AboveZero, AtLeast0, AtLeast1


def steck(
    values: np.ndarray,
    frozen: np.ndarray,
    *,
    initial: Sequence[np.ndarray],
    search: SearchFunction,
    ess: AboveZero = 1.0,
    max_levels: AtLeast1 = 60,
    warm_start: bool = False,
    max_iterations: AtLeast0 = 100,
) -> Learned:
    """Learn a structure and thresholds that raise L_P (Steck and Jaakkola 2003).

    A list is accepted when L_P rises; the rounds end when it does not, and the graph and policy before that
    round are returned.

    Args:
        values: float64 [N, n], finite.
        frozen: bool [n], the variables whose codes stay as they are.
        initial: the first policy, one sorted array per variable.
        search: learns a graph: search(codes, cardinalities, start).
        ess: equivalent sample size of BDeu in the score of thresholds.
        max_levels: cap of the number of levels of a variable.
        warm_start: start each search from the graph before instead of the empty one.
        max_iterations: rounds after which the last state is returned.

    Returns:
        The result; `score` is L_P.
    """
    return learn_steck(
        values, frozen, partial(Greedy, max_levels=max_levels),
        initial=initial, search=search, ess=ess, warm_start=warm_start, max_iterations=max_iterations,
    )  # fmt: skip


def learn_steck(
    values: np.ndarray,
    frozen: np.ndarray,
    discretizer: MakeDiscretizer,
    *,
    initial: Sequence[np.ndarray],
    search: SearchFunction,
    ess: float,
    warm_start: bool,
    max_iterations: int,
) -> Learned:
    """Learn as `steck` does, whatever finds the thresholds of one variable."""
    policy = Policy(values, initial)

    def score(state: State) -> float:
        held = state.policy
        return steck_score(held.codes.T, held.levels, state.graph.dag, frozen, ess)

    return learn_hybrid(
        frozen, policy, discretizer(policy.values, frozen, STECK, ess=ess), search, score,
        warm_start=warm_start, max_iterations=max_iterations,
    )  # fmt: skip
