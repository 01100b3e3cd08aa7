"""The tables of the study: the notes print none, ours compare the searches that they describe."""

from __future__ import annotations

from collections.abc import Callable

from cutpoint.report.artefacts import Table
from cutpoint.studies import contests
from cutpoint.studies.inputs import Inputs
from cutpoint.studies.maua2018.searches import GRID, KEYS, table_searches

SHD = contests.Metric("shd_fu2005", "SHD")
SHARED = (
    "Cells of one network are not independent, but the tests take them as such; networks with many edges weigh "
    "most in the mean difference."
)


def compared(inputs: Inputs) -> contests.Contest:
    """Return the comparison of the rows by SHD over cells (network, N)."""
    return contests.contest(inputs, GRID, KEYS, SHD)


def table_differences(inputs: Inputs) -> Table:
    """Return all rows against the best by SHD."""
    return contests.table_differences(compared(inputs), note=SHARED)


def table_rank_stability(inputs: Inputs) -> Table:
    """Return how stable the ranking by SHD is."""
    return contests.table_rank_stability(compared(inputs), note=SHARED)


TABLES: dict[str, Callable[[Inputs], Table]] = {
    "table_searches": table_searches,
    "table_differences": table_differences,
    "table_rank_stability": table_rank_stability,
}
