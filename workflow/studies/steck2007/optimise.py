"""Thresholds of all variables together under a given graph."""

from collections.abc import Sequence

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.discretization.binning import equal_frequency
from cutpoint.discretization.exact import WithLevels
from cutpoint.discretization.loop import RISE, Discretization, Neighbourhood, learn_discretization
from cutpoint.discretization.rules import RULES
from cutpoint.options import AboveZero, AtLeast0, AtLeast1


def optimise_levels(
    values: np.ndarray,
    dag: np.ndarray,
    levels: Sequence[int],
    name: str,
    *,
    ess: AboveZero = 1.0,
    starts: AtLeast1 = 10,
    seed: AtLeast0 = 0,
    greedy: bool = False,
    discrete: np.ndarray | None = None,
) -> tuple[list[np.ndarray], float]:
    """Return the best thresholds found for all variables together, each with a given number of levels, and their score.

    From each start, one variable after the other gets its best list given all others, until none gains. The first start
    has levels of equal frequency, the others have thresholds drawn at random. name: of
    `cutpoint.discretization.rules.RULES`, whose score is minus the description length, the sum of S_Lambda (Monti) or
    L_P (Steck), in nats; greedy: grow the lists of a variable by the best threshold, one after the other, as `steck`
    does; discrete: bool [n], variables that are discrete already, whose `levels` have no effect.
    """
    if name not in RULES:
        raise InputError(f"unknown score of thresholds {name!r}; use one of {', '.join(RULES)}")
    if starts < 1:
        raise InputError(f"starts: at least 1 start is needed, got {starts}")
    rule, values, levels = RULES[name], np.asarray(values, np.float64), [int(r) for r in levels]
    discrete = np.zeros(values.shape[1], bool) if discrete is None else np.asarray(discrete, bool)
    method = WithLevels(values, discrete, rule.kernel, rule.accepts, levels=levels, greedy=greedy, ess=ess)
    graph, free = Neighbourhood(dag), np.flatnonzero(~discrete).tolist()
    for i in free:
        most = method.columns.distinct[i]
        if not 1 <= levels[i] <= most:
            raise InputError(f"levels: variable {i} can have 1 to {most} levels, as many as values, not {levels[i]}")
    rng, best, highest = np.random.default_rng(seed), [np.empty(0)] * len(discrete), -np.inf
    for k in range(starts):
        discretization = Discretization(values, equal_frequency(values, discrete, bins=1))
        for i in free:
            (cuts,) = equal_frequency(values[:, [i]], discrete[[i]], bins=levels[i])
            if k > 0 or len(cuts) + 1 < levels[i]:  # where values repeat, there may be too few of equal frequency
                drawn = rng.choice(method.columns.candidates(i), levels[i] - 1, replace=False)
                cuts = method.columns.cuts(i, np.sort(drawn))
            discretization.replace(i, cuts)
        learn_discretization(method, graph, discretization, free)
        score = rule.score(discretization, graph.dag, discrete, ess)
        if score > highest + RISE:
            best, highest = discretization.thresholds, score
    return best, highest
