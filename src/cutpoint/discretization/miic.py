"""MIIC: a pattern by information that thresholds of each pair of variables carry (Cabeli et al. 2020).

Cabeli, Verny, Sella, Uguzzoni, Verny and Isambert (2020), "Learning clinical networks from medical records based on
information estimates in mixed-type data", PLoS Computational Biology 16. No variable has one list of thresholds: each
pair has its own, by dynamic programming, where they tell most for what they cost. With R the parametric complexity of
`cutpoint.learners.complexity` and m candidate thresholds of a variable, x and y of r_x and r_y levels have

    I' = N I(x; y) - 1/2 [sum_x ln R(n_x, r_y) - ln R(N, r_y) + sum_y ln R(n_y, r_x) - ln R(N, r_x)]
         - ln C(m_x, r_x - 1) - ln C(m_y, r_y - 1)

nats, the last terms of continuous variables alone; more than m / 2 thresholds take no less than m / 2 do, or they would
cost nothing where all candidates are thresholds. The thresholds of x given those of y and those of y given
those of x are found in turns until I' no longer rises, from the equal frequencies that are best where thresholds cost
nothing.

Given other variables U, whose thresholds are free too, I'(x; y | U) is half of what y saves of the code of x given U
and what x saves of that of y. The code of a variable under its thresholds for the pair, given variables A, takes

    sum over configurations a of A  [n_a ln n_a - sum_x n_ax ln n_ax + ln R(n_a, r_x)]  +  sum over A of ln C(m, r - 1)

nats, shortest over the thresholds of A. They are found one variable after the other, in turns until the code no longer
gets shorter; no threshold at all is allowed.

I' of pairs of no more than m / 2 thresholds, and of discrete variables given others, is that of the authors' program
(the R package miic 2.0.3), which searches otherwise:

- Its thresholds of x are those of the highest N I - sum_x ln R(n_x, r_y), less ln C(m_x, r - 1) / (r - 1) for each, r
  the levels of x before. Those of x and of y change at once; where that does not settle, I' is averaged over the
  cycle; below 0 it is 0. A candidate comes after each so many distinct values, at most 49 in all, and levels have no
  other cap.
- Given U the thresholds of x and y are found anew with those of U, and the latter cost nothing.
- Contributors are neighbours of either end too, but ranked by a probability, the edge of the likeliest first, and as
  many as help. Edges are directed by the sign of the information of three variables; here `Skeleton` says how.
"""

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
from scipy.special import gammaln, xlogy

from cutpoint.base.errors import InputError
from cutpoint.discretization.class_criteria import thinned
from cutpoint.graphs.patterns import meek
from cutpoint.kernels.explaining import TIE, best_lists
from cutpoint.kernels.pc import colliders
from cutpoint.learners.complexity import complexity_table
from cutpoint.learners.learned import Learned
from cutpoint.options import AboveZero, AtLeast0, AtLeast1

RISE = 1e-6
# Equal frequencies that the thresholds of a pair start from have fewer levels than this, and than N^(1/3).
FIRST_LEVELS = 20


class Levels(NamedTuple):
    """The codes of a variable, int64 [N], and how many levels they have."""

    codes: np.ndarray
    n_levels: int


class Pair(NamedTuple):
    """I' of two variables, nats, and their levels under the thresholds that it is of."""

    information: float
    levels: tuple[Levels, Levels]


class Explanation(NamedTuple):
    """Levels of the variables of A, and minus the length of the code given them, nats."""

    levels: tuple[Levels, ...]
    worth: float


class Column:
    """A variable as blocks of records between candidate thresholds; `most` of a continuous one, evenly spaced by rank.

    blocks: int64 [N], from 0, in the order of the values; places: how many records stand before each block but the
    first, int64 [m], None of a discrete variable.
    """

    def __init__(self, x: np.ndarray, coded: bool, most: int):
        if coded:
            self.blocks, self.places = np.unique(x, return_inverse=True)[1].astype(np.int64), None
            return
        order = np.argsort(x, kind="stable")
        self.places = thinned(np.flatnonzero(np.diff(x[order]) > 0) + 1, most)
        self.blocks = np.empty(len(x), np.int64)
        self.blocks[order] = np.searchsorted(self.places, np.arange(len(x)), side="right")

    @property
    def n_blocks(self) -> int:
        """Return the number of blocks."""
        return int(self.blocks.max()) + 1

    def divided(self, begins: np.ndarray) -> Levels:
        """Return the levels that begin with some blocks, int64 [k], increasing."""
        level = np.zeros(self.n_blocks, np.int64)
        level[begins] = 1
        return Levels(np.cumsum(level)[self.blocks], len(begins) + 1)

    def equal_frequency(self, levels: int) -> Levels:
        """Return levels of about as many records each; those of a discrete variable."""
        if self.places is None:
            return Levels(self.blocks, self.n_blocks)
        if not self.places.size:
            return self.whole()
        wanted = np.arange(1, levels) * len(self.blocks) / levels
        return self.divided(np.unique(np.abs(self.places - wanted[:, None]).argmin(axis=1)) + 1)

    def whole(self) -> Levels:
        """Return a single level; those of a discrete variable."""
        return self.equal_frequency(1) if self.places is None else self.divided(np.empty(0, np.int64))

    def choices(self, levels: int | np.ndarray) -> float | np.ndarray:
        """Return ln C(m, min(r - 1, m // 2)), what a list of thresholds takes; 0 of a discrete variable."""
        if self.places is None:
            return 0.0 * np.asarray(levels)
        m = len(self.places)
        charged = np.minimum(np.asarray(levels) - 1, m // 2)
        return gammaln(m + 1) - gammaln(charged + 1) - gammaln(m - charged + 1)


class Information:
    """What pairs of variables tell about each other, with and without others; `lists` counts those compared."""

    def __init__(self, columns: Sequence[Column], max_levels: int):
        self.columns, self.max_levels, self.lists = columns, max_levels, 0
        self.records = len(columns[0].blocks)
        counts = np.arange(self.records + 1)
        self.terms = xlogy(counts, counts)
        self.pair = cache(self._pair)
        self._explanation = cache(self._explain)  # those of smaller sets are where those of larger ones start

    def conditional(self, x: int, y: int, others: tuple[int, ...]) -> float:
        """Return I'(x; y | U) in nats, see the module; x and y are dependent without others."""
        saved = 0.0
        for target, explaining in ((x, y), (y, x)):
            pair = (min(x, y), max(x, y)), target
            saved += self._explanation(*pair, (*others, explaining)).worth - self._explanation(*pair, others).worth
        return saved / 2

    def value(self, x: int, y: int, one: Levels, other: Levels) -> float:
        """Return I' of two variables under some levels, nats."""
        table = np.zeros((one.n_levels, other.n_levels), np.int64)
        np.add.at(table, (one.codes, other.codes), 1)
        rows, columns, n, g = table.sum(axis=1), table.sum(axis=0), self.records, self.terms
        information = g[table].sum() - g[rows].sum() - g[columns].sum() + g[n]
        lengths = self._complexity(other.n_levels)[[*rows, n]], self._complexity(one.n_levels)[[*columns, n]]
        cost = sum(part[:-1].sum() - part[-1] for part in lengths) / 2
        return float(
            information - cost - self.columns[x].choices(one.n_levels) - self.columns[y].choices(other.n_levels)
        )

    def _complexity(self, levels: int) -> np.ndarray:
        return complexity_table(self.records, levels)

    def _pair(self, x: int, y: int) -> Pair:
        """Return I' of two variables, x < y, and their levels."""
        best, turn, settled = self._best_start(x, y), 0, 0
        while settled < 2:
            before, best = best, self._turn((x, y), turn, best)
            turn, settled = 1 - turn, settled + 1 if best is before else 1
        return best

    def _best_start(self, x: int, y: int) -> Pair:
        """Return the best of equal frequencies, whose thresholds are free: the fewest often lead to none at all."""
        most = min(round(self.records ** (1 / 3)), FIRST_LEVELS)
        starts = []
        for r in range(2, max(most, 3)):
            levels = self.columns[x].equal_frequency(r), self.columns[y].equal_frequency(r)
            starts.append(Pair(self.value(x, y, *levels), levels))
        return max(starts, key=lambda pair: pair.information + self._choices((x, y), pair.levels))

    def _turn(self, variables: tuple[int, int], turn: int, now: Pair) -> Pair:
        """Return the pair with the best thresholds of its first or second variable, where these raise I'."""
        target, column = now.levels[1 - turn], self.columns[variables[turn]]
        if column.places is None:
            return now
        take = self.terms + 0.5 * self._complexity(target.n_levels)
        totals, starts = self._lists(column, target, np.zeros(self.records, np.int64), 1, take)
        counts = np.bincount(target.codes, minlength=target.n_levels)
        for k in range(len(totals)):
            table = self._complexity(k + 1)
            totals[k] -= 0.5 * (table[counts].sum() - table[-1])
        chosen = self._chosen(column, totals, starts)[0]
        levels = (chosen, target) if turn == 0 else (target, chosen)
        new = Pair(self.value(*variables, *levels), levels)
        return new if new.information > now.information + RISE else now

    def _lists(
        self, column: Column, target: Levels, rest: np.ndarray, cells: int, take: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return what `best_lists` does for a continuous variable."""
        self.lists += 1
        most = min(self.max_levels, column.n_blocks)
        return best_lists(
            column.blocks, column.n_blocks, target.codes, target.n_levels, rest, cells, self.terms, take, most
        )

    def _chosen(self, column: Column, totals: np.ndarray, starts: np.ndarray) -> tuple[Levels, float]:
        """Return the levels of the list that is worth most for what it takes, of equals the shortest, and its worth."""
        worth = totals - column.choices(np.arange(1, len(totals) + 1))
        k = int(np.argmax(worth >= worth.max() - TIE))
        return column.divided(starts[k, :k]), float(worth[k])

    def _explain(self, pair: tuple[int, int], target: int, others: tuple[int, ...]) -> Explanation:
        """Return how others explain one variable of a pair: from how all but the last one do."""
        levels = self.pair(*pair).levels[pair.index(target)]
        explaining: tuple[Levels, ...] = ()
        if others:
            explaining = (*self._explanation(pair, target, others[:-1]).levels, self.columns[others[-1]].whole())
        best, turn, settled = Explanation(explaining, self._worth(levels, others, explaining)), len(others) - 1, 0
        while settled < len(others):
            before, best = best, self._explained(levels, others, turn, best)
            turn, settled = (turn - 1) % len(others), settled + 1 if best is before else 1
        return best

    def _worth(self, target: Levels, others: Sequence[int], levels: Sequence[Levels]) -> float:
        """Return minus the length of the code of a variable given others, and of their thresholds."""
        rest, cells = configurations(levels, self.records)
        counts = np.bincount(rest * target.n_levels + target.codes, minlength=cells * target.n_levels)
        within = counts.reshape(cells, target.n_levels).sum(axis=1)
        total = self.terms[counts].sum() - (self.terms + self._complexity(target.n_levels))[within].sum()
        return float(total) - self._choices(others, levels)

    def _explained(self, target: Levels, others: Sequence[int], turn: int, now: Explanation) -> Explanation:
        """Return the explanation with the best thresholds of one of the others, where these are worth more."""
        column = self.columns[others[turn]]
        if column.places is None:
            return now
        held = (*now.levels[:turn], *now.levels[turn + 1 :])
        take = self.terms + self._complexity(target.n_levels)
        chosen, worth = self._chosen(column, *self._lists(column, target, *configurations(held, self.records), take))
        worth -= self._choices((*others[:turn], *others[turn + 1 :]), held)
        return (
            Explanation((*now.levels[:turn], chosen, *now.levels[turn + 1 :]), worth)
            if worth > now.worth + RISE
            else now
        )

    def _choices(self, variables: Sequence[int], levels: Sequence[Levels]) -> float:
        return float(sum(self.columns[v].choices(one.n_levels) for v, one in zip(variables, levels, strict=True)))


def configurations(levels: Sequence[Levels], records: int) -> tuple[np.ndarray, int]:
    """Return the configuration of some variables by record, int64 [N], and how many occur."""
    cells, size = np.zeros(records, np.int64), 1
    for codes, count in levels:
        cells = cells * count + codes
        occurs = np.bincount(cells, minlength=size * count) > 0
        cells, size = (np.cumsum(occurs) - 1)[cells], int(occurs.sum())
    return cells, size


class Skeleton:
    """Which pairs of variables others separate, their separating sets, and how often I' was asked for.

    Pairs without information have no edge. In round k = 1, 2, ... each edge that is left gets a k-th contributor,
    weakest edge first: of the neighbours of its ends that tell about both, those first that tell most of the one of
    which they tell less. The first one with which nothing is left, I'(x; y | U) = 0, removes the edge at once; if there
    is none, U takes the one that leaves least, and an edge of which no neighbour takes anything is done. strength:
    float64 [n, n], I' of all pairs.
    """

    def __init__(self, information: Information, n: int):
        self.information, self.calls = information, 0
        self.strength = np.zeros((n, n))
        for x, y in combinations(range(n), 2):
            self.strength[x, y] = self.strength[y, x] = information.pair(x, y).information
            self.calls += 1
        self.adjacent = self.strength > RISE
        self.separating: dict[tuple[int, int], tuple[int, ...]] = {}

    def thin(self, most: int) -> None:
        """Remove edges that sets of no more than so many contributors separate."""
        edges = [(x, y) for x, y in np.argwhere(np.triu(self.adjacent)).tolist()]
        sets: dict[tuple[int, int], tuple[int, ...]] = dict.fromkeys(edges, ())
        for _ in range(most):
            for edge in sorted(sets, key=lambda edge: self.strength[edge]):
                larger = self._enlarged(*edge, sets[edge])
                if larger is None:
                    del sets[edge]
                else:
                    sets[edge] = larger

    def _enlarged(self, x: int, y: int, others: tuple[int, ...]) -> tuple[int, ...] | None:
        """Return the set with one more contributor, or None where the edge is done, removed or not."""
        least, chosen = self.information.conditional(x, y, others) - RISE, None
        for z in self._contributors(x, y, others):
            self.calls += 1
            left = self.information.conditional(x, y, (*others, z))
            if left <= RISE:
                self.adjacent[x, y] = self.adjacent[y, x] = False
                self.separating[x, y] = (*others, z)
                return None
            if left < least:
                least, chosen = left - RISE, (*others, z)
        return chosen

    def _contributors(self, x: int, y: int, others: tuple[int, ...]) -> list[int]:
        tells = np.minimum(self.strength[x], self.strength[y])
        near = (self.adjacent[x] | self.adjacent[y]) & (tells > RISE)
        near[[x, y, *others]] = False
        return sorted(np.flatnonzero(near).tolist(), key=lambda z: -tells[z])

    def pattern(self) -> np.ndarray:
        """Return the pattern, bool [n, n]: colliders where the separating set lacks the middle, then Meek's rules."""
        where = np.zeros((*self.adjacent.shape, 2), np.int64)
        sets: list[int] = []
        for (x, y), others in self.separating.items():
            where[x, y] = where[y, x] = len(sets), len(sets) + len(others)
            sets.extend(others)
        return meek(colliders(self.adjacent, where, np.array(sets, np.int64)))


def miic(
    values: np.ndarray,
    discrete: np.ndarray,
    *,
    max_levels: AtLeast1 = 30,
    resolution: AboveZero = 5.0,
    max_conditioning: AtLeast0 = 3,
) -> Learned:
    """Learn a pattern by information that is measured under thresholds of each test (after Cabeli et al. 2020).

    The pattern depends on the ranks of the values, float64 [N, n], alone, and not on the order of the columns;
    `score_calls` counts how often information was asked for. max_levels: of a continuous variable; what a variable of
    too few levels leaves over of a strong dependence looks like an edge. resolution: no more than this times N^(1/3)
    candidate thresholds, evenly spaced by rank. max_conditioning: most variables of a separating set.
    """
    if len(values) == 0:
        raise InputError("values: MIIC needs at least one record")
    most = max(1, round(resolution * len(values) ** (1 / 3)))
    columns = [Column(x, coded, most) for x, coded in zip(values.T, discrete, strict=True)]
    order = sorted(range(len(columns)), key=lambda i: columns[i].blocks.tobytes())
    information = Information([columns[i] for i in order], max_levels)
    skeleton = Skeleton(information, len(order))
    skeleton.thin(max_conditioning)
    back = np.argsort(order)
    return Learned(
        cpdag=skeleton.pattern()[np.ix_(back, back)],
        kind="pdag",
        score_calls=skeleton.calls,
        evaluations=skeleton.calls,
        discretization_calls=information.lists,
    )
