"""All tables of the study by the name of their artefact."""

from __future__ import annotations

from collections.abc import Callable

from cutpoint.report.artefacts import Table
from cutpoint.studies.fu2005 import additions, comparisons, descriptions
from cutpoint.studies.inputs import Inputs

TABLES: dict[str, Callable[[Inputs], Table]] = {
    "table_V-1": descriptions.table_1,
    "table_V-2": descriptions.table_2,
    "table_V-3": descriptions.table_3,
    "table_V-4": comparisons.table_4,
    "table_V-5": comparisons.table_5,
    "table_V-6": comparisons.table_6,
    "table_V-7": comparisons.table_7,
    "table_V-8": comparisons.table_8,
    "table_V-9": comparisons.table_9,
    "table_V-10": descriptions.table_10,
    "table_V-11": comparisons.table_11,
    "table_V-11_by_dataset": comparisons.table_11_by_dataset,
    "table_V-12": comparisons.table_12,
    "table_agreement": additions.agreement,
    "table_ranks": additions.ranks,
    "table_differences": additions.differences,
    "table_rank_stability": additions.stability,
    "table_cost": additions.cost,
}
