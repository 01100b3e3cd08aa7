"""Discretize and learn in turns, after each search or after each of its moves; methods fill in the parts.

LearnHybridBN and LearnDP after Monti (1999), as in Fu (2005), III.2. A method brings two things: a discretizer, which
learns the thresholds of one variable and says whether they are better (LearnVariableDP), and a score of a graph and its
discretization, which ends the rounds. Where `learn_hybrid` learns a whole graph between two discretizations,
`learn_stepwise` discretizes after every move of a search (Mabrouk et al. 2015, Algorithms 1 and 2).
"""

import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Protocol, Self

import numpy as np

from cutpoint.discretization.encoding import encode_column
from cutpoint.graphs.patterns import cpdag
from cutpoint.kernels.blankets import compact, refine
from cutpoint.learners.greedy import Search
from cutpoint.learners.learned import Learned, from_search

RISE = 1e-6
MOST_ROUNDS = 100  # for scores that would never end
# search(codes int32 [N, n], cardinalities int64 [n], ...); see `cutpoint.method.method.Method.search`
SearchFunction = Callable[..., Search]
# objective(discretization, dag, discrete, ess): what is to be high of thresholds under a graph, nats
Objective = Callable[["Discretization", np.ndarray, np.ndarray, float], float]
SWEEPS = 2  # passes over the variables after one move

# after_move(dag): None, or the new codes [N, n] and cardinalities [n].
Recode = Callable[[np.ndarray], "tuple[np.ndarray, np.ndarray] | None"]


class Discretization:
    """The thresholds in force and the codes they make, int32 [n, N], one row per variable.

    keys: the bytes of each variable's thresholds, to look results up by.
    """

    def __init__(self, values: np.ndarray, thresholds: Sequence[np.ndarray]):
        self.values, n = np.asfortranarray(values, np.float64), len(thresholds)
        self.thresholds, self.keys = [np.empty(0)] * n, [b""] * n
        self.codes, self.levels = np.empty((n, len(values)), np.int32), np.empty(n, np.int64)
        for variable, cuts in enumerate(thresholds):
            self.replace(variable, np.asarray(cuts, np.float64))

    def replace(self, variable: int, cuts: np.ndarray) -> None:
        """Put new thresholds of one variable, float64 [k], in force."""
        self.thresholds[variable] = cuts
        self.codes[variable] = encode_column(self.values[:, variable], cuts)
        self.levels[variable] = len(cuts) + 1
        self.keys[variable] = cuts.tobytes()

    def cells(self, variables: Iterable[int], order: np.ndarray) -> tuple[np.ndarray, int]:
        """Return the joint code of some variables, uint32 [N], record by record in an order, and how many there are."""
        cells, size = np.zeros(order.size, np.uint32), 1
        for v in variables:
            size = refine(cells, size, self.codes[v], self.levels[v], order, cells)
        return cells, compact(cells, size)

    def copy(self) -> Self:
        """Return a copy whose changes leave this discretization alone."""
        other = copy(self)
        for name in ("thresholds", "keys", "codes", "levels"):
            setattr(other, name, getattr(self, name).copy())
        return other


class Neighbourhood:
    """Families and Markov blankets of a graph, bool [n, n], as sorted tuples of columns, one for each variable.

    families: per variable its parents, then for each child the child's other parents and the child itself.
    """

    def __init__(self, dag: np.ndarray):
        self.dag = np.array(dag, bool)
        self.parents = [tuple(np.flatnonzero(row).tolist()) for row in self.dag.T]
        self.children = [tuple(np.flatnonzero(row).tolist()) for row in self.dag]
        self.families = [self._families(i) for i in range(len(dag))]
        self.blankets = [tuple(sorted({v for family in families for v in family})) for families in self.families]

    def _families(self, i: int) -> tuple[tuple[int, ...], ...]:
        others = ((*(v for v in self.parents[j] if v != i), j) for j in self.children[i])
        return (self.parents[i], *others)


@dataclass
class Proposal:
    """What LearnVariableDP proposes for one variable."""

    thresholds: np.ndarray | None  # the new list, or None where the old one stays
    calls: int  # candidate thresholds scored


class Policy(Protocol):
    """The part of a method that looks at one variable."""

    def propose(self, variable: int, graph: Neighbourhood, discretization: Discretization) -> Proposal:
        """Learn the thresholds of one variable; those of all others are held."""


def learn_discretization(
    discretizer: Policy, graph: Neighbourhood, discretization: Discretization, continuous: Sequence[int]
) -> int:
    """Discretize until no variable gains (LearnDP, Fu 2005, Algorithm 2); return the candidates scored.

    The discretization is changed in place. A variable already queued is not queued twice.
    """
    queue, queued, calls = deque(continuous), set(continuous), 0
    free = frozenset(continuous)
    while queue:
        variable = queue.popleft()
        queued.remove(variable)
        proposal = discretizer.propose(variable, graph, discretization)
        calls += proposal.calls
        if proposal.thresholds is None:
            continue
        discretization.replace(variable, proposal.thresholds)
        for neighbour in graph.blankets[variable]:
            if neighbour in free and neighbour not in queued:
                queue.append(neighbour)
                queued.add(neighbour)
    return calls


class _Meter:
    """Calls and CPU seconds of searches, as they add up; the result of a search is looked up for the same codes."""

    def __init__(self, search: SearchFunction):
        self.search = search
        self._results: dict[tuple[bytes, ...], Search] = {}
        self.score_calls = self.evaluations = 0
        self.learn_seconds = 0.0

    def learn_structure(self, discretization: Discretization) -> Neighbourhood:
        """Return the graph that a search finds from the codes of a discretization."""
        began = time.process_time()
        key = tuple(discretization.keys)
        if key not in self._results:
            self._results[key] = self.search(discretization.codes.T, discretization.levels)
            self.evaluations += self._results[key].evaluations
        result = self._results[key]
        self.learn_seconds += time.process_time() - began
        self.score_calls += result.calls
        return Neighbourhood(result.dag)


def learn_hybrid(
    discrete: np.ndarray,
    discretization: Discretization,
    discretizer: Policy,
    search: SearchFunction,
    objective: Objective,
    ess: float = 1.0,
    *,
    until_repeat: bool = False,
) -> Learned:
    """Alternate discretization and structure search (LearnHybridBN, Fu 2005, Algorithm 1).

    The discretization holds the initial thresholds; discrete: bool [n], the variables whose codes stay. The rounds end
    when the objective does not rise, with the state before, or if `until_repeat` when a graph occurs again, with it.
    """
    began = time.process_time()
    meter, continuous = _Meter(search), np.flatnonzero(~discrete).tolist()
    graph, graphs, calls, iterations = meter.learn_structure(discretization), set[bytes](), 0, 0
    value = -np.inf if until_repeat else objective(discretization, graph.dag, discrete, ess)
    while iterations < MOST_ROUNDS:
        iterations += 1
        fresh = discretization.copy()
        calls += learn_discretization(discretizer, graph, fresh, continuous)
        following = meter.learn_structure(fresh)
        if until_repeat:
            graphs.add(graph.dag.tobytes())
        elif not (reached := objective(fresh, following.dag, discrete, ess)) > value + RISE:
            break
        else:
            value = reached
        graph, discretization = following, fresh
        if graph.dag.tobytes() in graphs:
            break
    return Learned(
        cpdag=cpdag(graph.dag),
        dag=graph.dag,
        thresholds=discretization.thresholds,
        score=objective(discretization, graph.dag, discrete, ess),
        score_calls=meter.score_calls,
        evaluations=meter.evaluations,
        discretization_calls=calls,
        iterations=iterations,
        discretize_seconds=time.process_time() - began - meter.learn_seconds,
        learn_seconds=meter.learn_seconds,
    )


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
