"""Discretize after every move of a structure search (Mabrouk et al. 2015, Algorithms 1 and 2).

Where `loop` learns a whole graph between two discretizations, here each move of the search is followed by a new
discretization of the variables that it concerns.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

import numpy as np

from cutpoint.discretization.loop import Discretization, Neighbourhood, Policy
from cutpoint.learners.greedy import Search
from cutpoint.learners.learned import Learned, from_search

SWEEPS = 2  # passes over the variables after one move

# after_move(dag): None, or the new codes [N, n] and cardinalities [n].
Recode = Callable[[np.ndarray], "tuple[np.ndarray, np.ndarray] | None"]


class StepwiseSearch(Protocol):
    """A structure search that lets the data be coded again after every move."""

    def __call__(self, codes: np.ndarray, levels: np.ndarray, start: None, after_move: Recode) -> Search:
        """Return the best point of the search."""


class _Companion:
    """The discretization that goes with a search, move by move.

    `history` has the thresholds in force after each move, those of the first graph at the beginning; `calls` counts
    candidates.
    """

    def __init__(self, discretization: Discretization, discretizer: Policy, continuous: Sequence[int]):
        self.discretization, self.discretizer = discretization, discretizer
        self.continuous = frozenset(continuous)
        self.calls, self.seconds = 0, 0.0
        self.graph = Neighbourhood(np.zeros((len(discretization.levels),) * 2, bool))
        self._discretize(self.continuous)
        self.history = [list(discretization.thresholds)]

    def after_move(self, dag: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
        """Discretize the variables whose families differ in a graph, bool [n, n]; return a `Recode` result."""
        graph = Neighbourhood(dag)
        moved = {v for v in self.continuous if graph.families[v] != self.graph.families[v]}
        self.graph = graph
        changed = self._discretize(moved)
        self.history.append(list(self.discretization.thresholds))
        return (self.discretization.codes.T, self.discretization.levels) if changed else None

    def _discretize(self, variables: Iterable[int]) -> bool:
        """Discretize some variables, then those that see a change in them; return whether any code has changed."""
        began = time.process_time()
        waiting, changed = set(variables), False
        for _ in range(SWEEPS):
            touched: set[int] = set()
            for variable in sorted(waiting):
                proposal = self.discretizer.propose(variable, self.graph, self.discretization)
                self.calls += proposal.calls
                if proposal.thresholds is not None:
                    self.discretization.replace(variable, proposal.thresholds)
                    touched.update(self.continuous.intersection(self.graph.blankets[variable]))
                    changed = True
            waiting = touched
        self.seconds += time.process_time() - began
        return changed


def learn_stepwise(
    discrete: np.ndarray, discretization: Discretization, discretizer: Policy, search: StepwiseSearch
) -> Learned:
    """Search from the empty graph and discretize after every move (Mabrouk et al. 2015, Algorithm 1).

    After a move the variables whose families it has changed are discretized again, then those that see a change in
    them, `SWEEPS` times in all (to wait for the next move doubles the time of MGCD and led to no better graphs). The
    best point is the one whose graph gains most on the graph without arcs under the same codes, see
    `cutpoint.learners.greedy.tabu` and, for P(G, F | D) of the paper (Eq. 4), `docs/methods.md`. The discretization,
    where the discretizer starts, is changed.
    """
    began = time.process_time()
    companion = _Companion(discretization, discretizer, np.flatnonzero(~discrete).tolist())
    result = search(discretization.codes.T, discretization.levels, None, companion.after_move)
    seconds = time.process_time() - began
    return from_search(
        result,
        thresholds=companion.history[result.best_step],
        discretization_calls=companion.calls,
        discretize_seconds=companion.seconds,
        learn_seconds=seconds - companion.seconds,
    )
