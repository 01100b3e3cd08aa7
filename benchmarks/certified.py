"""The best graph and the best thresholds together, with a proof: no other pair of them scores higher.

Friedman's, Monti's and Steck's scores are sums over families, which are coupled only by the thresholds that they share.
Where each family chooses the lists of its members alone, the best network is an upper bound. Lagrangian multipliers
lower it: what the family of j gains by list l of w, w loses. A multiplier counts only where w comes before j, so that
networks of different orders do not pay for each other. Choices that no better network can have are removed. What is
left is divided, by the order of two variables or by a threshold of one, until no part can have a better network.
"""

import heapq
import itertools
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from inspect import signature
from typing import Any, Literal, NamedTuple, Self

import joint as kernel
import numpy as np
from scipy.optimize import minimize
from scipy.special import gammaln

from cutpoint.base.checking import check_options
from cutpoint.base.errors import InputError
from cutpoint.data.frames import read_table
from cutpoint.discretization.binning import equal_frequency
from cutpoint.discretization.encoding import cardinalities, discrete_thresholds, encode
from cutpoint.discretization.objectives import MOST_ESS, policy_score
from cutpoint.discretization.thresholds import Thresholds
from cutpoint.graphs.patterns import cpdag
from cutpoint.graphs.rows import checked_cuts
from cutpoint.learners.complexity import m_ln_m
from cutpoint.learners.learned import Learned
from cutpoint.learners.order import exact
from cutpoint.learners.scores import bdeu, check_ess, mdl
from cutpoint.learners.sizes import check_memory
from cutpoint.options import AboveZero, AtLeast0, AtLeast1, NotNegative

MOST_VARIABLES, MEMORY_MB = 8, 4000.0
EQUAL = 1e-6  # scores nearer than this, in nats, are equal
# Temperatures, nats, for half of the candidates, for all, and in a branch: lower ones are nearer to the bound, and slow
HALF, ROOT, BRANCH = (1.0, 0.5, 0.5, 0.2, 0.2, 0.1), (0.5, 0.2, 0.1), (0.12, 0.04)
COLD, STEPS = 1e-8, 20  # at which sums are the highest values; of the multipliers at each temperature

Score = Literal["friedman", "monti_total", "steck"]


@dataclass(repr=False, eq=False)
class Certified(Learned):
    """The best graph and thresholds found, and what no other can exceed.

    Attributes beside those of `Learned`: `bound`, nats: no graph and thresholds of these candidates have a higher
    score; the score itself once this is proven. `nodes`: the parts that were bounded.
    """

    bound: float = np.inf
    nodes: int = 0

    @property
    def gap(self) -> float:
        """How far the score may lie below the optimum, nats; 0 is a proof."""
        return max(0.0, self.bound - (self.score or 0.0))


class _Group(NamedTuple):
    """All lists of some number of levels: the levels of each, int64 [lists, levels], rows of `bins`, (from, to)."""

    lists: slice
    bins: np.ndarray
    levels: np.ndarray


class _Choices(NamedTuple):
    """A variable: its records' bins, int64 [N], between candidate cuts, float64 [B]; which a list has, bool [L, B]."""

    bins: np.ndarray
    cuts: np.ndarray
    has: np.ndarray
    groups: list[_Group]

    @classmethod
    def of(cls, x: np.ndarray, cuts: np.ndarray, most: int, discrete: bool) -> Self:
        """Return all lists of at most `most` levels, or the only one of a discrete column."""
        has, groups, count = np.zeros((0, len(cuts)), bool), [], len(cuts)
        for size in [count] if discrete else range(min(most - 1, count) + 1):
            chosen = np.array([np.isin(range(count), c) for c in itertools.combinations(range(count), size)], bool)
            edges = np.pad(chosen, ((0, 0), (1, 1)), constant_values=True).nonzero()[1].reshape(-1, size + 2)
            pairs = np.stack([edges[:, :-1], edges[:, 1:]], axis=-1).reshape(-1, 2)
            bins, levels = np.unique(pairs, axis=0, return_inverse=True)
            groups.append(_Group(slice(len(has), len(has) + len(chosen)), bins, levels.reshape(-1, size + 1)))
            has = np.vstack([has, chosen])
        return cls(encode(x[:, None], [cuts])[:, 0].astype(np.int64), cuts, has, groups)


class _FamilyScores:
    """The scores of families by the lists of their members."""

    def __init__(self, values: np.ndarray, discrete: np.ndarray, columns: Sequence[_Choices], score: Score, ess: float):
        self.columns, self.friedman, self.ess, self.rows = columns, score == "friedman", ess, len(values)
        objective = partial(policy_score, dag=np.zeros((1, 1)), name=score, ess=ess)
        self.own = []  # the term of each variable alone by its list
        for i, c in enumerate(columns):
            scores = [objective(values[:, [i]], [c.cuts[held]], discrete=discrete[[i]]) for held in c.has]
            self.own.append((-1 if self.friedman else 1) * np.array(scores) - self._sums((i,)))

    def scores(self, child: int, parents: tuple[int, ...]) -> np.ndarray:
        """Return the scores of a family, float64 [L, ..., L], by the lists of its parents and, last, of the child."""
        values = self._sums((*parents, child)) - self._sums(parents)[..., None] + self._sums(()) + self.own[child]
        if self.friedman:
            q = reduce(np.multiply.outer, [1 + self.columns[v].has.sum(axis=1) for v in parents], np.ones(()))
            parameters = (q - 1)[..., None] * self.columns[child].has.sum(axis=1)  # beyond those without parents
            values -= 0.5 * np.log(self.rows) * parameters + (1 + len(parents)) * np.log(len(self.columns))
        return values

    def _terms(self, cells: int) -> np.ndarray:
        """Return what a cell of 0, 1, ... records adds where there are nominally so many, float64 [N + 1]."""
        if self.friedman:
            return m_ln_m(self.rows)
        return gammaln(self.ess / cells + np.arange(self.rows + 1)) - gammaln(self.ess / cells)

    def _sums(self, members: tuple[int, ...]) -> np.ndarray:
        """Return the sums over all cells of some variables, float64 [L, ..., L]."""
        if not members:
            return self._terms(1)[self.rows]
        columns = [self.columns[v] for v in members]
        sizes = [len(column.cuts) + 1 for column in columns]
        cells = np.ravel_multi_index([column.bins for column in columns], sizes)
        below = np.bincount(cells, minlength=math.prod(sizes)).reshape(sizes)
        for axis in range(len(members)):
            below = np.insert(np.cumsum(below, axis=axis), 0, 0, axis=axis)
        sums = np.empty([len(column.has) for column in columns])
        for groups in itertools.product(*(column.groups for column in columns)):
            part = below
            for axis, group in enumerate(groups):
                part = part.take(group.bins[:, 1], axis) - part.take(group.bins[:, 0], axis)
            part = self._terms(math.prod(group.levels.shape[1] for group in groups))[part]
            for axis, group in enumerate(groups):
                part = reduce(np.add, [part.take(level, axis) for level in group.levels.T])
            sums[tuple(group.lists for group in groups)] = part
        return sums


@dataclass
class _Entries:
    """The choices of lists of all families that may be in a best network; see `joint`."""

    first: np.ndarray
    members: np.ndarray
    masks: np.ndarray
    values: np.ndarray
    lists: np.ndarray

    @classmethod
    def of(cls, families: _FamilyScores, most: int) -> Self:
        """Score all families of at most `most` parents; leave out what is no better than without some parent."""
        n, best = len(families.columns), dict[tuple[int, ...], np.ndarray]()
        members, values, lists = [], [], []
        for size, child in itertools.product(range(most + 1), range(n)):
            for parents in itertools.combinations([i for i in range(n) if i != child], size):
                smaller = [best[child, *parents[:k], *parents[k + 1 :]] for k in range(size)]
                lower = reduce(np.maximum, [np.expand_dims(s, k) for k, s in enumerate(smaller)], np.array(-np.inf))
                scores = families.scores(child, parents)
                if size < most:
                    best[child, *parents] = np.maximum(scores, lower)
                chosen = np.argwhere(better := scores > lower + EQUAL / 100).astype(np.int16)
                members.append([child, *parents, *[n] * (most - size)])
                values.append(scores[better])
                lists.append(np.pad(np.roll(chosen, 1, axis=1), ((0, 0), (0, most - size))))
        of = np.array(members, np.int64)
        masks = np.where(of[:, 1:] < n, 1 << of[:, 1:], 0).sum(axis=1)
        return cls(np.cumsum([0, *map(len, values)]), of, masks, np.concatenate(values), np.concatenate(lists))

    def kept(self, rows: np.ndarray) -> "_Entries":
        """Return some of the entries, bool [E]."""
        first = np.concatenate([[0], np.cumsum(rows)])[self.first]
        some = np.diff(first) > 0
        ends = np.append(first[:-1][some], first[-1])
        return _Entries(ends, self.members[some], self.masks[some], self.values[rows], self.lists[rows])

    def among(self, allowed: np.ndarray) -> "_Entries":
        """Return those with allowed lists alone, bool [n + 1, L]."""
        return self.kept(kernel.selected(self.first, self.members, self.lists, allowed))


@dataclass
class _Branch:
    """Networks of some entries and lists, bool [n + 1, L], in some orders: earlier[i, j] where i is before j.

    multipliers: float64 [n, n, L]; bound: of the scores; lists: int64 [n], of the network that is highest with these
    multipliers; arcs: float64 [n + 1, n], the bound, in COLD nats, where the network must have an arc.
    """

    entries: _Entries
    allowed: np.ndarray
    earlier: np.ndarray
    multipliers: np.ndarray
    bound: float
    lists: np.ndarray
    arcs: np.ndarray


class _Proof:
    """Branch and bound; `score` and `lists` are the best network so far."""

    def __init__(self, columns: Sequence[_Choices], entries: _Entries, end: float):
        self.columns, self.end, self.nodes, self.score = columns, end, 1, -np.inf
        n, most = len(columns), max(len(column.has) for column in columns)
        self.n, self.lists = n, np.zeros(n, np.int64)
        allowed = np.arange(most) < np.array([*(len(column.has) for column in columns), 1])[:, None]
        order, arcs = np.zeros((n, n), bool), np.zeros((n + 1, n))
        self.whole = _Branch(entries, allowed, order, np.zeros((n, n, most)), np.inf, self.lists, arcs)
        self.inside = (np.arange(1 << n)[:, None] >> np.arange(n) & 1).astype(float)

    def run(self) -> float:
        """Return the proven upper bound of the scores."""
        self._begin()
        heap = [(-self.whole.bound, 0, self.whole)] if self._bounded(self.whole, ROOT) else []
        while heap and -heap[0][0] > self.score + EQUAL:
            if time.process_time() > self.end:
                return -heap[0][0]
            part = heapq.heappop(heap)[-1]
            self._climb(part, part.lists)
            for half in self._divided(part):
                self.nodes += 1
                if self._bounded(half, BRANCH):
                    heapq.heappush(heap, (-half.bound, self.nodes, half))
        return self.score

    def _begin(self) -> None:
        """Begin with the lists of every second candidate, which are far fewer, and take over what they say of all."""
        coarse = replace(self.whole, allowed=self.whole.allowed.copy())
        for row, column in zip(coarse.allowed, self.columns, strict=False):
            fine = np.arange(len(column.cuts)) % 2 == 0
            row[: len(column.has)] = (len(column.groups) == 1) | ~column.has[:, fine].any(axis=1)
        chosen = [np.flatnonzero(row) for row in coarse.allowed[:-1]]
        coarse.entries = self.whole.entries.among(coarse.allowed)
        self._climb(coarse, np.array([some[len(some) // 2] for some in chosen]))
        self._bounded(coarse, HALF)
        for w, (column, some) in enumerate(zip(self.columns, chosen, strict=True)):
            below = column.has.cumsum(axis=1)
            nearest = some[np.abs(below[:, None] - below[some]).sum(axis=2).argmin(axis=1)]
            self.whole.multipliers[w, :, : len(nearest)] = coarse.multipliers[w][:, nearest]
        self._climb(self.whole, self.lists)

    def _bounded(self, part: _Branch, heats: Sequence[float]) -> bool:
        """Lower the bound of a part, leave out its useless entries, and return whether a better network may be left."""
        for heat in (COLD, *heats):
            part.multipliers = self._multipliers(part, heat) if heat > COLD else part.multipliers
            total, through, placed, *_ = self._networks(part, COLD)
            part.bound = min(part.bound, total * COLD)
            if part.bound <= self.score + EQUAL:
                return False
            rows = ~(through * COLD <= self.score + EQUAL)
            part.lists, part.entries = placed.sum(axis=1).argmax(axis=1), part.entries.kept(rows)
            first, members = part.entries.first, part.entries.members
            used = np.zeros_like(part.allowed)
            used[self.n, 0] = used[np.repeat(members[:, 0], np.diff(first)), part.entries.lists[:, 0]] = True
            part.allowed, part.arcs = part.allowed & used, np.full_like(part.arcs, -np.inf)
            if not part.allowed.any(axis=1).all():
                return False
            highest = np.maximum.reduceat(through[rows], first[:-1])
            np.maximum.at(part.arcs, (members[:, 1:], members[:, :1]), highest[:, None])
        return True

    def _networks(self, part: _Branch, heat: float) -> tuple[Any, ...]:
        """Return what `kernel.networks` does at a temperature, and the shares of the lists that have no effect."""
        n, inside, outside, e = self.n, self.inside, 1 - self.inside, part.entries
        copies = np.zeros((n + 1, n, part.allowed.shape[1]))
        copies[:n] = part.multipliers / heat
        copies[~np.broadcast_to(part.allowed[:, None], copies.shape)] = -np.inf
        with np.errstate(invalid="ignore"):  # of -inf and -inf
            free = np.logaddexp.reduce(copies, axis=2)
        free[np.arange(n), np.arange(n)] = 0.0
        copies -= free[..., None]
        own = (inside @ free[:n]).T[..., None] - outside @ part.multipliers / heat
        own += copies[np.arange(n), np.arange(n)][:, None]
        own[(inside + outside @ part.earlier > 0).T] = -np.inf
        found = kernel.networks(e.first, e.members, e.masks, e.values / heat, e.lists, copies, own)
        return *found, np.exp(copies[:n])

    def _multipliers(self, part: _Branch, heat: float) -> np.ndarray:
        """Return multipliers with a lower bound at a temperature."""

        def bound(flat: np.ndarray) -> tuple[float, np.ndarray]:
            now = replace(part, multipliers=flat.reshape(shape))
            total, _, placed, shares, free = self._networks(now, heat)
            alone = self.inside.T @ placed.sum(axis=2).T - shares[: self.n].sum(axis=2)
            slope = shares[: self.n] + alone[..., None] * free - (1 - self.inside).T @ placed
            slope[np.arange(self.n), np.arange(self.n)] = 0.0
            return total * heat - self.score, slope.ravel()

        def stop(intermediate_result: Any) -> None:
            if intermediate_result.fun <= EQUAL or time.process_time() > self.end:
                raise StopIteration

        shape, options = part.multipliers.shape, {"maxiter": STEPS, "maxcor": 20}
        found = minimize(bound, part.multipliers.ravel(), jac=True, method="L-BFGS-B", options=options, callback=stop)
        return found.x.reshape(shape)

    def _climb(self, part: _Branch, lists: np.ndarray) -> None:
        """Choose the list of one variable after the other, each with the best graph; remember the best network."""
        lists, reached, idle = np.append(lists, 0), -np.inf, 0
        own = np.where(self.inside.T > 0, -np.inf, 0.0)[..., None]
        for w in itertools.cycle(range(self.n)):
            allowed = np.arange(part.allowed.shape[1]) == lists[:, None]
            allowed[w] = part.allowed[w]
            some, idle = part.entries.among(allowed), idle + 1
            for number in np.flatnonzero(allowed[w]):
                allowed[w] = np.arange(allowed.shape[1]) == number
                e = some.among(allowed)
                value = (
                    COLD
                    * kernel.networks(
                        *(e.first, e.members, e.masks, e.values / COLD, np.zeros_like(e.lists)),
                        *(np.zeros((self.n + 1, self.n, 1)), own),
                    )[0]
                )
                if value > reached + EQUAL:
                    reached, lists[w], idle = value, number, 0
            if idle >= self.n:
                break
        if reached > self.score:
            self.score, self.lists = reached, lists[:-1]

    def _divided(self, part: _Branch) -> list[_Branch]:
        """Divide a part by the order of two variables, if arcs both ways may be in it, or by a threshold of one."""
        both = np.minimum(part.arcs[:-1], part.arcs[:-1].T)
        both[part.earlier | part.earlier.T] = -np.inf
        if both.max() > -np.inf:
            pair, one = np.unravel_index(both.argmax(), both.shape), np.eye(self.n, dtype=bool)
            return [
                replace(part, earlier=part.earlier | np.outer(part.earlier[:, a] | one[a], part.earlier[b] | one[b]))
                for a, b in (pair, pair[::-1])
            ]
        w = part.allowed.sum(axis=1).argmax()
        there = np.flatnonzero(part.allowed[w])
        if len(there) == 1:  # the climb found all that is left
            return []
        shares = self.columns[w].has[there].mean(axis=0)
        held = there[self.columns[w].has[there, np.abs(shares - 0.5).argmin()]]
        halves = []
        for half in (held, np.setdiff1d(there, held)):
            allowed = part.allowed.copy()
            allowed[w] = np.isin(np.arange(allowed.shape[1]), half)
            halves.append(replace(part, allowed=allowed, entries=part.entries.among(allowed)))
        return halves


def certify(
    values: Any,
    score: Score,
    *,
    candidates: AtLeast1 | Sequence[np.ndarray] = 12,
    max_levels: AtLeast1 = 3,
    max_parents: AtLeast0 = 2,
    ess: AboveZero = 1.0,
    seconds: NotNegative = 60.0,
    discrete: Sequence[str] = (),
    continuous: Sequence[str] = (),
) -> Certified:
    """Return the graph and thresholds with the highest score of all, and a proof or the gap that is left.

    Of all are those graphs in which a variable has at most `max_parents` parents, and those lists of at most
    `max_levels` levels whose thresholds are among the candidates. Discrete columns keep their levels.

    Args:
        values: [N, n] array or data frame of at most 8 columns, none with missing cells.
        score: "steck", "friedman" (minus the description length) or "monti_total", each as in `policy_score`. The sum
            that the method of Monti raises, "monti", counts a family once for each member, which rewards no edge.
        candidates: how many thresholds each variable may choose from, of equal frequency; or a sorted array of them for
            each variable.
        max_levels, max_parents: see above. Time grows with the lists of a variable to the power of max_parents + 1.
        ess: equivalent sample size of BDeu, for "steck" and "monti_total".
        seconds: CPU time after which the proof stops; the scores of the families, some seconds, come in any case.
        discrete, continuous: see `learn`.

    Returns:
        A `Learned` with `score`, `bound`, `gap` and `nodes`: with gap 0 nothing is better by more than 1e-6 nats.

    Raises:
        InputError: for more than 8 variables, missing cells, an unknown score or a wrong option.

    Examples:
        >>> best = certify(values, "steck", candidates=4)
        >>> best.gap, int(best.dag.sum(axis=0).max()) <= 2
        (0.0, True)
    """
    end = time.process_time() + seconds
    given = {"max_levels": max_levels, "max_parents": max_parents, "ess": ess, "seconds": seconds, "score": score}
    check_options(signature(certify, eval_str=True).parameters, given, "certify")
    check_ess(ess, MOST_ESS)
    table = read_table(values, discrete, continuous)
    cuts = _candidates(table.values, table.discrete, candidates)
    parts = zip(table.values.T, cuts, table.discrete, strict=True)
    columns = [_Choices.of(x, own, max_levels, bool(kept)) for x, own, kept in parts]
    _check_size(columns, max_parents := min(max_parents, len(columns) - 1))
    families = _FamilyScores(table.values, table.discrete, columns, score, ess)
    proof = _Proof(columns, _Entries.of(families, max_parents), end)
    bound = proof.run()
    thresholds = [column.cuts[column.has[k]] for column, k in zip(columns, proof.lists, strict=True)]
    codes, levels = encode(table.values, thresholds), cardinalities(thresholds)
    of_codes = mdl(codes, levels) if score == "friedman" else bdeu(codes, levels, ess=ess)
    dag = exact(of_codes, max_parents=max_parents).dag
    return Certified(
        cpdag=cpdag(dag),
        dag=dag,
        thresholds=Thresholds(thresholds, table.variables if table.named else None, table.levels),
        score=float(proof.score),
        bound=float(bound),
        nodes=proof.nodes,
        variables=list(table.variables),
    )


def _candidates(values: np.ndarray, discrete: np.ndarray, candidates: int | Sequence[np.ndarray]) -> list[np.ndarray]:
    """Return the sorted candidates of each variable."""
    n = values.shape[1]
    if n > MOST_VARIABLES:
        raise InputError(f"certify: {n} variables, and {MOST_VARIABLES} are the most; choose some of them")
    if isinstance(candidates, int):
        return equal_frequency(values, discrete, bins=candidates + 1)
    if len(candidates) != n:
        raise InputError(f"candidates: {len(candidates)} lists for {n} variables")
    lists = [checked_cuts(cuts, f"candidates: list {i + 1}") for i, cuts in enumerate(candidates)]
    parts = zip(values.T, discrete, lists, strict=True)
    return [discrete_thresholds(x) if kept else cuts for x, kept, cuts in parts]


def _check_size(columns: Sequence[_Choices], max_parents: int) -> None:
    """Refuse what would need too much memory."""
    families = len(columns) * math.comb(len(columns) - 1, max_parents)
    size = 40 * families * math.prod(sorted(len(column.has) for column in columns)[-1 - max_parents :])
    check_memory("certify: the scores of families", size, "set candidates, max_levels or max_parents lower", MEMORY_MB)
