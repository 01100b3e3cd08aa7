"""Scores of the thresholds of all variables under a graph (Fu 2005, III.2.1 to III.2.3).

Friedman's description length is better when it is *lower*, Monti's and Steck's scores when they are higher. All are in
nats. Everywhere codes are int [N, n], levels (the number of each variable) int64 [n], `now` is the discretization, dag
bool [n, n], discrete bool [n], and ess the equivalent sample size.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from functools import partial

import numpy as np
from scipy.special import gammaln, xlogy

from cutpoint.base.errors import InputError
from cutpoint.discretization.loop import Discretization, Objective
from cutpoint.kernels.sweep import FRIEDMAN, penalty
from cutpoint.learners.scores import check_ess

DENSE = 4096  # a table of counts may have this many cells before only those that occur are counted
MOST_ESS = 1e9  # the greatest equivalent sample size at which ln Gamma(a + m) - ln Gamma(a) has its digits


def configurations(
    codes: np.ndarray, levels: np.ndarray, variables: Iterable[int], most: int = DENSE
) -> tuple[np.ndarray, int]:
    """Return the joint code of some variables per record, int64 [N], and how many are numbered.

    Where there may be more than `most`, those that occur are numbered.
    """
    joint, size = np.zeros(len(codes), np.int64), 1
    for v in variables:
        joint = joint * levels[v] + codes[:, v]
        size *= int(levels[v])
        if size > most:
            occurring, joint = np.unique(joint, return_inverse=True)
            size = len(occurring)
    return joint, size


def _family_counts(
    codes: np.ndarray, levels: np.ndarray, child: int, parents: np.ndarray
) -> tuple[np.ndarray, np.ndarray, float]:
    """Return counts of configurations, of configurations with the child's level, and their nominal number."""
    joint, size = configurations(codes, levels, parents)
    r = int(levels[child])
    counts = np.bincount(joint * r + codes[:, child], minlength=size * r).reshape(size, r)
    return counts.sum(axis=1), counts, math.prod(float(levels[p]) for p in parents)


def bdeu_family(codes: np.ndarray, levels: np.ndarray, child: int, parents: np.ndarray, ess: float) -> float:
    """Return the BDeu score S_d of a child and its parents, int [k] (Fu 2005, III.2.2), alpha_ijk = ess / (q_i r_i)."""
    totals, counts, q = _family_counts(codes, levels, child, parents)
    totals, cells = totals[totals > 0], counts[counts > 0]
    prior, part = ess / q, ess / (q * levels[child])
    return float((gammaln(part + cells) - gammaln(part)).sum() - (gammaln(prior + totals) - gammaln(prior)).sum())


def information(codes: np.ndarray, levels: np.ndarray, child: int, parents: np.ndarray) -> float:
    """Return N times the mutual information of a child and its parents, int [k], in nats."""
    totals, counts, _ = _family_counts(codes, levels, child, parents)
    child_counts = counts.sum(axis=0)
    parts = xlogy(counts, counts).sum() - xlogy(totals, totals).sum() - xlogy(child_counts, child_counts).sum()
    return float(parts + xlogy(len(codes), len(codes)))


def description_length(now: Discretization, dag: np.ndarray, discrete: np.ndarray, ess: float = 1.0) -> float:
    """Return Friedman's DL = DL_net + DL_Lambda - N sum of I(Y_i; Pa_i) (Fu 2005, III.2.1), in nats, without `ess`."""
    codes, levels, (rows, n), total = now.codes.T, now.levels, now.values.shape, 0.0
    for i in range(n):
        parents = np.flatnonzero(dag[:, i])
        q, r = math.prod(float(levels[p]) for p in parents), int(levels[i])
        distinct = 1 if discrete[i] else len(np.unique(now.values[:, i]))
        total += penalty(FRIEDMAN, r, distinct, 0.0, float(rows))  # of the levels and their thresholds
        total += (1 + len(parents)) * math.log(n) + 0.5 * math.log(rows) * q * (r - 1)
        total -= information(codes, levels, i, parents) if len(parents) else 0.0
    return total


def steck_score(
    now: Discretization,
    dag: np.ndarray,
    discrete: np.ndarray,
    ess: float,
    of_level: Callable[[np.ndarray], np.ndarray] = gammaln,
) -> float:
    """Return L_P = ln p(D_Lambda | G) - sum of ln Gamma(N_k) (Fu 2005, III.2.3); -inf with an empty level.

    of_level: in place of ln Gamma, see `rules.vogel_score`.
    """
    codes, levels = now.codes.T, now.levels
    total = sum(bdeu_family(codes, levels, i, np.flatnonzero(dag[:, i]), ess) for i in range(len(levels)))
    for i in np.flatnonzero(~discrete):
        total -= of_level(np.bincount(codes[:, i], minlength=levels[i])).sum()
    return float(total)


def log_density(column: np.ndarray, cuts: np.ndarray) -> float:
    """Return Monti's continuous term S_c = sum of N_k ln(1 / width_k) of one variable (Fu 2005, III.2.2).

    The outer limits are the extremes of the column, float64 [N]; cuts is float64 [k]. A constant column has 0.
    """
    low, high = column.min(), column.max()
    counts = np.bincount(np.searchsorted(cuts, column, side="right"), minlength=len(cuts) + 1)
    widths = np.diff(np.clip(np.concatenate([[low], cuts, [high]]), low, high))
    if low == high:
        return 0.0
    return float(-xlogy(counts, np.maximum(widths, np.finfo(float).tiny)).sum())


def monti_score(now: Discretization, dag: np.ndarray, discrete: np.ndarray, ess: float, *, once: bool = False) -> float:
    """Return the sum of S_Lambda(i), which counts S_d(j) once and once per parent (Fu 2005, III.2.2, IV.3).

    A variable that stays discrete has no S_c; once: count each S_d(j) once instead, the log marginal likelihood of the
    values (Monti 1999).
    """
    total = sum(log_density(now.values[:, i], now.thresholds[i]) for i in np.flatnonzero(~discrete))
    for i in range(len(now.levels)):
        parents = np.flatnonzero(dag[:, i])
        total += (1 if once else 1 + len(parents)) * bdeu_family(now.codes.T, now.levels, i, parents, ess)
    return float(total)


THRESHOLD_SCORES: dict[str, Objective] = {
    "friedman": description_length,
    "monti": monti_score,
    "monti_total": partial(monti_score, once=True),
    "steck": steck_score,
}


def policy_score(
    values: np.ndarray,
    thresholds: Sequence[np.ndarray],
    dag: np.ndarray,
    name: str,
    *,
    ess: float = 1.0,
    discrete: np.ndarray | None = None,
) -> float:
    """Score thresholds of all variables, one sorted array each, under a graph, bool [n, n] (Fu 2005, III.2).

    name: of `THRESHOLD_SCORES`; lower is better of "friedman", the description length. discrete: bool [n], variables
    without a continuous term, whose thresholds keep their codes; None for no such variable.
    """
    if name not in THRESHOLD_SCORES:
        raise InputError(f"unknown score of thresholds {name!r}; use one of {', '.join(THRESHOLD_SCORES)}")
    check_ess(ess, MOST_ESS)
    values, dag = np.asarray(values, np.float64), np.asarray(dag, bool)
    discrete = np.zeros(values.shape[1], bool) if discrete is None else np.asarray(discrete, bool)
    return THRESHOLD_SCORES[name](Discretization(values, thresholds), dag, discrete, ess)
