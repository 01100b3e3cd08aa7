"""The methods of Friedman, Monti, Steck and Vogel: one loop, and the rules by which they differ (Fu 2005, III.2).

A `Rule` is the score of a graph and its thresholds, with the conditions that accept new thresholds and end the rounds.
Here the thresholds of a variable are learned greedily; `exact` has the same rules with the best thresholds, and
`top_down` Friedman's with thresholds by removal. All integrated methods have one signature; they take

    values: float64 [N, n], finite;
    discrete: bool [n], the variables whose codes stay as they are;
    initial: the first thresholds, one sorted float64 array per variable;
    search: learns a graph: search(codes int32 [N, n], cardinalities int64 [n]);

and options of their own, of which several have

    ess: equivalent sample size of BDeu in the score of thresholds;
    max_levels: cap of the number of levels of a variable.

whose annotated bounds `cutpoint.base.checking.check_options` checks.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from scipy.special import xlogy

from cutpoint.discretization import loop, objectives
from cutpoint.discretization.greedy import Acceptance, Greedy, View, local_and_total_rise, local_rise
from cutpoint.kernels import blankets
from cutpoint.learners.learned import Learned
from cutpoint.options import AboveZero, AtLeast1


@dataclass(frozen=True)
class Rule:
    """What distinguishes the methods that run in one loop."""

    kernel: int  # the number of the score in `cutpoint.kernels.sweep`
    score: loop.Objective
    accepts: Acceptance = local_rise  # whether new thresholds of a variable are better
    until_repeat: bool = False  # see `learn_hybrid`


# BDeu of all families plus, for each continuous variable, the sum over its levels of N_k ln(1 / N_k).
vogel_score = partial(objectives.steck_score, of_level=lambda counts: xlogy(counts, counts))


RULES = {
    "friedman": Rule(blankets.FRIEDMAN, lambda *state: -objectives.description_length(*state)),
    "monti": Rule(blankets.MONTI, objectives.monti_score, local_and_total_rise, until_repeat=True),
    "steck": Rule(blankets.STECK, objectives.steck_score),
    "vogel": Rule(blankets.STECK, vogel_score),
}


def learn_by(
    rule: Rule,
    make: Callable[..., Greedy],
    values: np.ndarray,
    discrete: np.ndarray,
    initial: Sequence[np.ndarray],
    search: loop.SearchFunction,
    **options: Any,
) -> Learned:
    """Learn a structure and thresholds by a rule; the score of the result is that of the rule.

    make(values, discrete, kernel, accepts, **options) returns what learns the thresholds of one variable.
    """
    discretization = loop.Discretization(values, initial)
    discretizer = make(discretization.values, discrete, rule.kernel, rule.accepts, **options)
    common = discrete, discretization, discretizer, search
    return loop.learn_hybrid(*common, rule.score, discretizer.ess, until_repeat=rule.until_repeat)


def friedman(
    values: np.ndarray,
    discrete: np.ndarray,
    *,
    initial: Sequence[np.ndarray],
    search: loop.SearchFunction,
    max_levels: AtLeast1 = 60,
) -> Learned:
    """Learn a structure and thresholds that shorten the description length (Friedman and Goldszmidt 1996).

    Thresholds are chosen by information gain and added while DL_local falls; new ones replace the old where they
    shorten DL. The rounds end when DL does not fall, and the graph and thresholds before that round are returned;
    `score` is minus DL in nats.
    """
    return learn_by(RULES["friedman"], Greedy, values, discrete, initial, search, max_levels=max_levels)


def monti(
    values: np.ndarray,
    discrete: np.ndarray,
    *,
    initial: Sequence[np.ndarray],
    search: loop.SearchFunction,
    ess: AboveZero = 1.0,
    max_levels: AtLeast1 = 60,
) -> Learned:
    """Learn a structure and thresholds that raise S_Lambda (Monti 1999, with Fu's acceptance, IV.3).

    The score has uniform densities inside levels. New thresholds replace the old where S_Lambda of their variable and
    the sum of S_Lambda over all variables rise. The rounds end when a graph occurs again; `score` is that sum.
    """
    return learn_by(RULES["monti"], Greedy, values, discrete, initial, search, ess=ess, max_levels=max_levels)


def steck(
    values: np.ndarray,
    discrete: np.ndarray,
    *,
    initial: Sequence[np.ndarray],
    search: loop.SearchFunction,
    ess: AboveZero = 1.0,
    max_levels: AtLeast1 = 60,
) -> Learned:
    """Learn a structure and thresholds that raise the predictive score L_P (Steck and Jaakkola 2003).

    New thresholds replace the old where L_P rises. The rounds end when it does not, and the graph and thresholds before
    that round are returned; `score` is L_P.
    """
    return learn_by(RULES["steck"], Greedy, values, discrete, initial, search, ess=ess, max_levels=max_levels)


class VogelDiscretizer(Greedy):
    """Greedy thresholds by BDeu - sum of N_k ln N_k: Steck's rule with m ln m in place of ln Gamma(m)."""

    def view(self, variable: int, families: tuple[tuple[int, ...], ...], discretization: loop.Discretization) -> View:
        """Return the columns of one variable's blanket; they are valid until the next call."""
        view = super().view(variable, families, discretization)
        keys = view.columns[4]
        keys[keys == blankets.LOG_GAMMA] = blankets.X_LOG_X
        return view


def vogel(
    values: np.ndarray,
    discrete: np.ndarray,
    *,
    initial: Sequence[np.ndarray],
    search: loop.SearchFunction,
    ess: AboveZero = 1.0,
    max_levels: AtLeast1 = 60,
) -> Learned:
    """Learn a structure and thresholds that raise BDeu + sum of N_k ln(1 / N_k) (Vogel 2013, p. 33).

    That is Monti's score with the density 1 / N_k in a level of N_k records. New thresholds replace the old where it
    rises, and the rounds end when it does not; the graph and thresholds before that round are returned.
    """
    return learn_by(RULES["vogel"], VogelDiscretizer, values, discrete, initial, search, ess=ess, max_levels=max_levels)


class _AtLeastTwo(Greedy):
    """Friedman's greedy thresholds, unless there are none: then the old ones stay."""

    def propose(self, variable: int, graph: loop.Neighbourhood, discretization: loop.Discretization) -> loop.Proposal:
        """Learn the thresholds of one variable; the proposal holds them only if they are better and there are any."""
        proposal = super().propose(variable, graph, discretization)
        stays = proposal.thresholds is None or len(proposal.thresholds)
        return proposal if stays else loop.Proposal(None, proposal.calls)


def friedman_tabu(
    values: np.ndarray,
    discrete: np.ndarray,
    *,
    initial: Sequence[np.ndarray],
    search: loop.StepwiseSearch,
    max_levels: AtLeast1 = 60,
) -> Learned:
    """Learn by Friedman's thresholds, discretized again after every move of the search (Mabrouk et al. 2015, 4).

    A variable keeps its old thresholds where the new list is empty, as that of every variable is in an empty graph.
    For the search see `cutpoint.discretization.loop`.
    """
    discretization = loop.Discretization(values, initial)
    discretizer = _AtLeastTwo(discretization.values, discrete, blankets.FRIEDMAN, max_levels=max_levels)
    return loop.learn_stepwise(discrete, discretization, discretizer, search)
