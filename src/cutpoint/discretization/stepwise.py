"""Discretize after every move of a structure search (Mabrouk et al. 2015, Algorithms 1 and 2).

Where `loop` learns a whole graph between two discretizations, here each move of the search is followed by a new
discretization of the variables that it concerns.
"""

import time
from abc import ABC, abstractmethod
from collections.abc import Callable
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


class Companion(ABC):
    """The discretization that goes with a search; `history` has the thresholds of its graphs, the empty one first."""

    def __init__(self, discretization: Discretization):
        self.discretization, self.history = discretization, list[list[np.ndarray]]()
        self.calls, self.seconds = 0, 0.0  # candidates, CPU

    @abstractmethod
    def discretize(self, dag: np.ndarray) -> bool:
        """Discretize for a graph, bool [n, n]; return whether any code may have changed."""

    def coded(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the codes in force, int32 [N, n], and their levels, int64 [n], as the search has the variables."""
        return self.discretization.codes.T, self.discretization.levels

    def after_move(self, dag: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
        """Discretize for a graph, bool [n, n]; return a `Recode` result."""
        began = time.process_time()
        changed = self.discretize(dag)
        self.history.append(list(self.discretization.thresholds))
        self.seconds += time.process_time() - began
        return self.coded() if changed else None

    def learn(self, search: StepwiseSearch) -> Learned:
        """Return what a search from the empty graph finds, with the thresholds of its best graph."""
        began = time.process_time()
        self.after_move(np.zeros((len(self.discretization.levels),) * 2, bool))
        result = search(*self.coded(), None, self.after_move)
        return from_search(
            result,
            thresholds=self.history[result.best_step],
            discretization_calls=self.calls,
            discretize_seconds=self.seconds,
            learn_seconds=time.process_time() - began - self.seconds,
        )


class _Concerned(Companion):
    """Discretizes the variables that a move concerns."""

    def __init__(self, discretization: Discretization, discretizer: Policy, discrete: np.ndarray):
        super().__init__(discretization)
        self.discretizer, self.continuous = discretizer, frozenset(np.flatnonzero(~discrete).tolist())
        self.graph: Neighbourhood | None = None

    def discretize(self, dag: np.ndarray) -> bool:
        """Discretize the variables whose families differ, then those that see a change in them."""
        before, self.graph = self.graph, Neighbourhood(dag)
        families = self.graph.families
        waiting = {v for v in self.continuous if before is None or families[v] != before.families[v]}
        changed = False
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
    return _Concerned(discretization, discretizer, discrete).learn(search)
