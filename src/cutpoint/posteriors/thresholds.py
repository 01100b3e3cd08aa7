"""Thresholds as random variables: draws of those of one variable, given the graph and all other thresholds.

A variable has from `FEWEST` levels to a given number; all numbers of levels, and all sets of places of a number, are as
probable. Within a level values have the distribution that they have alone. So the density of the values of a variable
without parents changes by P(codes) / P(level of each): BDeu's probability of its codes over the shares of their levels.
Given parents it changes by the score of its family too, as a mixture over kinds of models of which one is levels. All
places of one threshold are scored at once, in one pass over the records.
"""

from dataclasses import dataclass

import numpy as np

from cutpoint.kernels import posterior as kernel
from cutpoint.posteriors.families import cell_terms

STEPS = 8  # between two draws of which families have the variable
FEWEST = 2  # levels; a variable with one could have no neighbours


@dataclass(frozen=True)
class CutGrid:
    """The places where a column may be cut, 1 to M - 1, between its M bins.

    Attributes:
        edges: float64 [M - 1], the thresholds, rising.
        bin_of: int64 [N], the bin of each record; order: int64 [N], the records by rising bins.
        starts: int64 [M + 1], the records below each bin; the last is N.
        shares: float64 [M + 1], the share of the distribution of the values that lies below.
    """

    edges: np.ndarray
    bin_of: np.ndarray
    order: np.ndarray
    starts: np.ndarray
    shares: np.ndarray

    @classmethod
    def of(cls, column: np.ndarray, edges: np.ndarray, shares: np.ndarray | None = None) -> "CutGrid":
        """Return the grid of a column, float64 [N]; with no shares the distribution is that of the records."""
        bin_of = np.searchsorted(edges, column, "right")
        starts = np.append(0, np.bincount(bin_of, minlength=len(edges) + 1).cumsum())
        shares = starts / len(column) if shares is None else shares
        return cls(edges, bin_of, np.argsort(bin_of, kind="stable"), starts, shares)

    @property
    def bins(self) -> int:
        """Return M."""
        return len(self.starts) - 1

    def codes(self, cuts: np.ndarray) -> np.ndarray:
        """Return the levels of the records by cuts, rising places, uint16 [N]."""
        return np.searchsorted(cuts, self.bin_of, "right").astype(np.uint16)


class Conditional:
    """The distribution of the thresholds of one variable given the codes of all others and the families of a graph.

    Sets of variables are given as bits. columns: by set, the column of its cells; the first is the variable alone.
    uses: the column, sign and family of each sum over cells, family 0 for the variable alone. alone: the column of each
    child alone, -1 in the family of the variable. weights: by family, the log weights of its kinds other than levels
    and of levels, with and without the variable.

    Args:
        grid: of the variable; most: levels of it; ess: equivalent sample size.
        codes, levels: uint16 [N, n] and int64 [n], of all variables.
        power: as what each record counts.
    """

    def __init__(self, grid: CutGrid, most: int, ess: float, codes: np.ndarray, levels: np.ndarray, power: float):
        self.grid, self.most, self.ess, self.power = grid, min(most, grid.bins), ess, power
        self.codes, self.levels = codes, levels
        self.columns: dict[int, int] = {0: 0}
        self.uses, self.alone = [(0, 1, 0)], list[int]()
        self.weights: list[tuple[float, ...]] = []

    def add_own(self, parents: int, weights: tuple[float, ...]) -> None:
        """Add the family of the variable."""
        self._use(0, -1)
        self._use(parents, 1)
        self._add(-1, weights)

    def add_child(self, child: int, parents: int, weights: tuple[float, ...]) -> None:
        """Add the family of a child; parents: its others."""
        self._use(parents | child, 1)
        self._use(parents, -1)
        self._add(self.columns.setdefault(child, len(self.columns)), weights)

    def _use(self, members: int, sign: int) -> None:
        column = self.columns.setdefault(members, len(self.columns))
        self.uses.append((column, sign, len(self.alone) + 1))

    def _add(self, alone: int, weights: tuple[float, ...]) -> None:
        self.alone.append(alone)
        self.weights.append(weights)

    def scores(self, cuts: np.ndarray, more: int) -> np.ndarray:
        """Return the log probabilities of cuts and 1 more at each place, or of the cuts alone at 0 with more = 0.

        They are float64 [F + 1, M or 1]: of all, up to a constant, -inf at taken places; of levels in families.
        """
        return kernel.cut_scores(*self._given(), cuts, more)

    def draw(self, cuts: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Draw rising places anew, in steps, and which families have the variable, bool [F]."""
        return kernel.draw_cuts(*self._given(), cuts, rng.random((STEPS + len(self.alone), 3)))

    def _given(self) -> tuple[np.ndarray | float, ...]:
        """Return what kernels take beside cuts."""
        sets, terms = np.array([*self.columns]), cell_terms(self.power, len(self.codes))
        members = sets[:, None] >> np.arange(len(self.levels)) & 1 > 0
        priors = self.ess / np.where(members, self.levels, 1.0).prod(axis=1)
        rows = np.array([terms.rows(prior, self.most) for prior in priors.tolist()])
        data = self.codes, self.levels, self.grid.order
        families = np.array(self.uses), np.array(self.alone, np.int64), terms.table, rows
        weights = np.array(self.weights).reshape(-1, 4)
        return *data, sets, *families, weights, self.grid.starts, self.grid.shares, self.power
