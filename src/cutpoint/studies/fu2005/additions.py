"""Tables that the paper does not have: ranks and differences of methods, agreement with print, and cost."""

from __future__ import annotations

from cutpoint.report.artefacts import Table
from cutpoint.statistics.ranks import Friedman, friedman
from cutpoint.studies import additions, contests, rankings
from cutpoint.studies import differences as shared
from cutpoint.studies.additions import Compared
from cutpoint.studies.columns import MEAN
from cutpoint.studies.comparison import Column, of_methods
from cutpoint.studies.fu2005 import comparisons, evidence
from cutpoint.studies.inputs import Inputs

SHD = contests.Metric("shd_fu2005", "SHD")
SHARED = (
    "Cells of one network are not independent, but the tests take them as such, so that their p values are somewhat "
    "too small; networks with many edges weigh most in the mean difference, ranks weigh all cells alike."
)

PRINTED_TABLES = {
    "V-4": Compared(comparisons.table_4),
    "V-5": Compared(comparisons.table_5),
    "V-6": Compared(comparisons.table_6),
    "V-7": Compared(comparisons.table_7),
    "V-8": Compared(comparisons.table_8),
    "V-9": Compared(comparisons.table_9),
    "V-11": Compared(comparisons.table_11),
    "V-12": Compared(comparisons.table_12),
}


def agreement(inputs: Inputs) -> Table:
    """Return the rank correlation of published and reproduced numbers in every printed column."""
    over = "over the methods of each column"
    return additions.agreement(inputs, PRINTED_TABLES, caption=over, count="Rows compared")


def ranked(inputs: Inputs, grid: str) -> Friedman | None:
    """Return the comparison by ranks: of SHD over cells of the simulated grid, or of score over data sets."""
    if grid == "simulated":
        return compared(inputs).friedman
    return friedman(evidence.real(inputs, "kgv_gain")[1].values[0].T, lower_is_better=False)


def ranks(inputs: Inputs) -> Table:
    """Return mean ranks with Friedman's test and Nemenyi's critical difference."""
    found = {"SHD, simulated data": ranked(inputs, "simulated"), "Score, real data": ranked(inputs, "real")}
    blocks = "Blocks are the cells (network, N) for the structural Hamming distance and the data sets for the score."
    return additions.ranks(inputs, found, blocks=blocks)


def compared(inputs: Inputs) -> contests.Contest:
    """Return the comparison of the methods by SHD over cells (network, N) of the simulated grid."""
    return contests.contest(inputs, "simulated", evidence.KEYS, SHD)


def differences(inputs: Inputs) -> Table:
    """Return all methods against the best by SHD."""
    return shared.table_differences(compared(inputs), note=SHARED)


def stability(inputs: Inputs) -> Table:
    """Return how stable the ranking by SHD is."""
    return rankings.table_rank_stability(compared(inputs), note=SHARED)


def cost(inputs: Inputs) -> Table:
    """Return CPU seconds of every method by N and by network, not normalised."""
    sizes = evidence.by_size(inputs, "seconds", None)
    networks = evidence.by_network(inputs, "seconds")
    panels = [
        ("By sample size", [Column(f"N = {n:g}", sizes, n, digits=3) for n in sizes.names if n != MEAN]),
        ("By network", [Column(str(n), networks, n, digits=3) for n in networks.names if n != MEAN]),
    ]
    return of_methods(
        inputs,
        panels,
        name="table_cost",
        title="Cost of the methods in CPU seconds",
        caption="Mean CPU seconds of a run, discretization and learning, over networks by N and over N by network.",
        missing=inputs.missing("simulated"),
    )
