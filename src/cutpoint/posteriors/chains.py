"""A Markov chain over graphs, kinds of models, their shares, and thresholds: all are drawn in turns.

Given thresholds and shares, graphs are drawn from the mixture of kinds, over which each family is summed, layer by
layer. Given the graph and the shares, thresholds are drawn one by one, see `cutpoint.posteriors.thresholds`.
Shares of kinds are as probable a priori, whatever they are.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from cutpoint.graphs.dags import skeleton, with_ancestors
from cutpoint.kernels import posterior as kernel
from cutpoint.posteriors.families import FamilyTables, cell_terms
from cutpoint.posteriors.thresholds import CutGrid

LEVELS = "levels"
WHOLE = 12  # variables, at most, of graphs that are drawn at once
NEGLIGIBLE = 25.0  # log weight by which a family may be worse than one with fewer of its parents
STEPS = 8  # of the thresholds of a variable, between two draws of which families have it
BLOCK, TURNS = 7, 2  # variables whose families are drawn at once in larger graphs; how often each between two graphs
MOST_RHAT, MOST_SPREAD, LEAST_EFFECTIVE = 1.05, 0.1, 200  # of chains that agree


@dataclass(frozen=True)
class ChainTarget:
    """What all chains have in common.

    Attributes:
        families: those that a graph may have.
        kinds: their tables for the kinds without thresholds, by name.
        prior: log prior of families, -inf where knowledge rules one out.
        grids: of the columns that are cut.
        codes: uint16 [N, n], of discrete columns; levels: int64 [n], of those too.
        without: bool [n], the children that have no families of levels.
        ess: equivalent sample size; most: levels of a column that is cut; power: as what each record counts.
        likely: bool [n, n], pairs whose arcs are drawn with thresholds too.
    """

    families: FamilyTables
    kinds: Mapping[str, np.ndarray]
    prior: np.ndarray
    grids: Mapping[int, CutGrid]
    codes: np.ndarray
    levels: np.ndarray
    without: np.ndarray
    ess: float
    most: int
    power: float
    likely: np.ndarray

    def tables(self, codes: np.ndarray, levels: np.ndarray) -> np.ndarray:
        """Return the tables of all kinds, float64 [k, n, 2^c], by the codes of all variables."""
        of_levels = self.families.levels(codes, levels, self.ess, self.power)
        of_levels[self.without, 1:] = -np.inf
        return np.array([*self.kinds.values(), of_levels])


@dataclass(frozen=True)
class Draw:
    """One state of a chain.

    kinds: float64 [k, n], how probable each is for each family with parents, else 0; log_score: of the graph, given the
    thresholds and shares of kinds.
    """

    dag: np.ndarray
    kinds: np.ndarray
    cuts: dict[int, np.ndarray]
    log_score: float


@dataclass
class GraphChain:
    """A chain that begins with a graph, bool [n, n], and random thresholds.

    A round is so many `sweeps`; each draws so many `graphs`, and goes so many `steps` with each column's thresholds.
    """

    target: ChainTarget
    dag: np.ndarray
    rng: np.random.Generator
    sweeps: int
    graphs: int
    steps: int
    cuts: dict[int, np.ndarray] = field(default_factory=dict)
    draws: list[Draw] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.codes, self.levels = self.target.codes.copy(order="F"), self.target.levels.copy()
        for i, grid in self.target.grids.items():
            count = min(int(self.rng.integers(1, self.target.most)), grid.bins - 1)
            self._code(i, np.sort(self.rng.choice(np.arange(1, grid.bins), count, replace=False)))
        self.tables, kinds = self.target.tables(self.codes, self.levels), len(self.target.kinds) + 1
        self._weigh(np.full(kinds, -np.log(kinds)))

    @property
    def rounds(self) -> int:
        """Return how many rounds have been made."""
        return len(self.draws) // (self.sweeps * self.graphs)

    def go_on(self, rounds: int) -> None:
        """Sweep until so many rounds have been made."""
        while self.rounds < rounds:
            self.sweep()

    def sweep(self) -> None:
        """Draw graphs given thresholds, and then kinds, shares and thresholds given the last of them."""
        self.tables = self.target.tables(self.codes, self.levels)
        weights = np.logaddexp(self.with_levels[0], self.with_levels[1] + self.tables[-1])
        dags = np.array(draw_graphs(weights, self.target.families.candidates, self.dag, self.graphs, self.rng))
        masks, children, cuts = self.target.families.masks(dags), np.arange(len(self.dag)), dict(self.cuts)
        of_kinds = self.tables[:, children, masks] + self.log_shares[:, None, None]
        total = np.logaddexp.reduce(of_kinds).clip(-1e300)  # -inf in a family of a start that no kind has
        kinds, scores = np.exp(of_kinds - total) * (masks > 0), weights[children, masks].sum(axis=1).tolist()
        self.draws += map(Draw, dags, kinds.transpose(1, 0, 2), [cuts] * self.graphs, scores)
        self.dag = dags[-1].copy()
        self._draw_shares(self.draws[-1].kinds)
        for i in self.rng.permutation([*self.cuts]).tolist():
            self._draw_cuts(i)

    def _draw_shares(self, kinds: np.ndarray) -> None:
        """Draw the kind of each family with parents, and then the shares of kinds."""
        drawn = (kinds.cumsum(axis=0) < self.rng.random(kinds.shape[1])).sum(axis=0)[kinds.any(axis=0)]
        counts = np.bincount(drawn.clip(max=len(kinds) - 1), minlength=len(kinds))
        self._weigh(np.log(np.maximum(self.rng.dirichlet(1.0 + counts), 1e-300)))

    def _weigh(self, log_shares: np.ndarray) -> None:
        """Take shares of kinds, with the log weights of all others in families, and of levels before what they tell."""
        self.log_shares = log_shares
        others = np.logaddexp.reduce(self.tables[:-1] + log_shares[:-1, None, None], initial=-np.inf)
        of_levels = np.where(self.tables[-1] > -np.inf, log_shares[-1], -np.inf)
        self.with_levels = np.array([others, of_levels]) + self.target.prior

    def _code(self, i: int, cuts: np.ndarray) -> None:
        self.cuts[i] = cuts
        self.codes[:, i], self.levels[i] = self.target.grids[i].codes(cuts), len(cuts) + 1

    def _draw_cuts(self, i: int) -> None:
        """Draw the thresholds of a variable and the arcs out of it together, given the rest of the graph.

        Thresholds alone would forget what an arc needs as soon as the graph is without it, and the arc could not come
        back.
        """
        target, every = self.target, np.arange(len(self.dag))
        masks, bits, own = target.families.masks(self.dag), target.families.bits[i], every == i
        is_open = target.likely[i] & ~with_ancestors(self.dag, [i]) & (bits > 0)
        joined, less = self.with_levels[:, every, masks | bits], self.with_levels[:, every, masks & ~bits]
        chosen = (self.dag[i] | is_open | own & (masks > 0)) & (joined[1] > -np.inf)
        itself, parents = np.where(own, 0, 1 << every), self.dag.T @ np.where(own, 0, 1 << every)
        sets = np.array([parents | itself, np.where(own, 0, parents), np.where(own, parents, itself)])
        weights = np.concatenate([joined, np.where(is_open, less, -np.inf)])[:, chosen].T
        every_set, columns = np.unique(np.append(0, sets[:, chosen]), return_inverse=True)
        cells = np.where(every_set[:, None] >> every & 1, self.levels, 1.0).prod(axis=1)
        terms, grid = cell_terms(target.power, len(self.codes)), target.grids[i]
        rows = terms.rows(target.ess / np.outer(cells, np.arange(min(target.most, grid.bins) + 1).clip(1)))
        families = every_set, columns[1:].reshape(3, -1), terms.table, rows, weights
        place = grid.order, grid.starts, grid.shares, self.cuts[i]
        uniform = self.rng.random((self.steps + len(weights), 3))
        cuts, held = kernel.draw_cuts(self.codes, self.levels, *families, *place, target.power, uniform)
        self._code(i, cuts)
        self.dag[i, chosen] = held & ~own[chosen]


def draw_graphs(
    weights: np.ndarray, candidates: np.ndarray, dag: np.ndarray, count: int, rng: np.random.Generator
) -> list[np.ndarray]:
    """Draw graphs, bool [n, n], by the log weights of families, float64 [n, 2^c], on a walk from a graph."""
    n, best = len(weights), weights.copy()
    for width in 1 << np.arange(candidates.shape[1]):  # the best of all subsets of each mask
        pairs = best.reshape(n, -1, 2, width)
        np.maximum(pairs[:, :, 0], pairs[:, :, 1], out=pairs[:, :, 1])
    weights = np.where(weights < best - NEGLIGIBLE, -np.inf, weights)
    if n <= WHOLE:
        return [*kernel.draw_families(weights, candidates, dag, np.arange(n)[None], rng.random((1, count, 2 * n)))]
    dags, size, steps = [], BLOCK, math.ceil(TURNS * n / BLOCK)
    for _ in range(count):
        first = rng.integers(0, n, (steps, 1))
        blocks = np.hstack([first, rng.permuted(candidates[first[:, 0]], axis=1)[:, : size - 1]])
        dag = kernel.draw_families(weights, candidates, dag, blocks, rng.random((steps, 1, 2 * size)))[0]
        dags.append(dag)
    return dags


class Diagnostics(NamedTuple):
    """What is said of chains.

    rhat: split R-hat of the log score (Gelman et al. 2013, "Bayesian data analysis", 11.4); spread: the largest
    difference between chains of the probability of an edge; effective: independent draws of the log score that tell as
    much, by Geyer's initial positive pairs of autocorrelations; draws: of all chains.
    """

    rhat: float
    spread: float
    effective: float
    draws: int

    @classmethod
    def of(cls, scores: np.ndarray, edges: np.ndarray) -> "Diagnostics":
        """Return them from log scores, float64 [chains, draws], and probabilities of edges, float64 [chains, n, n]."""
        halves = scores[:, : scores.shape[1] // 4 * 4].reshape(2 * len(scores), -1).round(6)  # rounding is no variance
        draws, spread = halves.shape[1], float(np.ptp(edges, axis=0).max(initial=0.0))
        within = halves.var(axis=1, ddof=1).mean()
        if (total := (draws - 1) / draws * within + halves.mean(axis=1).var(ddof=1)) == 0:
            return cls(1.0, spread, scores.size, scores.size)
        padded = np.fft.rfft(halves - halves.mean(axis=1, keepdims=True), 2 * draws)
        covariance = np.fft.irfft(np.abs(padded) ** 2)[:, :draws].mean(axis=0) / draws
        pairs = (1 - (within - covariance) / total).reshape(-1, 2).sum(axis=1)
        pairs = pairs[: np.argmax(np.append(pairs, -1.0) < 0)]
        effective = float(halves.size / max(2 * pairs.sum() - 1, 1.0))
        return cls(float(np.sqrt(total / within)) if within else np.inf, spread, effective, scores.size)

    @property
    def converged(self) -> bool:
        """Return whether all are within their limits."""
        return self.rhat <= MOST_RHAT and self.spread <= MOST_SPREAD and self.effective >= LEAST_EFFECTIVE

    def __str__(self) -> str:
        state = "" if self.converged else "not converged: "
        return (
            f"{state}R-hat {self.rhat:.3f}, chains differ by at most {self.spread:.2f} on an edge, "
            f"{self.effective:.0f} effective of {self.draws} draws"
        )


def agreement(
    chains: Sequence[GraphChain], rounds: int, goes_on: Callable[[], bool] = lambda: True
) -> tuple[list[list[Draw]], Diagnostics]:
    """Return what is kept of chains after the first of so many rounds in which they agree, and what is said of them.

    Rounds that are lacking are made, unless it shall not go on; else the last one counts.
    """
    for made in range(1, rounds + 1):
        for chain in chains:
            chain.go_on(made)
        count = made * chains[0].sweeps * chains[0].graphs
        kept = [chain.draws[count // 4 : count] for chain in chains]  # without a quarter at the beginning
        shares = [skeleton(np.array([draw.dag for draw in draws])).mean(axis=0) for draws in kept]
        diagnostics = Diagnostics.of(np.array([[d.log_score for d in draws] for draws in kept]), np.array(shares))
        if diagnostics.converged or not goes_on():
            break
    return kept, diagnostics


TAKE_UP = ContextVar("TAKE_UP", default=lambda make, rounds: make())  # jobs of a workflow take up chains of others
