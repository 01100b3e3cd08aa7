"""The posterior over graphs, kinds of models and thresholds, by four chains; see `cutpoint.posteriors.chains`."""

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from cutpoint.base.seeds import generator_for
from cutpoint.discretization.binning import equal_frequency, halved
from cutpoint.discretization.encoding import cardinalities, encode
from cutpoint.discretization.loop import SearchFunction
from cutpoint.discretization.rules import steck
from cutpoint.graphs.dags import skeleton
from cutpoint.graphs.frequencies import edge_frequencies
from cutpoint.knowledge.arcs import Arcs, arcs_within
from cutpoint.learners.best_kind import BestKind, Kept
from cutpoint.learners.boss import boss
from cutpoint.learners.greedy import Search
from cutpoint.learners.learned import Learned, Uncertainty
from cutpoint.learners.normal_scores import copula, polynomial
from cutpoint.learners.scores import bdeu
from cutpoint.options import AboveZero, AtLeast0, AtLeast1, AtLeast2, NotNegative
from cutpoint.posteriors import CANDIDATES, CHAINS, check_size
from cutpoint.posteriors.chains import (
    LEVELS,
    STEPS,
    TAKE_UP,
    WHOLE,
    ChainTarget,
    Draw,
    GraphChain,
    agreement,
    draw_graphs,
)
from cutpoint.posteriors.decision import classes, effects_of, nearest
from cutpoint.posteriors.families import FamilyTables
from cutpoint.posteriors.kinds import FIRST, FITTED, by_records, smooth, without_levels
from cutpoint.posteriors.thresholds import CutGrid

MOST_PARENTS, MOST_OF_LEVELS = 6, 4  # of a family with more variables than candidates; and of levels everywhere
GRAPHS, FEWER = 25, 8  # draws of the graph in each sweep; where they are slow and thresholds decide
NOT_CONVERGED = 0.9  # above it no probability is shown then
POWER = 11.0  # as what each record counts, times the root of N, where models have a shape that may be wrong
LEVELS_TELL = 0.5  # share of families that levels explain above which each record counts: they have no shape
COOLED, PILOT, LIKELY = 1.5, 200, 0.02  # root of weights, graphs drawn by it, and share of them, for pairs
QUANTILES = (0.05, 0.25, 0.75, 0.95)  # of a threshold
BINS = 256  # of a column, at most


def posterior(
    values: np.ndarray,
    discrete: np.ndarray,
    *,
    initial: Sequence[np.ndarray],
    search: SearchFunction,
    ordered: np.ndarray | None = None,
    arcs: Arcs | None = None,
    ess: AboveZero = 16.0,
    seed: AtLeast0 = 0,
    sweeps: AtLeast2 = 10,
    rounds: AtLeast1 = 30,
    most_records: AtLeast1 = 20_000,
    max_levels: AtLeast2 = 5,
    power: NotNegative = 0.0,
) -> Learned:
    """Draw graphs, kinds of models and thresholds from their posterior, and return the class nearest to all draws.

    A family is a mixture of levels (BDeu) and of `cutpoint.posteriors.kinds`. Of the parents of a variable one more is
    half as probable a priori. Four chains begin with random thresholds, and with graphs that are far apart.

    Args:
        values, discrete, initial, search: as of the other integrated methods; `search` is that of Steck's thresholds.
        ordered: bool [n], discrete columns whose codes have an order; None for none.
        arcs: which the graph must and may have.
        ess: equivalent sample size of levels.
        seed: of the draws.
        sweeps: of each chain, over all thresholds.
        rounds: how often so many sweeps more are made, while the chains have not converged; a quarter is left out.
        most_records: that are seen; of more a sample is drawn.
        max_levels: of a continuous variable.
        power: as what each record counts; 0 for 1 where levels explain most families, elsewhere `POWER` / sqrt(N).

    Returns:
        The graph with `uncertainty`: the probability of each edge, of kinds and of thresholds. Where the chains have
        not converged the `note` says so, and no probability is above 0.9.
    """
    began, n = time.process_time(), len(discrete)
    known = arcs_within(~np.eye(n, dtype=bool), arcs)
    check_size(n, int(known.required.sum(axis=0).max(initial=0)))
    drawn = generator_for(seed, "posterior").permutation(len(values))[:most_records]
    seen = np.asfortranarray(values[np.sort(drawn)])

    def begin() -> list[GraphChain]:
        cuts = steck(seen, discrete, initial=initial, search=search, ess=ess).thresholds or []
        states = discrete if ordered is None else discrete & ~ordered
        codes, levels = encode(seen, cuts).astype(np.uint16, order="F"), cardinalities(cuts)
        families, start = _families(seen, states, codes, levels, ess, known)
        edges = equal_frequency(seen, discrete, bins=BINS)
        grids = {i: CutGrid.of(seen[:, i], edges[i]) for i in np.flatnonzero(~discrete).tolist()}
        data = grids, codes, levels, states & False, ess, max_levels, power or 1.0, np.ones((n, n), bool)
        target = ChainTarget(families, {}, families.log_prior(arcs), *data)
        target = _with_kinds(target, seen, states, start, known, power, seed)
        rng = generator_for(seed, "posterior starts")
        apart = draw_graphs(target.prior, families.candidates, known.required, CHAINS - 2, rng)
        starts = enumerate([start, known.required, *apart])  # the best, that with the fewest arcs, two of the prior
        shaped = target.power < 1  # by kinds of which thresholds are few
        pace = sweeps, GRAPHS if n <= WHOLE or shaped else FEWER, STEPS // 2 if shaped else STEPS
        return [GraphChain(target, dag, generator_for(seed, "posterior", k), *pace) for k, dag in starts]

    chains, class_of = TAKE_UP.get()(begin, rounds), classes(arcs)
    target = chains[0].target
    kept, diagnostics = agreement(chains, rounds)
    draws = [draw for draws in kept for draw in draws]
    all_edges = edge_frequencies([class_of(draw.dag) for draw in draws], of="draws")
    dag = nearest([draw.dag for draw in draws], all_edges, class_of, known)
    fixed = Search(dag, 0.0, 0, 0, 0)
    learned = steck(seen, discrete, initial=initial, search=lambda *_: fixed, ess=ess, max_levels=max_levels)
    thresholds, intervals = _thresholds(halved(learned.thresholds or [], seen, dag)[0], target.grids, draws)
    of_kinds = np.mean([draw.kinds for draw in draws], axis=0)
    if not diagnostics.converged:
        below = NOT_CONVERGED / np.maximum(all_edges.adjacent, NOT_CONVERGED)
        of_kinds *= NOT_CONVERGED / np.maximum(of_kinds.sum(axis=0), NOT_CONVERGED)
        parts = {name: below * getattr(all_edges, name) for name in ("adjacent", "directed", "undirected")}
        all_edges = replace(all_edges, **parts)
    kinds = dict(zip([*target.kinds, LEVELS], of_kinds, strict=True))
    names = np.array([*kinds])[np.argmax([*kinds.values()], axis=0)]
    sample = f"; learned from {len(seen)} of {len(values)} records" if len(seen) < len(values) else ""
    effects = effects_of(seen, [draw.dag for draw in draws])
    return Learned(
        cpdag=class_of(dag),
        dag=dag,
        thresholds=thresholds,
        discretize_seconds=learned.discretize_seconds,
        learn_seconds=time.process_time() - began - (learned.discretize_seconds or 0.0),
        iterations=len(draws),
        kinds=[FITTED.get(name, name) if of.any() else LEVELS for name, of in zip(names, dag.T, strict=True)],
        note=f"posterior over graphs, kinds of models and thresholds: {diagnostics}{sample}",
        uncertainty=Uncertainty(all_edges, kinds=kinds, intervals=intervals, diagnostics=diagnostics, effects=effects),
    )


def _families(
    values: np.ndarray, states: np.ndarray, codes: np.ndarray, levels: np.ndarray, ess: float, arcs: Arcs
) -> tuple[FamilyTables, np.ndarray]:
    """Return the families and the first graph, bool [n, n], the best one of a search.

    Of the candidate parents of a child required ones come first, then neighbours in that graph, then those that alone
    tell most of the child.
    """
    n, needed = len(states), int(arcs.required.sum(axis=0).max(initial=0))
    most, most_of_levels = max(n if n <= CANDIDATES + 1 else MOST_PARENTS, needed), max(MOST_OF_LEVELS, needed)
    kinds = {
        "lines": Kept(copula(values, states).corrected(), most),
        "polynomials": Kept(polynomial(values, states).corrected(), most),
        LEVELS: Kept(bdeu(codes, levels, ess=ess), most_of_levels),
    }
    score = BestKind(kinds)
    start = boss(score, max_parents=most, restarts=2, order="columns", arcs=arcs).dag
    apart, lacking, own = ~skeleton(start), ~arcs.required, np.eye(n, dtype=bool)
    keys = ((-score.gains(i, ()), apart[:, i], lacking[:, i], own[i]) for i in range(n))
    candidates = np.array([np.sort(np.lexsort(key)[: min(CANDIDATES, n - 1)]) for key in keys], np.int64)
    return FamilyTables(candidates.reshape(n, -1), most, most_of_levels), start


def _with_kinds(
    target: ChainTarget, values: np.ndarray, states: np.ndarray, start: np.ndarray, known: Arcs, power: float, seed: int
) -> ChainTarget:
    """Return what chains draw from with the tables of all kinds, and as what each record counts.

    Kinds that look at records are for pairs that graphs join which are drawn by a power of their weights below 1.
    Whether levels explain most is seen in families with few parents.
    """
    if states.all():
        return target
    counted = power or min(POWER / math.sqrt(len(values)), 1.0)
    if not power:
        few = FamilyTables(target.families.candidates, *[max(FIRST, int(known.required.sum(axis=0).max()))] * 2)
        *_, drawn, of_levels = _pilot(replace(target, families=few), values, states, known.required, counted, seed)
        counted = 1.0 if np.average(of_levels, weights=np.any(drawn, axis=1) + 1e-9) > LEVELS_TELL else counted
    target, left, drawn, _ = _pilot(target, values, states, start, counted, seed)
    pairs = skeleton(np.array(drawn)).mean(axis=0) >= LIKELY
    of_levels = target.tables(target.codes, target.levels)[-1]
    without = without_levels(values, states, target.kinds["lines"], left * of_levels)
    for table in target.kinds.values():
        table[states, 1:] = -np.inf
    told = np.maximum(*target.kinds.values())
    kinds = {**target.kinds, **by_records(values, states, target.families, pairs, counted, seed, told)}
    return replace(target, kinds=kinds, likely=pairs, without=without)


def _pilot(
    target: ChainTarget, values: np.ndarray, states: np.ndarray, start: np.ndarray, counted: float, seed: int
) -> tuple[ChainTarget, float, list[np.ndarray], np.ndarray]:
    """Return the target with smooth kinds and levels, which share steps leave, graphs, and the share of levels in each.

    Graphs are drawn by a power of their weights below 1. The last is float64 [D, n], by families.
    """
    kinds, left = smooth(values, states, target.families, counted)
    target = replace(target, kinds=kinds, power=counted)
    tables = target.tables(target.codes, target.levels)
    mixed, rng = np.logaddexp.reduce(tables), generator_for(seed, "posterior pairs")
    drawn = draw_graphs(mixed / COOLED + target.prior, target.families.candidates, start, PILOT, rng)
    families = np.arange(len(start)), target.families.masks(np.array(drawn))
    return target, left, drawn, np.exp(tables[-1][families] - mixed[families])


def _thresholds(
    thresholds: list[np.ndarray], grids: Mapping[int, CutGrid], draws: Sequence[Draw]
) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Return thresholds and their quantiles, float64 [k, 4]: those of draws for columns that mostly use levels.

    They are of the draws with the most frequent number of thresholds, whose medians stand for them.
    """
    thresholds, intervals = [*thresholds], [np.empty((0, len(QUANTILES))) for _ in thresholds]
    families, of_levels = np.array([draw.dag for draw in draws]), np.array([draw.kinds[-1] for draw in draws])
    for i, grid in grids.items():
        families[:, i, i] = True  # beside those of its children its own
        if np.where(families[:, i], of_levels, 0.0).max(axis=1).mean() > 0.5:
            count = int(np.bincount([len(draw.cuts[i]) for draw in draws]).argmax())
            values = grid.edges[np.array([draw.cuts[i] for draw in draws if len(draw.cuts[i]) == count]) - 1]
            thresholds[i], intervals[i] = np.median(values, axis=0), np.quantile(values, QUANTILES, axis=0).T
    return thresholds, intervals
