"""All tables of the study by the name of their artefact."""

from __future__ import annotations

from collections.abc import Callable

from cutpoint.report.artefacts import Table
from cutpoint.studies.inputs import Inputs
from cutpoint.studies.steck2007 import additions, comparisons, learned

TABLES: dict[str, Callable[[Inputs], Table]] = {
    "table_2": comparisons.table_2,
    "table_clusters": comparisons.table_clusters,
    "table_3": comparisons.table_3,
    "table_4": comparisons.table_4,
    "table_5": comparisons.table_5,
    "table_6": learned.table_6,
    "table_7": learned.table_7,
    "table_ess": learned.table_ess,
    "table_invariance": comparisons.table_invariance,
    "table_agreement": additions.agreement,
    "table_cost": learned.table_cost,
}
