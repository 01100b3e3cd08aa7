"""The equivalence class of graphs that is nearest to the draws of a posterior, and effects averaged over draws."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache

import numpy as np

from cutpoint.base.scaling import standardised
from cutpoint.graphs.dags import is_dag
from cutpoint.graphs.frequencies import EdgeFrequencies
from cutpoint.knowledge.arcs import Arcs, class_of
from cutpoint.learners.normal_scores import normal_scores

MOST_OF_EFFECTS = 400  # draws
WORTH_ADDING = 1 / 3  # probability of an edge that the nearest class may have beside those drawn


def classes(arcs: Arcs | None) -> Callable[[np.ndarray], np.ndarray]:
    """Return what makes the class of a graph, with the directions that follow from knowledge; each is made once."""

    @cache
    def of(content: bytes, n: int) -> np.ndarray:
        return class_of(np.frombuffer(content, bool).reshape(n, n), arcs)

    return lambda dag: of(dag.tobytes(), len(dag))


def nearest(
    dags: Sequence[np.ndarray], edges: EdgeFrequencies, pattern_of: Callable[[np.ndarray], np.ndarray], arcs: Arcs
) -> np.ndarray:
    """Return a graph whose class has the least expected SHD (standard) to that of the truth.

    It begins with the best graph that was drawn, and goes on by single arcs while the expected SHD falls.
    """

    def expected(dag: np.ndarray) -> float:
        pattern = pattern_of(dag)
        both, none = pattern & pattern.T, ~(pattern | pattern.T)
        joined = 2 * edges.directed[pattern & ~both].sum() + edges.undirected[both].sum()
        return -float(joined + (1 - edges.adjacent[none]).sum()) / 2

    best = min({dag.tobytes(): dag for dag in dags}.values(), key=expected)
    while True:
        dag = min(_neighbours(best, edges.adjacent > WORTH_ADDING, arcs), key=expected, default=best)
        if expected(dag) > expected(best) - 1e-9:
            return best
        best = dag


def _neighbours(dag: np.ndarray, worth: np.ndarray, arcs: Arcs) -> Iterator[np.ndarray]:
    """Yield the graphs with one arc more, less, or turned around, that knowledge of arcs allows."""
    for i, j in np.argwhere((worth & ~dag.T | dag) & arcs.allowed & ~arcs.required).tolist():
        for arc, back in ((False, False), (False, True)) if dag[i, j] else ((True, False),):
            other = dag.copy()
            other[i, j], other[j, i] = arc, back
            few = arcs.max_parents is None or other.sum(axis=0).max() <= arcs.max_parents
            if few and not (other & ~arcs.allowed).any() and is_dag(other):
                yield other


def effects_of(values: np.ndarray, dags: Sequence[np.ndarray]) -> np.ndarray:
    """Return what a rise of a variable by one deviation changes in each other, in its deviations, float64 [3, n, n].

    Total effects by lines between normal scores: the mean over graphs, the 5 and 95 % quantiles; 0 for no ancestor.
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
