"""A Markov chain over graphs, kinds of models, their shares, and thresholds: all are drawn in turns.

Given thresholds and shares, graphs are drawn from the mixture of kinds, over which each family is summed: exactly for
few variables, else by a walk over partitions. Given the graph and the shares, thresholds are drawn one by one, see
`cutpoint.posteriors.thresholds`. Shares of kinds are as probable a priori, whatever they are.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from cutpoint.kernels import posterior as kernel
from cutpoint.posteriors.families import FamilyTables, LevelFamilyTables
from cutpoint.posteriors.thresholds import Conditional, CutGrid

LEVELS = "levels"
MOST_EXACT = 12  # variables; with more, partitions walk
TIMES = 2  # the thresholds of each variable are drawn in a sweep
STEPS = 4  # of a walk for each variable, between two graphs


@dataclass(frozen=True)
class ChainTarget:
    """What all chains have in common.

    Attributes:
        families: those of kinds without thresholds.
        level_families: those of levels.
        kinds: the tables of the other kinds by name, of `families`.
        prior: log prior of families, -inf where knowledge rules one out.
        grids: of the columns that are cut.
        codes: uint16 [N, n], of discrete columns; levels: int64 [n], of those too.
        without: bool [n], the children that have no families of levels.
        ess: equivalent sample size; most: levels of a column that is cut.
        likely: bool [n, n], pairs whose arcs are drawn with thresholds too.
        power: as what each record counts.
    """

    families: FamilyTables
    level_families: LevelFamilyTables
    kinds: Mapping[str, np.ndarray]
    prior: np.ndarray
    grids: Mapping[int, CutGrid]
    codes: np.ndarray
    levels: np.ndarray
    without: np.ndarray
    ess: float
    most: int
    likely: np.ndarray
    power: float

    @property
    def names(self) -> list[str]:
        """Return the names of all kinds, levels last."""
        return [*self.kinds, LEVELS]

    def has_levels(self, child: int, parents: int) -> bool:
        """Return whether a family of so many parents may have levels."""
        return parents <= self.level_families.most and not self.without[child]

    @property
    def is_exact(self) -> bool:
        """Return whether graphs are drawn exactly."""
        return self.families.n <= MOST_EXACT


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
    """A chain that begins with some thresholds, and a graph for the walk, bool [n, n], where there is one."""

    target: ChainTarget
    cuts: dict[int, np.ndarray]
    dag: np.ndarray
    rng: np.random.Generator
    draws: list[Draw] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.codes, self.levels = self.target.codes.copy(order="F"), self.target.levels.copy()
        for i, cuts in self.cuts.items():
            self._code(i, cuts)
        self.log_shares = np.full(len(self.target.names), -np.log(len(self.target.names)))

    def sweep(self, graphs: int) -> None:
        """Draw graphs given thresholds, and then kinds, shares and thresholds given the last of them."""
        target = self.target
        levels = target.level_families.levels(self.codes, self.levels, target.ess, target.power)
        levels[target.without, 1:] = -np.inf
        tables = np.array([*target.kinds.values(), levels])
        weights = np.logaddexp.reduce(tables + self.log_shares[:, None, None]) + target.prior
        for dag in self.graphs(weights, graphs):
            self.draws.append(self._state(dag, tables, weights))
        self.dag = self.draws[-1].dag.copy()
        self._draw_shares(self.draws[-1].kinds)
        self.tables = tables
        for i in self.rng.permutation(TIMES * [*self.cuts]).tolist():
            self._draw_cuts(i)

    def graphs(self, weights: np.ndarray, count: int) -> list[np.ndarray]:
        """Draw graphs by the log weights of families, float64 [n, 2^c]."""
        candidates, n = self.target.families.candidates, len(weights)
        sums = kernel.subset_sums(weights)
        if self.target.is_exact:
            partitions = kernel.draw_layers(sums, self.rng.random((count, n)))
            return [kernel.draw_parents(weights, candidates, one, self.rng.random(n)) for one in partitions]
        dags, dag = [], self.dag
        for _ in range(count):
            layers, steps = layers_of(dag), self.rng.integers(0, n, STEPS * n)
            kernel.walk(sums, candidates, layers, steps, self.rng.random(len(steps)))
            dag = kernel.draw_parents(weights, candidates, layers, self.rng.random(n))
            dags.append(dag)
        return dags

    def _state(self, dag: np.ndarray, tables: np.ndarray, weights: np.ndarray) -> Draw:
        masks, children = self.target.families.masks(dag), np.arange(len(dag))
        of_kinds = tables[:, children, masks] + self.log_shares[:, None]
        kinds = np.exp(of_kinds - np.logaddexp.reduce(of_kinds)) * (masks > 0)
        return Draw(dag, kinds, dict(self.cuts), float(weights[children, masks].sum()))

    def _draw_shares(self, kinds: np.ndarray) -> None:
        """Draw the kind of each family with parents, and then the shares of kinds."""
        drawn = (kinds.cumsum(axis=0) < self.rng.random(kinds.shape[1])).sum(axis=0)[kinds.any(axis=0)]
        counts = np.bincount(drawn.clip(max=len(kinds) - 1), minlength=len(kinds))
        self.log_shares = np.log(np.maximum(self.rng.dirichlet(1.0 + counts), 1e-300))

    def _code(self, i: int, cuts: np.ndarray) -> None:
        self.cuts[i] = cuts
        self.codes[:, i], self.levels[i] = self.target.grids[i].codes(cuts), len(cuts) + 1

    def _draw_cuts(self, i: int) -> None:
        """Draw the thresholds of a variable and the arcs out of it together, given the rest of the graph.

        Thresholds alone would forget what an arc needs as soon as the graph is without it, and the arc could not come
        back. Families with too many parents have no levels.
        """
        target, share, above = self.target, float(self.log_shares[-1]), ancestors(self.dag, i)
        given = Conditional(target.grids[i], target.most, target.ess, self.codes, self.levels, target.power)
        masks, opened = target.families.masks(self.dag), []
        parents = np.flatnonzero(self.dag[:, i]).tolist()
        if target.has_levels(i, len(parents)) and parents:
            given.add_own(parents, self._others(i, masks[i]), share)
        children = target.likely[i] & ~above & (target.families.bits[i] > 0)
        for child in np.flatnonzero(self.dag[i] & ~children).tolist():
            parents = [p for p in np.flatnonzero(self.dag[:, child]).tolist() if p != i]
            if target.has_levels(child, len(parents) + 1):
                given.add_child(child, parents, self._others(child, masks[child]), share)
        first = len(given.families)
        for child in np.flatnonzero(children).tolist():
            parents = [p for p in np.flatnonzero(self.dag[:, child]).tolist() if p != i]
            without = masks[child] & ~target.families.bits[i, child]
            prior = target.prior[child, joined := without | target.families.bits[i, child]]
            if target.has_levels(child, len(parents) + 1) and prior > -np.inf:
                other = self._others(child, joined) + prior
                levels = share + given.levels_of(child, parents)
                rest = np.logaddexp(self._others(child, without), levels) + target.prior[child, without]
                given.add_child(child, parents, np.logaddexp(other, rest), share + prior)
                opened.append((child, other, rest))
        self._code(i, given.draw(self.cuts[i], self.rng))
        of_levels = given.scores(self.cuts[i], 0)[first + 1 :, 0]
        for (child, other, rest), levels, luck in zip(opened, of_levels, self.rng.random(len(opened)), strict=True):
            self.dag[i, child] = luck < 1 / (1 + np.exp(min(rest - np.logaddexp(other, levels), 700.0)))

    def _others(self, child: int, mask: int) -> float:
        """Return the log weight of the kinds other than levels in a family."""
        others = self.tables[:-1, child, mask] + self.log_shares[:-1]
        return float(np.logaddexp.reduce(others, initial=-np.inf))


def ancestors(dag: np.ndarray, i: int) -> np.ndarray:
    """Return a variable of a graph and all above it, bool [n]."""
    above, more = np.zeros(len(dag), bool), np.arange(len(dag)) == i
    while more.any():
        above |= more
        more = dag[:, more].any(axis=1) & ~above
    return above


def layers_of(dag: np.ndarray) -> np.ndarray:
    """Return the length of the longest path to each variable of a graph, int64 [n]."""
    layers, step = np.zeros(len(dag), np.int64), dag.any(axis=0)
    while step.any():
        layers += step
        step = dag[step].any(axis=0)
    return layers
