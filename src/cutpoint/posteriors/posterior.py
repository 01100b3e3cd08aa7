"""The posterior over graphs, kinds of models and thresholds, by four chains; see `cutpoint.posteriors.chains`."""

import math
import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.base.seeds import generator_for
from cutpoint.discretization.binning import equal_frequency, halved
from cutpoint.discretization.encoding import cardinalities, encode
from cutpoint.discretization.loop import SearchFunction
from cutpoint.discretization.rules import steck
from cutpoint.graphs.dags import skeleton
from cutpoint.knowledge.arcs import Arcs
from cutpoint.learners.best_kind import BestKind, Kept
from cutpoint.learners.boss import boss
from cutpoint.learners.greedy import Search
from cutpoint.learners.learned import Learned, Uncertainty
from cutpoint.learners.normal_scores import copula, polynomial
from cutpoint.learners.scores import LocalScore, bdeu
from cutpoint.options import AboveZero, AtLeast0, AtLeast1, AtLeast2, NotNegative
from cutpoint.posteriors.chains import LEVELS, MOST_EXACT, ChainTarget, Draw, GraphChain
from cutpoint.posteriors.decision import Patterns, effects_of, frequencies_of, nearest
from cutpoint.posteriors.diagnostics import Diagnostics
from cutpoint.posteriors.families import FamilyTables, LevelFamilyTables
from cutpoint.posteriors.kinds import FITTED, by_records, smooth, without_levels
from cutpoint.posteriors.thresholds import CutGrid

MOST_VARIABLES = 40
CANDIDATES = 12  # parents of a child, with more variables than `MOST_EXACT`
MOST_PARENTS, MOST_OF_LEVELS = 6, 4  # of a family, where partitions walk; and of levels everywhere
CHAINS, GRAPHS = 4, 25  # and draws of the graph in each sweep
NOT_CONVERGED = 0.9  # above it no probability is shown then
POWER = 8.0  # as what each record counts, times the root of N
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
    ess: AboveZero = 4.0,
    seed: AtLeast0 = 0,
    sweeps: AtLeast2 = 20,
    rounds: AtLeast1 = 10,
    most_records: AtLeast1 = 20_000,
    max_levels: AtLeast2 = 5,
    power: NotNegative = 0.0,
) -> Learned:
    """Draw graphs, kinds of models and thresholds from their posterior, and return the class nearest to all draws.

    A family is a mixture of levels (BDeu) and of `cutpoint.posteriors.kinds`. All numbers of parents of a variable are
    as probable a priori. Four chains begin with Steck's thresholds and with random ones.

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
        power: as what each record counts, 1 where models are right; 0 for `POWER` / sqrt(N), at most 1.

    Returns:
        The graph with `uncertainty`: the probability of each edge, of kinds and of thresholds. Where the chains have
        not converged the `note` says so, and no probability of an edge is above 0.9.
    """
    began, n = time.process_time(), len(discrete)
    if n > MOST_VARIABLES:
        hint = "take consensus, or edge_confidence of any method"
        raise InputError(f"posterior: {n} variables, and {MOST_VARIABLES} is the most; {hint}")
    seen = _sample(values, most_records, seed)
    first = steck(seen, discrete, initial=initial, search=search, ess=ess)
    assert first.thresholds is not None
    states = discrete if ordered is None else discrete & ~ordered
    power = power or min(POWER / math.sqrt(len(seen)), 1.0)
    target, start = _target(seen, discrete, states, first.thresholds, arcs, ess, max_levels, power, seed)
    chains = _chains(target, first.thresholds, start, arcs, seed)
    patterns = Patterns(arcs)
    for _ in range(rounds):
        kept = [_run(chain, sweeps) for chain in chains]
        shares = [frequencies_of([draw.dag for draw in draws], patterns).adjacent for draws in kept]
        diagnostics = Diagnostics.of(np.array([[d.log_score for d in draws] for draws in kept]), np.array(shares))
        if diagnostics.converged:
            break
    learned = _answer(seen, discrete, initial, target, [draw for draws in kept for draw in draws], patterns, arcs, ess)
    assert learned.uncertainty is not None
    learned.uncertainty.diagnostics = diagnostics
    if not diagnostics.converged:
        edges = learned.uncertainty.edges
        capped = {k: getattr(edges, k).clip(max=NOT_CONVERGED) for k in ("adjacent", "directed", "undirected")}
        learned.uncertainty.edges = replace(edges, **capped)
    sample = f"; learned from {len(seen)} of {len(values)} records" if len(seen) < len(values) else ""
    learned.note = f"posterior over graphs, kinds of models and thresholds: {diagnostics}{sample}"
    learned.learn_seconds = time.process_time() - began - (learned.discretize_seconds or 0.0)
    return learned


def _sample(values: np.ndarray, most: int, seed: int) -> np.ndarray:
    """Return the records, or as many at random as there may be, in their order."""
    if len(values) <= most:
        return values
    drawn = np.sort(generator_for(seed, "posterior").choice(len(values), most, replace=False))
    return np.asfortranarray(values[drawn])


def _target(
    values: np.ndarray,
    discrete: np.ndarray,
    states: np.ndarray,
    thresholds: list[np.ndarray],
    arcs: Arcs | None,
    ess: float,
    max_levels: int,
    power: float,
    seed: int,
) -> tuple[ChainTarget, np.ndarray]:
    """Return what chains draw from, and a first graph, bool [n, n]: where partitions walk the best one of a search."""
    n = len(discrete)
    codes, sizes, start = encode(values, thresholds), cardinalities(thresholds), np.zeros((n, n), bool)
    candidates = np.array([[j for j in range(n) if j != i] for i in range(n)], np.int64).reshape(n, n - 1)
    required = 0 if arcs is None else int(arcs.required.sum(axis=0).max(initial=0))
    most, most_of_levels = n, max(MOST_OF_LEVELS, required)
    if n > MOST_EXACT:
        most = max(MOST_PARENTS, required)
        kept = {
            "lines": Kept(copula(values, states).corrected(), most),
            "polynomials": Kept(polynomial(values, states).corrected(), most),
            LEVELS: Kept(bdeu(codes, sizes, ess=ess), most_of_levels),
        }
        start = boss(BestKind(kept), max_parents=most, restarts=2, order="columns", arcs=arcs).dag
        candidates = _candidates(BestKind(kept), start, arcs)
    families, level_families = FamilyTables(candidates, most), LevelFamilyTables(candidates, most_of_levels)
    tables, levels = smooth(values, states, families, power), level_families.levels(codes, sizes, ess, power)
    edges = equal_frequency(values, discrete, bins=BINS)
    target = ChainTarget(
        families,
        level_families,
        tables,
        families.log_prior(arcs),
        {i: CutGrid.of(values[:, i], edges[i]) for i in np.flatnonzero(~discrete).tolist()},
        codes.astype(np.uint16, order="F"),
        sizes,
        without_levels(values, states, tables["lines"], levels) if tables else states & False,
        ess,
        max_levels,
        ~np.eye(n, dtype=bool),
        power,
    )
    pairs = _likely(target, levels, start, seed)
    tables |= by_records(values, states, families, pairs, power, seed)
    for name in ("lines", "polynomials"):
        if name in tables:
            tables[name][states, 1:] = -np.inf
    return replace(target, likely=pairs), start


def _likely(target: ChainTarget, levels: np.ndarray, start: np.ndarray, seed: int) -> np.ndarray:
    """Return the pairs, bool [n, n], that graphs join which are drawn by a power of their weights below 1."""
    tables = np.array([*target.kinds.values(), levels])
    weights = np.logaddexp.reduce(tables) / COOLED + target.prior
    drawn = GraphChain(target, {}, start, generator_for(seed, "posterior pairs")).graphs(weights, PILOT)
    return np.mean([skeleton(dag) for dag in drawn], axis=0) >= LIKELY


def _candidates(score: LocalScore, start: np.ndarray, arcs: Arcs | None) -> np.ndarray:
    """Return the candidate parents of each child, int64 [n, c], rising.

    Required ones come first, then neighbours in the first graph, then those that alone tell most of the child.
    """
    rows = []
    for child in range(score.n):
        required = np.zeros(score.n, bool) if arcs is None else arcs.required[:, child]
        keys = (-score.gains(child, ()), ~skeleton(start)[:, child], ~required, np.arange(score.n) == child)
        rows.append(np.sort(np.lexsort(keys)[:CANDIDATES]))
    return np.array(rows, np.int64)


def _chains(
    target: ChainTarget, thresholds: Sequence[np.ndarray], start: np.ndarray, arcs: Arcs | None, seed: int
) -> list[GraphChain]:
    """Return chains whose starts are apart: Steck's thresholds and the first graph, random ones and no arcs."""
    chains, required = [], np.zeros_like(start) if arcs is None else arcs.required
    for k in range(CHAINS):
        rng = generator_for(seed, "posterior", k)
        cuts = {i: _first_cuts(grid, thresholds[i], target.most, rng, k > 0) for i, grid in target.grids.items()}
        chains.append(GraphChain(target, cuts, required if k else start, rng))
    return chains


def _first_cuts(
    grid: CutGrid, thresholds: np.ndarray, most: int, rng: np.random.Generator, by_chance: bool
) -> np.ndarray:
    """Return places to begin with: those of thresholds if they are as many as there may be, or random ones."""
    cuts = grid.nearest(thresholds)
    if by_chance or not 1 <= len(cuts) < most:
        places = min(grid.bins - 1, int(rng.integers(1, most)) if by_chance else min(max(len(cuts), 1), most - 1))
        cuts = np.sort(rng.choice(np.arange(1, grid.bins), places, replace=False))
    return cuts


def _run(chain: GraphChain, sweeps: int) -> list[Draw]:
    """Sweep on, and return the draws without those of the first quarter."""
    for _ in range(sweeps):
        chain.sweep(GRAPHS)
    return chain.draws[len(chain.draws) // 4 :]


def _answer(
    values: np.ndarray,
    discrete: np.ndarray,
    initial: Sequence[np.ndarray],
    target: ChainTarget,
    draws: list[Draw],
    patterns: Patterns,
    arcs: Arcs | None,
    ess: float,
) -> Learned:
    """Return what the draws say: the nearest class, with thresholds and kinds for it, and how sure each part is."""
    edges = frequencies_of(dags := [draw.dag for draw in draws], patterns)
    dag, pattern = nearest(dags, edges, patterns, arcs)
    kinds = dict(zip(target.names, np.mean([draw.kinds for draw in draws], axis=0), strict=True))
    fixed = Search(dag, 0.0, 0, 0, 0)
    learned = steck(values, discrete, initial=initial, search=lambda *_: fixed, ess=ess, max_levels=target.most)
    assert learned.thresholds is not None
    thresholds = halved(learned.thresholds, values, dag)[0]
    intervals = [np.empty((0, len(QUANTILES))) for _ in thresholds]
    for i, grid in target.grids.items():
        of_levels = [max(draw.kinds[-1, [i, *np.flatnonzero(draw.dag[i])]]) for draw in draws]
        if np.mean(of_levels) > 0.5:
            thresholds[i], intervals[i] = _of_draws(grid, [draw.cuts[i] for draw in draws])
    names = np.array(target.names)[np.argmax([*kinds.values()], axis=0)]
    return Learned(
        cpdag=pattern,
        dag=dag,
        thresholds=thresholds,
        discretize_seconds=learned.discretize_seconds,
        iterations=len(draws),
        kinds=[FITTED[name] if of.any() else LEVELS for name, of in zip(names, dag.T, strict=True)],
        uncertainty=Uncertainty(edges, kinds=kinds, intervals=intervals, effects=effects_of(values, dags)),
    )


def _of_draws(grid: CutGrid, cuts: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Return the medians of thresholds and quantiles, float64 [k, 4], of the draws with the most frequent number."""
    count = int(np.bincount([len(each) for each in cuts]).argmax())
    values = grid.edges[np.array([each for each in cuts if len(each) == count]) - 1]
    return np.median(values, axis=0), np.quantile(values, QUANTILES, axis=0).T
