"""Tables of the families that a posterior is over: the log score of each child with each set of its candidates.

Scores of all kinds of models are log densities, less that of the child alone: they compare what the parents tell of it.
"""

from collections.abc import Iterator
from math import comb, log

import numpy as np
from scipy.special import gammaln

from cutpoint.kernels import counting
from cutpoint.kernels import subsets as kernel
from cutpoint.knowledge.arcs import Arcs
from cutpoint.learners.scores import LocalScore


class FamilyTables:
    """Sets of at most `most` candidate parents of each child.

    A set is a mask whose bit j stands for candidates[i, j], int64 [n, c], each row rising; tables are float64 [n, 2^c].
    """

    def __init__(self, candidates: np.ndarray, most: int):
        (self.n, self.c), self.candidates = candidates.shape, candidates
        self.sizes = np.bitwise_count(np.arange(1 << self.c)).astype(np.int64)
        self.most = min(most, self.c)
        self.bits = np.zeros((self.n, self.n), np.int64)  # [parent, child], 0 for one that is no candidate
        self.bits[candidates, np.arange(self.n)[:, None]] = 1 << np.arange(self.c)

    def of_size(self, size: int) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
        """Yield each child with its masks of a size, int64 [k], and their members, int64 [k, size], rising."""
        masks = np.flatnonzero(self.sizes == size)
        places = np.nonzero(masks[:, None] >> np.arange(self.c) & 1)[1].reshape(len(masks), size)
        for child in range(self.n):
            yield child, masks, self.candidates[child, places]

    def table(self, score: LocalScore, pairs: np.ndarray | None = None, most: np.ndarray | None = None) -> np.ndarray:
        """Return what parents add to the score of their child; -inf for larger sets.

        pairs: bool [n, n], that may be joined; most: int64 [n], parents of each child. Other families are -inf too.
        """
        table = np.full((self.n, 1 << self.c), -np.inf)
        for size in range(self.most + 1):
            for child, masks, members in self.of_size(size):
                held = np.full(len(masks), most is None or size <= most[child])
                if pairs is not None:
                    held &= pairs[members, child].all(axis=1)
                table[child, masks[held]] = [score.family(child, parents) for parents in members[held]]
        return table - table[:, :1]

    def masks(self, dag: np.ndarray) -> np.ndarray:
        """Return the parents of each variable in a graph, bool [n, n], as a mask, int64 [n]."""
        return (dag[self.candidates, np.arange(self.n)[:, None]] << np.arange(self.c)).sum(axis=1)

    def log_prior(self, arcs: Arcs | None) -> np.ndarray:
        """Return the prior of each family: all numbers of parents are as probable, and all sets of a number.

        It is -inf for sets that knowledge of arcs rules out.
        """
        prior = np.array([-log(comb(max(self.n - 1, 0), size)) for size in range(self.c + 1)])[self.sizes]
        table = np.tile(prior, (self.n, 1))
        if arcs is not None:
            bits = 1 << np.arange(self.c)
            children = np.arange(self.n)[:, None]
            required = (arcs.required[self.candidates, children] * bits).sum(axis=1)[:, None]
            forbidden = (~arcs.allowed[self.candidates, children] * bits).sum(axis=1)[:, None]
            masks = np.arange(1 << self.c)
            wrong = (masks & required != required) | (masks & forbidden != 0)
            wrong |= self.sizes > (self.c if arcs.max_parents is None else arcs.max_parents)
            table[wrong] = -np.inf
        return table


class LevelFamilyTables(FamilyTables):
    """FamilyTables whose BDeu scores are computed anew for other codes; each set of variables is counted once.

    The score of a family is the sum over the cells of parents and child, less that over those of the parents alone.
    """

    def __init__(self, candidates: np.ndarray, most: int):
        super().__init__(candidates, most)
        binomial = np.array([[comb(a, b) for b in range(self.most + 3)] for a in range(self.n + 1)], np.int64)
        self.sets = [kernel.subsets(self.n, size, comb(self.n, size)) for size in range(self.most + 2)]
        self.needed = [np.zeros(len(sets), bool) for sets in self.sets]
        self.places, self._terms = [], dict[tuple[float, float, int], np.ndarray]()
        for size in range(self.most + 1):
            above = kernel.supersets(self.sets[size], self.n, binomial)
            for child, masks, members in self.of_size(size):
                rows = binomial[members, np.arange(1, size + 1)].sum(axis=1)
                self.needed[size][rows] = self.needed[size + 1][above[rows, child]] = True
                self.places.append((child, size, masks, rows, above[rows, child]))

    def levels(self, codes: np.ndarray, levels: np.ndarray, ess: float, power: float = 1.0) -> np.ndarray:
        """Return what parents add to the BDeu score of their child, -inf for larger sets.

        codes, levels: integer [N, n] and int64 [n]; ess: equivalent sample size; power: as what each record counts.
        """
        codes = np.asfortranarray(codes, np.uint16)
        data = codes, *counting.level_sets(codes, levels), levels
        sums = [self._sums(data, *each, ess, power) for each in zip(self.sets, self.needed, strict=True)]
        table = np.full((self.n, 1 << self.c), -np.inf)
        for child, size, masks, rows, above in self.places:
            table[child, masks] = sums[size + 1][above] - sums[size][rows]
        return table - table[:, :1]

    def _sums(self, data: tuple, sets: np.ndarray, needed: np.ndarray, ess: float, power: float) -> np.ndarray:
        """Return the sums over the cells of each needed set, float64 [sets]."""
        cells = data[-1][sets].prod(axis=1, dtype=float)
        alphas, row = np.unique(ess / cells, return_inverse=True)
        keys, counts = [(alpha, power, len(data[0])) for alpha in alphas.tolist()], power * np.arange(len(data[0]) + 1)
        for key in {*keys} - {*self._terms}:
            self._terms[key] = gammaln(key[0] + counts) - gammaln(key[0])
        terms = np.array([self._terms[key] for key in keys])
        return kernel.count_sets(*data, sets, needed, kernel.BY_LGAMMA, alphas, terms, row[:, None])[0][:, 0]
