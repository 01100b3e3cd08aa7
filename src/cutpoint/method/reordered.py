"""A method on columns in another order."""

from collections.abc import Sequence

import numpy as np

from cutpoint.knowledge.knowledge import Knowledge
from cutpoint.method.method import Method


def pattern(
    method: Method,
    values: np.ndarray,
    discrete: np.ndarray,
    order: np.ndarray,
    variables: Sequence[str],
    knowledge: Knowledge | None = None,
) -> np.ndarray:
    """Return the equivalence class that a method learns from columns in another order, bool [n, n].

    order: int64 [n], the places of the columns in the order that the method sees; `variables` and the result have the
    order of the values.
    """
    names = [variables[i] for i in order]
    learned = method.learn(np.asfortranarray(values[:, order]), discrete[order], variables=names, knowledge=knowledge)
    assert learned.cpdag is not None
    back = np.argsort(order)
    return learned.cpdag[np.ix_(back, back)]
