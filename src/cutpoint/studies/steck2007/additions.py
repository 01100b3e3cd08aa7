"""Agreement with the printed numbers."""

from __future__ import annotations

from dataclasses import replace

from cutpoint.report.artefacts import Table
from cutpoint.studies import tables as additions
from cutpoint.studies.inputs import Inputs
from cutpoint.studies.steck2007 import comparisons, edges, learned
from cutpoint.studies.tables import Compared


def _means(table: Table) -> dict[str, list[int]]:
    """Return the column of the mean number of edges."""
    return {"edges": [0]}


YEAST = "of Figure 6"
PRINTED_TABLES = {"of Figure 2": Compared(comparisons.table_2), YEAST: Compared(learned.table_6, _means)}


def agreement(inputs: Inputs) -> Table:
    """Return the rank correlation of published and reproduced numbers, of Figure 6 only on the data of the paper."""
    lost = edges.incomparable(inputs)
    compared = {name: each for name, each in PRINTED_TABLES.items() if name != YEAST or not lost}
    found = additions.agreement(inputs, compared, caption="over the rows of a table", count="Numbers compared")
    return replace(found, notes=(f"Figure 6 is left out: {lost}.",)) if lost else found
