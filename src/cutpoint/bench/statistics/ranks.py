"""Ranks of methods over blocks: Friedman's test, and which methods differ after it (Demsar 2006, 3.2).

J. Demsar, "Statistical comparisons of classifiers over multiple data sets", JMLR 7, 2006.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pandas as pd
import scipy


def average_ranks(values: np.ndarray, *, lower_is_better: bool = True) -> np.ndarray:
    """Return ranks along the last axis of values, float64 [..., M], 1 the best, ties averaged; NaN where any is NaN."""
    return scipy.stats.rankdata(values if lower_is_better else -values, axis=-1)


def spearman(a: np.ndarray, b: np.ndarray) -> tuple[float, int]:
    """Return Spearman's correlation of the pairs, float64 [K] each, where both are finite, and how many there are."""
    both = np.isfinite(a) & np.isfinite(b)
    count = int(both.sum())
    if count < 3 or np.ptp(a[both]) == 0 or np.ptp(b[both]) == 0:
        return np.nan, count
    # not by scipy.stats, which takes a second to import
    return float(pd.DataFrame({0: a[both], 1: b[both]}).corr("spearman").iloc[0, 1]), count


@dataclass(frozen=True)
class Friedman:
    """Friedman's test of equal ranks with Nemenyi's critical difference.

    The statistic is a chi-square, corrected for ties; Iman and Davenport's F is less conservative (Demsar 2006, 3.2.2),
    NaN without any order.
    """

    kept: np.ndarray  # int [K], the methods compared: those with a value in most blocks
    blocks: int  # how many have a value of every method kept
    ranks: np.ndarray  # float64 [K], mean ranks, 1 the best
    statistic: float
    pvalue: float
    f_statistic: float
    f_pvalue: float
    difference: float  # mean ranks further apart differ at the 5 % level


def complete(values: np.ndarray, *, most: float = 0.75) -> tuple[np.ndarray, np.ndarray]:
    """Return which methods and blocks are compared by ranks: int [K] and int [B'] places in values [B, M].

    A method without a value in more than a quarter of the blocks is left out, then every incomplete block.
    """
    finite = np.isfinite(values)
    kept = np.flatnonzero(finite.mean(0) >= most) if len(values) else np.array([], int)
    return kept, np.flatnonzero(finite[:, kept].all(1))


def friedman(values: np.ndarray, *, lower_is_better: bool = True) -> Friedman | None:
    """Compare methods over blocks by their ranks, values [B, M], NaN where missing; see `complete`.

    None with fewer than three methods or two blocks.
    """
    kept, whole = complete(values)
    blocks, methods = len(whole), len(kept)
    if methods < 3 or blocks < 2:
        return None
    blocked = values[np.ix_(whole, kept)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        test = scipy.stats.friedmanchisquare(*blocked.T)
    f, f_pvalue = iman_davenport(float(test.statistic), methods, blocks)
    return Friedman(
        kept=kept,
        blocks=blocks,
        ranks=average_ranks(blocked, lower_is_better=lower_is_better).mean(0),
        statistic=float(test.statistic),
        pvalue=float(test.pvalue),
        f_statistic=f,
        f_pvalue=f_pvalue,
        difference=critical_difference(methods, blocks),
    )


def iman_davenport(chisquare: float, methods: int, blocks: int) -> tuple[float, float]:
    """Return Iman and Davenport's F from Friedman's chi-square, and its p value.

    F = (B - 1) chi2 / (B (M - 1) - chi2) with M - 1 and (M - 1)(B - 1) degrees of freedom; it is infinite where all
    blocks rank the methods alike.
    """
    rest = blocks * (methods - 1) - chisquare
    f = np.inf if abs(rest) < 1e-9 else (blocks - 1) * chisquare / rest
    return float(f), float(scipy.stats.f.sf(f, methods - 1, (methods - 1) * (blocks - 1)))


@lru_cache
def critical_difference(methods: int, blocks: int, *, alpha: float = 0.05) -> float:
    """Return Nemenyi's critical difference of mean ranks (Demsar 2006, 3.2.2)."""
    quantile = scipy.stats.studentized_range.ppf(1 - alpha, methods, np.inf) / np.sqrt(2)
    return float(quantile * np.sqrt(methods * (methods + 1) / (6 * blocks)))


def holm(pvalues: np.ndarray) -> np.ndarray:
    """Return p values, float64 [m], adjusted by Holm's step-down method, in their order; NaN (no test) stays.

    The i-th smallest of m is multiplied by m - i + 1, and none is below one before it (Holm 1979).
    """
    adjusted = np.full(len(pvalues), np.nan)
    tested = np.flatnonzero(np.isfinite(pvalues))
    order = tested[np.argsort(pvalues[tested], kind="stable")]
    steps = pvalues[order] * np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1)
    return adjusted


def holm_pairs(pvalues: np.ndarray) -> np.ndarray:
    """Return a symmetric matrix of p values, float64 [K, K], adjusted by Holm over all its pairs."""
    upper = np.triu_indices(len(pvalues), 1)
    adjusted = np.full(pvalues.shape, np.nan)
    adjusted[upper] = adjusted.T[upper] = holm(pvalues[upper])
    return adjusted


def cliques(ranks: np.ndarray, difference: float) -> list[np.ndarray]:
    """Return the largest groups of methods whose ranks lie within a critical difference, the best first.

    A method that differs from all others is a group of its own.
    """
    order = np.argsort(ranks, kind="stable")
    ends = np.searchsorted(ranks[order], ranks[order] + difference, side="right")
    new = [first for first in range(len(order)) if first == 0 or ends[first] > ends[first - 1]]
    return [order[first : ends[first]] for first in new]
