"""Decomposable scores of codes, integer [N, n], with cardinalities, int64 [n]; higher is always better.

``BDEU`` for searching (Heckerman, Geiger and Chickering 1995; Fu 2005, II.1), ``bic`` where few parents are wanted,
``fnml`` for what has neither a prior nor an asymptotic penalty, ``aic`` and ``ll`` for comparison, ``mdl`` for Tran's
tables, ``k2`` for history. A score object answers for families of one data set and is what every search takes.

All take ``arc_probability`` p, at most one half, of the prior of structures that has each arc alike (Mauá 2018, 5.7):
ln p(G) takes ln((1 - p) / p) per arc, and none at p = 1/2. Equivalent graphs have as many arcs.
"""

import math
from collections.abc import Sequence
from functools import cached_property
from typing import Protocol, Self, runtime_checkable

import numpy as np

from cutpoint.base.errors import InputError
from cutpoint.kernels import counting
from cutpoint.learners.mean_score import MeanScore
from cutpoint.learners.sizes import check_tables, counted
from cutpoint.options import AboveOne, AboveZero, ArcProbability, Parameters

Indices = Sequence[int] | np.ndarray
# Gains by child and parents, with the versions of all columns that they are of.
_Kept = dict[tuple[int, ...], tuple[np.ndarray, np.ndarray]]

# Below, the prior of a cell may vanish; above, rounding of ln Gamma comes near the least gain of a search.
_LEAST_ESS, _MOST_ESS = 1e-100, 1e6
# What cells of up to so many records add to a score is kept, for so many different priors; only speed depends on them.
_COUNTS, _PRIORS = 4096, 256
_TIE = 1e-6


class LocalScore(Protocol):
    """What a search needs of a score, see `network_score`; some have `rounding`, that of a gain, see `tie`."""

    n: int  # number of variables
    epsilon: float  # a search stops when no gain exceeds it

    def family(self, child: int, parents: Indices) -> float:
        """Return the score of a child with its parents."""

    def gains(self, child: int, parents: Indices) -> np.ndarray:
        """Return the gain of toggling each variable in the parents, float64 [n], -inf for the child."""


def tie(score: LocalScore) -> float:
    """Return the difference below which gains of a score are equal, so that graphs do not depend on the processor.

    Its linear algebra adds up in an order of its own. It is 1e-6, or the `rounding` of the score where that is more.
    """
    return max(_TIE, getattr(score, "rounding", 0.0))


class ValueScore:
    """What scores of values, float64 [N, n], without a discretization have in common."""

    values: np.ndarray
    has_units = True  # which the score of a variable without parents would tell

    def content(self, variable: int) -> bytes:
        """Return the values of a variable."""
        return self.values[:, variable].tobytes()


class DiscreteScore:
    """A score made of counts and a prior of structures; `kind` and `options` are those of `cutpoint.kernels.counting`.

    `looked_up` counts the gains that were looked up, those of the scores that it follows included.
    """

    epsilon = 1e-6

    def __init__(
        self, codes: np.ndarray, cardinalities: np.ndarray, kind: int, options: Sequence[float], arc_probability: float
    ):
        self.codes, self.cardinalities = counted(codes, cardinalities)
        check_tables(self.codes, self.cardinalities)
        self.n = self.codes.shape[1]
        self.kind, self.options = kind, np.array([*options, math.log((1 - arc_probability) / arc_probability)])
        self._how = kind, self.codes.shape, *self.options  # where it is equal, gains of equal codes are
        self.bits, self.first = counting.level_sets(self.codes, self.cardinalities)
        self._all = np.ones(self.n, bool)
        self._versions = np.zeros(self.n, np.int64)
        self._gains: _Kept | None = None
        self._gains_before: _Kept = {}
        self.looked_up = 0

    @cached_property
    def _terms(self) -> tuple[np.ndarray, np.ndarray]:
        return np.full(_PRIORS, np.nan), np.zeros((_PRIORS, min(len(self.codes) + 1, _COUNTS)))

    def family(self, child: int, parents: Indices) -> float:
        """Return the score of a child with its parents."""
        return counting.score_family(*self._family(child, parents))

    def gains(self, child: int, parents: Indices) -> np.ndarray:
        """Return the gain of toggling each variable in the parents, float64 [n], -inf for the child."""
        wanted, gains = self._all, None
        if self._gains is None:
            return counting.toggle_gains(*self._family(child, parents), wanted)
        family = (child, *np.sort(np.asarray(parents, np.int64)).tolist())
        kept = self._gains.get(family)
        if kept is not None:
            self.looked_up += self.n - 1
            return kept[1]
        kept = self._gains_before.get(family)
        if kept is not None and not (changed := kept[0] != self._versions)[[*family]].any():
            wanted, gains = changed, kept[1]
            self.looked_up += self.n - 1 - np.count_nonzero(wanted)
        if gains is None or wanted.any():
            fresh = counting.toggle_gains(*self._family(child, parents), wanted)
            gains = fresh if gains is None else np.where(wanted, fresh, gains)
        self._gains[family] = self._versions, gains
        return gains

    def follow(self, before: LocalScore | None) -> None:
        """Keep gains from now on, and look up those that an earlier score has kept, where the codes are the same.

        Besides the columns of `before` these are 8 n bytes for each call of `gains` of the two. What cells of so many
        records add is kept in one table by both.
        """
        self._gains = {}
        if not isinstance(before, DiscreteScore) or before._how != self._how:
            return
        same = [np.array_equal(one, other) for one, other in zip(self.codes.T, before.codes.T, strict=True)]
        same_levels = self.cardinalities == before.cardinalities
        self._versions = np.where(same & same_levels, before._versions, before._versions.max(initial=0) + 1)
        self._gains_before, self.looked_up = before._gains or {}, before.looked_up
        self._terms = before._terms

    def _family(self, child, parents):
        chosen = np.asarray(parents, np.int64)
        data = self.codes, self.bits, self.first, self.cardinalities
        return *data, child, chosen, self.kind, self.options, *self._terms

    def content(self, variable: int) -> bytes:
        """Return the codes and the number of levels of a variable, in bytes that compare as the numbers do."""
        return np.append(self.codes[:, variable], self.cardinalities[variable]).astype(">i4").tobytes()

    def reordered(self, order: np.ndarray) -> "Reordered":
        """Return the score of the same variables in another order, int64 [n]."""
        return Reordered(self, order)

    def mean_with(self, others: Sequence[Self]) -> MeanScore:
        """Return the mean of this score and those of other codes of the same variables, by one call of a kernel."""
        return MeanDiscreteScore([self, *others])


class MeanDiscreteScore(MeanScore):
    """The mean of scores of draws of codes, which are alike in all else; it looks nothing up."""

    looked_up = 0

    def __init__(self, scores: Sequence[DiscreteScore]):
        super().__init__(scores)
        self._draws = np.array([one.codes.T for one in scores]), np.array([one.bits for one in scores])

    def gains(self, child: int, parents: Indices) -> np.ndarray:
        """Return the mean gain of toggling each variable in the parents, float64 [n], -inf for the child."""
        first = self.scores[0]
        return counting.mean_gains(*self._draws, *first._family(child, parents)[2:], first._all)

    def reordered(self, order: np.ndarray) -> "Reordered":
        """Return the score of the same variables in another order, int64 [n]."""
        return Reordered(self, order)


class Reordered:
    """A score of counts whose variables stand in another order, int64 [n]; it keeps the gains that were asked for.

    Parents are counted in this order, so that sums are rounded alike wherever the columns of the score stand.
    """

    epsilon = DiscreteScore.epsilon

    def __init__(self, score: DiscreteScore | MeanDiscreteScore, order: np.ndarray):
        self.score, self.order, self.n = score, np.asarray(order, np.int64), len(order)
        self._gains: dict[tuple[int, ...], np.ndarray] = {}

    @property
    def looked_up(self) -> int:
        """How many gains were looked up, see `DiscreteScore`."""
        return self.score.looked_up

    def family(self, child: int, parents: Indices) -> float:
        """Return the score of a child with its parents."""
        return self.score.family(int(self.order[child]), self._columns(parents))

    def gains(self, child: int, parents: Indices) -> np.ndarray:
        """Return the gain of toggling each variable in the parents, float64 [n], -inf for the child."""
        family = (child, *np.asarray(parents, np.int64).tolist())
        if family not in self._gains:
            self._gains[family] = self.score.gains(int(self.order[child]), self._columns(parents))[self.order]
        return self._gains[family]

    def content(self, variable: int) -> bytes:
        """Return what `DiscreteScore.content` does."""
        return self.score.content(int(self.order[variable]))

    def reordered(self, order: np.ndarray) -> "Reordered":
        """Return the score of the same variables in another order, int64 [n]."""
        return Reordered(self.score, self.order[order])

    def _columns(self, parents: Indices) -> np.ndarray:
        return self.order[np.asarray(parents, np.int64)]


def bdeu(
    codes: np.ndarray, cardinalities: np.ndarray, *, ess: AboveZero = 1.0, arc_probability: ArcProbability = 0.5
) -> DiscreteScore:
    """Return the BDeu score with an equivalent sample size (Heckerman et al. 1995)."""
    check_ess(ess)
    return DiscreteScore(codes, cardinalities, counting.BDEU, [ess], arc_probability)


def check_ess(ess: float, most: float = _MOST_ESS) -> None:
    """Raise an InputError for an equivalent sample size that BDeu cannot be computed with."""
    if not _LEAST_ESS <= ess <= most:
        raise InputError(f"ess: an equivalent sample size from {_LEAST_ESS:g} to {most:g} is expected, got {ess}")


def k2(codes: np.ndarray, cardinalities: np.ndarray, *, arc_probability: ArcProbability = 0.5) -> DiscreteScore:
    """Return the K2 score: a uniform prior for every parent configuration (Cooper and Herskovits 1992)."""
    return DiscreteScore(codes, cardinalities, counting.K2, [], arc_probability)


def _penalised(
    codes, cardinalities, arc_probability, unit=1.0, parameter=0.0, parent=0.0, level=0.0, root=True, full=False
):
    options = [unit, parameter, parent, level, float(root), float(full)]
    return DiscreteScore(codes, cardinalities, counting.PENALISED, options, arc_probability)


def fnml(codes: np.ndarray, cardinalities: np.ndarray, *, arc_probability: ArcProbability = 0.5) -> DiscreteScore:
    """Return the factorised normalised maximum likelihood (Silander, Roos, Kontkanen and Myllymaki 2008).

    S = LL - sum over parent configurations j of ln R(N_ij, r_i), R being the parametric complexity of a multinomial,
    see `cutpoint.learners.complexity`. It is not the same for all graphs of an equivalence class.
    """
    from cutpoint.learners.complexity import complexity_table, m_ln_m  # loads SciPy, which other scores do without

    score = DiscreteScore(codes, cardinalities, counting.FNML, [], arc_probability)
    terms, levels = m_ln_m(len(codes)), np.unique(score.cardinalities)
    table = [complexity_table(len(codes), int(r)) + terms for r in levels]
    score._terms = np.r_[1.0, 1.0 + levels], np.array([terms, *table])  # for every number of records
    return score


def log_likelihood(
    codes: np.ndarray, cardinalities: np.ndarray, *, arc_probability: ArcProbability = 0.5
) -> DiscreteScore:
    """Return the maximised log-likelihood, sum of N_ijk ln(N_ijk / N_ij)."""
    return _penalised(codes, cardinalities, arc_probability)


def aic(
    codes: np.ndarray,
    cardinalities: np.ndarray,
    *,
    parameters: Parameters = "free",
    arc_probability: ArcProbability = 0.5,
) -> DiscreteScore:
    """Return AIC = LL - p; with ``parameters="full"`` p counts r and not r - 1 per configuration."""
    return _penalised(codes, cardinalities, arc_probability, parameter=1.0, full=parameters == "full")


def bic(
    codes: np.ndarray,
    cardinalities: np.ndarray,
    *,
    parameters: Parameters = "free",
    base: AboveOne = math.e,
    arc_probability: ArcProbability = 0.5,
) -> DiscreteScore:
    """Return BIC = LL - p ln(N) / 2; `parameters` as in `aic`.

    base: of the last logarithm; with 2 it is what Mauá (2018, 5.10) calls MDL, LL - p log2(N) / 2.
    """
    weight = math.log(max(len(codes), 1)) / math.log(base) / 2
    return _penalised(codes, cardinalities, arc_probability, parameter=weight, full=parameters == "full")


def mdl(
    codes: np.ndarray,
    cardinalities: np.ndarray,
    *,
    base: AboveOne = math.e,
    root_parameters: bool = True,
    parameters: Parameters = "free",
    arc_probability: ArcProbability = 0.5,
) -> DiscreteScore:
    """Return minus the description length of a network and its data (Tran 2013, 2.3).

    DL = sum_i [log r_i + (1 + |Pa_i|) log n] + log(N)/2 p - LL in logarithms of `base`, above 1;
    without `root_parameters` a variable without parents costs no parameters.
    """
    rows, n = codes.shape
    unit = 1 / math.log(base)
    weight, parent = unit * math.log(max(rows, 1)) / 2, unit * math.log(n)
    full = parameters == "full"
    return _penalised(codes, cardinalities, arc_probability, unit, weight, parent, unit, root_parameters, full)


def network_score(score: LocalScore, dag: np.ndarray) -> float:
    """Return the score of a graph, the sum over its families; `dag` is bool [n, n].

    Examples:
        >>> from cutpoint.learners import greedy, scores
        >>> score = scores.bic(codes, codes.max(axis=0) + 1)  # a LocalScore
        >>> search = greedy.hill_climbing(score)  # a Search
        >>> cp.network_score(score, search.dag) > cp.network_score(score, network.dag)
        True
    """
    return math.fsum(score.family(i, np.flatnonzero(dag[:, i])) for i in range(score.n))


@runtime_checkable
class OrderedScore(LocalScore, Protocol):
    """A score that can be put in another order; all of `cutpoint.method.registry` can.

    The stable order follows from the data, wherever columns stand. Scores are equal for equivalent graphs, and a greedy
    search takes the first of equal moves, so that its graph depends on the order in which it looks at the variables
    (Kitson and Constantinou 2024; 2025, "Stable structure learning with HC-Stable and Tabu-Stable algorithms").
    """

    def content(self, variable: int) -> bytes:
        """Return all that the score knows of a variable; variables with the same bytes are interchangeable."""

    def reordered(self, order: np.ndarray) -> Self:
        """Return the score of the same variables in another order, int64 [n]: which one stands at each place."""


def stable_order(score: LocalScore) -> np.ndarray:
    """Return the variables by falling score without parents, then by falling mean gain of a single parent, int64 [n].

    The former would tell the unit of a score that `has_units`, and is left out. In both, neighbours that are nearer
    than `tie` are equal. What is equal in both is ordered by the data themselves, record by record; variables that are
    equal in all records may change places.
    """
    score = ordered(score)
    by_content = np.array(sorted(range(score.n), key=score.content), np.int64)
    arranged = score.reordered(by_content)  # so that sums are rounded alike, whatever the order was
    families = [0.0 if getattr(score, "has_units", False) else arranged.family(i, ()) for i in range(score.n)]
    alone = _ranks(np.array(families), tie(score))
    gains = [np.delete(arranged.gains(i, ()), i) for i in range(score.n)]
    gained = _ranks(np.array([float(each.mean()) if each.size else 0.0 for each in gains]), tie(score))
    return by_content[np.lexsort((gained, alone))]


def falling(numbers: np.ndarray, least: float) -> np.ndarray:
    """Return where numbers stand by falling size, int64; neighbours that are nearer than `least` stand as they came."""
    return np.arange(numbers.size) if numbers.size < 2 else np.argsort(_ranks(numbers, least), kind="stable")


def _ranks(numbers: np.ndarray, least: float) -> np.ndarray:
    """Return the ranks of numbers, int64 [n], the highest first; neighbours have one rank unless `least` or more apart.

    Were the numbers rounded instead, two that are equal but for the last digit could end on both sides of a step.
    """
    falling = np.argsort(-numbers, kind="stable")
    ordered_numbers, ranks = numbers[falling], np.zeros(len(numbers), np.int64)
    ranks[falling[1:]] = np.cumsum(ordered_numbers[1:] < ordered_numbers[:-1] - least)
    return ranks


def ordered(score: LocalScore) -> OrderedScore:
    """Return a score that can be put in another order; raise an InputError for any other."""
    if not isinstance(score, OrderedScore):
        raise InputError(f"order: 'stable' needs a score with content and reordered, not {type(score).__name__}")
    return score
