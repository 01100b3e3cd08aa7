"""Columns that are sums or weighted sums of others, as a total of its parts is: edges between them say nothing new."""

from collections.abc import Sequence

import numpy as np

from cutpoint.base.text import listed

PER_COLUMN, FEWEST = 5, 1000  # records in which relations are searched; all seen ones must bear them out
EXACT = 1e-7  # what is left of a column, in its standard deviations, or of a weight
MOST_TERMS = 12  # columns of a relation that is said


def sums_of(values: np.ndarray, discrete: np.ndarray, variables: Sequence[str]) -> list[str]:
    """Return linear relations of three columns or more that hold in every record, in words: ``total = a + b``.

    values: float64 [N, n], NaN for a missing cell; a discrete column takes part where it has two states.

    A column is a sum of those before it where the triangle of a QR decomposition with pivoting ends, so that 500
    columns take less than a second.
    """
    from scipy.linalg import qr, solve_triangular  # jobs that read no data start without SciPy

    numbers = np.flatnonzero(~discrete | (np.nanmax(values, axis=0) == 1))
    whole = values[~np.isnan(values[:, numbers]).any(axis=1)][:, numbers]
    n = len(numbers)
    if len(whole) <= 2 * n or n < 3:
        return []
    means, spreads = whole.mean(0), whole.std(0)
    scaled = (whole - means) / np.where(spreads > 0, spreads, 1)
    part = scaled[np.linspace(0, len(scaled) - 1, min(len(scaled), max(PER_COLUMN * n, FEWEST))).astype(int)]
    triangle, order = qr(part, mode="r", pivoting=True)
    rank = int((np.abs(np.diag(triangle)) > EXACT * len(part) ** 0.5).sum())
    weights = solve_triangular(triangle[:rank, :rank], triangle[:rank, rank:])
    found = []
    for child, column in zip(order[rank:], weights.T, strict=True):
        terms = np.flatnonzero(np.abs(column) > EXACT * 10)
        parents = order[terms]
        left = scaled[:, child] - scaled[:, parents] @ column[terms]
        if 2 <= len(terms) < MOST_TERMS and np.abs(left).max() < EXACT * 100:
            names = [variables[numbers[i]] for i in (child, *parents)]
            found.append(_in_words(names, column[terms] * spreads[child] / spreads[parents]))
    return found


def _in_words(names: Sequence[str], weights: np.ndarray) -> str:
    """Return a relation, the first name being the weighted sum of the others."""
    if not np.allclose(np.abs(weights), 1, atol=1e-4):
        return f"{names[0]} is a weighted sum of {listed(names[1:])}"
    parts = [name for name, weight in zip(names[1:], weights, strict=True) if weight > 0]
    totals = [name for name in names if name not in parts]
    if not parts or not totals:
        return f"{' + '.join(sorted(totals))} is the same in every record"
    small, large = sorted((totals, parts), key=len)
    return f"{' + '.join(sorted(small))} = {' + '.join(sorted(large))}"
