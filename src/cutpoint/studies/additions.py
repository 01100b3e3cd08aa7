"""Tables that no paper has: agreement with print and ranks of methods."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from cutpoint.report.artefacts import Cell, Row, Table
from cutpoint.statistics.ranks import Friedman, spearman
from cutpoint.studies.inputs import Inputs


def each_column(table: Table) -> dict[str, list[int]]:
    """Return the columns of a table by their names, each alone."""
    return {name: [k] for k, name in enumerate(table.columns)}


@dataclass(frozen=True)
class Compared:
    """A table that is compared with print.

    Attributes:
        make: makes it.
        groups: which of its columns are compared together, by what they have in common.
    """

    make: Callable[[Inputs], Table]
    groups: Callable[[Table], Mapping[str, Sequence[int]]] = each_column

    def table(self, inputs: Inputs) -> Table:
        """Return the table, made once."""
        return inputs.once(("table", self.make), lambda: self.make(inputs))


def pairs(table: Table, columns: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """Return published and reproduced numbers of some columns, row by row, NaN where either is missing."""
    cells = [row.cells[k] for row in table.rows for k in columns]
    published = np.array([np.nan if c.published is None else c.published for c in cells], float)
    return published, np.array([np.nan if c.reproduced is None else c.reproduced for c in cells], float)


def agreement(inputs: Inputs, compared: Mapping[str, Compared], *, caption: str, count: str) -> Table:
    """Return the rank correlation of published and reproduced numbers, by table and group of columns.

    Args:
        inputs: of the study.
        compared: by the number of the table in the paper.
        caption: what is correlated.
        count: heading of the column with the number of pairs.
    """
    rows = []
    for name, each in compared.items():
        table = each.table(inputs)
        for group, columns in each.groups(table).items():
            published, reproduced = pairs(table, columns)
            if np.isfinite(published).any():
                rho, number = spearman(published, reproduced)
                cells = (Cell(rho, reason="fewer than three pairs"), Cell(number))
                rows.append(Row(f"{name}, {group}", f"Table {name}, {group}", "", cells))
    return Table(
        name="table_agreement",
        title="Agreement with the printed tables",
        caption=f"Spearman's rank correlation of published and reproduced numbers {caption}.",
        key="table",
        columns=("Rank correlation", count),
        rows=tuple(rows),
        scale=inputs.scale,
    )


def ranks(inputs: Inputs, rankings: Mapping[str, Friedman | None], *, blocks: str) -> Table:
    """Return mean ranks with Friedman's test and Nemenyi's critical difference.

    Args:
        inputs: of the study.
        rankings: by what is ranked; None where there is too little to compare.
        blocks: a sentence on what a block is.
    """
    notes, found = [], []
    for column, result in rankings.items():
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
        caption=f"Rank 1 is the best. {blocks} A method missing on more than a quarter of the data sets is left out; "
        "the others are compared on the data sets that they all have.",
        key="method",
        columns=tuple(rankings),
        rows=tuple(rows),
        scale=inputs.scale,
        notes=tuple(notes),
    )
