"""MIIC: a pattern by information that thresholds of each pair of variables carry (Cabeli et al. 2020).

Cabeli, Verny, Sella, Uguzzoni, Verny and Isambert (2020), "Learning clinical networks from medical records based on
information estimates in mixed-type data", PLoS Computational Biology 16. No variable has one list of thresholds: each
pair has its own, by dynamic programming, where they tell most for what they cost. `docs/methods.md` has I', what x and
y tell about each other, I'(x; y | U), the lengths of codes, and how the authors' program (miic 2.0.3 for R) differs.
"""

from collections.abc import Sequence
from functools import cache, cached_property
from itertools import combinations
from typing import NamedTuple

import numpy as np
from scipy.special import gammaln

from cutpoint.discretization.class_criteria import TIE, thinned, whole_numbers
from cutpoint.graphs.patterns import meek
from cutpoint.kernels.exact_levels import best_list
from cutpoint.kernels.pc import colliders, refine
from cutpoint.learners.complexity import complexity_table, m_ln_m
from cutpoint.learners.learned import Learned
from cutpoint.options import AboveZero, AtLeast0, AtLeast1

RISE = 1e-6
# Equal frequencies that the thresholds of a pair start from have fewer levels than this, and than N^(1/3).
FIRST_LEVELS = 20


class LeveledCodes(NamedTuple):
    """The codes of a variable, int32 [N], and how many levels they have."""

    codes: np.ndarray
    n_levels: int


class PairInformation(NamedTuple):
    """I' of two variables, nats, and their levels under the thresholds that it is of."""

    information: float
    levels: tuple[LeveledCodes, LeveledCodes]


class Explanation(NamedTuple):
    """Levels of the variables of A, and minus the length of the code given them, nats."""

    levels: tuple[LeveledCodes, ...]
    worth: float


class Blocks:
    """A variable as blocks of records between candidate thresholds; `most` of a continuous one, evenly spaced by rank.

    blocks: int32 [N], from 0, in the order of the values; order: int32 [N], the records by value; places: how many
    records stand before each block but the first, int64 [m], None of a discrete variable; choices: ln C(m, min(r - 1,
    m // 2)), what lists of r = 1, 2, ... levels take, float64 [m + 1], 0 of a discrete variable.
    """

    def __init__(self, x: np.ndarray, coded: bool, most: int):
        self.order = np.argsort(x, kind="stable").astype(np.int32)
        places = np.flatnonzero(np.diff(x[self.order]) > 0) + 1
        self.places = None if coded else thinned(places, most)
        self.firsts = np.array([0, *(places if self.places is None else self.places), len(x)], np.uint32)
        self.blocks = np.empty(len(x), np.int32)
        self.blocks[self.order] = np.repeat(np.arange(len(self.firsts) - 1), np.diff(self.firsts))
        m = 0 if self.places is None else len(self.places)
        charged = np.minimum(np.arange(len(self.firsts) - 1), m // 2)
        self.choices = gammaln(m + 1) - gammaln(charged + 1) - gammaln(m - charged + 1)
        self.equal_frequency = cache(self._equal_frequency)

    def divided(self, begins: np.ndarray) -> LeveledCodes:
        """Return the levels that begin with some blocks, int64 [k], increasing."""
        level = np.zeros(len(self.choices), np.int32)
        level[begins] = 1
        return LeveledCodes(np.cumsum(level, dtype=np.int32)[self.blocks], len(begins) + 1)

    def _equal_frequency(self, levels: int) -> LeveledCodes:
        """Return levels of about as many records each; those of a discrete variable."""
        if self.places is None:
            return LeveledCodes(self.blocks, len(self.choices))
        if not self.places.size:
            return self.divided(self.places)
        wanted = np.arange(1, levels) * len(self.blocks) / levels
        return self.divided(np.unique(np.abs(self.places - wanted[:, None]).argmin(axis=1)) + 1)


class Information:
    """What pairs of variables tell about each other, with and without others; `lists` counts those compared."""

    def __init__(self, columns: Sequence[Blocks], max_levels: int):
        self.columns, self.max_levels, self.lists = columns, max_levels, 0
        self.records = len(columns[0].blocks)
        self.terms = m_ln_m(self.records)
        self._pairs: dict[tuple[int, int], PairInformation] = {}
        self._explanation = cache(self._explain)  # those of smaller sets are where those of larger ones start
        self._taken = cache(lambda levels, share: -self.terms - share * complexity_table(self.records, levels))
        self._whole = cache(self._add)

    def pair(self, x: int, y: int) -> PairInformation:
        """Return I' of two variables, x < y, and their levels, which are kept where they tell about each other."""
        if (x, y) in self._pairs:
            return self._pairs[x, y]
        best, turn, settled = self._best_start(x, y), 0, 0
        while settled < 2:
            before, best = best, self._turn((x, y), turn, best)
            turn, settled = 1 - turn, settled + 1 if best is before else 1
        if best.information > RISE:
            self._pairs[x, y] = best
        return best

    def conditional(self, x: int, y: int, others: tuple[int, ...]) -> float:
        """Return I'(x; y | U) in nats, see the module, of variables that are dependent without others."""
        pair, saved = (min(x, y), max(x, y)), 0.0
        for target, explaining in ((x, y), (y, x)):
            saved += self._explanation(pair, target, (*others, explaining)).worth
            saved -= self._explanation(pair, target, others).worth
        return saved / 2

    def value(self, x: int, y: int, one: LeveledCodes, other: LeveledCodes) -> float:
        """Return I' of two variables under some levels, nats."""
        counts = counted(*one, other)
        information = self.terms[counts].sum() - self.terms[-1]
        for levels, records in ((other, counts.sum(axis=1)), (one, counts.sum(axis=0))):
            taken = self._taken(levels.n_levels, 0.5)
            information += taken[records].sum() - taken[-1]
        return float(information - self._choices((x, y), (one, other)))

    def _best_start(self, x: int, y: int) -> PairInformation:
        """Return the best of equal frequencies, whose thresholds are free: the fewest often lead to none at all."""
        most = min(round(self.records ** (1 / 3)), FIRST_LEVELS)
        starts = []
        for r in range(2, max(most, 3)):
            levels = self.columns[x].equal_frequency(r), self.columns[y].equal_frequency(r)
            starts.append(PairInformation(self.value(x, y, *levels), levels))
        return max(starts, key=lambda pair: pair.information + self._choices((x, y), pair.levels))

    def _turn(self, variables: tuple[int, int], turn: int, now: PairInformation) -> PairInformation:
        """Return the pair with the best thresholds of its first or second variable, where these raise I'."""
        target, column = now.levels[1 - turn], self.columns[variables[turn]]
        if column.places is None:
            return now
        counts = np.append(np.bincount(target.codes, minlength=target.n_levels), self.records)
        lengths = self._lengths[: self._most(column), counts] / 2
        begins, worth = self._best(column, target, (), 0.5, lengths[:, :-1].sum(axis=1) - lengths[:, -1])
        held = self.terms[counts[:-1]].sum() + self._taken(target.n_levels, 0.5)[-1]
        information = float(worth - held - self._choices(variables[1 - turn : 2 - turn], (target,)))
        if information <= now.information + RISE:
            return now
        chosen = column.divided(begins)
        return PairInformation(information, (chosen, target) if turn == 0 else (target, chosen))

    @cached_property
    def _lengths(self) -> np.ndarray:
        """The ln R(n, k) of n = 0, 1, .. N and k = 1, 2, .. levels of a continuous variable, float64 [k, N + 1]."""
        most = max(map(self._most, self.columns))
        return np.array([complexity_table(self.records, k + 1) for k in range(most)])

    def _most(self, column: Blocks) -> int:
        return min(self.max_levels, len(column.choices))

    def _best(
        self,
        column: Blocks,
        target: LeveledCodes,
        held: Sequence[LeveledCodes],
        share: float,
        costs: np.ndarray | float,
    ) -> tuple[np.ndarray, float]:
        """Return with which blocks the levels begin that are worth most given those held, and their worth."""
        self.lists += 1
        charged = column.choices[: self._most(column)] + costs
        cells, sizes = target.codes[None, column.order], np.array([target.n_levels])
        if held:  # the records of a level are else those of its one configuration
            rest, size = configurations(held, self.records)
            rest = rest[None, column.order]
            cells, sizes = np.concatenate([rest * target.n_levels + cells, rest]), np.append(size * sizes, size)
        terms = self._whole(target.n_levels, share, bool(held))
        return best_list(column.firsts, cells.astype(np.uint32), sizes, *terms, TIE, charged)

    def _add(self, levels: int, share: float, held: bool) -> tuple[np.ndarray, np.ndarray, float]:
        """Return what records add to a level given others held, or given none, in whole numbers."""
        taken = self._taken(levels, share)
        if held:
            return whole_numbers(np.array([self.terms, taken]), np.zeros(self.records + 1))
        return whole_numbers(self.terms[None], taken)

    def _explain(self, pair: tuple[int, int], target: int, others: tuple[int, ...]) -> Explanation:
        """Return how others explain one variable of a pair: from how all but the last one do."""
        levels = self.pair(*pair).levels[pair.index(target)]
        if not others:
            return Explanation((), self._worth(levels, (), ()))
        best, whole = self._explanation(pair, target, others[:-1]), self.columns[others[-1]].equal_frequency(1)
        explaining = (*best.levels, whole)
        worth = best.worth if whole.n_levels == 1 else self._worth(levels, others, explaining)
        best, turn, settled = Explanation(explaining, worth), len(others) - 1, 0
        while settled < len(others):
            before, best = best, self._explained(levels, others, turn, best)
            turn, settled = (turn - 1) % len(others), settled + 1 if best is before else 1
        return best

    def _worth(self, target: LeveledCodes, others: Sequence[int], levels: Sequence[LeveledCodes]) -> float:
        """Return minus the length of the code of a variable given others, and of their thresholds."""
        counts = counted(*configurations(levels, self.records), target)
        total = self.terms[counts].sum() + self._taken(target.n_levels, 1.0)[counts.sum(axis=1)].sum()
        return float(total - self._choices(others, levels))

    def _explained(self, target: LeveledCodes, others: Sequence[int], turn: int, now: Explanation) -> Explanation:
        """Return the explanation with the best thresholds of one of the others, where these are worth more."""
        column = self.columns[others[turn]]
        if column.places is None:
            return now
        held = (*now.levels[:turn], *now.levels[turn + 1 :])
        begins, worth = self._best(column, target, held, 1.0, 0.0)
        worth = float(worth - self._choices((*others[:turn], *others[turn + 1 :]), held))
        if worth <= now.worth + RISE:
            return now
        return Explanation((*held[:turn], column.divided(begins), *held[turn:]), worth)

    def _choices(self, variables: Sequence[int], levels: Sequence[LeveledCodes]) -> float:
        return sum(self.columns[v].choices[one.n_levels - 1] for v, one in zip(variables, levels, strict=True))


def configurations(levels: Sequence[LeveledCodes], records: int) -> tuple[np.ndarray, int]:
    """Return the configuration of some variables by record, int32 [N], and how many are numbered."""
    cells, size = np.zeros(records, np.int32), 1
    for one in levels:
        size = refine(cells, size, *one, cells)
    return cells, size


def counted(cells: np.ndarray, size: int, target: LeveledCodes) -> np.ndarray:
    """Return how many records have each of some cells, int32 [N], and each level of a variable, int64 [size, r]."""
    r = target.n_levels
    return np.bincount(cells * r + target.codes, minlength=size * r).reshape(size, r)


class Skeleton:
    """Which pairs of variables others separate, their separating sets, and how often I' was asked for.

    Pairs without information have no edge. In round k = 1, 2, ... each edge that is left gets a k-th contributor,
    weakest edge first: of the neighbours of its ends that tell about both, those first that tell most of the one of
    which they tell less. The first one with which nothing is left, I'(x; y | U) = 0, removes the edge at once; if there
    is none, U takes the one that leaves least, and an edge of which no neighbour takes anything is done. strength:
    float64 [n, n], I' of all pairs.
    """

    def __init__(self, information: Information, n: int):
        self.information, self.calls = information, n * (n - 1) // 2
        self.strength = np.zeros((n, n))
        for x, y in combinations(range(n), 2):
            self.strength[x, y] = self.strength[y, x] = information.pair(x, y).information
        self.adjacent = self.strength > RISE
        self.separating: dict[tuple[int, int], tuple[int, ...]] = {}

    def thin(self, most: int) -> None:
        """Remove edges that sets of no more than so many contributors separate."""
        edges = [(x, y) for x, y in np.argwhere(np.triu(self.adjacent)).tolist()]
        sets: dict[tuple[int, int], tuple[int, ...]] = dict.fromkeys(edges, ())
        for size in range(1, most + 1):
            for edge in sorted(sets, key=lambda edge: self.strength[edge]):
                larger = self._enlarged(*edge, sets[edge], size == most)
                if larger is None:
                    del sets[edge]
                else:
                    sets[edge] = larger

    def _enlarged(self, x: int, y: int, others: tuple[int, ...], last: bool) -> tuple[int, ...] | None:
        """Return the set with one more contributor, or None where the edge is done, removed or not, as all at last."""
        least, chosen = RISE if last else self.information.conditional(x, y, others) - RISE, None
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
    most = max(1, round(resolution * len(values) ** (1 / 3)))
    columns = [Blocks(x, coded, most) for x, coded in zip(values.T, discrete, strict=True)]
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
