"""Consensus: what searches with different kinds of models agree on, so that nobody has to choose one.

No kind of model is right for all data: thresholds lose what a line keeps, lines miss what is not monotone, kernels need
many records. Five searches over orders see the same records, three with one kind of model each (polynomial regression,
kernels, levels) and two with the best of several kinds for each family. Pairs of variables that most of them join are
joined; their directions are those of the graph over these pairs with the highest score. Where levels tell nearly all
that any of these models tells, other kinds vote on data that are not theirs, and the levels decide alone.
"""

import math
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cutpoint.base.seeds import generator_for
from cutpoint.base.text import listed
from cutpoint.discretization.binning import halved
from cutpoint.discretization.encoding import cardinalities, encode
from cutpoint.discretization.latent import latent
from cutpoint.discretization.loop import SearchFunction
from cutpoint.discretization.rules import steck
from cutpoint.graphs.dags import skeleton
from cutpoint.graphs.frequencies import edge_frequencies
from cutpoint.graphs.patterns import cpdag
from cutpoint.knowledge.arcs import Arcs, arcs_within
from cutpoint.learners.best_kind import BestKind, Kept
from cutpoint.learners.boss import boss
from cutpoint.learners.greedy import Search, hill_climbing
from cutpoint.learners.kgv import kgv
from cutpoint.learners.learned import Learned, Uncertainty
from cutpoint.learners.normal_scores import copula, polynomial
from cutpoint.learners.scores import bdeu
from cutpoint.options import AboveZero, AtLeast0, AtLeast1, AtLeast2

# The kinds of models that each search may choose from, in the order in which equal ones are named.
SEARCHES = (
    ("polynomials",),
    ("kernels",),
    ("levels",),
    ("lines", "polynomials", "levels"),
    ("lines", "polynomials", "kernels", "levels"),
)
# Of the score of the fourth search, which has no kernels, for they are no density: above it the third decides alone.
LEVELS_ALONE = 0.97
MOST_OF_LEVELS = 5  # parents of a family of levels; the cells of more hold too few records, and take long to count
FEW, MOST_NATS = 40, 6.0  # of N records an arc between levels must gain (FEW / N)^2 nats more, as levels fit noise
DENSE = 5  # arcs for each variable in the graph of hill climbing; one with more is not searched further


def consensus(
    values: np.ndarray,
    discrete: np.ndarray,
    *,
    initial: Sequence[np.ndarray],
    search: SearchFunction,
    arcs: Arcs | None = None,
    ess: AboveZero = 1.0,
    restarts: AtLeast0 = 2,
    seed: AtLeast0 = 0,
    most_records: AtLeast1 = 20_000,
    most_ordered: AtLeast1 = 100,
    max_levels: AtLeast2 = 8,
) -> Learned:
    """Learn a structure by the consensus of `SEARCHES`, and thresholds that go with it.

    1. Thresholds by `cutpoint.discretization.rules.steck`, for the kind "levels" (BDeu of their codes). "lines" is
       `cutpoint.learners.normal_scores.copula`, "polynomials" `polynomial` there, "kernels" `cutpoint.learners.kgv`,
       all with the penalty of few records (`cutpoint.learners.kgv.KGV.corrected`; of levels, `FEW`).
    2. Five searches by `cutpoint.learners.boss`, or the graph of hill climbing where that has `DENSE` arcs a variable.
    3. Where the third has `LEVELS_ALONE` of the score of the fourth, the result is that of
       `cutpoint.discretization.latent.latent`: latent levels, or thresholds.
    4. Else a pair that at least three of the five join may have an edge, and the result is the graph over these pairs
       with the highest score of the last search's kinds, with thresholds by Steck's method for that graph.

    Args:
        values, discrete, initial, search: as of the other integrated methods; `search` is that of the first thresholds.
        arcs: which the graph must and may have.
        ess: equivalent sample size of levels and thresholds.
        restarts, seed: of the searches.
        most_records: that the searches see; of more a sample is drawn, and thresholds are of the sample too.
        most_ordered: variables; with more of them hill climbing takes the place of the search over orders, and the
            third step is left out.
        max_levels: of a variable.

    Returns:
        The graph, with `uncertainty.edges`, how often each edge is in the five graphs (of latent levels in their
        chains), and a `note` of what was done.
    """
    began = time.process_time()
    n = len(discrete)

    def learn_levels(codes, levels, start=None, restarts=20, pairs=None):
        known = arcs if pairs is None else arcs_within(pairs, arcs)
        score = bdeu(codes, levels, ess=ess, arc_probability=_sparse(len(codes)))
        return boss(score, start=start, restarts=restarts, seed=seed, order="columns", arcs=known)

    if discrete.all():
        learned = steck(values, discrete, initial=initial, search=learn_levels, ess=ess)
        learned.note = "levels alone, as all columns are discrete"
        return learned
    seen = _sample(values, most_records, seed)
    sample = f"; learned from {len(seen)} of {len(values)} records" if len(seen) < len(values) else ""
    first = steck(seen, discrete, initial=initial, search=search, ess=ess)
    kinds = _kinds(seen, discrete, first, arcs, ess)

    def best(names: Sequence[str], arcs: Arcs | None) -> Search:
        score = kinds.among(names)
        climbed = hill_climbing(score, arcs=arcs)
        if n > most_ordered or climbed.dag.sum() > DENSE * n:
            return climbed
        return boss(score, restarts=restarts, seed=seed, order="columns", arcs=arcs)

    graphs = [best(names, arcs) for names in SEARCHES]
    if n <= most_ordered and graphs[2].score >= LEVELS_ALONE * graphs[3].score > 0:
        learned = latent(seen, discrete, initial=initial, search=learn_levels, ess=ess, seed=seed)
        learned.note = _note_of_levels(learned, graphs[2].score / graphs[3].score) + sample
        _limit(learned, seen, discrete, initial, ess, max_levels)
    else:
        edges = edge_frequencies([cpdag(one.dag) for one in graphs], of="searches")
        final = best(SEARCHES[-1], arcs_within(2 * edges.adjacent > 1, arcs))
        learned = _for_graph(seen, discrete, first, initial, final.dag, ess, max_levels)
        learned.score = None  # that of the thresholds; the graph is the best one of no single score
        learned.score_calls = sum(one.calls for one in (*graphs, final)) + (first.score_calls or 0)
        learned.evaluations = sum(one.evaluations for one in (*graphs, final)) + (first.evaluations or 0)
        learned.kinds = kinds.of(final.dag)
        learned.uncertainty = Uncertainty(edges)
        counts = Counter(kind for kind, of in zip(learned.kinds, final.dag.T, strict=True) if of.any())
        learned.note = _note(counts, edges.adjacent, final.dag, n > most_ordered) + sample
    learned.learn_seconds = time.process_time() - began - (learned.discretize_seconds or 0.0)
    return learned


def _sparse(records: int) -> float:
    """Return the prior probability of an arc between levels, one half where records are many; see `FEW`."""
    return 1 / (1 + math.exp(min((FEW / records) ** 2, MOST_NATS))) if records < 5 * FEW else 0.5


def _sample(values: np.ndarray, most: int, seed: int) -> np.ndarray:
    """Return the records, or as many at random as there may be, in their order."""
    if len(values) <= most:
        return values
    drawn = np.sort(generator_for(seed, "consensus").choice(len(values), most, replace=False))
    return np.asfortranarray(values[drawn])


@dataclass(frozen=True)
class _Kinds:
    """The kinds of models by name, with the scores of families that searches share."""

    scores: dict[str, Kept]

    def among(self, names: Sequence[str]) -> BestKind:
        """Return the score of the best of some kinds for each family."""
        return BestKind({name: self.scores[name] for name in names})

    def of(self, dag: np.ndarray) -> list[str]:
        """Return the kind that suits each variable best given its parents; levels without any."""
        score, parents = self.among(SEARCHES[-1]), [tuple(np.flatnonzero(column).tolist()) for column in dag.T]
        return [score.kind_of(child, of) if of else "levels" for child, of in enumerate(parents)]


def _kinds(values: np.ndarray, discrete: np.ndarray, first: Learned, arcs: Arcs | None, ess: float) -> _Kinds:
    """Return the four kinds of models; levels are those of the first thresholds."""
    assert first.thresholds is not None
    most_of_levels = max(MOST_OF_LEVELS, 0 if arcs is None else int(arcs.required.sum(axis=0).max(initial=0)))
    codes, sizes = encode(values, first.thresholds), cardinalities(first.thresholds)
    levels = bdeu(codes, sizes, ess=ess, arc_probability=_sparse(len(values)))
    return _Kinds({
        "lines": Kept(copula(values, discrete).corrected()),
        "polynomials": Kept(polynomial(values, discrete).corrected()),
        "kernels": Kept(kgv(values, discrete).corrected()),
        "levels": Kept(levels, most_of_levels),
    })  # fmt: skip


def _for_graph(
    values: np.ndarray,
    discrete: np.ndarray,
    before: Learned,
    initial: Sequence[np.ndarray],
    dag: np.ndarray,
    ess: float,
    max_levels: int,
) -> Learned:
    """Return a graph with thresholds for it: Steck's, and one in the middle of each column with an edge and none.

    They begin with those learned before, or with the first ones of a column that has too many.
    """
    assert before.thresholds is not None
    begin = [
        own if keep or len(own) < max_levels else cuts[: max_levels - 1]
        for own, cuts, keep in zip(before.thresholds, initial, discrete, strict=True)
    ]
    fixed = Search(dag, 0.0, 0, 0, 0)
    learned = steck(values, discrete, initial=begin, search=lambda codes, levels: fixed, ess=ess, max_levels=max_levels)
    assert learned.thresholds is not None
    learned.thresholds = halved(learned.thresholds, values, dag)[0]
    return learned


def _limit(
    learned: Learned,
    values: np.ndarray,
    discrete: np.ndarray,
    initial: Sequence[np.ndarray],
    ess: float,
    max_levels: int,
) -> None:
    """Give columns with too many thresholds, or with an edge and none, those for the graph."""
    assert learned.thresholds is not None
    assert learned.dag is not None
    joined = learned.dag.any(0) | learned.dag.any(1)
    counts = np.array([len(cuts) for cuts in learned.thresholds])
    wrong = ~discrete & ((counts >= max_levels) | (joined & (counts == 0)))
    if wrong.any():
        limited = _for_graph(values, discrete, learned, initial, learned.dag, ess, max_levels).thresholds
        assert limited is not None
        learned.thresholds = [limited[i] if wrong[i] else cuts for i, cuts in enumerate(learned.thresholds)]


def _note_of_levels(learned: Learned, share: float) -> str:
    """Return why levels decide alone, and which."""
    chains = learned.uncertainty
    hidden = chains and learned.score != chains.of_thresholds
    kind = "hidden levels, with a density of values each" if hidden else "parted by thresholds"
    return f"levels alone, as lines and curves would explain little more ({share:.0%} is explained): {kind}"


def _note(counts: Counter[str], adjacent: np.ndarray, dag: np.ndarray, climbed: bool) -> str:
    """Return what was done, in one line."""
    shares = adjacent[np.triu(skeleton(dag))]
    parts = [
        f"consensus of {len(SEARCHES)} searches" + (" by hill climbing" if climbed else ""),
        f"{np.count_nonzero(shares == 1)} of {shares.size} edges in all of them",
    ]
    if counts:
        kinds = [f"{name} {count}" for name, count in counts.most_common()]
        parts.append(f"variables by how they depend on their parents: {listed(kinds)}")
    return "; ".join(parts)
