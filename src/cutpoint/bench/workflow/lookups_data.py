"""What rules look up to make data: networks, codes, values, real data sets and the user's own."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from cutpoint.base.names import OWN
from cutpoint.bench.simulation.params import ALL_RECORDS, Family, Noise, Resample, Sample
from cutpoint.bench.workflow import plan
from cutpoint.bench.workflow.lookups_batches import Batches, Wildcards


class DataLookups(Batches):
    """What data are made of, see `Batches`."""

    @property
    def truth(self) -> str | None:
        """The name of the true network of the user's own data, if it is known."""
        return self.settings.truth and plan.stem(self.settings.truth)

    def file_of_dataset(self, wildcards: Wildcards) -> str | list[str]:
        """Return the user's own file for a data set, if there is one."""
        path = self.settings.files.get(wildcards.dataset)
        return self.checked.places.user(path) if path else []

    def family(self, wildcards: Wildcards) -> Family:
        """Return a block of a family of random networks."""
        name, study = wildcards.family, self.studies[wildcards.study]
        cells = [each for batch in self.batches[wildcards.study].values() for each in batch.data.items()]
        first = int(wildcards.block) * study.block
        last = min(first + study.block - 1, max(end for cell, (_, end) in cells if cell.network == name))
        options = study.random_networks[name].model_dump()
        return Family(wildcards.study, name, range(first, last + 1), options, self.settings.seed)

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

    def samples(self, study: str, batch: plan.Batch) -> list[Sample]:
        """Return which codes the data of a batch are made of, with the further records that judge its graphs."""
        grids, ends = self.studies[study].grids, dict[tuple[str, int], tuple[int, int]]()
        further = {part.cell: grids[part.grid].held_out for part in self.with_kind(study, batch, "further").parts}
        for cell, (first, last) in batch.data.items():
            for n in filter(None, (cell.n, further.get(cell))):
                key = plan.stem(str(cell.network)), n
                known = ends.get(key, (first, last))
                ends[key] = min(known[0], first), max(known[1], last)
        return [self._sample(study, *key, *known) for key, known in ends.items()]

    def _sample(self, study: str, network: str, n: int, first: int, last: int) -> Sample:
        return Sample(study, network, n, range(first, last + 1), self.settings.seed)

    def noises(self, study: str, batch: plan.Batch) -> list[Noise]:
        """Return how the values of each cell of a batch are made."""
        options: dict[str, Any] = {
            name: noise.model_dump(exclude_none=True) for name, noise in self.studies[study].noises.items()
        }
        return [
            Noise(self._sample(study, plan.stem(str(cell.network)), cell.n or 0, *ends), name, options[name])
            for cell, ends in batch.data.items()
            for name in [str(cell.noise)]
        ]

    def tests(self, study: str, batch: plan.Batch) -> list[Noise]:
        """Return how the records that are held out of each cell of a batch are made.

        They are the last ones of the same records, or further ones of the same network and noise.
        """
        last = self.noises(study, self.with_kind(study, batch, "predictions"))
        grids, judged = self.studies[study].grids, self.with_kind(study, batch, "further").parts
        cells = [replace(part.cell, name="", n=grids[part.grid].held_out) for part in judged]
        further = [replace(part, cell=cell) for part, cell in zip(judged, cells, strict=True)]
        return [noise._replace(part="test") for noise in last] + self.noises(
            study, replace(batch, parts=tuple(further))
        )

    def test(self, study: str, batch: plan.Batch) -> list[str]:
        """Return the file of the records that are held out of a batch, if there are any."""
        return [f"results/{study}/{batch.path}/test.parquet"] if self.with_kind(study, batch, "test").parts else []

    def resamples(self, study: str, batch: plan.Batch) -> list[Resample]:
        """Return how the replicates of each cell of a batch are drawn from a real data set."""
        folds, resamples = {part.cell: self.folds_of(study, part) for part in batch.parts}, list[Resample]()
        for cell, (first, last) in batch.data.items():
            options: dict[str, Any] = {"kind": ALL_RECORDS}
            if cell.resample:
                options = self.studies[study].resamples[cell.resample].model_dump()
                options |= {"folds": folds[cell]} if folds[cell] else {}
            names = str(cell.dataset), cell.resample or ALL_RECORDS
            resamples.append(Resample(study, *names, range(first, last + 1), options, self.settings.seed))
        return resamples

    def datasets(self, study: str, batch: plan.Batch) -> list[str]:
        """Return the files of the real data sets of a batch, each once."""
        names = dict.fromkeys(cell.dataset for cell in batch.data if cell.dataset)
        return [f"results/datasets/{name}.parquet" for name in names]
