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
STEPS = 20  # of a walk for each variable, between two graphs


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
        ess: equivalent sample size; most: levels of a column that is cut.
    """

    families: FamilyTables
    level_families: LevelFamilyTables
    kinds: Mapping[str, np.ndarray]
    prior: np.ndarray
    grids: Mapping[int, CutGrid]
    codes: np.ndarray
    levels: np.ndarray
    ess: float
    most: int

    @property
    def names(self) -> list[str]:
        """Return the names of all kinds, levels last."""
        return [*self.kinds, LEVELS]

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
        levels = target.level_families.levels(self.codes, self.levels, target.ess)
        tables = np.array([*target.kinds.values(), levels])
        weights = np.logaddexp.reduce(tables + self.log_shares[:, None, None]) + target.prior
        for dag in self._graphs(weights, graphs):
            self.draws.append(self._state(dag, tables, weights))
        self.dag = self.draws[-1].dag
        self._draw_shares(self.draws[-1].kinds)
        self.tables = tables
        for i in self.rng.permutation(TIMES * [*self.cuts]).tolist():
            self._code(i, self._conditional(i).draw(self.cuts[i], self.rng))

    def _graphs(self, weights: np.ndarray, count: int) -> list[np.ndarray]:
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
            kernel.reverse(weights, candidates, dag, self.rng.random((n, 4)))
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

    def _conditional(self, i: int) -> Conditional:
        """Return the distribution of the thresholds of a variable; families with too many parents have no levels."""
        target, share = self.target, float(self.log_shares[-1])
        given = Conditional(target.grids[i], target.most, target.ess, self.codes, self.levels)
        masks = target.families.masks(self.dag)
        for child in [i, *np.flatnonzero(self.dag[i]).tolist()]:
            parents = [p for p in np.flatnonzero(self.dag[:, child]).tolist() if p != i]
            others = self.tables[:-1, child, masks[child]] + self.log_shares[:-1]
            weights = float(np.logaddexp.reduce(others, initial=-np.inf)), share
            if child != i and len(parents) < target.level_families.most:
                given.add_child(child, parents, *weights)
            elif child == i and 0 < len(parents) <= target.level_families.most:
                given.add_own(parents, *weights)
        return given


def layers_of(dag: np.ndarray) -> np.ndarray:
    """Return the length of the longest path to each variable of a graph, int64 [n]."""
    layers, step = np.zeros(len(dag), np.int64), dag.any(axis=0)
    while step.any():
        layers += step
        step = dag[step].any(axis=0)
    return layers
