"""Tables that the paper does not have: ranks of methods, agreement with print, and cost."""

from __future__ import annotations

from cutpoint.artefacts import Table
from cutpoint.statistics import Friedman, friedman
from cutpoint.studies import additions
from cutpoint.studies.additions import Compared
from cutpoint.studies.columns import MEAN
from cutpoint.studies.comparison import Column, of_methods
from cutpoint.studies.fu2005 import comparisons, evidence
from cutpoint.studies.inputs import Inputs

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
        return friedman(evidence.ratios(inputs, "shd_fu2005", None)[0].T)
    return friedman(evidence.real(inputs, "kgv_gain")[1].values[0].T, lower_is_better=False)


def ranks(inputs: Inputs) -> Table:
    """Return mean ranks with Friedman's test and Nemenyi's critical difference."""
    found = {"SHD, simulated data": ranked(inputs, "simulated"), "Score, real data": ranked(inputs, "real")}
    blocks = "Blocks are the cells (network, N) for the structural Hamming distance and the data sets for the score."
    return additions.ranks(inputs, found, blocks=blocks)


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
