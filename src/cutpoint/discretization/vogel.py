"""Vogel's variant of Monti's score: a value in a level of N_k records has the density 1 / N_k (Vogel 2013)."""

from collections.abc import Sequence
from functools import partial

import numpy as np
from scipy.special import xlogy

from cutpoint.discretization.greedy import Greedy, View
from cutpoint.discretization.loop import Discretization, SearchFunction, State
from cutpoint.discretization.objectives import bdeu_family, steck_score
from cutpoint.discretization.rules import Rule, learn_by
from cutpoint.kernels.blankets import LOG_GAMMA, STECK, X_LOG_X
from cutpoint.learners.learned import Learned
from cutpoint.options import AboveZero, AtLeast1


class VogelDiscretizer(Greedy):
    """Greedy thresholds by BDeu - sum of N_k ln N_k: Steck's rule with m ln m in place of ln Gamma(m)."""

    def view(self, variable: int, families: tuple[tuple[int, ...], ...], discretization: Discretization) -> View:
        """Return the columns of one variable's blanket; they are valid until the next call."""
        view = super().view(variable, families, discretization)
        keys = view.columns[4]
        keys[keys == LOG_GAMMA] = X_LOG_X
        return view


# BDeu of all families plus, for each continuous variable, the sum over its levels of N_k ln(1 / N_k).
vogel_score = partial(steck_score, of_level=lambda counts: xlogy(counts, counts))


def _score(state: State, discretizer: Greedy, discrete: np.ndarray) -> float:
    now = state.discretization
    value = discretizer.remembering(bdeu_family, now)
    return vogel_score(now.codes.T, now.levels, state.graph.dag, discrete, discretizer.ess, value)


def vogel(
    values: np.ndarray,
    discrete: np.ndarray,
    *,
    initial: Sequence[np.ndarray],
    search: SearchFunction,
    ess: AboveZero = 1.0,
    max_levels: AtLeast1 = 60,
) -> Learned:
    """Learn a structure and thresholds that raise BDeu + sum of N_k ln(1 / N_k) (Vogel 2013, p. 33).

    Thresholds are added one by one where they raise the score most. The rounds end when it does not rise, and the graph
    and thresholds before that round are returned; `score` is that sum. Arguments: see `cutpoint.discretization.rules`.
    """
    options = {"ess": ess, "max_levels": max_levels}
    return learn_by(Rule(STECK, _score), VogelDiscretizer, values, discrete, initial, search, **options)
