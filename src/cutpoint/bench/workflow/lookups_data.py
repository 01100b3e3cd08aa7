"""How rules look up batches, and what they make data of: networks, codes, values, real data sets and the user's own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from cutpoint.base.names import OWN
from cutpoint.bench.simulation.params import ALL_RECORDS, FamilyJob, NoiseJob, ResampleJob, SampleJob
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
        self.truth = self.settings.truth and plan.stem(self.settings.truth)  # the network behind the user's own data

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

    def folds_of(self, study: str, part: plan.RunBlock) -> int:
        """Return the number of folds of a cross-validation, 0 for other data."""
        about = self.studies[study]
        return about.scales[self.settings.scale].of("replicates", part.grid) if about.folds_of(part.grid) else 0

    def code_of(self, script: str, *functions: str | Path) -> str:
        """Fingerprint a script and the functions that it looks up, so that a change in them reruns its jobs."""
        return fingerprint(self.scripts / script, *functions)


class DataLookups(Batches):
    """What data are made of, see `Batches`."""

    def file_of_dataset(self, wildcards: Wildcards) -> str | list[str]:
        """Return the user's own file for a data set, if there is one."""
        path = self.settings.files.get(wildcards.dataset)
        return self.checked.places.user(path) if path else []

    def family(self, wildcards: Wildcards) -> FamilyJob:
        """Return a block of a family of random networks."""
        name, study = wildcards.family, self.studies[wildcards.study]
        cells = [each for batch in self.batches[wildcards.study].values() for each in batch.data.items()]
        first = int(wildcards.block) * study.block
        last = min(first + study.block - 1, max(end for cell, (_, end) in cells if cell.network == name))
        options = study.random_networks[name]
        return FamilyJob(wildcards.study, name, range(first, last + 1), options, self.settings.seed)

    def networks(self, study: str, batch: plan.Batch) -> list[str]:
        """Return the files of the true networks of a batch, and folders of random ones."""
        known = study == OWN and batch.source == "real" and self.truth
        paths, block = [self.checked.networks[known]] if known else [], self.studies[study].block
        for cell, (first, last) in batch.data.items():
            if cell.network in self.studies[study].random_networks:
                blocks = range(first // block, last // block + 1)
                paths += [f"results/{study}/networks/{cell.network}/block{k}" for k in blocks]
            elif cell.network:
                paths.append(self.checked.networks[plan.stem(cell.network)])
        return list(dict.fromkeys(paths))

    def samples(self, study: str, batch: plan.Batch) -> list[SampleJob]:
        """Return which codes the data of a batch are made of, with the further records that judge its graphs."""
        grids, ends = self.studies[study].grids, dict[tuple[str, int], tuple[int, int]]()
        further = {part.cell: grids[part.grid].held_out for part in self.with_kind(study, batch, "further").parts}
        for cell, (first, last) in batch.data.items():
            for n in filter(None, (cell.n, further.get(cell))):
                key = plan.stem(str(cell.network)), n
                known = ends.get(key, (first, last))
                ends[key] = min(known[0], first), max(known[1], last)
        return [self._sample(study, *key, *known) for key, known in ends.items()]

    def _sample(self, study: str, network: str, n: int, first: int, last: int) -> SampleJob:
        return SampleJob(study, network, n, range(first, last + 1), self.settings.seed)

    def noises(self, study: str, batch: plan.Batch) -> list[NoiseJob]:
        """Return how the values of each cell of a batch are made."""
        noises, made = self.studies[study].noises, list[NoiseJob]()
        for cell, ends in batch.data.items():
            sample = self._sample(study, plan.stem(str(cell.network)), cell.n or 0, *ends)
            made.append(NoiseJob(sample, str(cell.noise), noises[str(cell.noise)]))
        return made

    def tests(self, study: str, batch: plan.Batch) -> list[NoiseJob]:
        """Return how the records that are held out of each cell of a batch are made.

        They are the last ones of the same records, or further ones of the same network and noise.
        """
        last = self.noises(study, self.with_kind(study, batch, "predictions"))
        grids, judged = self.studies[study].grids, self.with_kind(study, batch, "further").parts
        parts = (replace(p, cell=replace(p.cell, name="", n=grids[p.grid].held_out)) for p in judged)
        further = self.noises(study, replace(batch, parts=tuple(parts)))
        return [noise._replace(part="test") for noise in last] + further

    def test(self, study: str, batch: plan.Batch) -> list[str]:
        """Return the file of the records that are held out of a batch, if there are any."""
        return [f"results/{study}/{batch.path}/test.parquet"] if self.with_kind(study, batch, "test").parts else []

    def resamples(self, study: str, batch: plan.Batch) -> list[ResampleJob]:
        """Return how the replicates of each cell of a batch are drawn from a real data set."""
        folds, resamples = {part.cell: self.folds_of(study, part) for part in batch.parts}, list[ResampleJob]()
        for cell, (first, last) in batch.data.items():
            options: dict[str, Any] = {"kind": ALL_RECORDS}
            if cell.resample:
                options = self.studies[study].resamples[cell.resample]
                options = options | ({"folds": folds[cell]} if folds[cell] else {})
            names = str(cell.dataset), cell.resample or ALL_RECORDS
            resamples.append(ResampleJob(study, *names, range(first, last + 1), options, self.settings.seed))
        return resamples

    def datasets(self, study: str, batch: plan.Batch) -> list[str]:
        """Return the files of the real data sets of a batch, each once."""
        names = dict.fromkeys(cell.dataset for cell in batch.data if cell.dataset)
        return [f"results/datasets/{name}.parquet" for name in names]
