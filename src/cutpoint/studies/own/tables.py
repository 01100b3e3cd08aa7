"""All tables of the study by the name of their artefact."""

from __future__ import annotations

from collections.abc import Callable

from cutpoint.report.artefacts import Table
from cutpoint.studies.inputs import Inputs
from cutpoint.studies.own.comparisons import table_agreement, table_methods, table_structure
from cutpoint.studies.own.confidence import table_edges
from cutpoint.studies.own.descriptions import table_columns, table_thresholds
from cutpoint.studies.own.held_out import table_held_out

TABLES: dict[str, Callable[[Inputs], Table]] = {
    "table_columns": table_columns,
    "table_methods": table_methods,
    "table_held_out": table_held_out,
    "table_edges": table_edges,
    "table_agreement": table_agreement,
    "table_thresholds": table_thresholds,
    "table_structure": table_structure,
}
