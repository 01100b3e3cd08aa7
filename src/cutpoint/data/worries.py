"""What in the data makes every result less sure: reasons to worry, for `cutpoint.learn` and for the report."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from cutpoint.base.scaling import mean_ranks
from cutpoint.base.text import first_of, listed
from cutpoint.data.sums import sums_of

MANY_GAPS = 0.05  # share of the cells
PER_COLUMN = 20  # records for each column below which graphs are mostly chance
TIED, FAR, SAME = 0.1, 5.0, 0.99  # share of one value; interquartile ranges beyond the quartiles; rank correlation
BLOCK = 200  # columns that are compared with all others at a time
MOST_SEEN = 20_000  # records that are looked at
CODES = 20  # distinct values of a column that fixes several others, from which on it is called a code
COPIED = 0.2  # share of the different rows that occur again
ALIKE, ERRORS = 0.3, 3.5  # least rank correlation of values with those in the row before; standard errors above 0
CHANCE = 10.0  # minus the logarithm of the probability that a column is fixed by chance
Pair = tuple[str, str]


class Worry(NamedTuple):
    """A reason to worry: its name, what the data show, whether it is one here, and what helps."""

    name: str
    seen: str
    is_one: bool
    remedy: str

    @property
    def line(self) -> str:
        """The worry as one line of text."""
        return f"{self.name.lower()}: {self.seen}. {self.remedy}"


def worries(
    values: np.ndarray, discrete: np.ndarray, variables: Sequence[str], weighted: bool = False, dropped: int = 0
) -> list[Worry]:
    """Return all reasons, those that harm most first, whether or not the data give them.

    values: float64 [N, n], codes in discrete columns, NaN for a missing cell; discrete: bool [n]; weighted: each row
    recurs as often as its weight says, which tells nothing of how the records came about; dropped: how many rows were
    left out for a missing cell.
    """
    records, columns = values.shape
    seen = np.unique(values[:MOST_SEEN], axis=0) if weighted else values[:MOST_SEEN]
    numbers = {variables[i]: _present(seen[:, i]) for i in np.flatnonzero(~discrete).tolist()}
    counted = {name: np.unique(x, return_counts=True) for name, x in numbers.items()}
    ties = [name for name, (_, counts) in counted.items() if counts.max() > TIED * len(numbers[name])]
    gaps, lost = float(np.isnan(values).mean()), dropped / (dropped + records)
    missing = f"rows left out: {100 * lost:.0f} %" if dropped else f"cells: {100 * gaps:.1f} %"
    pairs = twins(numbers)
    copies = {same for _, same in pairs}
    unlike = [i for i, name in enumerate(variables) if name in numbers and name not in copies]
    rows = _first_rows(seen[:, unlike], [counted[variables[i]][0] for i in unlike])
    copied = len(rows) < len(seen) and not weighted
    alike = [] if weighted else _alike({n: _present(seen[rows, i]) for i, n in enumerate(variables) if n in numbers})
    steps = {name: np.sign(np.diff(_present(x))) for name, x in zip(variables, seen[rows].T, strict=True) if alike}
    by = [name for name, signs in steps.items() if abs(signs.sum()) == np.count_nonzero(signs) > 0]
    ordered = f"; the table is sorted by {listed(by)}" if by else ""
    codes, functions, more, told = _functions(seen[rows], discrete, variables)
    said = {frozenset(pair) for pair in pairs}
    pairs += [pair for pair in more if {*pair} not in said]
    free = [i for i in range(columns) if i not in told]
    functions += sums_of(seen[:, free], discrete[free], [variables[i] for i in free])
    rising = [name for name, x in numbers.items() if not alike and _numbers_rows(x, len(seen))]  # else it is a time
    codes += [f"{name} rises in every row" for name in rising]
    counts, far = _counts_of_rows(seen, discrete, variables), [name for name, x in numbers.items() if beyond(x)]
    return [
        Worry("Counts of rows", _names(counts), bool(counts),
              "Does it say how often a row occurs? Then read it as weights: --weights NAME, in Python sample_weight."),
        Worry("Codes", _names(codes), bool(codes),
              "Does it number persons, places or rows? Then drop it: its edges hide those of other columns."),
        Worry("Repeated rows", f"rows: {len(seen):,}; different ones: {len(rows):,}" if copied else "none", copied,
              "Keep one of each, unless each was measured anew: copies make chance look sure."),
        Worry("Rows in a row resemble each other", _names(alike) + ordered, bool(alike),
              "Sorting alone does no harm. Of a series in time or places side by side take rows far apart."),
        Worry("Few records", f"records: {records:,}; columns: {columns}", records < PER_COLUMN * columns,
              "Believe edges with high confidence alone; drop columns that you do not need."),
        Worry("Columns that others fix", _names(functions), bool(functions),
              "Leave out one column of each relation: edges between them hide those of other columns."),
        Worry("Columns that say the same", _names([f"{one} and {other}" for one, other in pairs]), bool(pairs),
              "Keep one of each pair: no data tell which of them has the edge."),
        Worry("Missing cells", missing, max(gaps, lost) > MANY_GAPS,
              "Compare missing=impute with missing=drop; cells that are missing for a reason bias both."),
        Worry("Repeated values", _names(ties), bool(ties),
              "Is it rounding, a limit of detection, or a code? Name codes under discrete."),
        Worry("Extreme values", _names(far), bool(far),
              "Look at these records; methods that assume a normal density suffer most."),
    ]  # fmt: skip


def beyond(x: np.ndarray) -> bool:
    """Return whether a value is far beyond the quartiles, in interquartile ranges."""
    low, high = np.quantile(x, [0.25, 0.75])
    return bool(high > low and ((x < low - FAR * (high - low)) | (x > high + FAR * (high - low))).any())


def twins(values: Mapping[str, np.ndarray]) -> list[Pair]:
    """Return the pairs of continuous columns whose ranks are nearly the same, or nearly reversed."""
    whole = len({*map(len, values.values())}) == 1
    names = [name for name, x in values.items() if whole and np.ptp(x) > 0]
    if len(names) < 2:
        return []
    ranks = np.array([mean_ranks(values[name]) for name in names])
    ranks -= ranks.mean(axis=1, keepdims=True)
    ranks /= np.linalg.norm(ranks, axis=1, keepdims=True)
    pairs: list[Pair] = []
    for k in range(0, len(names), BLOCK):
        near = np.abs(ranks[k : k + BLOCK] @ ranks[k:].T) > SAME
        pairs += [(names[k + i], names[k + j]) for i, j in np.argwhere(np.triu(near, 1))]
    return pairs


def _functions(
    values: np.ndarray, discrete: np.ndarray, variables: Sequence[str]
) -> tuple[list[str], list[str], list[Pair], set[int]]:
    """Return which columns fix others, in words: those of many values that fix several, and the rest.

    Then come the pairs of one type that fix each other, and the places of the other columns that are fixed.
    """
    codes: list[str] = []
    others: list[str] = []
    pairs: list[Pair] = []
    told: set[int] = set()
    for i, fixed, count in fixing(values):
        unlike = [j for j in fixed if distinct(values[:, j]) < count]
        same = [j for j in fixed if j not in unlike and discrete[i] == discrete[j]]
        fixed = [j for j in fixed if j not in same]
        pairs += [(variables[i], variables[j]) for j in same]
        if fixed and not (fixed == unlike and tells_little(values, fixed)):
            is_code = count >= CODES and len(unlike) > 1
            (codes if is_code else others).append(f"{variables[i]} fixes {listed([variables[j] for j in fixed])}")
            told |= {*fixed}
    return codes, others, pairs, told


def tells_little(values: np.ndarray, fixed: Sequence[int]) -> bool:
    """Return whether no more than one column of two values is fixed, as a gender is by a genotype."""
    return not fixed or (len(fixed) == 1 and distinct(values[:, fixed[0]]) == 2)


def distinct(x: np.ndarray) -> int:
    """Return the number of distinct values, missing cells aside."""
    return len(np.unique(_present(x)))


def fixing(values: np.ndarray) -> Iterator[tuple[int, list[int], int]]:
    """Yield the columns that fix others by more than chance, which ones, and their numbers of distinct values.

    A column fixes another where equal values stand beside equal values, two of each on average, in enough rows without
    a gap; of two that fix each other the first does.
    """
    surprise = np.array([_surprise(x) for x in values.T])
    found: set[tuple[int, int]] = set()
    for i, x in enumerate(values.T):
        order = np.argsort(x, kind="stable")
        equal = np.flatnonzero(np.diff(x[order]) == 0)
        if not len(equal):
            continue
        first, second = order[equal], order[equal + 1]
        open_ = np.flatnonzero(surprise * len(equal) > CHANCE)
        for part in (slice(0, 50), slice(50, None)):  # the first pairs refute most columns
            differs = np.abs(values[np.ix_(first[part], open_)] - values[np.ix_(second[part], open_)]) > 0
            open_ = open_[~differs.any(axis=0)]
        whole = ~np.isnan(values[np.ix_(first, open_)] + values[np.ix_(second, open_)])
        there = ~np.isnan(x)
        own = surprise[open_] if there.all() else np.array([_surprise(values[there, j]) for j in open_.tolist()])
        open_ = open_[own * whole.sum(axis=0) > CHANCE]
        fixed = [j for j in open_.tolist() if j != i and (j, i) not in found]
        found |= {(i, j) for j in fixed}
        if fixed and 2 * len(equal) >= there.sum():
            yield i, fixed, int(there.sum() - len(equal))


def _surprise(x: np.ndarray) -> float:
    """Return what it tells, in nats at least, that two records with values of a column have the same one."""
    counts = np.unique(_present(x), return_counts=True)[1]
    return -float(np.log(counts.max(initial=1) / max(len(x), 1)))


def _first_rows(numbers: np.ndarray, distinct: Sequence[np.ndarray]) -> np.ndarray:
    """Return the first of each set of equal rows, int64, or all where few are equal or rounding may make them so.

    numbers: float64 [N, m], no two columns the same; distinct: the values of each.
    """
    every = np.arange(len(numbers))
    if max(map(len, distinct), default=len(every)) > (1 - COPIED / 2) * len(every):
        return every
    _, first, counts = np.unique(numbers, axis=0, return_index=True, return_counts=True)
    exact = sum(2 * len(x) > len(first) > 8 and not _rounded(x) for x in distinct)
    return np.sort(first) if exact > 1 and (counts > 1).mean() > COPIED else every


def _rounded(distinct: np.ndarray) -> bool:
    """Return whether all steps between sorted values are multiples of the least one."""
    steps = np.diff(distinct) / np.diff(distinct).min()
    return bool((np.abs(steps - np.round(steps)) < 0.01).all())


def _alike(numbers: Mapping[str, np.ndarray]) -> list[str]:
    """Return the columns whose values resemble those in the row before beyond chance, if two do, with correlations."""
    found = []
    for name, x in numbers.items():
        ranks = mean_ranks(x) - (len(x) + 1) / 2
        correlation = float(ranks[1:] @ ranks[:-1]) / max(float(ranks @ ranks), 1.0)
        if correlation > max(ALIKE, ERRORS / max(len(x), 1) ** 0.5):
            found.append(f"{name} ({correlation:.2f})")
    return found if len(found) > 1 else []


def _numbers_rows(x: np.ndarray, records: int) -> bool:
    """Return whether a column has a whole number in each row, above that before and not by 1 each time, as years."""
    steps = np.diff(x)
    return len(x) == records > 1 and bool((x == np.round(x)).all() and (steps > 0).all() and (steps > 1).any())


def _counts_of_rows(values: np.ndarray, discrete: np.ndarray, variables: Sequence[str]) -> list[str]:
    """Return the one continuous column, of whole numbers, beside discrete ones whose rows all differ."""
    if (~discrete).sum() != 1 or discrete.sum() < 2:
        return []
    place = int(np.argmin(discrete))
    x, others = values[:, place], values[:, discrete]
    whole = bool((x == np.round(x)).all() and (x >= 0).all())
    return [variables[place]] if whole and len(np.unique(others, axis=0)) == len(others) else []


def _present(x: np.ndarray) -> np.ndarray:
    return x[~np.isnan(x)]


def _names(names: Sequence[str]) -> str:
    return first_of(names) if names else "none"
