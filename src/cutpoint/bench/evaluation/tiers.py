"""How a learned graph agrees with partial truth: arcs that lead from a later tier to an earlier one are wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np


class TierArcs(NamedTuple):
    """Edges of a pattern between different tiers; of them those with a direction; of these those to an earlier tier."""

    edges: int
    arcs: int
    breaks: int

    @property
    def broken(self) -> float | None:
        """The share of the arcs that break the tiers, None without any.

        Directions at random would break one half of them: an acyclic orientation of the edges and its reverse are
        equally likely, and each arc breaks in one of the two.
        """
        return self.breaks / self.arcs if self.arcs else None


def tier_numbers(variables: Sequence[str], tiers: Sequence[Sequence[str]]) -> np.ndarray:
    """Return the number of the tier of each variable from 0, -1 of one that stands in none, int64 [n]."""
    places = {name: number for number, tier in enumerate(tiers) for name in tier}
    return np.array([places.get(name, -1) for name in variables], np.int64)


def tier_arcs(pattern: np.ndarray, tiers: np.ndarray) -> TierArcs:
    """Return how the edges of a completed pattern, bool [n, n], agree with `tier_numbers`, int64 [n], -1 for none.

    Undirected edges break nothing.
    """
    placed = tiers >= 0
    between = placed[:, None] & placed & (tiers[:, None] != tiers)
    directed = pattern & ~pattern.T & between
    undirected = int((pattern & pattern.T & between).sum()) // 2
    arcs = int(directed.sum())
    return TierArcs(arcs + undirected, arcs, int((directed & (tiers[:, None] > tiers)).sum()))
