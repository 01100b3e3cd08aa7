"""Consensus: what searches with different kinds of models agree on, so that nobody has to choose one.

No kind of model is right for all data: thresholds lose what a line keeps, lines miss what is not monotone, kernels need
many records. Five searches over orders see the same records, three with one kind of model each (polynomial regression,
kernels, levels) and two with the best of several kinds for each family. Pairs of variables that most of them join are
joined; their directions are those of the graph over these pairs with the highest score. Where levels tell nearly all
that any of these models tells, other kinds vote on data that are not theirs, and the levels decide alone.
"""

import time
from collections import Counter
from collections.abc import Sequence

import numpy as np

from cutpoint.base.seeds import generator_for
from cutpoint.base.text import listed
from cutpoint.discretization.encoding import cardinalities, encode
from cutpoint.discretization.latent import latent
from cutpoint.discretization.loop import SearchFunction
from cutpoint.discretization.rules import steck
from cutpoint.graphs.dags import numbered, skeleton
from cutpoint.graphs.frequencies import edge_frequencies
from cutpoint.graphs.patterns import cpdag
from cutpoint.knowledge.arcs import Arcs
from cutpoint.learners.best_kind import BestKind, Kept
from cutpoint.learners.boss import boss
from cutpoint.learners.greedy import Search, hill_climbing
from cutpoint.learners.kgv import kgv
from cutpoint.learners.learned import Learned, Uncertainty
from cutpoint.learners.normal_scores import copula, polynomial
from cutpoint.learners.scores import LocalScore, bdeu
from cutpoint.options import AboveZero, AtLeast0, AtLeast1

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
) -> Learned:
    """Learn a structure by the consensus of `SEARCHES`, and thresholds that go with it.

    1. Thresholds by `cutpoint.discretization.rules.steck`, for the kind "levels" (BDeu of their codes). "lines" is
       `cutpoint.learners.normal_scores.copula`, "polynomials" `polynomial` there, "kernels" `cutpoint.learners.kgv`.
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

    Returns:
        The graph, with `uncertainty.edges`, how often each edge is in the five graphs (of latent levels in their
        chains), and a `note` of what was done.
    """
    began = time.process_time()
    n = len(discrete)

    def learn_levels(codes, levels, start=None, restarts=20):
        return boss(bdeu(codes, levels, ess=ess), start=start, restarts=restarts, seed=seed, order="columns", arcs=arcs)

    if discrete.all():
        learned = steck(values, discrete, initial=initial, search=learn_levels, ess=ess)
        learned.note = "levels alone, as all columns are discrete"
        return learned
    seen = values
    if len(values) > most_records:
        drawn = np.sort(generator_for(seed, "consensus").choice(len(values), most_records, replace=False))
        seen = np.asfortranarray(values[drawn])
    first = steck(seen, discrete, initial=initial, search=search, ess=ess)
    assert first.thresholds is not None
    most_of_levels = max(MOST_OF_LEVELS, 0 if arcs is None else int(arcs.required.sum(axis=0).max(initial=0)))
    kinds: dict[str, Kept] = {
        "lines": Kept(copula(seen, discrete)),
        "polynomials": Kept(polynomial(seen, discrete)),
        "kernels": Kept(kgv(seen, discrete)),
        "levels": Kept(bdeu(encode(seen, first.thresholds), cardinalities(first.thresholds), ess=ess), most_of_levels),
    }

    def best(names: Sequence[str], arcs: Arcs | None) -> Search:
        score: LocalScore = BestKind({name: kinds[name] for name in names})
        climbed = hill_climbing(score, arcs=arcs)
        if n > most_ordered or climbed.dag.sum() > DENSE * n:
            return climbed
        return boss(score, restarts=restarts, seed=seed, order="columns", arcs=arcs)

    sample = f"; learned from {len(seen)} of {len(values)} records" if len(seen) < len(values) else ""
    graphs = [best(names, arcs) for names in SEARCHES]
    if n <= most_ordered and graphs[2].score >= LEVELS_ALONE * graphs[3].score > 0:
        learned = latent(seen, discrete, initial=initial, search=learn_levels, ess=ess, seed=seed)
        learned.learn_seconds = time.process_time() - began - (learned.discretize_seconds or 0.0)
        share = f"{graphs[2].score / graphs[3].score:.0%} of the score of the best models of all kinds"
        chains = learned.uncertainty
        kind = "latent levels" if chains and learned.score != chains.of_thresholds else "thresholds"
        learned.note = f"levels alone, which have {share}: {kind}{sample}"
        return learned
    edges = edge_frequencies([cpdag(one.dag) for one in graphs])
    joined = 2 * edges.adjacent > 1
    final = best(SEARCHES[-1], _within(joined, arcs))
    fixed = Search(final.dag, final.score, 0, 0, 0)
    learned = steck(seen, discrete, initial=first.thresholds, search=lambda codes, levels: fixed, ess=ess)
    learned.score = None  # that of the thresholds; the graph is the best one of no single score
    learned.score_calls = sum(one.calls for one in (*graphs, final)) + (first.score_calls or 0)
    learned.evaluations = sum(one.evaluations for one in (*graphs, final)) + (first.evaluations or 0)
    learned.learn_seconds = time.process_time() - began - (learned.discretize_seconds or 0.0)
    learned.uncertainty = Uncertainty(edges)
    best_kind = BestKind({name: kinds[name] for name in SEARCHES[-1]})
    parents = [tuple(np.flatnonzero(column).tolist()) for column in final.dag.T]
    counts = Counter(best_kind.kind_of(child, of) for child, of in enumerate(parents) if of)
    learned.note = _note(counts, edges.adjacent, final.dag, n > most_ordered) + sample
    return learned


def _within(joined: np.ndarray, arcs: Arcs | None) -> Arcs:
    """Return the knowledge of arcs with the pairs that are not joined forbidden."""
    if arcs is None:
        return Arcs(joined, np.zeros_like(joined), numbered(len(joined)))
    return Arcs(arcs.allowed & joined, arcs.required, arcs.variables, arcs.max_parents, arcs.source)


def _note(counts: Counter[str], adjacent: np.ndarray, dag: np.ndarray, climbed: bool) -> str:
    """Return what was done, in one line."""
    shares = adjacent[np.triu(skeleton(dag))]
    parts = [
        f"consensus of {len(SEARCHES)} searches" + (" by hill climbing" if climbed else ""),
        f"{np.count_nonzero(shares == 1)} of {shares.size} edges in all of them",
    ]
    if counts:
        kinds = [f"{name} {count}" for name, count in counts.most_common()]
        parts.append(f"variables by the model that suits them given their parents: {listed(kinds)}")
    return "; ".join(parts)
