"""Consensus: what searches with different kinds of models agree on, so that nobody has to choose one.

No kind of model is right for all data: thresholds lose what a line keeps, lines miss what is not monotone, kernels need
many records. Four searches over orders see the same records, each with one kind of model (lines, polynomials, kernels,
levels). Pairs of variables that enough of them join may have an edge. Which do, and in which direction, decides a last
search by the best of several kinds that are log densities: lines, curves, levels, and regressions whose noise has any
shape or a variance that follows the parents. Where latent levels tell more than all of these, they decide alone.
"""

import math
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from cutpoint.base.seeds import generator_for
from cutpoint.base.text import listed
from cutpoint.discretization.binning import halved
from cutpoint.discretization.encoding import cardinalities, encode
from cutpoint.discretization.latent import latent
from cutpoint.discretization.loop import SearchFunction
from cutpoint.discretization.rules import steck
from cutpoint.graphs.dags import skeleton
from cutpoint.graphs.frequencies import EdgeFrequencies, edge_frequencies
from cutpoint.knowledge.arcs import Arcs, arcs_within, class_of
from cutpoint.learners.best_kind import BestKind, Kept
from cutpoint.learners.boss import boss
from cutpoint.learners.greedy import Search, hill_climbing
from cutpoint.learners.kgv import kgv
from cutpoint.learners.learned import Learned, Uncertainty
from cutpoint.learners.mean_score import mean_over
from cutpoint.learners.noise import AnyNoise, ChangingVariance
from cutpoint.learners.normal_scores import copula, normal_scores, polynomial
from cutpoint.learners.scales import MOST_STEPS, lines_behind
from cutpoint.learners.scores import bdeu
from cutpoint.learners.sparse import sparse_gaussian
from cutpoint.options import AboveZero, AtLeast0, AtLeast1, AtLeast2

KINDS = ("lines", "polynomials", "kernels", "levels")  # in the order in which equal ones are named
# The share of the searches that must join a pair that may have an edge. Where records are too few to show an edge to
# all, one that fewer join may have an edge too that gains DOUBT nats more.
VOTES, DOUBTED, DOUBT = 0.5, range(100, 500), 3.0
LEVELS_TELL = 0.85  # of the score of the last search, that of levels by thresholds: above it latent levels are tried
FINE = 24  # thresholds of a column above which levels stand for its values, as those of a code or a copy do
LINES_TELL = 0.7  # of what the better of curves and levels tells of columns without a density, to stand for them
MOST_OF_LEVELS = 5  # parents of a family of levels; the cells of more hold too few records, and take long to count
FEW, MOST_NATS = 40, 6.0  # of N records an arc between levels must gain (FEW / N)^2 nats more, as levels fit noise
DENSE = 5  # arcs for each variable in the graph of hill climbing; one with more is not searched further
FREQUENT = 0.15  # share of the records with the same value, of counts; values that were only rounded have less
MOST_STATES = 50  # of a column that lines, curves and kernels tell apart, each by a row of its own


def consensus(
    values: np.ndarray,
    discrete: np.ndarray,
    *,
    initial: Sequence[np.ndarray],
    search: SearchFunction,
    ordered: np.ndarray | None = None,
    arcs: Arcs | None = None,
    ess: AboveZero = 1.0,
    restarts: AtLeast0 = 2,
    seed: AtLeast0 = 0,
    most_records: AtLeast1 = 20_000,
    most_ordered: AtLeast1 = 100,
    most_climbed: AtLeast1 = 500,
    max_levels: AtLeast2 = 8,
) -> Learned:
    """Learn a structure by the consensus of searches with each of `KINDS`, and thresholds that go with it.

    1. Thresholds by `cutpoint.discretization.rules.steck`, for the kind "levels" (BDeu of their codes). "lines" is
       `cutpoint.learners.normal_scores.copula`, "polynomials" `polynomial` there, "kernels" `cutpoint.learners.kgv`,
       all with the penalty of few records (`cutpoint.learners.kgv.KGV.corrected`; of levels, `FEW`).
    2. Four searches by `cutpoint.learners.boss`, or the graph of hill climbing where that has `DENSE` arcs a variable.
    3. A pair that a share of them joins may have an edge (`VOTES`). The graph over these pairs has the highest score of
       the best of five kinds for each family: lines, behind the steps of ordered scales (`cutpoint.learners.scales`),
       polynomials, levels, and the two of `cutpoint.learners.noise`. Thresholds are Steck's for that graph.
    4. Where levels have `LEVELS_TELL` of that score, and no column more than `FINE` thresholds, the result of
       `cutpoint.discretization.latent.latent` is taken if its levels tell more.

    Args:
        values, discrete, initial, search: as of the other integrated methods; `search` is that of the first thresholds.
        ordered: bool [n], discrete columns whose codes have an order; None for none.
        arcs: which the graph must and may have.
        ess: equivalent sample size of levels and thresholds.
        restarts, seed: of the searches.
        most_records: that the searches see; of more a sample is drawn. Latent levels are of it too, thresholds of all.
        most_ordered: variables; with more of them hill climbing takes the place of the search over orders, and the
            fourth step is left out.
        most_climbed: variables; of more `cutpoint.learners.sparse.sparse_gaussian` alone learns the graph.
        max_levels: of a variable.

    Returns:
        The graph, with `uncertainty.edges`, how often each edge is in the graphs of the searches (of latent levels in
        those of single draws), and a `note` of what was done.
    """
    began = time.process_time()
    states = discrete if ordered is None else discrete & ~ordered
    whole, many = bool(states.all()), len(discrete) > most_ordered
    seen = values if whole else _sample(values, most_records, seed)  # counts of all records take no longer
    task = _Task(seen, discrete, states, initial, arcs, ess, restarts, seed, max_levels, many)
    if len(discrete) > most_climbed:
        learned = _of_lines(task)
    else:
        kinds = _Kinds.of(task)  # before the thresholds, which take far longer than to see that memory is too small
        if whole:
            return _of_states(task, kinds.with_levels(task, initial))
        learned = _of_all_kinds(task, steck(seen, discrete, initial=initial, search=search, ess=ess), kinds)
    if len(seen) < len(values):
        learned.note = f"{learned.note}; graph learned from {len(seen)} of {len(values)} records"
        if learned.kinds and learned.dag is not None:
            learned.thresholds = replace(task, values=values).with_thresholds(learned.dag, learned).thresholds
    learned.learn_seconds = time.process_time() - began - (learned.discretize_seconds or 0.0)
    return learned


@dataclass(frozen=True)
class _Task:
    """The records that are looked at, float64 [N, n], and the options of `consensus`."""

    values: np.ndarray
    discrete: np.ndarray
    states: np.ndarray  # bool [n], columns without an order
    initial: Sequence[np.ndarray]
    arcs: Arcs | None
    ess: float
    restarts: int
    seed: int
    max_levels: int
    many: bool  # variables, so that the search climbs alone and no latent levels are tried

    def search(self, score: BestKind, arcs: Arcs | None) -> Search:
        climbed = hill_climbing(score, arcs=arcs)
        if self.many or climbed.dag.sum() > DENSE * score.n:
            return climbed
        return boss(score, restarts=self.restarts, seed=self.seed, order="columns", arcs=arcs)

    def search_levels(self, codes, levels, start=None, restarts=20, draws=1) -> Search:
        sparse = _sparse(len(codes) // draws)
        score = mean_over(draws, partial(bdeu, ess=self.ess, arc_probability=sparse), codes, levels)
        return boss(score, start=start, restarts=restarts, seed=self.seed, order="columns", arcs=self.arcs)

    def with_thresholds(self, dag: np.ndarray, before: Learned) -> Learned:
        """Return a graph with thresholds for it: Steck's, and one in the middle of each column with an edge and none.

        They begin with those learned before, or with the first ones of a column that has too many.
        """
        assert before.thresholds is not None
        begin = [
            own if keep or len(own) < self.max_levels else cuts[: self.max_levels - 1]
            for own, cuts, keep in zip(before.thresholds, self.initial, self.discrete, strict=True)
        ]
        fixed, ess, most = Search(dag, 0.0, 0, 0, 0), self.ess, self.max_levels
        learned = steck(
            self.values, self.discrete, initial=begin, search=lambda codes, levels: fixed, ess=ess, max_levels=most
        )
        assert learned.thresholds is not None
        learned.thresholds = halved(learned.thresholds, self.values, dag)[0]
        return learned


def _of_lines(task: _Task) -> Learned:
    """Return the graph of lines alone, with thresholds for it."""
    found = sparse_gaussian(task.values, task.states, restarts=task.restarts, seed=task.seed, arcs=task.arcs)
    assert found.dag is not None
    learned = task.with_thresholds(found.dag, Learned(thresholds=[*task.initial]))
    learned.kinds = ["lines" if parents.any() else "levels" for parents in found.dag.T]
    learned.score = None  # that of the thresholds
    learned.note = f"lines alone (sparse_gaussian), as {len(task.discrete)} columns are too many for other kinds"
    return learned


def _of_all_kinds(task: _Task, first: Learned, kinds: "_Kinds") -> Learned:
    """Return the graph that searches with each kind lead to, with thresholds for it; first: thresholds of levels."""
    assert first.thresholds is not None
    kinds = kinds.with_levels(task, first.thresholds)
    graphs = {kind: task.search(kinds.among([kind]), task.arcs) for kind in KINDS}
    edges = edge_frequencies([class_of(one.dag, task.arcs) for one in graphs.values()], of="searches")
    votes = edges.adjacent
    pairs = votes > 0 if len(task.values) in DOUBTED else votes >= VOTES
    known = arcs_within(pairs, task.arcs)
    final = task.search(kinds.last(known.allowed, np.where(votes < VOTES, DOUBT, 0.0), task.seed), known)
    learned = _levels_alone(task, first.thresholds, graphs["levels"].score, final.score)
    return _of_kinds(task, first, kinds, edges, [*graphs.values(), final]) if learned is None else learned


def _sparse(records: int) -> float:
    """Return the prior probability of an arc between levels, one half where records are many; see `FEW`."""
    return 1 / (1 + math.exp(min((FEW / records) ** 2, MOST_NATS))) if records < 5 * FEW else 0.5


def _sample(values: np.ndarray, most: int, seed: int) -> np.ndarray:
    """Return the records, or as many at random as there may be, in their order."""
    if len(values) <= most:
        return values
    drawn = np.sort(generator_for(seed, "consensus").choice(len(values), most, replace=False))
    return np.asfortranarray(values[drawn])


def _of_states(task: _Task, kinds: "_Kinds") -> Learned:
    """Return the graph of levels, where all columns are states without an order; other searches vote beside it."""
    learned = steck(task.values, task.states, initial=task.initial, search=task.search_levels, ess=task.ess)
    learned.note = "levels alone, as all columns are states without an order"
    assert learned.dag is not None
    others = [hill_climbing(kinds.among([kind]), arcs=task.arcs).dag for kind in ("lines", "kernels")]
    patterns = [class_of(dag, task.arcs) for dag in (*others, learned.dag)]
    learned.uncertainty = Uncertainty(edge_frequencies(patterns, of="searches"))
    return learned


def _coarse(values: np.ndarray) -> np.ndarray:
    """Return which columns, float64 [N, n], are a scale or counts, of which one value is frequent, bool [n]."""
    counts = [np.unique(column, return_counts=True)[1] for column in values.T]
    return np.array([len(held) <= MOST_STEPS or held.max() > FREQUENT * len(values) for held in counts], bool)


def _frequent(values: np.ndarray, states: np.ndarray) -> np.ndarray:
    """Return values with at most `MOST_STATES` states of each column, the most frequent ones, and one of all others.

    A state that is as frequent as one of the others is among them too.
    """
    answer = values.copy(order="F")
    for i in np.flatnonzero(states).tolist():
        codes = values[:, i].astype(int)
        counts = np.bincount(codes)
        if len(counts) > MOST_STATES:
            kept = counts > np.sort(counts)[-MOST_STATES - 1]
            answer[:, i] = (np.cumsum(kept) * kept)[codes]
    return answer


@dataclass(frozen=True)
class _Kinds:
    """The kinds of models by name, with the scores of families that searches share; levels are those of thresholds."""

    values: np.ndarray
    states: np.ndarray  # bool [n], columns without an order
    scores: dict[str, Kept]

    @classmethod
    def of(cls, task: _Task) -> "_Kinds":
        """Return the kinds without levels; kernels are of normal scores too, so that no scale of a column matters."""
        values, states = _frequent(task.values, task.states), task.states
        scores = [x if state else normal_scores(x) for x, state in zip(values.T, states, strict=True)]
        return cls(values, states, {
            "lines": Kept(copula(values, states).corrected()),
            "polynomials": Kept(polynomial(values, states).corrected()),
            "kernels": Kept(kgv(np.column_stack(scores), states).corrected()),
        })  # fmt: skip

    def with_levels(self, task: _Task, thresholds: Sequence[np.ndarray]) -> "_Kinds":
        """Return the kinds with levels of thresholds."""
        most = max(MOST_OF_LEVELS, 0 if task.arcs is None else int(task.arcs.required.sum(axis=0).max(initial=0)))
        codes, sizes = encode(task.values, thresholds), cardinalities(thresholds)
        levels = bdeu(codes, sizes, ess=task.ess, arc_probability=_sparse(len(codes)))
        return replace(self, scores=self.scores | {"levels": Kept(levels, most)})

    def among(self, names: Sequence[str]) -> BestKind:
        """Return the score of the best of some kinds for each family."""
        return BestKind({name: self.scores[name] for name in names})

    def last(self, pairs: np.ndarray, costs: np.ndarray, seed: int) -> BestKind:
        """Return the score of the last search, over pairs, bool [n, n], that may be joined; costs: of their arcs."""
        of, plain = (self.values, self.states, pairs, seed), self.plain()
        kinds = {"lines": Kept(lines_behind(self.values, self.states).corrected())}
        for kind, without in (("polynomials", plain), ("levels", plain & ~self.states)):
            kinds[kind] = Kept(self.scores[kind].score, np.where(without, 0, self.scores[kind].max_parents))
        for noise in (ChangingVariance(*of), AnyNoise(*of)):
            kinds[type(noise).__name__] = Kept(noise, noise.most_parents)
        return BestKind(kinds, costs)

    def plain(self) -> np.ndarray:
        """Return scales, counts and states if lines tell nearly all of them, bool [n]; none if they do not.

        Curves and levels would part two scales less well than the order does, and lead to wrong directions. How much
        they tell is seen where one other column is known.
        """
        masses = _coarse(self.values) | self.states
        lines, *others = (
            np.array([max(self.scores[kind].gains(i, ()).max(), 0.0) for i in np.flatnonzero(masses).tolist()])
            for kind in ("lines", "polynomials", "levels")
        )
        return masses & (lines.sum() >= LINES_TELL * np.maximum(*others).sum())

    def named(self, dag: np.ndarray) -> list[str]:
        """Return the one of `KINDS` that suits each variable best given its parents; levels without any.

        Kernels are of the values here: those of normal scores tell more of lines than there is.
        """
        score = BestKind(self.scores | {"kernels": Kept(kgv(self.values, self.states).corrected())})
        parents = [tuple(np.flatnonzero(column).tolist()) for column in dag.T]
        return [score.kind_of(child, of) if of else "levels" for child, of in enumerate(parents)]


def _levels_alone(task: _Task, cuts: Sequence[np.ndarray], of_levels: float, highest: float) -> Learned | None:
    """Return what latent levels learn where they tell more than all kinds; scores: of levels by thresholds, of all."""
    dense = 2 * np.count_nonzero(~task.discrete & ~_coarse(task.values)) > len(task.discrete)
    fine = any(len(own) > FINE and not keep for own, keep in zip(cuts, task.discrete, strict=True))
    if fine or not dense or task.many or of_levels < max(LEVELS_TELL * highest, 1e-6):
        return None  # densities of levels say nothing of steps
    search, arcs, seed = task.search_levels, task.arcs, task.seed
    learned = latent(
        task.values, task.discrete, initial=task.initial, search=search, arcs=arcs, ess=task.ess, seed=seed
    )
    assert learned.score is not None
    assert learned.uncertainty is not None
    assert learned.uncertainty.alone is not None
    if learned.score - learned.uncertainty.alone <= highest:
        return None
    hidden = learned.uncertainty.edges is not None
    kind = "hidden levels, with a density of values each" if hidden else "parted by thresholds"
    share = of_levels / max(highest, of_levels)
    learned.note = f"levels alone, as lines and curves would explain little more ({share:.0%} is explained): {kind}"
    _limit(task, learned)
    return learned


def _limit(task: _Task, learned: Learned) -> None:
    """Give columns with too many thresholds, or with an edge and none, those for the graph."""
    assert learned.thresholds is not None
    assert learned.dag is not None
    joined = learned.dag.any(0) | learned.dag.any(1)
    counts = np.array([len(cuts) for cuts in learned.thresholds])
    wrong = ~task.discrete & ((counts >= task.max_levels) | (joined & (counts == 0)))
    if wrong.any():
        limited = task.with_thresholds(learned.dag, learned).thresholds
        assert limited is not None
        learned.thresholds = [limited[i] if wrong[i] else cuts for i, cuts in enumerate(learned.thresholds)]


def _of_kinds(
    task: _Task, first: Learned, kinds: _Kinds, edges: EdgeFrequencies, searches: Sequence[Search]
) -> Learned:
    """Return the graph of the last search, with thresholds for it, and what all of them cost."""
    dag = searches[-1].dag
    learned = task.with_thresholds(dag, first)
    learned.score = None  # that of the thresholds; the graph is the best one of no single score
    learned.score_calls = sum(one.calls for one in searches) + (first.score_calls or 0)
    learned.evaluations = sum(one.evaluations for one in searches) + (first.evaluations or 0)
    learned.kinds, learned.uncertainty = kinds.named(dag), Uncertainty(edges)
    counts = Counter(kind for kind, of in zip(learned.kinds, dag.T, strict=True) if of.any())
    learned.note = _note(counts, edges.adjacent, dag, task.many)
    return learned


def _note(counts: Counter[str], adjacent: np.ndarray, dag: np.ndarray, climbed: bool) -> str:
    shares = adjacent[np.triu(skeleton(dag))]
    parts = [
        f"consensus of {len(KINDS)} searches" + (" by hill climbing" if climbed else ""),
        f"{np.count_nonzero(shares == 1)} of {shares.size} edges in all of them",
    ]
    if counts:
        kinds = [f"{name} {count}" for name, count in counts.most_common()]
        parts.append(f"variables by how they depend on their parents: {listed(kinds)}")
    return "; ".join(parts)
