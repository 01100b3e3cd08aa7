"""Which arcs a graph must have and which it may have, as searches take them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.graphs.dags import numbered
from cutpoint.graphs.patterns import cpdag, meek


@dataclass(frozen=True, eq=False)
class Arcs:
    """The arcs that a graph must and may have."""

    allowed: np.ndarray  # bool [n, n], that it may have: all required ones, none that turns one of them around
    required: np.ndarray  # bool [n, n], that it must have; they have no cycle
    variables: Sequence[str]  # n names, for messages
    max_parents: int | None = None  # of a variable, at least as many as are required; None for no limit
    source: str = "knowledge"  # begins messages

    def reordered(self, order: np.ndarray) -> Self:
        """Return the same for the variables in another order, int64 [n]: which one stands at each place."""
        at, names = np.ix_(order, order), [self.variables[i] for i in order]
        return replace(self, allowed=self.allowed[at], required=self.required[at], variables=names)

    def limit(self, max_parents: int | None) -> int:
        """Return the most parents of a variable under a further limit, n without any."""
        limits = [one for one in (max_parents, self.max_parents) if one is not None]
        counts = self.required.sum(axis=0)
        if limits and counts.max(initial=0) > min(limits):
            most = int(counts.argmax())
            fact = f"{counts[most]} of the parents of {self.variables[most]}, and max_parents is {min(limits)}"
            raise InputError(f"{self.source}: required: {fact}")
        return min(limits, default=len(counts))

    def check(self, dag: np.ndarray, what: str) -> None:
        """Raise InputError, which begins with `what`, where a graph, bool [n, n], has or lacks an arc against these."""
        for wrong, text in ((dag & ~self.allowed, "has the forbidden arc"), (self.required & ~dag, "lacks the arc")):
            if wrong.any():
                i, j = np.argwhere(wrong)[0]
                raise InputError(f"{what}: the graph {text} {self.variables[i]} -> {self.variables[j]}")

    def oriented(self, pattern: np.ndarray) -> np.ndarray:
        """Return a pattern whose undirected edges have the one direction that is allowed, closed under Meek's rules.

        The undirected edges that are left have both directions among the graphs that honour these arcs (Meek 1995,
        "Causal inference and causal explanation with background knowledge"); the limit of parents decides none.
        """
        return meek(self.directed(pattern))

    def directed(self, pattern: np.ndarray) -> np.ndarray:
        """Return a pattern, bool [n, n], without the direction of each undirected edge that is not allowed."""
        return pattern & ~(pattern.T & ~self.allowed & self.allowed.T)


def class_of(dag: np.ndarray, arcs: Arcs | None) -> np.ndarray:
    """Return the class of a graph, bool [n, n], with the directions that follow from what is known of arcs."""
    return cpdag(dag) if arcs is None else arcs.oriented(cpdag(dag))


def any_arcs(n: int, arcs: Arcs | None) -> Arcs:
    """Return knowledge of arcs between n variables; where there is none, that any may be joined."""
    return arcs_within(~np.eye(n, dtype=bool), None) if arcs is None else arcs


def arcs_within(pairs: np.ndarray, arcs: Arcs | None) -> Arcs:
    """Return knowledge of arcs, or none, where only some pairs may be joined, bool [n, n], required arcs among them."""
    if arcs is None:
        return Arcs(pairs, np.zeros_like(pairs), numbered(len(pairs)))
    return replace(arcs, allowed=arcs.allowed & pairs)
