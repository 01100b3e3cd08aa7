"""Columns and cells that are not what they look like: codes of places, marks of missing cells, misspelt states.

Each further level of a code explains what it fixes a little better, so that scores join them before what acts on both.
"""

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import combinations

import numpy as np

from cutpoint.base.text import first_of
from cutpoint.data.table import Table
from cutpoint.data.worries import CODES, MOST_SEEN, distinct, fixing, tells_little

ROUGH = 0.5  # least squared step from value to value of a code, relative to values in a random order
CHANGES = 5  # fewest such steps: a column that is 0 up to some value and then 1 has one
STATES, PER_STATE = 100, 10  # of states that are names, most others and fewest records for each
FIXED = 2  # columns that whole numbers fix which neither are named as codes nor count
NAMED = re.compile(r".*(id|ID|nr|NR|code|fips?|zip|zipcode|plz|[Ss]chool|[Ss]ubject|[Pp]atient|[Pp]erson)(?<![aAbB]id)")


def codes_of(table: Table) -> dict[str, str]:
    """Return the columns that are codes, each with what it fixes in words.

    A code has hundreds of states with few records each; or each of its many states or whole numbers fixes the value of
    another column, and from one to the next that value jumps: a square or a class of an age does not, the soil of a
    county does.
    """
    counts = {name: len(states) for name, states in table.levels.items() if len(states) > STATES}
    found = {name: f"it has {count:,} states" for name, count in counts.items() if count * PER_STATE > len(table)}
    values = table.values[:MOST_SEEN]
    for i, fixed, _ in fixing(values):
        count = distinct(values[:, i])
        same = [i, *(j for j in fixed if count == distinct(values[:, j]))]
        whole = [j for j in same if table.discrete[j] or not (values[:, j] % 1 > 0).any()]
        others = [j for j in (i, *fixed) if j not in whole and any(_jumps(values[:, k], values[:, j]) for k in whole)]
        reach, called = {j: np.nanmax(values[:, j]) - np.nanmin(values[:, j]) for j in whole}, table.variables
        sure = [j for j in whole if table.discrete[j] or NAMED.fullmatch(called[j]) or reach[j] < 2 * count]
        if count >= CODES and len(others) >= (1 if sure else FIXED) and not tells_little(values, others):
            names = first_of([table.variables[j] for j in others])
            found |= {table.variables[j]: f"{count} values of it fix {names}" for j in sure or whole}
    return found


def _jumps(code: np.ndarray, fixed: np.ndarray) -> bool:
    """Return whether a column that a code fixes has no order along it."""
    there = ~np.isnan(code) & ~np.isnan(fixed)  # rows with a gap beside equal ones look fixed
    _, first, place = np.unique(code[there], return_index=True, return_inverse=True)
    values, steps = fixed[there][first], np.diff(fixed[there][first])
    is_fixed = np.array_equal(fixed[there], values[place]) and 2 * len(first) <= there.sum()
    return bool(is_fixed and (steps != 0).sum() >= CHANGES and np.mean(steps**2) > 2 * ROUGH * values.var())


SENTINELS = [sign * (10**k - 1) for k in range(1, 7) for sign in (-1, 1)]  # -9, 9, -99, 99, ...
MOST_STATES = 50  # of a column whose states are compared
ALIKE, FEW = 0.85, 0.05  # of two spellings: how alike they are, and the share of records of the rarer one
RARE = 1000  # records for each of a state


def slips_of(table: Table) -> list[str]:
    """Return a line for each mark of missing cells among numbers, pair of spellings and state of a single record."""
    lines: list[str] = []
    for name, values, discrete in zip(table.variables, table.values.T, table.discrete, strict=True):
        lines += _of_states(name, values, table.levels[name]) if discrete else _of_numbers(name, values)
    return lines


def _of_numbers(name: str, values: np.ndarray) -> Iterator[str]:
    """Yield lines for dates, codes by name, and repeated nines further from all other values than these are apart."""
    there = values[~np.isnan(values)]
    days, text = ((there // 10_000, 1900, 2100), (there // 100 % 100, 1, 12), (there % 100, 1, 31)), f"{there[0]:.0f}"
    if not (there % 1).any() and all(low <= part.min() <= part.max() <= high for part, low, high in days):
        yield f"dates as numbers: {name}, as {text}. Write {text[:4]}-{text[4:6]}-{text[6:]}, which is read as a time"
    elif not (there % 1).any() and NAMED.fullmatch(name) and distinct(there) >= CODES:
        yield f"numbers named as codes: {name}. Is it a code? Then drop it, or name it in discrete"
    for value in {there.min(), there.max()} & {*SENTINELS}:
        others, count = there[there != value], int((there == value).sum())
        if count > 1 and len(others) and np.abs(others - value).min() > np.ptp(others):
            hint = f"Does it stand for a missing cell? Then name it by --mark {value:g}, or empty it in a frame"
            yield f"marks of missing cells: {name} has {value:g} in {count} records, far from all others. {hint}"


def _of_states(name: str, values: np.ndarray, states: tuple[str, ...]) -> Iterator[str]:
    """Yield lines for two spellings of a state, and for a state that occurs once among many records."""
    counts = np.bincount(values[~np.isnan(values)].astype(int), minlength=len(states))
    texts = {state: int(count) for state, count in zip(states, counts, strict=True) if not any(map(str.isdigit, state))}
    for pair in combinations(texts, 2) if len(states) <= MOST_STATES else ():
        rare, other = sorted(pair, key=texts.__getitem__)
        near = abs(len(rare) - len(other)) < 3 and SequenceMatcher(None, rare, other).ratio() > ALIKE
        near &= texts[rare] < FEW * texts[other]
        if near or rare.casefold() == other.casefold():
            seen = f"{rare!r} in {texts[rare]} records and {other!r} in {texts[other]}"
            yield f"spellings: {name} has {seen}. If they are one state, write them alike"
    once = [state for state, count in zip(states, counts, strict=True) if count == 1]
    if once and counts.sum() >= RARE and len(states) <= MOST_STATES:
        seen = f"{once[0]!r}{f' and {len(once) - 1} more, each' * (len(once) > 1)} in 1 of {counts.sum():,} records"
        yield f"rare states: {name} has {seen}. Is it a slip? Correct it, or give the state to another one"
