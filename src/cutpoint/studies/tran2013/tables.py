"""All tables of the study by the name of their artefact."""

from __future__ import annotations

from collections.abc import Callable

from cutpoint.report.artefacts import Table
from cutpoint.studies.inputs import Inputs
from cutpoint.studies.tran2013 import comparisons, misprints, searches

TABLES: dict[str, Callable[[Inputs], Table]] = {
    "table_2.1": comparisons.table_dags,
    "table_classes": comparisons.table_classes,
    "table_2.3": comparisons.table_aic_bic,
    "table_coarse": searches.table_coarse,
    "table_3.1": comparisons.table_mdl,
    "table_5.1": searches.table_removals,
    "table_explosions": searches.table_explosions,
    "table_recovery": searches.table_recovery,
    "table_misprints": misprints.table_misprints,
}
