"""The batches of studies as all look-ups select them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from cutpoint.bench.workflow import plan
from cutpoint.bench.workflow.fingerprint import fingerprint
from cutpoint.bench.workflow.load import Checked

Wildcards = Any  # of Snakemake: an attribute for each wildcard of a rule
T = TypeVar("T")


class Batches:
    """The checked config with the batches of its studies.

    Look-ups take a study and one of its batches, as `of_batch` hands them over. What takes ``wildcards`` is an input or
    a parameter of a rule with these wildcards.
    """

    def __init__(self, checked: Checked):
        self.checked = checked
        self.settings, self.studies, self.batches = checked.settings, checked.studies, checked.batches
        self.scripts = checked.places.root / "scripts"

    def of_batch(self, look_up: Callable[..., T], *names: str, source: str = "") -> Callable[[Wildcards], T]:
        """Return a look-up of a study, a batch and further wildcards, by name, as an input or a parameter of a rule.

        The rules of one source of data have no wildcard for it.
        """

        def of(wildcards: Wildcards) -> T:
            batch = self.batches[wildcards.study][f"{source or wildcards.source}/{wildcards.batch}"]
            return look_up(wildcards.study, batch, *(getattr(wildcards, name) for name in names))

        return of

    def with_kind(self, study: str, batch: plan.Batch, kind: str) -> plan.Batch:
        """Return the part of a batch that has a kind of file; all of it has those that are not named here."""
        kinds = {
            name: {
                "codes": grid.networks,
                "test": grid.predict or grid.held_out,
                "further": grid.held_out,
                "predictions": grid.predict,
                "held_out": self.studies[study].folds_of(name),
                "edges": grid.resamples and not self.studies[study].folds_of(name),
                "graphs": grid.graphs,
            }
            for name, grid in self.studies[study].grids.items()
        }
        return batch.of([name for name, has in kinds.items() if has.get(kind, True)])

    def batches_with(self, study: str, kind: str) -> list[plan.Batch]:
        """Return the batches of a study that have a kind of file."""
        return [batch for batch in self.batches[study].values() if self.with_kind(study, batch, kind).parts]

    def files_of(self, study: str, kind: str) -> list[str]:
        """Return one kind of file of all batches of a study that have it."""
        return [f"results/{study}/{batch.path}/{kind}.parquet" for batch in self.batches_with(study, kind)]

    def folds_of(self, study: str, part: plan.Part) -> int:
        """Return the number of folds of a cross-validation, 0 for other data."""
        about = self.studies[study]
        return about.scales[self.settings.scale].of("replicates", part.grid) if about.folds_of(part.grid) else 0

    def code_of(self, script: str, *functions: str | Path) -> str:
        """Fingerprint a script and the functions that it looks up, so that a change in them reruns its jobs."""
        return fingerprint(self.scripts / script, *functions)
