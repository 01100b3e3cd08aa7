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
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, reduce
from inspect import signature
from typing import Any, Literal, NamedTuple, Self

import numpy as np
from scipy.optimize import minimize
from scipy.special import gammaln, xlogy

from cutpoint.base.checking import check_options
from cutpoint.base.errors import InputError
from cutpoint.data.frames import read_table
from cutpoint.discretization.encoding import discrete_thresholds, encode
from cutpoint.discretization.greedy import SortedColumns
from cutpoint.discretization.objectives import MOST_ESS, log_density, thresholds_length
from cutpoint.discretization.thresholds import Thresholds
from cutpoint.graphs.patterns import cpdag
from cutpoint.kernels import joint as kernel
from cutpoint.learners.learned import Learned
from cutpoint.learners.scores import check_ess
from cutpoint.learners.sizes import check_memory
from cutpoint.options import AboveZero, AtLeast0, AtLeast1, NotNegative

MOST_VARIABLES = 8
EQUAL = 1e-6  # scores nearer than this, in nats, are equal
ROOT, BRANCH = (0.5, 0.25, 0.12, 0.05), (0.12, 0.04)  # temperatures, nats: a lower one is nearer to the bound, and slow
COLD, STEPS = 1e-8, 30  # at which sums are the highest values; of the multipliers at each temperature
ENTRY_BYTES, MEMORY_MB = 40, 4000.0

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
    """All lists of some number of levels: int64 [lists, levels], rows of `bins`, (from, to)."""

    lists: slice
    levels: int
    bins: np.ndarray
    places: np.ndarray


class _Column(NamedTuple):
    """A variable: its records' bins, int64 [N], between candidate cuts, float64 [B]; which a list has, bool [L, B].

    own: float64 [L], the term of the score that depends on the variable alone.
    """

    bins: np.ndarray
    cuts: np.ndarray
    has: np.ndarray
    own: np.ndarray
    groups: list[_Group]

    @classmethod
    def of(cls, x: np.ndarray, cuts: np.ndarray, most: int, discrete: bool, score: Score) -> Self:
        """Return all lists of at most `most` levels, or the only one of a discrete column."""
        has, groups = np.zeros((0, len(cuts)), bool), []
        for size in [len(cuts)] if discrete else range(min(most - 1, len(cuts)) + 1):
            choices = list(itertools.combinations(range(len(cuts)), size))
            chosen = np.array(choices, np.int64).reshape(len(choices), size)
            edges = np.pad(chosen + 1, ((0, 0), (1, 1)), constant_values=((0, 0), (0, len(cuts) + 1)))
            pairs = np.stack([edges[:, :-1], edges[:, 1:]], axis=-1).reshape(-1, 2)
            bins, places = np.unique(pairs, axis=0, return_inverse=True)
            groups.append(_Group(slice(len(has), len(has) + len(chosen)), size + 1, bins, places.reshape(-1, size + 1)))
            has = np.vstack([has, (chosen[:, :, None] == np.arange(len(cuts))).any(axis=1)])
        own = np.array([_own_term(x, cuts[held], discrete, score) for held in has])
        return cls(encode(x[:, None], [cuts])[:, 0].astype(np.int64), cuts, has, own, groups)


def _own_term(x: np.ndarray, cuts: np.ndarray, discrete: bool, score: Score) -> float:
    counts = np.bincount(np.searchsorted(cuts, x, side="right"), minlength=len(cuts) + 1)
    if score == "friedman":
        length = 0.0 if discrete else thresholds_length(len(np.unique(x)), len(counts))
        return float(xlogy(len(x), len(x)) - xlogy(counts, counts).sum() - np.log(len(counts)) - length)
    if discrete:
        return 0.0
    return log_density(x, cuts) if score == "monti_total" else -float(gammaln(counts).sum())


class _Families:
    """The scores of families by the lists of their members."""

    def __init__(self, columns: Sequence[_Column], score: Score, ess: float):
        self.columns, self.friedman, self.rows = columns, score == "friedman", len(columns[0].bins)
        counts = np.arange(self.rows + 1)
        self.terms: Callable[[int], np.ndarray] = cache(
            lambda cells: (
                xlogy(counts, counts) if self.friedman else gammaln(ess / cells + counts) - gammaln(ess / cells)
            )
        )

    def score(self, child: int, parents: tuple[int, ...]) -> np.ndarray:
        """Return the score of a family, float64 [L, ..., L], the child last."""
        values = self._sums((*parents, child)) - self._sums(parents)[..., None] + self.columns[child].own
        if self.friedman:
            levels = [1 + self.columns[v].has.sum(axis=1) for v in (*parents, child)]
            parameters = reduce(np.multiply.outer, [*levels[:-1], levels[-1] - 1])
            values -= 0.5 * np.log(self.rows) * parameters + (1 + len(parents)) * np.log(len(self.columns))
        return values

    def _sums(self, members: tuple[int, ...]) -> np.ndarray:
        """Return the sum of the terms of all cells of some variables by their lists, float64 [L, ..., L]."""
        if not members:
            return self.terms(1)[self.rows]
        columns = [self.columns[v] for v in members]
        sizes = [len(column.cuts) + 1 for column in columns]
        cells = np.ravel_multi_index([column.bins for column in columns], sizes)
        below = np.bincount(cells, minlength=math.prod(sizes)).reshape(sizes)
        for axis in range(len(members)):
            below = np.insert(np.cumsum(below, axis=axis), 0, 0, axis=axis)
        sums = np.empty([len(column.own) for column in columns])
        for groups in itertools.product(*(column.groups for column in columns)):
            part = below
            for axis, group in enumerate(groups):
                part = part.take(group.bins[:, 1], axis) - part.take(group.bins[:, 0], axis)
            part = self.terms(math.prod(group.levels for group in groups))[part]
            for axis, group in enumerate(groups):
                part = reduce(np.add, [part.take(level, axis) for level in group.places.T])
            sums[tuple(group.lists for group in groups)] = part
        return sums


@dataclass
class _Entries:
    """The choices of lists of all families that may be in a best network; see `cutpoint.kernels.joint`."""

    first: np.ndarray
    members: np.ndarray
    masks: np.ndarray
    values: np.ndarray
    lists: np.ndarray

    @classmethod
    def of(cls, families: _Families, most: int) -> Self:
        """Score all families of at most `most` parents; leave out what is no better without some parent."""
        n, best = len(families.columns), dict[tuple[int, ...], np.ndarray]()
        members, values, lists = [], [], []
        for size, child in itertools.product(range(most + 1), range(n)):
            for parents in itertools.combinations([i for i in range(n) if i != child], size):
                scores = families.score(child, parents)
                smaller = [best[child, *parents[:k], *parents[k + 1 :]] for k in range(size)]
                lower = reduce(np.maximum, [np.expand_dims(s, k) for k, s in enumerate(smaller)], np.array(-np.inf))
                if size < most:
                    best[child, *parents] = np.maximum(scores, lower)
                better = scores > lower + EQUAL / 100
                places = np.argwhere(better)
                members.append([child, *parents, *[n] * (most - size)])
                values.append(scores[better])
                lists.append(np.zeros((len(places), most + 1), np.int16))
                lists[-1][:, 0], lists[-1][:, 1 : size + 1] = places[:, -1], places[:, :-1]
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
class _Part:
    """Networks of some entries and lists, bool [n + 1, L], in some orders: earlier[i, j] where i is before j.

    multipliers: float64 [n, n, L]; bound: of their scores. After `_Proof.bounded` of the highest network that the
    multipliers leave: the list of each variable, int64 [n]; reach: by child and parent, float64 [n, n], the highest
    bound with this arc.
    """

    entries: _Entries
    allowed: np.ndarray
    earlier: np.ndarray
    multipliers: np.ndarray
    bound: float = np.inf
    lists: np.ndarray | None = None
    reach: np.ndarray | None = None


class _Proof:
    """Branch and bound; `score`, `dag` and `lists` are the best network so far."""

    def __init__(self, columns: Sequence[_Column], entries: _Entries, end: float):
        self.columns, self.end, self.n = columns, end, len(columns)
        most = max(len(column.own) for column in columns)
        allowed = np.arange(most) < np.array([*(len(column.own) for column in columns), 1])[:, None]
        order, none = np.zeros((self.n, self.n), bool), np.zeros((self.n, self.n, most))
        self.whole = _Part(entries, allowed, order, none)
        self.inside = (np.arange(1 << self.n)[:, None] >> np.arange(self.n) & 1).astype(float)
        self.score, self.dag, self.lists, self.nodes = -np.inf, order, np.zeros(self.n, np.int64), 0
        self.climbed = set[bytes]()

    def run(self) -> float:
        """Return the proven upper bound of the scores."""
        self.climb(np.array([len(column.own) // 2 for column in self.columns]))
        heap: list[tuple[float, int, _Part]] = []
        parts, heats = [self.whole], ROOT
        while True:
            for part in parts:
                self.nodes += 1
                if self.bounded(part, heats):
                    heapq.heappush(heap, (-part.bound, self.nodes, part))
            if not heap or -heap[0][0] <= self.score + EQUAL:
                return self.score
            if time.process_time() > self.end:
                return -heap[0][0]
            part, heats = heapq.heappop(heap)[-1], BRANCH
            self.climb(part.lists)
            parts = self._divided(part)

    def bounded(self, part: _Part, heats: Sequence[float]) -> bool:
        """Lower the bound of a part by multipliers, and its entries; return whether a better network may be in it."""
        for heat in (COLD, *heats) if part.reach is None else heats:
            if heat > COLD:
                part.multipliers = self._smoothed(part, heat)
            total, through, placed, _, _ = self._networks(part, COLD)
            part.bound = min(part.bound, total * COLD)
            if part.bound <= self.score + EQUAL:
                return False
            part.lists = placed.sum(axis=1).argmax(axis=1)
            rows = through * COLD > self.score + EQUAL
            part.entries, through = part.entries.kept(rows), through[rows]
            first, members = part.entries.first, part.entries.members
            there = np.zeros_like(part.allowed)
            there[self.n, 0] = there[np.repeat(members[:, 0], np.diff(first)), part.entries.lists[:, 0]] = True
            part.allowed = part.allowed & there
            part.reach = np.full((self.n, self.n + 1), -np.inf)
            highest = np.maximum.reduceat(through, first[:-1])[:, None]
            np.maximum.at(part.reach, (members[:, :1], members[:, 1:]), highest)
            if time.process_time() > self.end:
                break
        return True

    def _networks(self, part: _Part, heat: float) -> tuple[Any, ...]:
        """Return what `kernel.networks` does at a temperature, and the shares of lists of variables without effect."""
        n, inside, e = self.n, self.inside, part.entries
        copies = np.zeros((n + 1, n, part.allowed.shape[1]))
        copies[:n] = part.multipliers / heat
        copies[~np.broadcast_to(part.allowed[:, None], copies.shape)] = -np.inf
        with np.errstate(invalid="ignore"):  # of -inf and -inf
            highest = np.logaddexp.reduce(copies, axis=2)
        highest[np.arange(n), np.arange(n)] = 0.0
        copies -= highest[..., None]
        own = (inside @ highest[:n]).T[..., None] - (1 - inside) @ part.multipliers / heat
        own[(inside + (1 - inside) @ part.earlier > 0).T] = -np.inf
        found = kernel.networks(e.first, e.members, e.masks, e.values / heat, e.lists, copies, own)
        return *found, np.exp(copies[:n])

    def _smoothed(self, part: _Part, heat: float) -> np.ndarray:
        """Return multipliers that make the bound at a temperature low."""

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

    def climb(self, lists: np.ndarray) -> None:
        """Choose the list of one variable after the other, each with the best graph; remember the best network."""
        if lists.tobytes() in self.climbed:
            return
        self.climbed.add(lists.tobytes())
        lists, reached, idle = np.append(lists, 0), -np.inf, 0
        for w in itertools.cycle(range(self.n)):
            allowed = np.arange(self.whole.allowed.shape[1]) == lists[:, None]
            allowed[w] = self.whole.allowed[w]
            some, idle = self.whole.entries.among(allowed), idle + 1
            for e in np.flatnonzero(allowed[w]):
                tried = np.where(np.arange(self.n + 1) == w, e, lists)
                value, dag = self._best_graph(some, tried)
                if value > reached + EQUAL:
                    reached, lists, idle = value, tried, 0
                    if value > self.score:
                        self.score, self.lists, self.dag = value, tried[:-1], dag()
            if idle >= self.n:
                break

    def _best_graph(self, entries: _Entries, lists: np.ndarray) -> tuple[float, Callable[[], np.ndarray]]:
        """Return the score of the best graph under lists of all variables, int64 [n + 1], and what makes the graph."""
        e = entries.among(np.arange(self.whole.allowed.shape[1]) == lists[:, None])
        own = np.where(self.inside.T > 0, -np.inf, 0.0)[..., None]
        none = np.zeros((self.n + 1, self.n, 1))
        total, _, placed, _ = kernel.networks(
            e.first, e.members, e.masks, e.values / COLD, np.zeros_like(e.lists), none, own
        )

        def dag() -> np.ndarray:
            before, found = 0, np.zeros_like(self.dag)
            for _ in range(self.n):
                j = int(placed[:, before, 0].argmax())
                fits = (e.members[:, 0] == j) & (e.masks & ~before == 0)
                found[:, j] = e.masks[np.where(fits, e.values, -np.inf).argmax()] >> np.arange(self.n) & 1
                before |= 1 << j
            return found

        return total * COLD, dag

    def _divided(self, part: _Part) -> list[_Part]:
        """Divide a part by the order of two variables, where arcs both ways reach most, or by a threshold of one."""
        ways = np.minimum(part.reach[:, :-1], part.reach[:, :-1].T)
        ways[part.earlier | part.earlier.T] = -np.inf
        if ways.max() > -np.inf:
            a, b = np.unravel_index(ways.argmax(), ways.shape)
            return [replace(part, earlier=_with(part.earlier, *pair)) for pair in ((a, b), (b, a))]
        w = int(part.allowed.sum(axis=1).argmax())
        there = np.flatnonzero(part.allowed[w])
        if len(there) < 2:
            return []
        has = self.columns[w].has[there]
        held = has[:, np.abs(has.mean(axis=0) - 0.5).argmin()]
        divided = []
        for half in (there[held], there[~held]):
            allowed = part.allowed.copy()
            allowed[w] = np.isin(np.arange(allowed.shape[1]), half)
            divided.append(replace(part, allowed=allowed, entries=part.entries.among(allowed)))
        return divided


def _with(earlier: np.ndarray, a: int, b: int) -> np.ndarray:
    """Return an order of some variables in which a is before b too, and what is before a before what is after b."""
    at = np.arange(len(earlier))
    return earlier | np.outer(earlier[:, a] | (at == a), earlier[b] | (at == b))


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
        candidates: how many thresholds each variable may choose from, evenly spaced by rank among its distinct values,
            or a sorted array of them for each variable.
        max_levels, max_parents: see above. Time grows with the lists of a variable to the power of max_parents + 1.
        ess: equivalent sample size of BDeu, for "steck" and "monti_total".
        seconds: CPU time after which the proof stops; the scores of the families, some seconds, come in any case.
        discrete, continuous: see `learn`.

    Returns:
        A `Learned` with `score`, `bound`, `gap` and `nodes`: with gap 0 nothing is better by more than 1e-6 nats.

    Raises:
        InputError: for more than 8 variables, missing cells, an unknown score or a wrong option.
    """
    end = time.process_time() + seconds
    given = {"max_levels": max_levels, "max_parents": max_parents, "ess": ess, "seconds": seconds}
    check_options(signature(certify, eval_str=True).parameters, {"score": score, **given}, "certify")
    check_ess(ess, MOST_ESS)
    table = read_table(values, discrete, continuous)
    candidate_cuts = _candidates(table.values, table.discrete, candidates)

    columns = [
        _Column.of(x, cuts, max_levels, bool(kept), score)
        for x, cuts, kept in zip(table.values.T, candidate_cuts, table.discrete, strict=True)
    ]
    _check_memory(columns, max_parents)
    proof = _Proof(columns, _Entries.of(_Families(columns, score, ess), min(max_parents, len(columns) - 1)), end)
    bound = proof.run()
    cuts = [column.cuts[column.has[k]] for column, k in zip(columns, proof.lists, strict=True)]
    return Certified(
        cpdag=cpdag(proof.dag),
        dag=proof.dag,
        thresholds=Thresholds(cuts, table.variables if table.named else None, table.levels),
        score=float(proof.score),
        bound=float(bound),
        nodes=proof.nodes,
        variables=list(table.variables),
    )


def _candidates(values: np.ndarray, discrete: np.ndarray, candidates: int | Sequence[np.ndarray]) -> list[np.ndarray]:
    """Return the sorted candidates of each variable, no two of them between the same values."""
    n, there = values.shape[1], SortedColumns(values, discrete)
    if n > MOST_VARIABLES:
        raise InputError(f"certify: {n} variables, and {MOST_VARIABLES} are the most; choose some of them")
    if not isinstance(candidates, int) and len(candidates) != n:
        raise InputError(f"candidates: {len(candidates)} lists for {n} variables")
    chosen = []
    for i in range(n):
        if discrete[i]:
            chosen.append(discrete_thresholds(values[:, i]))
        elif isinstance(candidates, int):
            places = there.candidates(i)
            inner = np.linspace(-1, len(places), min(candidates, len(places)) + 2)[1:-1]
            chosen.append(there.cuts(i, places[np.unique(np.rint(inner).astype(int))]))
        else:
            x, cuts = there.sorted(i), np.asarray(candidates[i], float)
            cuts = cuts[(x[0] < cuts) & (cuts <= x[-1])]
            chosen.append(cuts[np.unique(np.searchsorted(x, cuts), return_index=True)[1]])
    return chosen


def _check_memory(columns: Sequence[_Column], max_parents: int) -> None:
    """Refuse what would need too much memory."""
    sizes = sorted((len(column.own) for column in columns), reverse=True)[: 1 + max_parents]
    families = math.comb(len(columns) - 1, len(sizes) - 1) * len(columns)
    advice = "set candidates, max_levels or max_parents lower"
    check_memory("certify: the scores of families", ENTRY_BYTES * families * math.prod(sizes), advice, MEMORY_MB)
