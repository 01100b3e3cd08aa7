"""The batches of studies as all look-ups select them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from cutpoint.bench.workflow import plan
from cutpoint.bench.workflow.fingerprint import fingerprint
from cutpoint.bench.workflow.load import Checked

Wildcards = Any  # of Snakemake: an attribute for each wildcard of a rule


class Batches:
    """The checked config with the batches of its studies.

    What takes ``wildcards`` is an input or a parameter of a rule with these wildcards.

    Attributes:
        checked: the config.
        settings, studies, batches: of the config.
    """

    def __init__(self, checked: Checked):
        self.checked = checked
        self.settings, self.studies, self.batches = checked.settings, checked.studies, checked.batches
        self.scripts = checked.places.root / "scripts"

    def batch_of(self, wildcards: Wildcards, source: str = "") -> plan.Batch:
        """Return the batch of a job; the rules of one source have no wildcard for it."""
        return self.batches[wildcards.study][f"{source or wildcards.source}/{wildcards.batch}"]

    def grids_with(self, study: str, key: str) -> list[str]:
        """Return the grids of a study that have a key."""
        return [name for name, grid in self.studies[study].grids.items() if getattr(grid, key)]

    def batches_with(self, study: str, grids: Iterable[str]) -> list[plan.Batch]:
        """Return the batches that have a part of some grids."""
        names = {*grids}
        return [batch for batch in self.batches[study].values() if batch.of(names).parts]

    def files_of(self, study: str, batches: Iterable[plan.Batch], name: str) -> list[str]:
        """Return a file of some batches."""
        return [f"results/{study}/{batch.path}/{name}.parquet" for batch in batches]

    def predicting(self, study: str) -> list[plan.Batch]:
        """Return the batches of a study whose methods predict."""
        return self.batches_with(study, self.grids_with(study, "predict"))

    def with_folds(self, study: str) -> list[plan.Batch]:
        """Return the batches with folds of a cross-validation."""
        return self.batches_with(study, filter(self.studies[study].folds_of, self.studies[study].grids))

    def is_resampled(self, study: str, grid: str) -> bool:
        """Return whether the replicates of a grid are samples of a data set, other than its folds."""
        return bool(self.studies[study].grids[grid].resamples) and not self.studies[study].folds_of(grid)

    def resampled(self, study: str) -> list[plan.Batch]:
        """Return the batches of a study with samples of data sets."""
        return self.batches_with(study, [grid for grid in self.studies[study].grids if self.is_resampled(study, grid)])

    def folds(self, study: str, part: plan.Part) -> dict[str, int]:
        """Return the number of folds of a cross-validation, nothing for other data."""
        about = self.studies[study]
        scale = about.scales[self.settings.scale]
        return {"folds": scale.of("replicates", part.grid)} if about.folds_of(part.grid) else {}

    def code_of(self, script: str, *functions: str | Path) -> str:
        """Fingerprint a script and the functions that it looks up, so that a change in them reruns its jobs."""
        return fingerprint(self.scripts / script, *functions)


def datasets_of(batches: Iterable[plan.Batch]) -> list[str]:
    """Return the files of the real data sets of some batches, each once."""
    names = dict.fromkeys(cell.dataset for batch in batches for cell in batch.data if cell.dataset)
    return [f"results/datasets/{name}.parquet" for name in names]
