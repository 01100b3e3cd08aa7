"""All tables of the study by the name of their artefact."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from cutpoint.report.artefacts import Table
from cutpoint.studies.inputs import Inputs
from cutpoint.studies.mabrouk2015 import additions, comparisons

TABLES: dict[str, Callable[[Inputs], Table]] = {
    "table_rates": comparisons.table_rates,
    "table_1": comparisons.table_1,
    "table_2": additions.TABLE_2,
    "table_2_expected": partial(comparisons.table_2, kind="expected"),
    "table_2_argmax": partial(comparisons.table_2, kind="argmax"),
    "table_gaps": comparisons.table_gaps,
    "table_sensitivity": comparisons.table_sensitivity,
    "table_thresholds": comparisons.table_thresholds,
    "table_agreement": additions.agreement,
    "table_ranks": additions.ranks,
    "table_differences": additions.differences,
    "table_rank_stability": additions.stability,
    "table_cost": comparisons.table_cost,
}
