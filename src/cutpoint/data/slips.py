"""Cells that are written otherwise than they are meant: marks of missing cells among numbers, and misspelt states."""

from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import combinations

import numpy as np

from cutpoint.data.table import Table

SENTINELS = [sign * (10**k - 1) for k in range(1, 7) for sign in (-1, 1)]  # -9, 9, -99, 99, ...
MOST_STATES = 50  # of a column whose states are compared
ALIKE, FEW = 0.85, 0.05  # of two spellings: how alike they are, and the share of records of the rarer one
RARE = 1000  # records for each of a state


def slips_of(table: Table) -> list[str]:
    """Return a line for each mark of missing cells among numbers, pair of spellings and state of a single record."""
    columns = zip(table.variables, table.values.T, table.discrete, strict=True)
    lines = (
        _of_states(name, values, table.levels[name]) if discrete else _of_numbers(name, values)
        for name, values, discrete in columns
    )
    return [line for each in lines for line in each]


def _of_numbers(name: str, values: np.ndarray) -> Iterator[str]:
    """Yield lines for sentinels: repeated nines that lie further from all other values than these from each other."""
    there = values[~np.isnan(values)]
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
    if counts.sum() >= RARE and len(states) <= MOST_STATES:
        for state in (state for state, count in zip(states, counts, strict=True) if count == 1):
            hint = "Is it a slip? Correct it, or give the state to another one"
            yield f"rare states: {name} has {state!r} in 1 of {counts.sum():,} records. {hint}"
