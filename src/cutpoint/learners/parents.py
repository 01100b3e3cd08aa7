"""Candidate parent sets of every variable with their scores, the input of searches over orders.

Sets are enumerated level by level. A set is dropped when a subset scores at least as well, which no order
can need (Teyssier and Koller 2005; Maua 2018, 7.4), and it is not even scored, nor is any set above it, when
an upper bound of all their scores is no better than a subset (de Campos and Ji 2011):

- penalised likelihoods: the likelihood term is at most 0 and penalties grow with the set, so that no set
  above S scores more than minus the penalty of S;
- BDeu and K2: the first record of a parent configuration has probability 1 / r, those after it at most 1,
  so that no set above S scores more than -K ln r, K the observed configurations of S.

A discrete family is a difference of two sums over cells, that of the child and its parents less that of
the parents alone, so that every set of variables is counted once for all families that it occurs in.
"""

from dataclasses import dataclass
from math import comb

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.kernels import counting
from cutpoint.kernels import subsets as kernel
from cutpoint.knowledge.arcs import Arcs, any_arcs
from cutpoint.learners.scores import DiscreteScore, LocalScore
from cutpoint.learners.sizes import check_memory, megabytes, memory
from cutpoint.options import AboveZero, AtLeast0

_TABLE = 1 << 18  # entries of the table of terms; higher counts are rare and computed
_CALLS = 1_000_000  # families of a score without bounds, each of which is called
MEMORY_MB = 4000.0


@dataclass(frozen=True)
class ParentSets:
    """Parent sets of all variables, those of variable i in rows first[i] .. first[i + 1] - 1.

    The best comes first; sets that are nearer than the epsilon of the score are equal, and the smaller one comes first.
    The empty set is there where no parents are required, else the set of these.
    """

    first: np.ndarray  # int64 [n + 1]
    masks: np.ndarray  # uint64 [sets, ceil(n / 64)], bit j of word w is variable 64 w + j
    scores: np.ndarray  # float64 [sets]
    calls: int  # families up to the limit, sum of n C(n - 1, k)
    evaluations: int  # families that were scored

    @property
    def n(self) -> int:
        """Return the number of variables."""
        return len(self.first) - 1

    def parents(self, row: int) -> np.ndarray:
        """Return the members of one set in increasing order, int64."""
        return np.flatnonzero(np.unpackbits(self.masks[row].astype("<u8").view(np.uint8), bitorder="little"))


def candidate_parents(
    score: LocalScore, *, max_parents: AtLeast0 | None = 3, memory_mb: AboveZero = MEMORY_MB, arcs: Arcs | None = None
) -> ParentSets:
    """Return the parent sets that the best graph of some order may need, with their scores.

    Sets count as equal when they are nearer than the `epsilon` of the score; with knowledge of arcs a set holds all
    parents that are required and none that is forbidden. memory_mb: what the enumeration may hold at once.
    """
    n = score.n
    limit = max(min(any_arcs(n, arcs).limit(max_parents), n - 1), 0)
    _check_memory(n, limit, memory_mb)
    if isinstance(score, DiscreteScore):
        rows, levels = len(score.codes), int(score.cardinalities.max(initial=1))
        advice = "take fewer records, merge levels, or raise memory_mb"
        check_memory(f"codes: {rows} records with up to {levels} levels", 12 * rows * levels, advice, memory_mb)
    families: _Families | _DiscreteFamilies = _Families(score)
    if isinstance(score, DiscreteScore) and score.kind != counting.FNML:
        families = _DiscreteFamilies(score)
    binomial = np.array([[comb(a, b) for b in range(limit + 2)] for a in range(n + 1)], np.int64)
    sets = kernel.subsets(n, 0)
    best = np.full((1, n), -np.inf)  # of the subsets; infinite where a set is not a candidate
    candidates, evaluations = [], 0
    for size in range(limit + 1):
        rows = kernel.supersets(sets, n, binomial)
        above = kernel.subsets(n, size + 1)
        is_open = best < np.inf
        scores = families.score(sets, rows, above, is_open)
        evaluations += int(is_open.sum())
        if arcs is not None:
            # what lacks a required parent is no candidate itself, and rules no larger set out
            scores = np.where(arcs.required[sets].sum(axis=1) < arcs.required.sum(axis=0), -np.inf, scores)
        kept = scores > best + score.epsilon if size else is_open & (scores > -np.inf)
        where, children = np.nonzero(kept)
        candidates.append((children, _masks(sets[where], n), scores[where, children]))
        np.maximum(best, scores, out=best, where=kept)
        if size == limit:
            break
        best = kernel.best_below(above, best, binomial)
        if arcs is not None:
            best[~arcs.allowed[above].all(axis=1)] = np.inf
        families.close(above, best, score.epsilon)
        if not (best < np.inf).any():
            break
        sets = above
    calls = sum(n * comb(n - 1, size) for size in range(limit + 1))
    children, masks, values = map(np.concatenate, zip(*candidates, strict=True))
    order = best_first(children, values, score.epsilon)
    first = np.searchsorted(children[order], np.arange(n + 1))
    return ParentSets(first, masks[order], values[order], calls, evaluations)


def best_first(children: np.ndarray, scores: np.ndarray, epsilon: float) -> np.ndarray:
    """Return the order by child and falling score, int64; scores nearer than epsilon stand as they came."""
    order = np.lexsort((-scores, children))
    group = kernel.tie_groups(children[order], scores[order], epsilon)
    return order[np.argsort(group * len(order) + order)]


def most_parents(score: LocalScore, memory_mb: float = MEMORY_MB) -> int:
    """Return up to how many parents all sets fit, at least 2; for a score without bounds those of a minute."""
    n = score.n
    bounded = isinstance(score, DiscreteScore) and score.kind != counting.FNML
    size = 2
    while size < n - 1:
        calls = n * sum(comb(n - 1, k) for k in range(size + 2))
        if _needed(n, size + 1) > memory(memory_mb) or (not bounded and size >= 3 and calls > _CALLS):
            break
        size += 1
    return max(min(size, n - 1), 0)


def _needed(n: int, size: int) -> int:
    """Return the bytes of arrays over sets and children, and of what is held of each set counted one level up."""
    return 40 * n * comb(n, size) + (60 + 10 * size) * comb(n, size + 1)


def _check_memory(n: int, limit: int, memory_mb: float) -> None:
    most = memory(memory_mb)
    for size in range(limit + 1):
        if (needed := _needed(n, size)) > most:
            need = f"those with {size} need about {megabytes(needed)} MB and memory_mb is {memory_mb:g}"
            hint = f"max_parents {size - 1} would fit" if size else "not even 0 parents fit, raise memory_mb"
            raise InputError(f"max_parents: up to {limit} parents of {n} variables do not fit: {need}; {hint}")


def _masks(sets: np.ndarray, n: int) -> np.ndarray:
    masks = np.zeros((len(sets), max((n + 63) // 64, 1)), np.uint64)
    for member in sets.T.astype(np.int64):
        masks[np.arange(len(sets)), member >> 6] |= np.uint64(1) << (member & 63).astype(np.uint64)
    return masks


class _Families:
    """Families of any score, each from that of a set with one parent less and a gain."""

    def __init__(self, score: LocalScore):
        self.of = score
        self.scores = np.array([[score.family(child, ()) for child in range(score.n)]])

    def score(self, sets: np.ndarray, rows: np.ndarray, above: np.ndarray, is_open: np.ndarray) -> np.ndarray:
        """Return the score of each set as parents of each child, float64 [sets, n]; -inf where not open."""
        self.sets, self.rows = sets, rows
        return self.scores

    def close(self, above: np.ndarray, best: np.ndarray, epsilon: float) -> None:
        """Make `best` infinite where neither a set nor any above it can score more; here nowhere."""
        scores = np.full(best.shape, -np.inf)
        for members, rows, own in zip(self.sets, self.rows, self.scores, strict=True):
            below = members[-1] if members.size else self.of.n  # each set is reached from its higher members
            for child in np.flatnonzero(own > -np.inf).tolist() if below else ():
                gains = self.of.gains(child, members[::-1].astype(np.int64))
                scores[rows[:below], child] = own[child] + gains[:below]
        self.scores = scores


class _DiscreteFamilies:
    """Families of a score that is made of counts."""

    def __init__(self, score: DiscreteScore):
        self.of = score
        self.levels = score.cardinalities
        self.penalised = score.kind == counting.PENALISED
        self.column = np.zeros(score.n, np.int64)
        if score.kind == counting.K2:
            distinct, place = np.unique(self.levels, return_inverse=True)
            self.alphas, self.column = np.concatenate([[1.0], distinct]), place + 1
        self.terms, self.observed = self._count(kernel.subsets(score.n, 0), np.ones(1, bool))

    def score(self, sets: np.ndarray, rows: np.ndarray, above: np.ndarray, is_open: np.ndarray) -> np.ndarray:
        self.counted = np.zeros(len(above), bool)
        self.counted[rows[is_open]] = True
        self.above = self._count(above, self.counted)
        scores = self.above[0][rows, 0]
        scores -= self.terms[:, self.column]
        scores[~is_open] = -np.inf
        if self.penalised:
            return self.of.options[0] * scores - self._penalties(sets)
        return scores - self.of.options[-1] * sets.shape[1]

    def close(self, above: np.ndarray, best: np.ndarray, epsilon: float) -> None:
        if self.penalised:
            best[-self._penalties(above) <= best + epsilon] = np.inf
        missing = (best < np.inf).any(axis=1) & ~self.counted
        terms, observed = self._count(above, missing)
        self.terms, self.observed = self.above[0] + terms, self.above[1] + observed
        if not self.penalised:
            best[-self.observed[:, None] * np.log(self.levels) <= best + epsilon] = np.inf

    def _count(self, sets: np.ndarray, needed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the sums over the cells of each set, float64 [sets, columns], and the observed cells of each."""
        of, row = self.of, np.zeros((len(sets), 1), np.int64)
        if of.kind == counting.K2:
            alphas = self.alphas
            row = np.repeat(np.arange(alphas.size)[None], len(sets), axis=0)
        elif self.penalised:
            alphas = np.ones(1)
        else:
            alphas, row[:, 0] = np.unique(of.options[0] / self._configurations(sets), return_inverse=True)
        how = kernel.BY_LOGARITHM if self.penalised else kernel.BY_LGAMMA
        length = min(len(of.codes) + 1, max(_TABLE // alphas.size, 16))
        table = kernel.cell_terms(how, alphas, length)
        return kernel.count_sets(of.codes, self.levels, sets, needed, how, alphas, table, row)

    def _configurations(self, sets: np.ndarray) -> np.ndarray:
        """Return the nominal number of configurations of each set, float64 [sets]."""
        return self.levels[sets].prod(axis=1, dtype=float)

    def _penalties(self, sets: np.ndarray) -> np.ndarray:
        """Return what each set of parents costs each child, float64 [sets, n]."""
        _, parameter, parent, level, root, full, arc = self.of.options
        size = sets.shape[1]
        free = self._configurations(sets)[:, None] * (self.levels - 1 + full) * (size > 0 or root)
        return parameter * free + parent * (1 + size) + level * np.log(self.levels) + arc * size
