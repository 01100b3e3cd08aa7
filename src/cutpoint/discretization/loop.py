"""Discretize and learn in turns: one loop, of which each method fills in two parts.

LearnHybridBN and LearnDP after Monti (1999), as in Fu (2005), III.2. A method brings two things: a
discretizer, which learns the thresholds of one variable and says whether they are better (LearnVariableDP),
and a stopping rule, which says after each round whether to go on and which graph and discretization to return.
"""

import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, Self

import numpy as np

from cutpoint.discretization.encoding import cardinalities, encode, encode_column
from cutpoint.graphs.patterns import cpdag
from cutpoint.learners.greedy import Search
from cutpoint.learners.learned import Learned

RISE = 1e-6
MOST_ROUNDS = 100  # rounds after which the last state is returned, for a rule that would never end
# search(codes int32 [N, n], cardinalities int64 [n], ...); see `cutpoint.method.method.Method.search`
SearchFunction = Callable[..., Search]


class Discretization:
    """The thresholds in force and the codes they make, int32 [n, N], one row per variable.

    keys: the bytes of each variable's thresholds, to look results up by.
    """

    def __init__(self, values: np.ndarray, thresholds: Sequence[np.ndarray]):
        self.values = np.asfortranarray(values, np.float64)
        self.thresholds = [np.asarray(cuts, np.float64) for cuts in thresholds]
        self.codes = np.ascontiguousarray(encode(self.values, self.thresholds).T)
        self.levels = cardinalities(self.thresholds)
        self.keys = [cuts.tobytes() for cuts in self.thresholds]

    def replace(self, variable: int, cuts: np.ndarray) -> None:
        """Put new thresholds of one variable, float64 [k], in force."""
        self.thresholds[variable] = cuts
        self.codes[variable] = encode_column(self.values[:, variable], cuts)
        self.levels[variable] = len(cuts) + 1
        self.keys[variable] = cuts.tobytes()

    def copy(self) -> Self:
        """Return a copy whose changes leave this discretization alone."""
        other = object.__new__(type(self))
        other.values = self.values
        other.thresholds, other.keys = list(self.thresholds), list(self.keys)
        other.codes, other.levels = self.codes.copy(), self.levels.copy()
        return other


class Neighbourhood:
    """Families and Markov blankets of a graph, bool [n, n], as sorted tuples of columns, one for each variable.

    families: per variable its parents, then for each child the child's other parents and the child itself.
    """

    def __init__(self, dag: np.ndarray):
        self.dag = np.array(dag, bool)
        n = len(dag)
        self.parents = [tuple(np.flatnonzero(self.dag[:, i]).tolist()) for i in range(n)]
        self.children = [tuple(np.flatnonzero(self.dag[i]).tolist()) for i in range(n)]
        self.families = [self._families(i) for i in range(n)]
        self.blankets = [tuple(sorted({v for family in self.families[i] for v in family})) for i in range(n)]

    def _families(self, i: int) -> tuple[tuple[int, ...], ...]:
        others = ((*(v for v in self.parents[j] if v != i), j) for j in self.children[i])
        return (self.parents[i], *others)


@dataclass
class State:
    """A graph and the discretization under which it was learned."""

    graph: Neighbourhood
    discretization: Discretization


@dataclass
class Proposal:
    """What LearnVariableDP proposes for one variable."""

    thresholds: np.ndarray | None  # the new list, or None where the old one stays
    calls: int  # candidate thresholds scored


class Policy(Protocol):
    """The part of a method that looks at one variable."""

    def propose(self, variable: int, graph: Neighbourhood, discretization: Discretization) -> Proposal:
        """Learn the thresholds of one variable; those of all others are held."""


# rule(previous, current): the state to return, or None to go on.
StoppingRule = Callable[[State, State], "State | None"]


def until_no_rise(objective: Callable[[State], float]) -> StoppingRule:
    """Return a rule that stops when the objective does not rise, and keeps the previous state."""
    reached: list[float] = []

    def rule(previous: State, current: State) -> State | None:
        if not reached:
            reached.append(objective(previous))
        reached.append(objective(current))
        return None if reached[-1] > reached[-2] + RISE else previous

    return rule


def until_graph_repeats() -> StoppingRule:
    """Return a rule that stops when a graph was seen before, and keeps the last state."""
    seen: set[bytes] = set()

    def rule(previous: State, current: State) -> State | None:
        seen.add(previous.graph.dag.tobytes())
        return current if current.graph.dag.tobytes() in seen else None

    return rule


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
    """Calls and CPU seconds of both stages, as they add up; the result of a search is looked up for the same codes."""

    def __init__(self, search: SearchFunction):
        self.search = search
        self._results: dict[tuple[bytes, ...], Search] = {}
        self.score_calls = self.evaluations = self.discretization_calls = 0
        self.learn_seconds = 0.0

    def learn_structure(self, discretization: Discretization) -> State:
        """Search for a graph from the codes of a discretization."""
        began = time.process_time()
        key = tuple(discretization.keys)
        if key not in self._results:
            self._results[key] = self.search(discretization.codes.T, discretization.levels)
            self.evaluations += self._results[key].evaluations
        result = self._results[key]
        self.learn_seconds += time.process_time() - began
        self.score_calls += result.calls
        return State(Neighbourhood(result.dag), discretization)


def learn_hybrid(
    discrete: np.ndarray,
    discretization: Discretization,
    discretizer: Policy,
    search: SearchFunction,
    score: Callable[[State], float],
    rule: StoppingRule | None = None,
) -> Learned:
    """Alternate discretization and structure search (LearnHybridBN, Fu 2005, Algorithm 1).

    The discretization holds the initial thresholds; discrete: bool [n], the variables whose codes stay; score: of a
    graph and its discretization, higher is better; rule: None to stop when the score does not rise.
    """
    began = time.process_time()
    rule = rule or until_no_rise(score)
    meter = _Meter(search)
    continuous = np.flatnonzero(~discrete).tolist()
    state, final, iterations = meter.learn_structure(discretization), None, 0
    while final is None and iterations < MOST_ROUNDS:
        fresh = state.discretization.copy()
        meter.discretization_calls += learn_discretization(discretizer, state.graph, fresh, continuous)
        current = meter.learn_structure(fresh)
        iterations += 1
        final = rule(state, current)
        state = current
    state = final or state
    return Learned(
        cpdag=cpdag(state.graph.dag),
        dag=state.graph.dag,
        thresholds=state.discretization.thresholds,
        score=score(state),
        score_calls=meter.score_calls,
        evaluations=meter.evaluations,
        discretization_calls=meter.discretization_calls,
        iterations=iterations,
        discretize_seconds=time.process_time() - began - meter.learn_seconds,
        learn_seconds=meter.learn_seconds,
    )
