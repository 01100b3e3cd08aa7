"""Codes of persons, places and the like: columns of names that fix other columns, in no order.

Each further level of a code explains what it fixes a little better, so that scores join them before what acts on both.
"""

import re

import numpy as np

from cutpoint.base.text import first_of
from cutpoint.data.table import Table
from cutpoint.data.worries import CODES, MOST_SEEN, distinct, fixing, tells_little

ROUGH = 0.5  # least squared step from value to value of a code, relative to values in a random order
CHANGES = 5  # fewest such steps: a column that is 0 up to some value and then 1 has one
STATES, PER_STATE = 100, 10  # of states that are names, most others and fewest records for each
FIXED = 2  # columns that whole numbers fix which neither are named as codes nor count
NAMED = re.compile(r".*(id|ID|nr|NR|code|fips?|zip|zipcode|plz|[Ss]chool|[Ss]ubject|[Pp]atient|[Pp]erson)")


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
        sure = [j for j in whole if table.discrete[j] or _is_code(table.variables[j], values[:, j])]
        if count >= CODES and len(others) >= (1 if sure else FIXED) and not tells_little(values, others):
            names = first_of([table.variables[j] for j in others])
            found |= {table.variables[j]: f"{count} values of it fix {names}" for j in sure or whole}
    return found


def _is_code(name: str, values: np.ndarray) -> bool:
    """Return whether whole numbers are named as a code, or count."""
    return bool(NAMED.fullmatch(name)) or np.nanmax(values) - np.nanmin(values) < 2 * distinct(values)


def _jumps(code: np.ndarray, fixed: np.ndarray) -> bool:
    """Return whether a column that a code fixes has no order along it."""
    there = ~np.isnan(code) & ~np.isnan(fixed)  # rows with a gap beside equal ones look fixed
    _, first, place = np.unique(code[there], return_index=True, return_inverse=True)
    values, steps = fixed[there][first], np.diff(fixed[there][first])
    is_fixed = np.array_equal(fixed[there], values[place]) and 2 * len(first) <= there.sum()
    return bool(is_fixed and (steps != 0).sum() >= CHANGES and np.mean(steps**2) > 2 * ROUGH * values.var())
