"""What rules look up for their wildcards: files, methods and parameters."""

from __future__ import annotations

import os

from cutpoint.bench.workflow.load import Checked
from cutpoint.bench.workflow.lookups_data import DataLookups
from cutpoint.bench.workflow.lookups_methods import MethodLookups
from cutpoint.bench.workflow.lookups_studies import StudyLookups


class Plan:
    """The checked config as rules ask for it: how data are made, methods run, and studies are collected and shown."""

    def __init__(self, checked: Checked):
        self.checked, self.settings = checked, checked.settings
        self.data, self.methods = DataLookups(checked), MethodLookups(checked)
        self.studies = StudyLookups(checked, self.data, self.methods)
        self.code_of = self.data.code_of

    @property
    def environment(self) -> dict[str, str]:
        """Variables for all jobs: the package of this clone, and one thread each."""
        paths = [str(self.checked.places.root / "src"), os.environ.get("PYTHONPATH")]
        return {"PYTHONPATH": os.pathsep.join(filter(None, paths)), "NUMBA_NUM_THREADS": "1"}
