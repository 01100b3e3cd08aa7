"""Monti's method: thresholds by a Bayesian score with uniform densities inside levels (Fu 2005, III.2.2)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cutpoint.integrated.greedy import Greedy, local_and_total_rise
from cutpoint.integrated.loop import Policy, SearchFunction, State, learn_hybrid, until_graph_repeats
from cutpoint.integrated.objectives import policy_score
from cutpoint.kernels.blankets import MONTI
from cutpoint.learned import Learned


def monti(
    values: np.ndarray,
    frozen: np.ndarray,
    *,
    initial: Sequence[np.ndarray],
    search: SearchFunction,
    ess: float = 1.0,
    max_levels: int = 60,
    warm_start: bool = False,
    max_iterations: int = 100,
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
    policy = Policy(values, initial)
    greedy = Greedy(policy.values, frozen, MONTI, local_and_total_rise, ess=ess, max_levels=max_levels)

    def score(state: State) -> float:
        cuts, dag = state.policy.thresholds, state.graph.dag
        return policy_score(policy.values, cuts, dag, "monti", ess=ess, frozen=frozen)

    rule = until_graph_repeats()
    return learn_hybrid(
        frozen, policy, greedy, search, score, rule=rule, warm_start=warm_start, max_iterations=max_iterations
    )
