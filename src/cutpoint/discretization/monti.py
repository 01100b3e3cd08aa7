"""Monti's method: thresholds by a Bayesian score with uniform densities inside levels (Fu 2005, III.2.2)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from cutpoint.discretization.greedy import Greedy, MakeDiscretizer, local_and_total_rise
from cutpoint.discretization.loop import Policy, SearchFunction, State, learn_hybrid, until_graph_repeats
from cutpoint.discretization.objectives import policy_score
from cutpoint.kernels.blankets import MONTI
from cutpoint.learners.learned import Learned
from cutpoint.options import AboveZero, AtLeast0, AtLeast1


def monti(
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
    """Learn a structure and thresholds that raise S_Lambda (Monti 1999, with Fu's acceptance, IV.3).

    A list is accepted when S_Lambda of its variable and the sum of S_Lambda over all variables rise; the
    rounds end when a graph was seen before.

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
        The result; `score` is the sum of S_Lambda over the variables.
    """
    return learn_monti(
        values, frozen, partial(Greedy, max_levels=max_levels),
        initial=initial, search=search, ess=ess, warm_start=warm_start, max_iterations=max_iterations,
    )  # fmt: skip


def learn_monti(
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
    """Learn as `monti` does, whatever finds the thresholds of one variable."""
    policy = Policy(values, initial)

    def score(state: State) -> float:
        cuts, dag = state.policy.thresholds, state.graph.dag
        return policy_score(policy.values, cuts, dag, "monti", ess=ess, frozen=frozen)

    return learn_hybrid(
        frozen, policy, discretizer(policy.values, frozen, MONTI, local_and_total_rise, ess=ess), search, score,
        rule=until_graph_repeats(), warm_start=warm_start, max_iterations=max_iterations,
    )  # fmt: skip
