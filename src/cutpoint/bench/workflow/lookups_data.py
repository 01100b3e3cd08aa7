"""What rules look up to make data: networks, codes, values, real data sets and the user's own."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from cutpoint.base.names import OWN
from cutpoint.bench.workflow import plan
from cutpoint.bench.workflow.lookups_batches import Batches, Wildcards, datasets_of

ALL_RECORDS = "all-records"  # in place of the name of a resample; no such name has a hyphen


class DataLookups(Batches):
    """What data are made of, see `Batches`."""

    @property
    def data_file(self) -> str:
        """The user's own data."""
        return self.checked.places.user(str(self.settings.data))

    @property
    def truth(self) -> str | None:
        """The name of the true network of the user's own data, if it is known."""
        return self.settings.truth and plan.stem(self.settings.truth)

    @property
    def mirror(self) -> str | None:
        """The folder from which real data sets are taken."""
        return self.settings.mirror and self.checked.places.user(self.settings.mirror)

    def file_of_dataset(self, wildcards: Wildcards) -> str | list[str]:
        """Return the user's own file for a data set, if there is one."""
        path = self.settings.files.get(wildcards.dataset)
        return self.checked.places.user(path) if path else []

    def networks_of_family(self, wildcards: Wildcards) -> dict[str, Any]:
        """Return the options of a family of random networks and the numbers of those of a block."""
        family, study = wildcards.family, self.studies[wildcards.study]
        cells = [each for batch in self.batches[wildcards.study].values() for each in batch.data.items()]
        first = int(wildcards.block) * study.block
        last = min(first + study.block - 1, max(end for cell, (_, end) in cells if cell.network == family))
        return {"options": study.random_networks[family], "replicates": [first, last]}

    def networks_of_batch(self, wildcards: Wildcards, source: str = "") -> list[str]:
        """Return the files of the true networks of a batch, and folders of random ones."""
        return self.networks_of(wildcards.study, self.batch_of(wildcards, source))

    def networks_of(self, study: str, batch: plan.Batch) -> list[str]:
        """Return the files of the true networks of a batch of a study, and folders of random ones."""
        paths = self.truth_of(study) if batch.source == "real" else []
        block = self.studies[study].block
        for cell, (first, last) in batch.data.items():
            if cell.network in self.studies[study].random_networks:
                blocks = range(first // block, last // block + 1)
                paths += [f"results/{study}/networks/{cell.network}/block{k}" for k in blocks]
            elif cell.network:
                paths.append(self.checked.networks[plan.stem(cell.network)])
        return list(dict.fromkeys(paths))

    def truth_of(self, study: str) -> list[str]:
        """Return the file of the true network of the user's own data, if this is the study."""
        return [self.checked.networks[self.truth]] if study == OWN and self.truth else []

    def samples_of_batch(self, wildcards: Wildcards) -> list[dict[str, Any]]:
        """Return which codes the data of a batch are made of: network, size, and the first and last replicate."""
        study, batch = wildcards.study, self.batch_of(wildcards, "simulated")
        samples: dict[tuple[str, int], list[int]] = {}
        further = {part.cell: self._held_out(study, part) for part in self.part_with(study, batch, "held_out").parts}
        for cell, (first, last) in batch.data.items():
            for source in filter(None, (cell, further.get(cell))):
                ends = samples.setdefault((plan.stem(str(cell.network)), int(source.n or 0)), [first, last])
                ends[:] = min(ends[0], first), max(ends[1], last)
        return [{"network": network, "n": n, "replicates": ends} for (network, n), ends in samples.items()]

    def _held_out(self, study: str, part: plan.Part) -> plan.Cell:
        """Return the cell of the further records of a part, in whose likelihood its graphs are judged."""
        return replace(part.cell, name="", n=self.studies[study].grids[part.grid].held_out)

    def noises_of_batch(self, wildcards: Wildcards) -> list[dict[str, Any]]:
        """Return how the values of each cell of a batch are made."""
        return self._noises(wildcards.study, self.batch_of(wildcards, "simulated"))

    def tests_of_batch(self, wildcards: Wildcards) -> list[dict[str, Any]]:
        """Return how the records that are held out of each cell of a batch are made.

        They are the last ones of the same records, or further ones of the same network and noise.
        """
        study, batch = wildcards.study, self.batch_of(wildcards, "simulated")
        predicting, judged = (self.part_with(study, batch, key) for key in ("predict", "held_out"))
        further = replace(judged, parts=tuple(replace(part, cell=self._held_out(study, part)) for part in judged.parts))
        return [noise | {"part": "test"} for noise in self._noises(study, predicting)] + self._noises(study, further)

    def _noises(self, study: str, batch: plan.Batch) -> list[dict[str, Any]]:
        return [
            {
                "network": plan.stem(str(cell.network)),
                "n": cell.n,
                "noise": cell.noise,
                "replicates": list(ends),
                "options": self.studies[study].noises[str(cell.noise)],
                "part": "noise",
            }
            for cell, ends in batch.data.items()
        ]

    def test_of_batch(self, wildcards: Wildcards) -> list[str]:
        """Return the file of the records that are held out of a batch, if there are any."""
        grids = {part.grid for part in self.batch_of(wildcards).parts}
        held_out = any(self.has(wildcards.study, grid, "test") for grid in grids)
        return [f"{self.folder_of(wildcards)}/test.parquet"] if held_out else []

    def resamples_of_batch(self, wildcards: Wildcards) -> list[dict[str, Any]]:
        """Return how the replicates of each cell of a batch are drawn from a real data set."""
        study, batch = wildcards.study, self.batch_of(wildcards, "real")
        folds = {part.cell: self.folds(study, part) for part in batch.parts}
        resamples = []
        for cell, ends in batch.data.items():
            options = {"kind": ALL_RECORDS}
            if cell.resample:
                options = self.studies[study].resamples[cell.resample] | folds[cell]
            about = {"dataset": cell.dataset, "resample": cell.resample or ALL_RECORDS, "replicates": list(ends)}
            resamples.append(about | {"options": options})
        return resamples

    def datasets_of_batch(self, wildcards: Wildcards, source: str = "") -> list[str]:
        """Return the files of the real data sets of a batch."""
        return datasets_of([self.batch_of(wildcards, source)])
