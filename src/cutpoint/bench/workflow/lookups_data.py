"""What rules look up to make data: networks, codes, values, real data sets and the user's own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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
        study, family, size = wildcards.study, wildcards.family, self.studies[wildcards.study].block
        ends = [last for batch in self.batches[study].values() for cell, (_, last) in batch.data.items()
                if cell.network == family]  # fmt: skip
        first = int(wildcards.block) * size
        options = self.studies[study].random_networks[family].model_dump()
        return {"options": options, "replicates": [first, min(first + size - 1, max(ends))]}

    def _networks(self, study: str, network: str, first: int, last: int) -> list[str]:
        """Return the file of a network, or the folders with those of a family for some replicates."""
        if network not in self.studies[study].random_networks:
            return [self.checked.networks[plan.stem(network)]]
        size = self.studies[study].block
        return [f"results/{study}/networks/{network}/block{k}" for k in range(first // size, last // size + 1)]

    def networks_of_batch(self, wildcards: Wildcards, source: str = "") -> list[str]:
        """Return the files of the true networks of a batch, and folders of random ones."""
        return self.networks_of(wildcards.study, self.batch_of(wildcards, source))

    def networks_of(self, study: str, batch: plan.Batch) -> list[str]:
        """Return the files of the true networks of a batch of a study."""
        paths = [
            path
            for cell, (first, last) in batch.data.items()
            if cell.network
            for path in self._networks(study, cell.network, *self._records_of(study, cell, first, last))
        ]
        return [*dict.fromkeys(paths), *(self.truth_of(study) if batch.source == "real" else ())]

    def truth_of(self, study: str) -> list[str]:
        """Return the file of the true network of the user's own data, if this is the study."""
        return [self.checked.networks[self.truth]] if study == OWN and self.truth else []

    def samples_of_batch(self, wildcards: Wildcards) -> list[dict[str, Any]]:
        """Return which codes the data of a batch are made of: network, size, and the first and last replicate."""
        study, batch = wildcards.study, self.batch_of(wildcards, "simulated")
        samples: dict[tuple[str, int], list[int]] = {}
        for cell, n, first, last in self._simulated(study, batch):
            known = samples.setdefault((plan.stem(str(cell.network)), n), [first, last])
            known[:] = min(known[0], first), max(known[1], last)
        return [{"network": network, "n": n, "replicates": both} for (network, n), both in samples.items()]

    def _simulated(self, study: str, batch: plan.Batch) -> Iterator[tuple[plan.Cell, int, int, int]]:
        """Yield the cells of a batch with the numbers of records that are drawn, and the replicates of the codes."""
        further = {
            part.cell: self._held_out(study, part) for part in batch.of(self.grids_with(study, "held_out")).parts
        }
        for cell, (first, last) in batch.data.items():
            for one in filter(None, (cell, further.get(cell))):
                yield cell, int(one.n or 0), *self._records_of(study, cell, first, last)

    def _held_out(self, study: str, part: plan.Part) -> plan.Cell:
        """Return the cell of the further records of a part, in whose likelihood its graphs are judged."""
        return replace(part.cell, name="", n=self.studies[study].grids[part.grid].held_out)

    def _records_of(self, study: str, cell: plan.Cell, first: int, last: int) -> tuple[int, int]:
        """Return the first and the last replicate of the codes of a cell; `orders` replicates share the records."""
        orders = self.studies[study].noises[str(cell.noise)].orders
        return first // orders, last // orders

    def noises_of_batch(self, wildcards: Wildcards) -> list[dict[str, Any]]:
        """Return how the values of each cell of a batch are made."""
        batch = self.batch_of(wildcards, "simulated")
        return [self._noise(wildcards.study, cell, ends) for cell, ends in batch.data.items()]

    def tests_of_batch(self, wildcards: Wildcards) -> list[dict[str, Any]]:
        """Return how the records that are held out of each cell of a batch are made.

        They are the last ones of the same records, or further ones of the same network and noise.
        """
        study, batch = wildcards.study, self.batch_of(wildcards, "simulated")
        predicting, judged = (batch.of(self.grids_with(study, key)) for key in ("predict", "held_out"))
        tests = [self._noise(study, cell, ends) | {"part": "test"} for cell, ends in predicting.data.items()]
        further = replace(judged, parts=tuple(replace(part, cell=self._held_out(study, part)) for part in judged.parts))
        return tests + [self._noise(study, cell, ends) for cell, ends in further.data.items()]

    def _noise(self, study: str, cell: plan.Cell, ends: tuple[int, int]) -> dict[str, Any]:
        options = self.studies[study].noises[str(cell.noise)].model_dump(exclude_none=True)
        network = plan.stem(str(cell.network))
        about = {"network": network, "n": cell.n, "noise": cell.noise, "replicates": list(ends)}
        return about | {"options": options, "part": "noise"}

    def test_of_batch(self, wildcards: Wildcards) -> list[str]:
        """Return the file of the records that are held out of a batch, if there are any."""
        return self.tests_of(wildcards.study, [self.batch_of(wildcards)])

    def tests_of(self, study: str, batches: Iterable[plan.Batch]) -> list[str]:
        """Return the files of the held-out records of some batches."""
        grids = [*self.grids_with(study, "predict"), *self.grids_with(study, "held_out")]
        return [f"results/{study}/{batch.path}/test.parquet" for batch in batches if batch.of(grids).parts]

    def resamples_of_batch(self, wildcards: Wildcards) -> list[dict[str, Any]]:
        """Return how the replicates of each cell of a batch are drawn from a real data set."""
        study, batch = wildcards.study, self.batch_of(wildcards, "real")
        folds = {part.cell: self.folds(study, part) for part in batch.parts}
        resamples = []
        for cell, ends in batch.data.items():
            options = {"kind": ALL_RECORDS}
            if cell.resample:
                options = self.studies[study].resamples[cell.resample].model_dump() | folds[cell]
            about = {"dataset": cell.dataset, "resample": cell.resample or ALL_RECORDS, "replicates": list(ends)}
            resamples.append(about | {"options": options})
        return resamples

    def datasets_of_batch(self, wildcards: Wildcards, source: str = "") -> list[str]:
        """Return the files of the real data sets of a batch."""
        return datasets_of([self.batch_of(wildcards, source)])
