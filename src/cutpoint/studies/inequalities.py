"""The kinds of inequality that claims are made of.

"Lowest" and "best" allow a tie, "fewer", "more" and "below" do not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from cutpoint.report.claims import Inequality
from cutpoint.studies.columns import Columns
from cutpoint.studies.inputs import Inputs

TIE = 1e-9  # numbers closer than this are equal

Draws = dict[str, np.ndarray]


def draws_of(inputs: Inputs, columns: Columns, name: object) -> tuple[Draws, int]:
    """Return a column of every method in all draws, NaN where a cell has no result, and its units."""
    if name not in columns.names:
        return {m.name: np.full(1, np.nan) for m in inputs.methods}, 0
    k = columns.names.index(name)
    return {m.name: columns.strict[:, i, k] for i, m in enumerate(inputs.methods)}, columns.units[k]


def get(draws: Draws, names: Iterable[str]) -> np.ndarray:
    """Return the draws of some methods, float64 [names, D]; NaN for a method that is not there."""
    length = max(map(len, draws.values()), default=1)
    return np.array([draws.get(name, np.full(length, np.nan)) for name in names])


def truth(condition: np.ndarray, *sides: np.ndarray) -> np.ndarray:
    """Return a condition as 1 and 0, NaN where a number that it needs is undefined."""
    unknown = np.zeros(condition.shape, bool)
    for side in sides:
        unknown |= np.isnan(side)
    return np.where(unknown, np.nan, condition.astype(float))


def at_most(text: str, found: tuple[Draws, int], left: Sequence[str], right: Sequence[str]) -> Inequality:
    """Say that every one of left is no larger than every one of right."""
    return _order(text, found, left, right, TIE)


def below(text: str, found: tuple[Draws, int], left: Sequence[str], right: Sequence[str]) -> Inequality:
    """Say that every one of left is smaller than every one of right."""
    return _order(text, found, left, right, -TIE)


def _order(text: str, found: tuple[Draws, int], left: Sequence[str], right: Sequence[str], slack: float) -> Inequality:
    draws, units = found
    # max and min propagate NaN: an unknown method leaves the inequality unknown.
    high, low = get(draws, left).max(0), get(draws, right).min(0)
    numbers = {name: float(get(draws, [name])[0, 0]) for name in (*left, *right)}
    return Inequality(text, truth(high <= low + slack, high, low), numbers, units)


def best(text: str, found: tuple[Draws, int], names: Sequence[str], group: Sequence[str]) -> Inequality:
    """Say that the lowest of the group is among names."""
    draws, units = found
    mine, all_ = get(draws, names).min(0), get(draws, group).min(0)
    numbers = {name: float(get(draws, [name])[0, 0]) for name in group}
    return Inequality(text, truth(mine <= all_ + TIE, mine, all_), numbers, units)


def others(group: Sequence[str], *names: str) -> list[str]:
    """Return the group without names."""
    return [name for name in group if name not in names]
