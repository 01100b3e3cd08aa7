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
    """

    def __init__(self, checked: Checked):
        self.checked = checked
        self.settings, self.studies, self.batches = checked.settings, checked.studies, checked.batches
        self.scripts = checked.places.root / "scripts"

    def batch_of(self, wildcards: Wildcards, source: str = "") -> plan.Batch:
        """Return the batch of a job; the rules of one source have no wildcard for it."""
        return self.batches[wildcards.study][f"{source or wildcards.source}/{wildcards.batch}"]

    def folder_of(self, wildcards: Wildcards) -> str:
        """Return the folder of the batch of a job."""
        return f"results/{wildcards.study}/{self.batch_of(wildcards).path}"

    def has(self, study: str, grid: str, kind: str) -> bool:
        """Return whether the batches of a grid have a kind of file; all have those that are not named here."""
        keys, folds = self.studies[study].grids[grid], self.studies[study].folds_of(grid)
        kinds = {
            "codes": keys.networks,
            "test": keys.predict or keys.held_out,
            "predictions": keys.predict,
            "held_out": folds,
            "edges": keys.resamples and not folds,
            "graphs": keys.graphs,
        }
        return bool(kinds.get(kind, True))

    def batches_with(self, study: str, kind: str) -> list[plan.Batch]:
        """Return the batches of a study that have a kind of file."""
        batches = self.batches[study].values()
        return [batch for batch in batches if any(self.has(study, part.grid, kind) for part in batch.parts)]

    def files_of(self, study: str, kind: str) -> list[str]:
        """Return one kind of file of all batches of a study that have it."""
        return [f"results/{study}/{batch.path}/{kind}.parquet" for batch in self.batches_with(study, kind)]

    def part_with(self, study: str, batch: plan.Batch, key: str) -> plan.Batch:
        """Return the part of a batch whose grids have a key."""
        return batch.of([name for name, grid in self.studies[study].grids.items() if getattr(grid, key)])

    def folds(self, study: str, part: plan.Part) -> dict[str, int]:
        """Return the number of folds of a cross-validation, nothing for other data."""
        scale = self.studies[study].scales[self.settings.scale]
        return {"folds": scale.of("replicates", part.grid)} if self.studies[study].folds_of(part.grid) else {}

    def code_of(self, script: str, *functions: str | Path) -> str:
        """Fingerprint a script and the functions that it looks up, so that a change in them reruns its jobs."""
        return fingerprint(self.scripts / script, *functions)


def datasets_of(batches: Iterable[plan.Batch]) -> list[str]:
    """Return the files of the real data sets of some batches, each once."""
    names = dict.fromkeys(cell.dataset for batch in batches for cell in batch.data if cell.dataset)
    return [f"results/datasets/{name}.parquet" for name in names]
