"""Friedman and Goldszmidt's method: thresholds by minimal description length (Fu 2005, III.2.1)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from cutpoint.discretization.greedy import Greedy, MakeDiscretizer
from cutpoint.discretization.loop import Neighbourhood, Policy, Proposal, SearchFunction, State, learn_hybrid
from cutpoint.discretization.objectives import description_length
from cutpoint.discretization.stepwise import StepwiseSearch, learn_stepwise
from cutpoint.kernels.blankets import FRIEDMAN
from cutpoint.learners.learned import Learned
from cutpoint.options import AtLeast0, AtLeast1


def friedman(
    values: np.ndarray,
    frozen: np.ndarray,
    *,
    initial: Sequence[np.ndarray],
    search: SearchFunction,
    max_levels: AtLeast1 = 60,
    warm_start: bool = False,
    max_iterations: AtLeast0 = 100,
) -> Learned:
    """Learn a structure and thresholds that shorten the description length (Friedman and Goldszmidt 1996).

    Thresholds are chosen by information gain and added while DL_local falls; a list is accepted when it
    shortens DL; the rounds end when DL does not fall, and the last but one graph and policy are returned.

    Args:
        values: float64 [N, n], finite.
        frozen: bool [n], the variables whose codes stay as they are.
        initial: the first policy, one sorted array per variable.
        search: learns a graph: search(codes, cardinalities, start).
        max_levels: cap of the number of levels of a variable.
        warm_start: start each search from the graph before instead of the empty one.
        max_iterations: rounds after which the last state is returned.

    Returns:
        The result; `score` is minus the description length in nats.
    """
    return learn_friedman(
        values, frozen, partial(Greedy, max_levels=max_levels),
        initial=initial, search=search, warm_start=warm_start, max_iterations=max_iterations,
    )  # fmt: skip


def learn_friedman(
    values: np.ndarray,
    frozen: np.ndarray,
    discretizer: MakeDiscretizer,
    *,
    initial: Sequence[np.ndarray],
    search: SearchFunction,
    warm_start: bool,
    max_iterations: int,
) -> Learned:
    """Learn as `friedman` does, whatever finds the thresholds of one variable."""
    policy = Policy(values, initial)
    made = discretizer(policy.values, frozen, FRIEDMAN)
    distinct = made.columns.distinct

    def score(state: State) -> float:
        held = state.policy
        return -description_length(held.codes.T, held.levels, state.graph.dag, distinct, frozen)

    return learn_hybrid(frozen, policy, made, search, score, warm_start=warm_start, max_iterations=max_iterations)


class _AtLeastTwo(Greedy):
    """Friedman's greedy list, unless it is empty: then the old one stays."""

    def propose(self, variable: int, graph: Neighbourhood, policy: Policy) -> Proposal:
        """Learn the thresholds of one variable; the proposal holds them only if they are better and not none."""
        found = super().propose(variable, graph, policy)
        return found if found.thresholds is None or len(found.thresholds) else Proposal(None, found.calls)


def friedman_tabu(
    values: np.ndarray,
    frozen: np.ndarray,
    *,
    initial: Sequence[np.ndarray],
    search: StepwiseSearch,
    max_levels: AtLeast1 = 60,
) -> Learned:
    """Learn by Friedman's thresholds, discretized anew after every move of the search (Mabrouk et al. 2015, 4).

    A variable keeps its old thresholds where the new list is empty, as that of every variable is in an empty graph.

    Args:
        values: float64 [N, n], finite.
        frozen: bool [n], the variables whose codes stay as they are.
        initial: the first policy, one sorted array per variable.
        search: the structure search, see `cutpoint.discretization.stepwise`.
        max_levels: cap of the number of levels of a variable.
    """
    policy = Policy(values, initial)
    discretizer = _AtLeastTwo(policy.values, frozen, FRIEDMAN, max_levels=max_levels)
    return learn_stepwise(frozen, policy, discretizer, search)
