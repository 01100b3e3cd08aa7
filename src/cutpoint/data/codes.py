"""Codes of persons, places and the like: columns of names that fix other columns, in no order.

Each further level of a code explains what it fixes a little better, so that scores join them before what acts on both.
"""

import numpy as np

from cutpoint.base.text import first_of
from cutpoint.data.table import Table
from cutpoint.data.worries import CODES, MOST_SEEN, fixing

ROUGH = 0.5  # least squared step from value to value of a code, relative to values in a random order


def codes_of(table: Table) -> dict[str, str]:
    """Return the columns that are codes, each with what it fixes in words.

    A code has many states or whole numbers, each of them fixes the value of another column, and from one to the next
    that value jumps: a square or a class of an age does not, the soil of a county does.
    """
    values, found = table.values[:MOST_SEEN], dict[str, str]()
    for i, fixed, distinct in fixing(values):
        same = [i, *(j for j in fixed if distinct == len(np.unique(values[:, j])))]
        codes = [j for j in same if table.discrete[j] or not (values[:, j] % 1 > 0).any()]
        others = [j for j in (i, *fixed) if j not in codes]
        if distinct >= CODES and any(_jumps(values[:, j], values[:, k]) for j in codes for k in others):
            names = first_of([table.variables[j] for j in others])
            found |= {table.variables[j]: f"{distinct} values of it fix {names}" for j in codes}
    return found


def _jumps(code: np.ndarray, fixed: np.ndarray) -> bool:
    """Return whether a column that a code fixes has no order along it."""
    values = fixed[np.unique(code, return_index=True)[1]]
    return bool(np.mean(np.diff(values) ** 2) > 2 * ROUGH * values.var())
