"""Thresholds as random variables: draws of those of one variable, given the graph and all other thresholds.

A variable has from `FEWEST` levels to a given number; all numbers of levels, and all sets of places of a number, are as
probable. Within a level values have the distribution that they have alone. So the density of the values of a variable
without parents changes by P(codes) / P(level of each): BDeu's probability of its codes over the shares of their levels.
Given parents it changes by the score of its family too, as a mixture over kinds of models of which one is levels. All
places of one threshold are scored at once, in one pass over the records.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cutpoint.kernels import posterior as kernel
from cutpoint.kernels.subsets import joint_cells
from cutpoint.posteriors.families import cell_terms

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
    """The distribution of the thresholds of one variable given a graph and the codes of all others.

    columns: by variables, the cell of each record by rising bins, int64 [N], how many occur, the sum over them with all
    levels as one, and the prior of a cell. uses: the column, sign and family of each sum over cells, family 0 for the
    variable alone. families: what else the score by levels has, the log
    weight of all that does not depend on the thresholds, the log prior of levels; they are appended when their cells
    were added.

    Args:
        grid: of the variable; most: levels of it; ess: equivalent sample size.
        codes, levels: integer [N, n] and int64 [n], of all others.
        power: as what each record counts.
    """

    def __init__(self, grid: CutGrid, most: int, ess: float, codes: np.ndarray, levels: np.ndarray, power: float):
        self.grid, self.most, self.ess, self.power = grid, min(most, grid.bins), ess, power
        self.codes, self.levels = codes, levels
        self.columns: dict[tuple[int, ...], tuple[np.ndarray, int, float, float]] = {}
        self.uses: list[tuple[int, int, int]] = []
        self.families: list[tuple[float, float, float]] = []
        self._terms: dict[int, np.ndarray] = {}  # of the cells of each column by how many levels there are
        self._stacked: tuple[np.ndarray, ...] | None = None
        self._alone = self._add([], 1, -1)

    def _add(self, members: Sequence[int], sign: int, family: int) -> float:
        """Add a sum over the cells of some variables, if it has a sign; return it with all levels as one."""
        key = tuple(sorted(members))
        if key not in self.columns:
            prior = self.ess / math.prod(self.levels[[*key]].tolist())
            data, terms = (self.codes, self.levels), cell_terms(prior, self.power, len(self.codes))
            self.columns[key] = *joint_cells(*data, np.array(key, np.int64), self.grid.order, terms), prior
        if sign:
            self.uses.append((list(self.columns).index(key), sign, family + 1))
        return self.columns[key][2]

    def add_own(self, parents: Sequence[int]) -> float:
        """Add the cells of the family of the variable; return what else its score by levels has."""
        return self._add([], -1, len(self.families)) - self._add(parents, 1, len(self.families))

    def add_child(self, child: int, parents: Sequence[int]) -> tuple[float, float]:
        """Add the cells of the family of a child; parents: its others.

        Return what else its score by levels has, and what that is without the variable.
        """
        both, one = (self._add([*parents, *more], sign, len(self.families)) for more, sign in (([child], 1), ([], -1)))
        rest = self._alone - self._add([child], 0, 0)
        return rest, both - one + rest

    def scores(self, cuts: np.ndarray, more: int) -> np.ndarray:
        """Return the log probabilities of cuts and 1 more at each place, or of the cuts alone at 0 with more = 0.

        They are float64 [F + 1, M or 1]: of all, up to a constant, -inf at taken places; of levels in families.
        """
        bounds = np.array([0, *cuts, self.grid.bins])  # the bins where levels begin, and M
        levels, places = len(cuts) + 1 + more, self.grid.bins - 1
        if self._stacked is None:
            cells, sizes, *_ = zip(*self.columns.values(), strict=True)
            self._stacked = np.array(cells), np.array(sizes), np.array(self.uses)
        if levels not in self._terms:
            priors = [cell_terms(prior / levels, self.power, len(self.codes)) for *_, prior in self.columns.values()]
            self._terms[levels] = np.array(priors)
        families, at = np.array(self.families).reshape(-1, 3), (self.grid.starts, self.grid.shares, self.power, bounds)
        scores = kernel.cut_scores(*self._stacked, self._terms[levels], families, *at, self.grid.bins if more else 1)
        scores[0] -= math.lgamma(places + 1) - math.lgamma(levels) - math.lgamma(places - levels + 2)
        if more:
            scores[0, bounds[:-1]] = -np.inf
        return scores

    def draw(self, cuts: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Draw as many thresholds anew among all places, then let one be born or die; return rising places."""
        for _ in range(len(cuts)):
            others = np.delete(cuts, rng.integers(len(cuts)))  # the first, second ... in turns would have no way back
            cuts = _with_one(others, self.scores(others, 1)[0], rng)
        born, luck = len(cuts) == 0 or rng.random() < 0.5, math.log(rng.random())
        fewer = cuts if born else np.delete(cuts, rng.integers(len(cuts)))
        if not FEWEST - 1 <= len(fewer) <= self.most - 2:
            return cuts
        scores = self.scores(fewer, 1)[0]
        ratio = np.logaddexp.reduce(scores) - math.log(len(fewer) + 1) - self.scores(fewer, 0)[0, 0]
        if born:
            return _with_one(cuts, scores, rng) if luck < ratio else cuts
        return fewer if luck < -ratio else cuts


def _with_one(cuts: np.ndarray, scores: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return cuts and one more, drawn by log probabilities of its place."""
    weights = np.exp(scores - scores.max()).cumsum()
    return np.sort(np.append(cuts, np.searchsorted(weights, rng.random() * weights[-1], "right")))
