"""Which data sets and runs a study consists of, and how they are cut into jobs."""

from __future__ import annotations

from collections.abc import Collection, Container, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any

from cutpoint.base.errors import InputError
from cutpoint.base.text import suggest
from cutpoint.bench.data.params import OWN
from cutpoint.bench.workflow.settings import EQUATIONS, Scale, Study

TOGETHER = "all"  # the batch of all data sets, at a scale that has them together
DATASETS = "datasets"  # that of real data sets which are not resampled


@dataclass(frozen=True)
class DataKind:
    """One kind of data: a network, a number of records and a noise, or a real data set."""

    name: str  # such as alarm-n500-sigma0.35
    network: str | None = None  # a shipped one, the path of a BIF file or a family of random networks
    n: int | None = None
    noise: str | None = None
    dataset: str | None = None
    resample: str | None = None  # how replicates are drawn from the data set; None for the data set itself


@dataclass(frozen=True)
class RunBlock:
    """What a grid runs in a batch: its methods on some replicates of a cell, the first to the last."""

    grid: str
    cell: DataKind
    first: int
    last: int
    methods: tuple[str, ...]

    @property
    def replicates(self) -> int:
        """How many replicates it has."""
        return self.last - self.first + 1


@dataclass(frozen=True)
class Batch:
    """Data sets that stand in one file, and what runs on them.

    A study is cut into batches once, by networks, sizes and blocks of replicates: a further one of them is a batch of
    its own and leaves the others alone.
    """

    source: str  # "simulated" or "real"
    name: str  # such as alarm.n500.block0
    parts: tuple[RunBlock, ...]

    @property
    def path(self) -> str:
        """Its folder below that of the study, by which it is known there."""
        return f"{self.source}/{self.name}"

    @cached_property
    def methods(self) -> tuple[str, ...]:
        """The methods that run on any of its data sets, each once."""
        return tuple(dict.fromkeys(method for part in self.parts for method in part.methods))

    @cached_property
    def data(self) -> dict[DataKind, tuple[int, int]]:
        """The first and the last replicate of each cell."""
        data: dict[DataKind, tuple[int, int]] = {}
        for part in self.parts:
            first, last = data.get(part.cell, (part.first, part.last))
            data[part.cell] = min(first, part.first), max(last, part.last)
        return data

    @property
    def datasets(self) -> int:
        """How many data sets it holds."""
        return sum(last - first + 1 for first, last in self.data.values())

    @property
    def runs(self) -> int:
        """How many runs of methods there are."""
        return sum(part.replicates * len(part.methods) for part in self.parts)

    def of(self, grids: Container[str]) -> Batch:
        """Return the batch with the parts of some grids alone."""
        return replace(self, parts=tuple(part for part in self.parts if part.grid in grids))


def stem(network: str) -> str:
    """Return the name of a network given by name or by path."""
    return Path(network).stem


def networks_of(studies: Mapping[str, Mapping[str, Batch]]) -> list[str]:
    """Return the networks of the batches of all studies, each once; two files of one name would be confused."""
    of_stem: dict[str, str] = {}
    for batches in studies.values():
        for network in (cell.network for batch in batches.values() for cell in batch.data if cell.network):
            if of_stem.setdefault(stem(network), network) != network:
                raise InputError(f"networks {of_stem[stem(network)]!r} and {network!r} have one name; rename the file")
    return list(of_stem.values())


def cells_of(study: Study, scale: Scale, name: str) -> list[DataKind]:
    """Return the cells of a grid, given by name."""
    grid = study.grids[name]
    if grid.resamples:
        pairs = product(grid.datasets, grid.resamples)
        return [DataKind(f"{dataset}-{resample}", dataset=dataset, resample=resample) for dataset, resample in pairs]
    if grid.datasets:
        return [DataKind(dataset, dataset=dataset) for dataset in grid.datasets]
    return [
        DataKind(f"{stem(network)}-n{n}-{noise}", network, n, noise)
        for network in scale.of("networks", name) or grid.networks
        for n in scale.of("n", name) or grid.n
        for noise in grid.noises
    ]


def batches_of(
    study: Study, scale: str, methods: Mapping[str, tuple[str, ...]], references: Collection[str] = ()
) -> dict[str, Batch]:
    """Return the batches of a study at a scale, by their paths; the methods are those of each grid.

    References run on the cells alone whose values stand for levels, record by record.
    """
    if scale not in study.scales:
        raise InputError(f"unknown scale {scale!r}{suggest(scale, study.scales)}")
    settings, parts = study.scales[scale], dict[tuple[str, str], list[RunBlock]]()
    for grid in study.grids:
        whole = study.grids[grid].datasets and not study.grids[grid].resamples  # a data set as it is
        replicates = 1 if whole else settings.of("replicates", grid)
        size = replicates if settings.together is True else study.block
        for cell in cells_of(study, settings, grid):
            noise = study.noises.get(str(cell.noise), {"kind": None})
            has_levels = noise["kind"] not in (None, *EQUATIONS) and noise.get("missing") is None
            runs = tuple(method for method in methods[grid] if has_levels or method not in references)
            for first in range(0, replicates, size):
                name = _name(cell, first // size, settings.together)
                there = parts.setdefault(("simulated" if cell.network else "real", name), [])
                block = range(first, min(first + size, replicates))
                there += [RunBlock(grid, cell, *ends, runs) for ends in _taken(study, settings, grid, cell, block)]
    batches = (Batch(source, name, tuple(some)) for (source, name), some in parts.items() if some)
    return {batch.path: batch for batch in batches}


def _taken(study: Study, scale: Scale, name: str, cell: DataKind, block: range) -> list[tuple[int, int]]:
    """Return the first and the last of each run of replicates in a block that a grid takes of a cell.

    Without variants that is the block. With v variants, the noises are read as rows of v: at each network, size and
    row a replicate has one of the v, in a Latin square. A thinned grid takes every so many of these data sets; the
    factors make that the variants, the rows and the sizes are about equally often among them.
    """
    grid = study.grids[name]
    if grid.variants == grid.thin == 1:
        return [(block[0], block[-1])]
    networks, sizes = scale.of("networks", name) or grid.networks, scale.of("n", name) or grid.n
    row, variant = divmod(list(grid.noises).index(str(cell.noise)), grid.variants)
    i, j = list(networks).index(str(cell.network)), list(sizes).index(cell.n or 0)
    turns = ((r, (i + j + row + r) % grid.variants, (i + 2 * j + 3 * row - r) % grid.thin) for r in block)
    return [(r, r) for r, which, left in turns if which == variant and left == 0]


def _name(cell: DataKind, block: int, together: str | bool | Sequence[str]) -> str:
    """Return the name of a batch: a network with a size, or a data set, and the block of replicates."""
    if together is True:
        return TOGETHER
    if cell.network:
        networks = together if isinstance(together, list) and cell.network in together else [cell.network]
        return f"{'+'.join(map(stem, networks))}{'' if together else f'.n{cell.n}'}.block{block}"
    return f"{cell.dataset}.block{block}" if cell.resample else DATASETS


def methods_of(
    study: Study, name: str, rows: Mapping[str, Mapping[str, Any]], extra: Sequence[str] = ()
) -> dict[str, tuple[str, ...]]:
    """Return the methods of each grid of a study: its own, then those that join, in their order.

    A row joins the studies that its ``studies`` name; without the key all but that of own data. None joins one that
    says ``joins: false``. The grids with the most methods take it; one that picks a few of these does not. Rows of
    `extra` join in any case.
    """
    listed = {method for grid in study.grids.values() for method in grid.methods}
    most = max((len(grid.methods) for grid in study.grids.values()), default=0)
    named = {key: row.get("studies") for key, row in rows.items()}
    allowed = {key for key, studies in named.items() if (name != OWN if studies is None else name in studies)}
    joining = [key for key in rows if key not in listed and (key in extra or (study.joins and key in allowed))]
    return {
        key: (*grid.methods, *joining) if len(grid.methods) == most else tuple(grid.methods)
        for key, grid in study.grids.items()
    }
