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
from typing import Any, NamedTuple, Self

import numpy as np
from scipy.optimize import minimize

from cutpoint.base.errors import InputError
from cutpoint.base.text import suggest
from cutpoint.discretization.class_criteria import log_rising
from cutpoint.discretization.encoding import cardinalities, encode, encode_column
from cutpoint.discretization.objectives import policy_score
from cutpoint.graphs.patterns import cpdag
from cutpoint.kernels import joint as kernel
from cutpoint.learners.complexity import m_ln_m
from cutpoint.learners.learned import Learned
from cutpoint.learners.order import exact
from cutpoint.learners.scores import bdeu, check_ess, mdl
from cutpoint.learners.sizes import check_memory

SIGNS = {"friedman": -1, "monti_total": 1, "steck": 1}  # scores of `policy_score`, so that higher is better
MOST_VARIABLES, MEMORY_MB = 8, 4000.0
EQUAL = 1e-6  # scores nearer than this, in nats, are equal
ROOT, BRANCH = (1.0, 0.5, 0.2, 0.1), (0.12, 0.04)  # temperatures, nats: lower ones are nearer to the bound, and slow
COLD, STEPS = 1e-8, 20  # at which sums are the highest values; of the multipliers at each temperature


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
    def of(cls, x: np.ndarray, cuts: np.ndarray, discrete: bool, most: int) -> Self:
        """Return all lists of at most `most` levels, or the only one of a discrete column."""
        has, groups, count = np.zeros((0, len(cuts)), bool), [], len(cuts)
        for size in [count] if discrete else range(min(most - 1, count) + 1):
            chosen = np.array([np.isin(range(count), c) for c in itertools.combinations(range(count), size)], bool)
            edges = np.pad(chosen, ((0, 0), (1, 1)), constant_values=True).nonzero()[1].reshape(-1, size + 2)
            pairs = np.stack([edges[:, :-1], edges[:, 1:]], axis=-1).reshape(-1, 2)
            bins, levels = np.unique(pairs, axis=0, return_inverse=True)
            groups.append(_Group(slice(len(has), len(has) + len(chosen)), bins, levels.reshape(-1, size + 1)))
            has = np.vstack([has, chosen])
        return cls(encode_column(x, cuts).astype(np.int64), cuts, has, groups)


class _FamilyScores:
    """The scores of families by the lists of their members."""

    def __init__(self, values: np.ndarray, discrete: np.ndarray, columns: Sequence[_Choices], score: str, ess: float):
        self.columns, self.friedman, self.ess, self.rows = columns, score == "friedman", ess, len(values)
        objective = partial(policy_score, dag=np.zeros((1, 1)), name=score, ess=ess)
        self.own = []  # the term of each variable alone by its list
        for i, c in enumerate(columns):
            scores = [objective(values[:, [i]], [c.cuts[held]], discrete=discrete[[i]]) for held in c.has]
            self.own.append(SIGNS[score] * np.array(scores) - self._sums((i,)))

    def scores(self, child: int, parents: tuple[int, ...]) -> np.ndarray:
        """Return the scores of a family, float64 [L, ..., L], by the lists of its parents and, last, of the child."""
        values = self._sums((*parents, child)) - self._sums(parents)[..., None] + self._sums(()) + self.own[child]
        if self.friedman:
            q = reduce(np.multiply.outer, [1 + self.columns[v].has.sum(axis=1) for v in parents], np.ones(()))
            parameters = (q - 1)[..., None] * self.columns[child].has.sum(axis=1)  # beyond those without parents
            values -= 0.5 * np.log(self.rows) * parameters + (1 + len(parents)) * np.log(len(self.columns))
        return values

    def _sums(self, members: tuple[int, ...]) -> np.ndarray:
        """Return the sums over all cells of some variables, float64 [L, ..., L]."""
        columns = [self.columns[v] for v in members]
        sizes = [1, *(len(column.cuts) + 1 for column in columns)]
        cells = np.ravel_multi_index([np.zeros(self.rows, int), *(column.bins for column in columns)], sizes)
        below = np.bincount(cells, minlength=math.prod(sizes)).reshape(sizes[1:])
        for axis in range(len(members)):
            below = np.insert(np.cumsum(below, axis=axis), 0, 0, axis=axis)
        sums = np.empty([len(column.has) for column in columns])
        for groups in itertools.product(*(column.groups for column in columns)):
            part = below
            for axis, group in enumerate(groups):
                part = part.take(group.bins[:, 1], axis) - part.take(group.bins[:, 0], axis)
            size = math.prod(group.levels.shape[1] for group in groups)
            part = (m_ln_m(self.rows) if self.friedman else log_rising(self.ess / size, self.rows))[part]
            for axis, group in enumerate(groups):
                part = reduce(np.add, [part.take(level, axis) for level in group.levels.T])
            sums[tuple(group.lists for group in groups)] = part
        return sums


class _Entries(NamedTuple):
    """The choices of lists of all families that may be in a best network; see `cutpoint.kernels.joint`."""

    members: np.ndarray
    masks: np.ndarray
    values: np.ndarray
    lists: np.ndarray

    @classmethod
    def of(cls, families: _FamilyScores, most: int) -> Self:
        """Score all families of at most `most` parents; leave out what is no better than without some parent."""
        n, best, parts = len(families.columns), dict[tuple[int, ...], np.ndarray](), []
        for size, child in itertools.product(range(most + 1), range(n)):
            for parents in itertools.combinations([i for i in range(n) if i != child], size):
                smaller = [best[child, *parents[:k], *parents[k + 1 :]] for k in range(size)]
                lower = reduce(np.maximum, [np.expand_dims(s, k) for k, s in enumerate(smaller)], np.array(-np.inf))
                scores = families.scores(child, parents)
                if size < most:
                    best[child, *parents] = np.maximum(scores, lower)
                chosen = np.array(np.nonzero(better := scores > lower + EQUAL / 100), np.int16)
                members = np.array([child, *parents, *[n] * (most - size)], np.int8)[:, None]
                lists = np.pad(np.roll(chosen, 1, axis=0), ((0, most - size), (0, 0)))
                masks = np.full(len(values := scores[better]), sum(1 << i for i in parents), np.int16)
                parts.append((members.repeat(len(values), axis=1), masks, values, lists))
        return cls(*(np.concatenate(each, axis=-1) for each in zip(*parts, strict=True)))

    def kept(self, rows: np.ndarray) -> "_Entries":
        """Return some of the entries, bool [E]."""
        return _Entries(*(part[..., rows] for part in self))

    def among(self, allowed: np.ndarray) -> "_Entries":
        """Return those with allowed lists alone, bool [n + 1, L]."""
        return self.kept(allowed[self.members, self.lists].all(axis=0))


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
        self._climb(self.whole, np.array([len(column.has) // 2 for column in self.columns]))
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

    def _bounded(self, part: _Branch, heats: Sequence[float]) -> bool:
        """Lower the bound of a part, leave out its useless entries, and return whether a better network may be left."""
        for heat in (COLD, *heats):
            part.multipliers = self._multipliers(part, heat) if heat > COLD else part.multipliers
            total, through, arcs, placed, *_ = self._networks(part, COLD)
            part.bound = min(part.bound, total * COLD)
            if part.bound <= self.score + EQUAL:
                return False
            rows = ~(through * COLD <= self.score + EQUAL)
            part.lists, part.entries = placed.sum(axis=1).argmax(axis=1), part.entries.kept(rows)
            part.arcs, used = np.where(arcs * COLD <= self.score + EQUAL, -np.inf, arcs), np.zeros_like(part.allowed)
            used[part.entries.members[0], part.entries.lists[0]] = used[self.n, 0] = True
            part.allowed = part.allowed & used
            if not part.allowed.any(axis=1).all():
                return False
        return True

    def _networks(self, part: _Branch, heat: float) -> tuple[Any, ...]:
        """Return what `kernel.networks` does at a temperature, and the shares of the lists that have no effect."""
        n, inside, outside, entries = self.n, self.inside, 1 - self.inside, part.entries
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
        found = kernel.networks(*entries._replace(values=entries.values / heat), copies, own)
        return *found, np.exp(copies[:n])

    def _multipliers(self, part: _Branch, heat: float) -> np.ndarray:
        """Return multipliers with a lower bound at a temperature."""

        def bound(flat: np.ndarray) -> tuple[float, np.ndarray]:
            now = replace(part, multipliers=flat.reshape(shape))
            total, _, _, placed, shares, free = self._networks(now, heat)
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
        copies, own = np.zeros((self.n + 1, self.n, 1)), np.where(self.inside.T > 0, -np.inf, 0.0)[..., None]
        for w in itertools.cycle(range(self.n)):
            allowed = np.arange(part.allowed.shape[1]) == lists[:, None]
            allowed[w] = part.allowed[w]
            some, idle = part.entries.among(allowed), idle + 1
            taken = np.where(some.members == w, some.lists, -1).max(axis=0)  # of w, -1 where it is no member
            for number in np.flatnonzero(allowed[w]):
                members, masks, values, one = some.kept((taken == number) | (taken < 0))
                value = COLD * kernel.networks(members, masks, values / COLD, np.zeros_like(one), copies, own)[0]
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
        has = self.columns[w].has[there]
        held = there[has[:, np.abs(has.mean(axis=0) - 0.5).argmin()]]
        halves = []
        for half in (held, np.setdiff1d(there, held)):
            allowed = part.allowed.copy()
            allowed[w] = np.isin(np.arange(allowed.shape[1]), half)
            halves.append(replace(part, allowed=allowed, entries=part.entries.among(allowed)))
        return halves


def best_network(
    values: np.ndarray,
    discrete: np.ndarray,
    candidates: Sequence[np.ndarray],
    score: str,
    *,
    max_levels: int,
    max_parents: int,
    ess: float,
    seconds: float,
) -> tuple[Learned, float, int]:
    """Return the best graph and thresholds, a bound that no others exceed, and how many parts were bounded for it.

    values, discrete: float64 [N, n] and bool [n]; candidates: sorted thresholds of each variable, of a discrete one
    those that keep its codes; score: of `SIGNS`; for the options see `cutpoint.certify`.
    """
    end, n = time.process_time() + seconds, len(discrete)
    check_ess(ess)  # as the search for the best graph does in the end
    if score not in SIGNS:
        raise InputError(f"certify: unknown score {score!r}{suggest(str(score), SIGNS)}")
    if n > MOST_VARIABLES:
        raise InputError(f"certify: {n} variables, and {MOST_VARIABLES} are the most; choose some of them")
    columns = [_Choices.of(*one, max_levels) for one in zip(values.T, candidates, discrete, strict=True)]
    _check_size(columns, max_parents := min(max_parents, n - 1))
    proof = _Proof(columns, _Entries.of(_FamilyScores(values, discrete, columns, score, ess), max_parents), end)
    bound = proof.run()
    thresholds = [column.cuts[column.has[k]] for column, k in zip(columns, proof.lists, strict=True)]
    codes, levels = encode(values, thresholds), cardinalities(thresholds)
    of_codes = mdl(codes, levels) if score == "friedman" else bdeu(codes, levels, ess=ess)
    dag = exact(of_codes, max_parents=max_parents).dag
    taken = time.process_time() - end + seconds
    learned = Learned(cpdag(dag), dag, thresholds=thresholds, score=float(proof.score), learn_seconds=taken)
    return learned, float(bound), proof.nodes


def _check_size(columns: Sequence[_Choices], max_parents: int) -> None:
    """Refuse what would need too much memory: the scores of all families, or the counts of one."""
    families = len(columns) * math.comb(len(columns) - 1, max_parents)
    counts = ((len(column.has), len(column.cuts) + 2) for column in columns)
    lists, bins = (math.prod(sorted(each)[-1 - max_parents :]) for each in zip(*counts, strict=True))
    size, advice = 40 * families * lists + 16 * bins, "set candidates, max_levels or max_parents lower"
    check_memory("certify: the scores of families", size, advice, MEMORY_MB)
