"""Tables that the paper does not have: ranks of methods, agreement with print, and cost."""

from __future__ import annotations

import numpy as np

from cutpoint.artefacts import Cell, Row, Table
from cutpoint.statistics import Friedman, friedman, spearman
from cutpoint.studies.fu2005 import comparisons, evidence
from cutpoint.studies.fu2005.evidence import MEAN
from cutpoint.studies.inputs import Inputs

PRINTED_TABLES = {
    "V-4": comparisons.table_4,
    "V-5": comparisons.table_5,
    "V-6": comparisons.table_6,
    "V-7": comparisons.table_7,
    "V-8": comparisons.table_8,
    "V-9": comparisons.table_9,
    "V-11": comparisons.table_11,
    "V-12": comparisons.table_12,
}


def pairs(table: Table, column: int) -> tuple[np.ndarray, np.ndarray]:
    """Return published and reproduced numbers of a column, NaN where either is missing."""
    cells = [row.cells[column] for row in table.rows]
    published = np.array([np.nan if c.published is None else c.published for c in cells], float)
    return published, np.array([np.nan if c.reproduced is None else c.reproduced for c in cells], float)


def agreement(inputs: Inputs) -> Table:
    """Return the rank correlation of published and reproduced numbers in every printed column."""
    rows = []
    for name, make in PRINTED_TABLES.items():
        table = inputs.once(("table", name), lambda make=make: make(inputs))
        for k, column in enumerate(table.columns):
            published, reproduced = pairs(table, k)
            if np.isfinite(published).any():
                rho, count = spearman(published, reproduced)
                reason = "fewer than three pairs"
                cells = (Cell(rho, reason=reason), Cell(count))
                rows.append(Row(f"{name}, {column}", f"Table {name}, {column}", "", cells))
    return Table(
        name="table_agreement",
        title="Agreement with the printed tables",
        caption="Spearman's rank correlation of published and reproduced numbers over the methods of each column.",
        key="table",
        columns=("Rank correlation", "Rows compared"),
        rows=tuple(rows),
        scale=inputs.scale,
    )


def ranked(inputs: Inputs, grid: str) -> Friedman | None:
    """Return the comparison by ranks: of SHD over cells of the simulated grid, or of score over data sets."""
    if grid == "simulated":
        return friedman(evidence.ratios(inputs, "shd_fu2005", None)[0].T)
    return friedman(evidence.real(inputs, "kgv_gain")[1].values[0].T, lower_is_better=False)


def ranks(inputs: Inputs) -> Table:
    """Return mean ranks with Friedman's test and Nemenyi's critical difference."""
    columns, notes, found = ("SHD, simulated data", "Score, real data"), [], []
    for column, grid in zip(columns, ("simulated", "real"), strict=True):
        result = ranked(inputs, grid)
        found.append({} if result is None else dict(zip(result.kept.tolist(), result.ranks.tolist(), strict=True)))
        if result is None:
            notes.append(f"{column}: too few methods or blocks to compare.")
        else:
            notes.append(
                f"{column}: {result.blocks} blocks, Friedman chi-square {result.statistic:.1f}, p = "
                f"{result.pvalue:.2g}; mean ranks further apart than {result.difference:.2f} differ at "
                "the 5 % level."
            )
    rows = [
        Row(
            m.name,
            m.label,
            m.category,
            tuple(Cell(f.get(i), reason="missing in too many blocks") for f in found),
        )
        for i, m in enumerate(inputs.methods)
    ]
    return Table(
        name="table_ranks",
        title="Mean ranks of the methods",
        caption="Rank 1 is the best. Blocks are the cells (network, N) for the structural Hamming "
        "distance and the data sets for the score. A method missing in more than a quarter of the "
        "blocks is left out.",
        key="method",
        columns=columns,
        rows=tuple(rows),
        scale=inputs.scale,
        notes=tuple(notes),
    )


def cost(inputs: Inputs) -> Table:
    """Return CPU seconds of every method by N and by network, not normalised."""
    sizes = evidence.by_size(inputs, "seconds", None)
    networks = evidence.by_network(inputs, "seconds")
    rows = []
    for i, m in enumerate(inputs.methods):
        cells = [sizes.cell(i, n, digits=3) for n in sizes.names if n != MEAN]
        cells += [networks.cell(i, n, digits=3) for n in networks.names if n != MEAN]
        rows.append(Row(m.name, m.label, m.category, tuple(cells)))
    count = len(sizes.names) - 1
    names = [f"N = {n:g}" for n in sizes.names[:-1]] + [str(n) for n in networks.names[:-1]]
    return Table(
        name="table_cost",
        title="Cost of the methods in CPU seconds",
        caption="Mean CPU seconds of a run, discretization and learning, over networks by N and over N by network.",
        key="method",
        columns=tuple(names),
        rows=tuple(rows),
        scale=inputs.scale,
        panels=(("By sample size", range(count)), ("By network", range(count, len(names)))),
        missing=comparisons.missing(inputs, "simulated"),
    )
