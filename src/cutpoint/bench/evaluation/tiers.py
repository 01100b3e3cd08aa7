"""How a learned graph agrees with partial truth: `tiers.csv` has columns that can come about only before others.

An arc from a later tier to an earlier one is wrong whatever the rest of the graph is. Columns that stand in no tier are
free. Several tables follow the knowledge files of github.com/cmu-phil/example-causal-datasets (CC0).
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from cutpoint.data.csv_files import read_csv


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


class Tier(NamedTuple):
    """Columns of one tier, and why they come before those of the next; of the last, why after the others."""

    columns: list[str]
    why: str


TIERS: dict[str, list[Tier]] = {}
for row in read_csv(Path(__file__).parent / "tiers.csv"):
    TIERS.setdefault(row["dataset"], []).append(Tier(row["columns"].split(), row["why"]))
