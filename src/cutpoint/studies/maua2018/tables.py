"""The tables of the study: the notes print none, one of ours compares the searches that they describe."""

from __future__ import annotations

from collections.abc import Callable

from cutpoint.artefacts import Table
from cutpoint.studies.inputs import Inputs
from cutpoint.studies.maua2018.searches import table_searches

TABLES: dict[str, Callable[[Inputs], Table]] = {"table_searches": table_searches}
