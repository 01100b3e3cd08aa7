"""Thresholds as random variables: draws of those of one variable, given the graph and all other thresholds.

A variable has from `FEWEST` levels to a given number; all numbers of levels, and all sets of places of a number, are as
probable. Within a level values have the distribution that they have alone. So the density of the values of a variable
without parents changes by P(codes) / P(level of each): BDeu's probability of its codes over the shares of their levels.
Given parents it changes by the score of its family too, as a mixture over kinds of models of which one is levels. All
places of one threshold are scored in one pass over the records.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import gammaln

from cutpoint.discretization.objectives import configurations
from cutpoint.kernels import posterior as kernel

FEWEST = 2  # levels; a variable with one could have no neighbours


@dataclass(frozen=True)
class CutGrid:
    """The places where a column may be cut, 1 to M - 1, between its M bins.

    Attributes:
        edges: float64 [M - 1], the thresholds, rising.
        order: int64 [N], the records by rising values.
        starts: int64 [M + 1], the place in that order where each bin begins; the last is N.
        shares: float64 [M + 1], the share of the distribution of the values that lies below.
    """

    edges: np.ndarray
    order: np.ndarray
    starts: np.ndarray
    shares: np.ndarray

    @classmethod
    def of(cls, column: np.ndarray, edges: np.ndarray, shares: np.ndarray | None = None) -> "CutGrid":
        """Return the grid of a column, float64 [N]; with no shares the distribution is that of the records."""
        order = np.argsort(column, kind="stable")
        starts = np.concatenate([[0], np.searchsorted(column[order], edges), [len(column)]])
        return cls(edges, order, starts, starts / len(column) if shares is None else shares)

    @property
    def bins(self) -> int:
        """Return M."""
        return len(self.starts) - 1

    def codes(self, cuts: np.ndarray) -> np.ndarray:
        """Return the levels of the records by cuts, rising places, uint16 [N]."""
        codes = np.empty(len(self.order), np.uint16)
        codes[self.order] = np.repeat(np.arange(len(cuts) + 1), np.diff(self.starts[self.bounds(cuts)]))
        return codes

    def nearest(self, thresholds: np.ndarray) -> np.ndarray:
        """Return the places that are nearest to thresholds, int64, rising and distinct."""
        middles = (self.edges[1:] + self.edges[:-1]) / 2
        return np.unique(np.searchsorted(middles, thresholds) + 1) if len(self.edges) else np.empty(0, np.int64)

    def bounds(self, cuts: np.ndarray) -> np.ndarray:
        """Return the bins where levels begin, and M, int64."""
        return np.concatenate([[0], cuts, [self.bins]]).astype(np.int64)


class Conditional:
    """The distribution of the thresholds of one variable given a graph and the codes of all others.

    Rows of `columns`, `cells` and `families` are those of `cutpoint.kernels.posterior.split_scores`.

    Args:
        grid: of the variable; most: levels of it; ess: equivalent sample size.
        codes, levels: integer [N, n] and int64 [n], of all others.
        power: as what each record counts.
    """

    def __init__(self, grid: CutGrid, most: int, ess: float, codes: np.ndarray, levels: np.ndarray, power: float):
        self.power = power
        self.grid, self.most, self.ess, self.all_codes, self.levels = grid, min(most, grid.bins), ess, codes, levels
        self.columns: list[tuple[float, ...]] = []
        self.cells: list[np.ndarray] = []
        self.families: list[tuple[float, ...]] = []
        self._alone = self._add([], 1, -1)

    def _add(self, members: Sequence[int], sign: int, family: int) -> float:
        """Add a sum over the cells of some variables; return it with all levels as one."""
        joint, size = configurations(self.all_codes, self.levels, members, len(self.all_codes))
        prior = self.ess / math.prod(self.levels[[*members]].tolist())
        if sign:
            self.columns.append((size, prior, sign, family + 1))
            self.cells.append(joint[self.grid.order])
        counts = np.bincount(joint)
        counts = counts[counts > 0]
        return float((gammaln(prior + self.power * counts) - gammaln(prior)).sum())

    def add_own(self, parents: Sequence[int], others: float, share: float) -> None:
        """Add the family of the variable; others: log weight of other kinds; share: log prior of levels."""
        rest = self._alone - self._add(parents, 1, len(self.families))
        self.families.append((rest, 1.0, others, share))

    def add_child(self, child: int, parents: Sequence[int], others: float, share: float) -> None:
        """Add the family of a child; parents: its others."""
        self._add([*parents, child], 1, len(self.families))
        self._add(parents, -1, len(self.families))
        self.families.append((self._alone - self._add([child], 0, 0), 0.0, others, share))

    def levels_of(self, child: int, parents: Sequence[int]) -> float:
        """Return what parents, without the variable, add to the score of a child by levels."""
        both, one, other = (self._add(of, 0, 0) for of in ([*parents, child], parents, [child]))
        return both - one - other + self._alone

    def scores(self, cuts: np.ndarray, more: int) -> np.ndarray:
        """Return the log probabilities of cuts and 1 more at each place, or of the cuts alone at 0 with more = 0.

        They are float64 [F + 1, M + 1]: of all, up to a constant, -inf at places that are taken; of levels in families.
        """
        bounds, levels, places = self.grid.bounds(cuts), len(cuts) + 1 + more, self.grid.bins - 1
        columns, families = np.array(self.columns), np.array(self.families).reshape(-1, 4)
        about = self.grid.starts, self.grid.shares, bounds, levels
        scores = kernel.split_scores(*about, columns, np.array(self.cells), families, self.power)
        scores[0] -= math.lgamma(places + 1) - math.lgamma(levels) - math.lgamma(places - levels + 2)
        if more:
            scores[0, bounds] = -np.inf
        return scores

    def with_one(self, cuts: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Return cuts and one more, drawn by the log probabilities of its place."""
        return _with_one(cuts, self.scores(cuts, 1)[0], rng)

    def draw(self, cuts: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Draw as many thresholds anew among all places, then let one be born or die; return rising places."""
        for _ in range(len(cuts)):
            others = np.delete(cuts, rng.integers(len(cuts)))  # the first, second ... in turns would have no way back
            cuts = self.with_one(others, rng)
        birth, luck = rng.random(2)
        if birth < 0.5:
            if len(cuts) + 2 <= self.most:
                scores = self.scores(cuts, 1)[0]
                if math.log(luck) < np.logaddexp.reduce(scores) - math.log(len(cuts) + 1) - self.scores(cuts, 0)[0, 0]:
                    cuts = _with_one(cuts, scores, rng)
        elif len(cuts) + 1 > FEWEST:
            others = np.delete(cuts, rng.integers(len(cuts)))
            back = np.logaddexp.reduce(self.scores(others, 1)[0]) - math.log(len(cuts))
            if math.log(luck) < self.scores(others, 0)[0, 0] - back:
                cuts = others
        return cuts


def _with_one(cuts: np.ndarray, scores: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return cuts and one more, drawn by log probabilities of its place."""
    weights = np.exp(scores - scores.max()).cumsum()
    return np.sort(np.append(cuts, np.searchsorted(weights, rng.random() * weights[-1], "right")))
