"""Friedman's, Monti's and Steck's methods with the best thresholds of a variable, and those thresholds alone.

The methods are `friedman`, `monti` and `steck` but for the list of a variable, which is the best one and not the
greedy one. `best_thresholds` and `optimise_levels` serve to look at a policy under a given graph.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.discretization.binning import equal_frequency
from cutpoint.discretization.friedman import learn_friedman
from cutpoint.discretization.greedy import Acceptance, View, local_and_total_rise, local_rise
from cutpoint.discretization.loop import RISE, Neighbourhood, Policy, SearchFunction, learn_policy
from cutpoint.discretization.monti import learn_monti
from cutpoint.discretization.objectives import bdeu_family, log_density, policy_score
from cutpoint.discretization.optimum import CANDIDATES, Exact
from cutpoint.discretization.steck import learn_steck
from cutpoint.kernels.blankets import FRIEDMAN, MONTI, STECK
from cutpoint.learners.learned import Learned
from cutpoint.options import AboveZero, AtLeast0, AtLeast1

RULES: dict[str, tuple[int, Acceptance]] = {
    "friedman": (FRIEDMAN, local_rise),
    "monti": (MONTI, local_and_total_rise),
    "steck": (STECK, local_rise),
}


def _checked(
    name: str, values: np.ndarray, frozen: np.ndarray | None
) -> tuple[tuple[int, Acceptance], np.ndarray, np.ndarray]:
    """Return the rule of a score and when a list is better by it, the values, and which variables are frozen."""
    if name not in RULES:
        raise InputError(f"unknown policy score {name!r}; use one of {', '.join(RULES)}")
    values = np.asarray(values, np.float64)
    return RULES[name], values, np.zeros(values.shape[1], bool) if frozen is None else np.asarray(frozen, bool)


def best_thresholds(
    values: np.ndarray,
    dag: np.ndarray,
    thresholds: Sequence[np.ndarray],
    variable: int,
    name: str,
    *,
    max_levels: AtLeast1 = 10,
    ess: AboveZero = 1.0,
    candidates: AtLeast1 | None = None,
    frozen: np.ndarray | None = None,
) -> list[tuple[np.ndarray, float]]:
    """Find the best thresholds of one variable, all others held, for every number of levels.

    Args:
        values: float64 [N, n], finite.
        dag: bool [n, n].
        thresholds: one sorted array per variable.
        variable: the column whose thresholds are looked for.
        name: "friedman", "monti" or "steck".
        max_levels: the most levels; a column with fewer distinct values has no longer lists.
        ess: equivalent sample size of BDeu.
        candidates: see `Exact`. All unless given, as the lists of one variable under one graph are wanted for how
            good they can be, and are made once.
        frozen: bool [n], variables that are discrete anyway; None is none.

    Returns:
        Thresholds and score for 1, 2, ... levels; higher is better: minus the description length, S_Lambda of the
        variable (Monti) or L_P (Steck), in nats.

    Raises:
        InputError: for an unknown name, a frozen variable, or as `Exact`.
    """
    rule, values, frozen = _checked(name, values, frozen)
    method = Exact(values, frozen, *rule, ess=ess, max_levels=max_levels, candidates=candidates)
    if frozen[variable]:
        raise InputError(f"variable {variable} is discrete: it has no thresholds to look for")
    policy, graph = Policy(values, thresholds), Neighbourhood(dag)
    view = method.view(variable, graph.families[variable], policy)
    lists, _ = method.lists(variable, view, policy)
    found = []
    for positions in lists:
        cuts = method.columns.middles[variable][positions]
        policy.replace(variable, cuts)
        if name == "monti":
            codes, levels, families = policy.codes.T, policy.levels, (variable, *graph.children[variable])
            score = log_density(policy.values[:, variable], cuts)
            score += sum(bdeu_family(codes, levels, j, np.flatnonzero(graph.dag[:, j]), ess) for j in families)
        else:
            score = _score(policy, graph, name, ess, frozen)
        found.append((cuts, score))
    return found


def _score(policy: Policy, graph: Neighbourhood, name: str, ess: float, frozen: np.ndarray) -> float:
    """Return the score of a whole policy, higher is better."""
    score = policy_score(policy.values, policy.thresholds, graph.dag, name, ess=ess, frozen=frozen)
    return -score if name == "friedman" else score


class _Counted(Exact):
    """The best list, or the greedy one, with a given number of levels for each variable."""

    def __init__(self, levels: Sequence[int], greedy: bool, *described: Any, ess: float):
        super().__init__(*described, ess=ess)
        self.levels, self.greedy = levels, greedy

    def lists(self, variable: int, view: View, policy: Policy) -> tuple[list[np.ndarray], int]:
        """Return the positions of one list, and the candidates considered."""
        if self.greedy:
            grown, calls = self.grow(variable, view, policy, max_levels=self.levels[variable], rise=-np.inf)
            return [grown], calls
        allowed = np.flatnonzero(self.columns.allowed[variable])
        return self.best(variable, view, allowed, np.array([self.levels[variable]])), len(allowed)

    def random_list(self, variable: int, rng: np.random.Generator) -> np.ndarray:
        """Return thresholds drawn from all candidates."""
        allowed = np.flatnonzero(self.columns.allowed[variable])
        drawn = rng.choice(allowed, self.levels[variable] - 1, replace=False)
        return self.columns.middles[variable][np.sort(drawn)]


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
    frozen: np.ndarray | None = None,
) -> tuple[list[np.ndarray], float]:
    """Look for the best thresholds of all variables together, each with a given number of levels.

    From each start, one variable after the other gets its best list given all others, until none gains. The first
    start has levels of equal frequency, the others have thresholds drawn at random.

    Args:
        values: float64 [N, n], finite.
        dag: bool [n, n].
        levels: the number of levels of each variable; without effect where a variable is frozen.
        name: "friedman", "monti" or "steck".
        ess: equivalent sample size of BDeu.
        starts: how many starts.
        seed: of the random thresholds.
        greedy: grow the lists of a variable by the best threshold, one after the other, as `steck` does.
        frozen: bool [n], variables that are discrete anyway; None is none.

    Returns:
        The thresholds, one sorted array per variable, and their score; higher is better: minus the description
        length, the sum of S_Lambda (Monti) or L_P (Steck), in nats.

    Raises:
        InputError: for an unknown name, no start, or more levels than distinct values.
    """
    rule, values, frozen = _checked(name, values, frozen)
    if starts < 1:
        raise InputError(f"starts: at least 1 start is needed, got {starts}")
    levels = [int(r) for r in levels]
    method = _Counted(levels, greedy, values, frozen, *rule, ess=ess)
    graph, free = Neighbourhood(dag), np.flatnonzero(~frozen).tolist()
    for i in free:
        most = method.columns.distinct[i]
        if not 1 <= levels[i] <= most:
            raise InputError(f"levels: variable {i} can have 1 to {most} levels, as many as values, not {levels[i]}")
    rng, best, highest = np.random.default_rng(seed), [np.empty(0)] * len(frozen), -np.inf
    for k in range(starts):
        policy = Policy(values, equal_frequency(values, frozen, bins=1))
        for i in free:
            (cuts,) = equal_frequency(values[:, [i]], frozen[[i]], bins=levels[i])
            # Where values repeat, there may be too few levels of equal frequency.
            policy.replace(i, cuts if k == 0 and len(cuts) + 1 == levels[i] else method.random_list(i, rng))
        learn_policy(method, graph, policy, free)
        score = _score(policy, graph, name, ess, frozen)
        if score > highest + RISE:
            best, highest = policy.thresholds, score
    return best, highest


def steck_exact(
    values: np.ndarray,
    frozen: np.ndarray,
    *,
    initial: Sequence[np.ndarray],
    search: SearchFunction,
    ess: AboveZero = 1.0,
    max_levels: AtLeast1 = 10,
    levels: AtLeast1 | None = None,
    candidates: AtLeast1 | None = CANDIDATES,
    warm_start: bool = False,
    max_iterations: AtLeast0 = 100,
) -> Learned:
    """Learn as `steck` does, with the best thresholds of a variable instead of the greedy ones.

    Args:
        values, frozen, initial, search, ess, warm_start, max_iterations: as for `steck`.
        max_levels: cap of the number of levels of a variable.
        levels: of every list that is learned, fewer only where a variable has fewer values (Steck and Jaakkola 2007,
            Figure 6); then max_levels and candidates are without effect. None to choose the number as well. Start
            from as many: an initial list of another length stays where it is better.
        candidates: see `Exact`; at least max_levels, None for all. A method makes the lists of every variable in
            every round, at a cost that grows with the square of the candidates, and so does not take all by default
            as `best_thresholds` does. With up to `candidates` thresholds to choose from, that is one more distinct
            value, nothing is left out and the lists are the best there are.
    """
    discretizer: Any = partial(Exact, max_levels=max_levels, candidates=candidates)
    if levels is not None:
        if levels < 1:
            raise InputError(f"levels: a variable has at least 1 level, got {levels}")
        discretizer = partial(_Counted, [min(levels, len(np.unique(column))) for column in values.T], False)
    return learn_steck(
        values, frozen, discretizer,
        initial=initial, search=search, ess=ess, warm_start=warm_start, max_iterations=max_iterations,
    )  # fmt: skip


def monti_exact(
    values: np.ndarray,
    frozen: np.ndarray,
    *,
    initial: Sequence[np.ndarray],
    search: SearchFunction,
    ess: AboveZero = 1.0,
    max_levels: AtLeast1 = 10,
    candidates: AtLeast1 | None = CANDIDATES,
    warm_start: bool = False,
    max_iterations: AtLeast0 = 100,
) -> Learned:
    """Learn as `monti` does, with the best thresholds of a variable by S_Lambda instead of the greedy ones.

    Args:
        values, frozen, initial, search, ess, warm_start, max_iterations: as for `monti`.
        max_levels: cap of the number of levels of a variable.
        candidates: as for `steck_exact`.
    """
    return learn_monti(
        values, frozen, partial(Exact, max_levels=max_levels, candidates=candidates),
        initial=initial, search=search, ess=ess, warm_start=warm_start, max_iterations=max_iterations,
    )  # fmt: skip


def friedman_exact(
    values: np.ndarray,
    frozen: np.ndarray,
    *,
    initial: Sequence[np.ndarray],
    search: SearchFunction,
    max_levels: AtLeast1 = 10,
    candidates: AtLeast1 | None = CANDIDATES,
    warm_start: bool = False,
    max_iterations: AtLeast0 = 100,
) -> Learned:
    """Learn as `friedman` does, with the thresholds of a variable that make DL_local shortest.

    Args:
        values, frozen, initial, search, warm_start, max_iterations: as for `friedman`.
        max_levels: cap of the number of levels of a variable.
        candidates: as for `steck_exact`.
    """
    return learn_friedman(
        values, frozen, partial(Exact, max_levels=max_levels, candidates=candidates),
        initial=initial, search=search, warm_start=warm_start, max_iterations=max_iterations,
    )  # fmt: skip
