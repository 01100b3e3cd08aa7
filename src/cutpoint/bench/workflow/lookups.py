"""What rules look up for their wildcards: files, methods and parameters."""

from __future__ import annotations

import os

from cutpoint.bench.workflow.load import Checked
from cutpoint.bench.workflow.lookups_runs import DataLookups, MethodLookups
from cutpoint.bench.workflow.lookups_studies import StudyLookups


class Plan:
    """The checked config as rules ask for it: how data are made, methods run, and studies are collected and shown."""

    def __init__(self, checked: Checked):
        self.checked, self.settings = checked, checked.settings
        self.data, self.methods = DataLookups(checked), MethodLookups(checked)
        self.studies = StudyLookups(checked, self.data, self.methods)
        self.code_of, self.of_batch = self.data.code_of, self.data.of_batch

    @property
    def environment(self) -> dict[str, str]:
        """Variables for all jobs: the package of this clone, one thread each, and bytecode that is kept.

        Containers often forbid to keep it: then each of the jobs would compile all that it imports, for over a second.
        """
        paths = [str(self.checked.places.root / "src"), os.environ.get("PYTHONPATH")]
        path = os.pathsep.join(filter(None, paths))
        return {"PYTHONPATH": path, "NUMBA_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": ""}
