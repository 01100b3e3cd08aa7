"""The equivalence class of graphs that is nearest to the draws of a posterior, and effects averaged over draws."""

from collections.abc import Iterator, Sequence

import numpy as np

from cutpoint.graphs.dags import is_dag
from cutpoint.graphs.frequencies import EdgeFrequencies, edge_frequencies
from cutpoint.graphs.patterns import cpdag
from cutpoint.knowledge.arcs import Arcs
from cutpoint.learners.noise import standardised
from cutpoint.learners.normal_scores import normal_scores

MOST_OF_EFFECTS = 400  # draws
WORTH_ADDING = 1 / 3  # probability of an edge that the nearest class may have beside those drawn


class Patterns:
    """The classes of graphs, with the directions that follow from knowledge; each graph is looked at once."""

    def __init__(self, arcs: Arcs | None):
        self.arcs = arcs
        self._known: dict[bytes, np.ndarray] = {}

    def of(self, dag: np.ndarray) -> np.ndarray:
        """Return the class of a graph, both bool [n, n]."""
        key = np.packbits(dag).tobytes()
        if key not in self._known:
            pattern = cpdag(dag)
            self._known[key] = pattern if self.arcs is None else self.arcs.oriented(pattern)
        return self._known[key]


def frequencies_of(dags: Sequence[np.ndarray], patterns: Patterns) -> EdgeFrequencies:
    """Return how probable each edge is in the class of a graph."""
    return edge_frequencies([patterns.of(dag) for dag in dags], of="draws")


def nearest(
    dags: Sequence[np.ndarray], edges: EdgeFrequencies, patterns: Patterns, arcs: Arcs | None
) -> tuple[np.ndarray, np.ndarray]:
    """Return a graph whose class has the least expected SHD (standard) to that of the truth, and the class.

    It begins with the best graph that was drawn, and goes on by single arcs while the expected SHD falls.
    """
    none = 1 - edges.adjacent

    def expected(dag: np.ndarray) -> float:
        pattern = patterns.of(dag)
        both = pattern & pattern.T
        right = edges.directed[pattern & ~both].sum() + edges.undirected[np.triu(both)].sum()
        return -float(right + none[np.triu(~(pattern | pattern.T), 1)].sum())

    best = min({dag.tobytes(): dag for dag in dags}.values(), key=expected)
    least = expected(best)
    while True:
        trials = [(expected(dag), k, dag) for k, dag in enumerate(_neighbours(best, edges.adjacent, arcs))]
        value, _, dag = min(trials, default=(0.0, 0, best))
        if value > least - 1e-9:
            return best, patterns.of(best)
        best, least = dag, value


def _neighbours(dag: np.ndarray, adjacent: np.ndarray, arcs: Arcs | None) -> Iterator[np.ndarray]:
    """Yield the graphs with one arc more, less, or turned around, that knowledge of arcs allows."""
    for i, j in np.argwhere((adjacent > WORTH_ADDING) | dag).tolist():
        for moved in ([], [(j, i)]) if dag[i, j] else ([(i, j)],) if not dag[j, i] else ():
            other = dag.copy()
            other[i, j] = False
            for arc in moved:
                other[arc] = True
            if is_dag(other) and (arcs is None or _is_allowed(other, arcs)):
                yield other


def _is_allowed(dag: np.ndarray, arcs: Arcs) -> bool:
    """Return whether a graph honours knowledge of arcs."""
    few = arcs.max_parents is None or dag.sum(axis=0).max(initial=0) <= arcs.max_parents
    return bool(few and not (dag & ~arcs.allowed).any() and not (arcs.required & ~dag).any())


def effects_of(values: np.ndarray, dags: Sequence[np.ndarray]) -> np.ndarray:
    """Return what a rise of a variable by one deviation changes in each other, in its deviations, float64 [3, n, n].

    They are total effects, by lines between normal scores, codes of states among them: the mean over graphs, and the 5
    and 95 % quantiles. 0 where a variable is no ancestor.
    """
    n, totals = values.shape[1], []
    scores = np.array([standardised(normal_scores(column)) for column in values.T])
    correlation = scores @ scores.T / len(values)
    for dag in dags[:: max(len(dags) // MOST_OF_EFFECTS, 1)]:
        slopes = np.zeros((n, n))
        for i in np.flatnonzero(dag.any(axis=0)):
            of = np.flatnonzero(dag[:, i])
            slopes[of, i] = np.linalg.lstsq(correlation[np.ix_(of, of)], correlation[of, i])[0]
        totals.append(np.linalg.inv(np.eye(n) - slopes) - np.eye(n))
    return np.array([np.mean(totals, axis=0), *np.quantile(totals, [0.05, 0.95], axis=0)])
