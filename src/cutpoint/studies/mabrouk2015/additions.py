"""Ranks and differences of the methods over data sets, and agreement with the printed tables."""

from __future__ import annotations

from functools import partial

import numpy as np

from cutpoint.report.artefacts import Table
from cutpoint.statistics.ranks import Friedman, friedman
from cutpoint.studies import contests
from cutpoint.studies import tables as additions
from cutpoint.studies.inputs import Grid, Inputs, grid
from cutpoint.studies.mabrouk2015 import comparisons, evidence
from cutpoint.studies.tables import Compared

SHD = contests.Metric("shd_standard", "SHD of the pattern")
SHARED = "A block is the mean over N of one random network, so that blocks are independent."
RANKED = {"TPR": "tpr_mabrouk2015", "F1 of the pattern": "f1_pattern"}


def _together(table: Table) -> dict[str, list[int]]:
    """Return all columns with a printed number."""
    return {
        "all N": [k for k in range(len(table.columns)) if any(r.cells[k].published is not None for r in table.rows)]
    }


def _by_panel(table: Table) -> dict[str, list[int]]:
    """Return the columns of each panel by network and share."""
    return {title.removesuffix(" of the Markov blanket observed"): list(columns) for title, columns in table.panels}


TABLE_2 = partial(comparisons.table_2, kind="sampled")
PRINTED_TABLES = {"1": Compared(comparisons.table_1, _together), "2": Compared(TABLE_2, _by_panel)}


def agreement(inputs: Inputs) -> Table:
    """Return the rank correlation of published and reproduced numbers."""
    over = "over the methods and the sample sizes"
    return additions.agreement(inputs, PRINTED_TABLES, caption=over, count="Numbers compared")


def ranked(inputs: Inputs, metric: str) -> Friedman | None:
    """Return the comparison of the methods by a metric over the data sets (network, N) of the structure grid."""
    runs = grid(evidence.of_the_paper(inputs), "structure", *evidence.KEYS)
    return friedman(_blocks(runs, metric, range(len(runs.cells))), lower_is_better=False)


def ranked_predictions(inputs: Inputs) -> Friedman | None:
    """Return the comparison by the expected accuracy given the whole blanket over the data sets of the prediction grid.

    The true network does not take part.
    """
    runs = evidence.prediction_grid(inputs)
    whole = [i for i, cell in enumerate(runs.cells) if cell[-1] == max(evidence.SHARES)]
    return friedman(_blocks(runs, "expected", whole)[:, : len(inputs.methods)], lower_is_better=False)


def _blocks(runs: Grid, metric: str, cells) -> np.ndarray:
    """Return a metric of every data set that was asked for, float64 [B, M]."""
    values = runs.cube(metric)[:, list(cells)].transpose(1, 2, 0)
    return values[runs.present[list(cells)]]


def ranks(inputs: Inputs) -> Table:
    """Return mean ranks with Friedman's test and Nemenyi's critical difference."""
    found = {f"{title}, random networks": ranked(inputs, metric) for title, metric in RANKED.items()}
    found["Expected accuracy, whole blanket"] = ranked_predictions(inputs)
    blocks = (
        "Blocks are the data sets (network, N); those of one network share its structure, so that the critical "
        "difference is somewhat too small."
    )
    return additions.ranks(inputs, found, blocks=blocks)


def compared(inputs: Inputs) -> contests.Contest:
    """Return the comparison of the methods by SHD over the random networks of the structure grid."""
    return contests.contest(evidence.of_the_paper(inputs), "structure", evidence.KEYS, SHD, apart=True)


def differences(inputs: Inputs) -> Table:
    """Return the other methods against MGCD by SHD."""
    return contests.table_differences(compared(inputs), control=evidence.REFERENCE, note=SHARED)


def stability(inputs: Inputs) -> Table:
    """Return how stable the ranking by SHD is."""
    return contests.table_rank_stability(compared(inputs), note=SHARED)
