"""Tables of the families that a posterior is over: the log score of each child with each set of its candidates.

Scores of all kinds of models are log densities, less that of the child alone: they compare what the parents tell of it.
"""

from functools import lru_cache
from math import comb, log

import numpy as np
from scipy.special import gammaln

from cutpoint.kernels import subsets
from cutpoint.knowledge.arcs import Arcs
from cutpoint.learners.best_kind import Kept


class FamilyTables:
    """Sets of candidate parents of each child.

    A set is a mask whose bit j stands for candidates[i, j], int64 [n, c], each row rising. Tables are float64 [n, 2^c],
    -inf for families that have no score. most: parents of a family; most_of_levels: of one whose codes are counted.
    """

    def __init__(self, candidates: np.ndarray, most: int, most_of_levels: int):
        (self.n, self.c), self.candidates = candidates.shape, candidates
        self.most, self.most_of_levels = min(most, self.c), min(most, most_of_levels, self.c)
        self.members = (np.arange(1 << self.c)[:, None] >> np.arange(self.c) & 1).astype(bool)
        self.sizes = self.members.sum(axis=1)
        self.bits = np.zeros((self.n, self.n), np.int64)  # [parent, child], 0 for one that is no candidate
        self.bits[candidates, np.arange(self.n)[:, None]] = 1 << np.arange(self.c)
        self.few = self.sizes <= self.most_of_levels
        parents = (1 << candidates) @ self.members[self.few].T
        sets, self._rows = np.unique([parents, parents | 1 << np.arange(self.n)[:, None]], return_inverse=True)
        held = (sets[:, None] >> np.arange(self.n)[::-1] & 1).astype(bool)  # the highest first, as `subsets` has them
        of_size = [np.flatnonzero(held.sum(axis=1) == size) for size in range(self.most_of_levels + 2)]
        self._sets = [(k, (self.n - 1 - np.nonzero(held[k])[1]).reshape(len(k), -1).astype(np.int16)) for k in of_size]

    def table(self, score: Kept, pairs: np.ndarray | None = None) -> np.ndarray:
        """Return the scores of families whose arcs are all among pairs, bool [n, n]."""
        table = np.full((self.n, 1 << self.c), -np.inf)
        scored = self.sizes <= np.minimum(score.max_parents, self.most)[:, None]
        if pairs is not None:
            scored &= ~self._hold_any(~pairs)
        for child, mask in np.argwhere(scored).tolist():
            table[child, mask] = score.family(child, self.candidates[child, self.members[mask]])
        return table

    def levels(self, codes: np.ndarray, levels: np.ndarray, ess: float, power: float = 1.0) -> np.ndarray:
        """Return the BDeu scores of codes, uint16 [N, n]; each set of variables is counted once.

        That of a family is the sum over the cells of parents and child, less that over those of the parents alone.
        levels: int64 [n]; ess: equivalent sample size; power: as what each record counts.
        """
        data, terms = (np.asfortranarray(codes), levels), cell_terms(power, len(codes))
        sums = np.zeros(self._rows.max() + 1)
        for rows, sets in self._sets:
            priors = ess / levels[sets].prod(axis=1, dtype=float)
            place = terms.rows(priors)
            counted = np.ones(len(sets), bool), subsets.BY_LGAMMA, priors, terms.table, place[:, None]
            sums[rows] = subsets.count_sets(*data, sets, *counted)[0][:, 0]
        without, joined = sums[self._rows.reshape(2, self.n, -1)]
        table = np.full((self.n, 1 << self.c), -np.inf)
        table[:, self.few] = joined - without
        return table - table[:, :1]

    def masks(self, dag: np.ndarray) -> np.ndarray:
        """Return the parents of each variable in graphs, bool [..., n, n], as masks, int64 [..., n]."""
        return (dag * self.bits).sum(axis=-2)

    def log_prior(self, arcs: Arcs | None) -> np.ndarray:
        """Return the prior of each family: one parent more is half as probable, and all sets of a number are alike.

        It is -inf for sets that knowledge of arcs rules out.
        """
        prior = -np.array([log(2**size * comb(max(self.n - 1, 0), size)) for size in range(self.c + 1)])[self.sizes]
        if arcs is None:
            return np.tile(prior, (self.n, 1))
        required = self.masks(arcs.required)[:, None]
        lacking = np.arange(1 << self.c) & required != required
        many = self.sizes > (self.c if arcs.max_parents is None else arcs.max_parents)
        return np.where(lacking | many | self._hold_any(~arcs.allowed), -np.inf, prior)

    def _hold_any(self, pairs: np.ndarray) -> np.ndarray:
        """Return which families have an arc among pairs, bool [n, 2^c]."""
        return np.arange(1 << self.c) & self.masks(pairs)[:, None] != 0


class CellTerms:
    """What a cell of 0, 1 .. records adds to a score by its prior, as rows of a table that are made when asked for.

    Attributes:
        table: float64 [K, records + 1], the rows that were asked for first.
    """

    def __init__(self, power: float, records: int):
        self.table, self._rows = np.empty((8, records + 1)), dict[float, int]()
        self._counted = power * np.arange(records + 1)

    def rows(self, priors: np.ndarray) -> np.ndarray:
        """Return the rows of priors, integers in their shape."""
        alphas, place = np.unique(priors, return_inverse=True)
        for alpha in alphas.tolist():
            if (row := self._rows.setdefault(alpha, len(self._rows))) == len(self._rows) - 1:
                if row == len(self.table):
                    self.table = np.concatenate([self.table, np.empty_like(self.table)])
                self.table[row] = gammaln(alpha + self._counted) - gammaln(alpha)
        return np.array([self._rows[alpha] for alpha in alphas.tolist()])[place].reshape(priors.shape)


cell_terms = lru_cache(2)(CellTerms)
