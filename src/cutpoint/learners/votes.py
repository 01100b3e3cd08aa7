"""What the votes of several searches say: which arrows are drawn as such, and what votes were worth in tests.

An arrow on which few searches agree is often wrong, though the best graph has it: every display leaves its head out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cutpoint.base.text import listed
from cutpoint.graphs.frequencies import EdgeFrequencies
from cutpoint.graphs.patterns import cpdag

if TYPE_CHECKING:
    from cutpoint.knowledge.knowledge import Knowledge

# By the share of votes, how many of 100 pairs are joined in the true graph, and how many of 100 arrows of joined pairs
# point the right way: edges that the default learned from data of generators that it was not tuned on
EDGES = 9_596
PAIRS = {1.0: 99, 0.8: 95, 0.6: 75}
MANY_RECORDS, PAIRS_OF_MANY = 5_000, {0.6: 35}  # where fewer are true than at other numbers of records
ARROWS = {1.0: 99, 0.8: 97, 0.6: 85, 0.4: 74, 0.2: 50}


def worth(shares: EdgeFrequencies | None) -> str:
    """Return what votes of searches were worth in tests, in two sentences; "" of other shares."""
    if shares is None or shares.of != "searches":
        return ""
    fewer = listed([f"{100 * votes:.0f} % at N = {MANY_RECORDS:,}: {true}" for votes, true in PAIRS_OF_MANY.items()])
    return (
        f"In tests on {EDGES:,} edges, pairs with {_by_votes(PAIRS, 'true')} ({fewer}). "
        f"Arrows with {_by_votes(ARROWS, 'right')}."
    )


def _by_votes(table: dict[float, int], what: str) -> str:
    shares = listed([f"{100 * votes:.0f}" for votes in table])
    return f"{shares} % of votes were {what} in {listed([*map(str, table.values())])} of 100"


def opened(
    pattern: np.ndarray, dag: np.ndarray | None, shares: EdgeFrequencies, knowledge: Knowledge | None
) -> np.ndarray:
    """Return a pattern, bool [n, n], in which arrows that fewer than `SETTLED` of the graphs have are undirected.

    An arrow stays where knowledge forbids its reverse, or where it follows from knowledge or from an experiment: the
    pattern of the `dag`, bool [n, n], alone has no direction there. shares: of the variables in their order.
    """
    known = np.zeros_like(pattern)
    if dag is not None:
        alone = cpdag(dag)
        known |= alone & alone.T
    if knowledge is not None and (arcs := knowledge.arcs_among(shares.variables or [])) is not None:
        known |= ~arcs.allowed.T
    return pattern | (pattern & ~known & ~shares.settled).T
