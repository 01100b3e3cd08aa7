"""Agreement with the printed numbers."""

from __future__ import annotations

from cutpoint.artefacts import Table
from cutpoint.studies import additions
from cutpoint.studies.additions import Compared
from cutpoint.studies.inputs import Inputs
from cutpoint.studies.steck2007 import comparisons, learned


def _means(table: Table) -> dict[str, list[int]]:
    """Return the column of the mean number of edges."""
    return {"edges": [0]}


PRINTED_TABLES = {"of Figure 2": Compared(comparisons.table_2), "of Figure 6": Compared(learned.table_6, _means)}


def agreement(inputs: Inputs) -> Table:
    """Return the rank correlation of published and reproduced numbers."""
    return additions.agreement(inputs, PRINTED_TABLES, caption="over the rows of a table", count="Numbers compared")
