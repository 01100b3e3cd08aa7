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

# By percentage of votes, how many of 100 pairs are true, and how many of 100 arrows of true pairs point the right way:
# edges that the default learned from data of generators that it was not tuned on
SEARCHES = 4
EDGES, PAIRS, ARROWS = 6_630, {100: 99, 75: 96, 50: 84, 25: 72}, {100: 99, 75: 99, 50: 97, 25: 85, 0: 34}
PAIRS_OF_MANY = "50 % at N = 5,000: 56"


def worth(shares: EdgeFrequencies | None) -> str:
    """Return what votes of searches were worth in tests, in two sentences; "" of other shares."""
    if shares is None or (shares.of, shares.graphs) != ("searches", SEARCHES):
        return ""
    pairs, arrows = ([listed([*map(str, part)]) for part in (each, each.values())] for each in (PAIRS, ARROWS))
    return (
        f"In tests on {EDGES:,} edges, pairs with {pairs[0]} % of votes were true in {pairs[1]} of 100 "
        f"({PAIRS_OF_MANY}). Arrows with {arrows[0]} % of votes were right in {arrows[1]} of 100."
    )


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
