"""Partial truth of real data sets: `tiers.csv` has columns that can come about only before those of its next line.

An arc from a later tier to an earlier one is wrong whatever the rest of the graph is. Columns that stand in no tier are
free. Several tables follow the knowledge files of github.com/cmu-phil/example-causal-datasets (CC0).
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import NamedTuple


class Tier(NamedTuple):
    """Columns of one tier, and why they come before those of the next; of the last, why after the others."""

    columns: list[str]
    why: str


TIERS: dict[str, list[Tier]] = {}
with (Path(__file__).parent / "tiers.csv").open(newline="", encoding="utf-8") as file:
    for row in csv.DictReader(file):
        TIERS.setdefault(row["dataset"], []).append(Tier(row["columns"].split(), row["why"]))
