"""The columns that methods see: in an order and under names that say nothing of what stands in them.

Scores are equal for equivalent graphs, and searches take the first of equal moves. So the order of the columns decides
part of a graph, and must come neither from the true network nor from how a user names or arranges columns.
"""

from collections.abc import Sequence
from itertools import chain

import numpy as np


def anonymous(variables: Sequence[str]) -> dict[str, str]:
    """Return variables by the names of their columns, V01, V02, ... in the order that is given."""
    width = max(2, len(str(len(variables))))
    return {f"V{i:0{width}}": name for i, name in enumerate(variables, 1)}


RESOLUTION = 1024  # steps of ranks from the middle: sums over records are whole numbers, the same in any order
BLOCK = 2**22  # pairs of columns that are looked at together
TIED = 1e-9  # of how far values are from their median, half of them: what is nearer is parted by rounding


def canonical_order(values: np.ndarray, discrete: np.ndarray) -> np.ndarray:
    """Return the places of columns, float64 [N, n], in an order that information decides, int64 [n].

    Columns are compared by how their ranks go with those of all columns. Those that are equal in this keep their order:
    copies, and a column beside its negative. discrete: bool [n], columns that hold codes.
    """
    if not np.size(values):
        return np.arange(np.shape(values)[1])
    ranks, classes = zip(*(_ranks(column) for column in np.asarray(values, float).T), strict=True)
    scores = np.column_stack(ranks)
    spread = np.sqrt((scores**2).sum(axis=0))
    spread[spread == 0] = 1.0

    def sums(left: np.ndarray, right: np.ndarray, scale: np.ndarray, powers: Sequence[int]) -> np.ndarray:
        """Return sums of powers of how each column of the left goes with all of the right, in blocks of columns."""
        blocks = np.array_split(np.arange(left.shape[1]), 1 + left.shape[1] * len(spread) // BLOCK)
        products = (np.abs(left[:, block].T @ right) / np.outer(scale[block], scale) for block in blocks)
        rising = (np.sort(each, axis=1) for each in products)  # so that sums do not depend on places
        return np.hstack([[(each**power).sum(1) for power in powers] for each in rising])

    # those that others go with most come first: arcs of equally good moves then lead away from them
    keys = [np.asarray(discrete, bool), np.array(classes), *-sums(scores, scores, spread, [2, 4])]
    _, group, sizes = np.unique(np.column_stack(keys), axis=0, return_inverse=True, return_counts=True)
    tied, ones = sizes[group.ravel()] > 1, np.ones_like(spread)
    for left, right in ((scores**2, scores), (scores, scores**2)):
        keys.append(np.zeros(len(spread)))
        keys[-1][tied] = sums(left[:, tied], right, ones, [2])[0]
    keys += [np.round(np.abs(moment), 6) for moment in _moments(np.asarray(values, float))]  # where all ranks are equal
    return np.lexsort(keys[::-1]).astype(np.int64)


def _moments(values: np.ndarray) -> list[np.ndarray]:
    """Return the third and the fourth moment of each column in units of its standard deviation, 0 of a constant one."""
    centred = np.where(np.isnan(values), 0.0, values - np.nanmean(values, axis=0))
    spread = np.sqrt((centred**2).mean(axis=0))
    return [((centred / np.where(spread > 0, spread, 1.0)) ** power).mean(axis=0) for power in (3, 4)]


def _classes(column: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the places of values in rising order, NaN last, int64 [N], and where in it those begin that differ."""
    order = np.argsort(column, kind="stable")
    rising = column[order]
    there = rising[: len(rising) - np.count_nonzero(np.isnan(rising))]
    away = np.abs(there - there[len(there) // 2 : len(there) // 2 + 1])
    # in all units the same gaps, and in spite of a long tail
    least = TIED * np.median(away[away > 0]) if away.any() else 0.0
    steps = np.diff(rising) > least
    steps |= np.isnan(rising[1:]) & ~np.isnan(rising[:-1])
    return order, np.concatenate([[0], np.flatnonzero(steps) + 1])


def _ranks(column: np.ndarray) -> tuple[np.ndarray, int]:
    """Return centred mean ranks as whole numbers of at most RESOLUTION, float64 [N], and how many differ."""
    order, firsts = _classes(column)
    size, ends = len(column), np.append(firsts[1:], len(column))
    middles = firsts + ends - size  # twice the mean rank of a class, less that of all
    ranks = np.empty(size)
    ranks[order] = np.repeat(np.rint(middles * (min(size, RESOLUTION) / size)), ends - firsts)
    return ranks, len(middles)


def joined(values: np.ndarray) -> np.ndarray:
    """Return values, float64 [N, n], in which those that differ by rounding alone are the lowest of them."""
    same = values
    for i, column in enumerate(values.T):
        order, firsts = _classes(column)
        rising = column[order]
        lowest = np.repeat(rising[firsts], np.diff(firsts, append=len(column)))
        if (lowest != rising).any():  # seldom: a copy of many records is large
            same = same.copy() if same is values else same
            same[order, i] = lowest
    return same


def canonical_signs(values: np.ndarray, discrete: np.ndarray) -> np.ndarray:
    """Return 1 or, where the longer tail of a column is that of low values, -1: float64 [n].

    Columns, float64 [N, n], are in canonical order. Of a symmetric one the sign is that of its correlation with the
    first before it that has any. discrete: bool [n], columns that hold codes and have no sign.
    """
    centred, signs, (skewness, _) = values - values.mean(axis=0), np.ones(values.shape[1]), _moments(values)
    spread = np.sqrt((centred**2).sum(axis=0))
    for i in np.flatnonzero(~discrete & (spread > 0)).tolist():
        before = np.flatnonzero(spread[:i] > 0)
        others = (signs[j] * (centred[:, j] @ centred[:, i]) / (spread[i] * spread[j]) for j in before)
        signs[i] = np.sign(next((clue for clue in chain([skewness[i]], others) if abs(clue) > TIED), 1.0))
    return signs


def mirrored(thresholds: np.ndarray, column: np.ndarray) -> np.ndarray:
    """Return the thresholds of a column that were learned from its negative; the values above each stay together."""
    lists, values = -np.asarray(thresholds)[::-1], np.unique(column)
    for k in np.flatnonzero(np.isin(lists, values)).tolist():  # to the middle above, as a level begins at its threshold
        above = values[np.searchsorted(values, lists[k], side="right") :]
        lists[k] = (lists[k] + above[0]) / 2 if above.size else np.nextafter(lists[k], np.inf)
    return lists


def turned_back(thresholds: Sequence[np.ndarray], seen: np.ndarray, signs: np.ndarray) -> list[np.ndarray]:
    """Return thresholds of columns as methods see them, float64 [N, n], as those of the columns times their signs."""
    return [cuts if s > 0 else mirrored(cuts, -x) for cuts, x, s in zip(thresholds, seen.T, signs, strict=True)]


def canonical_records(values: np.ndarray) -> np.ndarray:
    """Return the places of records by rising values of first columns, int64 [N], so that sums are rounded alike."""
    return np.lexsort(values.T[::-1])
