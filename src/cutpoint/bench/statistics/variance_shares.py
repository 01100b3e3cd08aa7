"""How much of the variance of a number main effects and interactions of two factors account for, in a full design."""

from __future__ import annotations

from itertools import combinations

import numpy as np

REST = ("rest",)  # interactions of three and more factors, and what replicates would show as error


def variance_shares(values: np.ndarray, factors: tuple[str, ...]) -> dict[tuple[str, ...], float]:
    """Return the share of the total sum of squares of each factor, of each pair and of the rest.

    With one number in every cell of a full design effects are orthogonal: that of a set of factors is the mean of its
    cells less the effects of all smaller sets in it, and the squares of all effects sum to the total.

    Args:
        values: float64, an axis for each factor, finite.
        factors: their names.

    Returns:
        By the names of a set, in the order of `factors`: main effects, then pairs, then `REST`; they sum to 1, and are
        NaN where all values are equal.
    """
    total = float(((values - values.mean()) ** 2).sum())
    axes = range(values.ndim)
    effects: dict[tuple[int, ...], np.ndarray] = {(): values.mean(keepdims=True)}
    for members in [*combinations(axes, 1), *combinations(axes, 2)]:
        means = values.mean(tuple(axis for axis in axes if axis not in members), keepdims=True)
        below = [subset for size in range(len(members)) for subset in combinations(members, size)]
        effects[members] = means - sum(effects[subset] for subset in below)
    squares = {
        tuple(factors[axis] for axis in members): float((effect**2).sum()) * values.size / effect.size
        for members, effect in effects.items()
        if members
    }
    squares[REST] = max(total - sum(squares.values()), 0.0)
    return {name: each / total if total > 0 else np.nan for name, each in squares.items()}
