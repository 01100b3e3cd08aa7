"""What a structure learner returns, and what the votes of several searches say.

An arrow on which few searches agree is often wrong, though the best graph has it: every display leaves its head out.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from cutpoint.base.text import listed
from cutpoint.graphs.dags import edges_of, numbered
from cutpoint.graphs.frequencies import EdgeFrequencies
from cutpoint.graphs.patterns import cpdag

if TYPE_CHECKING:
    from cutpoint.knowledge.knowledge import Knowledge


# By percentage of votes, how many of 100 pairs are true, and how many of 100 arrows of true pairs point the right way:
# edges that the default learned from data of generators that it was not tuned on
SEARCHES = 4
EDGES, PAIRS, ARROWS = 6_630, {100: 99, 75: 96, 50: 84, 25: 72}, {100: 99, 75: 99, 50: 97, 25: 85, 0: 34}
PAIRS_OF_MANY = "50 % at N = 5,000: 56"


class Edge(NamedTuple):
    """An edge of a graph; a list of them makes a data frame with these columns."""

    source: str
    target: str
    directed: bool


@dataclass
class Uncertainty:
    """What several searches or draws of one method agree on; all but `edges` are of draws alone.

    The last four are those of `cutpoint.posteriors`.

    Attributes:
        edges: how often each edge is in the graphs of the searches, or of draws of `latent`; None if it has thresholds.
        spreads: standard deviations of the thresholds in the second half of the chain, one float64 array per
            variable; of those rounds that have as many thresholds of the variable as the last one.
        of_thresholds: log evidence of the best levels by thresholds, which are returned where hidden ones have less.
        alone: that of the variables without edges, each distributed as its best normal mixture.
        kinds: the probability of each kind of model for each variable, by its name, float64 [n]; what is left to 1 is
            that of no parents.
        intervals: quantiles 0.05, 0.25, 0.75 and 0.95 of each threshold, float64 [k, 4] for each variable, which is
            empty where thresholds are for the fitted network alone.
        diagnostics: whether the chains have converged, `cutpoint.posteriors.chains.Diagnostics`.
        effects: total effects of each variable on each other, averaged over draws, and their 5 and 95 % quantiles,
            float64 [3, n, n], in deviations of normal scores; `cutpoint.posteriors.decision.effects_of`.
    """

    edges: EdgeFrequencies | None
    spreads: list[np.ndarray] | None = None
    of_thresholds: float | None = None
    alone: float | None = None
    kinds: dict[str, np.ndarray] | None = None
    intervals: list[np.ndarray] | None = None
    diagnostics: Any = None
    effects: np.ndarray | None = None

    def reordered(self, order: np.ndarray, variables: list[str] | None = None) -> Uncertainty:
        """Return it for the variables in another order, int64 [n]: which one stands at each place."""
        if (edges := self.edges) is not None:
            shares = {name: getattr(edges, name)[order][:, order] for name in ("adjacent", "directed", "undirected")}
            edges = replace(edges, variables=variables, **shares)
        kinds = self.kinds and {name: shares[order] for name, shares in self.kinds.items()}
        spreads, intervals = (own and [own[i] for i in order] for own in (self.spreads, self.intervals))
        effects = None if self.effects is None else self.effects[np.ix_(np.arange(3), order, order)]
        return replace(self, edges=edges, spreads=spreads, kinds=kinds, intervals=intervals, effects=effects)


@dataclass(repr=False, eq=False)
class Learned:
    """A learned structure, its discretization and what it cost.

    Attributes:
        cpdag: bool [n, n], the completed partially directed graph (the pattern itself for PC);
            both ``cpdag[i, j]`` and ``cpdag[j, i]`` true is an undirected edge; None for a discretizer.
        dag: bool [n, n], or None for a learner that returns a pattern.
        kind: "dag" where there is a ``dag``, "pdag" for a pattern.
        thresholds: one sorted float64 array per variable, or None for a direct method; of `cutpoint.learn` a
            `cutpoint.Thresholds`, by which `cutpoint.encode` codes new records.
        score: the value that the search maximised, or None.
        score_calls: family evaluations or independence tests that the search requested.
        evaluations: how many of them were computed rather than looked up.
        discretization_calls: candidate thresholds scored.
        iterations: rounds of an integrated method, steps of a search.
        discretize_seconds, learn_seconds: CPU seconds of the two stages.
        variables: n names, in the order of the columns of the data; x0, x1, ... for an array.
        uncertainty: the edge frequencies of a method that runs several searches or chains: their shares of votes.
        note: what the method did with these data, in one line, or None.
        knowledge: what was known beforehand, of `cutpoint.learn` and the searches.
        kinds: of a method that compares kinds of models, which suits each variable given its parents in `dag`: "lines",
            "polynomials", "kernels" or "levels", n texts; the fitted network follows them.
        warnings: of `cutpoint.learn`, what in the data makes the result less sure, a line each, the worst first.

    Examples:
        >>> learned.edges()[0]
        Edge(source='x0', target='x1', directed=False)
    """

    cpdag: np.ndarray | None = None
    dag: np.ndarray | None = None
    kind: Literal["dag", "pdag"] = "dag"
    thresholds: list[np.ndarray] | None = None
    score: float | None = None
    score_calls: int | None = None
    evaluations: int | None = None
    discretization_calls: int | None = None
    iterations: int | None = None
    discretize_seconds: float | None = None
    learn_seconds: float | None = None
    variables: list[str] | None = None
    uncertainty: Uncertainty | None = None
    note: str | None = None
    knowledge: Knowledge | None = None
    kinds: list[str] | None = None
    warnings: list[str] = field(default_factory=list)

    def edges(self) -> list[Edge]:
        """Return the edges of `cpdag`; an undirected one stands once.

        Raises:
            InputError: a `dag` without a `cpdag` has a cycle.
        """
        graph = self._pattern()
        names = self.variables or numbered(0 if graph is None else len(graph))
        return [] if graph is None else [Edge(*edge) for edge in edges_of(graph, names)]

    def shown(self) -> np.ndarray | None:
        """Return the pattern as it is drawn, bool [n, n]: arrows with few votes are undirected; see `opened`."""
        graph = self._pattern()
        if graph is None or self.uncertainty is None or self.uncertainty.edges is None:
            return graph
        return opened(graph, self.dag, self.uncertainty.edges, self.knowledge)

    def _pattern(self) -> np.ndarray | None:
        return cpdag(self.dag) if self.cpdag is None and self.dag is not None else self.cpdag

    def __repr__(self) -> str:
        graph = self.dag if self.cpdag is None else self.cpdag
        parts = [] if graph is None else [f"{len(graph)} variables", f"{np.count_nonzero(graph | graph.T) // 2} edges"]
        if self.thresholds is not None:
            parts.append(f"{sum(map(len, self.thresholds))} thresholds")
        if self.score is not None:
            parts.append(f"score {self.score:.6g}")
        return f"<Learned {self.kind}: {', '.join(parts)}>"


def from_search(result: Any, **more: Any) -> Learned:
    """Return the result of a search for the best score, with more attributes."""
    more |= {"score_calls": result.calls, "evaluations": result.evaluations, "iterations": result.steps}
    return Learned(cpdag=cpdag(result.dag), dag=result.dag, score=result.score, **more)


def reorder(learned: Learned, order: np.ndarray, variables: list[str] | None = None) -> None:
    """Put the variables of a result in another order, int64 [n]: which one stands at each place."""
    graphs, both = (learned.dag, learned.cpdag), np.ix_(order, order)
    learned.dag, learned.cpdag = (None if graph is None else graph[both] for graph in graphs)
    learned.thresholds = learned.thresholds and [learned.thresholds[i] for i in order]
    learned.kinds = learned.kinds and [learned.kinds[i] for i in order]
    if learned.uncertainty is not None:
        learned.uncertainty = learned.uncertainty.reordered(order, variables)


def worth(shares: EdgeFrequencies | None) -> str:
    """Return what votes of searches were worth in tests, in two sentences; "" of other shares."""
    if shares is None or (shares.of, shares.graphs) != ("searches", SEARCHES):
        return ""
    pairs, arrows = ([listed([*map(str, part)]) for part in (each, each.values())] for each in (PAIRS, ARROWS))
    return (
        f"In tests on {EDGES:,} edges, pairs with {pairs[0]} % of votes were true in {pairs[1]} of 100 "
        f"({PAIRS_OF_MANY}). Arrows with {arrows[0]} % of votes were right in {arrows[1]} of 100."
    )


def opened(
    pattern: np.ndarray, dag: np.ndarray | None, shares: EdgeFrequencies, knowledge: Knowledge | None
) -> np.ndarray:
    """Return a pattern, bool [n, n], in which arrows that fewer than `SETTLED` of the graphs have are undirected.

    An arrow stays where knowledge forbids its reverse, or where it follows from knowledge or from an experiment: the
    pattern of the `dag`, bool [n, n], alone has no direction there. shares: of the variables in their order.
    """
    known = np.zeros_like(pattern)
    if dag is not None:
        alone = cpdag(dag)
        known |= alone & alone.T
    if knowledge is not None and (arcs := knowledge.arcs_among(shares.variables or [])) is not None:
        known |= ~arcs.allowed.T
    return pattern | (pattern & ~known & ~shares.settled).T
